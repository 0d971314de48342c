"""The words of the notation: how a line falls into tokens, and how a name is written as one."""

import json
import re
from typing import NamedTuple

LONGEST = 20_000
"""Lines with more characters than this are not read."""

KEYWORDS = frozenset(
    "pass buy share local par sell repay home city lay waive purple by station slot run none pay keep acquire"
    " remove upgrade scrap discard train pool card from accept reject vaclav".split()
)
"""Never written bare as a name, so that no name is mistaken for a word of the notation."""

_WORD = re.compile(r"[A-Za-z0-9+]+")
_STOP = re.compile(r"([A-Za-z0-9+]+)\.(?:0|[1-9][0-9]{0,8})")
_LOCAL = re.compile(r"[SML][1-9]")
_HEX = re.compile(r"[A-Z][0-9]{1,2}")
_TOKEN = re.compile(
    r" *(?:(?P<word>[A-Za-z0-9+]+)"
    r'|(?P<text>"(?:[^"\\]|\\.)*")'
    r"|(?P<mark>[-~.,;=?()\[\]]))"
)


class BadNotation(ValueError):
    """A line that is no move: the column (from 1) at which reading failed, and what should stand there."""

    def __init__(self, column: int, expected: str) -> None:
        super().__init__(f"column {column}: expected {expected}")
        self.column = column
        self.expected = expected


class Token(NamedTuple):
    """Its kind is `word`, `text` (quoted in the line, its value unquoted), `mark`, or `end` of the line."""

    kind: str
    value: str
    column: int


def tokens(line: str) -> list[Token]:
    """The tokens of a line, the end last, in time proportional to its length."""
    if len(line) > LONGEST:
        raise BadNotation(LONGEST + 1, "the end of the line: it is too long")
    found = []
    at = 0
    while at < len(line):
        match = _TOKEN.match(line, at)
        if match is None or match.lastgroup is None:
            while line[at : at + 1] == " ":
                at += 1
            raise BadNotation(at + 1, "a word, a quoted name or a mark")
        kind = match.lastgroup
        value = match[kind]
        column = match.start(kind) + 1
        if kind == "text":
            try:
                value = json.loads(value)
            except ValueError:
                raise BadNotation(column, "a quoted name written as JSON text") from None
        found.append(Token(kind, value, column))
        at = match.end()
    found.append(Token("end", "", len(line) + 1))
    return found


def name(text: str) -> str:
    """A name as one token: bare where it is a plain word, else quoted.

    >>> name("2+2b"), name("pass"), name("")
    ('2+2b', '"pass"', '""')
    """
    return text if _WORD.fullmatch(text) and text not in KEYWORDS else json.dumps(text)


def stop(text: str) -> str:
    """A stop of a route: a hex, or a hex and the index of one of its locations (`E12.1`)."""
    indexed = _STOP.fullmatch(text)
    return text if indexed and indexed[1] not in KEYWORDS else name(text)


def looks_local(text: str) -> bool:
    """Whether a symbol has the shape of a local's."""
    return _LOCAL.fullmatch(text) is not None


def hex_of(stop_name: str) -> str:
    return stop_name.partition(".")[0]


def neighbours(one: str, other: str) -> bool:
    """Whether two hex names are those of neighbouring hexes of the map's grid (CZ-18.1).

    >>> neighbours("E12", "D13"), neighbours("E12", "E14"), neighbours("E12", "E16")
    (True, True, False)
    """
    if not (_HEX.fullmatch(one) and _HEX.fullmatch(other)):
        return False
    rows = abs(ord(one[0]) - ord(other[0]))
    columns = abs(int(one[1:]) - int(other[1:]))
    return (rows, columns) in ((0, 2), (1, 1))
