"""What a company reaches: compared with a plain search over every path, and by example (CZ-9.7)."""

import pytest

from services.eighteen_cz.rules.cities import closed_cities
from services.eighteen_cz.rules.network import Network, network
from services.eighteen_cz.rules.reach import reach
from services.eighteen_cz.rules.state import State
from tests.eighteen_cz.rules.board.boards import turn_of
from tests.eighteen_cz.rules.board.random_boards import random_board
from tests.eighteen_cz.rules.table import Co

COMPANIES = ("BCB", "BN", "MW", "kk", "SX")


def every_path(state: State, symbol: str) -> tuple[set[int], set[tuple[str, int]]]:
    """Hexsides and cities of every path that repeats nothing, by plain recursion."""
    net = network(state)
    closed = closed_cities(state, symbol)
    hexsides: set[int] = set()
    cities: set[tuple[str, int]] = set()

    def follow(net: Network, side: int, used: frozenset[int], visited: frozenset[int]) -> None:
        hexside = net.map.hexside[side]
        if hexside in used:
            return
        hexsides.add(hexside)
        entry = net.map.across[side]
        for end in net.ends.get(entry, ()):
            if end >= 0:
                follow(net, end, used | {hexside}, visited)
                continue
            location = net.locations[~end]
            if ~end in visited:
                continue
            if location.city:
                cities.add((location.hex, location.number))
            if not location.red and (location.hex, location.number) not in closed:
                for out in location.sides:
                    if out != entry:
                        follow(net, out, used | {hexside}, visited | {~end})

    for station in state.companies[symbol].stations:
        cities.add((station.hex, station.city))
        start = net.at.get((station.hex, station.city))
        if start is not None:
            for side in net.locations[start].sides:
                follow(net, side, frozenset(), frozenset({start}))
    return hexsides, cities


@pytest.mark.parametrize("seed", range(12))
def test_the_same_as_every_path(seed: int) -> None:
    state = random_board(seed, 25 + 10 * seed, COMPANIES)
    map_ = network(state).map
    for symbol in COMPANIES:
        hexsides, cities = every_path(state, symbol)
        expected = {
            station.hex: map_.hexes[station.hex].open_edges for station in state.companies[symbol].stations
        }
        for side, hexside in enumerate(map_.hexside):
            if hexside in hexsides:
                name = map_.by_index[side // 6].name
                expected[name] = expected.get(name, 0) | 1 << side % 6
        found = reach(state, symbol)
        assert found.edges == expected
        assert found.cities == cities


def test_all_edges_of_a_hex_with_an_own_station() -> None:
    found = reach(turn_of("BCB").state, "BCB")
    assert found.edges == {"E16": 63} and found.cities == {("E16", 0)}


def test_no_turning_back_at_a_switch() -> None:
    """On E18 track from E20 parts to E16 and D17: who comes from E16 does not get to D17."""
    tiles = {"E16": "57:1", "E18": "23:4", "D17": "57:2"}
    found = reach(turn_of("BCB", tiles).state, "BCB")
    assert found.edges["E18"] == 1 << 1 | 1 << 4 and "D17" not in found.edges
    looped = {**tiles, "E20": "9:1", "E22": "57:1", "D21": "7:4", "D19": "8:2"}
    assert "D17" not in reach(turn_of("BCB", looped).state, "BCB").edges


def test_a_red_location_is_an_end() -> None:
    """kk's home on J15 joins J13 and I14 for kk alone."""
    tiles = {"I10": "57:1", "I12": "621:1", "I14": "8:5"}
    table = turn_of("VBW", tiles, others={"kk": Co(trains=("3Ee",))})
    own, foreign = reach(table.state, "kk"), reach(table.state, "VBW")
    assert ("J15", 0) in foreign.cities and "J13" not in foreign.edges
    assert {"J13", "I14", "I12"} <= own.edges.keys()
