"""Values, texts and bytes that no well-meaning client sends."""

import json
from random import Random
from typing import Any

INTEGERS = (
    -1, 0, 1, 2, 3, 7, 12, 13, 99, 1000, 10**6, 10**9, 2**31 - 1, 2**31 - 2, 2**31, -(2**31), -(2**31) - 1,
    2**32, 2**53, 2**63, -(2**63), 10**30, 10**400,
)  # fmt: skip
TEXTS = (
    "", " ", "0", "-1", "G0", "G1", "G7", "G99", "Vaclav", "CHANCE", "removed", "closed", "stack", "pool",
    "BCB", "kk", "Ug", "bcb", "S1", "L6", "M7", "2a", "8Ej", "2+2b", "9z", "E12", "E12.0", "E12.9", "E12.²",
    "E12.-1", "B9", "B9.1", "Z99", "E", "12", "57", "14p", "standard", "bohemia", "moravia-silesia",
    "18cz/summary-1",
    "18cz/published-1", "18cz/", "small", "a", "j", "k", "STEP_TRACK", "STEP_UNSPECIFIED", "STAGE_OVER",
    "DIVIDEND_CHOICE_PAY", "null", "true", "NaN", "Infinity", "\0", "\n", "\r\n", "a\0b", "ą", "ｅ12", "²",
    "٣",
    "\u202e", "\ufeff", "😀" * 40, "x" * 300, "x" * 20000, "'\";--", "<svg onload=alert(1)>", "]]>", "&lt;",
    "../../etc/passwd", "%s%n", "{}", "{seat}", "[", "]", "__class__", "\u2028", "\x7f", "\x1b[2J", "\ud800",
)  # fmt: skip
"""The last one is half of a surrogate pair: JSON can say it, UTF-8 cannot."""

UTF8_TEXTS = tuple(text for text in TEXTS if "\ud800" not in text)


def any_json(rng: Random, depth: int = 3) -> Any:
    """Any JSON value, numbers that are no integers among them."""
    match rng.randrange(9 if depth else 6):
        case 0:
            return rng.choice(INTEGERS)
        case 1:
            return rng.choice(TEXTS)
        case 2:
            return rng.choice([None, True, False])
        case 3:
            return rng.choice([0.5, -0.0, 1.0, 1e300, 3.0000001, 2.0**31, float("inf"), float("nan")])
        case 4:
            return []
        case 5:
            return {}
        case 6 | 7:
            return [any_json(rng, depth - 1) for _ in range(rng.randrange(5))]
        case _:
            return {rng.choice(TEXTS): any_json(rng, depth - 1) for _ in range(rng.randrange(5))}


def nested(rng: Random) -> bytes:
    """JSON nested deep, closed or not."""
    depth = rng.choice([50, 99, 101, 130, 500, 1000, 1025, 5000, 100_000])
    opening, closing = rng.choice(
        [(b"[", b"]"), (b'{"a":', b"}"), (b'{"position":', b"}"), (b'[{"":', b"}]")]
    )
    middle = rng.choice([b"", b"1", b"null", b'""'])
    return opening * depth + middle + closing * rng.choice([depth, depth, 0, depth - 1])


def as_bytes(tree: Any) -> bytes:
    """A tree as JSON the way Python's own writer does it (halves of surrogate pairs, NaN and all)."""
    return json.dumps(tree, ensure_ascii=True).encode()


ODD_BYTES = (b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\0", b'"', b"{", b"\\u0000", b"9" * 400)


def broken(rng: Random, data: bytes) -> bytes:
    """Bytes cut, doubled, exchanged or replaced."""
    array = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 5, 30])):
        if not array:
            array += rng.randbytes(rng.randrange(1, 20))
        at = rng.randrange(len(array))
        match rng.randrange(7):
            case 0:
                array[at] = rng.randrange(256)
            case 1:
                array[at] ^= 1 << rng.randrange(8)
            case 2:
                del array[at : at + rng.choice([1, 2, 8, 100])]
            case 3:
                array[at:at] = rng.randbytes(rng.choice([1, 2, 8, 100]))
            case 4:
                del array[at:]
            case 5:
                other = rng.randrange(len(array))
                array[at:at] = array[other : other + rng.choice([1, 4, 16, 200])]
            case _:
                array[at:at] = rng.choice(
                    [b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\0", b'"', b"{", b"\\u0000", b"9" * 400]
                )
    return bytes(array)
