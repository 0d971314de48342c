"""Sealed positions: a state made opaque and tamper-evident.

A token is the unpadded base64url text of

    format (1 byte), key id (4), length of the game's name (1), name, length of the ruleset id (1),
    ruleset id, AES-SIV over the zlib-compressed canonical JSON of the state

where all that stands before the last part is its associated data.

AES-SIV is deterministic: the same state gives the same token under the same key.
"""

import base64
import zlib
from dataclasses import dataclass

from cryptography.exceptions import InvalidTag

from services.chassis.errors import Reason
from services.chassis.keys import ID_BYTES, KeyRing

FORMAT = 1
LEVEL = 3
"""Of compression: higher ones take more than twice the time for a sixth of the size."""
MOST_INFLATED = 4 * 1024 * 1024
"""Bytes of canonical JSON.  Only authentic tokens are inflated; the bound holds for them too."""


class SealError(Exception):
    """A token that is not opened; `message` says something of it."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason, self.message = reason, message


@dataclass(frozen=True, slots=True)
class Opened:
    """What a token holds."""

    ruleset: str
    canonical: bytes


def seal(ring: KeyRing, game: str, ruleset: str, canonical: bytes) -> str:
    """The token of a state, given as canonical JSON."""
    key = ring.first
    header = bytes([FORMAT]) + key.id + _counted(game) + _counted(ruleset)
    body = key.cipher.encrypt(zlib.compress(canonical, LEVEL), [header])
    return base64.urlsafe_b64encode(header + body).decode().rstrip("=")


def unseal(ring: KeyRing, game: str, token: str) -> Opened:
    """What a token of this game holds.  Raises SealError."""
    data = _decode(token)
    name, ruleset, length = _read_header(data)
    key = ring.by_id.get(data[1 : 1 + ID_BYTES])
    if key is None:
        if name != game:
            raise SealError("SEAL_FOREIGN", "is of another game")
        raise SealError("SEAL_KEY_RETIRED", "was made with a key that is no longer in use")
    try:
        packed = key.cipher.decrypt(data[length:], [data[:length]])
    except (InvalidTag, ValueError):
        raise _broken() from None
    if name != game:
        raise SealError("SEAL_FOREIGN", "is of another game")
    inflater = zlib.decompressobj()
    try:
        canonical = inflater.decompress(packed, MOST_INFLATED)
    except zlib.error:
        raise _broken() from None
    if not inflater.eof or inflater.unused_data:
        raise _broken()
    return Opened(ruleset, canonical)


def _counted(text: str) -> bytes:
    data = text.encode()
    return bytes([len(data)]) + data


def _decode(token: str) -> bytes:
    """The bytes of a token; of the texts that decode to the same bytes only the one that `seal` gives."""
    try:
        data = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
    except ValueError:
        raise _broken() from None
    if base64.urlsafe_b64encode(data).rstrip(b"=") != token.encode():
        raise _broken()
    return data


def _read_header(data: bytes) -> tuple[str, str, int]:
    """The game, the ruleset and the length of the header."""
    texts, end = [], 1 + ID_BYTES
    try:
        if data[0] != FORMAT:
            raise _broken()
        for _ in range(2):
            begin, end = end + 1, end + 1 + data[end]
            texts.append(data[begin:end].decode())
    except (IndexError, UnicodeDecodeError):
        raise _broken() from None
    return texts[0], texts[1], end


def _broken() -> SealError:
    return SealError("SEAL_BROKEN", "was altered, cut, or never made here")
