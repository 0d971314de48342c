"""Sealed positions: deterministic, tamper-evident, bound to a game, openable while their key is there."""

import base64
import random
import string
import zlib
from pathlib import Path

import pytest

from services.chassis import keys
from services.chassis.keys import KeyRing
from services.chassis.sealing import FORMAT, MOST_INFLATED, SealError, seal, unseal
from services.chassis.settings import Settings, SettingsError
from tests.chassis.conftest import SETUP
from tests.contract.client import Client, Fault, Plain
from tests.tinygame.service import KEYS, ring, served

OLD, NEW = KEYS
TEXT = b'{"round":1,"sky":"SKY_SUN"}'


def sealed(key_ring: KeyRing | None = None, game: str = "tiny-game", text: bytes = TEXT) -> str:
    return seal(key_ring or ring(), game, "tiny-game/first-1", text)


def refusal(key_ring: KeyRing, token: str) -> str:
    with pytest.raises(SealError) as error:
        unseal(key_ring, "tiny-game", token)
    return error.value.reason


def test_round_trip_is_exact_and_deterministic() -> None:
    opened = unseal(ring(), "tiny-game", sealed())
    assert (opened.ruleset, opened.canonical) == ("tiny-game/first-1", TEXT)
    assert sealed() == sealed() != sealed(ring(NEW))
    assert set(sealed()) <= set(string.ascii_letters + string.digits + "-_")
    assert TEXT.decode() not in base64.urlsafe_b64decode(sealed() + "==").decode("latin-1")


def test_every_altered_byte_is_refused() -> None:
    token, key_ring = sealed(), ring()
    data = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
    for index in range(len(data)):
        for flip in (1, 128, 255):
            altered = bytearray(data)
            altered[index] ^= flip
            text = base64.urlsafe_b64encode(altered).decode().rstrip("=")
            assert refusal(key_ring, text) in ("SEAL_BROKEN", "SEAL_KEY_RETIRED")


def test_every_altered_letter_is_refused() -> None:
    token, key_ring = sealed(text=TEXT + b" "), ring()
    for index, letter in enumerate(token):
        for other in {*"Ab9-_=+/ é", string.ascii_letters[index % 52]} - {letter}:
            for altered in (
                token[:index] + other + token[index + 1 :],
                token[:index] + other + token[index:],
            ):
                assert refusal(key_ring, altered) in ("SEAL_BROKEN", "SEAL_KEY_RETIRED")
        assert refusal(key_ring, token[:index]) in ("SEAL_BROKEN", "SEAL_KEY_RETIRED")
    assert refusal(key_ring, token + "=") == "SEAL_BROKEN"


def test_random_tokens_are_refused() -> None:
    rng = random.Random(1)
    for length in range(200):
        token = base64.urlsafe_b64encode(bytes([FORMAT]) + rng.randbytes(length)).decode().rstrip("=")
        assert refusal(ring(), token).startswith("SEAL_")


def test_foreign_positions() -> None:
    assert refusal(ring(), sealed(game="other-game")) == "SEAL_FOREIGN"
    assert refusal(ring(NEW), sealed(game="other-game")) == "SEAL_FOREIGN"


def test_rotation() -> None:
    before = sealed(ring(OLD))
    rotated = ring(NEW, OLD)
    assert unseal(rotated, "tiny-game", before).canonical == TEXT
    after = sealed(rotated)
    assert after == sealed(ring(NEW))
    assert refusal(ring(OLD), after) == "SEAL_KEY_RETIRED"
    assert refusal(ring(NEW), before) == "SEAL_KEY_RETIRED"


