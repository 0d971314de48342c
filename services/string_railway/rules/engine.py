"""The rules of String Railway as one object: dispatch over the kinds of move."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from services.ruleset.answers import Event, Option, Outcome, Scoreboard, Turn, Violation
from services.ruleset.protocol import Budget, Query
from services.string_railway.rules import (
    drawing,
    facts,
    laying,
    passing,
    placing,
    scenery,
    scoring,
    starting,
)
from services.string_railway.rules.formats import verify_format
from services.string_railway.rules.moves import Move
from services.string_railway.rules.options import legal_moves
from services.string_railway.rules.refusing import refuse
from services.string_railway.rules.room import find_room
from services.string_railway.rules.setup import first_position
from services.string_railway.rules.state import State, copy_state
from services.string_railway.rules.turn import turn, verify_turn
from services.string_railway.rules.validate import validate

Verify = Callable[[State, Any, Budget], list[Violation]]
Do = Callable[[State, Any], list[Event]]


def _plain(verify: Callable[[State, Any], list[Violation]]) -> Verify:
    """A check that needs no search."""
    return lambda state, move, _: verify(state, move)


def _verify_set_aside(state: State, move: Any, budget: Budget) -> list[Violation]:
    found = placing.verify_drawn(state, move)
    if find_room(state, budget) is not None:
        found.append(refuse(move, "", "SR-4.6", "room_left"))
    return found


VERIFY: Final[Mapping[str, Verify]] = {
    "setup_boundary": _plain(scenery.verify_boundary),
    "setup_river": _plain(scenery.verify_river),
    "setup_mountain": _plain(scenery.verify_mountain),
    "place_start": _plain(starting.verify_place_start),
    "draw": _plain(drawing.verify_draw),
    "place_station": _plain(placing.verify_place_station),
    "set_aside": _verify_set_aside,
    "lay_string": _plain(laying.verify_lay_string),
    "pass": passing.verify_pass,
}
DO: Final[Mapping[str, Do]] = {
    "setup_boundary": scenery.do_boundary,
    "setup_river": scenery.do_river,
    "setup_mountain": scenery.do_mountain,
    "place_start": starting.do_place_start,
    "draw": drawing.do_draw,
    "place_station": placing.do_place_station,
    "set_aside": placing.do_set_aside,
    "lay_string": laying.do_lay_string,
    "pass": passing.do_pass,
}


def resolve(state: State, move: Move) -> Move:
    """The move with the company that acts filled in where none is named."""
    return move if move.actor else replace(move, actor=state.acting)


def verify(state: State, move: Move, budget: Budget) -> list[Violation]:
    """Everything that is wrong with a resolved move, in the order of SR-9.11."""
    found = verify_format(move)
    if found:
        return found
    found = verify_turn(state, move)
    if any(violation.reason == "wrong_phase" for violation in found):
        return found
    return found + VERIFY[move.kind](state, move, budget)


class StringRailway:
    """The rules in their released revision `string-railway/1`."""

    @property
    def id(self) -> str:
        return facts.RULESET

    def start(self, setup: Mapping[str, Any]) -> State:
        """The empty table (SR-2).  Raises SetupRefused."""
        return first_position(setup)

    def validate(self, state: State) -> Violation | None:
        return validate(state)

    def turn(self, state: State) -> Turn:
        return turn(state)

    def legal_moves(self, state: State, query: Query, budget: Budget) -> Iterator[Option[Move]]:
        return legal_moves(state, query, budget)

    def check(self, state: State, move: Move, budget: Budget) -> tuple[Violation, ...]:
        return tuple(verify(state, resolve(state, move), budget))

    def apply(self, state: State, move: Move, budget: Budget) -> Outcome[State]:
        move = resolve(state, move)
        violations = verify(state, move, budget)
        if violations:
            return Outcome(tuple(violations))
        after = copy_state(state)
        events = DO[move.kind](after, move)
        return Outcome((), after, tuple(events))

    def score(self, state: State) -> Scoreboard:
        return scoring.score(state)

    def view(self, state: State, viewer: str) -> State:
        """Everything on the table is open; the stack is kept as counts, which follow from what was drawn."""
        return state
