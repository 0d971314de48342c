"""The key ring that positions are sealed with.

A key is at least 32 random bytes in base64.  The first key of the ring seals and chooses seeds; all of them
open.  To rotate, put a new key in front; drop the old one when no position sealed with it is in use.
Without a configured ring a development key is made for this machine.
"""

import base64
import binascii
import contextlib
import os
import re
import secrets
import tempfile
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from services.chassis.settings import Settings, SettingsError

SECRET_BYTES = 32
ID_BYTES = 4


class Key:
    """One key: its public id, the cipher for positions, and the secret that seeds are derived from."""

    def __init__(self, secret: bytes) -> None:
        self.id = sha256(b"signalbox-key-id:" + secret).digest()[:ID_BYTES]
        self.cipher = AESSIV(_derive(secret, b"signalbox-seal", 64))
        self.seed_secret = _derive(secret, b"signalbox-seed", 32)


class KeyRing:
    """Keys in their order; the first one seals."""

    def __init__(self, keys: Sequence[Key]) -> None:
        self.keys = tuple(keys)
        self.by_id = {key.id: key for key in reversed(self.keys)}

    @property
    def first(self) -> Key:
        return self.keys[0]


def _derive(secret: bytes, purpose: bytes, length: int) -> bytes:
    return HKDF(algorithm=SHA256(), length=length, salt=None, info=purpose).derive(secret)


def parse(text: str, place: str) -> KeyRing:
    """The ring in a text: keys apart by spaces or commas, `#` begins a comment.  Raises SettingsError."""
    words = [
        word for line in text.splitlines() for word in re.split(r"[\s,]+", line.partition("#")[0]) if word
    ]
    keys = []
    for number, word in enumerate(words, 1):
        try:
            secret = base64.b64decode(
                word.replace("-", "+").replace("_", "/") + "=" * (-len(word) % 4), validate=True
            )
        except binascii.Error:
            raise SettingsError(f"{place}: key {number} is not base64") from None
        if len(secret) < SECRET_BYTES:
            raise SettingsError(f"{place}: key {number} has fewer than {SECRET_BYTES} bytes")
        keys.append(Key(secret))
    if not keys:
        raise SettingsError(f"{place} holds no key")
    return KeyRing(keys)


def load(settings: Settings) -> tuple[KeyRing, Path | None]:
    """The configured ring; else that of the development key, and the file it is kept in.

    Raises SettingsError.
    """
    if settings.seal_keys:
        return parse(settings.seal_keys, "SIGNALBOX_SEAL_KEYS"), None
    file = (
        Path(settings.seal_keys_file) if settings.seal_keys_file else _development_key(settings.state_folder)
    )
    try:
        ring = parse(file.read_text("ascii"), str(file))
    except (OSError, UnicodeError) as error:
        raise SettingsError(f"the sealing keys in {file} cannot be read: {error}") from None
    return ring, None if settings.seal_keys_file else file


def _development_key(folder: Path) -> Path:
    """The file of this machine's own key, made at its first use; readable by its owner only."""
    file = folder / "development.key"
    if file.is_file():
        return file
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, made = tempfile.mkstemp(dir=folder)  # mode 0600
        with os.fdopen(handle, "w") as out:
            out.write(base64.urlsafe_b64encode(secrets.token_bytes(SECRET_BYTES)).decode() + "\n")
        with contextlib.suppress(FileExistsError):  # services that start together agree on the first one
            os.link(made, file)
        os.unlink(made)
    except OSError as error:
        raise SettingsError(
            f"no sealing keys are configured (SIGNALBOX_SEAL_KEYS_FILE) and none can be made: {error}"
        ) from None
    return file
