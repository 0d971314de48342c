"""Prometheus metrics.  Every label has few values: names of the contract, kinds of move, rules, reasons."""

import os
from collections.abc import Iterable

from prometheus_client import (
    REGISTRY,
    CollectorRegistry,
    Counter,
    Histogram,
    disable_created_metrics,
    start_http_server,
)
from prometheus_client.multiprocess import MultiProcessCollector

from services.chassis.settings import Settings, SettingsError
from services.ruleset.answers import Violation

SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """What one process of a game's service counts.  Processes that share a port are summed up where their
    metrics are served."""

    def __init__(self, game: str, registry: CollectorRegistry = REGISTRY) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]

        def counter(name: str, text: str, *labels: str) -> Counter:
            return Counter(name, text, labels, registry=registry)

        rpc = ("grpc_type", "grpc_service", "grpc_method")
        self.started = counter("grpc_server_started_total", "Calls begun", *rpc)
        self.handled = counter("grpc_server_handled_total", "Calls finished", *rpc, "grpc_code")
        self.received = counter("grpc_server_msg_received_total", "Messages received", *rpc)
        self.sent = counter("grpc_server_msg_sent_total", "Messages sent", *rpc)
        self.seconds = Histogram(
            "grpc_server_handling_seconds", "Seconds a call took", rpc, buckets=SECONDS, registry=registry
        )
        self._game = game
        self._moves = counter("signalbox_moves_total", "Verdicts on moves", "game", "kind", "verdict")
        self._refusals = counter("signalbox_refusals_total", "Rules that refused a move", "game", "rule_id")
        self._errors = counter(
            "signalbox_errors_total", "Requests not answered; INTERNAL is a bug", "game", "reason"
        )
        self._sealed = counter(
            "signalbox_sealed_positions_total", "Sealed positions opened", "game", "remembered"
        )

    def verdict(self, kind: str, violations: Iterable[Violation]) -> None:
        """A verdict given on a move."""
        rules = {violation.rule_id for violation in violations}
        self._moves.labels(self._game, kind, "illegal" if rules else "legal").inc()
        for rule_id in rules:
            self._refusals.labels(self._game, rule_id).inc()

    def error(self, reason: str) -> None:
        self._errors.labels(self._game, reason).inc()

    def sealed(self, remembered: bool) -> None:
        self._sealed.labels(self._game, "yes" if remembered else "no").inc()


def of_all_processes() -> CollectorRegistry:
    """The metrics that all processes with this PROMETHEUS_MULTIPROC_DIR have counted, ended ones included."""
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return registry


def serve_metrics(settings: Settings, registry: CollectorRegistry) -> None:
    """Serve these metrics over HTTP from a thread.  Raises SettingsError."""
    try:
        start_http_server(settings.metrics_port, settings.host, registry)
    except OSError as error:
        raise SettingsError(
            f"port {settings.metrics_port} on {settings.host} cannot be used "
            f"({os.strerror(error.errno or 0)}); stop what holds it or set SIGNALBOX_METRICS_PORT"
        ) from None
