"""Everything that the rules of 18CZ can say has its words in every language, and the words fit."""

import ast
import re
from itertools import pairwise
from pathlib import Path

import pytest

from services.eighteen_cz.notation.examples import EXAMPLES
from services.eighteen_cz.rulebook import RULEBOOK, summary
from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.moves import LayTile, Move, Route, RunTrains
from services.eighteen_cz.rules.turn import PENDING_KINDS, STEP_KINDS
from services.ruleset.rulebook import names
from tests.rules_report.scan import Use, by_code, scan

ROOT = Path(__file__).resolve().parents[3]
GAME = ROOT / "services" / "eighteen_cz"
USES = scan(GAME / "rules")
REASONS = by_code(USES, "reason")
EVENTS = by_code(USES, "event")
RULE_IDS = [rule.id for rule in RULEBOOK.rules("en")]
_RULE_ID = re.compile(r"CZ-\d+(?:\.\d+)?")


def used_elsewhere() -> set[str]:
    """Texts in the code around the rules: codes of the game, its importers and the chassis."""
    files = [*GAME.glob("*.py"), *GAME.glob("importer/*.py"), *(ROOT / "services" / "chassis").glob("*.py")]
    return {
        node.value
        for file in files
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def test_the_code_can_be_read() -> None:
    unread = [use for use in USES if use.codes is None or use.names is None]
    assert not unread
    assert {code for use in USES if use.rule_ids is None for code in use.codes or ()} <= {"switch_value"}


def test_every_rule_that_the_code_names_is_in_the_rulebook() -> None:
    named = {
        node.value
        for file in GAME.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _RULE_ID.fullmatch(node.value)
    }
    named |= set(facts.SWITCH_RULES.values())
    named |= {rule_id for kind in RULEBOOK.move_kinds("en") for rule_id in kind.rule_ids}
    assert named - set(RULE_IDS) == set()


def test_rules_stand_in_order_and_have_all_texts() -> None:
    numbers = [tuple(map(int, rule_id.removeprefix("CZ-").split("."))) for rule_id in RULE_IDS]
    assert all(one < other for one, other in pairwise(numbers))
    assert RULEBOOK.languages == ("en", "pl")


@pytest.mark.parametrize(("place", "texts"), list(RULEBOOK.texts()))
def test_every_text_is_there_in_both_languages_with_the_same_values(
    place: str, texts: dict[str, str]
) -> None:
    assert set(texts) == set(RULEBOOK.languages)
    assert all(text.strip() == text and text for text in texts.values())
    if place.startswith(("reason", "event", "label", "move")):
        english, polish = (names(texts[language]) for language in RULEBOOK.languages)
        assert english == polish


@pytest.mark.parametrize(
    ("sort", "codes"), [("reason", REASONS), ("event", EVENTS)], ids=["reasons", "events"]
)
def test_every_code_of_the_rules_has_its_sentence_and_its_values(
    sort: str, codes: dict[str, list[Use]]
) -> None:
    sentences = RULEBOOK.codes("reason" if sort == "reason" else "event")
    assert set(codes) - set(sentences) == set()
    short = [
        f"{use.where}: {code} lacks {sorted(lacking)}"
        for code, uses in codes.items()
        for use in uses
        if use.names is not None and (lacking := names(sentences[code]["en"]) - use.names)
    ]
    assert not short


def test_no_sentence_is_defined_twice_or_for_nothing() -> None:
    assert RULEBOOK.duplicates == []
    elsewhere = used_elsewhere()
    assert set(RULEBOOK.codes("reason")) - set(REASONS) - elsewhere == set()
    assert set(RULEBOOK.codes("event")) - set(EVENTS) - elsewhere == set()


def test_sentences_end_as_sentences_do() -> None:
    for sort in ("reason", "event", "move"):
        for code, texts in RULEBOOK.codes(sort).items():
            for text in texts.values():
                assert text.endswith((".", "?", "!")), f"{sort} {code}: {text}"


def test_steps_score_lines_and_stages_have_labels() -> None:
    labels = set(RULEBOOK.codes("label"))
    assert {*STEP_KINDS, *PENDING_KINDS} <= labels
    scoring = ast.parse((GAME / "rules" / "scoring.py").read_text("utf-8"))
    lines = {
        node.args[0].value
        for node in ast.walk(scoring)
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") == "ScoreLine"
        and isinstance(node.args[0], ast.Constant)
    }
    assert lines and lines <= labels


def test_every_kind_of_move_has_its_words() -> None:
    kinds = [kind.kind for kind in RULEBOOK.move_kinds("en")]
    assert kinds == [kind.kind for kind in Move.__args__] and set(kinds) == set(EXAMPLES)
    assert summary(LayTile("BCB", "E16", "57", 1, "S1"), "pl").endswith("a S1 zwalnia z kosztu terenu.")
    run = RunTrains("BCB", (Route("2a", ("E16", "D27.1")),), 40)
    assert summary(run, "en") == "BCB runs 2a E16-D27 for 40K."
    assert summary(RunTrains("BCB"), "pl") == "BCB: bez przejazdu."
    assert summary(RunTrains("BCB", (), 0), "en") == "BCB runs no train."
