"""Buying trains from the bank and from other companies, and forced discards (CZ-14)."""

from collections.abc import Iterator

from services.eighteen_cz.rules import consent, facts
from services.eighteen_cz.rules.bank import pay_company, pay_player
from services.eighteen_cz.rules.facts import SIZE_RANK, VERSIONS, Version
from services.eighteen_cz.rules.moves import BuyTrain, DiscardTrain, Pass
from services.eighteen_cz.rules.phases import card_left, rust, take_top_card
from services.eighteen_cz.rules.queries import (
    acting_company,
    company_facts,
    has_usable_train,
    is_vaclavs,
    stack_top,
    train_limit,
)
from services.eighteen_cz.rules.refusing import Values, refuse
from services.eighteen_cz.rules.state import VACLAV, Company, Offer, Pending, State
from services.ruleset.answers import Change, Event, IntRange, Option, Violation
from services.ruleset.protocol import Query

STACK, POOL = "stack", "pool"


def pool_cards(state: State, row: str) -> list[str]:
    """The pool cards of a row by the versions they were discarded as, each once."""
    return list(dict.fromkeys(card for card in state.pool if VERSIONS[card].row == row))


def resolve_card(state: State, move: BuyTrain) -> str:
    """The pool card that the move means; empty where it names none and there is not exactly one."""
    if move.card or move.version not in VERSIONS:
        return move.card
    cards = pool_cards(state, VERSIONS[move.version].row)
    return cards[0] if len(cards) == 1 else ""


def verify_buy_train(state: State, move: BuyTrain) -> list[Violation]:
    buyer = state.companies[move.actor]
    version = VERSIONS.get(move.version)
    if version is None:
        return [refuse(move, "version", "CZ-14.1", "unknown_train", version=move.version)]
    violations = _size_and_limit(state, move, buyer, version)
    if move.card and move.source != POOL:
        violations.append(refuse(move, "card", "CZ-14.1", "card_outside_pool", card=move.card))
    if move.source not in (STACK, POOL):
        return violations + _from_company(state, move, buyer)
    unavailable = (_from_stack if move.source == STACK else _from_pool)(state, move, version)
    violations += unavailable
    if move.price == version.price:
        return violations + _payment(state, move, buyer, version)
    if not unavailable:  # what is not for sale has no price
        values: Values = {"price": move.price, "allowed": str(version.price)}
        violations.append(refuse(move, "price", "CZ-14.1", "price_not_allowed", **values))
    return violations


def _size_and_limit(state: State, move: BuyTrain, buyer: Company, version: Version) -> list[Violation]:
    """CZ-14.2, 14.4, 14.5, and the exception of 14.6.  A train too large breaks the first alone: where only
    the company's own size will do, the others are about smaller ones."""
    size = company_facts(buyer).size
    values: Values = {"company": move.actor, "size": size, "version": move.version}
    violations = []
    if SIZE_RANK[version.size] > SIZE_RANK[size]:
        violations.append(refuse(move, "version", "CZ-14.2", "train_wrong_size", **values))
    limit, count = train_limit(state, buyer), len(buyer.trains)
    usable = has_usable_train(state, buyer)
    smaller = SIZE_RANK[version.size] < SIZE_RANK[size]
    if count >= limit and usable:
        full: Values = {"company": move.actor, "limit": limit, "count": count}
        violations.append(refuse(move, "", "CZ-14.4", "train_limit", **full))
    elif count >= limit and smaller:
        violations.append(refuse(move, "version", "CZ-14.6", "own_size_at_limit", **values, limit=limit))
    elif count == limit - 1 and not usable and smaller and not state.switches.companies_run_smaller_trains:
        violations.append(refuse(move, "version", "CZ-14.5", "own_size_last_slot", **values, limit=limit))
    return violations


def _from_stack(state: State, move: BuyTrain, version: Version) -> list[Violation]:
    top = stack_top(state)
    if version.row == top:
        return []
    return [refuse(move, "version", "CZ-14.1", "not_on_top", version=move.version, row=top)]


def _from_pool(state: State, move: BuyTrain, version: Version) -> list[Violation]:
    values: Values = {"version": move.version, "card": move.card}
    cards = pool_cards(state, version.row)
    if not cards or (move.card and move.card not in cards):
        return [refuse(move, "card" if move.card else "version", "CZ-14.1", "not_in_pool", **values)]
    violations = []
    if not resolve_card(state, move):
        violations.append(refuse(move, "card", "CZ-14.1", "card_ambiguous", cards=", ".join(cards), **values))
    if move.version in state.rusted:
        violations.append(refuse(move, "version", "CZ-14.7", "version_rusted", version=move.version))
    return violations


