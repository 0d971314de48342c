"""Protocol errors: what a request is refused with, and how that looks in gRPC.

An illegal move is no error; it is answered with a verdict.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

import grpc
from google.protobuf import any_pb2, duration_pb2
from google.protobuf.message import Message
from google.rpc import code_pb2, error_details_pb2, status_pb2  # type: ignore[import-untyped]
from signalbox.v1 import verdict_pb2

from protojson import from_plain, sentence
from services.chassis.game import Malformed, Plain

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

LONGEST_MESSAGE, LONGEST_PATH, MOST_VIOLATIONS = 500, 200, 2_000
"""Characters, and bytes of all violations.  Details of an error travel in trailers, which are lost above
about 8 KB."""

Fault = Literal[
    "BAD_VALUE", "MISSING", "EMPTY", "TOO_LONG", "TOO_MANY", "OUT_OF_RANGE", "UNKNOWN_VALUE", "CONTRADICTION",
]  # fmt: skip
"""What is wrong with a field, where its request's reason alone does not tell; a broken rule has a code of its
own, as has what `protojson` refuses."""


class Refused(Exception):
    """A request that is not answered.

    `message` says something of the field at `path` (JSON names), as `protojson.sentence` has it; where no
    field is to blame it is a sentence.  `fault` says in a code what is wrong with the field, by default the
    reason.
    `details` go into the metadata of ErrorInfo.  `violations` are the plain ones of rules that were broken.
    `retry_after` is in seconds.
    """

    def __init__(
        self,
        reason: Reason,
        message: str,
        path: str = "",
        details: Mapping[str, str] | None = None,
        retry_after: float | None = None,
        fault: str = "",
        violations: Sequence[Plain] = (),
    ) -> None:
        super().__init__(f"{reason} {path}: {message}")
        self.reason, self.retry_after, self.fault, self.violations = reason, retry_after, fault, violations
        self.message, self.path = _cut(message, LONGEST_MESSAGE), _cut(path, LONGEST_PATH)
        self.details = {key: _cut(value, LONGEST_PATH) for key, value in (details or {}).items()}

    @property
    def code(self) -> grpc.StatusCode:
        return CODES.get(self.reason, grpc.StatusCode.INVALID_ARGUMENT)

    def status(self) -> status_pb2.Status:
        """The rich status: ErrorInfo, BadRequest where a field is to blame, RetryInfo where one may retry,
        and `signalbox.v1.Violation`s where rules are broken."""
        details: list[Message] = [
            error_details_pb2.ErrorInfo(reason=self.reason, domain=DOMAIN, metadata=self.details)
        ]
        if self.path:
            blame = error_details_pb2.BadRequest.FieldViolation(
                field=self.path, description=self.message, reason=self.fault or self.reason
            )
            details.append(error_details_pb2.BadRequest(field_violations=[blame]))
        if self.retry_after is not None:
            delay = duration_pb2.Duration(nanos=round(self.retry_after * 1e9))
            details.append(error_details_pb2.RetryInfo(retry_delay=delay))
        details += _within_bounds(self.violations)
        packed = []
        for detail in details:
            packed.append(any_pb2.Any())
            packed[-1].Pack(detail)
        said = sentence(self.path, self.message) if self.path else self.message
        return status_pb2.Status(code=self.code.value[0], message=said, details=packed)


INTERNAL: Final = status_pb2.Status(
    code=code_pb2.INTERNAL, message="This is an error of the service itself; it has been logged."
)


def within(path: str, inner: str) -> str:
    """The path of something inside a field.

    >>> within("move", "layTile.hex"), within("move", ""), within("", "seats[0]")
    ('move.layTile.hex', 'move', 'seats[0]')
    """
    return f"{path}{inner}" if inner.startswith("[") or not (path and inner) else f"{path}.{inner}"


def malformed(path: str, message: str, fault: Fault = "BAD_VALUE") -> Refused:
    return Refused("MALFORMED_REQUEST", message, path, fault=fault)


def not_so(reason: Reason, path: str, error: Malformed) -> Refused:
    """What a game found malformed in the field `path`."""
    return Refused(reason, error.message, within(path, error.path), fault="BAD_VALUE")


def broken(reason: Reason, violations: Sequence[Plain]) -> Refused:
    """Rules that a state, a setup or a move of the past breaks, as plain violations; one at least."""
    first = violations[0]
    details = {"ruleId": first["ruleId"], "violation": first["reason"]}
    if first["at"]:
        details["at"] = first["at"]
    fault = first["reason"].upper()
    return Refused(reason, first["message"], first["path"], details, fault=fault, violations=violations)


def _within_bounds(violations: Sequence[Plain]) -> Iterator[verdict_pb2.Violation]:
    """As messages, with texts cut; the last ones are left out where there are too many."""
    room = MOST_VIOLATIONS
    for plain in violations:
        cut = {
            **plain,
            "message": _cut(plain["message"], LONGEST_MESSAGE),
            "path": _cut(plain["path"], LONGEST_PATH),
            "names": {key: _cut(name, LONGEST_PATH) for key, name in plain["names"].items()},
        }
        message = from_plain(verdict_pb2.Violation, cut)
        room -= message.ByteSize()
        if room < 0:
            return
        yield message


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 3] + "..."
