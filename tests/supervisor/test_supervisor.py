"""`python -m deployment` with dummy children on free ports, as `make run` starts it."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deployment.settings import ROOT

SECONDS = 30.0
CONFIGURATION = """
[gateway]
port = 0
workers = 2
app = "tests.supervisor.dummy_gateway:create_app()"

[supervisor]
stop_seconds = 3

[games.first]
module = "tests.supervisor.dummy_service"
package = "none.v1"
port = 0
metrics_port = 0

[games.second-one]
module = "tests.supervisor.dummy_service"
package = "none.v1"
port = 0
metrics_port = 0
"""


def wait_until(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < deadline, f"still waiting until {what}"
        time.sleep(0.02)


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that ended and only waits to be collected does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


class House:
    """A running supervisor: its output so far, and the pids of everything that it started."""

    def __init__(self, folder: Path, **environ: str) -> None:
        self._pids, self._log = folder / "pids", folder / "log"
        self._pids.mkdir()
        (folder / "temporary").mkdir()
        (folder / "signalbox.toml").write_text(CONFIGURATION)
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("SIGNALBOX_")}
        inherited.pop("PORT", None)
        with open(self._log, "wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "deployment"],
                cwd=ROOT,
                stdout=log,
                stderr=log,
                env=inherited
                | {
                    "SIGNALBOX_CONFIG": str(folder / "signalbox.toml"),
                    "SIGNALBOX_DUMMY_PIDS": str(self._pids),
                }
                | {"TMPDIR": str(folder / "temporary")}
                | environ,
            )

    @property
    def output(self) -> str:
        return self._log.read_text()

    def started(self) -> set[int]:
        """Pids of dummies, their descendants and the gateway's processes, dead or alive."""
        return {int(file.name) for file in self._pids.iterdir()}

    def services(self) -> list[int]:
        """Pids of the services that run now."""
        found = []
        for pid in filter(is_alive, self.started()):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                if b"tests.supervisor.dummy_service" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    found.append(pid)
        return found

    def url(self) -> str:
        wait_until(lambda: "curl -s" in self.output or self.process.poll() is not None, "it is ready")
        found = re.search(r"curl -s (http://\S+)", self.output)
        assert found, self.output
        return found[1]

    def left_behind(self) -> set[int]:
        return set(filter(is_alive, self.started()))


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., House]]:
    houses: list[House] = []

    def begin(**environ: str) -> House:
        houses.append(House(tmp_path, **environ))
        return houses[-1]

    yield begin
    for house in houses:
        house.process.kill()
        house.process.wait()
        for pid in house.left_behind():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_serves_until_told_to_stop_and_leaves_nothing(
    start: Callable[..., House], tmp_path: Path, number: signal.Signals
) -> None:
    house = start()
    assert house.url().endswith("/v1/games/first")
    with urllib.request.urlopen(house.url(), timeout=5) as answer:
        assert int(answer.read()) in house.started()
    assert len(house.services()) == 2
    house.process.send_signal(number)
    assert house.process.wait(SECONDS) == 0
    assert house.output.rstrip().endswith("signalbox: stopped")
    assert not house.left_behind()
    assert not list((tmp_path / "temporary").iterdir())


def test_a_killed_supervisor_takes_everything_with_it(start: Callable[..., House]) -> None:
    house = start()
    house.url()
    house.process.kill()
    wait_until(lambda: not house.services(), "the services have ended")


def test_a_crashed_service_starts_again(start: Callable[..., House]) -> None:
    house = start()
    house.url()
    before = house.services()
    os.kill(before[0], signal.SIGKILL)
    wait_until(lambda: len(set(house.services()) - set(before)) == 1, "a new service runs")
    assert "stopped (ended by SIGKILL); it starts again in 0.5 s" in house.output
    house.process.terminate()
    assert house.process.wait(SECONDS) == 0
    assert not house.left_behind()


def test_a_taken_port_is_named_with_its_remedy(start: Callable[..., House]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        port = holder.getsockname()[1]
        house = start(PORT=str(port))
        assert house.process.wait(SECONDS) == 1
    assert f"port {port} on 127.0.0.1 cannot be used (Address already in use)" in house.output
    assert "PORT=..." in house.output and "Traceback" not in house.output
    assert not house.started()


def test_a_taken_service_port_names_its_variable(start: Callable[..., House]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        house = start(SIGNALBOX_SECOND_ONE_PORT=str(holder.getsockname()[1]))
        assert house.process.wait(SECONDS) == 1
    assert "choose another with SIGNALBOX_SECOND_ONE_PORT=..." in house.output


def test_a_service_that_cannot_start_stops_the_rest(start: Callable[..., House]) -> None:
    house = start(SIGNALBOX_DUMMY="crash")
    assert house.process.wait(SECONDS) == 1
    assert "dummy: cannot go on" in house.output
    assert "stopped before it was ready (exit code 3)" in house.output
    assert not house.left_behind()


def test_a_service_that_never_answers_is_named_and_ended(start: Callable[..., House]) -> None:
    house = start(
        SIGNALBOX_DUMMY="deaf", SIGNALBOX_SUPERVISOR_START_SECONDS="2", SIGNALBOX_GAMES="second-one"
    )
    assert house.process.wait(SECONDS) == 1
    assert "not ready after 2 s: second-one" in house.output
    assert not house.left_behind()
