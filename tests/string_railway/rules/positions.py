"""The common table of SR-14: a square for four companies, starting stations flush in the corners, a river and
a square mountain.  Millimetres go in."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.ruleset.answers import Outcome
from services.ruleset.chance import Chance
from services.ruleset.protocol import Budget
from services.string_railway.rules import facts
from services.string_railway.rules.curves import merged
from services.string_railway.rules.engine import StringRailway
from services.string_railway.rules.moves import LayString, Move, PlaceStation
from services.string_railway.rules.planes import Point, micrometres
from services.string_railway.rules.state import Boundary, Options, Phase, Player, State, Station, String
from services.string_railway.rules.turning import DEGREE, corners

RULES: Final = StringRailway()
Number = int | float | str
SQUARE: Final = ((0, 0), (800, 0), (800, 800), (0, 800))
CORNERS: Final = {"red": (20, 20, 0), "yellow": (20, 780, 3), "green": (780, 780, 2), "blue": (780, 20, 1)}


def at(x: Number, y: Number) -> Point:
    return micrometres(Decimal(str(x))), micrometres(Decimal(str(y)))


def line(*points: tuple[Number, Number]) -> tuple[Point, ...]:
    return tuple(at(x, y) for x, y in points)


def square(x: Number, y: Number, angle: int = 0) -> tuple[Point, ...]:
    """The corners of a tile, angle in degrees."""
    return corners(at(x, y), angle * DEGREE)


def station(name: str, kind: str, x: Number, y: Number, angle: int = 0, owner: str = "") -> Station:
    return Station(name, kind, owner, square(x, y, angle))


def string(name: str, company: str, *points: tuple[Number, Number], long: bool = False) -> String:
    return String(name, company, "long" if long else "short", merged(line(*points)))


def table(
    *stations: Station,
    strings: Sequence[String] = (),
    phase: Phase = "lay",
    acting: str = "red",
    pending: Sequence[str] = (),
    options: Options | None = None,
) -> State:
    """A position with the starting stations and these; where tiles are pending the phase is placing."""
    starts = [
        Station(company[0].upper() + "0", "start", company, square(x, y), mark)
        for company, (x, y, mark) in CORNERS.items()
    ]
    return State(
        facts.RULESET,
        options or Options(),
        Chance("external", "", 0),
        tuple(Player(f"G{n}", "", (company,)) for n, company in enumerate(CORNERS, 1)),
        tuple(CORNERS),
        "place" if pending else phase,
        acting,
        Boundary(line(*SQUARE), line(*SQUARE)),
        line((60, 650), (760, 650)),
        line((530, 390), (755, 390), (755, 615), (530, 615)),
        [*starts, *stations],
        list(strings),
        {},
        list(pending),
        dict(facts.STACK),
        [],
        dict.fromkeys(CORNERS, 3),
    )


def lay(state: State, *points: tuple[Number, Number], long: bool = False) -> Outcome[State]:
    """A string of the company whose turn it is."""
    return do(state, LayString(state.acting, "long" if long else "short", line(*points)))


def put(state: State, x: Number, y: Number, angle: int = 0) -> Outcome[State]:
    """The first pending tile placed."""
    return do(state, PlaceStation(state.acting, state.pending[0], square(x, y, angle)))


def do(state: State, move: Move) -> Outcome[State]:
    return RULES.apply(state, move, Budget())


def codes(outcome: Outcome[State]) -> list[str]:
    return [f"{violation.rule_id} {violation.reason}" for violation in outcome.violations]


def gains(before: State, outcome: Outcome[State]) -> dict[str, int]:
    """What a legal move changed in the scores."""
    assert outcome.state is not None, outcome.violations
    after = outcome.state.scores
    return {c: after[c] - p for c, p in before.scores.items() if after[c] != p}


def with_phase(state: State, phase: Phase, acting: str) -> State:
    return replace(state, phase=phase, acting=acting)
