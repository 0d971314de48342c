"""Invariants of companies: life, shares, prices, money, markers (CZ-1.4, 5, 6, 13, 18.2)."""

from collections.abc import Iterator

from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.facts import DIRECTOR_UNITS, MARKET, SIZE_RANK, VERSIONS
from services.eighteen_cz.rules.invariants import (
    LONGEST_LIST,
    MOST_MONEY,
    absent,
    broken,
    exactly,
    in_range,
    one_of,
    short,
)
from services.eighteen_cz.rules.queries import company_facts, held_units, is_started, phase, size_facts
from services.eighteen_cz.rules.refusing import Values
from services.eighteen_cz.rules.setup import unstarted
from services.eighteen_cz.rules.state import VACLAV, Company, State
from services.ruleset.answers import Violation

MOST_ARRIVALS = 1_000_000
MARKERS_OF_SMALLER = facts.SIZE_FACTS["small"].stations
"""What an acquisition adds to the markers of the buyer; small and medium companies have as many."""


def check_companies(state: State) -> Iterator[Violation]:
    expected = facts.BOARD_COMPANIES[state.board]
    yield from exactly("companies", len(state.companies), len(expected), "CZ-1.4")
    yield from in_range("arrivals", state.arrivals, 0, MOST_ARRIVALS, "CZ-6.3")
    for index, (symbol, company) in enumerate(state.companies.items()):
        path = f"companies[{index}]"
        yield from exactly(f"{path}.symbol", symbol, expected[index], "CZ-1.4")
        yield from exactly(f"{path}.symbol", company.symbol, symbol, "CZ-1.4")
        yield from one_of(f"{path}.status", company.status, _STATUSES, "CZ-5.6")
        if is_started(company):
            yield from _started(state, company, path)
        else:
            yield from _not_in_play(company, path)
    yield from _arrivals(state)
    yield from _markers(state)
    if state.board == "bohemia":
        yield from _vaclavs(state)


_STATUSES = frozenset({"unstarted", "started", "launched", "acquired"})


def _not_in_play(company: Company, path: str) -> Iterator[Violation]:
    """Before the start, and after an acquisition, a company has nothing (CZ-13.4)."""
    bare = unstarted(company.symbol)
    markers = bare.markers if company.status == "unstarted" else 0
    yield from exactly(f"{path}.markers", company.markers, markers, "CZ-1.8")
    yield from _as_new(company, bare, path, _ALL_FIELDS)


_YOUNG_FIELDS = {
    "treasury": "treasury",
    "trains": "trains",
    "stations": "stations",
    "home_placed": "homePlaced",
    "operated": "operated",
    "last_revenue": "lastRevenue",
    "last_paid": "lastPaid",
}
"""What a company has only after its launch: field -> JSON name."""
_ALL_FIELDS = {
    "director": "director",
    "start_price": "startPrice",
    "position": "position",
    "arrival": "arrival",
    "units": "units",
    **_YOUNG_FIELDS,
}


def _as_new(company: Company, bare: Company, path: str, names: dict[str, str]) -> Iterator[Violation]:
    for name, json_name in names.items():
        if getattr(company, name) != getattr(bare, name):
            yield broken(f"{path}.{json_name}", "CZ-5.6", "state_absent")


def _started(state: State, company: Company, path: str) -> Iterator[Violation]:
    size = size_facts(company)
    vaclavs = company.director == VACLAV
    if size.size not in phase(state).sizes:
        values: Values = {"company": company.symbol, "size": size.size, "phase": state.phase}
        yield broken(f"{path}.status", "CZ-5.5", "not_available_yet", **values)
    if not (company.director in state.players or (vaclavs and state.board == "bohemia")):
        yield broken(f"{path}.director", "CZ-5.13", "state_unknown", value=company.director)
    if company.start_price not in size.start_prices:
        allowed = ", ".join(str(price) for price in size.start_prices)
        values = {"company": company.symbol, "price": str(company.start_price), "allowed": allowed}
        yield broken(f"{path}.startPrice", "CZ-5.5", "price_not_allowed", **values)
    yield from in_range(f"{path}.position", company.position, 0, len(MARKET) - 1, "CZ-1.7")
    yield from in_range(f"{path}.arrival", company.arrival, 1, state.arrivals, "CZ-6.3")
    yield from _units(state, company, path)
    if company.status == "started":
        yield from exactly(f"{path}.markers", company.markers, size.stations, "CZ-1.8")
        yield from _as_new(company, unstarted(company.symbol), path, _YOUNG_FIELDS)
        return
    yield from in_range(f"{path}.treasury", company.treasury, 0, 0 if vaclavs else MOST_MONEY, "CZ-8.2")
    yield from in_range(f"{path}.markers", company.markers, 0, LONGEST_LIST, "CZ-1.8")
    yield from in_range(f"{path}.lastRevenue", company.last_revenue, -1, MOST_MONEY, "CZ-12.1")
    if company.last_paid and company.last_revenue < 1:
        yield broken(f"{path}.lastPaid", "CZ-12.1", "state_absent")
    if company.operated and not company.home_placed:
        yield broken(f"{path}.homePlaced", "CZ-10.1", "state_missing")
    if company.operated and company.last_revenue < 0:
        yield broken(f"{path}.lastRevenue", "CZ-12.1", "state_missing")
    yield from short(f"{path}.trains", company.trains, "CZ-14.4")
    for place, version in enumerate(company.trains):
        if SIZE_RANK[VERSIONS[version].size] > SIZE_RANK[size.size]:
            values = {"company": company.symbol, "size": size.size, "version": version}
            yield broken(f"{path}.trains[{place}]", "CZ-14.2", "train_wrong_size", **values)


