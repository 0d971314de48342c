"""What the scanner reads out of rules code."""

from pathlib import Path

import pytest

from tests.rules_report.scan import Use, scan

HEAD = """
TABLE = {"a": "T-1", "b": "T-2"}
KIND = "named"

def refuse(move, field, rule_id, reason, at="", **values):
    return Violation(rule_id, reason, values, field, at)

def in_range(path, value, rule_id):
    yield refuse(None, path, rule_id, "out_of_range", value=value)

class Lost(Exception):
    def __init__(self, rule_id, reason, **values):
        self.violation = Violation(rule_id, reason, values)

def laid(move):
    return {"hex": move.hex, "tile": move.tile}
"""


def read(tmp_path: Path, body: str) -> Use:
    (tmp_path / "rules.py").write_text(HEAD + "\ndef verify(state, move):\n    " + body, encoding="utf-8")
    (use,) = [use for use in scan(tmp_path) if use.where != "rules.py:9"]
    return use


@pytest.mark.parametrize(
    ("body", "codes", "rule_ids", "names"),
    [
        ('return Violation("T-1", "wrong")', "wrong", "T-1", ""),
        ('return Violation("T-1", "wrong", {"n": 1, **laid(move)})', "wrong", "T-1", "n hex tile"),
        ('return refuse(move, "hex", "T-1", "wrong", move.hex, n=1)', "wrong", "T-1", "n"),
        ('return in_range("x", 3, "T-3")', "out_of_range", "T-3", "value"),
        ('raise Lost("T-4", "lost", stop="A1")', "lost", "T-4", "stop"),
        ("return Event(KIND, TABLE[move.kind], laid(move))", "named", "T-1 T-2", "hex tile"),
        ('return Event("e", TABLE.get(move.kind, "T-9"))', "e", "T-1 T-2 T-9", ""),
        ('return Event("e", {"x": "T-1"}[move.kind])', "e", "T-1", ""),
        ('code = "a" if move else "b"\n    return Violation("T-1", code)', "a b", "T-1", ""),
        (
            'code, rule = ("a", "T-1") if move else ("b", "T-2")\n    return Violation(rule, code)',
            "a b",
            "T-1 T-2",
            "",
        ),
        (
            'values = {"old": 1}\n    values = {"n": 1}\n    values["m"] = 2\n'
            '    return refuse(move, "", "T-1", "wrong", **values, k=3)',
            "wrong",
            "T-1",
            "n m k",
        ),
    ],
)
def test_uses(tmp_path: Path, body: str, codes: str, rule_ids: str, names: str) -> None:
    use = read(tmp_path, body)
    assert (use.codes, use.rule_ids, use.names) == tuple(
        frozenset(words.split()) for words in (codes, rule_ids, names)
    )
    assert use.sort == ("event" if "Event" in body else "reason")


@pytest.mark.parametrize(
    "body", ['return Violation("T-1", move.name)', 'return Violation("T-1", f"a{move}")']
)
def test_what_cannot_be_read_is_said(tmp_path: Path, body: str) -> None:
    assert read(tmp_path, body).codes is None


def test_violations_passed_on_are_no_new_use(tmp_path: Path) -> None:
    body = "def again(other):\n    return Violation(other.rule_id, other.reason, other.values)\n"
    (tmp_path / "rules.py").write_text(body, encoding="utf-8")
    assert scan(tmp_path) == []
