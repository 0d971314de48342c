"""The pre-stock round (CZ-4): locals at their printed prices."""

from collections.abc import Iterator

from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.bank import pay_player
from services.eighteen_cz.rules.moves import DraftBuy, Pass
from services.eighteen_cz.rules.refusing import Values, refuse
from services.eighteen_cz.rules.state import REMOVED, State
from services.eighteen_cz.rules.turn import drafting_seat
from services.ruleset.answers import Event, Option, Violation
from services.ruleset.protocol import Query


def available(state: State) -> list[str]:
    """Locals still to be drafted, in listing order."""
    return [symbol for symbol, local in state.locals.items() if not local.owner]


def verify_draft_buy(state: State, move: DraftBuy) -> list[Violation]:
    local = state.locals.get(move.local)
    if local is None:
        return [refuse(move, "local", "CZ-4.2", "unknown_local", local=move.local)]
    violations = []
    if local.owner:
        violations.append(refuse(move, "local", "CZ-4.2", "local_taken", local=move.local, owner=local.owner))
    price, cash = facts.LOCALS[move.local].price, state.players[move.actor].cash
    if cash < price:
        values: Values = {"payer": move.actor, "needed": price, "cash": cash}
        violations.append(refuse(move, "local", "CZ-4.2", "not_enough_cash", **values))
    return violations


def do_draft_buy(state: State, move: DraftBuy) -> list[Event]:
    price = facts.LOCALS[move.local].price
    state.locals[move.local].owner = move.actor
    change = pay_player(state, move.actor, -price)
    for player in state.players.values():
        player.passed = False
    state.draft_turn += 1
    values: Values = {"seat": move.actor, "local": move.local, "price": price}
    return [Event("local_drafted", "CZ-4.2", values, (change,))]


def draft_buy_options(state: State, query: Query) -> Iterator[Option[DraftBuy]]:
    seat = drafting_seat(state)
    for symbol in available(state):
        move = DraftBuy(seat, symbol)
        if not verify_draft_buy(state, move):
            yield Option(move.kind, move)


def do_pass(state: State, move: Pass) -> list[Event]:
    """Declines to buy; the player may buy again on a later turn (CZ-4.3)."""
    state.players[move.actor].passed = True
    state.draft_turn += 1
    return [Event("passed", "CZ-4.3", {"seat": move.actor})]


def is_finished(state: State) -> bool:
    """All locals are sold, or everybody has passed since the last purchase (CZ-4.5)."""
    return all(player.passed for player in state.players.values()) or not available(state)


def pass_if_broke(state: State) -> list[Event]:
    """The automatic pass of a player who can pay for none of the locals (CZ-4.4)."""
    seat = drafting_seat(state)
    cheapest = min(facts.LOCALS[symbol].price for symbol in available(state))
    if state.players[seat].cash >= cheapest:
        return []
    state.players[seat].passed = True
    state.draft_turn += 1
    return [Event("passed_automatically", "CZ-4.4", {"seat": seat, "cheapest": cheapest})]


def remove_unsold(state: State) -> list[Event]:
    """Unsold locals leave the game (CZ-4.6)."""
    events = []
    for symbol in available(state):
        state.locals[symbol].owner = REMOVED
        events.append(Event("local_removed", "CZ-4.6", {"local": symbol}))
    return events