def _units(state: State, company: Company, path: str) -> Iterator[Violation]:
    """Shares: no more than there are, a director with his certificate, nobody above him or the limit."""
    size = size_facts(company)
    director = company.units.get(company.director, 0)
    for index, (holder, units) in enumerate(sorted(company.units.items())):
        place = f"{path}.units[{index}]"
        if holder not in state.players and holder != company.director:
            yield broken(f"{place}.holder", "CZ-5.4", "state_unknown", value=holder)
        most = size.limit_units[state.board]
        yield from in_range(f"{place}.units", units, 1, most, "CZ-5.7")
        if units > director:
            yield broken(f"{place}.units", "CZ-5.13", "state_director", holder=holder, units=units)
    held = held_units(company)
    if held > size.units:
        yield broken(f"{path}.units", "CZ-1.4", "state_units", held=held, units=size.units)
    if director < DIRECTOR_UNITS:
        yield broken(f"{path}.units", "CZ-5.10", "state_no_director", company=company.symbol)
    if company.status == "started" and held >= size.launch_units:
        yield broken(f"{path}.status", "CZ-5.6", "state_launch", company=company.symbol)


def _arrivals(state: State) -> Iterator[Violation]:
    """Every price marker came to its value at a time of its own."""
    seen: set[int] = set()
    for index, company in enumerate(state.companies.values()):
        if is_started(company):
            if company.arrival in seen:
                path = f"companies[{index}].arrival"
                yield broken(path, "CZ-6.3", "state_twice", value=str(company.arrival))
            seen.add(company.arrival)


def _markers(state: State) -> Iterator[Violation]:
    """Station markers only pass from the acquired to the acquiring company (CZ-13.4, 13.5)."""
    in_play = 0
    for index, company in enumerate(state.companies.values()):
        own = size_facts(company).stations
        markers = company.markers + len(company.stations)
        gained = markers - own
        in_play += markers
        if company.status == "acquired" or (gained == 0 and company_facts(company).size == "small"):
            continue
        if gained < 0 or gained % MARKERS_OF_SMALLER or (gained and company_facts(company).size == "small"):
            yield broken(f"companies[{index}].markers", "CZ-1.8", "state_markers", company=company.symbol)
    expected = sum(size_facts(company).stations for company in state.companies.values())
    if in_play != expected:
        yield broken("companies", "CZ-13.5", "state_marker_sum", markers=in_play, expected=expected)


def _vaclavs(state: State) -> Iterator[Violation]:
    """Vaclav has one launched company of each size that may be started, unless it is still to be drawn."""
    to_draw = {pending.size for pending in state.pending if pending.kind == "vaclav_company"}
    for size in facts.SIZES:
        own = [
            (index, company)
            for index, company in enumerate(state.companies.values())
            if company.director == VACLAV and company_facts(company).size == size
        ]
        expected = int(size in phase(state).sizes and size not in to_draw)
        if len(own) != expected:
            yield broken("companies", "CZ-18.2", "state_vaclav", size=size, count=len(own), expected=expected)
        for index, company in own:
            path = f"companies[{index}]"
            launch_units = facts.SIZE_FACTS[size].launch_units
            yield from exactly(f"{path}.status", company.status, "launched", "CZ-18.2")
            yield from exactly(f"{path}.units", company.units.get(VACLAV, 0), launch_units, "CZ-18.2")
            yield from absent(f"{path}.trains", len(company.trains) > 1, "CZ-18.2")
            for place, version in enumerate(company.trains):
                yield from exactly(f"{path}.trains[{place}]", VERSIONS[version].size, size, "CZ-18.2")
