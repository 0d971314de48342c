"""How a broken invariant of a position is named: a violation whose path is in the JSON names of State."""

from collections.abc import Callable, Container, Iterable, Iterator
from typing import Final

from services.eighteen_cz.rules.state import State
from services.ruleset.answers import Value, Violation

Check = Callable[[State], Iterator[Violation]]

MOST_MONEY: Final = 1_000_000
"""No amount of money in a position may be greater: far above what any game reaches, far below 32 bits."""
LONGEST_TEXT: Final = 80
"""Characters of a player's name or colour."""
LONGEST_LIST: Final = 60
"""No list of a position that could grow without bound may be longer."""


def broken(path: str, rule_id: str, reason: str, **values: Value) -> Violation:
    return Violation(rule_id, reason, values, path)


def in_range(path: str, value: int, least: int, most: int, rule_id: str) -> Iterator[Violation]:
    if not least <= value <= most:
        yield broken(path, rule_id, "state_range", value=value, minimum=least, maximum=most)


def one_of(path: str, value: str, allowed: Container[str], rule_id: str) -> Iterator[Violation]:
    if value not in allowed:
        yield broken(path, rule_id, "state_unknown", value=value)


def exactly(path: str, value: Value, expected: Value, rule_id: str) -> Iterator[Violation]:
    if value != expected:
        yield broken(path, rule_id, "state_expected", value=str(value), expected=str(expected))


def absent(path: str, present: object, rule_id: str) -> Iterator[Violation]:
    """Something that may only be there in another situation: a turn, a list, a name."""
    if present:
        yield broken(path, rule_id, "state_absent")


def distinct(path: str, values: Iterable[str], rule_id: str) -> Iterator[Violation]:
    seen = set()
    for index, value in enumerate(values):
        if value in seen:
            yield broken(f"{path}[{index}]", rule_id, "state_twice", value=value)
        seen.add(value)


def short(path: str, values: list[str] | list[tuple[str, int]], rule_id: str) -> Iterator[Violation]:
    if len(values) > LONGEST_LIST:
        yield broken(path, rule_id, "state_list", count=len(values), maximum=LONGEST_LIST)
