"""Protocol errors: what a request is refused with, and how that looks in gRPC.

An illegal move is no error; it is answered with a verdict.
"""

from collections.abc import Mapping
from typing import Final, Literal

import grpc
from google.protobuf import any_pb2, duration_pb2
from google.rpc import code_pb2, error_details_pb2, status_pb2  # type: ignore[import-untyped]

from services.chassis.game import Malformed
from services.ruleset.answers import Violation

DOMAIN: Final = "signalbox"

Reason = Literal[
    "MALFORMED_REQUEST", "IMPOSSIBLE_STATE", "IMPOSSIBLE_SETUP", "ILLEGAL_HISTORY", "BAD_NOTATION",
    "SEAL_BROKEN", "SEAL_FOREIGN", "SEAL_KEY_RETIRED", "OPEN_STATE_NOT_ACCEPTED", "BAD_RECORD",
    "BAD_PAGE_TOKEN", "UNKNOWN_RULESET", "UNKNOWN_VARIANT", "UNKNOWN_FORMAT", "STATE_HASH_MISMATCH",
    "TOO_LARGE", "OVERLOADED", "OUT_OF_TIME", "SERVICE_DOWN",
]  # fmt: skip
"""Names of `signalbox.v1.ErrorReason` without its prefix: those that a service gives (the others are the
gateway's)."""

CODES: Final[Mapping[str, grpc.StatusCode]] = {
    "UNKNOWN_RULESET": grpc.StatusCode.NOT_FOUND,
    "UNKNOWN_VARIANT": grpc.StatusCode.NOT_FOUND,
    "UNKNOWN_FORMAT": grpc.StatusCode.NOT_FOUND,
    "STATE_HASH_MISMATCH": grpc.StatusCode.ABORTED,
    "TOO_LARGE": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "OVERLOADED": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "OUT_OF_TIME": grpc.StatusCode.DEADLINE_EXCEEDED,
    "SERVICE_DOWN": grpc.StatusCode.UNAVAILABLE,
}
"""The status of a reason; of any other one INVALID_ARGUMENT."""

LONGEST_MESSAGE, LONGEST_PATH = 500, 200
"""Characters.  Details of an error travel in trailers, which are lost above about 8 KB."""


class Refused(Exception):
    """A request that is not answered.

    `path` is the field to blame, in JSON names.  `details` go into the metadata of ErrorInfo.  `retry_after`
    is in seconds.
    """

    def __init__(
        self,
        reason: Reason,
        message: str,
        path: str = "",
        details: Mapping[str, str] | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(f"{reason} {path}: {message}")
        self.reason, self.retry_after = reason, retry_after
        self.message, self.path = _cut(message, LONGEST_MESSAGE), _cut(path, LONGEST_PATH)
        self.details = {key: _cut(value, LONGEST_PATH) for key, value in (details or {}).items()}

    @property
    def code(self) -> grpc.StatusCode:
        return CODES.get(self.reason, grpc.StatusCode.INVALID_ARGUMENT)

    def status(self) -> status_pb2.Status:
        """The rich status: ErrorInfo, BadRequest where a field is to blame, RetryInfo where one may retry."""
        details: list[
            error_details_pb2.ErrorInfo | error_details_pb2.BadRequest | error_details_pb2.RetryInfo
        ]
        details = [error_details_pb2.ErrorInfo(reason=self.reason, domain=DOMAIN, metadata=self.details)]
        if self.path:
            blame = error_details_pb2.BadRequest.FieldViolation(
                field=self.path, description=self.message, reason=self.reason
            )
            details.append(error_details_pb2.BadRequest(field_violations=[blame]))
        if self.retry_after is not None:
            delay = duration_pb2.Duration(nanos=round(self.retry_after * 1e9))
            details.append(error_details_pb2.RetryInfo(retry_delay=delay))
        packed = []
        for detail in details:
            packed.append(any_pb2.Any())
            packed[-1].Pack(detail)
        return status_pb2.Status(code=self.code.value[0], message=self.message, details=packed)


INTERNAL: Final = status_pb2.Status(
    code=code_pb2.INTERNAL, message="an error of the service itself; it has been logged"
)


def within(path: str, inner: str) -> str:
    """The path of something inside a field.

    >>> within("move", "layTile.hex"), within("move", ""), within("", "seats[0]")
    ('move.layTile.hex', 'move', 'seats[0]')
    """
    return f"{path}{inner}" if inner.startswith("[") or not (path and inner) else f"{path}.{inner}"


def malformed(path: str, message: str) -> Refused:
    return Refused("MALFORMED_REQUEST", message, path)


def not_so(reason: Reason, path: str, error: Malformed) -> Refused:
    """What a game found malformed in the field `path`."""
    return Refused(reason, error.message, within(path, error.path))


def broken(reason: Reason, path: str, violation: Violation, sentence: str) -> Refused:
    """A rule that a state, a setup or a move of the past breaks in the field `path`."""
    details = {"ruleId": violation.rule_id, "violation": violation.reason}
    if violation.at:
        details["at"] = violation.at
    return Refused(reason, sentence, within(path, violation.path), details)


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 3] + "..."
