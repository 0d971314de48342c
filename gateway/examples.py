"""An example of each call of a game: a request that works as it stands, and what the game answers to it.

The moves in them are the game's own: the first legal one of a first position, as its LegalMoves says. The
names of the contract's common calls and fields say what belongs into a request.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

import orjson

from gateway.contract import Rpc

Plain = dict[str, Any]
Ask = Callable[[Rpc, Plain], Plain | None]
"""What a game answers to a call; None where it does not."""

NAMES = ("Ada", "Bela", "Cyril", "Dora", "Emil", "Fanny")
SEEDED = {"seeded": {"seed": "an example: a real one stays secret until the end"}}
LARGEST_ANSWER = 16 * 1024
"""Bytes of an answer that is shown."""


class Example(NamedTuple):
    request: Plain
    answer: Plain | None
    """None where it is too large to be shown."""


def examples(calls: Sequence[Rpc], info: Plain, ask: Ask) -> dict[Rpc, Example]:
    """Of the calls of one game that take a body, given what it says of itself (GameInfo); none where the game
    answers nothing."""
    listing = next((rpc for rpc in calls if rpc.name == "LegalMoves"), None)
    opening = _opening(listing, info, ask) if listing else None
    if opening is None:
        return {}
    setup, notation = opening
    values: Plain = {
        "setup": setup,
        "position": {"setup": setup},
        "move": {"notation": notation},
        "record": {"format": "notation", "text": notation},
        "returns": ["POSITION_FORM_SEALED"],
        "page_size": 3,
    }
    found = {}
    for rpc in calls:
        if rpc.verb == "POST":
            fields = rpc.descriptor.input_type.fields
            request = {field.json_name: values[field.name] for field in fields if field.name in values}
            if (answer := ask(rpc, request)) is not None:
                short = len(orjson.dumps(answer)) <= LARGEST_ANSWER
                found[rpc] = Example(request, answer if short else None)
    return found


def _opening(listing: Rpc, info: Plain, ask: Ask) -> tuple[Plain, str] | None:
    """A setup and the notation of a legal move in its first position, of a seat rather than of CHANCE."""
    found = None
    for setup in _setups(info):
        answer = ask(listing, {"position": {"setup": setup}, "pageSize": 1}) or {}
        if answer.get("options"):
            found = setup, answer["options"][0]["move"]["notation"]
            if answer["turn"]["seats"]:
                break
    return found


def _setups(info: Plain) -> Iterator[Plain]:
    """Setups with all that they need, plain ones first; later ones do without the first moves of CHANCE."""
    tables = [
        {"seats": [{"name": name} for name in NAMES[:count]]}
        for count in range(info["minSeats"], min(info["maxSeats"], len(NAMES)) + 1)
    ]
    return chain(tables, ({**table, "random": SEEDED} for table in tables))
