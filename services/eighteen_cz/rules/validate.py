"""Whether an open position can be trusted: every invariant, each relying on those checked before it.

A position that passes can be handed to every rule without any of them failing.  The first broken
invariant is named with its path in the JSON names of State.
"""

from collections.abc import Iterator
from typing import Final

from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.facts import CASH, LOCALS
from services.eighteen_cz.rules.invariants import (
    LONGEST_TEXT,
    MOST_MONEY,
    Check,
    absent,
    broken,
    distinct,
    exactly,
    in_range,
    one_of,
)
from services.eighteen_cz.rules.queries import company_facts, phase
from services.eighteen_cz.rules.refusing import camel
from services.eighteen_cz.rules.state import CLOSED, REMOVED, VACLAV, Local, State
from services.eighteen_cz.rules.validate_board import validate_board
from services.eighteen_cz.rules.validate_companies import check_companies
from services.eighteen_cz.rules.validate_trains import check_trains
from services.eighteen_cz.rules.validate_turn import check_pending, check_settled, check_turn
from services.ruleset.answers import Violation


def validate(state: State) -> Violation | None:
    """The first broken invariant, or None."""
    for check in CHECKS:
        for violation in check(state):
            return violation
    return None


def check_game(state: State) -> Iterator[Violation]:
    """Ruleset, switches, map (CZ-18, 20)."""
    yield from one_of("ruleset", state.ruleset, facts.RULESETS, "CZ-1.1")
    for name, allowed in facts.SWITCH_VALUES.items():
        value = getattr(state.switches, name)
        if value not in allowed or type(value) is not type(allowed[0]):
            path = f"switches.{camel(name)}"
            yield broken(path, facts.SWITCH_RULES[name], "switch_value", switch=camel(name), value=str(value))
    yield from one_of("stage", state.stage, STAGES, "CZ-3.1")
    yield from one_of("board", state.board, facts.BOARD_COMPANIES, "CZ-18.1")
    seats = len(state.players)
    yield from in_range("players", seats, min(CASH), max(CASH), "CZ-1.1")
    if state.board == "bohemia":
        yield from exactly("players", seats, 2, "CZ-18.2")


def check_chance(state: State) -> Iterator[Violation]:
    chance = state.chance
    path = f"random.{chance.mode}"
    if chance.mode == "external":
        yield from absent("random.seeded.seed", chance.seed, "CZ-18.2")
    founded = sum(company.director == VACLAV for company in state.companies.values())
    yield from exactly(f"{path}.draws", chance.draws, founded, "CZ-18.2")
    if chance.mode == "seeded" and not chance.seed:
        yield broken("random.seeded.seed", "CZ-18.2", "state_seed")


def check_players(state: State) -> Iterator[Violation]:
    """Seats, money, order (CZ-2.2, 14.11)."""
    for index, (seat, player) in enumerate(state.players.items()):
        path = f"players[{index}]"
        yield from exactly(f"{path}.seat", seat, f"G{index + 1}", "CZ-2.2")
        yield from exactly(f"{path}.seat", player.seat, seat, "CZ-2.2")
        for name, text in (("name", player.name), ("colour", player.colour)):
            if len(text) > LONGEST_TEXT:
                yield broken(f"{path}.{name}", "CZ-2.2", "state_text", count=len(text), maximum=LONGEST_TEXT)
        yield from in_range(f"{path}.cash", player.cash, 0, MOST_MONEY, "CZ-2.1")
        yield from in_range(f"{path}.surcharge", player.surcharge, 0, MOST_MONEY, "CZ-14.11")
        yield from in_range(f"{path}.debt", player.debt, 0, player.surcharge, "CZ-14.11")
        if state.stage not in ("draft", "stock"):
            yield from absent(f"{path}.passed", player.passed, "CZ-5.2")
    yield from exactly("order", len(state.order), len(state.players), "CZ-5.1")
    for index, seat in enumerate(state.order):
        yield from one_of(f"order[{index}]", seat, state.players, "CZ-5.1")
    yield from distinct("order", state.order, "CZ-5.1")
    if state.board == "bohemia":
        yield from in_range("vaclavCash", state.vaclav_cash, -MOST_MONEY, MOST_MONEY, "CZ-18.2")
    else:
        yield from exactly("vaclavCash", state.vaclav_cash, 0, "CZ-18.2")


def check_locals(state: State) -> Iterator[Violation]:
    """Who may own a local (CZ-4, 16)."""
    expected = facts.BOARD_LOCALS[state.board]
    yield from exactly("locals", len(state.locals), len(expected), "CZ-1.3")
    for index, (symbol, local) in enumerate(state.locals.items()):
        path = f"locals[{index}]"
        yield from exactly(f"{path}.symbol", symbol, expected[index], "CZ-1.3")
        yield from exactly(f"{path}.symbol", local.symbol, symbol, "CZ-1.3")
        if not _may_own(state, local):
            yield broken(f"{path}.owner", "CZ-16.4", "state_owner", local=symbol, owner=local.owner)
        if local.spent and local.owner not in state.companies:
            yield broken(f"{path}.spent", "CZ-16.7", "state_absent")


def _may_own(state: State, local: Local) -> bool:
    owner = local.owner
    if state.stage == "draft":
        return owner == "" or owner in state.players
    if owner in state.players or owner == REMOVED:
        return True
    if not phase(state).companies_buy_locals:
        return False
    if owner == CLOSED:
        return True
    company = state.companies.get(owner)
    if company is None or company.status != "launched" or company.director == VACLAV:
        return False
    size, own_size = LOCALS[local.symbol].size, company_facts(company).size
    return facts.SIZE_RANK[size] <= facts.SIZE_RANK[own_size]


def check_draft(state: State) -> Iterator[Violation]:
    """In the pre-stock round nothing has happened but purchases of locals (CZ-4.2)."""
    yield from in_range("draftTurn", state.draft_turn, 0, MOST_MONEY, "CZ-4.1")
    if state.stage != "draft":
        return
    for index, (seat, player) in enumerate(state.players.items()):
        spent = sum(LOCALS[local.symbol].price for local in state.locals.values() if local.owner == seat)
        yield from exactly(f"players[{index}].cash", player.cash, CASH[len(state.players)] - spent, "CZ-4.2")
        yield from absent(f"players[{index}].surcharge", player.surcharge, "CZ-14.11")
    yield from exactly("phase", state.phase, "a", "CZ-2.3")
    yield from absent("tiles", state.tiles, "CZ-3.1")
    yield from absent("pool", state.pool, "CZ-3.1")
    yield from absent("vaclavCash", state.vaclav_cash, "CZ-18.2")
    for index, company in enumerate(state.companies.values()):
        if company.status != "unstarted" and company.director != VACLAV:
            yield broken(f"companies[{index}].status", "CZ-4.2", "state_absent")


def _board(state: State) -> Iterator[Violation]:
    violation = validate_board(state)
    if violation is not None:
        yield violation


STAGES: Final = frozenset({"draft", "stock", "operating", "over"})

CHECKS: Final[tuple[Check, ...]] = (
    check_game,
    check_trains,
    check_companies,
    check_players,
    check_chance,
    check_locals,
    check_draft,
    _board,
    check_turn,
    check_pending,
    check_settled,
)
