"""Where the 18xx.games site stops and asks in a company's turn (CZ-19.1).

The site leaves out a step when it thinks that nothing can be done in it, and stays in one for a local
that might be bought; our rules leave a step when it is certain that nothing can be done in it.  So the
site may stand behind the step of a position: a record then has passes that are no moves.  Where the
site goes on without asking and our rules do not, the import supplies the pass.
"""

from collections.abc import Mapping
from typing import Final

from services.eighteen_cz.rules import facts, queries, stations
from services.eighteen_cz.rules.moves import PlaceStation
from services.eighteen_cz.rules.network import Network, network
from services.eighteen_cz.rules.reach import reach
from services.eighteen_cz.rules.state import VACLAV, Company, State

STEPS: Final = ("track", "station", "run", "dividend", "acquire", "trains", "locals")
"""The site's steps after the home station: ours, and a last one in which only locals can be traded."""

STEP_OF: Final[Mapping[str, str]] = {
    "place_token": "station",
    "run_routes": "run",
    "dividend": "dividend",
    "buy_corporation": "acquire",
    "swap_train": "acquire",
    "buy_train": "trains",
}
"""The step that an action belongs to, where it belongs to just one."""

_MONEY: Final = frozenset({"CZ-8.2", "CZ-10.3"})
_LOWEST_START: Final = min(price for size in facts.SIZE_FACTS.values() for price in size.start_prices)


def asks_player(state: State, seat: str) -> bool:
    """Whether the site waits for a player in a stock round for whom no move but a pass is legal.

    To it a company seems affordable that can be started at the lowest start price of all.
    """
    player, sizes = state.players[seat], queries.phase(state).sizes
    return (
        not player.debt
        and player.cash >= facts.DIRECTOR_UNITS * _LOWEST_START
        and queries.certificates(state, seat) < queries.certificate_limit(state)
        and any(
            company.status == "unstarted" and queries.company_facts(company).size in sizes
            for company in state.companies.values()
        )
    )


def stops(state: State, step: str) -> bool:
    """Whether the site asks the company on turn something in a step; no decision may be pending."""
    company = queries.acting_company(state)
    turn = queries.operating_turn(state)
    match step:
        case "track":
            return turn.step == "track" or _may_gain_lay(state, company)
        case "station":
            return turn.step == "station" and _may_place(state, company)
        case "run":
            return turn.step == "run" and has_route(state, company)
        case "dividend":
            return turn.step == "dividend"
        case "acquire":
            return turn.step == "acquire" and any(
                target.status == "launched"
                and target.director != VACLAV
                and queries.size_rank(target) < queries.size_rank(company)
                for target in state.companies.values()
            )
        case "trains":
            return _may_buy_train(state, company)
    return any(queries.owned_locals(state, company.symbol)) or _may_buy_local(state, company)


def _may_buy_local(state: State, company: Company) -> bool:
    """The site does not ask whether a local has the right size."""
    return (
        company.director != VACLAV
        and queries.phase(state).companies_buy_locals
        and company.treasury >= 1
        and any(local.owner in state.players for local in state.locals.values())
    )


def _may_gain_lay(state: State, company: Company) -> bool:
    unspent = any(not local.spent for local in queries.owned_locals(state, company.symbol))
    return unspent or _may_buy_local(state, company)


def station_price(state: State, company: Company) -> int:
    """What the site asks for the next station: after an acquisition the highest price for all (D-11)."""
    ours = stations.station_price(state, company)
    grown = len(company.stations) + company.markers > queries.size_facts(company).stations
    return facts.STATION_PRICES[-1] if grown and ours else ours


def _may_place(state: State, company: Company) -> bool:
    """A city can take a station of the company, and there is money, or trade in locals might bring it."""
    price = queries.local_price(state)
    money = company.treasury + price * sum(1 for _ in queries.owned_locals(state, company.symbol))
    if _may_buy_local(state, company):
        money += (price - 1) * sum(local.owner in state.players for local in state.locals.values())
    enough = money >= station_price(state, company)
    places = sorted(reach(state, company.symbol).cities) if enough else ()
    return any(
        {violation.rule_id for violation in stations.verify_place_station(state, move)} <= _MONEY
        for move in (PlaceStation(company.symbol, hex_name, city) for hex_name, city in places)
    )


def _may_buy_train(state: State, company: Company) -> bool:
    if not queries.has_usable_train(state, company):
        return True
    if company.treasury < 1 or len(company.trains) >= queries.train_limit(state, company):
        return False
    if any(other.trains for other in state.companies.values() if other is not company):
        return True
    rows = [queries.stack_top(state), *(facts.VERSIONS[version].row for version in state.pool)]
    return any(
        facts.VERSIONS[version].price <= company.treasury
        for row in rows
        for version in facts.ROW_VERSIONS[row]
        if version not in state.rusted
        and facts.SIZE_RANK[facts.VERSIONS[version].size] <= queries.size_rank(company)
    )


def has_route(state: State, company: Company) -> bool:
    """Whether track leads from an own station to some other location."""
    net = network(state)
    places = [net.at.get((station.hex, station.city)) for station in company.stations]
    return any(place is not None and _leads_on(net, place) for place in places)


def _leads_on(net: Network, place: int) -> bool:
    start = net.locations[place]
    sides = list(start.sides)
    seen = set(sides)
    while sides:
        entry = net.map.across[sides.pop()]
        for end in net.ends.get(entry, ()):
            if end < 0 and net.locations[~end].visit != start.visit:
                return True
            if end >= 0 and end not in seen:
                seen.add(end)
                sides.append(end)
    return False
