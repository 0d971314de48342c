"""Passing where no string can be laid (SR-5.12)."""

from collections.abc import Iterator

from services.ruleset.answers import Event, Option, Violation
from services.ruleset.protocol import Budget
from services.string_railway.rules.laying import end_turn
from services.string_railway.rules.moves import Pass
from services.string_railway.rules.reach import can_lay
from services.string_railway.rules.refusing import refuse
from services.string_railway.rules.state import Length, State
from services.string_railway.rules.table import classes_left, strings_left


def verify_pass(state: State, move: Pass, budget: Budget) -> list[Violation]:
    found = []
    if strings_left(state, move.actor, move.forfeit) < 1:
        given = move.forfeit[:40]
        found.append(
            refuse(
                move, "forfeit", "SR-5.1", "string_unavailable", company=move.actor[:40], string_class=given
            )
        )
    if move.actor in state.companies and can_lay(state, move.actor, budget):
        found.append(refuse(move, "", "SR-5.12", "pass_refused", company=move.actor))
    return found


def do_pass(state: State, move: Pass) -> list[Event]:
    given: Length = "short" if move.forfeit == "short" else "long"
    state.forfeits.setdefault(move.actor, []).append(given)
    event = Event("string_given_up", "SR-5.12", {"company": move.actor, "string_class": given})
    return [event, *end_turn(state, move.actor)]


def pass_options(state: State, budget: Budget) -> Iterator[Option[Pass]]:
    if not can_lay(state, state.acting, budget):
        for length in classes_left(state, state.acting):
            yield Option("pass", Pass(state.acting, length))
