"""What the options of the board offer is exactly what the verify functions accept."""

from itertools import product

import pytest

from services.eighteen_cz.rules import purple, stations, track
from services.eighteen_cz.rules.hexmap import EDGES, MAPS
from services.eighteen_cz.rules.moves import LayPurpleTile, LayTile, PlaceStation
from services.eighteen_cz.rules.reach import reach
from services.eighteen_cz.rules.state import OperatingTurn, State
from services.eighteen_cz.rules.tiles import KINDS
from services.ruleset.answers import Option
from services.ruleset.protocol import Query
from tests.eighteen_cz.rules.board.random_boards import random_board

COMPANIES = ("BCB", "BN", "kk", "BY")


def position(seed: int, symbol: str) -> State:
    """A random board with the company on turn, some locals and little money."""
    state = random_board(seed, 30 + 20 * seed, COMPANIES, players=2 if seed == 1 else 3)
    state.phase = "fi"[seed % 2]
    for local, owner in (("S1", "BCB"), ("S2", "BN"), ("M1", "BN"), ("M2", "kk"), ("L1", "kk")):
        state.locals[local].owner = owner
    state.companies[symbol].treasury = 10
    state.companies[symbol].operated = seed % 2 == 0
    state.operating = OperatingTurn([symbol])
    return state


def spelled(option: Option[LayTile] | Option[LayPurpleTile]) -> set[tuple[object, ...]]:
    """Every move that an option stands for."""
    choices = {parameter.path.split(".")[1]: parameter.values for parameter in option.parameters}  # type: ignore[union-attr]
    move = option.move
    locals_ = (
        choices.get("waiver", (move.waiver,))
        if isinstance(move, LayTile)
        else choices.get("local", (move.local,))
    )
    rotations = choices.get("rotation", (move.rotation,))
    return {(move.hex, move.tile, rotation, local) for rotation in rotations for local in locals_}


@pytest.mark.parametrize(("seed", "symbol"), list(product(range(3), COMPANIES)))
def test_lays(seed: int, symbol: str) -> None:
    state = position(seed, symbol)
    options = track.lay_tile_options(state, Query())
    offered = set().union(*(spelled(option) for option in options))
    purples = set().union(*(spelled(option) for option in purple.lay_purple_tile_options(state, Query())))
    hexes = sorted(reach(state, symbol).edges)[seed::5] + list(MAPS[state.board].hexes)[seed::29]
    locals_ = ["", "M6", *(local.symbol for local in state.locals.values() if local.owner == symbol)]
    for hex_name, (number, kind), rotation in product(hexes, KINDS.items(), EDGES):
        for local in locals_:
            if kind.purple:
                laid = purple.verify_lay_purple_tile(
                    state, LayPurpleTile(symbol, local, hex_name, number, rotation)
                )
                assert ((hex_name, number, rotation, local) in purples) == (not laid)
            else:
                refused = track.verify_lay_tile(state, LayTile(symbol, hex_name, number, rotation, local))
                assert ((hex_name, number, rotation, local) in offered) == (not refused)


@pytest.mark.parametrize(("seed", "symbol"), list(product(range(3), COMPANIES)))
def test_stations(seed: int, symbol: str) -> None:
    state = position(seed, symbol)
    company = state.companies[symbol]
    company.treasury, company.markers = 100, 1
    offered = {(o.move.hex, o.move.city) for o in stations.place_station_options(state, Query())}
    for hex_name, city in product(MAPS[state.board].hexes, range(4)):
        refused = stations.verify_place_station(state, PlaceStation(symbol, hex_name, city))
        assert ((hex_name, city) in offered) == (not refused)
