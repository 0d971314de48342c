"""Stations (CZ-10), ATE's choice on B9 (CZ-9.13), two stations in one hex (CZ-13.6)."""

from typing import Any

import pytest

from services.eighteen_cz.rules import stations
from services.eighteen_cz.rules.moves import ChooseHomeCity, LayTile, PlaceStation, RemoveStation
from services.eighteen_cz.rules.state import Pending, Station
from services.ruleset.answers import Change
from services.ruleset.protocol import Query
from tests.eighteen_cz.rules.board.boards import turn_of
from tests.eighteen_cz.rules.table import Co, Table

LINE = {"E16": "57:1", "E18": "9:1", "E20": "9:1", "E22": "57:1"}  # Pardubice to Olomouc


def bcb(tiles: dict[str, str] = LINE, **more: Any) -> Table:
    return turn_of("BCB", tiles, step="station", **more)


def test_a_station_in_a_city_that_track_reaches() -> None:
    table = bcb()
    [event, *_] = table.play(PlaceStation("BCB", "E22", 0))
    company = table.state.companies["BCB"]
    assert event.changes == (Change("BCB", "treasury", 500, 460),)
    assert company.stations == [Station("E16", 0, 0), Station("E22", 0, 0)] and company.markers == 1
    assert table.turn.step == "run"


def test_prices_follow_the_stations_on_the_map() -> None:  # CZ-10.3
    table = bcb()
    company = table.state.companies["BCB"]
    assert stations.station_price(table.state, company) == 40
    company.stations.append(Station("E22", 0, 0))
    assert stations.station_price(table.state, company) == 100
    company.stations += [Station("G12", 0, 0), Station("D5", 0, 0)]
    assert stations.station_price(table.state, company) == 100


def test_options_are_the_open_cities() -> None:
    [option] = bcb().options("place_station")
    assert option.move == PlaceStation("BCB", "E22", 0)
    assert option.preview == (Change("BCB", "treasury", 500, 460),)
    assert not bcb(treasury=39).options("place_station")
    assert not list(stations.place_station_options(bcb().state, Query(place="E16")))


@pytest.mark.parametrize(
    ("move", "rule_id", "reason"),
    [
        (PlaceStation("BCB", "X1", 0), "CZ-18.1", "unknown_hex"),
        (PlaceStation("BCB", "E22", 1), "CZ-10.2", "no_such_city"),
        (PlaceStation("BCB", "E22", -1), "CZ-10.2", "no_such_city"),
        (PlaceStation("BCB", "E18", 0), "CZ-10.2", "no_such_city"),
        (PlaceStation("BCB", "E22", 0, 1), "CZ-10.2", "no_such_slot"),
        (PlaceStation("BCB", "E22", 0, -2), "CZ-10.2", "no_such_slot"),
        (PlaceStation("BCB", "E16", 0), "CZ-10.2", "station_second_in_hex"),
        (PlaceStation("BCB", "F23", 0), "CZ-10.2", "station_not_reachable"),
        (PlaceStation("BCB", "F23", 0), "CZ-10.4", "slot_reserved"),
    ],
)
def test_refusals(move: PlaceStation, rule_id: str, reason: str) -> None:
    assert (rule_id, reason) in bcb().refused(move)


def test_a_station_that_cannot_be_paid() -> None:  # CZ-10.3
    assert bcb(treasury=39).refused(PlaceStation("BCB", "E22", 0)) == {("CZ-10.3", "station_not_paid")}
    assert not bcb(treasury=40).refused(PlaceStation("BCB", "E22", 0))


def test_no_marker_left_and_one_station_a_turn() -> None:  # CZ-1.8, 10.2
    table = bcb()
    move = PlaceStation("BCB", "E22", 0)
    company, turn = table.state.companies["BCB"], table.state.operating
    assert turn is not None
    company.markers = 0
    turn.station_placed = True
    found = {(v.rule_id, v.reason) for v in stations.verify_place_station(table.state, move)}
    assert found == {("CZ-1.8", "no_marker_left"), ("CZ-10.2", "station_already_placed")}
    assert not list(stations.place_station_options(table.state, Query()))


def test_a_full_city_can_be_reached_but_not_entered() -> None:  # CZ-10.2
    table = bcb(others={"MW": Co(trains=("4e",))}, stations={"MW": [("E22", 0, 0)]})
    assert table.refused(PlaceStation("BCB", "E22", 0)) == {("CZ-10.2", "no_free_slot")}
    assert not table.options("place_station")


def test_slots_are_given_from_the_lowest_that_is_open() -> None:
    two = {**LINE, "E22": "14:1"}
    table = bcb(two, others={"MW": Co(trains=("4e",))}, stations={"MW": [("E22", 0, 0)]})
    assert table.refused(PlaceStation("BCB", "E22", 0, 0)) == {("CZ-10.2", "slot_taken")}
    table.play(PlaceStation("BCB", "E22", 0))
    assert table.state.companies["BCB"].stations[-1] == Station("E22", 0, 1)
    chosen = bcb(two)
    chosen.play(PlaceStation("BCB", "E22", 0, 1))
    assert chosen.state.companies["BCB"].stations[-1] == Station("E22", 0, 1)


def test_a_slot_is_kept_for_the_home_company() -> None:  # CZ-10.4
    to_brno = {"F23": "5:0", "G22": "58:1"}
    single = turn_of("MW", {**to_brno, "G20": "621:1"}, step="station")
    assert single.refused(PlaceStation("MW", "G20", 0)) == {("CZ-10.4", "slot_reserved")}
    double = turn_of("MW", {**to_brno, "G20": "208:0"}, step="station")
    double.play(PlaceStation("MW", "G20", 0))
    assert double.state.companies["MW"].stations[-1] == Station("G20", 0, 1)  # slot 0 waits for KFN


