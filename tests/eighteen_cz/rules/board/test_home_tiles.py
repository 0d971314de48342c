"""The red home tiles of large companies (CZ-9.10)."""

from typing import Any

import pytest

from services.eighteen_cz.rules.home_tiles import lay_home_tile_options, verify_lay_home_tile
from services.eighteen_cz.rules.moves import LayHomeTile
from services.eighteen_cz.rules.state import Station, Tile
from services.eighteen_cz.rules.tiles import home_rotations
from services.ruleset.answers import Choice
from services.ruleset.protocol import Query
from tests.eighteen_cz.rules.board.boards import turn_of
from tests.eighteen_cz.rules.table import Table


def first_turn(**more: Any) -> Table:
    return turn_of("SX", step="home_tile", operated=False, trains=(), **more)


def test_it_is_laid_free_with_the_home_station() -> None:
    table = first_turn()
    [event, *_] = table.play(LayHomeTile("SX", "A8", 4))
    sx = table.state.companies["SX"]
    assert event.kind == "home_tile_laid"
    assert table.state.tiles["A8"] == Tile("8896", 4)
    assert sx.stations == [Station("A8", 0, 0)] and sx.markers == 1 and sx.home_placed
    assert sx.treasury == 500
    assert table.turn.step == "track"


def test_it_does_not_count_as_a_lay() -> None:  # CZ-9.1
    table = first_turn()
    table.play(LayHomeTile("SX", "A8", 4))
    turn = table.state.operating
    assert turn is not None and (turn.yellow, turn.upgrades, turn.laid) == (0, 0, ["A8"])


def test_options_are_the_two_sites() -> None:
    options = first_turn().options("lay_home_tile")
    assert [(option.move, option.parameters) for option in options] == [
        (LayHomeTile("SX", "A8", 4), (Choice("layHomeTile.rotation", (4, 5)),)),
        (LayHomeTile("SX", "B5", 4), (Choice("layHomeTile.rotation", (4, 5)),)),
    ]
    state = first_turn().state
    assert [option.move.hex for option in lay_home_tile_options(state, Query(place="B5"))] == ["B5"]


@pytest.mark.parametrize(
    ("move", "rule_id", "reason"),
    [
        (LayHomeTile("SX", "A8", 0), "CZ-9.10", "home_tile_exits"),
        (LayHomeTile("SX", "A8", 99), "CZ-9.10", "home_tile_exits"),
        (LayHomeTile("SX", "F3", 3), "CZ-9.10", "not_home_site"),
        (LayHomeTile("SX", "K1", 3), "CZ-18.1", "unknown_hex"),
    ],
)
def test_refusals(move: LayHomeTile, rule_id: str, reason: str) -> None:
    assert first_turn().refused(move) == {(rule_id, reason)}


def test_only_once_and_only_by_large_companies() -> None:
    large = turn_of("SX")
    small = turn_of("BCB")
    for table, actor, reason in ((large, "SX", "home_tile_laid"), (small, "BCB", "no_home_tile")):
        [violation] = verify_lay_home_tile(table.state, LayHomeTile(actor, "A8", 4))
        assert (violation.rule_id, violation.reason) == ("CZ-9.10", reason)
    assert not list(lay_home_tile_options(large.state, Query()))


def test_bohemia_has_fewer_rotations_for_kk() -> None:  # CZ-18.2
    assert home_rotations("standard", "kk", "I18") == (2, 3)
    assert home_rotations("bohemia", "kk", "I18") == (2,)
    assert home_rotations("bohemia", "PR", "A22") == ()
