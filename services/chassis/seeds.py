"""The seed of a game: chosen where a setup leaves it to the oracle, and withheld until the game has ended.

A chosen seed is HMAC-SHA256, under a secret of the sealing key, of the game's name and the canonical JSON of
the completed setup, its nonce included.  Nobody without the key can work it out, and the same setup under the
same key gives the same seed: who knows setup and nonce can have the oracle say it.  So a nonce is needed, and
is the secret of whom the oracle chooses for.  An answered setup leaves the seed empty and carries its
commitment instead: given back, it finds the same seed also after a new key was put in front.
"""

import hmac
from hashlib import sha256
from typing import Any

from services.chassis.canonical import canonical_json
from services.chassis.errors import Refused, malformed
from services.chassis.game import Plain
from services.chassis.keys import Key, KeyRing
from services.ruleset.chance import Chance

LONGEST_TEXT = 200
"""Characters of a seed or a nonce."""

SEED_PATH = "random.seeded.seed"


def commitment(seed: str) -> str:
    """The public commitment to a seed."""
    return Chance("seeded", seed, 0).commitment


def normal_random(random: Plain | None, path: str) -> Plain:
    """The `random` of a setup without what is ignored there.  Raises Refused.

    Where it has no mode the table draws: a setup that says nothing of chance is the same everywhere.
    """
    if not random or "seeded" not in random:
        return {"external": {"draws": 0}}
    seeded = random["seeded"]
    for field in ("seed", "nonce"):
        if len(seeded.get(field, "")) > LONGEST_TEXT:
            message = f"has more than {LONGEST_TEXT} characters"
            raise malformed(f"{path}.seeded.{field}", message, "TOO_LONG")
    seed = seeded.get("seed", "")
    if not seed and not seeded.get("nonce", ""):
        message = "is needed where the oracle chooses the seed: a secret text that is used for one game only"
        raise malformed(f"{path}.seeded.nonce", message, "MISSING")
    promised = "" if seed else seeded.get("commitment", "")
    return {"seeded": {"seed": seed, "commitment": promised, "draws": 0, "nonce": seeded.get("nonce", "")}}


def choose_seed(ring: KeyRing, game: str, setup: Plain, path: str) -> tuple[Plain, Plain]:
    """A completed setup as the rules take it, with its seed, and as it is answered.  Raises Refused."""
    seeded = setup["random"].get("seeded")
    if seeded is None:
        return setup, setup
    if seeded["seed"]:
        known = _with(setup, seeded, commitment=commitment(seeded["seed"]))
        return known, known
    text = game.encode() + b"\0" + canonical_json(_with(setup, seeded, commitment=""))
    promised = seeded["commitment"]
    for key in ring.keys if promised else ring.keys[:1]:
        seed = _derive(key, text)
        promise = commitment(seed)
        if promised in ("", promise):
            answered = _with(setup, seeded, commitment=promise)
            return _with(setup, seeded, commitment=promise, seed=seed), answered
    raise Refused(
        "SEAL_KEY_RETIRED",
        "is not that of a seed which a key in use chooses",
        f"{path}.random.seeded.commitment",
    )


def broken_seed(state: Plain) -> str:
    """What is to be said of the seed of an open state; empty when nothing is wrong."""
    seeded = (state.get("random") or {}).get("seeded")
    if seeded is None:
        return ""
    if not seeded["seed"]:
        return "is missing: a view is not a whole state"
    if len(seeded["seed"]) > LONGEST_TEXT:
        return f"has more than {LONGEST_TEXT} characters"
    if seeded["commitment"] not in ("", commitment(seeded["seed"])):
        return "is not the one committed to"
    return ""


def without_seed(state: Plain) -> Plain:
    """A plain state without its seed, and without the nonce by which the oracle would say it."""
    seeded = (state.get("random") or {}).get("seeded")
    if seeded is None:
        return state
    return _with(state, seeded, seed="", nonce="")


def _derive(key: Key, text: bytes) -> str:
    return hmac.digest(key.seed_secret, text, sha256).hex()


def _with(owner: Plain, seeded: Plain, **changes: Any) -> Plain:
    return {**owner, "random": {"seeded": {**seeded, **changes}}}
