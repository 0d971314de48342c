"""One view a call: JSON to request, request to service, response to JSON (or lines, or a picture)."""

import time
from collections.abc import Iterator
from itertools import chain
from typing import Any

import grpc
import orjson
from flask import Response, g, request, stream_with_context
from google.protobuf.message import Message

from deployment.settings import Gateway
from gateway import bodies, headers, problems
from gateway.backend import Backend
from gateway.contract import Rpc
from gateway.problems import Problem
from protojson import Malformed, from_plain, to_plain

JSON, NDJSON, SVG = "application/json", "application/x-ndjson", "image/svg+xml"
CACHE = "public, max-age=60"
STRICT = {"Preference-Applied": "handling=strict"}
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""A picture may style itself; it runs and loads nothing."""
GONE = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED)
"""What the calls under way end with where a service dies or stops."""
STREAM_ATTEMPTS, STREAM_PAUSE = 4, 0.05
"""Like those of the retries in the service config; the pause is in seconds and doubles."""


class Call:
    """The view of one call. An instance is called for each request."""

    def __init__(self, rpc: Rpc, backend: Backend, settings: Gateway) -> None:
        self._rpc, self._backend = rpc, backend
        self._most_bytes = settings.record_bytes if rpc.takes_record else settings.body_bytes
        self._most_seconds = settings.deadline_seconds
        items = rpc.items
        self._items = items.json_name if items is not None else ""

    def __call__(self) -> Response:
        data = self._read().SerializeToString()
        timeout, metadata = headers.timeout(self._most_seconds), headers.metadata()
        if not self._rpc.streams:
            received, g.language = self._backend.call(self._rpc.full_name, data, timeout, metadata)
            return self._respond(self._rpc.response.FromString(received))
        batches = self._batches(data, time.monotonic() + timeout, metadata)
        if headers.accepts(NDJSON):
            lines = self._lines(batches)
            first = next(lines, b"")  # a refusal comes before any line, and still has its status
            return _worded(Response(stream_with_context(chain([first], lines)), mimetype=NDJSON))
        return self._judged(self._merged(batches))

    def _read(self) -> Message:
        plain = request.args.to_dict() if self._rpc.verb == "GET" else bodies.read_json(self._most_bytes)
        try:
            return from_plain(self._rpc.request, plain)
        except Malformed as error:
            raise problems.malformed(error) from None

    def _respond(self, message: Any) -> Response:
        if self._rpc.picture and headers.accepts(SVG):
            policy = {"Content-Security-Policy": PICTURE_POLICY}
            return _worded(Response(message.svg, mimetype=SVG, headers=policy))
        response = self._judged(to_plain(message))
        if self._rpc.verb == "GET":
            response.headers["Cache-Control"] = CACHE
            response.vary.add("Accept-Language")
            response.add_etag()
            response.make_conditional(request)
        return response

    def _judged(self, plain: dict[str, Any]) -> Response:
        """The answer; for a client that is strict, a problem where it has an illegal move."""
        applied = {}
        if self._rpc.judges and headers.strict():
            applied = STRICT
            for holder in plain[self._items] if self._items else (plain,):
                verdict = holder.get("verdict")
                if verdict is not None and not verdict["legal"]:
                    raise _illegal(verdict["violations"], plain)
        return _worded(Response(orjson.dumps(plain), mimetype=JSON, headers=applied))

    def _batches(
        self, data: bytes, deadline: float, metadata: list[tuple[str, str]]
    ) -> Iterator[dict[str, Any]]:
        """The batches of a stream. Where the service goes away the call is made again, as every call is
        idempotent, and goes on after the items that came before."""
        given = 0
        for attempt in range(1, STREAM_ATTEMPTS + 1):
            known = given
            try:
                timeout = max(deadline - time.monotonic(), 0.0)
                stream = self._backend.stream(self._rpc.full_name, data, timeout, metadata)
                for received, g.language in stream:
                    batch: dict[str, Any] = to_plain(self._rpc.response.FromString(received))
                    items = batch[self._items]
                    batch[self._items] = items[known:]
                    known = max(known - len(items), 0)
                    given += len(batch[self._items])
                    yield batch
                return
            except grpc.RpcError as error:
                if error.code() not in GONE or attempt == STREAM_ATTEMPTS:
                    raise
            time.sleep(STREAM_PAUSE * 2 ** (attempt - 1))

    def _merged(self, batches: Iterator[dict[str, Any]]) -> dict[str, Any]:
        """All items, and the rest of the last batch."""
        items: list[Any] = []
        last: dict[str, Any] = {}
        for last in batches:
            items += last[self._items]
        return {**last, self._items: items}

    def _lines(self, batches: Iterator[dict[str, Any]]) -> Iterator[bytes]:
        """One line an item, then one with the rest of the last batch; or one with the problem that came."""
        begun = False
        try:
            for batch in batches:
                lines = batch.pop(self._items)
                lines += [batch] if batch else []
                if lines:
                    yield b"".join(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE) for line in lines)
                    begun = True
        except grpc.RpcError as error:
            if not begun:
                raise
            problem = problems.from_rpc(error).document()
            yield orjson.dumps({"problem": problem}, option=orjson.OPT_APPEND_NEWLINE)


def _illegal(violations: list[dict[str, Any]], answer: dict[str, Any]) -> Problem:
    detail = " ".join(violation["message"] for violation in violations)
    return Problem(
        422, "ILLEGAL_MOVE", detail, extra={"violations": violations, "answer": answer}, headers=STRICT
    )


def _worded(response: Response) -> Response:
    """The response, with the language that the service has answered in."""
    if language := g.get("language"):
        response.headers["Content-Language"] = language
    return response
