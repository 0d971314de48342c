"""The service of the tiny game for tests: in this process, or as the processes it is in earnest."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from prometheus_client import CollectorRegistry

from services.chassis import keys
from services.chassis.game import AnyGame
from services.chassis.keys import KeyRing
from services.chassis.metrics import Metrics
from services.chassis.server import Server
from services.chassis.settings import Settings
from tests.contract.client import IMPATIENT, Client, Fault
from tests.tinygame.game import GAME

ROOT = Path(__file__).resolve().parents[2]
KEYS = ("MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=", "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWY=")


def ring(*names: str) -> KeyRing:
    return keys.parse("\n".join(names or KEYS[:1]), "test")


@dataclass(frozen=True, slots=True)
class Local:
    """A service in this process, its client and its metrics."""

    server: Server
    client: Client
    registry: CollectorRegistry

    def count(self, name: str, **labels: str) -> float:
        return self.registry.get_sample_value(name, labels) or 0.0


@contextmanager
def served(
    settings: Settings | None = None, key_ring: KeyRing | None = None, game: AnyGame = GAME
) -> Iterator[Local]:
    """A service in this process, on a free port."""
    registry = CollectorRegistry()
    settings = replace(settings or Settings(), grace_seconds=1)
    server = Server(game, settings, key_ring or ring(), Metrics(game.name, registry), share=False)
    client = Client(game.service, f"127.0.0.1:{server.port}")
    yield Local(server, client, registry)
    client.close()
    server.drain()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Started:
    """`python -m tests.tinygame` with these variables beside some of its own."""

    def __init__(self, folder: Path, **variables: object) -> None:
        self.port, self.metrics_port = free_port(), free_port()
        self.log = folder / "service.log"
        own = {
            "SIGNALBOX_PORT": self.port,
            "SIGNALBOX_METRICS_PORT": self.metrics_port,
            "SIGNALBOX_SEAL_KEYS": KEYS[0],
            "SIGNALBOX_STATE_DIR": folder,
            "TMPDIR": folder,
        }
        inherited = {
            key: value for key, value in os.environ.items() if not key.startswith(("SIGNALBOX", "PROM"))
        }
        environ = inherited | {key: str(value) for key, value in (own | variables).items()}
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.tinygame"],
                cwd=ROOT,
                env=environ,
                stderr=log,
                start_new_session=True,
            )

    @property
    def target(self) -> str:
        return f"127.0.0.1:{self.port}"

    def wait_ready(self, seconds: float = 20) -> None:
        client = Client(GAME.service, self.target, options=IMPATIENT)
        deadline = time.monotonic() + seconds
        while True:
            try:
                client.call("Describe", timeout=1)
                return client.close()
            except Fault:
                assert time.monotonic() < deadline and self.process.poll() is None, self.log.read_text()
                time.sleep(0.02)

    def terminate(self) -> int:
        """Its exit code after SIGTERM."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(20)

    def kill(self) -> None:
        """End it and all that it started."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


@contextmanager
def started(folder: Path, **variables: object) -> Iterator[Started]:
    """The service as processes of its own, ready."""
    service = Started(folder, **variables)
    try:
        service.wait_ready()
        yield service
    finally:
        service.kill()
