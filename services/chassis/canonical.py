"""The one text of a plain value, and its hash."""

from hashlib import sha256

import orjson

from services.chassis.game import Plain


def canonical_json(plain: Plain) -> bytes:
    """UTF-8 JSON with keys sorted and no white space.

    >>> canonical_json({"b": [True, 1], "a": "ą"}).decode()
    '{"a":"ą","b":[true,1]}'
    """
    return orjson.dumps(plain, option=orjson.OPT_SORT_KEYS)


def digest(canonical: bytes) -> str:
    """SHA-256 in hex: the `state_hash` of a state's canonical JSON."""
    return sha256(canonical).hexdigest()
