"""The rulebook of String Railway in English and Hungarian: the JSON files of this package, and how moves are
named."""

from importlib.resources import files
from typing import Final

from services.ruleset.answers import Value
from services.ruleset.rulebook import Rulebook
from services.string_railway.rules.moves import Draw, Move

RULEBOOK: Final = Rulebook(files(__name__))


def summary(move: Move, language: str) -> str:
    """One line that says what a move does.

    >>> from services.string_railway.rules.moves import Pass
    >>> summary(Pass("red", "long"), "en")
    'red passes and gives up a long string.'
    """
    values: dict[str, Value] = {}
    for name in move.__slots__:
        value = getattr(move, name)
        if isinstance(value, int | str):
            values[name] = value
    if isinstance(move, Draw):
        values["tiles"] = ", ".join(RULEBOOK.word("station_kind", kind, language) for kind in move.drawn)
    return RULEBOOK.move(move.kind, language, values)
