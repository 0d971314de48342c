"""RFC 9457 problem documents: every error of the gateway in one shape.

`reason` is a name of `signalbox.v1.ErrorReason` without its prefix; `detail` is in whole sentences.
"""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import grpc
import orjson
from flask import Response, g, request
from google.rpc import error_details_pb2  # type: ignore[import-untyped]
from grpc_status import rpc_status
from signalbox.v1 import verdict_pb2
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from protojson import Malformed, to_plain

MIMETYPE = "application/problem+json"

STATUSES: Mapping[grpc.StatusCode, tuple[int, str]] = {
    grpc.StatusCode.INVALID_ARGUMENT: (400, "MALFORMED_REQUEST"),
    grpc.StatusCode.NOT_FOUND: (404, "UNKNOWN_RULE"),
    grpc.StatusCode.ABORTED: (409, "STATE_HASH_MISMATCH"),
    grpc.StatusCode.UNAUTHENTICATED: (401, "API_KEY_MISSING"),
    grpc.StatusCode.PERMISSION_DENIED: (403, "API_KEY_REFUSED"),
    grpc.StatusCode.RESOURCE_EXHAUSTED: (429, "OVERLOADED"),
    grpc.StatusCode.DEADLINE_EXCEEDED: (504, "OUT_OF_TIME"),
    grpc.StatusCode.UNAVAILABLE: (503, "SERVICE_DOWN"),
    grpc.StatusCode.CANCELLED: (503, "SERVICE_DOWN"),
    # A service older than the contract that the gateway has.
    grpc.StatusCode.UNIMPLEMENTED: (503, "SERVICE_DOWN"),
}
"""The HTTP status of a gRPC code, and the reason where the service gives none. Any other code is a bug."""

UNTOLD: Mapping[str, str] = {
    "SERVICE_DOWN": "The game's service is down.",
    "OUT_OF_TIME": "The deadline passed before an answer came.",
}
"""What is said where no service said it, but gRPC."""

TOO_LARGE = "TOO_LARGE"
RETRY_SECONDS = 1

HTTP: Mapping[int, tuple[str, str]] = {
    404: ("NO_SUCH_PATH", "There is no such path."),
    413: (TOO_LARGE, "The body is too large."),
}


class Problem(Exception):
    """An answer that is an error. `errors` are `{path, reason, message}`, their reasons in lower case and
    finer than that of the problem; `extra` are further members."""

    def __init__(
        self,
        status: int,
        reason: str,
        detail: str,
        errors: Sequence[Mapping[str, str]] = (),
        extra: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(f"{status} {reason}: {detail}")
        self.status, self.reason, self.detail = status, reason, detail
        self.errors, self.extra, self.headers = errors, extra or {}, headers or {}

    def document(self) -> dict[str, Any]:
        return {
            "type": f"urn:signalbox:problem:{self.reason.lower().replace('_', '-')}",
            "title": self.reason.replace("_", " ").capitalize(),
            "status": self.status,
            "detail": self.detail,
            "instance": request.path,
            "reason": self.reason,
            **({"errors": self.errors} if self.errors else {}),
            **self.extra,
            "requestId": g.request_id,
        }

    def response(self) -> Response:
        return Response(orjson.dumps(self.document()), self.status, self.headers, mimetype=MIMETYPE)


def malformed(error: Malformed) -> Problem:
    """A body that is no such message."""
    blame = {"path": error.path, "reason": error.reason, "message": error.message}
    if error.reason == "too_deep":
        return Problem(413, TOO_LARGE, str(error), [blame])
    return Problem(400, "MALFORMED_REQUEST", str(error), [blame])


def from_rpc(error: grpc.RpcError) -> Problem:
    """What a service, or the way to it, answered."""
    code: grpc.StatusCode = error.code()
    if code not in STATUSES:
        return internal()
    status, reason = STATUSES[code]
    errors: list[dict[str, str]] = []
    extra: dict[str, Any] = {}
    violations: list[dict[str, Any]] = []
    retry_after = RETRY_SECONDS if status in (429, 503) else 0
    detail = UNTOLD.get(reason) or str(error.details())
    for packed in _details(error):
        if packed.Is(error_details_pb2.ErrorInfo.DESCRIPTOR):
            info = error_details_pb2.ErrorInfo.FromString(packed.value)
            reason = info.reason
            detail = str(error.details()) if reason != "SERVICE_DOWN" else UNTOLD[reason]
            extra |= {"details": dict(info.metadata)} if info.metadata else {}
        elif packed.Is(error_details_pb2.BadRequest.DESCRIPTOR):
            errors = [
                {"path": blame.field, "reason": blame.reason.lower(), "message": blame.description}
                for blame in error_details_pb2.BadRequest.FromString(packed.value).field_violations
            ]
        elif packed.Is(verdict_pb2.Violation.DESCRIPTOR):
            violations.append(to_plain(verdict_pb2.Violation.FromString(packed.value)))
        elif packed.Is(error_details_pb2.RetryInfo.DESCRIPTOR):
            delay = error_details_pb2.RetryInfo.FromString(packed.value).retry_delay
            retry_after = max(RETRY_SECONDS, math.ceil(delay.seconds + delay.nanos / 1e9))
    if violations:
        extra["violations"] = violations
    if reason == TOO_LARGE:
        status, retry_after = 413, 0
    return Problem(
        status, reason, detail, errors, extra, {"Retry-After": str(retry_after)} if retry_after else {}
    )


def _details(error: grpc.RpcError) -> Sequence[Any]:
    try:
        status = rpc_status.from_call(error)  # type: ignore[arg-type]
    except ValueError:  # the details contradict the status
        return ()
    return status.details if status is not None else ()


def from_http(error: HTTPException, games: Sequence[str]) -> Problem:
    """What Flask found wrong with a request."""
    status = error.code or 500
    headers = {name: value for name, value in error.get_headers() if name != "Content-Type"}
    named = re.match(r"/v1/games/([^/:]+)", request.path)
    if status == 404 and named and named[1] not in games:
        return Problem(404, "UNKNOWN_GAME", f"There is no such game; there are {', '.join(games)}.")
    if isinstance(error, MethodNotAllowed):
        others = ", ".join(sorted(error.valid_methods or ()))
        detail = f"The method {request.method[:20]} is not allowed here; {others} are."
        return Problem(status, "METHOD_NOT_ALLOWED", detail, headers=headers)
    reason, detail = HTTP.get(status, ("MALFORMED_REQUEST", error.description or error.name))
    return Problem(status, reason, detail, headers=headers)


def internal() -> Problem:
    return Problem(500, "INTERNAL", "This is an error of the service itself; it has been logged.")
