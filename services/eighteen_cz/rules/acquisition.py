"""Acquiring a smaller company, and what becomes of its stations and trains (CZ-13)."""

from collections.abc import Iterator

from services.eighteen_cz.rules import consent
from services.eighteen_cz.rules.bank import pay_company, pay_player
from services.eighteen_cz.rules.facts import VERSION_OF, VERSIONS
from services.eighteen_cz.rules.market import price_change
from services.eighteen_cz.rules.moves import AcquireCompany, AcquiredTrain, Pass
from services.eighteen_cz.rules.phases import rust
from services.eighteen_cz.rules.queries import (
    acting_company,
    company_facts,
    held_units,
    is_vaclavs,
    operating_turn,
    over_train_limit,
    owned_locals,
    price,
    size_rank,
    train_limit,
)
from services.eighteen_cz.rules.refusing import Values, refuse
from services.eighteen_cz.rules.state import Company, Offer, Pending, State, Station
from services.eighteen_cz.rules.stations import open_slots
from services.ruleset.answers import Event, IntRange, Option, Violation
from services.ruleset.protocol import Query


def price_range(target: Company) -> tuple[int, int]:
    """The lowest and the highest price per unit: half the price rounded up, one and a half rounded down."""
    current = price(target)
    return -(-current // 2), 3 * current // 2


def is_acquirable(buyer: Company, target: Company) -> bool:
    """Whether the one may acquire the other at all (CZ-13.1, 18.2)."""
    return target.status == "launched" and size_rank(target) < size_rank(buyer) and not is_vaclavs(target)


def anything_acquirable(state: State, buyer: Company) -> bool:
    return any(is_acquirable(buyer, target) for target in state.companies.values())


def verify_acquire_company(state: State, move: AcquireCompany) -> list[Violation]:
    target = state.companies.get(move.company)
    if target is None:
        return [refuse(move, "company", "CZ-13.1", "unknown_company", company=move.company)]
    if target.status == "acquired":
        return [refuse(move, "company", "CZ-13.1", "company_gone", company=move.company)]
    buyer = state.companies[move.actor]
    values: Values = {"buyer": move.actor, "company": move.company}
    violations = []
    if size_rank(target) >= size_rank(buyer):
        violations.append(refuse(move, "company", "CZ-13.1", "acquisition_size", **values))
    if target.status != "launched":
        return [*violations, refuse(move, "company", "CZ-13.1", "not_launched", **values)]
    if is_vaclavs(target):
        return [*violations, refuse(move, "company", "CZ-18.2", "vaclav_not_acquired", **values)]
    lowest, highest = price_range(target)
    if not lowest <= move.price <= highest:
        values = {"price": move.price, "allowed": f"{lowest}-{highest}"}
        return [*violations, refuse(move, "price", "CZ-13.3", "price_not_allowed", **values)]
    total = move.price * held_units(target)
    if total > buyer.treasury:
        values = {"payer": move.actor, "needed": total, "cash": buyer.treasury}
        violations.append(refuse(move, "price", "CZ-13.3", "not_enough_cash", **values))
    return violations


def do_acquire_company(state: State, move: AcquireCompany) -> list[Event]:
    offer = Offer("company", move.actor, move.company, move.company, move.price)
    director = state.companies[move.company].director
    agreed = director == state.companies[move.actor].director
    if state.switches.acquisition_needs_target_director_consent and not agreed:
        return consent.propose(state, offer, director)
    return carry_out(state, offer)


def acquire_company_options(state: State, query: Query) -> Iterator[Option[AcquireCompany]]:
    buyer = acting_company(state)
    for target in state.companies.values():
        if not is_acquirable(buyer, target):
            continue
        units = held_units(target)
        lowest, highest = price_range(target)
        affordable = min(highest, buyer.treasury // units)
        if affordable >= lowest:
            free = affordable > lowest
            parameters = (IntRange("acquireCompany.price", lowest, affordable),) if free else ()
            move = AcquireCompany(buyer.symbol, target.symbol, lowest)
            yield Option(move.kind, move, parameters)


def carry_out(state: State, offer: Offer) -> list[Event]:
    """An agreed acquisition: the holders are paid, then everything goes to the buyer (CZ-13.3 to 13.5)."""
    buyer, target = state.companies[offer.buyer], state.companies[offer.item]
    total = offer.price * held_units(target)
    changes = [pay_company(state, buyer.symbol, -total)]
    changes += [
        pay_player(state, holder, offer.price * units) for holder, units in sorted(target.units.items())
    ]
    if target.treasury:
        changes.append(pay_company(state, buyer.symbol, target.treasury))
        changes.append(pay_company(state, target.symbol, -target.treasury))
    changes.append(price_change(target, 0))
    values: Values = {"buyer": buyer.symbol, "company": target.symbol, "price": offer.price, "total": total}
    events = [Event("company_acquired", "CZ-13.4", values, tuple(changes))]
    for local in owned_locals(state, target.symbol):
        local.owner = buyer.symbol
    buyer.trains += target.trains
    if target.trains:
        state.pending.insert(0, Pending("acquired_trains", buyer.symbol, trains=target.trains))
    events += _merge_stations(state, buyer, target)
    _drop_out(state, target)
    return events


def _merge_stations(state: State, buyer: Company, target: Company) -> list[Event]:
    """The target's stations become the buyer's, each in the lowest open slot of its city (CZ-13.5).

    Of two stations in one city the buyer's is lifted; of two in different cities of a hex the
    director chooses (CZ-13.6).
    """
    events = []
    own = {station.hex: station for station in buyer.stations}
    choices = []
    for hex_name, city, slot in target.stations:
        slots = [slot, *open_slots(state, buyer, hex_name, city)]
        present = own.get(hex_name)
        if present is not None and present.city == city:
            buyer.stations.remove(present)
            buyer.markers += 1
            slots.append(present.slot)
            events.append(Event("station_lifted", "CZ-13.6", {"company": buyer.symbol, "hex": hex_name}))
        elif present is not None:
            choices.append(hex_name)
        buyer.stations.append(Station(hex_name, city, min(slots)))
    buyer.markers += target.markers
    if choices:
        state.pending.insert(0, Pending("remove_station", buyer.symbol, hexes=choices))
    return events


def _drop_out(state: State, target: Company) -> None:
    """The company leaves the game and the order of the round (CZ-7.4, 13.4)."""
    state.companies[target.symbol] = Company(target.symbol, status="acquired")
    turn = operating_turn(state)
    if target.symbol in turn.order:
        place = turn.order.index(target.symbol)
        del turn.order[place]
        if place < turn.index:
            turn.index -= 1


def own_version(company: Company, version: str) -> str:
    """The own-size version of the same card; empty where the card has none (CZ-13.7)."""
    return VERSION_OF.get((VERSIONS[version].row, company_facts(company).size), "")


def upgrade_cost(version: str, better: str) -> int:
    return max(0, VERSIONS[better].price - VERSIONS[version].price)


def verify_acquired_train(state: State, move: AcquiredTrain) -> list[Violation]:
    values: Values = {"company": move.actor, "version": move.train}
    if move.train not in state.pending[0].trains:
        return [refuse(move, "train", "CZ-13.7", "train_not_received", **values)]
    if move.choice == "scrap":
        return []
    if move.choice != "upgrade":
        return [refuse(move, "choice", "CZ-13.7", "unknown_choice", choice=move.choice)]
    company = state.companies[move.actor]
    better = own_version(company, move.train)
    if not better:
        return [refuse(move, "train", "CZ-13.7", "no_own_version", **values)]
    if better in state.rusted:
        return [refuse(move, "train", "CZ-13.7", "version_rusted", version=better)]
    cost = upgrade_cost(move.train, better)
    if cost > company.treasury:
        values = {"payer": move.actor, "needed": cost, "cash": company.treasury}
        return [refuse(move, "choice", "CZ-13.7", "not_enough_cash", **values)]
    return []


def do_acquired_train(state: State, move: AcquiredTrain) -> list[Event]:
    company = state.companies[move.actor]
    pending = state.pending[0]
    pending.trains.remove(move.train)
    place = len(company.trains) - 1 - company.trains[::-1].index(move.train)
    if move.choice == "scrap":
        del company.trains[place]
        events = [Event("train_scrapped", "CZ-13.7", {"company": move.actor, "version": move.train})]
    else:
        better = own_version(company, move.train)
        cost = upgrade_cost(move.train, better)
        company.trains[place] = better
        changes = (pay_company(state, move.actor, -cost),) if cost else ()
        values: Values = {"company": move.actor, "version": move.train, "better": better}
        if cost:
            values["cost"] = cost
        events = [Event("train_upgraded", "CZ-13.7", values, changes), *rust(state, (better,))]
    if not pending.trains:
        state.pending.remove(pending)
    return events


def acquired_train_options(state: State, query: Query) -> Iterator[Option[AcquiredTrain]]:
    symbol = state.pending[0].company
    for version in dict.fromkeys(state.pending[0].trains):
        upgrade = AcquiredTrain(symbol, version, "upgrade")
        if not verify_acquired_train(state, upgrade):
            yield Option(upgrade.kind, upgrade)
        yield Option("acquired_train", AcquiredTrain(symbol, version, "scrap"))


def verify_keep_trains(state: State, move: Pass) -> list[Violation]:
    """Keeping the other acquired trains is possible only within the train limit (CZ-13.7)."""
    company = state.companies[move.actor]
    if not over_train_limit(state, company):
        return []
    values: Values = {
        "company": move.actor,
        "count": len(company.trains),
        "limit": train_limit(state, company),
    }
    return [refuse(move, "", "CZ-13.7", "over_train_limit", **values)]


def do_keep_trains(state: State, move: Pass) -> list[Event]:
    kept = ", ".join(state.pending.pop(0).trains)
    return [Event("trains_kept", "CZ-13.7", {"company": move.actor, "trains": kept})]
