"""Several processes that share one port, under a parent that starts again those that die.

The parent holds the port without listening, so that no other service can share it, and forks: it starts no
thread and no gRPC itself, for neither survives a fork.  One more process serves the metrics of all.
"""

import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import NoReturn

import structlog

from services.chassis.settings import SettingsError

_log = structlog.get_logger()

SIGNALS = frozenset({signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD})
GIVE_UP = os.EX_CONFIG
"""The exit code of a process that would fail again if it were started again."""
CALM_SECONDS, PAUSE_SECONDS = 5.0, 1.0
"""A process that dies younger than this, as the one before it did, is started again only after a pause."""


@contextmanager
def held_port(host: str, port: int) -> Iterator[int]:
    """Reserve a port for processes that share it; its number, chosen where it is 0.  Raises SettingsError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as held:
        try:
            with socket.socket(family) as probe:  # it fails where anybody holds the port, also for sharing
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind((host, port))
                port = probe.getsockname()[1]
            held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            held.bind((host, port))
        except OSError as error:
            raise SettingsError(
                f"port {port} on {host} cannot be used ({os.strerror(error.errno or 0)}); "
                "stop what holds it or set SIGNALBOX_PORT"
            ) from None
        yield port


class Parent:
    """Keeps one process running for each task.  A task runs until SIGTERM; it may raise SettingsError."""

    def __init__(self, tasks: Mapping[str, Callable[[], None]], stop_seconds: float) -> None:
        self._tasks, self._stop_seconds = tasks, stop_seconds
        self._alive, self._lifeline = os.pipe()
        self._running: dict[int, tuple[str, float]] = {}
        self._due: dict[str, float] = {}
        self._frail: set[str] = set()

    def run(self) -> int:
        """Until SIGTERM, SIGINT or SIGHUP; the exit code."""
        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        for name in self._tasks:
            self._start(name)
        while True:
            wait = min(self._due.values(), default=time.monotonic() + 60) - time.monotonic()
            received = signal.sigtimedwait(SIGNALS, max(wait, 0))
            if received and received.si_signo != signal.SIGCHLD:
                return self._stop(0)
            for name, begun, code in self._ended():
                _log.error("process_ended", process=name, code=code)
                if code == GIVE_UP:
                    return self._stop(1)
                young = time.monotonic() - begun < CALM_SECONDS
                self._due[name] = time.monotonic() + (PAUSE_SECONDS if young and name in self._frail else 0)
                (self._frail.add if young else self._frail.discard)(name)
            for name in [name for name, due in self._due.items() if due <= time.monotonic()]:
                del self._due[name]
                self._start(name)

    def _start(self, name: str) -> None:
        pid = os.fork()
        if pid == 0:
            os.close(self._lifeline)
            _run_and_exit(name, self._tasks[name], self._alive)
        self._running[pid] = name, time.monotonic()

    def _ended(self) -> Iterator[tuple[str, float, int]]:
        """The processes that have ended: task, when it began, exit code (minus the signal)."""
        while self._running:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            if pid in self._running:
                yield (*self._running.pop(pid), os.waitstatus_to_exitcode(status))

    def _stop(self, code: int) -> int:
        for pid in self._running:
            os.kill(pid, signal.SIGTERM)
        deadline = time.monotonic() + self._stop_seconds
        while self._running and time.monotonic() < deadline:
            for name, _, ended in self._ended():
                if ended not in (0, GIVE_UP):
                    _log.error("process_ended", process=name, code=ended)
            if self._running:
                signal.sigtimedwait({signal.SIGCHLD}, deadline - time.monotonic())
        for pid in self._running:
            os.kill(pid, signal.SIGKILL)
        return code


def _run_and_exit(name: str, task: Callable[[], None], alive: int) -> NoReturn:
    """The life of a forked process."""

    def end_with_parent() -> None:
        os.read(alive, 1)  # returns when the parent, which holds the other end and never writes, is gone
        os.kill(os.getpid(), signal.SIGTERM)

    code = 1
    try:
        threading.Thread(target=end_with_parent, daemon=True).start()
        task()
        code = 0
    except SettingsError as error:
        print(f"signalbox: {error}", file=sys.stderr)
        code = GIVE_UP
    except BaseException:
        _log.exception("process_failed", process=name)
    finally:
        sys.stderr.flush()
        os._exit(code)