def _payment(state: State, move: BuyTrain, buyer: Company, version: Version) -> list[Violation]:
    """A train from the bank costs no more than the treasury, but in an emergency (CZ-8.2, 14.10)."""
    if move.price <= buyer.treasury:
        return []
    values: Values = {"payer": move.actor, "needed": move.price, "cash": buyer.treasury}
    if has_usable_train(state, buyer):
        return [refuse(move, "price", "CZ-8.2", "not_enough_cash", **values)]
    if SIZE_RANK[version.size] < SIZE_RANK[company_facts(buyer).size]:
        return [refuse(move, "version", "CZ-14.10", "emergency_rule", **values)]
    return []


def _from_company(state: State, move: BuyTrain, buyer: Company) -> list[Violation]:
    """CZ-14.3"""
    seller = state.companies.get(move.source)
    if seller is None:
        return [refuse(move, "source", "CZ-14.1", "unknown_source", source=move.source)]
    values: Values = {"source": move.source, "version": move.version}
    if seller is buyer:
        return [refuse(move, "source", "CZ-14.3", "own_train", **values)]
    if is_vaclavs(seller):
        return [refuse(move, "source", "CZ-18.2", "vaclav_sells_nothing", **values)]
    violations = []
    if not state.switches.trains_between_companies:
        violations.append(refuse(move, "source", "CZ-14.3", "trade_not_allowed", **values))
    if move.version not in seller.trains:
        violations.append(refuse(move, "version", "CZ-14.3", "seller_lacks_train", **values))
    if move.price < 1:
        values = {"price": move.price, "allowed": f"1-{max(1, buyer.treasury)}"}
        violations.append(refuse(move, "price", "CZ-14.3", "price_not_allowed", **values))
    elif move.price > buyer.treasury:
        values = {"payer": move.actor, "needed": move.price, "cash": buyer.treasury}
        violations.append(refuse(move, "price", "CZ-14.3", "not_enough_cash", **values))
    return violations


def do_buy_train(state: State, move: BuyTrain) -> list[Event]:
    buyer = state.companies[move.actor]
    if move.source in (STACK, POOL):
        return _buy_from_bank(state, move, buyer)
    offer = Offer("train", move.actor, move.source, move.version, move.price)
    director = state.companies[move.source].director
    if state.switches.trade_needs_counterparty_consent and director != buyer.director:
        return consent.propose(state, offer, director)
    return carry_out(state, offer)


def carry_out(state: State, offer: Offer) -> list[Event]:
    """An agreed purchase from another company."""
    buyer, seller = state.companies[offer.buyer], state.companies[offer.seller]
    changes = (
        pay_company(state, offer.buyer, -offer.price),
        pay_company(state, offer.seller, offer.price),
    )
    seller.trains.remove(offer.item)
    _receive(state, buyer, offer.item)
    values: Values = {
        "company": offer.buyer,
        "source": offer.seller,
        "version": offer.item,
        "price": offer.price,
    }
    return [Event("train_traded", "CZ-14.3", values, changes)]


def _receive(state: State, buyer: Company, version: str) -> None:
    """Takes a train in; one bought at the limit is not the one that goes back (CZ-14.6)."""
    if len(buyer.trains) >= train_limit(state, buyer):
        state.pending.append(Pending("discard_trains", company=buyer.symbol, trains=[version]))
    buyer.trains.append(version)


def _buy_from_bank(state: State, move: BuyTrain, buyer: Company) -> list[Event]:
    events = _raise_money(state, move, buyer)
    change = pay_company(state, move.actor, -move.price)
    values: Values = {"company": move.actor, "version": move.version, "price": move.price}
    kind = "train_bought" if move.source == STACK else "pool_train_bought"
    events.append(Event(kind, "CZ-14.1", values, (change,)))
    _receive(state, buyer, move.version)
    if move.source == STACK:
        row = take_top_card(state)
        return events + card_left(state, row, (move.version,))
    state.pool.remove(resolve_card(state, move))
    return events + rust(state, (move.version,))


