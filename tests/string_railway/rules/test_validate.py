"""Open positions: the recorded ones pass, and every invariant refuses what breaks it."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

import pytest

from services.ruleset.chance import Chance
from services.ruleset.protocol import Budget
from services.string_railway.rules.planes import Point
from services.string_railway.rules.state import Boundary, State, copy_state
from tests.conformance.runner import DEFAULT
from tests.conformance.string_railway.reading import empty, move, options, read
from tests.string_railway.rules.positions import RULES

FOLDER = DEFAULT / "string-railway"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="no recordings")


@lru_cache(maxsize=1)
def recorded() -> State:
    """A position in the middle of a recorded game, tiles waiting to be placed."""
    game = next(game for game in read(FOLDER / "games.json")["games"] if game["id"] == "SRG-06")
    state = empty(game["players"], game["companies"], options(game))
    for step in game["steps"]:
        outcome = RULES.apply(state, move(step["move"]), Budget())
        state = outcome.state or state
        if len(state.strings) == 9 and state.phase == "place":
            return state
    raise AssertionError("no such position")


def moved(points: tuple[Point, ...], by: int) -> tuple[Point, ...]:
    return tuple((x + by, y) for x, y in points)


def change_station(state: State, index: int, **values: Any) -> None:
    state.stations[index] = replace(state.stations[index], **values)


def change_string(state: State, index: int, **values: Any) -> None:
    state.strings[index] = replace(state.strings[index], **values)


def change(**values: Any) -> Callable[[State], None]:
    def apply(state: State) -> None:
        for name, value in values.items():
            setattr(state, name, value)

    return apply


def swap_strings(state: State) -> None:
    state.strings[0], state.strings[1] = state.strings[1], state.strings[0]


def change_option(name: str, value: Any) -> Callable[[State], None]:
    values: dict[str, Any] = {name: value}

    def apply(state: State) -> None:
        state.options = replace(state.options, **values)

    return apply


def change_seat(state: State) -> None:
    state.players = (replace(state.players[0], seat="X"), *state.players[1:])


def move_tile(state: State) -> None:
    change_station(state, 5, corners=moved(state.stations[5].corners, 900_000))


def turn_tile(state: State) -> None:
    change_station(state, 5, corners=state.stations[5].corners[::-1])


BROKEN: dict[str, tuple[Callable[[State], None], str]] = {
    "ruleset": (change(ruleset="chess/1"), "ruleset"),
    "phase": (change(phase="tea"), "phase"),
    "players": (change(players=()), "players"),
    "companies": (change(companies=("red", "red", "green", "blue")), "companies[1]"),
    "unknown company": (change(companies=("red", "pink", "green", "blue")), "companies[1]"),
    "seat": (
        lambda s: setattr(s, "players", (replace(s.players[0], seat="X"), *s.players[1:])),
        "players[0].seat",
    ),
    "option": (change_option("slack", "loose"), "options.slack"),
    "flag": (change_option("pro", 1), "options.pro"),
    "no boundary": (change(boundary=None), "boundary"),
    "no river": (change(river=()), "river"),
    "no mountain": (change(mountain=()), "mountain"),
    "small boundary": (change(boundary=Boundary(((0, 0), (9, 0), (9, 9)), ())), "boundary"),
    "river moved": (lambda s: setattr(s, "river", moved(s.river, 2_000_000)), "river"),
    "mountain moved": (lambda s: setattr(s, "mountain", moved(s.mountain, 900_000)), "mountain"),
    "vertices": (lambda s: setattr(s, "river", (s.river[0], *s.river)), "river"),
    "kind": (lambda s: change_station(s, 5, kind="castle"), "stations[5].kind"),
    "no start": (lambda s: change_station(s, 0, kind="central"), "stations[0].kind"),
    "owner of a start": (lambda s: change_station(s, 0, owner="blue"), "stations[0].owner"),
    "owner": (lambda s: change_station(s, 5, owner="red", kind="central"), "stations[5].owner"),
    "mark": (lambda s: change_station(s, 1, mark=s.stations[0].mark), "stations[1]"),
    "tile outside": (
        lambda s: change_station(s, 5, corners=moved(s.stations[5].corners, 900_000)),
        "stations[5]",
    ),
    "tile shape": (lambda s: change_station(s, 5, corners=s.stations[5].corners[:3]), "stations[5]"),
    "tile twice": (lambda s: change_station(s, 5, id=s.stations[4].id), "stations[5]"),
    "tile clockwise": (
        lambda s: change_station(s, 5, corners=s.stations[5].corners[::-1]),
        "stations[5].corners",
    ),
    "tile name": (lambda s: change_station(s, 5, id="a b"), "stations[5].id"),
    "string company": (lambda s: change_string(s, 0, company="pink"), "strings[0].company"),
    "string class": (lambda s: change_string(s, 0, length="endless"), "strings[0].length"),
    "string name": (lambda s: change_string(s, 0, id="river"), "strings[0].id"),
    "string moved": (lambda s: change_string(s, 0, path=moved(s.strings[0].path, 60_000)), "strings[0]"),
    "string short": (lambda s: change_string(s, 0, path=s.strings[0].path[:1]), "strings[0]"),
    "order": (swap_strings, "strings"),
    "forfeits": (lambda s: s.forfeits.update(red=["long", "long"]), "forfeits.red"),
    "forfeits unknown": (lambda s: s.forfeits.update(pink=[]), "forfeits"),
    "acting": (change(acting="nobody"), "acting"),
    "nothing pending": (change(pending=[]), "pending"),
    "pending unknown": (change(pending=["castle"]), "pending[0]"),
    "stack": (lambda s: s.stack.update(central=4), "stack"),
    "stack unknown": (lambda s: s.stack.update(castle=1), "stack"),
    "draws": (change(chance=Chance("external", "", 1)), "random.external.draws"),
    "seed": (lambda s: setattr(s, "chance", Chance("external", "x", s.chance.draws)), "random.seeded.seed"),
    "no seed": (lambda s: setattr(s, "chance", Chance("seeded", "", s.chance.draws)), "random.seeded.seed"),
    "scores": (lambda s: s.scores.update(red=99), "scores.red"),
    "scores unknown": (lambda s: s.scores.update(pink=0), "scores"),
    "scores missing": (lambda s: s.scores.clear(), "scores"),
}


def test_a_recorded_position_passes() -> None:
    assert RULES.validate(recorded()) is None


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_position_is_named(name: str) -> None:
    breaking, path = BROKEN[name]
    state = copy_state(recorded())
    breaking(state)
    violation = RULES.validate(state)
    assert violation is not None and violation.path.startswith(path), violation
    assert RULES.validate(recorded()) is None
