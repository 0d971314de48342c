"""Invariants of stage, turn, step and pending decisions (CZ-3, 5, 7, 8, 24)."""

from collections import Counter
from collections.abc import Iterator

from services.eighteen_cz.rules import facts, market, offers, settling, trains
from services.eighteen_cz.rules.cities import home_city
from services.eighteen_cz.rules.copying import copy_state
from services.eighteen_cz.rules.facts import SETS, SIZE_RANK, VERSIONS
from services.eighteen_cz.rules.invariants import (
    MOST_MONEY,
    absent,
    broken,
    distinct,
    exactly,
    in_range,
    one_of,
    short,
)
from services.eighteen_cz.rules.queries import (
    acting_company,
    company_facts,
    is_started,
    is_vaclavs,
    may_run,
    operating_turn,
    over_train_limit,
    phase,
    size_rank,
)
from services.eighteen_cz.rules.refusing import Values
from services.eighteen_cz.rules.state import Offer, OperatingTurn, Pending, State, StockTurn
from services.eighteen_cz.rules.tiles import layout
from services.eighteen_cz.rules.turn import ANY_TIME_DURING
from services.ruleset.answers import Violation

STEPS = ("home_tile", "home_city", "track", "station", "run", "dividend", "acquire", "trains")
AFTER_RUN = ("dividend", "acquire", "trains")
RANK = {
    kind: rank
    for rank, kind in enumerate(
        ("offer", "vaclav_company", "home_city", "remove_station", "acquired_trains", "discard_trains")
    )
}
"""The order in which decisions are pending (CZ-24); an offer is answered before anything else (CZ-8.4)."""


def check_turn(state: State) -> Iterator[Violation]:
    if state.stage != "stock":
        yield from absent("stock", state.stock, "CZ-3.1")
    elif state.stock is None:
        yield broken("stock", "CZ-3.1", "state_missing")
    if state.stage != "operating":
        yield from absent("operating", state.operating, "CZ-3.1")
    elif state.operating is None:
        yield broken("operating", "CZ-3.1", "state_missing")
    if state.stage == "over":
        yield from absent("pending", state.pending, "CZ-3.3")
    yield from _numbers(state)
    yield from _first_turns(state)
    if state.stock is not None:
        yield from _stock(state, state.stock)
    if state.operating is not None:
        yield from _order(state, state.operating)
        yield from _step(state, state.operating)


def _first_turns(state: State) -> Iterator[Violation]:
    """Before its first turn no company has a home or a revenue; both come in the course of that turn."""
    turn = state.operating
    on_turn = turn.order[turn.index] if turn is not None and 0 <= turn.index < len(turn.order) else ""
    for index, (symbol, company) in enumerate(state.companies.items()):
        if company.operated or company.status != "launched":
            continue
        path = f"companies[{index}]"
        if symbol != on_turn:
            yield from absent(f"{path}.homePlaced", company.home_placed, "CZ-10.1")
        if symbol != on_turn or (turn is not None and turn.step not in ("acquire", "trains")):
            yield from absent(f"{path}.lastRevenue", company.last_revenue >= 0, "CZ-12.1")


def _numbers(state: State) -> Iterator[Violation]:
    """Set and operating round belong together (CZ-3.1)."""
    match state.stage:
        case "draft":
            yield from exactly("setNumber", state.set_number, 0, "CZ-3.1")
            yield from exactly("operatingRound", state.operating_round, 0, "CZ-3.1")
        case "stock":
            yield from in_range("setNumber", state.set_number, 1, len(SETS), "CZ-3.1")
            played = sum(SETS[: state.set_number - 1])
            yield from exactly("operatingRound", state.operating_round, played, "CZ-3.1")
        case _:
            rounds = facts.OPERATING_ROUNDS
            least = len(rounds) if state.stage == "over" else 1
            yield from in_range("operatingRound", state.operating_round, least, len(rounds), "CZ-3.1")
            set_number = rounds[state.operating_round - 1][0]
            yield from exactly("setNumber", state.set_number, set_number, "CZ-3.1")


