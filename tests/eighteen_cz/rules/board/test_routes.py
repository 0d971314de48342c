"""Which routes may be run and what they earn, section by section (CZ-11)."""

from typing import Any

import pytest

from services.eighteen_cz.rules import facts, routes
from services.eighteen_cz.rules.moves import Route, RunTrains
from services.eighteen_cz.rules.revenue import worth
from tests.eighteen_cz.rules.board.boards import turn_of
from tests.eighteen_cz.rules.table import Co, Table

LINE = {"E16": "57:1", "E18": "9:1", "E20": "9:1", "E22": "57:1", "E14": "55:1", "E12": "8891:1"}
"""Olomouc E22 - Pardubice E16 - a town of E14 - Praha's city 2 on E12 (8891 turned by 1: exits 1 3 4 5)."""
PARDUBICE_OLOMOUC = Route("4e", ("E16", "E22"))
WHOLE = Route("4e", ("E22", "E16", "E14.0", "E12.2"))


def bcb(tiles: dict[str, str] = LINE, **more: Any) -> Table:
    return turn_of("BCB", tiles, step="run", **more)


def run(*runs: Route, revenue: int = -1, actor: str = "BCB") -> RunTrains:
    return RunTrains(actor, runs, revenue)


def earned(table: Table, *runs: Route) -> int:
    move = run(*runs, actor=table.turn.actor)
    assert not table.refused(move)
    return sum(revenue for _, revenue in routes.revenues(table.state, move))


def test_a_train_runs_and_earns() -> None:
    table = bcb()
    assert earned(table, PARDUBICE_OLOMOUC) == 40
    assert earned(table, WHOLE) == 20 + 20 + 10 + 40
    table.play(run(PARDUBICE_OLOMOUC))
    assert table.turn.step == "dividend"
    assert table.state.operating is not None and table.state.operating.runs == [("4e", 40)]


def test_the_canonical_form() -> None:
    table = bcb()
    move = run(Route("4e", ("E22", "E16.0")))
    expected = run(Route("4e", ("E16", "E22"), (("E16", "E18", "E20", "E22"),)), revenue=40)
    assert table.resolved(move) == routes.canonical(table.state, move) == expected
    assert routes.canonical(table.state, expected) == expected
    illegal = run(Route("4e", ("E22", "F23")))
    assert routes.canonical(table.state, illegal) is illegal
    assert routes.canonical(table.state, run(actor="nobody")) == run(actor="nobody")


def test_no_train_needs_to_run() -> None:  # CZ-8.3
    assert earned(bcb()) == 0


@pytest.mark.parametrize(
    ("move", "rule_id", "reason", "path"),
    [
        (run(Route("3c", ("E16", "E22"))), "CZ-11.1", "train_not_owned", "runTrains.routes[0].train"),
        (run(PARDUBICE_OLOMOUC, WHOLE), "CZ-11.1", "too_many_routes", "runTrains.routes"),
        (run(Route("4e", ())), "CZ-11.2", "route_too_short", "runTrains.routes[0].stops"),
        (run(Route("4e", ("E16",))), "CZ-11.2", "route_too_short", "runTrains.routes[0].stops"),
        (run(Route("4e", ("Z1", "E16"))), "CZ-18.1", "unknown_hex", "runTrains.routes[0].stops[0]"),
        (run(Route("4e", ("E16", "E18"))), "CZ-11.2", "no_such_stop", "runTrains.routes[0].stops[1]"),
        (run(Route("4e", ("E16", "E22.1"))), "CZ-11.2", "no_such_stop", "runTrains.routes[0].stops[1]"),
        (run(Route("4e", ("E16", "E22."))), "CZ-11.2", "no_such_stop", "runTrains.routes[0].stops[1]"),
        (run(Route("4e", ("E16", "E22.-1"))), "CZ-11.2", "no_such_stop", "runTrains.routes[0].stops[1]"),
        (run(Route("4e", ("E16", "E14"))), "CZ-11.2", "stop_ambiguous", "runTrains.routes[0].stops[1]"),
        (run(Route("4e", ("E16", "C8.0"))), "CZ-11.6", "stop_without_track", "runTrains.routes[0].stops[1]"),
        (
            run(Route("4e", ("E16", "E12.2"))),
            "CZ-11.2",
            "route_disconnected",
            "runTrains.routes[0].sections[0]",
        ),
        (
            run(Route("4e", ("E16", "E22"), (("E16", "E18", "E22"),))),
            "CZ-11.2",
            "no_such_section",
            "runTrains.routes[0].sections[0]",
        ),
        (
            run(Route("4e", ("E16", "E22"), (("E16", "D17", "E22"),))),
            "CZ-11.2",
            "no_such_section",
            "runTrains.routes[0].sections[0]",
        ),
        (
            run(Route("4e", ("E16", "E22"), (("E16", "E18", "E20", "E22"), ()))),
            "CZ-11.2",
            "section_count",
            "runTrains.routes[0].sections",
        ),
        (run(Route("4e", ("E14.0", "E12.2"))), "CZ-11.2", "route_no_station", "runTrains.routes[0].stops"),
        (run(Route("4e", ("E16", "E22", "E16"))), "CZ-11.4", "stop_twice", "runTrains.routes[0].stops[2]"),
        (run(PARDUBICE_OLOMOUC, revenue=50), "CZ-11.11", "revenue_wrong", "runTrains.revenue"),
        (run(revenue=-7), "CZ-11.11", "revenue_wrong", "runTrains.revenue"),
    ],
)
def test_refusals(move: RunTrains, rule_id: str, reason: str, path: str) -> None:
    violations = bcb().violations(move)
    assert [(v.rule_id, v.reason, v.path) for v in violations] == [(rule_id, reason, path)]


