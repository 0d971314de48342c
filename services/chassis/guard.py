"""Around every call: it is counted, timed and logged, its faults become statuses, and it is refused at once
when the process has calls enough or is about to stop."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeAlias

import grpc
import structlog
from google.protobuf import any_pb2
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]

from services.chassis import logs
from services.chassis.errors import INTERNAL, Refused
from services.chassis.limits import Pool
from services.chassis.metrics import Metrics
from services.ruleset.protocol import OutOfTime

_log = structlog.get_logger()

Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"  # subscriptable for type checkers only
Continuation: TypeAlias = "Callable[[grpc.HandlerCallDetails], Handler | None]"

Method = Callable[[bytes, grpc.ServicerContext], Any]

RETRY_SECONDS = 0.1
"""After which a client may try again what was refused for load."""


class _Status(NamedTuple):
    """A grpc.Status, which says more than `grpc_status.rpc_status.to_status`: when to try again."""

    code: grpc.StatusCode
    details: str
    trailing_metadata: tuple[tuple[str, str | bytes], ...]


class Guard(grpc.ServerInterceptor):
    """Guards the calls of one game's service, which `pool` answers.

    Other services of the same server (health, reflection) pass; they and refusals have threads of their own,
    so that none waits for another.
    """

    def __init__(self, service: str, pool: Pool, metrics: Metrics) -> None:
        self._prefix, self._pool, self._metrics = f"/{service}/", pool, metrics
        self._refusing = ThreadPoolExecutor(2, thread_name_prefix="refusal")
        self._others: dict[str, ThreadPoolExecutor] = {}
        self._handlers: dict[tuple[str, Method | None], Handler] = {}
        self._draining, self._last_refusal = False, 0.0

    def refuse_all(self) -> None:
        """From now on every call is told to go elsewhere."""
        self._draining = True

    def quiet(self, seconds: float) -> bool:
        """Whether no call is under way, and none was refused for so long."""
        return self._pool.idle and time.monotonic() - self._last_refusal >= seconds

    def intercept_service(
        self, continuation: Continuation, details: grpc.HandlerCallDetails
    ) -> "Handler | None":
        own = details.method.startswith(self._prefix)
        refusal = self._refusal() if own else None
        key = details.method, refusal
        handler = self._handlers.get(key)
        if handler is None:
            inner = continuation(details)
            if inner is None:
                return None
            handler = (
                self._made(details.method, inner, refusal) if own else self._passed(details.method, inner)
            )
            self._handlers[key] = handler
        return handler

    def _refusal(self) -> Method | None:
        if self._draining:
            self._last_refusal = time.monotonic()
            return _stopping
        return _overloaded if self._pool.full else None

    def _passed(self, method: str, inner: Handler) -> Handler:
        service = method.split("/")[1]
        pool = self._others.setdefault(service, ThreadPoolExecutor(2, thread_name_prefix=service))
        return _aside(inner, pool)

    def _made(self, method: str, inner: Handler, refusal: Method | None) -> Handler:
        labels = ("UNARY" if inner.unary_unary else "SERVER_STREAMING", *method[1:].split("/"))
        if refusal:
            return _aside(self._guarded(inner, labels, refusal), self._refusing)
        behave: Any = inner.unary_unary or inner.unary_stream
        return self._guarded(inner, labels, behave)

    def _guarded(self, inner: Handler, labels: tuple[str, ...], behave: Method) -> Handler:
        watch = _Watch(self._metrics, labels)

        def answer(request: bytes, context: grpc.ServicerContext) -> Any:
            with watch.call(request, context):
                response = behave(request, context)
                watch.sent.inc()
                return response

        def stream(request: bytes, context: grpc.ServicerContext) -> Iterator[Any]:
            with watch.call(request, context):
                for response in behave(request, context):
                    watch.sent.inc()
                    yield response

        if inner.unary_stream:
            return grpc.unary_stream_rpc_method_handler(stream)
        return grpc.unary_unary_rpc_method_handler(answer)


class _Watch:
    """What one method's calls are counted by."""

    def __init__(self, metrics: Metrics, labels: tuple[str, ...]) -> None:
        self._metrics, self._labels, self._method = metrics, labels, labels[-1]
        self._started, self._received = metrics.started.labels(*labels), metrics.received.labels(*labels)
        self.sent, self._seconds = metrics.sent.labels(*labels), metrics.seconds.labels(*labels)

    @contextmanager
    def call(self, request: bytes, context: grpc.ServicerContext) -> Iterator[None]:
        begun, code, reason = time.perf_counter(), grpc.StatusCode.OK, ""
        request_id = logs.bind(context.invocation_metadata())
        self._started.inc()
        self._received.inc()
        try:
            yield
        except GeneratorExit:  # the client of a stream went away
            code = grpc.StatusCode.CANCELLED
            raise
        except Exception as error:
            if isinstance(error, OutOfTime):
                error = Refused("OUT_OF_TIME", "The deadline passed before the answer was found.")
            if isinstance(error, Refused):
                code, reason, status = error.code, error.reason, _status(error.status(), error.retry_after)
            else:
                code, reason, status = grpc.StatusCode.INTERNAL, "INTERNAL", _internal(request_id)
                _log.exception("internal_error", method=self._method, bytes=len(request))
            self._metrics.error(reason)
            context.abort_with_status(status)
        finally:
            seconds = time.perf_counter() - begun
            self._metrics.handled.labels(*self._labels, code.name).inc()
            self._seconds.observe(seconds)
            ms = round(seconds * 1e3, 2)
            _log.info("call", method=self._method, code=code.name, reason=reason, ms=ms, bytes=len(request))