def _stock(state: State, stock: StockTurn) -> Iterator[Violation]:
    yield from in_range("stock.index", stock.index, 0, len(state.order) - 1, "CZ-5.1")
    for index, (seat, companies) in enumerate(sorted(stock.sold.items())):
        path = f"stock.sold[{index}]"
        yield from one_of(f"{path}.seat", seat, state.players, "CZ-5.11")
        if not companies:
            yield broken(f"{path}.companies", "CZ-5.11", "state_missing")
        yield from distinct(f"{path}.companies", companies, "CZ-5.11")
        for place, symbol in enumerate(companies):
            if symbol not in state.companies or not is_started(state.companies[symbol]):
                yield broken(f"{path}.companies[{place}]", "CZ-5.11", "state_unknown", value=symbol)
    if state.set_number == 1 and not state.switches.sales_in_first_stock_round:
        yield from absent("stock.sold", stock.sold, "CZ-5.3")
    if state.pending:
        begun = stock.index or stock.acted or stock.sold or any(p.passed for p in state.players.values())
        yield from absent("stock", begun, "CZ-5.16")


def _order(state: State, turn: OperatingTurn) -> Iterator[Violation]:
    """All launched companies, but those that Vaclav founded in this round; the rest of the round by price."""
    yield from distinct("operating.order", turn.order, "CZ-7.4")
    for index, symbol in enumerate(turn.order):
        company = state.companies.get(symbol)
        if company is None or company.status != "launched":
            yield broken(f"operating.order[{index}]", "CZ-7.4", "state_unknown", value=symbol)
    launched = market.operating_order(state)
    for symbol in launched:
        company = state.companies[symbol]
        if symbol not in turn.order and (not is_vaclavs(company) or company.operated or company.home_placed):
            yield broken("operating.order", "CZ-7.4", "state_not_in_order", company=symbol)
    yield from in_range("operating.index", turn.index, 0, len(turn.order) - 1, "CZ-7.4")
    ahead = turn.order[turn.index + (turn.step in AFTER_RUN) :]
    if ahead != [symbol for symbol in launched if symbol in ahead]:
        yield broken("operating.order", "CZ-7.4", "state_price_order")
    for index, symbol in enumerate(turn.order[: turn.index]):
        if not state.companies[symbol].operated:
            yield broken(f"operating.order[{index}]", "CZ-7.4", "state_not_operated", company=symbol)


def _step(state: State, turn: OperatingTurn) -> Iterator[Violation]:
    yield from one_of("operating.step", turn.step, STEPS, "CZ-8")
    company = acting_company(state)
    large = bool(company_facts(company).home_tile)
    if company.home_placed == (turn.step in ("home_tile", "home_city")):
        yield broken("operating.step", "CZ-10.1", "state_step", step=turn.step, company=company.symbol)
    if turn.step == "home_tile" and not large:
        yield broken("operating.step", "CZ-9.10", "state_step", step=turn.step, company=company.symbol)
    if turn.step == "home_city" and (large or home_city(state, company.symbol) is not None):
        yield broken("operating.step", "CZ-10.1", "state_step", step=turn.step, company=company.symbol)
    first = not company.operated
    if turn.step in ("acquire", "trains"):
        index = list(state.companies).index(company.symbol)
        earned = sum(revenue for _, revenue in turn.runs)
        yield from exactly(f"companies[{index}].lastRevenue", company.last_revenue, earned, "CZ-12.1")
    yield from in_range("operating.yellow", turn.yellow, 0, 2 if first else 1, "CZ-9.1")
    yield from in_range("operating.upgrades", turn.upgrades, 0, 0 if turn.yellow else 1, "CZ-9.1")
    at_home = turn.step in ("home_tile", "home_city")
    if at_home:
        yield from absent("operating.laid", turn.laid or turn.yellow or turn.upgrades, "CZ-8")
    yield from short("operating.laid", turn.laid, "CZ-9.1")
    for index, name in enumerate(turn.laid):
        yield from one_of(f"operating.laid[{index}]", name, state.tiles, "CZ-9.1")
    if turn.step not in ("run", *AFTER_RUN):
        yield from absent("operating.stationPlaced", turn.station_placed, "CZ-10.2")
    yield from _runs(state, turn)


def _runs(state: State, turn: OperatingTurn) -> Iterator[Violation]:
    if turn.step not in AFTER_RUN:
        yield from absent("operating.runs", turn.runs, "CZ-11.1")
    yield from short("operating.runs", turn.runs, "CZ-11.1")
    company = acting_company(state)
    for index, (version, revenue) in enumerate(turn.runs):
        path = f"operating.runs[{index}]"
        yield from one_of(f"{path}.version", version, VERSIONS, "CZ-11.1")
        if not may_run(state, company, version):
            yield broken(f"{path}.version", "CZ-11.1", "state_unknown", value=version)
        yield from in_range(f"{path}.revenue", revenue, 0, MOST_MONEY, "CZ-11.11")
    if turn.step == "dividend":
        missing = Counter(version for version, _ in turn.runs) - Counter(company.trains)
        yield from absent("operating.runs", missing, "CZ-11.1")
        if is_vaclavs(company) or not any(revenue for _, revenue in turn.runs):
            yield broken("operating.step", "CZ-12.1", "state_step", step=turn.step, company=company.symbol)


