"""Everything that the rules of String Railway can say has its words in both languages, and they fit."""

import ast
import re
from itertools import pairwise
from pathlib import Path

import pytest

from services.ruleset.rulebook import names
from services.string_railway.rulebook import RULEBOOK, summary
from services.string_railway.rules import facts
from services.string_railway.rules.moves import Draw, LayString, Move
from services.string_railway.rules.turn import PHASE_KINDS
from tests.rules_report.scan import by_code, scan

ROOT = Path(__file__).resolve().parents[3]
RULES = ROOT / "services" / "string_railway" / "rules"
USES = scan(RULES)
REASONS = by_code(USES, "reason")
EVENTS = by_code(USES, "event")
RULE_IDS = [rule.id for rule in RULEBOOK.rules("en")]
_RULE_ID = re.compile(r"SR-\d+\.\d+")


def _constants() -> set[str]:
    return {
        node.value
        for file in RULES.glob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def test_every_rule_that_is_named_is_in_the_rulebook() -> None:
    named = {text for text in _constants() if _RULE_ID.fullmatch(text)} | set(facts.OPTION_RULES.values())
    named |= {station.rule for station in facts.STATIONS.values()}
    named |= {rule_id for kind in RULEBOOK.move_kinds("en") for rule_id in kind.rule_ids}
    assert named - set(RULE_IDS) == set()


def test_rules_stand_in_order() -> None:
    numbers = [tuple(map(int, rule_id.removeprefix("SR-").split("."))) for rule_id in RULE_IDS]
    assert all(one < other for one, other in pairwise(numbers))
    assert RULEBOOK.languages == ("en", "hu")


@pytest.mark.parametrize(("place", "texts"), list(RULEBOOK.texts()))
def test_every_text_is_there_in_both_languages_with_the_same_values(
    place: str, texts: dict[str, str]
) -> None:
    assert set(texts) == {"en", "hu"}
    assert all(text.strip() == text and text for text in texts.values())
    if place.startswith(("reason", "event", "label", "move")):
        assert names(texts["en"]) == names(texts["hu"])
    if place.startswith(("reason", "event", "move")):
        assert all(text.endswith(".") for text in texts.values())


@pytest.mark.parametrize("sort", ["reason", "event"])
def test_every_code_of_the_rules_has_its_sentence(sort: str) -> None:
    used = REASONS if sort == "reason" else EVENTS
    sentences = RULEBOOK.codes("reason" if sort == "reason" else "event")
    assert set(used) - set(sentences) == set()
    constants = _constants()
    assert [code for code in sentences if code not in constants] == []
    assert RULEBOOK.duplicates == []


def test_every_value_of_a_sentence_is_given_somewhere() -> None:
    for sort, used in (("reason", REASONS), ("event", EVENTS)):
        sentences = RULEBOOK.codes("reason" if sort == "reason" else "event")
        for code, uses in used.items():
            known = [use.names for use in uses if use.names is not None]
            if len(known) == len(uses):
                given = frozenset().union(*known)
                assert names(sentences[code]["en"]) <= given, code


def test_phases_moves_and_score_lines_have_words() -> None:
    labels = set(RULEBOOK.codes("label"))
    assert set(PHASE_KINDS) <= labels
    assert {text for text in _constants() if text.startswith("score_")} <= labels
    assert [kind.kind for kind in RULEBOOK.move_kinds("en")] == [kind.kind for kind in Move.__args__]


def test_summaries_name_what_a_move_does() -> None:
    assert summary(LayString("red", "short", ((0, 0), (1, 1))), "hu") == "piros zsinórt fektet: rövid."
    assert (
        summary(Draw("CHANCE", ("country", "urban")), "en")
        == "the table draws: Country Station, Urban Station."
    )
    assert summary(Draw("blue"), "hu") == "kék húz."
