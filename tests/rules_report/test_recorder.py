"""What the plugin notes about tests that refuse and accept moves."""

from services.eighteen_cz.rules.draft import verify_draft_buy
from services.eighteen_cz.rules.moves import DraftBuy
from services.eighteen_cz.rules.setup import first_position
from services.ruleset.answers import Violation
from tests.rules_report.recorder import RECORDER, Recorder, gaps, refusing_rules


def verify_small(number: int) -> list[Violation]:
    return [Violation("CZ-9.7", "too_large")] if number > 9 else []


def test_refusals_and_acceptances_are_noted_by_test() -> None:
    recorder = Recorder()
    verify = recorder.watched(verify_small)
    verify(10)  # outside any test
    assert recorder.notes() == {"refusing": {}, "accepting": {}, "rules": {}, "said": {}}
    recorder.test = "test one"
    verify(10)
    recorder.test = "test two"
    verify(9)
    report = recorder.report()
    assert report["CZ-9.7"] == {"refuses": ["test one"], "accepts": ["test two"]}
    assert report["CZ-4.2"] == {"refuses": [], "accepts": []}
    assert "CZ-4.2 has no test that refuses a move by it" in gaps(report)
    assert not [gap for gap in gaps(report) if gap.startswith("CZ-9.7 ")]


def test_notes_of_other_processes_are_added() -> None:
    one, other = Recorder(), Recorder()
    other.test = "test"
    other.watched(verify_small)(10)
    one.add(other.notes())
    one.add(other.notes())
    assert one.notes() == other.notes()


def test_words_are_asked_for() -> None:
    recorder = Recorder()
    recorder.said = {
        "CZ- reason unheard_of": {""},
        "CZ- reason not_enough_cash": {"cash payer", "cash needed payer"},
        "T- reason of_another_game": {""},
    }
    assert recorder.silent() == [
        "reason not_enough_cash comes without needed",
        "reason unheard_of has no sentence",
    ]


def test_the_rules_themselves_are_watched() -> None:
    start = first_position("18cz/summary-1", {"seats": [{}, {}, {}]})
    assert verify_draft_buy(start, DraftBuy("G1", "Z9"))
    assert not verify_draft_buy(start, DraftBuy("G1", "S1"))
    assert RECORDER.test in RECORDER.refusing["CZ-4.2"]
    assert RECORDER.test in RECORDER.accepting["draft.verify_draft_buy"]


def test_rules_that_only_refuse_states_or_setups_are_not_asked_for() -> None:
    assert {"CZ-4.2", "CZ-9.7", "CZ-11.3", "CZ-14.6"} <= refusing_rules()
    assert not {"CZ-18.3", "CZ-2.1"} & refusing_rules()
