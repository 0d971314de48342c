"""What an import supplies, drops and hands on, on records made by hand."""

from services.chassis.game import Position
from services.eighteen_cz.importer import MOST_WARNINGS, RULESET
from services.eighteen_cz.rulebook import RULEBOOK
from services.eighteen_cz.rules.engine import EighteenCz
from services.eighteen_cz.rules.moves import DraftBuy, Pass, StartCompany
from tests.eighteen_cz.importer.records import NO_DRAFT, bid, imported, par, passing, played, record


def test_setup() -> None:
    setup = imported(record()).setup
    assert setup is not None
    assert setup["ruleset"] == RULESET
    assert setup["random"] == {"external": {}}
    assert [seat["id"] for seat in setup["seats"]] == ["G1", "G2", "G3"]


def test_a_refused_move_is_the_last_one() -> None:
    result = imported(record(bid("P1", "S1", 25), bid("P2", "S1", 25), bid("P3", "S2", 30)))
    assert list(result.moves) == [DraftBuy("G1", "S1"), DraftBuy("G2", "S1")]
    assert [(warning.reason, warning.path) for warning in result.warnings] == [
        ("move_refused", "actions[1]"),
        ("record_cut", "actions[1]"),
    ]
    assert result.warnings[0].values["rule"] == "CZ-4.2"
    assert result.warnings[1].values == {"count": 1}
    assert result.sources == ["actions[0]", "actions[1]"] and not result.complete


def test_a_refused_move_at_the_very_end_leaves_nothing_out() -> None:
    result = imported(record(bid("P1", "S1", 25), bid("P2", "S1", 25)))
    assert [warning.reason for warning in result.warnings] == ["move_refused"]
    assert result.complete


def test_what_a_move_cannot_say_is_a_warning() -> None:
    result = imported(record(bid("P1", "S1", 30)))
    assert list(result.moves) == [DraftBuy("G1", "S1")]
    assert [(w.reason, w.path, w.values["rule"]) for w in result.warnings] == [
        ("recorded_otherwise", "actions[0].price", "CZ-4.2")
    ]


def test_missing_passes_are_supplied() -> None:
    result = imported(record(passing("P1"), bid("P3", "S1", 25)))
    assert list(result.moves) == [Pass("G1"), Pass("G2"), DraftBuy("G3", "S1")]
    assert [warning.reason for warning in result.warnings] == ["passes_supplied"]
    assert result.sources == ["actions[0]", "actions[1]", "actions[1]"]


def test_a_pass_out_of_turn_is_dropped() -> None:
    result = imported(record(bid("P1", "S1", 25), passing("P1"), bid("P2", "S2", 30)))
    assert list(result.moves) == [DraftBuy("G1", "S1"), DraftBuy("G2", "S2")]
    assert [warning.reason for warning in result.warnings] == ["pass_dropped"]


def test_players_without_a_move_are_passed_over() -> None:
    """The site does not ask a player who can only pass."""
    actions = [*NO_DRAFT, par("P1", "EKJ", 70), par("P2", "OFE", 70), par("P3", "MW", 70)]
    actions += [par("P1", "BCB", 65), par("P2", "VBW", 65)]
    state = played(imported(record(*actions)))
    assert state.players["G1"].cash == 380 - 140 - 130


def test_what_follows_the_last_action_has_no_source() -> None:
    """Vaclav's company is drawn before the first action, on a table for two."""
    draw = imported(record(players=2))
    assert draw.sources == [""]
    drawn = imported(record(bid("P1", "S1", 25), players=2))
    assert drawn.sources == ["actions[0]", "actions[0]"]


def test_going_on_from_a_position() -> None:
    start = played(imported(record(*NO_DRAFT)))
    base = Position(EighteenCz(RULESET), start)
    result = imported(record(par("P1", "EKJ", 50)), base)
    assert result.setup is None
    assert list(result.moves) == [StartCompany("G1", "EKJ", 50)]
    assert played(result, start).companies["EKJ"].director == "G1"


def test_warnings_are_bounded() -> None:
    result = imported(record(*[passing("P2")] * 2_000, bid("P1", "S1", 25), bid("P2", "S1", 25)))
    assert len(result.warnings) == MOST_WARNINGS + 1
    assert [warning.reason for warning in result.warnings][-4:] == [
        "pass_dropped",
        "warnings_left_out",
        "pass_dropped",
        "move_refused",
    ]


def test_every_warning_has_its_sentence() -> None:
    reasons = (
        "optional_rule_unknown action_unknown recorded_otherwise move_refused pass_dropped passes_supplied"
        " record_cut discarded_in_time station_dearer owner_guessed warnings_left_out value_unknown"
        " result_differs"
    )
    for reason in reasons.split():
        assert set(RULEBOOK.codes("reason")[reason]) == {"en", "pl"}
