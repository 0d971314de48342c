"""The gateway as it runs in earnest (gunicorn with workers), and services that answer as a test says."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import grpc
import httpx
from google.protobuf import any_pb2
from google.protobuf.message import Message
from google.rpc import status_pb2  # type: ignore[import-untyped]
from grpc_health.v1 import health, health_pb2_grpc

from tests.tinygame.service import ROOT, free_port

CONFIGURATION = """
[gateway]
workers = 2
threads = 4
deadline_seconds = 5
body_bytes = 2000
record_bytes = 20000
cors_origins = ["https://club.example", "https://other.example"]
"""

Behaviour = Callable[[bytes, grpc.ServicerContext], Any]


class FakeService:
    """A gRPC server whose calls do what `behave` says by method name; it remembers what it was told."""

    def __init__(self, address: str = "127.0.0.1:0") -> None:
        self.behave: dict[str, Behaviour] = {}
        self.metadata: dict[str, str] = {}
        self.seconds = 0.0
        self.calls = 0
        self._server = grpc.server(ThreadPoolExecutor(8), options=[("grpc.so_reuseport", 0)])
        self._server.add_generic_rpc_handlers((self._Handlers(self),))
        health_pb2_grpc.add_HealthServicer_to_server(health.HealthServicer(), self._server)
        self.port = self._server.add_insecure_port(address)
        self._server.start()

    @property
    def target(self) -> str:
        return f"127.0.0.1:{self.port}"

    def stop(self) -> None:
        self._server.stop(0).wait()

    class _Handlers(grpc.GenericRpcHandler):
        def __init__(self, fake: "FakeService") -> None:
            self._fake = fake

        def service(self, details: Any) -> Any:
            name = details.method.rpartition("/")[2]
            if name == "Check":
                return None

            def note(context: grpc.ServicerContext) -> None:
                self._fake.metadata = {str(key): str(value) for key, value in context.invocation_metadata()}
                self._fake.seconds = context.time_remaining()
                self._fake.calls += 1

            def unary(request: bytes, context: grpc.ServicerContext) -> Any:
                note(context)
                return self._fake.behave[name](request, context)

            def stream(request: bytes, context: grpc.ServicerContext) -> Iterator[Any]:
                note(context)
                yield from self._fake.behave[name](request, context)

            if name == "Replay":
                return grpc.unary_stream_rpc_method_handler(stream)
            return grpc.unary_unary_rpc_method_handler(unary)


def abort(code: grpc.StatusCode, message: str, *details: Message) -> Behaviour:
    """Answer with this status and these rich details."""

    def behave(_: bytes, context: grpc.ServicerContext) -> Any:
        status = status_pb2.Status(code=code.value[0], message=message)
        for detail in details:
            packed = any_pb2.Any()
            packed.Pack(detail)
            status.details.append(packed)
        if details:
            context.set_trailing_metadata((("grpc-status-details-bin", status.SerializeToString()),))
        context.abort(code, message)

    return behave


class Gateway:
    """A running gateway: its client, and its log so far."""

    def __init__(self, folder: Path, games: Mapping[str, tuple[str, str]], **environ: str) -> None:
        """`games`: name -> (package, target)."""
        tables = [
            f'[games.{name}]\nmodule = "none"\npackage = "{package}"\nport = {number}\n'
            f'metrics_port = {number + 1000}\naddresses = ["{target}"]\n'
            for number, (name, (package, target)) in enumerate(games.items(), 2000)
        ]
        file, self._log = folder / "signalbox.toml", folder / "log"
        file.write_text("\n".join([CONFIGURATION, *tables]))
        inherited = {
            name: value for name, value in os.environ.items() if not name.startswith(("SIGNALBOX_", "PROM"))
        }
        inherited.pop("PORT", None)
        port = free_port()
        own = {
            "SIGNALBOX_CONFIG": str(file),
            "SIGNALBOX_GATEWAY_PORT": str(port),
            "SIGNALBOX_LOG_LEVEL": "info",
            "TMPDIR": str(folder),
        }
        command = [sys.executable, "-m", "gunicorn", "--config", "python:deployment.gunicorn_config"]
        with open(self._log, "wb") as log:
            self.process = subprocess.Popen(
                [*command, "gateway.app:create_app()"],
                cwd=ROOT,
                stderr=log,
                env=inherited | own | environ,
            )
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30)

    @property
    def log(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self._log.read_text().splitlines()]

    def await_ready(self) -> None:
        deadline = time.monotonic() + 30
        while True:
            with suppress(httpx.TransportError):
                if self.client.get("/healthz").status_code == 200:
                    return
            assert self.process.poll() is None and time.monotonic() < deadline, self._log.read_text()
            time.sleep(0.05)

    def stop(self) -> int:
        self.client.close()
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(20)


@contextmanager
def running(folder: Path, games: Mapping[str, tuple[str, str]], **environ: str) -> Iterator[Gateway]:
    gateway = Gateway(folder, games, **environ)
    try:
        gateway.await_ready()
        yield gateway
    finally:
        if gateway.process.poll() is None:
            gateway.stop()


def at_once(count: int, work: Callable[[int], Any]) -> list[Any]:
    """The results of so many calls begun at the same time."""
    start = threading.Barrier(count)

    def begin(number: int) -> Any:
        start.wait()
        return work(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(begin, range(count)))
