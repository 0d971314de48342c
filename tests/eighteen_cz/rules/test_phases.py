"""Phases, rusting, export (CZ-14.7, 14.9, 15)."""

import pytest

from services.eighteen_cz.rules import facts, phases
from services.eighteen_cz.rules.moves import BuyTrain, Pass
from tests.eighteen_cz.rules.table import PUBLISHED, SUMMARY, Co, in_turn, ordered

FAMILIES = {
    "2a": "4e 4f 5g 5h 5i 5j",
    "2b": "4e 4f 5g 5h 5i 5j",
    "3c": "5g 5h 5i 5j",
    "3d": "5g 5h 5i 5j",
    "2+2b": "4+4f 4+4g 5+5h 5+5i 5+5j",
    "2+2c": "4+4f 4+4g 5+5h 5+5i 5+5j",
    "3+3d": "5+5h 5+5i 5+5j",
    "3+3e": "5+5h 5+5i 5+5j",
    "3Ed": "6Ei 8Ej",
    "3Ee": "6Ei 8Ej",
    "4Ef": "8Ej",
    "4Eg": "8Ej",
}


@pytest.mark.parametrize("version", facts.VERSIONS)
@pytest.mark.parametrize("ruleset", [SUMMARY, PUBLISHED])
def test_what_rusts_on_what(version: str, ruleset: str) -> None:
    """CZ-14.7, D-3: 6E rusts by 8E in the summary only."""
    expected = set(FAMILIES.get(version, "").split())
    if version == "6Ei" and ruleset == SUMMARY:
        expected = {"8Ej"}
    assert phases.triggers(ordered({}, ruleset=ruleset), version) == expected


def test_rusted_trains_leave_companies_and_pool_at_once() -> None:
    """CZ-14.7: only the family of the version that is bought."""
    companies = {
        "BCB": Co("G1", trains=("2a",)),
        "BTE": Co("G2", trains=("2+2b", "2b")),
        "EKJ": Co("G3", trains=("2b",)),
    }
    state = ordered(companies, phase="e", pool=("2a", "2+2c"))
    table = in_turn(state, "BCB")
    events = table.play(BuyTrain("BCB", "stack", "4e", 250))
    assert table.state.rusted == ["2a", "2b"]
    assert table.state.companies["BCB"].trains == ["4e"]
    assert table.state.companies["BTE"].trains == ["2+2b"]
    assert table.state.companies["EKJ"].trains == []
    assert table.state.pool == ["2+2c"]
    lost = {event.values["company"] for event in events if event.kind == "trains_rusted"}
    assert lost == {"BCB", "BTE", "EKJ"}


def test_a_purchase_from_the_pool_rusts_too() -> None:
    """CZ-14.7: the version that is bought counts, not the one the card was discarded as."""
    state = ordered({"BCB": Co(trains=("2b",))}, phase="f", pool=("4+4f",), rusted=())
    table = in_turn(state, "BCB")
    table.play(BuyTrain("BCB", "pool", "4f", 250))
    assert table.state.companies["BCB"].trains == ["4f"]
    assert "2b" in table.state.rusted and table.state.phase == "f"


def test_the_first_card_of_a_row_starts_its_phase() -> None:
    """CZ-15: in whichever version it is bought."""
    table = in_turn(ordered({"SX": Co(trains=("3Ed",), treasury=900)}, phase="d", stack={"d": 0}), "SX")
    events = table.play(BuyTrain("SX", "stack", "4e", 250))
    assert table.state.phase == "e"
    assert [event.values["phase"] for event in events if event.kind == "phase_began"] == ["e"]
    table.play(BuyTrain("SX", "stack", "3Ee", 250))
    assert table.state.phase == "e"


def test_row_j_never_runs_out() -> None:
    """CZ-1.5"""
    state = ordered({"SX": Co(treasury=900)}, phase="i", stack={"i": 0})
    table = in_turn(state, "SX")
    table.play(BuyTrain("SX", "stack", "5+5j", 500))
    assert table.state.phase == "j" and not any(table.state.stack.values())
    table.play(BuyTrain("SX", "stack", "8Ej", 1000))
    assert table.state.companies["SX"].trains == ["5+5j", "8Ej"]


def test_an_exported_card_counts_in_all_its_versions() -> None:
    """CZ-14.9: rust by each version, in the order of the cards; also for a later card of its row."""
    companies = {
        "BCB": Co("G1", trains=("3c",)),
        "BTE": Co("G2", trains=("2+2b",)),
        "SX": Co("G3", trains=("3Ed",)),
        "EKJ": Co("G4", trains=("4e",)),
    }
    state = ordered(companies, phase="f", stack={"f": 0})
    assert state.rusted == ["2a", "2b"]
    phases.export(state)
    assert state.phase == "g" and state.stack["g"] == 3
    assert state.rusted == ["2a", "2b", "2+2b", "3c", "2+2c", "3d"]
    assert [state.companies[symbol].trains for symbol in companies] == [[], [], ["3Ed"], ["4e"]]


def test_limits_colours_and_red_values() -> None:
    """CZ-15"""
    limits = {name: tuple(phase.train_limit.values()) for name, phase in facts.PHASES.items()}
    assert limits == {
        "a": (3, 0, 0),
        "b": (3, 3, 0),
        "c": (3, 3, 0),
        "d": (3, 3, 3),
        "e": (2, 3, 3),
        "f": (2, 2, 3),
        "g": (2, 2, 3),
        "h": (1, 2, 3),
        "i": (1, 1, 3),
        "j": (1, 1, 2),
    }
    assert [phase.red_value for phase in facts.PHASES.values()] == [0, 0, 0, 30, 30, 30, 40, 40, 50, 50]
    assert [len(phase.colours) for phase in facts.PHASES.values()] == [1, 1, 1, 2, 2, 2, 3, 3, 4, 4]


def test_excess_after_an_export_is_discarded_before_the_stock_round() -> None:
    """CZ-5.16"""
    state = ordered({"BCB": Co(trains=("3c", "3c", "3d"))}, phase="d", stack={"d": 0})
    state.set_number, state.operating_round = 4, 4
    table = in_turn(state, "BCB")
    table.play(Pass("BCB"))
    assert (table.state.stage, table.state.phase) == ("stock", "e")
    assert (table.turn.actor, table.turn.step) == ("BCB", "discard_trains")
    assert table.turn.kinds == ("discard_train",)
    table.play(table.offered()[0])
    assert table.turn.step == "stock"
