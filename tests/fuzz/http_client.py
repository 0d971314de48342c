"""A client of the gateway that checks of every answer what all answers keep."""

import http.client
import json
import time
from typing import Any, NamedTuple

from signalbox.v1 import error_reason_pb2

from tests.fuzz.garbage import as_bytes

_NAMES: list[str] = error_reason_pb2.ErrorReason.keys()
REASONS = frozenset(name.removeprefix("ERROR_REASON_") for name in _NAMES) - {"INTERNAL"}
STATUSES = frozenset({200, 304, 308, 400, 404, 405, 409, 413, 415, 422, 429, 503, 504})
SLOWEST = 12.0
"""Seconds for an answer: the deadline of a call and some."""
PATHLESS = ("The body is not", "The body must", "X-Request-Timeout")
"""Beginnings of what is said about the request as a whole."""


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class Http:
    """One kept connection, made again when it is lost."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SLOWEST)

    def send(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        """The answer to a request; a kept connection that the server closed meanwhile is opened again."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None:
            named.setdefault("Content-Type", "application/json")
        for attempt in range(2):
            try:
                self._connection.request(method, path, body, named)
                response = self._connection.getresponse()
                return Answer(
                    response.status, {k.lower(): v for k, v in response.getheaders()}, response.read()
                )
            except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
                self._connection.close()
                if attempt:
                    raise
        raise AssertionError("unreachable")

    def ask(self, path: str, request: Any, **headers: str) -> Answer:
        """The checked answer to a POST of this JSON (or these bytes)."""
        body = request if isinstance(request, bytes) else as_bytes(request)
        begun = time.monotonic()
        answer = self.send("POST", path, body, **headers)
        assert time.monotonic() - begun < SLOWEST
        check(answer)
        return answer

    def close(self) -> None:
        self._connection.close()


def check(answer: Answer) -> None:
    """A documented status; JSON that says what it is; a problem with reason, sentence and path."""
    assert answer.status in STATUSES, f"{answer.status}: {answer.body[:500]!r}"
    kind = answer.headers.get("content-type", "")
    assert "x-request-id" in answer.headers
    if answer.status < 400:
        return
    assert kind == "application/problem+json", f"{answer.status} {kind}: {answer.body[:300]!r}"
    problem = answer.json()
    assert problem["status"] == answer.status and problem["reason"] in REASONS, problem
    assert problem["detail"] and problem["type"] and problem["title"], problem
    assert len(answer.body) < 20_000 or answer.status == 422
    if answer.status == 400 and not problem["detail"].startswith(PATHLESS):
        blamed = problem.get("errors")
        assert blamed and all(one["message"] and one["reason"] for one in blamed), problem
        assert blamed[0]["path"] or "The value" in problem["detail"] or "is nested" in problem["detail"], (
            problem
        )
