"""Chance without hidden state: every draw is a documented function of a seed and a counter.

Seeded draws: draw number k from n outcomes reads SHA-256 of the UTF-8 text
`signalbox-draw:<seed>:<k>:<t>` for t = 0, 1, ... as a big-endian integer, takes the first one
below the largest multiple of n that fits in 256 bits, and reduces it modulo n; so every outcome
has exactly the same chance.  The commitment, public from the start, is the SHA-256 hex digest of
`signalbox-commitment:<seed>`.  Anyone who is shown the seed at the end can verify every draw.

External draws: the table draws; the outcome is a move of the actor CHANCE.
"""

from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

Mode = Literal["seeded", "external"]
_SPACE = 1 << 256


@dataclass(frozen=True, slots=True)
class Chance:
    """`seed` is empty when the table draws; `draws` counts the outcomes so far in either mode."""

    mode: Mode
    seed: str
    draws: int

    def draw(self, outcomes: int) -> tuple[int, "Chance"]:
        """An outcome in 0 .. outcomes-1 and the chance to go on with.  Seeded mode only.

        >>> Chance("seeded", "abc", 0).draw(6)[1].draws
        1
        """
        if self.mode != "seeded" or outcomes < 1:
            raise ValueError("only a seeded chance with at least one outcome can be drawn from")
        limit = _SPACE - _SPACE % outcomes
        attempt = 0
        while True:
            text = f"signalbox-draw:{self.seed}:{self.draws}:{attempt}"
            number = int.from_bytes(sha256(text.encode()).digest(), "big")
            if number < limit:
                return number % outcomes, self.drawn()
            attempt += 1

    def drawn(self) -> "Chance":
        """This chance after one more outcome (also one that the table reported)."""
        return Chance(self.mode, self.seed, self.draws + 1)

    @property
    def commitment(self) -> str:
        """The public commitment to the seed; empty when the table draws."""
        return sha256(f"signalbox-commitment:{self.seed}".encode()).hexdigest() if self.seed else ""
