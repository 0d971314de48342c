"""Keys that an object of a JSON text has twice: which of the values a parser keeps is an accident."""

import json
from collections.abc import Iterator
from typing import Any

import orjson

from protojson import join, step

LONGEST_KEY = 60
"""Characters of a key that a client chose and that is shown as it is."""


class _Doubled(dict[str, Any]):
    """An object in which a key came twice."""

    key = ""


def first(text: bytes, value: Any) -> str | None:
    """The path of the first key that comes twice in a text, or None. `value` is what orjson read from it.

    Written out again the value has as many quotation marks as the text, unless a key was lost or the text has
    them as \\u0022; only then is the text read again, by a slower parser that sees every key.
    """
    try:
        written = orjson.dumps(value)
    except orjson.JSONEncodeError:  # nested deeper than any message may be: for those who read it to refuse
        return None
    if text.count(b'"') == written.count(b'"') and b"\\u0022" not in text:
        return None
    return next(_doubled(json.loads(text, object_pairs_hook=_object), ""), None)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) == len(pairs):
        return made
    doubled, seen = _Doubled(made), set[str]()
    for key, _ in pairs:
        if key in seen:
            doubled.key = key
            break
        seen.add(key)
    return doubled


def _doubled(value: Any, path: str) -> Iterator[str]:
    if isinstance(value, _Doubled):
        yield _under(path, value.key)
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _doubled(inner, _under(path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _doubled(inner, f"{path}[{index}]")


def _under(path: str, key: str) -> str:
    return join(path, key) if key.isidentifier() and len(key) <= LONGEST_KEY else path + step(key)
