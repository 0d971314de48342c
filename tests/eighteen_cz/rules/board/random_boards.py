"""Random boards for the comparison of fast searches with plain ones: tiles laid as the rules let them be,
by companies that pay nothing and never stop."""

from random import Random

from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.home_tiles import do_lay_home_tile
from services.eighteen_cz.rules.moves import LayHomeTile
from services.eighteen_cz.rules.placing import placeable, put_tile
from services.eighteen_cz.rules.reach import reach
from services.eighteen_cz.rules.state import OperatingTurn, State, Station, Tile
from services.eighteen_cz.rules.stations import open_slots, place_home
from services.eighteen_cz.rules.tiles import home_rotations
from tests.eighteen_cz.rules.table import new_game


def random_board(seed: int, lays: int, companies: tuple[str, ...], players: int = 3) -> State:
    """`lays` tiles around the homes of some companies, and stations where their track leads."""
    random = Random(seed)
    state = new_game(players, variant="" if players == 2 else "standard")
    state.pending.clear()
    state.phase = "j"
    state.operating = OperatingTurn(list(companies))
    for symbol in companies:
        _bring_home(state, symbol, random)
    for _ in range(lays):
        symbol = random.choice(companies)
        purple = random.random() < 0.3
        places = list(placeable(state, symbol, "", purple))
        if places:
            hex_name, candidate = random.choice(places)
            put_tile(state, symbol, hex_name, Tile(candidate.number, random.choice(candidate.rotations)))
            state.pending.clear()
        if random.random() < 0.2:
            _add_station(state, symbol, random)
    return state


def _bring_home(state: State, symbol: str, random: Random) -> None:
    company = state.companies[symbol]
    company.status, company.director = "launched", "G1"
    if facts.COMPANIES[symbol].home_tile:
        sites = [
            LayHomeTile(symbol, site, rotation)
            for site in facts.COMPANIES[symbol].home_hexes
            for rotation in home_rotations(state.board, symbol, site)
        ]
        do_lay_home_tile(state, random.choice(sites))
    else:
        place_home(state, symbol)


def _add_station(state: State, symbol: str, random: Random) -> None:
    company = state.companies[symbol]
    own = {station.hex for station in company.stations}
    cities = [
        (hex_name, city, slots[0])
        for hex_name, city in sorted(reach(state, symbol).cities)
        if hex_name not in own and (slots := open_slots(state, company, hex_name, city))
    ]
    if cities and company.markers:
        company.stations.append(Station(*random.choice(cities)))
        company.markers -= 1
