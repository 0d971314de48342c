"""Step 1: what may be laid where, section by section (CZ-9)."""

from typing import Any

import pytest

from services.eighteen_cz.rules import track
from services.eighteen_cz.rules.engine import with_previews
from services.eighteen_cz.rules.moves import LayTile
from services.eighteen_cz.rules.state import Tile
from services.ruleset.answers import Change, Choice, Option
from services.ruleset.protocol import Query
from tests.eighteen_cz.rules.board.boards import turn_of
from tests.eighteen_cz.rules.table import Co, Table

PARDUBICE = {"E16": "57:1"}  # exits 1 and 4, towards E14 and E18
TO_HRADEC = {**PARDUBICE, "E18": "7:1"}  # from E18 on to D17
HRADEC = LayTile("BCB", "D17", "57", 2)


def bcb(tiles: dict[str, str] = PARDUBICE, **more: Any) -> Table:
    """BCB on turn in step 1, at home in Pardubice (E16)."""
    return turn_of("BCB", tiles, **more)


def lays(table: Table, hex_name: str, tile: str) -> list[Option[LayTile]]:
    options = with_previews(table.state, track.lay_tile_options(table.state, Query(place=hex_name)))
    return [option for option in options if option.move.tile == tile]


def test_a_yellow_tile_on_an_empty_hex() -> None:
    table = bcb()
    [event, *_] = table.play(LayTile("BCB", "E18", "9", 1))
    assert table.state.tiles["E18"] == Tile("9", 1)
    assert (event.kind, event.changes) == ("tile_laid", ())


def test_terrain_is_paid_for_the_first_tile_only() -> None:  # CZ-9.9
    table = bcb(TO_HRADEC)
    [event, *_] = table.play(HRADEC)
    assert event.changes == (Change("BCB", "treasury", 500, 490),)
    again = bcb({**TO_HRADEC, "D17": "57:2"})
    again.play(LayTile("BCB", "D17", "14", 2))
    assert again.state.companies["BCB"].treasury == 500


def test_terrain_that_cannot_be_paid() -> None:  # CZ-9.9
    table = bcb(TO_HRADEC, treasury=9)
    assert table.refused(HRADEC) == {("CZ-9.9", "terrain_not_paid")}
    assert not lays(table, "D17", "57") and lays(table, "E14", "55")


def test_one_lay_a_turn() -> None:  # CZ-9.1
    table = bcb()
    turn = table.state.operating
    assert turn is not None
    move = LayTile("BCB", "E18", "9", 1)
    for turn.yellow, turn.upgrades in ((1, 0), (0, 1)):
        [violation] = track.verify_lay_tile(table.state, move)
        assert (violation.rule_id, violation.reason) == ("CZ-9.1", "lay_allowance")
        assert not list(track.lay_tile_options(table.state, Query()))


def test_the_step_is_left_when_the_lay_is_used() -> None:  # CZ-9.1
    table = bcb()
    table.play(LayTile("BCB", "E18", "9", 1))
    assert table.turn.step == "station"


def first_turn(tiles: dict[str, str] = PARDUBICE) -> Table:
    """The home station is placed at once, so this is the first turn after step 0."""
    table = bcb(tiles)
    table.state.companies["BCB"].operated = False
    table.state.companies["BCB"].last_revenue = -1
    table.check()
    return table


def test_two_yellow_tiles_in_the_first_turn() -> None:  # CZ-9.1
    table = first_turn()
    table.play(LayTile("BCB", "E18", "9", 1))
    assert table.refused(LayTile("BCB", "E16", "14", 0)) == {("CZ-9.1", "first_turn_lay_allowance")}
    hexes = {option.move.hex for option in track.lay_tile_options(table.state, Query())}
    assert hexes == {"E14", "E20"}
    table.play(LayTile("BCB", "E20", "9", 1))
    assert table.turn.step == "station"


def test_one_upgrade_in_the_first_turn() -> None:  # CZ-9.1
    table = first_turn()
    table.play(LayTile("BCB", "E16", "14", 0))
    assert table.turn.step == "station"


