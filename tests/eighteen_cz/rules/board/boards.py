"""Positions in a company's turn with track on the map, for the tests of the board's rules."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.cities import home_city
from services.eighteen_cz.rules.state import CLOSED, State, Station, Step, Tile
from services.eighteen_cz.rules.tiles import KINDS
from tests.eighteen_cz.rules.table import Co, Table, in_turn, ordered

TRAINS = {"small": "4e", "medium": "3+3e", "large": "3Ee"}


def lay(state: State, tiles: Mapping[str, str]) -> None:
    """Puts tiles written `57:1` on the map; purple-edged ones are taken from locals that are gone."""
    for name, text in tiles.items():
        number, rotation = text.split(":")
        state.tiles[name] = Tile(number, int(rotation))
    _move_homes(state)
    used = [local for local in state.locals.values() if local.owner not in state.companies]
    for _, local in zip(
        [tile for tile in state.tiles.values() if KINDS[tile.number].purple], used, strict=False
    ):
        local.owner = CLOSED


def _move_homes(state: State) -> None:
    """Home stations stand in their cities of the tiles that lie now, each in a slot of its own."""
    slots: Counter[tuple[str, int]] = Counter()
    for symbol, company in state.companies.items():
        place = home_city(state, symbol)
        if place and company.stations:
            company.stations[0] = Station(*place, slots[place])
            slots[place] += 1


def station(state: State, company: str, *places: tuple[str, int, int]) -> None:
    """Further stations of a company, taken from its markers or, beyond these, from acquired companies."""
    owner = state.companies[company]
    for place in places:
        owner.stations.append(Station(*place))
        owner.markers -= 1


def turn_of(
    company: str,
    tiles: Mapping[str, str] | None = None,
    step: Step = "track",
    phase: str = "e",
    others: Mapping[str, Co] | None = None,
    stations: Mapping[str, list[tuple[str, int, int]]] | None = None,
    trains: tuple[str, ...] | None = None,
    operated: bool = True,
    treasury: int = 500,
    **more: Any,
) -> Table:
    """The company on turn in a step, with these tiles and, besides the homes, these stations on the map."""
    companies = {**(others or {})}
    size = facts.COMPANIES[company].size
    usual = (TRAINS[size],) if phase >= "e" else ()
    own = usual if trains is None else trains
    companies[company] = Co(treasury=treasury, trains=own, operated=operated)
    state = ordered(companies, phase=phase, **more)
    lay(state, tiles or {})
    for symbol, places in (stations or {}).items():
        station(state, symbol, *places)
    return in_turn(state, company, step)
