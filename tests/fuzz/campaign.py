"""Many hostile cases from one seed, each of which can be run again alone.

SIGNALBOX_FUZZ_CASES is how many cases all campaigns run together, SIGNALBOX_FUZZ_SEED the seed, and
SIGNALBOX_FUZZ_CASE the one case to run (`states/1234`, as a failure names it).
"""

import os
import signal
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import ceil
from random import Random

import pytest

CASES = int(os.environ.get("SIGNALBOX_FUZZ_CASES", "20000"))
SEED = os.environ.get("SIGNALBOX_FUZZ_SEED", "18cz")
ONLY = os.environ.get("SIGNALBOX_FUZZ_CASE", "")

MOST_FAULTS = 20
"""Different faults after which a campaign ends."""

Case = Callable[[Random], bool | None]
"""True says that the case got through the door, so that what is behind it was tested."""


class Hang(BaseException):
    """A case that computes for too long; not an Exception, so that nothing on its way swallows it."""


@contextmanager
def bounded(seconds: float) -> Iterator[None]:
    """Raises Hang after so many seconds of this process's computing; what others compute does not count."""

    def stop(_number: int, _frame: object) -> None:
        raise Hang(f"still computing after {seconds:g} s")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def run(name: str, share: float, case: Case, through: float = 0.0, seconds: float = 10.0) -> None:
    """The campaign's share of all cases; fails with each different fault once, and how to see it again, or
    where fewer than a fraction of the cases got `through`."""
    numbers: Sequence[int] = range(ceil(CASES * share))
    if ONLY:
        campaign, _, only = ONLY.partition("/")
        if campaign != name:
            pytest.skip(f"only {ONLY} is asked for")
        numbers = [int(only)]
    faults: dict[str, tuple[int, str, int]] = {}
    passed = 0
    for number in numbers:
        try:
            with bounded(seconds):
                passed += bool(case(Random(f"{SEED}/{name}/{number}")))
        except (Exception, Hang) as error:
            signature = _signature(error)
            first, text, count = faults.get(signature, (number, _told(error), 0))
            faults[signature] = first, text, count + 1
            if len(faults) == MOST_FAULTS:
                break
    if faults:
        parts = [
            f"{count} times, first SIGNALBOX_FUZZ_SEED={SEED} SIGNALBOX_FUZZ_CASE={name}/{first}\n{text}"
            for first, text, count in faults.values()
        ]
        pytest.fail(f"{len(faults)} fault(s) in campaign {name}\n\n" + "\n\n".join(parts), pytrace=False)
    assert passed >= through * len(numbers) or ONLY, f"only {passed} of {len(numbers)} cases got through"


def _signature(error: BaseException) -> str:
    """The same for faults with one cause: the kind of error, and the last two places on its way."""
    frames = traceback.extract_tb(error.__traceback__)
    places = [f"{frame.filename}:{frame.lineno}" for frame in frames[-2:]]
    return " ".join([type(error).__name__, *([] if isinstance(error, Hang) else places)])


def _told(error: BaseException) -> str:
    lines = traceback.format_exception(error, limit=-8)
    text = "".join(lines)
    return text if len(text) < 6000 else f"{text[:3000]}\n...\n{text[-3000:]}"
