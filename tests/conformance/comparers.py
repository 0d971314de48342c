"""Which games can be compared: a comparer for each folder name."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol

from tests.conformance import eighteen_cz, string_railway
from tests.conformance.report import Report


class Comparer(Protocol):
    """Compares one game's folder.  A job is a part of it that can be done on its own."""

    def jobs(self, folder: Path) -> Sequence[str]:
        """The parts, in the order in which they are reported."""

    def compare(self, folder: Path, job: str, share: int) -> Report:
        """One part.  `share` 1 compares everything, n every n-th of what takes long."""


COMPARERS: Final[Mapping[str, Comparer]] = {"18cz": eighteen_cz, "string-railway": string_railway}
