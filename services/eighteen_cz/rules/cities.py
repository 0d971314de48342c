"""Who stands in which city, what is reserved and what is closed (CZ-10.4, CZ-11.5)."""

from collections.abc import Mapping

from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.hexmap import MAPS
from services.eighteen_cz.rules.state import State
from services.eighteen_cz.rules.tiles import PRINTED, layout

Occupants = Mapping[tuple[str, int], Mapping[int, str]]
"""(hex, city) -> slot -> company."""


def occupants(state: State) -> Occupants:
    """Every station on the map."""
    found: dict[tuple[str, int], dict[int, str]] = {}
    for company in state.companies.values():
        for station in company.stations:
            found.setdefault((station.hex, station.city), {})[station.slot] = company.symbol
    return found


def home_city(state: State, company: str) -> tuple[str, int] | None:
    """Hex and city of a small or medium company's fixed home as the map is now; None for ATE while B9 has
    two cities, which leave a choice (CZ-10.1), and for a large company."""
    homes = facts.COMPANIES[company].home_hexes
    if len(homes) != 1:
        return None
    hex_ = MAPS[state.board].hexes[homes[0]]
    now = layout(state, hex_.name).cities
    if len(now) == 1:
        return hex_.name, 0
    if company not in hex_.city_homes:
        return None
    exits = PRINTED[hex_.name].locations[hex_.city_homes.index(company)]
    return hex_.name, next(city for city, mask in enumerate(now) if not exits & ~mask)


def reservations(state: State, hex_name: str, city: int) -> list[str]:
    """Companies for whose home a slot of this city is kept (CZ-10.4), in the listing order.

    While B9 has two cities, each keeps its slot for ATE.
    """
    return [
        symbol
        for symbol in MAPS[state.board].hexes[hex_name].home_of
        if not (company := state.companies[symbol]).home_placed
        and company.status != "acquired"
        and home_city(state, symbol) in ((hex_name, city), None)
    ]


def free_slots(state: State, taken: Occupants, hex_name: str, city: int) -> list[int]:
    """Slots without a station, ascending; reserved ones included."""
    used = taken.get((hex_name, city), {})
    return [slot for slot in range(layout(state, hex_name).slots) if slot not in used]


def closed_cities(state: State, company: str) -> set[tuple[str, int]]:
    """Cities that this company may not run through: every slot has another company's station (CZ-11.5)."""
    return {
        place
        for place, stations in occupants(state).items()
        if len(stations) >= layout(state, place[0]).slots and company not in stations.values()
    }