def test_trains_of_the_own_size() -> None:  # CZ-11.1, D-6
    tiles = {"E12": "8891:1", "E14": "55:1", "E16": "57:1"}
    move = run(Route("4e", ("E12.1", "E14.0", "E16")), actor="BN")
    table = turn_of("BN", tiles, step="run", trains=("4e", "3+3e"))
    assert ("CZ-11.1", "train_not_run") in table.refused(move)
    free = turn_of("BN", tiles, step="run", trains=("4e", "3+3e"), companies_run_smaller_trains=True)
    assert ("CZ-11.1", "train_not_run") not in free.refused(move)


def test_each_train_once() -> None:  # CZ-11.1
    table = bcb(phase="f", trains=("4e", "4f"))
    other = Route("4e", ("E16", "E14.0"))
    assert table.refused(run(PARDUBICE_OLOMOUC, other)) == {("CZ-11.1", "train_used_twice")}
    assert earned(table, PARDUBICE_OLOMOUC, Route("4f", ("E16", "E14.0"))) == 40 + 30


def test_no_track_for_two_trains() -> None:  # CZ-11.3
    table = bcb(phase="f", trains=("4e", "4f"))
    again = Route("4f", ("E22", "E16"))
    assert table.refused(run(PARDUBICE_OLOMOUC, again)) == {("CZ-11.3", "track_of_other_train")}


def test_no_hexside_twice_within_a_route() -> None:  # CZ-11.3
    """The sections from Olomouc to Pardubice and to Hradec share the hexsides of E20."""
    tiles = {"E16": "57:1", "E18": "23:4", "E20": "9:1", "E22": "57:1", "D17": "57:2"}
    table = bcb(tiles)
    assert earned(table, Route("4e", ("E16", "E22"))) == earned(table, PARDUBICE_OLOMOUC)
    assert table.refused(run(Route("4e", ("E16", "E22", "D17")))) == {("CZ-11.3", "track_twice")}


def test_no_turning_back_at_a_switch() -> None:  # CZ-11.3
    tiles = {"E16": "57:1", "E18": "23:4", "D17": "57:2"}
    back = Route("4e", ("E16", "D17"), (("E16", "E18", "D17"),))
    assert bcb(tiles).refused(run(back)) == {("CZ-11.2", "no_such_section")}


def test_a_stretch_is_named_where_there_are_several() -> None:  # CZ-11.2
    table = bcb({"E16": "14:0", "E18": "7:1", "D17": "14:2"}, phase="f", trains=("4e", "4f"))
    direct = Route("4e", ("D17", "E16"), (("D17", "E16"),))
    around = Route("4f", ("D17", "E16"), (("D17", "E18", "E16"),))
    assert table.refused(run(Route("4e", ("E16", "D17")))) == {("CZ-11.2", "section_ambiguous")}
    assert earned(table, direct, around) == 60 + 60


def test_praha_is_one_location() -> None:  # CZ-11.4
    tiles = {"E16": "5:1", "E14": "55:1", "D15": "8:5", "D13": "8:4", "E12": "8891:1"}
    table = bcb(tiles)
    round_trip = Route("4e", ("E12.2", "E14.0", "E16", "E12.1"))
    assert [(v.rule_id, v.reason, v.path) for v in table.violations(run(round_trip))] == [
        ("CZ-11.4", "stop_twice", "runTrains.routes[0].stops[3]")
    ]
    unbuilt = bcb({name: tile for name, tile in tiles.items() if name != "E12"})
    assert earned(unbuilt, Route("4e", ("E16", "E12.1"))) == 20 + 20


def test_a_city_full_of_foreign_stations_is_an_end() -> None:  # CZ-11.5
    tiles = {**LINE, "E24": "7:0", "F23": "57:0"}
    beyond = run(Route("4e", ("E16", "E22", "F23")))
    assert not bcb(tiles).refused(beyond)
    table = bcb(tiles, others={"MW": Co(trains=("4e",))}, stations={"MW": [("E22", 0, 0)]})
    assert table.refused(beyond) == {("CZ-11.5", "route_blocked")}
    assert earned(table, PARDUBICE_OLOMOUC) == 40


