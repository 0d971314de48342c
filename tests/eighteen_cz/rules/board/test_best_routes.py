"""The search for the best route set: compared with trying everything, and bounded (CZ-11.11)."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.best_routes import best_run
from services.eighteen_cz.rules.cities import closed_cities
from services.eighteen_cz.rules.network import Network, network
from services.eighteen_cz.rules.routes import canonical, run_value, verify_run_trains
from services.eighteen_cz.rules.sections import Section, sections
from services.eighteen_cz.rules.state import State
from services.eighteen_cz.rules.tracing import Run
from services.ruleset.protocol import Budget, OutOfTime
from tests.eighteen_cz.rules.board.random_boards import random_board

COMPANIES = ("BCB", "EKJ", "BN", "BTE", "MW", "kk", "SX", "BY")
TRAINS = {
    "small": (("2a",), ("3c", "2b"), ("4e", "3d")),
    "medium": (("2+2b",), ("3+3d", "2+2c"), ("3+3e", "3+3d")),
    "large": (("3Ed",), ("4Ef",), ("3Ed", "3Ee"), ("4Ef", "3Ed")),
}


def all_runs(state: State, net: Network, symbol: str, train: str) -> Iterator[Run]:
    """Every legal route of a train, by walking from every location and asking nothing but the rules."""
    version = facts.VERSIONS[train]
    closed = closed_cities(state, symbol)
    own = {(station.hex, station.city) for station in state.companies[symbol].stations}

    def walk(stops: tuple[int, ...], legs: tuple[Section, ...], used: int) -> Iterator[Run]:
        here = net.locations[stops[-1]]
        visited = [net.locations[stop] for stop in stops]
        cities = sum(location.city for location in visited)
        if cities > version.cities or (version.size != "large" and len(stops) > version.stops):
            return
        if len(stops) > 1 and any((location.hex, location.number) in own for location in visited):
            yield Run(train, stops, legs)
        if len(stops) > 1 and (here.red or (here.hex, here.number) in closed):
            return
        for section in sections(net).of[stops[-1]]:
            there = net.locations[section.to]
            if not used & section.used and all(there.visit != location.visit for location in visited):
                yield from walk((*stops, section.to), (*legs, section), used | section.used)

    for start in range(len(net.locations)):
        yield from walk((start,), (), 0)


def best_by_trying(state: State, symbol: str, trains: tuple[str, ...]) -> int:
    net = network(state)
    values: list[dict[int, int]] = []
    for train in trains:
        best: dict[int, int] = {}
        for run in all_runs(state, net, symbol, train):
            best[run.used] = max(best.get(run.used, 0), run_value(state, symbol, net, run))
        values.append(best)

    def together(place: int, used: int) -> int:
        if place == len(trains):
            return 0
        idle = together(place + 1, used)
        running = (
            value + together(place + 1, used | mask)
            for mask, value in values[place].items()
            if not mask & used
        )
        return max(idle, max(running, default=0))

    return together(0, 0)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("as_site", [False, True])
def test_the_same_as_trying_everything(seed: int, as_site: bool) -> None:
    state = random_board(seed, 20 + 6 * seed, COMPANIES)
    if as_site:
        switches = {"express_counts_more_than_three_towns": False, "express_must_count_every_city": False}
        state.switches = replace(state.switches, **switches)  # type: ignore[arg-type]
    for number, symbol in enumerate(COMPANIES):
        choices = TRAINS[facts.COMPANIES[symbol].size]
        trains = choices[(seed + number) % len(choices)]
        state.companies[symbol].trains = list(trains)
        move, revenue, optimality = best_run(state, symbol, Budget())
        assert optimality == "PROVEN"
        assert move.revenue == revenue == best_by_trying(state, symbol, trains)
        assert not verify_run_trains(state, move)
        assert canonical(state, move) == move


def test_no_train_no_station_no_track() -> None:
    state = random_board(1, 20, COMPANIES)
    for symbol, trains in (("BCB", []), ("KFN", ["3+3d"]), ("BCB", ["3+3d"])):
        state.companies[symbol].trains = trains
        move, revenue, optimality = best_run(state, symbol, Budget())
        assert (move.routes, revenue, optimality) == ((), 0, "PROVEN")


def test_a_used_up_budget_gives_the_best_so_far() -> None:
    state = random_board(3, 120, COMPANIES)
    state.companies["kk"].trains = ["8Ej", "8Ej"]
    proven, best, _ = best_run(state, "kk", Budget())
    assert verify_run_trains(state, proven) == []
    reached = []
    for nodes in (0, 1, 5, 20, 40):
        move, revenue, optimality = best_run(state, "kk", Budget(nodes))
        assert optimality == "BUDGET_EXHAUSTED"
        assert not verify_run_trains(state, move) and move.revenue == revenue <= best
        reached.append(revenue)
        assert best_run(state, "kk", Budget(nodes)) == (move, revenue, optimality)
    assert reached[-1] > 0


def test_a_deadline_stops_the_search() -> None:
    class Late(Budget):
        def spend(self, nodes: int = 1) -> bool:
            raise OutOfTime

    state = random_board(3, 40, COMPANIES)
    state.companies["kk"].trains = ["3Ed"]
    with pytest.raises(OutOfTime):
        best_run(state, "kk", Late())