def _raise_money(state: State, move: BuyTrain, buyer: Company) -> list[Event]:
    """In an emergency the director adds what the treasury lacks, if need be with a loan (CZ-14.10, 14.11)."""
    missing = move.price - buyer.treasury
    if missing <= 0:
        return []
    player = state.players[buyer.director]
    events = []
    loan = missing - player.cash
    if loan > 0:
        debt = Change(player.seat, "debt", player.debt, player.debt + loan)
        surcharge = Change(player.seat, "surcharge", player.surcharge, player.surcharge + loan)
        player.debt += loan
        player.surcharge += loan
        taken = pay_player(state, player.seat, loan)
        values: Values = {"seat": player.seat, "amount": loan}
        events.append(Event("loan_taken", "CZ-14.11", values, (taken, debt, surcharge)))
    changes = (pay_player(state, player.seat, -missing), pay_company(state, buyer.symbol, missing))
    values = {"seat": player.seat, "company": buyer.symbol, "amount": missing}
    events.append(Event("director_helps", "CZ-14.10", values, changes))
    return events


def buy_train_options(state: State, query: Query) -> Iterator[Option[BuyTrain]]:
    """From the stack, from the pool, from other companies in listing order."""
    buyer = acting_company(state)
    symbol = buyer.symbol
    for source, name, card in _bank_trains(state):
        move = BuyTrain(symbol, source, name, VERSIONS[name].price, card)
        if not verify_buy_train(state, move):
            yield Option(move.kind, move)
    if not state.switches.trains_between_companies or not buyer.treasury:
        return
    for seller in state.companies.values():
        for name in dict.fromkeys(seller.trains):
            move = BuyTrain(symbol, seller.symbol, name, 1)
            if not verify_buy_train(state, move):
                parameters = (IntRange("buyTrain.price", 1, buyer.treasury),) if buyer.treasury > 1 else ()
                yield Option(move.kind, move, parameters)


def _bank_trains(state: State) -> Iterator[tuple[str, str, str]]:
    """(source, version, pool card) of all that the bank has."""
    for name in facts.ROW_VERSIONS[stack_top(state)]:
        yield STACK, name, ""
    for row in facts.ROWS if state.pool else "":
        for card in pool_cards(state, row):
            for name in facts.ROW_VERSIONS[row]:
                yield POOL, name, card


def verify_discard_train(state: State, move: DiscardTrain) -> list[Violation]:
    company = state.companies[move.actor]
    values: Values = {"company": move.actor, "version": move.train}
    held = company.trains.count(move.train)
    if not held:
        return [refuse(move, "train", "CZ-14.8", "not_owned", **values)]
    if state.pending[0].trains.count(move.train) >= held:
        return [refuse(move, "train", "CZ-14.6", "just_bought", **values)]
    return []


def do_discard_train(state: State, move: DiscardTrain) -> list[Event]:
    state.companies[move.actor].trains.remove(move.train)
    state.pool.append(move.train)
    return [Event("train_discarded", "CZ-14.8", {"company": move.actor, "version": move.train})]


def discard_train_options(state: State, query: Query) -> Iterator[Option[DiscardTrain]]:
    symbol = state.pending[0].company
    for name in dict.fromkeys(state.companies[symbol].trains):
        move = DiscardTrain(symbol, name)
        if not verify_discard_train(state, move):
            yield Option(move.kind, move)


def verify_pass(state: State, move: Pass) -> list[Violation]:
    """No turn ends without a train that the company may run (CZ-14.6)."""
    company = state.companies[move.actor]
    if has_usable_train(state, company) or company.director == VACLAV:
        return []
    values: Values = {"company": move.actor, "size": company_facts(company).size}
    return [refuse(move, "", "CZ-14.6", "train_required", **values)]


def keep_discards_due(state: State) -> None:
    """Makes the pending discards those of the companies above their limit, in listing order (CZ-14.8).

    A company that still decides on acquired trains is left alone until it has (CZ-13.7).
    """
    deciding = {pending.company for pending in state.pending if pending.kind == "acquired_trains"}
    over = [
        symbol
        for symbol, company in state.companies.items()
        if company.trains and len(company.trains) > train_limit(state, company) and symbol not in deciding
    ]
    due = {pending.company: pending for pending in state.pending if pending.kind == "discard_trains"}
    if over or due:
        rest = [pending for pending in state.pending if pending.kind != "discard_trains"]
        state.pending = rest + [due.get(symbol) or Pending("discard_trains", symbol) for symbol in over]
