"""What the companies of Vaclav pay for on the map of the two-player game (CZ-18.2)."""

from services.eighteen_cz.rules import stations, track
from services.eighteen_cz.rules.engine import with_previews
from services.eighteen_cz.rules.moves import LayTile
from services.eighteen_cz.rules.state import VACLAV, OperatingTurn, State
from services.ruleset.answers import Change
from services.ruleset.protocol import Query
from tests.eighteen_cz.rules.board.random_boards import random_board

TERRAIN = LayTile("BCB", "E16", "57", 1)  # a river


def vaclavs() -> State:
    state = random_board(0, 0, ("BCB",), players=2)
    state.companies["BCB"].director = VACLAV
    state.operating = OperatingTurn(["BCB"])
    return state


def test_track_is_paid_by_vaclav_without_limit() -> None:
    state = vaclavs()
    state.vaclav_cash = -100
    assert not track.verify_lay_tile(state, TERRAIN)
    options = with_previews(state, track.lay_tile_options(state, Query(place="E16")))
    assert {option.preview for option in options} == {(Change(VACLAV, "cash", -100, -110),)}
    [event] = track.do_lay_tile(state, TERRAIN)
    assert event.changes == (Change(VACLAV, "cash", -100, -110),)
    assert state.vaclav_cash == -110 and state.companies["BCB"].treasury == 0


def test_stations_are_free() -> None:
    state = vaclavs()
    assert stations.station_price(state, state.companies["BCB"]) == 0


def test_hexes_east_of_bohemia_do_not_exist() -> None:
    [violation] = track.verify_lay_tile(vaclavs(), LayTile("BCB", "G20", "621", 1))
    assert (violation.rule_id, violation.reason) == ("CZ-18.1", "unknown_hex")
