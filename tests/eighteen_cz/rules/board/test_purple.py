"""Purple-edged tiles by the ability of a local (CZ-16.7, CZ-16.8)."""

from typing import Any

import pytest

from services.eighteen_cz.rules import purple
from services.eighteen_cz.rules.moves import LayPurpleTile
from services.eighteen_cz.rules.state import Tile
from services.ruleset.answers import Choice, Option
from services.ruleset.protocol import Query
from tests.eighteen_cz.rules.board.boards import turn_of
from tests.eighteen_cz.rules.table import Co, Table

TILES = {"E16": "57:1", "E14": "55:1", "D17": "57:2"}  # D17 is not joined to Pardubice


def bcb(**more: Any) -> Table:
    more.setdefault("locals_", {"S1": "BCB", "S2": "BCB", "S3": "G1"})
    return turn_of("BCB", more.pop("tiles", TILES), **more)


def lays(table: Table, hex_name: str, tile: str) -> list[Option[LayPurpleTile]]:
    options = purple.lay_purple_tile_options(table.state, Query(place=hex_name))
    return [option for option in options if option.move.tile == tile]


@pytest.mark.parametrize("step", ["track", "station", "run", "trains"])
def test_at_any_time_free_and_beside_the_lay_of_the_turn(step: Any) -> None:
    table = bcb(step=step, treasury=0 if step == "track" else 50)
    before = table.state.companies["BCB"].treasury
    events = table.play(LayPurpleTile("BCB", "S1", "E16", "14p", 0))
    assert [event.kind for event in events[:2]] == ["ability_used", "purple_tile_laid"]
    assert table.state.tiles["E16"] == Tile("14p", 0)
    assert table.state.locals["S1"].spent
    assert table.state.companies["BCB"].treasury == before
    assert table.turn.step == step


def test_both_own_locals_can_lay_it() -> None:
    [option, _] = lays(bcb(), "E16", "14p")
    assert option.move.local == "S1" and Choice("layPurpleTile.local", ("S1", "S2")) in option.parameters
    assert not bcb(locals_={}).options("lay_purple_tile")


def test_a_double_town_becomes_a_single_one() -> None:  # CZ-9.5
    table = bcb()
    table.play(LayPurpleTile("BCB", "S1", "E14", "888p", 0))
    assert table.state.tiles["E14"] == Tile("888p", 0)


@pytest.mark.parametrize(
    ("move", "rule_id", "reason"),
    [
        (LayPurpleTile("BCB", "S9", "E16", "14p", 0), "CZ-1.3", "unknown_local"),
        (LayPurpleTile("BCB", "S3", "E16", "14p", 0), "CZ-16.7", "ability_not_owned"),
        (LayPurpleTile("BCB", "S1", "E16", "14", 0), "CZ-16.8", "tile_not_purple"),
        (LayPurpleTile("BCB", "S1", "E16", "611p", 0), "CZ-16.7", "purple_colour"),
        (LayPurpleTile("BCB", "S1", "D17", "14p", 1), "CZ-9.7", "tile_not_connected"),
        (LayPurpleTile("BCB", "S1", "E18", "887p", 1), "CZ-9.2", "tile_colour"),
        (LayPurpleTile("BCB", "S1", "E14", "887p", 1), "CZ-9.3", "tile_not_for_hex"),
        (LayPurpleTile("BCB", "S1", "E14", "888p", 1), "CZ-9.5", "tile_track_lost"),
        (LayPurpleTile("BCB", "S1", "Q1", "888p", 1), "CZ-18.1", "unknown_hex"),
        (LayPurpleTile("BCB", "S1", "E14", "777p", 1), "CZ-1.6", "unknown_tile"),
        (LayPurpleTile("BCB", "S1", "E14", "888p", 77), "CZ-9.14", "unknown_rotation"),
        (LayPurpleTile("BCB", "S1", "A8", "888p", 1), "CZ-9.10", "home_site"),
    ],
)
def test_refusals(move: LayPurpleTile, rule_id: str, reason: str) -> None:
    assert (rule_id, reason) in bcb().refused(move)


def test_the_ability_is_used_once() -> None:
    table = bcb()
    table.state.locals["S1"].spent = True
    refused = table.refused(LayPurpleTile("BCB", "S1", "E16", "14p", 0))
    assert refused == {("CZ-16.7", "ability_spent")}


def test_the_colour_must_be_open() -> None:  # CZ-9.2
    table = bcb(phase="c", trains=())
    assert table.refused(LayPurpleTile("BCB", "S1", "E16", "14p", 0)) == {("CZ-9.2", "colour_not_open")}
    assert not table.options("lay_purple_tile")


def test_a_local_lays_the_colours_of_its_size() -> None:
    tiles = {"E16": "14:1"}
    brown = LayPurpleTile("kk", "S1", "E16", "611p", 1)
    for local, allowed in (("S1", False), ("M1", True), ("L1", True)):
        move = LayPurpleTile(brown.actor, local, brown.hex, brown.tile, brown.rotation)
        table = turn_of(
            "kk", tiles, phase="g", trains=("4Eg",), locals_={local: "kk"}, stations={"kk": [("E16", 0, 0)]}
        )
        assert table.refused(move) == (set() if allowed else {("CZ-16.7", "purple_colour")})
        assert bool(lays(table, "E16", "611p")) == allowed


def test_the_brown_double_city_joins_its_cities() -> None:  # CZ-9.5, 9.12
    table = turn_of(
        "ATE",
        {"B9": "8859:0"},
        phase="g",
        trains=("4+4g",),
        locals_={"M1": "ATE"},
        others={"BTE": Co(trains=("4+4g",))},
    )
    ate, bte = table.state.companies["ATE"], table.state.companies["BTE"]
    ate.stations[0] = ate.stations[0]._replace(city=1)
    bte.stations.append(ate.stations[0]._replace(city=0))
    bte.markers -= 1
    table.play(LayPurpleTile("ATE", "M1", "B9", "8896p", 0))
    ate, bte = table.state.companies["ATE"], table.state.companies["BTE"]
    assert (bte.stations[-1], ate.stations[0]) == (("B9", 0, 0), ("B9", 0, 1))
