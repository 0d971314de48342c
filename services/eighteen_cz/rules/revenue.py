"""What locations and routes are worth (CZ-11.6 to 11.10)."""

from collections.abc import Iterable
from typing import Final

from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.facts import Version
from services.eighteen_cz.rules.network import Location
from services.eighteen_cz.rules.state import State, Switches

_FEW_TOWNS: Final = 3
"""Most towns that an express train counts when `express_counts_more_than_three_towns` is off (D-10)."""


def location_value(state: State, location: Location) -> int:
    """The number on the tile; a red location has the value of the phase."""
    return facts.PHASES[state.phase].red_value if location.red else location.value


def is_own_home(state: State, company: str, location: Location) -> bool:
    """Whether this is the company's own red home, which gives the bonus of CZ-11.10."""
    return location.red and state.tiles[location.hex].number == facts.COMPANIES[company].home_tile


def is_express(version: Version) -> bool:
    return version.size == "large"


def worth(switches: Switches, version: Version, cities: Iterable[int], towns: Iterable[int]) -> int:
    """What a train earns from the cities (red locations among them) and towns of its route, without bonus."""
    if not is_express(version):
        return sum(cities) + sum(towns)
    counted = sorted(towns, reverse=True) if switches.express_counts_towns else []
    if not switches.express_counts_more_than_three_towns:
        del counted[_FEW_TOWNS:]
    must = list(cities)
    if switches.express_must_count_every_city:
        return sum(must) + sum(counted[: version.stops - len(must)])
    return sum(sorted(must + counted, reverse=True)[: version.stops])
