"""One supervised process: how it is started, when it is ready, and how it and all its descendants end."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

LIFELINE = Path(__file__).with_name("lifeline.py")
FIRST_PAUSE, LONGEST_PAUSE, CALM = 0.5, 30.0, 60.0
"""Seconds before the first restart, at most, and of running after which a crash counts as the first again."""


class Child:
    """A command in a session of its own, so that its process group holds all that it starts.

    `ready` answers whether the running process serves yet; it may block for a fraction of a second. `scratch`
    is a folder that is empty at each start: there its processes sum up their metrics.
    """

    def __init__(
        self,
        name: str,
        command: list[str],
        environ: Mapping[str, str],
        cwd: Path,
        scratch: Path,
        ready: Callable[[], bool],
    ) -> None:
        self.name, self.ready = name, ready
        self._command, self._cwd, self._scratch = command, cwd, scratch
        self._environ = {**environ, "PROMETHEUS_MULTIPROC_DIR": str(scratch)}
        self._process: subprocess.Popen[bytes] | None = None
        self._started = 0.0
        self._pause = FIRST_PAUSE
        self.restart_at: float | None = None
        """Monotonic time of the next start; None while it runs."""

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def start(self) -> None:
        shutil.rmtree(self._scratch, ignore_errors=True)
        self._scratch.mkdir()
        self._started, self.restart_at = time.monotonic(), None
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(LIFELINE), str(os.getpid()), *self._command],
            env=self._environ,
            cwd=self._cwd,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )

    def exit_code(self) -> int | None:
        """None while it runs; otherwise its exit code (minus the signal), all its descendants being ended."""
        if self._process is None:
            return None
        if os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
            return None
        # Not reaped yet, so the group's number cannot have gone to a stranger.
        self.kill()
        code, self._process = self._process.wait(), None
        return code

    def plan_restart(self) -> float:
        """Set `restart_at` after a crash; the pause in seconds, doubled unless it had run calmly."""
        now = time.monotonic()
        if now - self._started >= CALM:
            self._pause = FIRST_PAUSE
        pause, self._pause = self._pause, min(self._pause * 2, LONGEST_PAUSE)
        self.restart_at = now + pause
        return pause

    def terminate(self) -> None:
        """Ask the process itself to finish; what it started is its own to stop."""
        if self._process is not None:
            os.kill(self._process.pid, signal.SIGTERM)

    def kill(self) -> None:
        """End the process and all that it started, at once."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)


def explain(code: int) -> str:
    """An exit code in words.

    >>> explain(-9), explain(3)
    ('ended by SIGKILL', 'exit code 3')
    """
    return f"ended by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
