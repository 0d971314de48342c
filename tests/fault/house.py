"""The whole house as `make run` starts it, for tests: processes, ports, and how to hurt them."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from deployment.settings import ROOT

START_SECONDS, STOP_SECONDS = 40.0, 40.0
KEY = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_until(condition: Callable[[], bool], what: str, seconds: float = START_SECONDS) -> float:
    """The seconds that it took."""
    begun = time.monotonic()
    while not condition():
        assert time.monotonic() - begun < seconds, f"still waiting until {what}"
        time.sleep(0.01)
    return time.monotonic() - begun


def children(pid: int) -> list[int]:
    """The pids of a process's own children, the oldest first."""
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except FileNotFoundError:
        return []


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that ended and only waits to be collected does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def descendants(pid: int) -> set[int]:
    found: set[int] = set()
    for child in children(pid):
        found |= {child} | descendants(child)
    return found


class House:
    """A running `python -m deployment`: supervisor, gateway and the services of the configuration."""

    def __init__(self, folder: Path, **variables: object) -> None:
        self.log = folder / "house.log"
        self.service_port, self.metrics_port = free_port(), free_port()
        own = {
            "PORT": 0,
            "SIGNALBOX_18CZ_PORT": self.service_port,
            "SIGNALBOX_18CZ_METRICS_PORT": self.metrics_port,
            "SIGNALBOX_SEAL_KEYS": KEY,
            "TMPDIR": folder,
        }
        inherited = {
            name: value for name, value in os.environ.items() if not name.startswith(("SIGNALBOX", "PROM"))
        }
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "deployment"],
                cwd=ROOT,
                env=inherited | {name: str(value) for name, value in (own | variables).items()},
                stdout=log,
                stderr=log,
            )
        self._seen: set[int] = set()

    @property
    def output(self) -> str:
        return self.log.read_text(errors="replace")

    def wait_ready(self) -> None:
        def ready() -> bool:
            assert self.process.poll() is None, self.output
            return "ready at" in self.output

        wait_until(ready, "the house is ready")
        found = re.search(r"ready at http://127\.0\.0\.1:(\d+)", self.output)
        assert found, self.output
        self.port = int(found[1])
        self.look()

    def look(self) -> set[int]:
        """All processes of the house that run now."""
        now = descendants(self.process.pid)
        self._seen |= now
        return now

    def child(self, word: str) -> int:
        """The pid of the supervised process with this word in its command."""
        for pid in children(self.process.pid):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                if word.encode() in Path(f"/proc/{pid}/cmdline").read_bytes():
                    return pid
        raise AssertionError(f"no process {word}\n{self.output}")

    @property
    def service(self) -> int:
        """The pid of the 18CZ service: the parent of its workers, where it has more than one."""
        return self.child("services.eighteen_cz")

    @property
    def workers(self) -> list[int]:
        """The processes under the service: its workers, and the one that serves their metrics."""
        self.look()
        return children(self.service)

    @property
    def serving(self) -> int:
        """How many workers of the service listen on its port."""
        tables = [Path(f"/proc/net/{table}").read_text().splitlines()[1:] for table in ("tcp", "tcp6")]
        rows = [line.split() for table in tables for line in table]
        port, listening = f":{self.service_port:04X}", "0A"
        return sum(row[1].endswith(port) and row[3] == listening for row in rows)

    def stop(self) -> int:
        """Its exit code after SIGTERM; nothing of it is left."""
        self.look()
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(STOP_SECONDS)
        left = set(filter(is_alive, self._seen))
        assert not left, f"left behind: {left}\n{self.output}"
        return code

    def kill(self) -> None:
        """End it and all that it started, whatever has become of it."""
        self.look()
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for pid in filter(is_alive, self._seen):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


@contextlib.contextmanager
def running(folder: Path, **variables: object) -> Iterator[House]:
    """A house that is ready."""
    house = House(folder, **variables)
    try:
        house.wait_ready()
        yield house
    finally:
        house.kill()