@pytest.mark.parametrize(
    ("move", "rule_id", "reason"),
    [
        (LayTile("BCB", "Z9", "57", 0), "CZ-18.1", "unknown_hex"),
        (LayTile("BCB", "", "57", 0), "CZ-18.1", "unknown_hex"),
        (LayTile("BCB", "E16", "999", 0), "CZ-1.6", "unknown_tile"),
        (LayTile("BCB", "E18", "9", 6), "CZ-9.14", "unknown_rotation"),
        (LayTile("BCB", "E18", "9", -1), "CZ-9.14", "unknown_rotation"),
        (LayTile("BCB", "J15", "9", 1), "CZ-9.10", "home_site"),
        (LayTile("BCB", "E18", "8895", 1), "CZ-9.10", "home_tile_only"),
        (LayTile("BCB", "D1", "3", 4), "CZ-9.3", "hex_never_changes"),
        (LayTile("BCB", "E16", "14p", 0), "CZ-16.8", "tile_needs_local"),
        (LayTile("BCB", "E16", "611", 0), "CZ-9.2", "colour_not_open"),
        (LayTile("BCB", "E16", "611", 0), "CZ-9.2", "tile_colour"),
        (LayTile("BCB", "E18", "14", 1), "CZ-9.2", "tile_colour"),
        (LayTile("BCB", "E18", "57", 1), "CZ-9.3", "tile_not_for_hex"),
        (LayTile("BCB", "E16", "208", 1), "CZ-9.4", "hex_label"),
        (LayTile("BCB", "I12", "57", 1), "CZ-9.4", "tile_label"),
        (LayTile("BCB", "E16", "15", 2), "CZ-9.5", "tile_track_lost"),
        (LayTile("BCB", "J11", "3", 0), "CZ-9.6", "tile_exit_blocked"),
        (LayTile("BCB", "E2", "3", 1), "CZ-9.6", "tile_exit_blocked"),
        (LayTile("BCB", "E18", "9", 0), "CZ-9.7", "tile_not_connected"),
        (LayTile("BCB", "D13", "9", 1), "CZ-9.8", "praha_approach"),
        (LayTile("BCB", "F13", "4", 0), "CZ-9.8", "praha_approach"),
    ],
)
def test_refusals(move: LayTile, rule_id: str, reason: str) -> None:
    assert (rule_id, reason) in bcb().refused(move)


def test_a_move_that_breaks_several_rules_reports_each() -> None:
    assert bcb(treasury=0).refused(LayTile("BCB", "A16", "207", 2)) == {
        ("CZ-9.2", "tile_colour"),
        ("CZ-9.4", "hex_label"),
        ("CZ-9.6", "tile_exit_blocked"),
        ("CZ-9.7", "tile_not_connected"),
        ("CZ-9.9", "terrain_not_paid"),
    }


def test_nothing_follows_upon_gray() -> None:  # CZ-9.2
    table = turn_of("BN", {"E12": "8893:0"}, phase="i", trains=("5+5i",))
    assert ("CZ-9.2", "tile_is_last") in table.refused(LayTile("BN", "E12", "8892", 0))


def test_the_printed_double_city_starts_with_an_upgrade() -> None:  # CZ-9.2, 9.3
    table = turn_of("ATE", phase="e")
    assert table.refused(LayTile("ATE", "B9", "57", 0)) >= {("CZ-9.2", "tile_colour")}
    table.play(LayTile("ATE", "B9", "8859", 0))
    turn = table.state.operating
    assert turn is not None and (turn.yellow, turn.upgrades) == (0, 1)
    assert table.state.companies["ATE"].treasury == 490  # the river is paid with the green tile


def test_a_kind_of_which_all_copies_lie() -> None:  # CZ-9.11
    tiles = {**TO_HRADEC, "E16": "14:1", "D5": "14:0", "I10": "14:1", "G12": "14:0", "D17": "57:2"}
    table = bcb(tiles)
    assert table.refused(LayTile("BCB", "D17", "14", 2)) == {("CZ-9.11", "tile_none_left")}
    assert not table.refused(LayTile("BCB", "D17", "15", 2))
    assert not lays(table, "D17", "14") and lays(table, "D17", "15")


def test_a_replaced_tile_returns_to_the_supply() -> None:  # CZ-9.11
    tiles = {**TO_HRADEC, "D5": "57:1", "I10": "57:1", "G12": "57:1"}
    table = first_turn(tiles)
    assert table.refused(HRADEC) == {("CZ-9.11", "tile_none_left")}
    upgraded = first_turn({**tiles, "E16": "14:0"})
    upgraded.play(HRADEC)


