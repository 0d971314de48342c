"""What an action records beside its move, compared with what the rules make of the move.

The site writes down figures and names that follow from the move: a share's price, the percentage, the
revenue of each train.  Where one is there and differs, it comes back as a claim.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from services.eighteen_cz.importer.reading import Action, Run
from services.eighteen_cz.importer.translating import Claims, claim
from services.eighteen_cz.rules import facts, queries, routes, stations
from services.eighteen_cz.rules import moves as m
from services.eighteen_cz.rules.state import State

ATE_HOME: Final = facts.COMPANIES["ATE"].home_hexes[0]
"""Whoever has its station chooses the city there (CZ-9.13)."""


def beside(action: Action, move: m.Move, before: State, after: State) -> Claims:
    """The claims of an action whose move led from one position to the other."""
    return tuple(found for each in _compared(action, move, before, after) for found in each)


def _compared(action: Action, move: m.Move, before: State, after: State) -> Iterator[Claims]:
    if isinstance(move, m.BuyShare | m.SellShares):
        company = before.companies[move.company]
        units = move.units if isinstance(move, m.SellShares) else 1
        price = queries.price(company)
        if isinstance(move, m.BuyShare):
            yield _figure(action, "percent", "CZ-5.4", queries.size_facts(company).unit_percent)
        rule = "CZ-5.9" if isinstance(move, m.SellShares) else "CZ-5.4"
        yield _figure(action, "share_price", rule, price)
        yield _figure(action, "total_price", rule, units * price)
    elif isinstance(move, m.StartCompany):
        space = f"{move.price},0,{facts.POSITION_OF[move.price]}"
        if action.texts["share_price"] not in (space, str(move.price)):
            yield claim("CZ-5.5", action.texts["share_price"], "share_price", space)
    elif isinstance(move, m.PlaceStation):
        yield _figure(action, "cost", "CZ-10.3", stations.station_price(before, before.companies[move.actor]))
    elif isinstance(move, m.ChooseHomeCity):
        yield _figure(action, "cost", "CZ-10.1", 0)
        yield _figure(action, "slot", "CZ-10.1", _slot(after, "", ATE_HOME, move.city))
    elif isinstance(move, m.RemoveStation):
        yield _figure(action, "slot", "CZ-13.6", _slot(before, move.actor, move.hex, move.city))
    elif isinstance(move, m.Dividend):
        earned = sum(revenue for _, revenue in queries.operating_turn(before).runs)
        yield _figure(action, "amount", "CZ-12.1", earned if move.choice == "pay" else 0)
    elif isinstance(move, m.RunTrains):
        yield from _runs(action.routes, move, before)


def _figure(action: Action, field: str, rule: str, computed: int) -> Claims:
    recorded = action.numbers.get(field, computed)
    return claim(rule, recorded, field, computed) if recorded != computed else ()


def _slot(state: State, symbol: str, hex_name: str, city: int) -> int:
    """The slot of a company's station in a city, or of whoever's station is there."""
    companies = [state.companies[symbol]] if symbol else state.companies.values()
    found = (station for company in companies for station in company.stations)
    return next(station.slot for station in found if station[:2] == (hex_name, city))


def _runs(recorded: Sequence[Run], move: m.RunTrains, before: State) -> Iterator[Claims]:
    revenues = routes.revenues(before, move) if recorded else []
    for n, (run, route, (_, revenue)) in enumerate(zip(recorded, move.routes, revenues, strict=True)):
        at = f"routes[{n}]"
        stops = [stop.partition(".") for stop in route.stops]
        hexes = [hex_name for hex_name, _, _ in stops]
        nodes = [f"{hex_name}-{number or 0}" for hex_name, _, number in stops]
        if run.revenue not in (-1, revenue):
            yield claim("CZ-11.11", run.revenue, f"{at}.revenue", revenue)
        yield _names(run.nodes, nodes, f"{at}.nodes")
        yield _names(run.hexes, hexes, f"{at}.hexes")
        yield _names(run.text.partition(" ")[0].split("-") if run.text else (), hexes, f"{at}.revenue_str")


def _names(recorded: Sequence[str], computed: list[str], path: str) -> Claims:
    """The stops of a route, in either direction."""
    if not recorded or list(recorded) in (computed, computed[::-1]):
        return ()
    return claim("CZ-11.2", "-".join(recorded), path, "-".join(computed))
