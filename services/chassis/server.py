"""One process of a service: its gRPC server, from taking the port to having finished its calls."""

import gc
import signal
import time

import grpc
import structlog
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection
from prometheus_client import REGISTRY

from services.chassis.game import AnyGame
from services.chassis.guard import Guard
from services.chassis.keys import KeyRing
from services.chassis.limits import Pool
from services.chassis.metrics import Metrics, serve_metrics
from services.chassis.servicer import Servicer
from services.chassis.settings import Settings, SettingsError

_log = structlog.get_logger()

STOP_SIGNALS = frozenset({signal.SIGTERM, signal.SIGINT, signal.SIGHUP})

QUIET_SECONDS, QUIET_WAIT_SECONDS = 0.05, 2.0
"""Before the stop: how long no call should have come, and how long to wait for that."""

CONNECTION_SECONDS = 120
"""Connections are renewed after so long: clients come to know new replicas, no half-sent request stays."""


class Server:
    """A server that accepts calls once it is made.  Raises SettingsError when it cannot have its port."""

    def __init__(
        self, game: AnyGame, settings: Settings, ring: KeyRing, metrics: Metrics, share: bool
    ) -> None:
        self._settings = settings
        pool = Pool(settings.threads, settings.queue)
        self._guard = Guard(game.service, pool, metrics)
        self._server = grpc.server(pool, interceptors=[self._guard], options=_options(settings, share))
        self._server.add_generic_rpc_handlers((Servicer(game, settings, ring, metrics).handlers(),))
        self._health = health.HealthServicer()
        self._health.set(game.service, health_pb2.HealthCheckResponse.SERVING)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        names = (game.service, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(names, self._server)
        address = f"[{settings.host}]" if ":" in settings.host else settings.host
        try:
            self.port = self._server.add_insecure_port(f"{address}:{settings.port}")
        except RuntimeError:
            raise SettingsError(
                f"port {settings.port} on {settings.host} cannot be used; "
                "stop what holds it or set SIGNALBOX_PORT"
            ) from None
        self._server.start()

    def drain(self) -> None:
        """Say NOT_SERVING, send new calls elsewhere, finish those under way, stop.

        A call that reaches a gRPC server in the moment of its stop is cancelled, not refused; so the stop
        waits for a quiet moment, and clients had better retry CANCELLED like UNAVAILABLE.
        """
        self._health.enter_graceful_shutdown()
        time.sleep(self._settings.drain_seconds)
        self._guard.refuse_all()
        deadline = time.monotonic() + QUIET_WAIT_SECONDS
        while time.monotonic() < deadline and not self._guard.quiet(QUIET_SECONDS):
            time.sleep(QUIET_SECONDS / 5)
        self._server.stop(self._settings.grace_seconds).wait()


def _options(settings: Settings, share: bool) -> list[tuple[str, int]]:
    return [
        ("grpc.so_reuseport", int(share)),
        # A request above its limit but below this is refused with its reason, a larger one by gRPC itself.
        ("grpc.max_receive_message_length", 2 * max(settings.record_bytes, settings.request_bytes)),
        ("grpc.max_send_message_length", -1),
        ("grpc.max_connection_age_ms", CONNECTION_SECONDS * 1000),
        ("grpc.max_connection_age_grace_ms", round(settings.grace_seconds * 1000)),
        ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
        ("grpc.keepalive_permit_without_calls", 1),
    ]


def serve(game: AnyGame, settings: Settings, ring: KeyRing, share: bool) -> None:
    """Serve until a signal says stop, then drain.  `share` lets other processes serve the same port.

    Threads made from here on leave the signals to `sigwait`, so call it before any other thread is made, in
    the main thread.  Raises SettingsError.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    if not share:
        serve_metrics(settings, REGISTRY)
    server = Server(game, settings, ring, Metrics(game.name), share)
    gc.collect()
    gc.freeze()  # the tables of the rules are never garbage: spare every later collection the walk over them
    _log.info("serving", host=settings.host, port=server.port)
    received = signal.sigwait(STOP_SIGNALS)
    _log.info("draining", signal=signal.Signals(received).name)
    server.drain()
    _log.info("stopped")
