"""SR-10.3 to 10.5: reachability against a dense grid, and witnesses."""

from heapq import heappop, heappush
from math import hypot
from random import Random

import pytest

from services.ruleset.protocol import Budget, Query
from services.string_railway.rules.moves import LayString
from services.string_railway.rules.reach import pairs, string_network
from services.string_railway.rules.squares import Square
from services.string_railway.rules.state import State, Station
from services.string_railway.rules.table import tile
from tests.string_railway.rules.positions import RULES, codes, do, station, string, table

STEP = 4_000
WAYS = [(i, j) for i in range(-3, 4) for j in range(-3, 4) if (i, j) != (0, 0)]
LONGER = 1.03
"""A grid path with these ways is longer than the shortest by less than this."""


def walled(seed: int) -> State:
    """A board with full Country Stations and a Terminal in the way of red."""
    chance = Random(seed)
    stations: list[Station] = [station("N", "central", 330, 40), station("T", "terminal", 150, 150, 20)]
    strings = []
    for number in range(6):
        x, y = 90 + 45 * number + chance.randint(0, 2), chance.choice([30, 80, 130, 180])
        stations.append(station(f"W{number}", "country", x, y, chance.choice([0, 20, 45, 70])))
        strings.append(string(f"b{number}", "blue", (x, y), (x + 5, y + 1)))
    return table(*stations, strings=strings)


def grid_distance(start: Square, end: Square, walls: list[Square]) -> float:
    """The shortest path over a dense grid, by points that lie in no wall."""
    free: dict[tuple[int, int], bool] = {}

    def is_free(x: int, y: int) -> bool:
        if (x, y) not in free:
            inside = 0 <= x <= 800_000 and 0 <= y <= 800_000
            free[x, y] = inside and not any(wall.has_point((x, y)) for wall in walls)
        return free[x, y]

    queue: list[tuple[float, int, int]] = []
    left, bottom, right, top = start.box
    for x in range(left - left % STEP, right + STEP, STEP):
        for y in range(bottom - bottom % STEP, top + STEP, STEP):
            if start.has_point((x, y)):
                heappush(queue, (0.0, x, y))
    done = set()
    while queue:
        length, x, y = heappop(queue)
        if (x, y) in done:
            continue
        done.add((x, y))
        if end.has_point((x, y)):
            return length
        for i, j in WAYS:
            to = x + i * STEP, y + j * STEP
            if to not in done and is_free(*to) and is_free((x + to[0]) // 2, (y + to[1]) // 2):
                heappush(queue, (length + STEP * hypot(i, j), *to))
    return float("inf")


@pytest.mark.parametrize("seed", range(4))
def test_sr_10_4_distances_agree_with_a_dense_grid(seed: int) -> None:
    state = walled(seed)
    tiles = {each.id: tile(each) for each in state.stations}
    found = {pair.end: pair for pair in pairs(state, "red", Budget()) if pair.start == "R0"}
    assert set(string_network(state, "red").blocked) == {f"W{n}" for n in range(6)}
    for end in ("N", "T"):
        walls = [each for name, each in tiles.items() if name[0] == "W" or (name == "T" and end != "T")]
        route = found[end].route
        assert route is not None
        rough = grid_distance(tiles["R0"], tiles[end], walls)
        assert route.length - 1 <= rough <= route.length * LONGER + 4 * STEP


@pytest.mark.parametrize("seed", range(4))
def test_sr_10_5_witnesses_are_legal_and_complete(seed: int) -> None:
    state = walled(seed)
    reachable = {
        (pair.start, pair.end, length)
        for pair in pairs(state, "red", Budget())
        for length in pair.reachable
        if not pair.undecided
    }
    options = list(RULES.legal_moves(state, Query(), Budget()))
    offered = set()
    for option in options:
        assert isinstance(option.move, LayString) and codes(do(state, option.move)) == []
        ends = [
            next(each.id for each in state.stations if tile(each).has_point(point))
            for point in (option.move.path[0], option.move.path[-1])
        ]
        offered.add((ends[0], ends[1], option.move.length))
    assert reachable <= offered
    assert options[-1].optimality == "BUDGET_EXHAUSTED"


def test_sr_10_6_the_best_string_takes_stations_on_its_way() -> None:
    state = table(station("A", "central", 150, 90), station("B", "urban", 300, 30, owner="red"))
    *witnesses, best = RULES.legal_moves(state, Query(), Budget())
    own = [sum(change.after - change.before for change in option.preview) for option in witnesses]
    assert max(own) == 3
    assert [(change.subject, change.after - change.before) for change in best.preview] == [("red", 6)]
    assert best.optimality == "BUDGET_EXHAUSTED" and codes(do(state, best.move)) == []


def test_a_query_for_a_station_gives_only_strings_to_it() -> None:
    state = walled(1)
    found = list(RULES.legal_moves(state, Query(place="N"), Budget()))
    goal = next(tile(each) for each in state.stations if each.id == "N")
    assert found
    for option in found:
        assert isinstance(option.move, LayString)
        assert any(goal.has_point(point) for point in (option.move.path[0], option.move.path[-1]))


def test_a_small_budget_ends_the_search() -> None:
    state = walled(2)
    assert len(list(RULES.legal_moves(state, Query(), Budget(50)))) < len(
        list(RULES.legal_moves(state, Query(), Budget()))
    )
