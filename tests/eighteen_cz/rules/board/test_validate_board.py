"""Every invariant of tiles and stations, broken one by one."""

from collections.abc import Callable

import pytest

from services.eighteen_cz.rules.state import Pending, State, Station, Tile
from services.eighteen_cz.rules.validate_board import validate_board
from tests.eighteen_cz.rules.board.boards import turn_of
from tests.eighteen_cz.rules.table import Co, Table

TILES = {"E16": "57:1", "E18": "9:1", "E22": "14:1", "B9": "8859:0", "E12": "8891:1"}


def table() -> Table:
    others = {"SX": Co(trains=()), "ATE": Co(trains=("3+3e",)), "BN": Co(trains=("3+3e",))}
    return turn_of("BCB", TILES, others=others, stations={"BCB": [("E22", 0, 1)]})


def stations(symbol: str, *places: Station) -> Callable[[State], None]:
    def change(state: State) -> None:
        state.companies[symbol].stations[:] = places

    return change


def tile(name: str, number: str, rotation: int) -> Callable[[State], None]:
    def change(state: State) -> None:
        state.tiles[name] = Tile(number, rotation)

    return change


def tiles(number: str, rotation: int, *names: str) -> Callable[[State], None]:
    def change(state: State) -> None:
        for name in names:
            state.tiles[name] = Tile(number, rotation)

    return change


def phase(name: str) -> Callable[[State], None]:
    def change(state: State) -> None:
        state.phase = name

    return change


def no_tile(name: str) -> Callable[[State], None]:
    def change(state: State) -> None:
        del state.tiles[name]

    return change


def pending(*hexes: str) -> Callable[[State], None]:
    def change(state: State) -> None:
        state.pending = [Pending("home_city", company="BCB", hexes=list(hexes))]

    return change


HOME = Station("E16", 0, 0)
OLOMOUC = Station("E22", 0, 1)


def test_a_board_that_holds() -> None:
    assert validate_board(table().state) is None


@pytest.mark.parametrize(
    ("change", "rule_id", "reason"),
    [
        (tile("Z9", "57", 0), "CZ-18.1", "unknown_hex"),
        (tile("", "57", 0), "CZ-18.1", "unknown_hex"),
        (tile("D17", "x", 0), "CZ-1.6", "unknown_tile"),
        (tile("D17", "57", 6), "CZ-9.14", "unknown_rotation"),
        (tile("D17", "57", -3), "CZ-9.14", "unknown_rotation"),
        (tile("E20", "57", 0), "CZ-9.3", "board_impossible_tile"),
        (tile("I12", "57", 1), "CZ-9.3", "board_impossible_tile"),
        (tile("J11", "3", 0), "CZ-9.3", "board_impossible_tile"),
        (tile("D13", "9", 1), "CZ-9.3", "board_impossible_tile"),
        (tile("A22", "8894", 5), "CZ-9.3", "board_impossible_tile"),
        (tile("D1", "3", 4), "CZ-9.3", "board_impossible_tile"),
        (phase("c"), "CZ-9.2", "colour_not_open"),
        (tile("D17", "611", 1), "CZ-9.2", "colour_not_open"),
        (tiles("7", 1, "E18", "D15", "F15", "F17", "D19", "E20"), "CZ-9.11", "board_too_many_tiles"),
        (tile("D17", "15p", 1), "CZ-16.7", "board_too_many_purple"),
        (stations("BCB", HOME, Station("Q7", 0, 0)), "CZ-18.1", "unknown_hex"),
        (stations("BCB", HOME, Station("E22", 1, 0)), "CZ-10.2", "no_such_city"),
        (stations("BCB", HOME, Station("E22", -1, 0)), "CZ-10.2", "no_such_city"),
        (stations("BCB", HOME, Station("E18", 0, 0)), "CZ-10.2", "no_such_city"),
        (stations("BCB", HOME, Station("E22", 0, 2)), "CZ-10.2", "no_such_slot"),
        (stations("BCB", HOME, Station("E22", 0, -1)), "CZ-10.2", "no_such_slot"),
        (stations("ATE", Station("B9", 0, 0), OLOMOUC), "CZ-10.2", "slot_taken"),
        (stations("BCB", HOME, OLOMOUC, Station("E22", 0, 0)), "CZ-10.2", "station_second_in_hex"),
        (stations("BN", Station("E12", 1, 0), Station("E12", 2, 0)), "CZ-10.2", "station_second_in_hex"),
        (stations("BCB", OLOMOUC), "CZ-10.1", "board_no_home"),
        (stations("BCB"), "CZ-10.1", "board_no_home"),
        (stations("EKJ", Station("D5", 0, 0)), "CZ-10.1", "board_no_home"),
        (stations("SX", Station("G12", 0, 0)), "CZ-10.1", "board_no_home"),
        (no_tile("A8"), "CZ-10.2", "no_such_city"),
        (tile("J15", "8895", 1), "CZ-9.10", "board_home_tile"),
        (pending("B9", "C8"), "CZ-9.13", "board_no_choice"),
        (pending("E12"), "CZ-9.13", "board_no_choice"),
        (pending("nowhere"), "CZ-9.13", "board_no_choice"),
        (stations("BCB", HOME, Station("G12", 0, 0)), "CZ-10.2", "board_no_track"),
        (stations("BCB", HOME, Station("D5", 0, 0)), "CZ-10.4", "slot_reserved"),
        (stations("BCB", HOME, Station("E12", 3, 0)), "CZ-10.4", "slot_reserved"),
    ],
)
def test_what_cannot_be(change: Callable[[State], None], rule_id: str, reason: str) -> None:
    state = table().state
    change(state)
    violation = validate_board(state)
    assert violation is not None
    assert (violation.rule_id, violation.reason) == (rule_id, reason)
    assert violation.path


def test_a_foreign_station_in_a_red_location() -> None:
    state = table().state
    state.companies["SX"].stations[0] = Station("A8", 0, 0)
    kk = state.companies["kk"]
    kk.home_placed = True
    kk.stations = [Station("J15", 0, 0)]
    state.tiles["J15"] = Tile("8895", 1)
    assert validate_board(state) is None
    state.companies["SX"].stations.append(Station("J15", 0, 0))
    found = validate_board(state)
    assert found is not None and found.reason == "slot_taken"
    kk.stations = []
    found = validate_board(state)
    assert found is not None and found.reason == "board_no_home"


def test_paths_name_the_field() -> None:
    state = table().state
    state.companies["BCB"].stations[1] = Station("E22", 0, 7)
    found = validate_board(state)
    assert found is not None and found.path == "companies[2].stations[1].slot"


def test_two_stations_in_a_hex_while_one_is_to_be_removed() -> None:  # CZ-13.6
    state = table().state
    ate = state.companies["ATE"]
    ate.stations.append(Station("B9", 1, 0))
    found = validate_board(state)
    assert found is not None and found.reason == "station_second_in_hex"
    state.pending = [Pending("remove_station", company="ATE", hexes=["B9"])]
    assert validate_board(state) is None
    ate.stations.append(Station("B9", 1, 0))
    assert validate_board(state) is not None


def test_b9_holds_ate_alone_before_it_has_come() -> None:  # CZ-10.4
    state = turn_of("BCB", {"E16": "57:1", "B9": "8859:0"}).state
    state.companies["BCB"].stations.append(Station("B9", 0, 0))
    found = validate_board(state)
    assert found is not None and (found.rule_id, found.reason) == ("CZ-10.4", "slot_reserved")
