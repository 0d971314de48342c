"""What a measurement gives, and how to take one."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured value, with a goal where there is one: at most, or at least, so much."""

    what: str
    value: float
    unit: str
    most: float | None = None
    least: float | None = None

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; None without a goal."""
        if self.most is not None:
            return self.value <= self.most
        return None if self.least is None else self.value >= self.least

    def __str__(self) -> str:
        goal = f"at most {self.most:g}" if self.most is not None else f"at least {self.least or 0:g}"
        verdict = "" if self.met is None else f"   goal: {goal}, {'met' if self.met else 'MISSED'}"
        return f"{self.what:<60} {self.value:>10.3f} {self.unit:<6}{verdict}"


def seconds(run: Callable[[], object], times: int) -> list[float]:
    """The seconds of each of so many runs, after a few that do not count."""
    for _ in range(min(times, 5)):
        run()
    return [_timed(run) for _ in range(times)]


def _timed(run: Callable[[], object]) -> float:
    begun = time.perf_counter()
    run()
    return time.perf_counter() - begun


def median_ms(run: Callable[[], object], times: int = 200) -> float:
    return median(seconds(run, times)) * 1e3


def side_by_side_ms(runs: Iterable[Callable[[], object]], times: int = 200) -> list[float]:
    """The median of each, all taken in turn, so that whatever slows the machine slows all alike."""
    runs = list(runs)
    for run in runs:
        for _ in range(5):
            run()
    taken: list[list[float]] = [[] for _ in runs]
    for _ in range(times):
        for run, into in zip(runs, taken, strict=True):
            into.append(_timed(run))
    return [median(into) * 1e3 for into in taken]
