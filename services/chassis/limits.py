"""How much work a call may be: its deadline, its search budget, and when a process takes no more calls."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from services.ruleset.protocol import Budget, OutOfTime

T = TypeVar("T")

CLOCK_NODES = 64
"""A search reads the clock once in so many nodes."""


class TimedBudget(Budget):
    """A budget that also raises OutOfTime past a deadline (in seconds of the monotonic clock)."""

    __slots__ = ("_deadline", "_unwatched")

    def __init__(self, nodes: int, deadline: float) -> None:
        super().__init__(nodes)
        self._deadline, self._unwatched = deadline, 0

    def spend(self, nodes: int = 1) -> bool:
        self._unwatched += nodes
        if self._unwatched >= CLOCK_NODES:
            self._unwatched = 0
            check_time(self._deadline)
        return super().spend(nodes)


def check_time(deadline: float) -> None:
    """Raises OutOfTime past the deadline."""
    if time.monotonic() > deadline:
        raise OutOfTime


class Pool(ThreadPoolExecutor):
    """Threads for calls that know how many calls they have been given: running and waiting ones."""

    def __init__(self, threads: int, most: int) -> None:
        super().__init__(threads, thread_name_prefix="call")
        self._most, self._taken, self._lock = most, 0, threading.Lock()

    @property
    def full(self) -> bool:
        return self._taken >= self._most

    @property
    def idle(self) -> bool:
        return self._taken == 0

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        with self._lock:
            self._taken += 1
        future = super().submit(fn, *args, **kwargs)
        future.add_done_callback(self._done)
        return future

    def _done(self, _: object) -> None:
        with self._lock:
            self._taken -= 1
