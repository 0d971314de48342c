"""The gRPC side: long-lived channels to a game's service, and the calls through them as bytes."""

import ipaddress
import itertools
import json
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import grpc
from grpc_health.v1 import health_pb2

SERVICE_CONFIG = Path(__file__).with_name("service_config.json").read_text("utf-8")
"""Round robin over the addresses of a service, and retries, since every call is idempotent: on UNAVAILABLE
and on CANCELLED, with which a gRPC server that stops resets the calls that reach it in that moment."""

OPTIONS = [
    # Fail at once where nobody listens, and come back within a second of the service.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 500),
    ("grpc.max_reconnect_backoff_ms", 1_000),
    # Find out when the other side has gone without a word.
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 3_000),
    ("grpc.max_receive_message_length", -1),
    # Channels with equal arguments would share one connection, and reach one of the processes on a port.
    ("grpc.use_local_subchannel_pool", 1),
]
LANGUAGE = "content-language"
HEALTH = "/grpc.health.v1.Health/Check"

Metadata = Sequence[tuple[str, str]]


def service_config(streams: Iterable[str]) -> str:
    """SERVICE_CONFIG with no retries for these streaming calls: gRPC 1.85 waits for ever, whatever the
    deadline, where it has retried a stream that broke before its first message and nobody listens any more.
    """
    config = json.loads(SERVICE_CONFIG)
    names = [dict(zip(("service", "method"), name.strip("/").split("/"), strict=True)) for name in streams]
    config["methodConfig"] += [{"name": names}] if names else []
    return json.dumps(config)


class Backend:
    """One service at its addresses. Channels are opened at the first call, after any fork."""

    def __init__(self, targets: Sequence[str], connections: int, streams: Iterable[str] = ()) -> None:
        """`streams` are the full names of the streaming calls."""
        self.target = combined(targets)
        self._connections = connections
        self._options = [("grpc.service_config", service_config(streams)), *OPTIONS]
        self._lock = threading.Lock()
        self._channels: list[grpc.Channel] = []
        self._callables: dict[tuple[str, bool], Iterator[Any]] = {}

    def call(self, method: str, request: bytes, timeout: float, metadata: Metadata) -> tuple[bytes, str]:
        """The response of a unary call, and its language. Raises grpc.RpcError."""
        answer, call = self._next(method, False).with_call(request, timeout=timeout, metadata=metadata)
        return answer, _language(call.trailing_metadata())

    def start(self, method: str, request: bytes, timeout: float, metadata: Metadata = ()) -> Any:
        """The same as a future, for calls side by side."""
        return self._next(method, False).future(request, timeout=timeout, metadata=metadata)

    def stream(
        self, method: str, request: bytes, timeout: float, metadata: Metadata
    ) -> Iterator[tuple[bytes, str]]:
        """The responses of a streaming call, each with its language; closing the iterator cancels the call.

        Raises grpc.RpcError.
        """
        call = self._next(method, True)(request, timeout=timeout, metadata=metadata)
        try:
            for response in call:
                yield response, _language(call.initial_metadata())
        finally:
            call.cancel()

    def ask_health(self, timeout: float) -> Callable[[], bool]:
        """Ask whether the service serves; the answer comes when the result is called."""
        future = self.start(HEALTH, b"", timeout)

        def answer() -> bool:
            try:
                status = health_pb2.HealthCheckResponse.FromString(future.result()).status
            except grpc.RpcError:
                return False
            return bool(status == health_pb2.HealthCheckResponse.SERVING)

        return answer

    def _next(self, method: str, streams: bool) -> Any:
        """The call through the channel whose turn it is."""
        if (turns := self._callables.get((method, streams))) is None:
            with self._lock:
                if not self._channels:
                    self._channels = [
                        grpc.insecure_channel(self.target, self._options) for _ in range(self._connections)
                    ]
                made = [
                    channel.unary_stream(method) if streams else channel.unary_unary(method)
                    for channel in self._channels
                ]
                turns = self._callables[method, streams] = itertools.cycle(made)
        return next(turns)


def _language(metadata: Any) -> str:
    """What the service says that it speaks; empty where it says nothing."""
    return next((value for key, value in metadata or () if key == LANGUAGE), "")


def combined(targets: Sequence[str]) -> str:
    """One gRPC target for all addresses. ValueError unless there is one of any kind, or several numeric ones.

    >>> combined(["rules.example:7183"]), combined(["10.0.0.1:7183", "10.0.0.2:7183"])
    ('rules.example:7183', 'ipv4:10.0.0.1:7183,10.0.0.2:7183')
    """
    if len(targets) == 1:
        return targets[0]
    try:
        versions = {ipaddress.ip_address(target.rpartition(":")[0].strip("[]")).version for target in targets}
    except ValueError:
        versions = set()
    if len(versions) != 1:
        raise ValueError(
            f"several addresses must be numeric and of one kind; use a DNS name for {', '.join(targets)}"
        )
    return f"ipv{versions.pop()}:{','.join(targets)}"