@pytest.mark.parametrize(
    "packed",
    [
        zlib.compress(b"x" * (MOST_INFLATED + 1)),
        zlib.compress(TEXT) + b"more",
        zlib.compress(TEXT)[:-2],
        b"x",
    ],
)
def test_what_is_inside_is_inflated_with_care(packed: bytes) -> None:
    """Only with the key can such a token be made at all."""
    key_ring = ring()
    header = bytes([FORMAT]) + key_ring.first.id + b"\x09tiny-game\x11tiny-game/first-1"
    token = (
        base64.urlsafe_b64encode(header + key_ring.first.cipher.encrypt(packed, [header]))
        .decode()
        .rstrip("=")
    )
    assert refusal(key_ring, token) == "SEAL_BROKEN"


def test_retired_and_foreign_over_the_wire(client: Client) -> None:
    for token, reason in ((sealed(ring(NEW)), "SEAL_KEY_RETIRED"), (sealed(game="other"), "SEAL_FOREIGN")):
        with pytest.raises(Fault) as fault:
            client.call("Score", {"position": {"sealed": token}})
        assert (fault.value.reason, fault.value.path) == (reason, "position.sealed")


def test_replicas_with_one_key_ring_agree(first: Plain) -> None:
    with served() as replica:
        again = replica.client.call("Start", {"setup": SETUP})
        assert again == first
        assert replica.count("signalbox_sealed_positions_total", game="tiny-game", remembered="no") == 0
        for remembered in ("yes", "no"):
            state = {"sealed": first["position"]["sealed"]}
            with served() as fresh:
                asked = replica if remembered == "yes" else fresh
                assert asked.client.call("Score", {"position": state})
                assert (
                    asked.count("signalbox_sealed_positions_total", game="tiny-game", remembered=remembered)
                    == 1
                )


def test_the_memory_is_bounded() -> None:
    with served(Settings(cached_positions=2)) as service:
        tokens = [
            service.client.call("Start", {"setup": SETUP | {"random": {"seeded": {"seed": seed}}}})[
                "position"
            ]["sealed"]
            for seed in "abc"
        ]
        for token, remembered in (
            (tokens[2], "yes"),
            (tokens[1], "yes"),
            (tokens[0], "no"),
            (tokens[2], "no"),
        ):
            before = service.count(
                "signalbox_sealed_positions_total", game="tiny-game", remembered=remembered
            )
            service.client.call("Score", {"position": {"sealed": token}})
            assert before + 1 == service.count(
                "signalbox_sealed_positions_total", game="tiny-game", remembered=remembered
            )


def test_key_rings_are_read_from_text_and_files(tmp_path: Path) -> None:
    assert [key.id for key in keys.parse(f"# the new one\n{NEW}\n\n{OLD} # the old one", "x").keys] == [
        key.id for key in ring(NEW, OLD).keys
    ]
    file = tmp_path / "keys"
    file.write_text(NEW)
    loaded, development = keys.load(Settings(seal_keys_file=str(file)))
    assert (loaded.first.id, development) == (ring(NEW).first.id, None)
    assert keys.load(Settings(seal_keys=f"{OLD},{NEW}"))[0].first.id == ring(OLD).first.id


@pytest.mark.parametrize("text", ["", "# nothing", "not base64!", "c2hvcnQ=", f"{KEYS[0]} c2hvcnQ="])
def test_bad_key_rings_are_named_without_telling_the_key(tmp_path: Path, text: str) -> None:
    file = tmp_path / "keys"
    file.write_text(text)
    with pytest.raises(SettingsError) as error:
        keys.load(Settings(seal_keys_file=str(file)))
    assert str(file) in str(error.value)
    assert not any(word in str(error.value) for word in ("c2hvcnQ", "!", KEYS[0]))


def test_a_missing_key_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SettingsError):
        keys.load(Settings(seal_keys_file=str(tmp_path / "none")))


def test_a_development_key_is_made_once(tmp_path: Path) -> None:
    settings = Settings(state_dir=str(tmp_path / "state"))
    first, file = keys.load(settings)
    assert file is not None and file.stat().st_mode & 0o777 == 0o600
    assert keys.load(settings)[0].first.id == first.first.id
    assert [path.name for path in file.parent.iterdir()] == ["development.key"]
