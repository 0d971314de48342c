"""A client of any game's service that speaks plain ProtoJSON dicts."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import grpc
from google.protobuf import json_format
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]
from grpc_status import rpc_status
from signalbox.v1 import verdict_pb2

from protojson import sentence
from services.chassis.contract import descriptor

Plain = dict[str, Any]


def plain_of(message: Message) -> Plain:
    """By the reference implementation, so that the codec of the services is tested along."""
    return json_format.MessageToDict(message, always_print_fields_with_no_presence=True)


class Fault(Exception):
    """A protocol error as a client sees it."""

    def __init__(self, error: grpc.RpcError) -> None:
        super().__init__(str(error))
        assert isinstance(error, grpc.Call)
        self.code: grpc.StatusCode = error.code()
        self.trailing: dict[str, Any] = dict(error.trailing_metadata() or ())
        self.reason: str = ""
        self.path: str = ""
        self.fault: str = ""
        self.request_id: str = ""
        self.details: dict[str, str] = {}
        self.violations: list[Plain] = []
        status: status_pb2.Status | None = rpc_status.from_call(error)
        self.message: str = status.message if status else error.details()
        for packed in status.details if status else ():
            info, bad = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
            request, broken = error_details_pb2.RequestInfo(), verdict_pb2.Violation()
            if packed.Unpack(info):
                assert info.domain == "signalbox"
                self.reason, self.details = info.reason, dict(info.metadata)
            elif packed.Unpack(bad):
                (violation,) = bad.field_violations
                assert self.message == sentence(violation.field, violation.description)
                self.path, self.fault = violation.field, violation.reason
                assert re.fullmatch("[A-Z][A-Z0-9_]+[A-Z0-9]", self.fault)  # as google.rpc asks for
            elif packed.Unpack(broken):
                self.violations.append(plain_of(broken))
            elif packed.Unpack(request):
                self.request_id = request.request_id


IMPATIENT: Plain = {f"grpc.{which}_reconnect_backoff_ms": 20 for which in ("initial", "min", "max")}
"""Options of a client that waits for a service to come up."""


class Client:
    """Calls the service with this full name at a target; the channel is closed with `close`."""

    def __init__(self, service: str, target: str, timeout: float = 20, options: Plain | None = None) -> None:
        self.channel = grpc.insecure_channel(target, options=list((options or {}).items()))
        self._service, self._timeout = service, timeout
        self._types = {
            method.name: (GetMessageClass(method.input_type), GetMessageClass(method.output_type))
            for method in descriptor(service).methods
        }

    def call(
        self, rpc: str, request: Plain | None = None, metadata: Mapping[str, str] | None = None, **more: Any
    ) -> Plain:
        """The plain response.  Raises Fault."""
        data = self.send(rpc, self.bytes_of(rpc, request or {}), metadata, **more)
        return plain_of(self._types[rpc][1].FromString(data))

    def bytes_of(self, rpc: str, request: Plain) -> bytes:
        """A plain request, serialized."""
        data: bytes = json_format.ParseDict(request, self._types[rpc][0]()).SerializeToString()
        return data

    def send(
        self,
        rpc: str,
        data: bytes,
        metadata: Mapping[str, str] | None = None,
        timeout: float | None = None,
    ) -> bytes:
        """The bytes of the response.  Raises Fault."""
        method: Any = self.channel.unary_unary(f"/{self._service}/{rpc}")
        try:
            answer: bytes = method(
                data, timeout=timeout or self._timeout, metadata=tuple((metadata or {}).items())
            )
        except grpc.RpcError as error:
            raise Fault(error) from None
        return answer

    def stream(self, rpc: str, request: Plain, timeout: float | None = None) -> Iterator[Plain]:
        """The plain responses.  Raises Fault."""
        response = self._types[rpc][1]
        method: Any = self.channel.unary_stream(f"/{self._service}/{rpc}")
        data = self.bytes_of(rpc, request)
        try:
            for answer in method(data, timeout=timeout or self._timeout):
                yield plain_of(response.FromString(answer))
        except grpc.RpcError as error:
            raise Fault(error) from None

    def replay(self, request: Plain) -> tuple[list[Plain], Plain]:
        """All verdicts and the summary."""
        batches = list(self.stream("Replay", request))
        assert all("summary" not in batch for batch in batches[:-1])
        return [verdict for batch in batches for verdict in batch["verdicts"]], batches[-1]["summary"]

    def close(self) -> None:
        self.channel.close()
