"""Run every configured service and the gateway on this machine, each as a process of its own.

The supervisor starts them, waits until all are ready, starts again what crashes, and on SIGINT, SIGTERM or
SIGHUP stops the gateway and then the services. Nothing stays: every child leads its own process group, which
is ended with it, and is told to stop by the kernel if the supervisor itself is killed.
"""

import contextlib
import dataclasses
import http.client
import os
import select
import shutil
import signal
import socket
import sys
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from deployment import scratch
from deployment.child import Child, explain
from deployment.settings import ROOT, Game, Gateway, Settings, unknown_variables, variable

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PROBE_SECONDS = 0.5
TURN_SECONDS = 0.1


class StartError(Exception):
    """Nothing is served; the message says why and what to do."""


def say(text: str) -> None:
    print(f"signalbox: {text}", flush=True)


def claim_ports(settings: Settings) -> Settings:
    """The settings with every port 0 replaced by a free one; StartError when a port is taken."""
    chosen: dict[str, int] = {}
    with contextlib.ExitStack() as held:
        for name, (host, port) in settings.ports().items():
            probe = held.enter_context(socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET))
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError as error:
                short = "PORT" if name == variable("gateway", "port") else name
                raise StartError(
                    f"port {port} on {host} cannot be used ({os.strerror(error.errno or 0)}); "
                    f"stop what holds it or choose another with {short}=..."
                ) from error
            chosen[name] = probe.getsockname()[1]
    return dataclasses.replace(
        settings,
        gateway=dataclasses.replace(settings.gateway, port=chosen[variable("gateway", "port")]),
        games=tuple(
            dataclasses.replace(
                game,
                port=chosen[variable(game.name, "port")],
                metrics_port=chosen[variable(game.name, "metrics_port")],
            )
            for game in settings.games
        ),
    )


def service_is_ready(game: Game) -> bool:
    """Whether the service says SERVING in its health check."""
    with grpc.insecure_channel(f"{game.host}:{game.port}") as channel:
        try:
            stub = health_pb2_grpc.HealthStub(channel)
            answer = stub.Check(health_pb2.HealthCheckRequest(), timeout=PROBE_SECONDS)  # type: ignore[attr-defined]
        except grpc.RpcError:
            return False
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


def gateway_is_ready(gateway: Gateway) -> bool:
    """Whether the gateway answers /readyz with 200."""
    connection = http.client.HTTPConnection(gateway.host, gateway.port, timeout=PROBE_SECONDS)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def children_of(settings: Settings, workspace: Path) -> list[Child]:
    """The gateway, then the services."""
    shared = dict(os.environ)
    shared.update({name: str(port) for name, (_, port) in settings.ports().items()})
    python = sys.executable

    def child(name: str, command: list[str], ready: partial[bool], **own: object) -> Child:
        environ = shared | {key: str(value) for key, value in own.items()}
        return Child(name, command, environ, ROOT, workspace / name, ready)

    gateway = settings.gateway
    serve = [python, "-m", "gunicorn", "--config", "python:deployment.gunicorn_config", gateway.app]
    return [
        child("gateway", serve, partial(gateway_is_ready, gateway)),
        *(
            child(
                game.name,
                [python, "-m", game.module],
                partial(service_is_ready, game),
                SIGNALBOX_HOST=game.host,
                SIGNALBOX_PORT=game.port,
                SIGNALBOX_METRICS_PORT=game.metrics_port,
                SIGNALBOX_WORKERS=game.workers,
            )
            for game in settings.games
        ),
    ]


class Bell:
    """Signals as something to wait for. `stop` counts the requests to stop."""

    def __init__(self) -> None:
        self.stop = 0
        self._inside, self._outside = socket.socketpair()
        self._inside.setblocking(False)
        self._outside.setblocking(False)

    def _ring(self, number: int, _: object) -> None:
        self.stop += number in STOP_SIGNALS

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        before = {number: signal.signal(number, self._ring) for number in (*STOP_SIGNALS, signal.SIGCHLD)}
        wakeup = signal.set_wakeup_fd(self._inside.fileno(), warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(wakeup)
            for number, handler in before.items():
                signal.signal(number, handler)

    def wait(self, seconds: float) -> None:
        """Wait for a signal, at most so long."""
        if select.select([self._outside], [], [], max(seconds, 0))[0]:
            with contextlib.suppress(BlockingIOError):
                self._outside.recv(4096)


class Supervisor:
    """Keeps children running from `run` on until it is told to stop."""

    def __init__(self, children: Sequence[Child], start_seconds: float, stop_seconds: float) -> None:
        self._children = children
        self._start_seconds, self._stop_seconds = start_seconds, stop_seconds
        self._bell = Bell()

    def run(self, greeting: str) -> None:
        """Serve until a stop signal. StartError when a child ends or stays silent before all are ready."""
        with self._bell.listening():
            try:
                for child in self._children:
                    child.start()
                self._await_ready()
                if not self._bell.stop:
                    print(greeting, flush=True)
                self._keep_running()
            finally:
                self._stop()

    def _await_ready(self) -> None:
        deadline = time.monotonic() + self._start_seconds
        waiting = list(self._children)
        while waiting and not self._bell.stop:
            for child in self._children:
                if (code := child.exit_code()) is not None:
                    raise StartError(
                        f"{child.name} stopped before it was ready ({explain(code)}); see its messages above"
                    )
            waiting = [child for child in waiting if not child.ready()]
            if waiting and time.monotonic() > deadline:
                names = ", ".join(child.name for child in waiting)
                raise StartError(f"not ready after {self._start_seconds:g} s: {names}")
            if waiting:
                self._bell.wait(TURN_SECONDS)

    def _keep_running(self) -> None:
        while not self._bell.stop:
            for child in self._children:
                if (code := child.exit_code()) is not None:
                    pause = child.plan_restart()
                    say(f"{child.name} stopped ({explain(code)}); it starts again in {pause:g} s")
                elif child.restart_at is not None and child.restart_at <= time.monotonic():
                    child.start()
            due = [child.restart_at for child in self._children if child.restart_at is not None]
            self._bell.wait(min(due) - time.monotonic() if due else 5.0)

    def _stop(self) -> None:
        """The first child (the gateway) finishes before the others, which it calls, are told to."""
        for group in (self._children[:1], self._children[1:]):
            for child in group:
                child.terminate()
            deadline = time.monotonic() + self._stop_seconds
            while any(child.exit_code() is None and child.pid for child in group):
                if time.monotonic() > deadline or self._bell.stop > 1:
                    for child in group:
                        child.kill()
                self._bell.wait(TURN_SECONDS)


def serve(settings: Settings) -> None:
    """Run all of it until told to stop. Raises StartError."""
    for complaint in unknown_variables():
        say(complaint)
    settings = claim_ports(settings)
    workspace = scratch.make()
    url = f"http://{settings.gateway.host}:{settings.gateway.port}"
    paths = [f"/v1/games/{game.name}" for game in settings.games] or ["/v1/games"]
    greeting = f"signalbox: ready at {url} (Ctrl-C stops everything)\n\n  curl -s {url}{paths[0]}\n"
    limits = settings.supervisor
    try:
        Supervisor(children_of(settings, workspace), limits.start_seconds, limits.stop_seconds).run(greeting)
        say("stopped")
    finally:
        shutil.rmtree(workspace, ignore_errors=True)