def test_a_red_location_is_an_end() -> None:  # CZ-11.5
    tiles = {"I12": "621:1", "I14": "8:5", "J13": "9:1", "J11": "58:2"}
    table = turn_of("kk", tiles, step="run")
    assert earned(table, Route("3Ee", ("J15", "I12"))) == 30 + 30 + 50
    through = run(Route("3Ee", ("I12", "J15", "J11")), actor="kk")
    assert table.refused(through) == {("CZ-11.5", "red_is_end")}


# --- how far a train goes and what it earns ----------------------------------------------------------

TO_SAXONY = {"E12": "8891:1", "D13": "9:0", "C14": "58:0", "B13": "621:2", "A12": "8:5", "A10": "4:1"}
"""Praha's city 1 - the town C14 - Liberec B13 - the town A10 - SX's home A8."""
FROM_PRAHA = ("E12.1", "C14", "B13", "A10", "A8")


def test_normal_trains() -> None:  # CZ-11.7
    route = ("E22", "E16", "E14.0", "E12.2")
    three = bcb(phase="d", trains=("3d",))
    assert three.refused(run(Route("3d", route))) == {("CZ-11.7", "route_too_long")}
    assert earned(three, Route("3d", route[:3])) == 20 + 20 + 10
    assert earned(bcb(), Route("4e", route)) == 20 + 20 + 10 + 40


def test_plus_trains() -> None:  # CZ-11.8
    def bn(phase: str, train: str) -> Table:
        others = {"SX": Co(trains=())}
        return turn_of("BN", TO_SAXONY, step="run", phase=phase, trains=(train,), others=others)

    two = bn("d", "2+2c")
    assert two.refused(run(Route("2+2c", FROM_PRAHA), actor="BN")) == {
        ("CZ-11.8", "route_too_long"),
        ("CZ-11.8", "too_many_cities"),
    }
    assert earned(two, Route("2+2c", FROM_PRAHA[:4])) == 40 + 10 + 30 + 10
    assert earned(bn("e", "3+3e"), Route("3+3e", FROM_PRAHA)) == 40 + 10 + 30 + 10 + 30


def sx(phase: str, train: str, **switches: Any) -> Table:
    tiles = {**TO_SAXONY, "E14": "55:1", "E16": "57:1"}
    if phase >= "g":
        tiles["E12"] = "8892:0"
    return turn_of("SX", tiles, step="run", phase=phase, trains=(train,), **switches)


TO_PARDUBICE = ("A8", "A10", "B13", "C14", "E12", "E14.0", "E16")


def test_express_trains() -> None:  # CZ-11.9, 11.10
    assert earned(sx("e", "3Ee"), Route("3Ee", FROM_PRAHA)) == 40 + 30 + 30 + 50
    assert earned(sx("f", "4Ef"), Route("4Ef", FROM_PRAHA)) == 40 + 30 + 30 + 10 + 50
    table = sx("g", "3Ee")
    assert table.refused(run(Route("3Ee", TO_PARDUBICE), actor="SX")) == {("CZ-11.9", "too_many_cities")}
    assert earned(sx("g", "4Eg"), Route("4Eg", TO_PARDUBICE)) == 40 + 30 + 60 + 20 + 50
    assert earned(sx("h", "5Eh"), Route("5Eh", TO_PARDUBICE)) == 40 + 30 + 60 + 20 + 10 + 50


def test_express_trains_that_never_count_towns() -> None:  # D-25
    table = sx("h", "5Eh", express_counts_towns=False)
    assert earned(table, Route("5Eh", TO_PARDUBICE)) == 40 + 30 + 60 + 20 + 50


def test_red_locations_follow_the_phase() -> None:  # CZ-11.6
    tiles = {"A10": "4:1", "A12": "8:5", "B13": "621:2"}
    for phase, value in (("e", 30), ("g", 40), ("i", 50)):
        table = turn_of("SX", tiles, step="run", phase=phase, trains=("3Ee",))
        assert earned(table, Route("3Ee", ("A8", "A10", "B13"))) == value + 30 + 10 + 50


def test_what_the_switches_of_express_trains_do() -> None:  # D-10, D-25
    def value(cities: list[int], towns: list[int], train: str, **switches: bool) -> int:
        profile = facts.profile("published", switches)
        return worth(profile, facts.VERSIONS[train], cities, towns)

    assert value([20, 20, 30], [30], "3Ee") == 70
    assert value([20, 20, 30], [30], "3Ee", express_must_count_every_city=False) == 80
    assert value([20, 20], [10] * 6, "8Ej") == 100
    assert value([20, 20], [10] * 6, "8Ej", express_counts_more_than_three_towns=False) == 70
    assert value([20, 20], [10] * 6, "8Ej", express_counts_towns=False) == 40


def test_the_best_run_is_offered_first() -> None:
    [option] = bcb(phase="f", trains=("4e", "4f")).options("run_trains")
    assert option.optimality == "PROVEN"
    assert isinstance(option.move, RunTrains) and option.move.revenue == 40 + 70
