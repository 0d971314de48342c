"""SR-3, SR-4 and SR-10.1: drawing and placing tiles, and where there is room."""

from dataclasses import replace
from random import Random

import pytest

from services.ruleset.answers import CHANCE
from services.ruleset.chance import Chance
from services.ruleset.protocol import Budget, Query
from services.string_railway.rules import facts
from services.string_railway.rules.moves import Draw, PlaceStation, SetAside
from services.string_railway.rules.outlines import is_within
from services.string_railway.rules.placing import fits
from services.string_railway.rules.regions import ANGLES, tile_regions
from services.string_railway.rules.room import find_room
from services.string_railway.rules.squares import square as tile_of
from services.string_railway.rules.state import Boundary, State
from services.string_railway.rules.turning import corners
from tests.string_railway.rules.positions import (
    RULES,
    codes,
    do,
    line,
    put,
    square,
    station,
    string,
    table,
)


def drawing(*gone: str) -> State:
    """A position before a draw; these tiles have left the stack."""
    state = table(phase="draw")
    for kind in gone:
        state.stack[kind] -= 1
    return state


@pytest.mark.parametrize(
    ("gone", "drawn", "legal"),
    [
        ((), ("central", "urban"), True),
        ((), ("central",), False),
        ((), ("country", "urban"), False),
        ((), ("country", "country", "country"), True),
        ((), ("central", "urban", "urban"), False),
        (("urban",), ("central",), True),
        (("urban",), ("country", "country"), True),
        (("urban",), ("country",), False),
        (("urban",), (), False),
        (("urban", "urban"), ("urban",), False),
        (("urban",), ("castle",), False),
    ],
)
def test_sr_3_2_to_3_4_draws_of_the_table(gone: tuple[str, ...], drawn: tuple[str, ...], legal: bool) -> None:
    outcome = do(drawing(*gone), Draw(CHANCE, drawn))
    assert codes(outcome) == ([] if legal else ["SR-3.2 bad_draw"])
    if outcome.state is not None:
        assert (outcome.state.phase, outcome.state.pending) == ("place", list(drawn))


def test_sr_3_3_a_draw_lapses_with_the_stack() -> None:
    state = table(phase="draw")
    state.stack = dict.fromkeys(facts.STACK, 0)
    after = do(state, Draw(CHANCE)).state
    assert after is not None and after.phase == "lay"
    state.stack["country"] = 1
    assert codes(do(state, Draw(CHANCE, ("country",)))) == []


def test_sr_2_7_a_seed_draws_the_same_for_all() -> None:
    state = replace(drawing(), chance=Chance("seeded", "a seed", 0))
    first, second = (do(state, Draw("red")).state for _ in range(2))
    assert first is not None and first == second
    assert first.chance.draws == len(first.pending) == 35 - sum(first.stack.values())
    assert codes(do(state, Draw("red", ("urban", "urban")))) == ["SR-3.2 bad_draw"]
    assert codes(do(state, Draw(CHANCE))) == ["SR-3.1 not_your_turn"]


def test_chance_moves_carry_their_weight() -> None:
    options = list(RULES.legal_moves(drawing("urban"), Query(), Budget()))
    assert sum(option.weight for option in options) == 34 * 33
    assert all(codes(do(drawing("urban"), option.move)) == [] for option in options)
    first = list(RULES.legal_moves(drawing(), Query(), Budget()))
    assert sum(option.weight for option in first) == 35 * 34 * 33


def test_sr_4_1_only_drawn_tiles_are_placed() -> None:
    state = table(pending=["urban", "country"])
    refused = do(state, PlaceStation("red", "scenic", square(300, 100)))
    assert codes(refused) == ["SR-4.1 tile_not_drawn"]
    after = put(state, 300, 100).state
    assert after is not None and (after.pending, after.phase) == (["country"], "place")
    assert after.stations[-1].owner == "red"  # SR-4.5
    last = put(after, 400, 100).state
    assert last is not None and (last.phase, last.stations[-1].owner) == ("lay", "")
    assert codes(do(last, PlaceStation("red", "urban", square(500, 100)))) == ["SR-3.1 wrong_phase"]


@pytest.mark.parametrize(
    ("x", "y", "angle", "code"),
    [
        (300, 20.001, 0, ""),
        (300, 20, 0, "SR-4.2 tile_not_inside"),
        (900, 100, 0, "SR-4.2 tile_not_inside"),
        (400, 621.715, 45, ""),
        (400, 621.716, 45, "SR-4.3 tile_on_string"),
        (520, 500, 0, "SR-4.3 tile_on_string"),
        (240.001, 300, 0, ""),
        (240, 300, 0, "SR-4.3 tile_on_string"),
        (329.999, 259.999, 0, ""),
        (330, 260, 0, "SR-4.4 tile_on_station"),
    ],
)
def test_sr_4_2_to_4_4_where_tiles_lie(x: float, y: float, angle: int, code: str) -> None:
    own = string("b1", "blue", (220, 150), (220, 450))
    ends = station("U1", "central", 220, 150), station("U2", "central", 220, 450)
    state = table(*ends, station("K", "central", 370, 300), strings=[own], pending=["regional"])
    assert codes(put(state, x, y, angle)) == ([code] if code else [])


def crowded(side: int) -> State:
    """A small square area, so that hardly anything fits."""
    ring = line((0, 0), (side, 0), (side, side), (0, side))
    state = table(pending=["urban"])
    return replace(state, boundary=Boundary(ring, ring), river=(), mountain=(), stations=[])


@pytest.mark.parametrize(("side", "room"), [(39, False), (40, False), (41, True), (60, True)])
def test_sr_4_6_set_aside_only_without_room(side: int, room: bool) -> None:
    state = crowded(side)
    assert (find_room(state, Budget()) is not None) == room
    outcome = do(state, SetAside("red", "urban"))
    assert codes(outcome) == (["SR-4.6 room_left"] if room else [])
    offered = {option.kind for option in RULES.legal_moves(state, Query(), Budget())}
    assert offered == ({"place_station"} if room else {"set_aside"})


def test_sr_10_1_regions_hold_exactly_the_legal_centres() -> None:
    own = string("b1", "blue", (220, 150), (300, 210), (260, 330), (220, 450))
    ends = station("U1", "central", 220, 150, 20), station("U2", "central", 220, 450)
    state = table(*ends, station("K", "central", 370, 300, 33), strings=[own], pending=["regional"])
    chance = Random(3)
    for angle in ANGLES:
        regions = tile_regions(state, angle, Budget())
        for region in regions:
            for point in (region.witness, *region.outer, *(p for hole in region.holes for p in hole)):
                assert fits(state, tile_of(corners(point, angle)))
        for _ in range(200):
            point = chance.randint(0, 800_000), chance.randint(0, 800_000)
            inside = any(
                is_within(region.outer, *point) and not any(is_within(hole, *point) for hole in region.holes)
                for region in regions
            )
            assert inside == fits(state, tile_of(corners(point, angle))), (angle, point)


@pytest.mark.parametrize(("height", "room"), [("40", False), ("40.001", False), ("40.002", True)])
def test_sr_10_2_room_is_decided_to_the_grid_step(height: str, room: bool) -> None:
    ring = line((0, 0), (90, 0), (90, height), (0, height))
    state = replace(crowded(90), boundary=Boundary(ring, ring))
    assert (find_room(state, Budget()) is not None) == room
