"""The rulebook of 18CZ in English and Polish: the JSON files of this package, and how moves are named."""

from importlib.resources import files
from typing import Final

from services.eighteen_cz.rules.moves import Move, Route, RunTrains
from services.ruleset.answers import Value
from services.ruleset.rulebook import Rulebook

RULEBOOK: Final = Rulebook(files(__name__))


def summary(move: Move, language: str, **more: Value) -> str:
    """One line that says what a move does; `more` are values that do not stand in the move (its `price`).

    >>> from services.eighteen_cz.rules.moves import LayTile
    >>> summary(LayTile("BCB", "E16", "57", 1), "en")
    'BCB lays tile 57 on E16, rotation 1.'
    """
    values: dict[str, Value] = more
    for name in move.__slots__:
        value = getattr(move, name)
        if isinstance(value, int | str):
            values[name] = value
    if isinstance(move, RunTrains):
        values["trains"] = ", ".join(map(_run, move.routes)) or "none"
        if move.revenue < 0 or not move.routes:
            del values["revenue"]
    return RULEBOOK.move(move.kind, language, values)


def _run(route: Route) -> str:
    return f"{route.train} {'-'.join(stop.partition('.')[0] for stop in route.stops)}"