def _overloaded(request: bytes, context: grpc.ServicerContext) -> Any:
    raise Refused(
        "OVERLOADED", "There are too many calls at once; try again later.", retry_after=RETRY_SECONDS
    )


def _stopping(request: bytes, context: grpc.ServicerContext) -> Any:
    raise Refused("SERVICE_DOWN", "This process is about to stop; ask another one.")


def _status(status: status_pb2.Status, retry_after: float | None = None) -> grpc.Status:
    trailing: list[tuple[str, str | bytes]] = [("grpc-status-details-bin", status.SerializeToString())]
    if retry_after is not None:
        trailing.append(("grpc-retry-pushback-ms", str(round(retry_after * 1000))))
    code = next(code for code in grpc.StatusCode if code.value[0] == status.code)
    return _Status(code, status.message, tuple(trailing))  # type: ignore[return-value]


def _internal(request_id: str) -> grpc.Status:
    status = status_pb2.Status()
    status.CopyFrom(INTERNAL)
    detail = any_pb2.Any()
    detail.Pack(error_details_pb2.RequestInfo(request_id=request_id))
    status.details.append(detail)
    return _status(status)


def _aside(handler: Handler, pool: ThreadPoolExecutor) -> Handler:
    """The same handler, answered by other threads than those of calls."""

    def moved(behave: Callable[..., Any] | None) -> Any:
        if behave is None or hasattr(behave, "experimental_thread_pool"):
            return behave

        def behavior(request: Any, context: grpc.ServicerContext) -> Any:
            return behave(request, context)

        behavior.experimental_thread_pool = pool  # type: ignore[attr-defined]
        return behavior

    shapes = {
        (False, False): grpc.unary_unary_rpc_method_handler,
        (False, True): grpc.unary_stream_rpc_method_handler,
        (True, False): grpc.stream_unary_rpc_method_handler,
        (True, True): grpc.stream_stream_rpc_method_handler,
    }
    make = shapes[bool(handler.request_streaming), bool(handler.response_streaming)]
    behave = handler.unary_unary or handler.unary_stream or handler.stream_unary or handler.stream_stream
    return make(moved(behave), handler.request_deserializer, handler.response_serializer)
