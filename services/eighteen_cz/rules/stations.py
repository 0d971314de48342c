"""Stations: the home, one more a turn, and those that an acquisition doubles (CZ-10, CZ-9.13, CZ-13.6)."""

from collections.abc import Iterator

from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.bank import pay_company
from services.eighteen_cz.rules.cities import free_slots, home_city, occupants, reservations
from services.eighteen_cz.rules.hexmap import MAPS
from services.eighteen_cz.rules.moves import ChooseHomeCity, PlaceStation, RemoveStation
from services.eighteen_cz.rules.queries import acting_company, is_vaclavs, operating_turn
from services.eighteen_cz.rules.reach import reach
from services.eighteen_cz.rules.refusing import refuse
from services.eighteen_cz.rules.state import Company, Pending, State, Station
from services.eighteen_cz.rules.tiles import layout
from services.ruleset.answers import Event, Option, Value, Violation
from services.ruleset.protocol import Query


def station_price(state: State, company: Company) -> int:
    """The price of the company's next station by how many it has on the map; Vaclav's are free (CZ-10.3)."""
    if is_vaclavs(company):
        return 0
    return facts.STATION_PRICES[min(len(company.stations), len(facts.STATION_PRICES) - 1)]


def _put(state: State, company: Company, hex_name: str, city: int, slot: int) -> None:
    company.stations.append(Station(hex_name, city, slot))
    company.markers -= 1


# --- the home station -------------------------------------------------------------------------------


def home_choices(state: State, company: Company) -> list[int]:
    """Cities among which a small or medium company chooses its home: several only for ATE (CZ-10.1)."""
    hex_name = facts.COMPANIES[company.symbol].home_hexes[0]
    fixed = home_city(state, company.symbol)
    cities = [fixed[1]] if fixed else range(len(layout(state, hex_name).cities))
    taken = occupants(state)
    return [city for city in cities if free_slots(state, taken, hex_name, city)]


def _place_home(state: State, company: Company, city: int) -> list[Event]:
    hex_name = facts.COMPANIES[company.symbol].home_hexes[0]
    slot = free_slots(state, occupants(state), hex_name, city)[0]
    _put(state, company, hex_name, city, slot)
    company.home_placed = True
    return [Event("home_placed", "CZ-10.1", {"company": company.symbol, "hex": hex_name})]


def place_home(state: State, symbol: str) -> list[Event]:
    """Places a small or medium company's home station where there is one city for it, free of charge."""
    company = state.companies[symbol]
    return _place_home(state, company, home_choices(state, company)[0])


def _relocation(state: State) -> Pending | None:
    """The pending choice of a city for the station that stood on B9 before its first tile (CZ-9.13)."""
    return state.pending[0] if state.pending and state.pending[0].kind == "home_city" else None


def _relocated(state: State, hex_name: str) -> Company:
    """Whose station stands on that hex: ATE's, or its buyer's."""
    return next(c for c in state.companies.values() if any(s.hex == hex_name for s in c.stations))


def _city_choices(state: State) -> tuple[str, list[int]]:
    """Hex and cities of the choice that is due."""
    pending = _relocation(state)
    if pending:
        return pending.hexes[0], list(range(len(layout(state, pending.hexes[0]).cities)))
    company = acting_company(state)
    return facts.COMPANIES[company.symbol].home_hexes[0], home_choices(state, company)


def verify_choose_home_city(state: State, move: ChooseHomeCity) -> list[Violation]:
    """CZ-10.1: ATE's home; CZ-9.13: the city of the station that stood on B9 before its first tile."""
    hex_name, cities = _city_choices(state)
    if move.city in cities:
        return []
    rule = "CZ-9.13" if _relocation(state) else "CZ-10.1"
    values: dict[str, Value] = {"hex": hex_name, "city": move.city, "cities": len(cities)}
    return [refuse(move, "city", rule, "not_a_home_city", hex_name, **values)]


def do_choose_home_city(state: State, move: ChooseHomeCity) -> list[Event]:
    """Places the home station, or resolves the pending choice of CZ-9.13."""
    if not _relocation(state):
        return _place_home(state, acting_company(state), move.city)
    hex_name = state.pending.pop(0).hexes[0]
    owner = _relocated(state, hex_name)
    owner.stations[:] = [
        Station(hex_name, move.city, 0) if station.hex == hex_name else station for station in owner.stations
    ]
    return [
        Event("station_city_chosen", "CZ-9.13", {"company": owner.symbol, "hex": hex_name, "city": move.city})
    ]


def choose_home_city_options(state: State, query: Query) -> Iterator[Option[ChooseHomeCity]]:
    pending = _relocation(state)
    actor = pending.company if pending else acting_company(state).symbol
    hex_name, cities = _city_choices(state)
    for city in cities if query.place in ("", hex_name) else ():
        yield Option("choose_home_city", ChooseHomeCity(actor, city))


# --- step 2: a further station ----------------------------------------------------------------------


def open_slots(state: State, company: Company, hex_name: str, city: int) -> list[int]:
    """Slots that the company may use, ascending: the lowest free ones are left to reserved homes."""
    reserved = [symbol for symbol in reservations(state, hex_name, city) if symbol != company.symbol]
    return free_slots(state, occupants(state), hex_name, city)[len(reserved) :]


