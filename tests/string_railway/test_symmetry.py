"""A game that is moved, turned by a quarter, mirrored or drawn backwards is judged and scored the same."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import pytest

from services.ruleset.protocol import Budget
from services.string_railway.rules.engine import StringRailway
from services.string_railway.rules.moves import (
    LayString,
    Move,
    PlaceStart,
    PlaceStation,
    SetupBoundary,
    SetupMountain,
    SetupRiver,
)
from services.string_railway.rules.planes import Point
from tests.conformance.runner import DEFAULT
from tests.conformance.string_railway.games import names
from tests.conformance.string_railway.reading import empty, move, options, read

FOLDER: Final = DEFAULT / "string-railway"
RULES: Final = StringRailway()
Change = Callable[[tuple[Point, ...]], tuple[Point, ...]]

CHANGES: Final[dict[str, Change]] = {
    "moved": lambda points: tuple((x + 12_345, y - 67_891) for x, y in points),
    "turned": lambda points: tuple((-y, x) for x, y in points),
    "mirrored": lambda points: tuple((-x, y) for x, y in points),
    "reversed": lambda points: points[::-1],
    "seam": lambda points: points,
}


def changed(made: Move, how: str) -> Move:
    change = CHANGES[how]
    match made:
        case SetupBoundary():
            marks = made.marks if how == "reversed" else change(made.marks)
            return replace(made, ring=_around(change(made.ring), how), marks=marks)
        case SetupMountain():
            return replace(made, ring=_around(change(made.ring), how))
        case SetupRiver() | LayString():
            return replace(made, path=change(made.path))
        case PlaceStart() | PlaceStation():
            return replace(made, corners=change(made.corners))
    return made


def _around(ring: tuple[Point, ...], how: str) -> tuple[Point, ...]:
    return ring[2:] + ring[:2] if how == "seam" else ring


@pytest.mark.skipif(not FOLDER.is_dir(), reason="no recordings")
@pytest.mark.parametrize("how", CHANGES)
def test_symmetric_games_come_to_the_same(how: str) -> None:
    games = {game["id"]: game for game in read(FOLDER / "games.json")["games"]}
    for name in names(FOLDER):
        game = games[name]
        state = one = empty(game["players"], game["companies"], options(game))
        for index, step in enumerate(game["steps"][:-1]):
            made = move(step["move"])
            expected = RULES.apply(one, made, Budget())
            found = RULES.apply(state, changed(made, how), Budget())
            reasons = [violation.reason for violation in found.violations]
            if reasons != ["out_of_range"]:  # a game that is moved may leave the range where it did not
                assert reasons == [v.reason for v in expected.violations], (name, index)
            if found.state is not None and expected.state is not None:
                state, one = found.state, expected.state
                assert state.scores == one.scores, (name, index)
