"""Locals bought from players and sold to the bank by companies (CZ-16.3 to 16.5)."""

from collections.abc import Iterator

from services.eighteen_cz.rules import consent, facts
from services.eighteen_cz.rules.bank import pay_company, pay_player
from services.eighteen_cz.rules.facts import SIZE_RANK
from services.eighteen_cz.rules.moves import BuyLocal, SellLocal
from services.eighteen_cz.rules.queries import acting_company, company_facts, local_price, owned_locals, phase
from services.eighteen_cz.rules.refusing import Values, refuse
from services.eighteen_cz.rules.state import CLOSED, Offer, State
from services.ruleset.answers import Event, IntRange, Option, Violation
from services.ruleset.protocol import Query


def verify_buy_local(state: State, move: BuyLocal) -> list[Violation]:
    local = state.locals.get(move.local)
    if local is None:
        return [refuse(move, "local", "CZ-16.3", "unknown_local", local=move.local)]
    buyer = state.companies[move.actor]
    violations = []
    if not phase(state).companies_buy_locals:
        violations.append(refuse(move, "", "CZ-16.3", "locals_not_available_yet", phase=state.phase))
    if local.owner not in state.players:
        values: Values = {"local": move.local, "owner": local.owner}
        violations.append(refuse(move, "local", "CZ-16.3", "local_not_with_player", **values))
    for_sale = not violations
    size, own_size = facts.LOCALS[move.local].size, company_facts(buyer).size
    if SIZE_RANK[size] > SIZE_RANK[own_size]:
        values = {"company": move.actor, "local": move.local, "size": size}
        violations.append(refuse(move, "local", "CZ-16.4", "local_size", **values))
    if not for_sale:
        return violations  # what is not for sale has no price
    highest = local_price(state)
    if not 1 <= move.price <= highest:
        values = {"price": move.price, "allowed": f"1-{highest}"}
        violations.append(refuse(move, "price", "CZ-16.3", "price_not_allowed", **values))
    elif move.price > buyer.treasury:
        values = {"payer": move.actor, "needed": move.price, "cash": buyer.treasury}
        violations.append(refuse(move, "price", "CZ-8.2", "not_enough_cash", **values))
    return violations


def do_buy_local(state: State, move: BuyLocal) -> list[Event]:
    owner = state.locals[move.local].owner
    offer = Offer("local", move.actor, owner, move.local, move.price)
    if state.switches.trade_needs_counterparty_consent and owner != state.companies[move.actor].director:
        return consent.propose(state, offer, owner)
    return carry_out(state, offer)


def carry_out(state: State, offer: Offer) -> list[Event]:
    """An agreed sale of a local to a company."""
    state.locals[offer.item].owner = offer.buyer
    changes = (
        pay_company(state, offer.buyer, -offer.price),
        pay_player(state, offer.seller, offer.price),
    )
    values: Values = {"company": offer.buyer, "seat": offer.seller, "local": offer.item, "price": offer.price}
    return [Event("local_bought", "CZ-16.3", values, changes)]


def buy_local_options(state: State, query: Query) -> Iterator[Option[BuyLocal]]:
    buyer = acting_company(state)
    highest = min(local_price(state), buyer.treasury)
    if highest < 1 or not phase(state).companies_buy_locals:
        return
    for symbol in state.locals:
        move = BuyLocal(buyer.symbol, symbol, 1)
        if not verify_buy_local(state, move):
            parameters = (IntRange("buyLocal.price", 1, highest),) if highest > 1 else ()
            yield Option(move.kind, move, parameters)


def verify_sell_local(state: State, move: SellLocal) -> list[Violation]:
    local = state.locals.get(move.local)
    if local is None:
        return [refuse(move, "local", "CZ-16.5", "unknown_local", local=move.local)]
    if local.owner != move.actor:
        values: Values = {"company": move.actor, "local": move.local}
        return [refuse(move, "local", "CZ-16.5", "local_not_owned", **values)]
    return []


def do_sell_local(state: State, move: SellLocal) -> list[Event]:
    local = state.locals[move.local]
    local.owner = CLOSED
    local.spent = False
    amount = local_price(state)
    change = pay_company(state, move.actor, amount)
    values: Values = {"company": move.actor, "local": move.local, "price": amount}
    return [Event("local_sold", "CZ-16.5", values, (change,))]


def sell_local_options(state: State, query: Query) -> Iterator[Option[SellLocal]]:
    seller = acting_company(state)
    for local in owned_locals(state, seller.symbol):
        move = SellLocal(seller.symbol, local.symbol)
        yield Option(move.kind, move)
