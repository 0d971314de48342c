"""Moves that are well typed and otherwise absurd get an answer, and in time (SR-9.1, 9.2)."""

from collections.abc import Iterator
from math import cos, sin
from random import Random
from time import perf_counter

import pytest

from services.string_railway.rules.moves import (
    Draw,
    LayString,
    Move,
    Pass,
    PlaceStart,
    PlaceStation,
    SetAside,
    SetupBoundary,
    SetupMountain,
    SetupRiver,
)
from services.string_railway.rules.planes import Point
from services.string_railway.rules.state import Phase
from tests.string_railway.rules.positions import codes, do, station, string, table, with_phase

PHASES: tuple[Phase, ...] = ("boundary", "river", "mountain", "start", "draw", "place", "lay", "over")
SECONDS = 2.0
"""Far above what any of these take, for a busy machine."""


def lines() -> Iterator[tuple[str, tuple[Point, ...]]]:
    chance = Random(5)
    yield "nothing", ()
    yield "one point", ((30_000, 30_000),)
    yield "the same point over and over", ((30_000, 30_000),) * 5000
    yield "too many points", tuple((30_000 + n, 30_000) for n in range(5000))
    yield "as many as may be", tuple((30_000 + 600 * n, 30_000) for n in range(512))
    yield "spikes", tuple((30_000 + 600 * n, 30_000 + 20_000 * (n % 2)) for n in range(512))
    yield "back and forth", tuple((30_000 + 300_000 * (n % 2), 30_000) for n in range(512))
    yield "along the boundary", tuple((1000 * n, 0) for n in range(512))
    yield "in and out", tuple((1000 * n, 1000 * (-1) ** n) for n in range(512))
    yield "rows", tuple((30_000 + 100_000 * (n // 2 % 2), 30_000 + 500 * n) for n in range(512))
    yield "spiral", tuple((round(4e5 + 500 * n * cos(n)), round(4e5 + 500 * n * sin(n))) for n in range(512))
    yield "limits", ((-4_000_000, -4_000_000), (4_000_000, 4_000_000))
    yield "beyond", ((-(10**30), 0), (10**30, 5))
    yield "noise", tuple((chance.randint(0, 800_000), chance.randint(0, 800_000)) for _ in range(512))


LINES = dict(lines())


def moves(points: tuple[Point, ...]) -> Iterator[Move]:
    yield SetupBoundary("", points, points[:4])
    yield SetupRiver("", points)
    yield SetupMountain("", points)
    yield PlaceStart("red", -7, points[:4])
    yield PlaceStart("nobody", 10**20, points)
    yield Draw("red", ("country",) * 50)
    yield PlaceStation("red", "castle", points[:4])
    yield SetAside("red", "x" * 1000)
    yield LayString("red", "short", points)
    yield LayString("nobody", "endless", points, "?")
    yield Pass("nobody", "")


@pytest.mark.parametrize("name", LINES)
def test_every_move_gets_an_answer_in_time(name: str) -> None:
    ends = station("U1", "central", 220, 150), station("K", "terminal", 370, 300, 30)
    own = string("r1", "red", (30, 30), (220, 150))
    for phase in PHASES:
        base = table(*ends, strings=[own], pending=["urban"] if phase == "place" else [])
        state = with_phase(base, phase, "" if phase == "over" else "red")
        for move in moves(LINES[name]):
            begun = perf_counter()
            outcome = do(state, move)
            assert perf_counter() - begun < SECONDS
            assert outcome.violations or outcome.state is not None


def test_format_and_range_stand_alone() -> None:
    state = table()
    assert codes(do(state, LayString("blue", "short", LINES["one point"]))) == ["SR-9.2 bad_format"]
    assert codes(do(state, LayString("blue", "short", LINES["beyond"]))) == ["SR-9.1 out_of_range"]
    assert codes(do(state, PlaceStation("red", "urban", LINES["limits"]))) == ["SR-9.3 bad_tile"]