def verify_place_station(state: State, move: PlaceStation) -> list[Violation]:
    """CZ-10.2 to 10.4."""
    company = state.companies[move.actor]
    found = []
    if operating_turn(state).station_placed:
        found.append(refuse(move, "", "CZ-10.2", "station_already_placed", company=move.actor))
    if company.markers < 1:
        found.append(refuse(move, "", "CZ-1.8", "no_marker_left", company=move.actor))
    price = station_price(state, company)
    if price > company.treasury:
        values: dict[str, Value] = {"company": move.actor, "needed": price, "has": company.treasury}
        found.append(refuse(move, "", "CZ-10.3", "station_not_paid", "", **values))
    if move.hex not in MAPS[state.board].hexes:
        return [*found, refuse(move, "hex", "CZ-18.1", "unknown_hex", hex=move.hex)]
    now = layout(state, move.hex)
    if not 0 <= move.city < len(now.cities):
        return [
            *found,
            refuse(move, "city", "CZ-10.2", "no_such_city", move.hex, hex=move.hex, city=move.city),
        ]
    return found + _verify_place(state, move, company, now.slots)


def _verify_place(state: State, move: PlaceStation, company: Company, slots: int) -> list[Violation]:
    found: list[Violation] = []
    at: dict[str, Value] = {"hex": move.hex, "company": move.actor}
    own = [station.city for station in company.stations if station.hex == move.hex]
    if own:
        found.append(refuse(move, "hex", "CZ-10.2", "station_second_in_hex", move.hex, **at))
    if (move.hex, move.city) not in reach(state, move.actor).cities:
        found.append(refuse(move, "hex", "CZ-10.2", "station_not_reachable", move.hex, **at))
    if not -1 <= move.slot < slots:
        found.append(refuse(move, "slot", "CZ-10.2", "no_such_slot", move.hex, hex=move.hex, slot=move.slot))
    if move.city in own:
        return found  # which slots are left there follows from the station that it already has
    free = free_slots(state, occupants(state), move.hex, move.city)
    if not free:
        found.append(refuse(move, "city", "CZ-10.2", "no_free_slot", move.hex, hex=move.hex))
        return found
    if not open_slots(state, company, move.hex, move.city):
        homes = ", ".join(reservations(state, move.hex, move.city))
        found.append(refuse(move, "city", "CZ-10.4", "slot_reserved", move.hex, hex=move.hex, homes=homes))
    if 0 <= move.slot < slots and move.slot not in free:
        found.append(refuse(move, "slot", "CZ-10.2", "slot_taken", move.hex, hex=move.hex, slot=move.slot))
    return found


def do_place_station(state: State, move: PlaceStation) -> list[Event]:
    company = state.companies[move.actor]
    price = station_price(state, company)
    changes = (pay_company(state, move.actor, -price),) if price else ()
    slot = move.slot if move.slot >= 0 else open_slots(state, company, move.hex, move.city)[0]
    _put(state, company, move.hex, move.city, slot)
    operating_turn(state).station_placed = True
    values: dict[str, Value] = {"company": move.actor, "hex": move.hex}
    if price:
        values["price"] = price
    return [Event("station_placed", "CZ-10.2", values, changes)]


def place_station_options(state: State, query: Query) -> Iterator[Option[PlaceStation]]:
    """One option for each city; the slot is left to the rules."""
    company = acting_company(state)
    price = station_price(state, company)
    if operating_turn(state).station_placed or company.markers < 1 or price > company.treasury:
        return
    hexes = MAPS[state.board].hexes
    own = {station.hex for station in company.stations}
    places = sorted(reach(state, company.symbol).cities, key=lambda place: (hexes[place[0]].index, place[1]))
    for hex_name, city in places:
        if hex_name in own or query.place not in ("", hex_name):
            continue
        if open_slots(state, company, hex_name, city):
            yield Option("place_station", PlaceStation(company.symbol, hex_name, city))


# --- after an acquisition ---------------------------------------------------------------------------


def verify_remove_station(state: State, move: RemoveStation) -> list[Violation]:
    """CZ-13.6: one of two own stations in one of the hexes that are still to be decided."""
    hexes = state.pending[0].hexes
    values: dict[str, Value]
    if move.hex not in hexes:
        values = {"hex": move.hex, "hexes": ", ".join(hexes)}
        return [refuse(move, "hex", "CZ-13.6", "no_station_to_remove", "", **values)]
    stations = state.companies[move.actor].stations
    if not any(station.hex == move.hex and station.city == move.city for station in stations):
        values = {"company": move.actor, "hex": move.hex, "city": move.city}
        return [refuse(move, "city", "CZ-13.6", "no_own_station_there", move.hex, **values)]
    return []


def do_remove_station(state: State, move: RemoveStation) -> list[Event]:
    """Lifts the station; the decision is closed when no hex is left."""
    company = state.companies[move.actor]
    company.stations[:] = [s for s in company.stations if (s.hex, s.city) != (move.hex, move.city)]
    company.markers += 1
    state.pending[0].hexes.remove(move.hex)
    if not state.pending[0].hexes:
        state.pending.pop(0)
    return [Event("station_removed", "CZ-13.6", {"company": move.actor, "hex": move.hex, "city": move.city})]


def remove_station_options(state: State, query: Query) -> Iterator[Option[RemoveStation]]:
    pending = state.pending[0]
    for hex_name in pending.hexes:
        for station in state.companies[pending.company].stations:
            if station.hex == hex_name and query.place in ("", hex_name):
                yield Option("remove_station", RemoveStation(pending.company, hex_name, station.city))
