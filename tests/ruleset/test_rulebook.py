"""The rulebook loader on a small made-up folder."""

import json
from pathlib import Path

import pytest

from services.ruleset.answers import Value
from services.ruleset.rulebook import Rulebook, names, parse


def write(file: Path, content: object) -> None:
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(content), encoding="utf-8")


@pytest.fixture
def book(tmp_path: Path) -> Rulebook:
    write(
        tmp_path / "rules.json",
        {
            "T-1": {"title": {"en": "Turns", "pl": "Tury"}, "text": {"en": "In turn.", "pl": "Po kolei."}},
            "T-2": {"title": {"en": "End", "pl": "Koniec"}, "text": {"en": "At ten.", "pl": "Na dziesięć."}},
        },
    )
    write(
        tmp_path / "moves.json",
        {
            "take": {
                "title": {"en": "Take stones", "pl": "Wzięcie kamieni"},
                "summary": {
                    "en": "{actor} takes {n} {n:stone|stones}[ of {colour}].",
                    "pl": "{actor} bierze {n} {n:kamień|kamienie|kamieni}[ ({colour})].",
                },
                "rules": ["T-1"],
            }
        },
    )
    words = {"en": "red", "pl": "czerwony"}
    write(
        tmp_path / "words.json",
        {"colour": {"red": words}, "colour@of": {"red": {**words, "pl": "czerwonego"}}},
    )
    shade = {"en": "No {colour@of} stone.", "pl": "Nie ma {colour@of} kamienia."}
    write(tmp_path / "labels.json", {"stones": {"en": "Stones", "pl": "Kamienie"}, "shade": shade})
    write(tmp_path / "reasons" / "a.json", {"too_many": {"en": "Only {left} left.", "pl": "Zostało {left}."}})
    write(tmp_path / "reasons" / "b.json", {"english_only": {"en": "No."}})
    write(tmp_path / "events" / "a.json", {"won": {"en": "{seat} wins.", "pl": "Wygrywa {seat}."}})
    return Rulebook(tmp_path)


def test_rules_and_move_kinds_come_in_order_and_by_language(book: Rulebook) -> None:
    assert book.languages == ("en", "pl")
    assert [(rule.id, rule.title) for rule in book.rules("pl")] == [("T-1", "Tury"), ("T-2", "Koniec")]
    rule = book.rule("T-2", "en")
    assert rule is not None and rule.text == "At ten."
    assert book.rule("T-9", "en") is None
    (kind,) = book.move_kinds("en")
    assert (kind.kind, kind.title, kind.rule_ids) == ("take", "Take stones", ("T-1",))


def test_sentences_are_filled(book: Rulebook) -> None:
    assert book.reason("too_many", "en", {"left": 3}) == "Only 3 left."
    assert book.event("won", "pl", {"seat": "G1"}) == "Wygrywa G1."
    assert book.label("stones", "pl") == "Kamienie"


@pytest.mark.parametrize(
    ("n", "polish"),
    [(1, "kamień"), (2, "kamienie"), (5, "kamieni"), (12, "kamieni"), (22, "kamienie"), (0, "kamieni")],
)
def test_words_agree_with_numbers(book: Rulebook, n: int, polish: str) -> None:
    assert book.move("take", "pl", {"actor": "G1", "n": n}) == f"G1 bierze {n} {polish}."
    assert book.move("take", "en", {"actor": "G1", "n": n}).endswith("stone." if n == 1 else "stones.")


def test_asides_need_their_values_and_words_are_translated(book: Rulebook) -> None:
    values: dict[str, Value] = {"actor": "G1", "n": 2, "colour": "red"}
    assert book.move("take", "pl", values) == "G1 bierze 2 kamienie (czerwony)."
    assert book.move("take", "en", {**values, "colour": ""}) == "G1 takes 2 stones."
    assert book.move("take", "en", {**values, "colour": "blue"}) == "G1 takes 2 stones of blue."
    assert book.label("shade", "pl", values) == "Nie ma czerwonego kamienia."
    assert book.label("shade", "en", values) == "No red stone."
    assert book.label("shade", "pl", {"colour": "siny"}) == "Nie ma siny kamienia."


def test_gaps_never_raise(book: Rulebook) -> None:
    assert book.reason("unheard_of", "en", {}) == "unheard_of"
    assert book.reason("too_many", "en", {}) == "Only left left."
    assert book.reason("english_only", "pl", {}) == "No."
    assert book.reason("too_many", "de", {"left": 1}) == "Only 1 left."
    assert book.move("take", "pl", {"actor": "G1", "n": "many"}) == "G1 bierze many kamieni."


def test_player_text_is_never_read_as_a_sentence(book: Rulebook) -> None:
    assert book.event("won", "en", {"seat": "{left} [x]"}) == "{left} [x] wins."


def test_codes_defined_twice_are_reported(tmp_path: Path) -> None:
    write(tmp_path / "rules.json", {"T-1": {"title": {"en": "a"}, "text": {"en": "b"}}})
    for file in ("a.json", "b.json"):
        write(tmp_path / "reasons" / file, {"twice": {"en": file}})
    assert Rulebook(tmp_path).duplicates == ["reasons/b.json: twice"]


def test_names_and_brackets() -> None:
    assert names("{a} of [{b} and {c:x|y}]") == {"a", "b", "c"}
    for wrong in ("[a", "a]", "]["):
        with pytest.raises(ValueError, match="without a"):
            parse(wrong)
