"""Step 3: which sets of routes may be run, and what they earn (CZ-11)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.cities import closed_cities
from services.eighteen_cz.rules.moves import RunTrains
from services.eighteen_cz.rules.network import Location, Network, network
from services.eighteen_cz.rules.queries import company_facts, may_run
from services.eighteen_cz.rules.revenue import is_express, is_own_home, location_value, worth
from services.eighteen_cz.rules.sections import hexes_of
from services.eighteen_cz.rules.state import Company, State
from services.eighteen_cz.rules.tracing import Run, Untraceable, spell, trace_route
from services.ruleset.answers import Value, Violation


def run_value(state: State, company: str, net: Network, run: Run) -> int:
    """What one train earns on its route, with the home bonus (CZ-11.6 to 11.10)."""
    stops = [net.locations[stop] for stop in run.stops]
    cities = [location_value(state, stop) for stop in stops if stop.city]
    towns = [location_value(state, stop) for stop in stops if not stop.city]
    bonus = facts.HOME_BONUS if any(is_own_home(state, company, stop) for stop in stops) else 0
    return worth(state.switches, facts.VERSIONS[run.train], cities, towns) + bonus


def _traced(state: State, net: Network, move: RunTrains) -> tuple[list[Run | None], list[Violation]]:
    """The routes of the move, None where one cannot be traced."""
    runs: list[Run | None] = []
    found = []
    for index, route in enumerate(move.routes):
        try:
            runs.append(trace_route(state, net, route, f"runTrains.routes[{index}]"))
        except Untraceable as refusal:
            runs.append(None)
            found.append(refusal.violation)
    return runs, found


def _verify_trains(state: State, company: Company, move: RunTrains) -> list[Violation]:
    """CZ-11.1: own trains of the company's size, each once."""
    found = []
    left = Counter(company.trains)
    for index, route in enumerate(move.routes):
        field = f"runTrains.routes[{index}].train"
        values: dict[str, Value] = {"company": company.symbol, "version": route.train}
        if left[route.train] < 1:
            reason = "train_used_twice" if route.train in company.trains else "train_not_owned"
            found.append(Violation("CZ-11.1", reason, values, field))
        elif not may_run(state, company, route.train):
            values["size"] = company_facts(company).size
            found.append(Violation("CZ-11.1", "train_not_run", values, field))
        left[route.train] -= 1
    return found


def _verify_stops(
    company: Company, stops: Sequence[Location], closed: set[tuple[str, int]], field: str
) -> list[Violation]:
    """CZ-11.2: an own station; CZ-11.5: nothing is run through that is closed."""
    found = []
    own = {(station.hex, station.city) for station in company.stations}
    if not any((stop.hex, stop.number) in own for stop in stops):
        found.append(Violation("CZ-11.2", "route_no_station", {"company": company.symbol}, field))
    for index, stop in enumerate(stops[1:-1], 1):
        if stop.red or (stop.city and (stop.hex, stop.number) in closed):
            reason = "red_is_end" if stop.red else "route_blocked"
            values = {"stop": stop.name, "company": company.symbol}
            found.append(Violation("CZ-11.5", reason, values, f"{field}[{index}]", stop.hex))
    return found


def _verify_length(train: str, stops: Sequence[Location], field: str) -> list[Violation]:
    """CZ-11.7 normal, 11.8 plus, 11.9 express trains."""
    version = facts.VERSIONS[train]
    rule = {"small": "CZ-11.7", "medium": "CZ-11.8", "large": "CZ-11.9"}[version.size]
    found = []
    if len(stops) > version.stops and not is_express(version):
        values: dict[str, Value] = {"train": train, "count": len(stops), "limit": version.stops}
        found.append(Violation(rule, "route_too_long", values, field))
    cities = sum(stop.city for stop in stops)
    if cities > version.cities and version.size != "small":
        values = {"train": train, "count": cities, "limit": version.cities}
        found.append(Violation(rule, "too_many_cities", values, field))
    return found


def _verify_track(net: Network, runs: Sequence[Run | None]) -> list[Violation]:
    """CZ-11.3: no hexside twice, within a route or by two trains."""
    found = []
    by_all = 0
    for index, run in enumerate(runs):
        by_this = 0
        for leg, section in enumerate(run.sections if run else ()):
            if section.used & (by_this | by_all):
                reason = "track_twice" if section.used & by_this else "track_of_other_train"
                values = {"section": "-".join(hexes_of(net, section.sides))}
                field = f"runTrains.routes[{index}].sections[{leg}]"
                found.append(Violation("CZ-11.3", reason, values, field))
            by_this |= section.used
        by_all |= by_this
    return found


def verify_run_trains(state: State, move: RunTrains) -> list[Violation]:
    """CZ-11.1 to 11.9, and the revenue if it is stated (CZ-11.11)."""
    company = state.companies[move.actor]
    if len(move.routes) > len(company.trains):
        values: dict[str, Value] = {"company": company.symbol, "routes": len(move.routes)}
        values["trains"] = len(company.trains)
        return [Violation("CZ-11.1", "too_many_routes", values, "runTrains.routes")]
    net = network(state)
    closed = closed_cities(state, company.symbol)
    runs, found = _traced(state, net, move)
    found += _verify_trains(state, company, move)
    for index, run in enumerate(runs):
        if run:
            stops = [net.locations[stop] for stop in run.stops]
            field = f"runTrains.routes[{index}].stops"
            found += _verify_stops(company, stops, closed, field)
            found += _verify_length(run.train, stops, field) if run.train in facts.VERSIONS else []
    found += _verify_track(net, runs)
    if not found and move.revenue != -1:
        earned = sum(run_value(state, company.symbol, net, run) for run in runs if run)
        if move.revenue != earned:
            values = {"stated": move.revenue, "earned": earned}
            found.append(Violation("CZ-11.11", "revenue_wrong", values, "runTrains.revenue"))
    return found


def revenues(state: State, move: RunTrains) -> list[tuple[str, int]]:
    """(version, revenue) of each train that runs, in the order of the move, which must be legal."""
    net = network(state)
    runs, _ = _traced(state, net, move)
    return [(run.train, run_value(state, move.actor, net, run)) for run in runs if run]


def canonical(state: State, move: RunTrains) -> RunTrains:
    """A legal move with its sections named, its revenue stated, and its routes and their directions in a
    fixed order; any other move as it is."""
    company = state.companies.get(move.actor)
    if company is None or verify_run_trains(state, move):
        return move
    net = network(state)
    runs = [run for run in _traced(state, net, move)[0] if run]
    order = list(facts.VERSIONS)
    routes = sorted(
        (spell(net, run) for run in runs),
        key=lambda route: (order.index(route.train), route.stops, route.sections),
    )
    earned = sum(run_value(state, move.actor, net, run) for run in runs)
    return replace(move, routes=tuple(routes), revenue=earned)