def check_pending(state: State) -> Iterator[Violation]:
    """Each decision by its kind, in the order in which they come up."""
    ranks = [RANK.get(pending.kind, -1) for pending in state.pending]
    for index, pending in enumerate(state.pending):
        path = f"pending[{index}]"
        yield from one_of(f"{path}.kind", pending.kind, RANK, "CZ-8.3")
        if ranks[index] < ranks[max(0, index - 1)]:
            yield broken(path, "CZ-8.3", "state_pending_order")
        if pending.kind != "discard_trains" and ranks.count(ranks[index]) > 1:
            yield broken(path, "CZ-8.3", "state_twice", value=pending.kind)
        yield from _unused(pending, path)
        match pending.kind:
            case "vaclav_company":
                yield from _draw(state, pending, path)
            case "offer":
                yield from _offer(state, pending, path)
            case "discard_trains":
                yield from _discards(state, pending, path)
            case _:
                yield from _own_decision(state, pending, path)
    yield from distinct(
        "pending", (p.company for p in state.pending if p.kind == "discard_trains"), "CZ-14.8"
    )


USED = {
    "vaclav_company": ("size",),
    "home_city": ("company", "hexes"),
    "remove_station": ("company", "hexes"),
    "acquired_trains": ("company", "trains"),
    "discard_trains": ("company", "trains"),
    "offer": ("seat", "offer"),
}
"""The fields of a decision that have a meaning, by its kind."""


def _unused(pending: Pending, path: str) -> Iterator[Violation]:
    for name in ("company", "seat", "size", "hexes", "trains", "offer"):
        if name not in USED[pending.kind]:
            yield from absent(f"{path}.{name}", getattr(pending, name), "CZ-8.3")


def _draw(state: State, pending: Pending, path: str) -> Iterator[Violation]:
    yield from one_of(f"{path}.size", pending.size, facts.SIZES, "CZ-18.2")
    if state.board != "bohemia" or state.chance.mode != "external":
        yield broken(path, "CZ-18.2", "state_absent")
    if (state.stage == "draft") != (pending.size == "small") or pending.size not in phase(state).sizes:
        yield broken(path, "CZ-18.2", "state_absent")
    drawable = any(
        company.status == "unstarted" and company_facts(company).size == pending.size
        for company in state.companies.values()
    )
    if not drawable:
        yield broken(f"{path}.size", "CZ-18.2", "state_nothing_to_draw", size=pending.size)


def _offer(state: State, pending: Pending, path: str) -> Iterator[Violation]:
    offer = pending.offer
    if offer is None:
        yield broken(f"{path}.offer", "CZ-8.4", "state_missing")
        return
    yield from one_of(f"{path}.offer.kind", offer.kind, _OFFER_STEPS, "CZ-8.4")
    if state.stage != "operating" or operating_turn(state).step not in _OFFER_STEPS[offer.kind]:
        yield broken(path, "CZ-8.4", "state_absent")
    buyer = acting_company(state)
    yield from exactly(f"{path}.offer.buyer", offer.buyer, buyer.symbol, "CZ-8.4")
    if is_vaclavs(buyer):
        yield broken(path, "CZ-18.2", "state_absent")
    for other in state.pending[1:]:
        if offer.kind != "local" or other.kind not in ANY_TIME_DURING or other.company != buyer.symbol:
            yield broken(path, "CZ-8.4", "state_absent")
    if offer.kind == "train" and offer.seller in (trains.STACK, trains.POOL):
        yield broken(f"{path}.offer.seller", "CZ-14.3", "state_unknown", value=offer.seller)
    for violation in offers.verify_offer(state, offer):
        yield broken(f"{path}.offer", violation.rule_id, violation.reason, **violation.values)
    seller, seat = _counterparty(state, offer)
    yield from exactly(f"{path}.offer.seller", offer.seller, seller, "CZ-8.4")
    yield from exactly(f"{path}.seat", pending.seat, seat, "CZ-8.4")
    switches = state.switches
    needed = (
        switches.acquisition_needs_target_director_consent
        if offer.kind == "company"
        else switches.trade_needs_counterparty_consent
    )
    if not needed or seat == buyer.director:
        yield broken(path, "CZ-8.4", "state_absent")