def test_rotations_with_the_same_track_are_one_option() -> None:  # CZ-9.14
    [option] = lays(bcb(), "E18", "9")
    assert option.move == LayTile("BCB", "E18", "9", 1)
    assert option.parameters == (Choice("layTile.rotation", (1, 4)),)
    table = bcb()
    table.play(LayTile("BCB", "E18", "9", 4))
    assert table.state.tiles["E18"] == Tile("9", 4)


def test_options_can_be_asked_for_one_hex() -> None:
    state = bcb().state
    assert {option.move.hex for option in track.lay_tile_options(state, Query(place="E18"))} == {"E18"}
    for place in ("A8", "nowhere"):
        assert not list(track.lay_tile_options(state, Query(place=place)))


def test_a_city_full_of_other_stations_closes_the_way() -> None:  # CZ-9.7, 11.5
    tiles = {"E16": "57:1", "E18": "9:1", "E20": "9:1", "E22": "57:1", "E24": "9:1"}
    beyond = LayTile("BCB", "E26", "9", 1)
    assert not bcb(tiles).refused(beyond)
    table = bcb(tiles, others={"MW": Co(trains=("4e",))}, stations={"MW": [("E22", 0, 0)]})
    assert table.refused(beyond) == {("CZ-9.7", "tile_not_connected")}
    assert not table.refused(LayTile("BCB", "E22", "14", 1))


# --- the waiver of a local (CZ-16.7) ----------------------------------------------------------------


def with_locals(**more: Any) -> Table:
    return bcb(TO_HRADEC, locals_={"S1": "BCB", "S2": "BCB", "M1": "G1"}, **more)


def test_a_waiver_saves_the_terrain_and_spends_the_ability() -> None:
    table = with_locals(treasury=0)
    assert table.refused(HRADEC) == {("CZ-9.9", "terrain_not_paid")}
    events = table.play(LayTile("BCB", "D17", "57", 2, "S1"))
    assert [event.kind for event in events[:2]] == ["ability_used", "tile_laid"]
    assert table.state.locals["S1"].spent and not table.state.locals["S2"].spent
    assert table.state.companies["BCB"].treasury == 0
    assert table.turn.step == "station"  # it was the lay of this turn


def test_the_waiver_is_a_free_parameter_of_the_option() -> None:
    [rich] = lays(with_locals(treasury=10), "D17", "57")
    assert rich.move.waiver == "" and Choice("layTile.waiver", ("", "S1", "S2")) in rich.parameters
    assert rich.preview == (Change("BCB", "treasury", 10, 0),)
    [poor] = lays(with_locals(treasury=9), "D17", "57")
    assert poor.move.waiver == "S1" and Choice("layTile.waiver", ("S1", "S2")) in poor.parameters
    assert poor.preview == ()


@pytest.mark.parametrize(
    ("move", "rule_id", "reason"),
    [
        (LayTile("BCB", "D17", "57", 2, "S9"), "CZ-1.3", "unknown_local"),
        (LayTile("BCB", "D17", "57", 2, "M1"), "CZ-16.7", "ability_not_owned"),
        (LayTile("BCB", "E14", "55", 1, "S1"), "CZ-16.7", "nothing_to_waive"),
    ],
)
def test_refused_waivers(move: LayTile, rule_id: str, reason: str) -> None:
    assert with_locals().refused(move) == {(rule_id, reason)}


def test_a_spent_ability_waives_nothing() -> None:
    table = with_locals()
    table.state.locals["S1"].spent = True
    assert table.refused(LayTile("BCB", "D17", "57", 2, "S1")) == {("CZ-16.7", "ability_spent")}
    [option] = lays(table, "D17", "57")
    assert Choice("layTile.waiver", ("", "S2")) in option.parameters


def test_what_a_local_waives_grows_with_its_size() -> None:
    mountain = LayTile("kk", "I8", "9", 1)
    hill = LayTile("kk", "H15", "9", 0)
    for local, waived in (
        ("S1", {"river"}),
        ("M1", {"river", "hill"}),
        ("L1", {"river", "hill", "mountain"}),
    ):
        table = turn_of("kk", locals_={local: "kk"})
        for move, terrain in ((mountain, "mountain"), (hill, "hill")):
            waiver = LayTile(move.actor, move.hex, move.tile, move.rotation, local)
            refused = ("CZ-16.7", "waiver_terrain") in table.refused(waiver)
            assert refused == (terrain not in waived)
