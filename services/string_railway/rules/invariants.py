"""How a broken invariant of a position is named: a violation whose path is in the JSON names of State."""

from collections.abc import Callable, Container, Iterator, Sequence
from typing import Final

from services.ruleset.answers import Value, Violation
from services.string_railway.rules.planes import Point
from services.string_railway.rules.state import State

Check = Callable[[State], Iterator[Violation]]

LONGEST_WORD: Final = 40
"""How much of a strange name is repeated in a sentence."""


def broken(path: str, rule_id: str, reason: str, **values: Value) -> Violation:
    return Violation(rule_id, reason, values, path)


def in_range(path: str, value: int, least: int, most: int, rule_id: str) -> Iterator[Violation]:
    if not least <= value <= most:
        yield broken(path, rule_id, "state_range", value=value, minimum=least, maximum=most)


def one_of(path: str, value: str, allowed: Container[str], rule_id: str) -> Iterator[Violation]:
    if value not in allowed:
        yield broken(path, rule_id, "state_unknown", value=value[:LONGEST_WORD])


def exactly(path: str, value: Value, expected: Value, rule_id: str) -> Iterator[Violation]:
    if value != expected:
        stated = str(value)[:LONGEST_WORD]
        yield broken(path, rule_id, "state_expected", value=stated, expected=str(expected))


def absent(path: str, present: object, rule_id: str) -> Iterator[Violation]:
    """Something that may only be there in another phase."""
    if present:
        yield broken(path, rule_id, "state_absent")


def present(path: str, there: object, rule_id: str) -> Iterator[Violation]:
    """Something that must be there in this phase."""
    if not there:
        yield broken(path, rule_id, "state_missing")


def distinct(path: str, values: Sequence[str], rule_id: str) -> Iterator[Violation]:
    seen = set()
    for index, value in enumerate(values):
        if value in seen:
            yield broken(f"{path}[{index}]", rule_id, "state_twice", value=value[:LONGEST_WORD])
        seen.add(value)


def normal(path: str, given: Sequence[Point], expected: Sequence[Point], rule_id: str) -> Iterator[Violation]:
    """Vertices in the one form in which a position keeps them."""
    if tuple(given) != tuple(expected):
        yield broken(path, rule_id, "state_vertices")


def legal(path: str, found: Sequence[Violation]) -> Iterator[Violation]:
    """What a move that made this part of the position would have broken, at the path of that part."""
    for violation in found:
        yield Violation(violation.rule_id, violation.reason, violation.values, path, violation.at)