_OFFER_STEPS = {"local": STEPS[2:], "train": ("trains",), "company": ("acquire",)}


def _counterparty(state: State, offer: Offer) -> tuple[str, str]:
    """The seller and the seat that answers for it."""
    if offer.kind == "local":
        owner = state.locals[offer.item].owner
        return owner, owner
    seller = offer.seller if offer.kind == "train" else offer.item
    return seller, state.companies[seller].director


def _discards(state: State, pending: Pending, path: str) -> Iterator[Violation]:
    company = state.companies.get(pending.company)
    if company is None or not over_train_limit(state, company) or is_vaclavs(company):
        yield broken(f"{path}.company", "CZ-14.8", "state_unknown", value=pending.company)
        return
    if pending.trains:
        on_turn = state.stage == "operating" and operating_turn(state).step == "trains"
        if not on_turn or acting_company(state) is not company or len(pending.trains) > 1:
            yield broken(f"{path}.trains", "CZ-14.6", "state_absent")
        for index, version in enumerate(pending.trains):
            own_size = version in company.trains and VERSIONS[version].size == company_facts(company).size
            if not own_size:
                yield broken(f"{path}.trains[{index}]", "CZ-14.6", "state_unknown", value=version)


def _own_decision(state: State, pending: Pending, path: str) -> Iterator[Violation]:
    """Decisions of the company on turn: where ATE stands on B9, what an acquisition leaves open."""
    if state.stage != "operating":
        yield broken(path, "CZ-8.3", "state_absent")
        return
    company = acting_company(state)
    turn = operating_turn(state)
    yield from exactly(f"{path}.company", pending.company, company.symbol, "CZ-7.4")
    expected = "track" if pending.kind == "home_city" else "acquire"
    yield from exactly("operating.step", turn.step, expected, "CZ-8.3")
    if pending.kind == "home_city":
        yield from _relocation(state, pending, path)
        return
    if is_vaclavs(company):
        yield broken(path, "CZ-18.2", "state_absent")
    if pending.kind == "remove_station":
        yield from _doubled(state, pending, path)
        return
    if not pending.trains:
        yield broken(f"{path}.trains", "CZ-13.7", "state_missing")
    missing = Counter(pending.trains) - Counter(company.trains)
    for index, version in enumerate(pending.trains):
        if version in missing or SIZE_RANK[VERSIONS[version].size] >= size_rank(company):
            yield broken(f"{path}.trains[{index}]", "CZ-13.7", "state_unknown", value=version)


def _relocation(state: State, pending: Pending, path: str) -> Iterator[Violation]:
    """A station on a tile just laid that leaves a choice of cities (CZ-9.13)."""
    yield from exactly(f"{path}.hexes", len(pending.hexes), 1, "CZ-9.13")
    name = pending.hexes[0]
    here = [company for company in state.companies.values() if any(s.hex == name for s in company.stations)]
    fitting = name in operating_turn(state).laid and len(layout(state, name).cities) > 1 and len(here) == 1
    if not fitting:
        yield broken(f"{path}.hexes[0]", "CZ-9.13", "state_unknown", value=name)


def _doubled(state: State, pending: Pending, path: str) -> Iterator[Violation]:
    """Exactly the hexes with two own stations (CZ-13.6)."""
    stations = Counter(station.hex for station in state.companies[pending.company].stations)
    doubled = {name for name, count in stations.items() if count > 1}
    yield from distinct(f"{path}.hexes", pending.hexes, "CZ-13.6")
    if not doubled or set(pending.hexes) != doubled:
        values: Values = {"value": ", ".join(pending.hexes), "expected": ", ".join(sorted(doubled))}
        yield broken(f"{path}.hexes", "CZ-13.6", "state_expected", **values)


def check_settled(state: State) -> Iterator[Violation]:
    """Nothing automatic is left undone: a decision, or the end of the game, is what comes next."""
    probe = copy_state(state)
    trains.keep_discards_due(probe)
    if probe.pending != state.pending:
        yield broken("pending", "CZ-14.8", "state_discards")
    elif settling.next_step(probe) is not None:
        yield broken("operating.step" if state.operating else "stage", "CZ-19.1", "state_unsettled")
