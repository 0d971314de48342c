"""Invariants of tiles and stations (CZ-9, CZ-10): what can lie on the map, and who can stand where.

Companies, phase and locals must have been checked before; turn and pending decisions need not.
"""

from collections import Counter
from collections.abc import Iterator

from services.eighteen_cz.rules.cities import occupants, reservations
from services.eighteen_cz.rules.hexmap import MAPS
from services.eighteen_cz.rules.invariants import broken
from services.eighteen_cz.rules.queries import company_facts, phase
from services.eighteen_cz.rules.state import CLOSED, Company, State, Station
from services.eighteen_cz.rules.tiles import KINDS, RED, layout, possible_tiles
from services.ruleset.answers import Violation


def validate_board(state: State) -> Violation | None:
    """The first broken invariant of the board, its path in the JSON names of State; None if all hold.

    A board that passes can be handed to every rule without any of them failing.
    """
    for check in (_tiles, _supply, _stations, _homes, _slots):
        for violation in check(state):
            return violation
    return None


def _tiles(state: State) -> Iterator[Violation]:
    """Every tile could have come to its hex, in its rotation, by this phase."""
    hexes = MAPS[state.board].hexes
    for index, (name, tile) in enumerate(state.tiles.items()):
        path = f"tiles[{index}]"
        if name not in hexes:
            yield broken(f"{path}.hex", "CZ-18.1", "unknown_hex", hex=name)
            continue
        kind = KINDS.get(tile.number)
        if kind is None:
            yield broken(f"{path}.tile", "CZ-1.6", "unknown_tile", tile=tile.number)
        elif not 0 <= tile.rotation < 6:
            yield broken(f"{path}.rotation", "CZ-9.14", "unknown_rotation", rotation=tile.rotation)
        elif tile not in possible_tiles(state.board, name):
            values = {"tile": tile.number, "hex": name, "rotation": str(tile.rotation)}
            yield broken(path, "CZ-9.3", "board_impossible_tile", **values)
        elif kind.colour != RED and kind.colour not in phase(state).colours:
            yield broken(path, "CZ-9.2", "colour_not_open", colour=kind.colour, phase=state.phase)


def _supply(state: State) -> Iterator[Violation]:
    """No more tiles than there are; purple-edged ones took an ability each (CZ-9.11, 16.7)."""
    counts = Counter(tile.number for tile in state.tiles.values())
    for number, count in counts.items():
        supply = KINDS[number].count
        if count > supply:
            yield broken("tiles", "CZ-9.11", "board_too_many_tiles", tile=number, count=count, supply=supply)
    purple = sum(count for number, count in counts.items() if KINDS[number].purple)
    used = sum(local.spent or local.owner == CLOSED for local in state.locals.values())
    if purple > used:
        yield broken("tiles", "CZ-16.7", "board_too_many_purple", count=purple, used=used)


def _stations(state: State) -> Iterator[Violation]:
    """Each station in a slot of its own; two of a company in one hex only while one is to be removed."""
    hexes = MAPS[state.board].hexes
    taken: set[Station] = set()
    for place, company in enumerate(state.companies.values()):
        seen: Counter[str] = Counter()
        cities: set[tuple[str, int]] = set()
        for index, station in enumerate(company.stations):
            path = f"companies[{place}].stations[{index}]"
            if station.hex not in hexes:
                yield broken(f"{path}.hex", "CZ-18.1", "unknown_hex", hex=station.hex)
                return
            now = layout(state, station.hex)
            if not 0 <= station.city < len(now.cities):
                yield broken(f"{path}.city", "CZ-10.2", "no_such_city", hex=station.hex, city=station.city)
            elif not 0 <= station.slot < now.slots:
                yield broken(f"{path}.slot", "CZ-10.2", "no_such_slot", hex=station.hex, slot=station.slot)
            elif station in taken:
                yield broken(f"{path}.slot", "CZ-10.2", "slot_taken", hex=station.hex, slot=station.slot)
            elif (station.hex, station.city) in cities or seen[station.hex] >= _allowed(
                state, company, station
            ):
                values = {"company": company.symbol, "hex": station.hex}
                yield broken(f"{path}.hex", "CZ-10.2", "station_second_in_hex", **values)
            taken.add(station)
            cities.add((station.hex, station.city))
            seen[station.hex] += 1


def _allowed(state: State, company: Company, station: Station) -> int:
    """How many stations a company may have in a hex (CZ-10.2, 13.6)."""
    deciding = any(
        pending.kind == "remove_station"
        and pending.company == company.symbol
        and station.hex in pending.hexes
        for pending in state.pending
    )
    return 2 if deciding else 1


def _homes(state: State) -> Iterator[Violation]:
    """Home tiles and home stations belong together, and a company starts from its home (CZ-9.10, 10.1)."""
    for place, company in enumerate(state.companies.values()):
        home = company_facts(company)
        path = f"companies[{place}]"
        values = {"company": company.symbol}
        if company.stations and not company.home_placed:
            yield broken(f"{path}.stations", "CZ-10.1", "board_no_home", **values)
        laid = [name for name in home.home_hexes if name in state.tiles] if home.home_tile else []
        if bool(laid) != (company.home_placed and bool(home.home_tile)):
            yield broken("tiles", "CZ-9.10", "board_home_tile", **values)
        homes = laid or home.home_hexes
        if company.home_placed and not any(station.hex in homes for station in company.stations):
            yield broken(f"{path}.stations", "CZ-10.1", "board_no_home", **values)
    for index, pending in enumerate(state.pending):
        if pending.kind == "home_city" and any(not _is_open_home(state, name) for name in pending.hexes):
            yield broken(f"pending[{index}].hexes", "CZ-9.13", "board_no_choice")


def _is_open_home(state: State, hex_name: str) -> bool:
    """Whether the print leaves the choice among several cities without track: B9 alone does."""
    hex_ = MAPS[state.board].hexes.get(hex_name)
    return hex_ is not None and bool(hex_.home_of) and len(hex_.cities) > 1 and not any(hex_.cities)


def _slots(state: State) -> Iterator[Violation]:
    """Reserved slots are free, red cities are their company's, and only homes stand without track."""
    for (name, city), stations in occupants(state).items():
        now = layout(state, name)
        path = _path_of(state, name)
        values = {"hex": name}
        if now.colour == RED:
            owner = now.label
            if any(symbol != owner for symbol in stations.values()):
                yield broken(path, "CZ-10.4", "board_foreign_home", **values)
        elif not now.exits and not MAPS[state.board].hexes[name].home_of:
            yield broken(path, "CZ-10.2", "board_no_track", **values)
        homes = reservations(state, name, city)
        if len(stations) + len(homes) > now.slots:
            yield broken(path, "CZ-10.4", "slot_reserved", **values, homes=", ".join(homes))


def _path_of(state: State, hex_name: str) -> str:
    """The first company with a station in a hex."""
    return next(
        f"companies[{place}].stations"
        for place, company in enumerate(state.companies.values())
        if any(station.hex == hex_name for station in company.stations)
    )
