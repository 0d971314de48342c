"""Whose turn it is and what may be done, checked once for every kind of move (CZ-4.1, 5.1, 7.4, 8, 8.4)."""

from typing import Final

from services.eighteen_cz.rules.moves import Move
from services.eighteen_cz.rules.queries import acting_company, operating_turn
from services.eighteen_cz.rules.refusing import KIND_PATHS, Values
from services.eighteen_cz.rules.state import VACLAV, Company, Pending, State
from services.eighteen_cz.rules.vaclav import deciding_seat
from services.ruleset.answers import CHANCE, Turn, Violation

ANY_TIME: Final = ("lay_purple_tile", "buy_local", "sell_local")
"""Actions open at any moment of a company's turn after step 0 (CZ-8.1)."""

STEP_KINDS: Final = {
    "draft": ("draft_buy", "pass"),
    "stock": ("sell_shares", "repay_loan", "buy_share", "start_company", "pass"),
    "home_tile": ("lay_home_tile",),
    "home_city": ("choose_home_city",),
    "track": ("lay_tile", "pass", *ANY_TIME),
    "station": ("place_station", "pass", *ANY_TIME),
    "run": ("run_trains", *ANY_TIME),
    "dividend": ("dividend", *ANY_TIME),
    "acquire": ("acquire_company", "pass", *ANY_TIME),
    "trains": ("buy_train", "pass", *ANY_TIME),
}
PENDING_KINDS: Final = {
    "vaclav_company": ("vaclav_company",),
    "home_city": ("choose_home_city",),
    "remove_station": ("remove_station",),
    "acquired_trains": ("acquired_train", "pass"),
    "discard_trains": ("discard_train",),
    "offer": ("answer_offer",),
}
ANY_TIME_DURING: Final = {
    "home_city": ("lay_purple_tile", "sell_local"),
    "acquired_trains": ANY_TIME,
    "discard_trains": ANY_TIME,
}
"""What stays open during a decision of the company on turn, since CZ-8.1 says at any moment after step 0.

A lay that still lacks its city is not interrupted by an offer; stations are lifted before anything else
(CZ-13.6), and an offer is answered first (CZ-8.4).
"""

STEP_RULES: Final = {"draft": "CZ-4.2", "stock": "CZ-5.2"}
"""The section broken by a kind of move that has no place in the step; CZ-8 in a company's turn."""
PENDING_RULES: Final = {
    "vaclav_company": "CZ-18.2",
    "home_city": "CZ-9.13",
    "remove_station": "CZ-13.6",
    "acquired_trains": "CZ-13.7",
    "discard_trains": "CZ-14.8",
    "offer": "CZ-8.4",
}
PLAYER_RULES: Final = {"draft": "CZ-4.1", "stock": "CZ-5.1"}
"""The section broken by whoever acts out of turn; CZ-7.4 in an operating round."""

OVER: Final = Turn("", (), "", (), over=True)


def drafting_seat(state: State) -> str:
    """The player on turn in the pre-stock round: 1, 2, ..., n, n, ..., 2, 1, 1, 2, ... (CZ-4.1)."""
    count = len(state.order)
    place = state.draft_turn % (2 * count)
    return state.order[place if place < count else 2 * count - 1 - place]


def stock_seat(state: State) -> str:
    """The player on turn in a stock round."""
    if state.stock is None:
        raise ValueError("no stock round is on")
    return state.order[state.stock.index]


def turn(state: State) -> Turn:
    """Who must act and what kinds of move may be open."""
    if state.pending:
        return _decision(state, state.pending[0])
    match state.stage:
        case "draft":
            return _player_turn(drafting_seat(state), "draft")
        case "stock":
            return _player_turn(stock_seat(state), "stock")
        case "operating":
            step = operating_turn(state).step
            company = acting_company(state)
            kinds = STEP_KINDS[step]
            if company.director == VACLAV:
                kinds = tuple(kind for kind in kinds if kind not in ANY_TIME)
            return Turn(company.symbol, _seats(state, company, step), step, kinds)
    return OVER


def _player_turn(seat: str, step: str) -> Turn:
    return Turn(seat, (seat,), step, STEP_KINDS[step])


def _decision(state: State, pending: Pending) -> Turn:
    kind = pending.kind
    if kind == "vaclav_company":
        return Turn(CHANCE, (), kind, PENDING_KINDS[kind])
    if kind == "offer":
        return Turn(pending.seat, (pending.seat,), kind, PENDING_KINDS[kind])
    company = state.companies[pending.company]
    kinds: tuple[str, ...] = PENDING_KINDS[kind]
    if kind in ANY_TIME_DURING and company.director != VACLAV and _on_turn(state, company):
        kinds += ANY_TIME_DURING[kind]
    return Turn(company.symbol, _seats(state, company, kind), kind, kinds)


def _on_turn(state: State, company: Company) -> bool:
    return state.stage == "operating" and acting_company(state) is company


def _seats(state: State, company: Company, step: str) -> tuple[str, ...]:
    if company.director == VACLAV:
        return (deciding_seat(state, company, step),)
    return (company.director,)


def verify_turn(state: State, move: Move) -> list[Violation]:
    """Whether this kind of move and this actor have their place now."""
    now = turn(state)
    if now.over:
        return [Violation("CZ-3.3", "game_over", {}, KIND_PATHS[move.kind])]
    if move.kind in now.kinds and move.actor == now.actor:
        return []
    if move.kind in ("buy_local", "sell_local") and move.actor in state.players:
        return [Violation("CZ-16.1", "local_only_to_companies", {"actor": move.actor}, "actor")]
    pending = state.pending[0].kind if state.pending else ""
    stage = state.stage
    violations = []
    if move.actor != now.actor:
        rule_id = PENDING_RULES[pending] if pending else PLAYER_RULES.get(stage, "CZ-7.4")
        values: Values = {"actor": move.actor, "expected": now.actor}
        violations.append(Violation(rule_id, "wrong_player", values, "actor"))
    if move.kind not in now.kinds:
        rule_id = PENDING_RULES[pending] if pending else STEP_RULES.get(stage, "CZ-8")
        values = {"move": move.kind, "step": now.step}
        violations.append(Violation(rule_id, "wrong_step", values, KIND_PATHS[move.kind]))
    return violations
