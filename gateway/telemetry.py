"""Around every request: its id, its trace, its time, its metrics and its line in the log."""

import os
import time
from functools import cache

import structlog
from flask import Flask, Response, g, request
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector

from gateway import headers

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
REQUESTS = Counter("http_requests_total", "Requests answered", ["method", "route", "status"])
DURATION = Histogram(
    "http_request_duration_seconds",
    "Time to the answer, of a stream to its beginning",
    ["method", "route"],
    buckets=SECONDS,
)
METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS"})

_log = structlog.get_logger()


def install(app: Flask) -> None:
    app.before_request(_begin)
    app.after_request(_end)


def metrics() -> Response:
    """The metrics of all worker processes together."""
    registry = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


@cache
def _counted(method: str, route: str, status: int) -> tuple[Counter, Histogram]:
    return REQUESTS.labels(method, route, status), DURATION.labels(method, route)


def _begin() -> None:
    g.begun = time.perf_counter()
    g.request_id = headers.request_id()
    bound = {"request_id": g.request_id}
    if trace := headers.traceparent():
        bound["traceparent"] = trace
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(**bound)


def _end(response: Response) -> Response:
    seconds = time.perf_counter() - g.begun
    response.headers[headers.REQUEST_ID] = g.request_id
    response.headers["X-Content-Type-Options"] = "nosniff"
    method = request.method if request.method in METHODS else "other"
    route = request.url_rule.rule if request.url_rule else "none"
    requests, duration = _counted(method, route, response.status_code)
    requests.inc()
    duration.observe(seconds)
    _log.info(
        "request", method=method, route=route, status=response.status_code, ms=round(seconds * 1e3, 2),
        bytes=request.content_length or 0,
    )  # fmt: skip
    return response