def test_praha_keeps_the_cities_of_its_companies() -> None:  # CZ-9.12, 10.4
    tiles = {"E16": "57:1", "E14": "55:1", "E12": "8891:1", "F13": "3:2"}  # Praha's exits 1 3 4 5
    table = bcb(tiles, others={"BN": Co(trains=("3+3e",))})
    assert table.state.companies["BN"].stations == [Station("E12", 1, 0)]  # the city of edge 3
    assert not table.refused(PlaceStation("BCB", "E12", 2))
    assert ("CZ-10.4", "slot_reserved") in table.refused(PlaceStation("BCB", "E12", 3))  # NWB's, edge 5
    brown = bcb({**tiles, "E12": "8892:0"}, phase="g", trains=("5g",))
    brown.play(PlaceStation("BCB", "E12", 0))
    assert brown.state.companies["BCB"].stations[-1] == Station("E12", 0, 2)  # 0 and 1 wait for NWB and BN


def test_b9_is_for_ate_alone_while_its_cities_have_one_slot() -> None:  # CZ-10.4
    home = {"A8": "8896:5"}  # exits 5 and 0, B9 lies across edge 5
    green = turn_of("SX", {**home, "B9": "8859:2"}, step="station")
    assert green.refused(PlaceStation("SX", "B9", 0)) == {("CZ-10.4", "slot_reserved")}
    assert ("CZ-10.4", "slot_reserved") in green.refused(PlaceStation("SX", "B9", 1))
    brown = turn_of("SX", {**home, "B9": "8896p:2"}, step="station", phase="g", trains=("4Eg",))
    brown.play(PlaceStation("SX", "B9", 0))
    assert brown.state.companies["SX"].stations[-1] == Station("B9", 0, 1)
    without = turn_of("SX", {**home, "B9": "8859:2"}, step="station")
    ate = without.state.companies["ATE"]
    ate.status, ate.markers = "acquired", 0
    without.state.companies["SX"].markers += 3
    without.play(PlaceStation("SX", "B9", 0))  # an acquired company needs no home any more


# --- ATE ---------------------------------------------------------------------------------------------


def test_ate_chooses_its_city_on_b9() -> None:  # CZ-10.1
    table = turn_of("ATE", step="home_city", operated=False, trains=())
    assert [option.move for option in table.options("choose_home_city")] == [
        ChooseHomeCity("ATE", 0),
        ChooseHomeCity("ATE", 1),
    ]
    assert table.refused(ChooseHomeCity("ATE", 2)) == {("CZ-10.1", "not_a_home_city")}
    assert table.refused(ChooseHomeCity("ATE", -1)) == {("CZ-10.1", "not_a_home_city")}
    [event, *_] = table.play(ChooseHomeCity("ATE", 1))
    ate = table.state.companies["ATE"]
    assert event.kind == "home_placed"
    assert ate.stations == [Station("B9", 1, 0)] and ate.markers == 2 and ate.treasury == 500
    assert table.turn.step == "track"


@pytest.mark.parametrize("layer", ["ATE", "SX"])
def test_whoever_lays_the_first_tile_on_b9_chooses_the_city(layer: str) -> None:  # CZ-9.13
    others = {"ATE": Co(trains=("3+3e",))} if layer == "SX" else {}
    table = turn_of(layer, others=others)
    before = table.state.companies[layer].treasury
    table.play(LayTile(layer, "B9", "8859", 2))  # exits 5 2 and 4 1; A8 lies across edge 2
    assert table.turn.actor == layer and table.turn.step == "home_city"
    assert table.refused(ChooseHomeCity(layer, 2)) == {("CZ-9.13", "not_a_home_city")}
    assert len(table.options("choose_home_city")) == 2
    [event, *_] = table.play(ChooseHomeCity(layer, 1))
    assert event.kind == "station_city_chosen"
    assert table.state.companies["ATE"].stations == [Station("B9", 1, 0)]
    assert table.state.companies[layer].treasury == before - 10  # the river, nothing for the station
    assert table.turn.step == "station"


# --- two stations in one hex --------------------------------------------------------------------------


def doubled() -> Table:
    others = {"BCB": Co(trains=("4e",))}  # could be acquired, so that the step goes on
    table = turn_of("ATE", {"B9": "8859:0"}, step="acquire", others=others)
    ate = table.state.companies["ATE"]
    ate.stations.append(Station("B9", 1, 0))
    ate.markers += 2  # of an acquired company
    gone = table.state.companies["EKJ"]
    gone.status, gone.markers = "acquired", 0
    table.state.pending = [Pending("remove_station", company="ATE", hexes=["B9"])]
    table.check()
    return table


def test_one_of_two_stations_goes_back() -> None:  # CZ-13.6
    table = doubled()
    assert [option.move for option in table.options("remove_station")] == [
        RemoveStation("ATE", "B9", 0),
        RemoveStation("ATE", "B9", 1),
    ]
    [event, *_] = table.play(RemoveStation("ATE", "B9", 0))
    ate = table.state.companies["ATE"]
    assert event.kind == "station_removed"
    assert ate.stations == [Station("B9", 1, 0)] and ate.markers == 5
    assert not table.state.pending


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (RemoveStation("ATE", "D5", 0), "no_station_to_remove"),
        (RemoveStation("ATE", "B9", 2), "no_own_station_there"),
        (RemoveStation("ATE", "", -5), "no_station_to_remove"),
    ],
)
def test_refused_removals(move: RemoveStation, reason: str) -> None:
    assert doubled().refused(move) == {("CZ-13.6", reason)}
