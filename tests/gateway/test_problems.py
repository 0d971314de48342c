"""Every error is a problem document with the right status and reason."""

import gzip
import http.client
import time
from typing import Any

import grpc
import httpx
import pytest
from google.protobuf import duration_pb2
from google.rpc import error_details_pb2  # type: ignore[import-untyped]
from signalbox.v1 import error_reason_pb2

from tests.gateway.running import FakeService, Gateway, abort

CHECK = "/v1/games/18cz:checkMove"
REPLAY = "/v1/games/18cz:replay"
KNOWN = {name.removeprefix("ERROR_REASON_") for name in error_reason_pb2.ErrorReason.keys()}  # noqa: SIM118


def problem(response: httpx.Response, status: int, reason: str) -> dict[str, Any]:
    assert response.headers["content-type"] == "application/problem+json", response.text
    document: dict[str, Any] = response.json()
    assert (response.status_code, document["status"], document["reason"]) == (status, status, reason), (
        document
    )
    assert reason in KNOWN and document["detail"][-1] in ".!?"
    assert document["type"] == "urn:signalbox:problem:" + reason.lower().replace("_", "-")
    assert document["title"] and document["detail"]
    assert document["requestId"] == response.headers["x-request-id"]
    assert document["instance"] == response.request.url.path
    return document


def info(reason: str, **metadata: str) -> Any:
    return error_details_pb2.ErrorInfo(reason=reason, domain="signalbox", metadata=metadata)


@pytest.mark.parametrize(
    ("code", "details", "status", "reason"),
    [
        (grpc.StatusCode.INVALID_ARGUMENT, [info("SEAL_BROKEN")], 400, "SEAL_BROKEN"),
        (grpc.StatusCode.INVALID_ARGUMENT, [], 400, "MALFORMED_REQUEST"),
        (grpc.StatusCode.NOT_FOUND, [info("UNKNOWN_RULESET")], 404, "UNKNOWN_RULESET"),
        (grpc.StatusCode.ABORTED, [info("STATE_HASH_MISMATCH")], 409, "STATE_HASH_MISMATCH"),
        (grpc.StatusCode.UNAUTHENTICATED, [info("API_KEY_MISSING")], 401, "API_KEY_MISSING"),
        (grpc.StatusCode.PERMISSION_DENIED, [info("API_KEY_REFUSED")], 403, "API_KEY_REFUSED"),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, [info("TOO_LARGE")], 413, "TOO_LARGE"),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, [info("OVERLOADED")], 429, "OVERLOADED"),
        (grpc.StatusCode.DEADLINE_EXCEEDED, [info("OUT_OF_TIME")], 504, "OUT_OF_TIME"),
        (grpc.StatusCode.DEADLINE_EXCEEDED, [], 504, "OUT_OF_TIME"),
        (grpc.StatusCode.UNAVAILABLE, [], 503, "SERVICE_DOWN"),
        (grpc.StatusCode.UNIMPLEMENTED, [], 503, "SERVICE_DOWN"),
        (grpc.StatusCode.INTERNAL, [], 500, "INTERNAL"),
        (grpc.StatusCode.UNKNOWN, [], 500, "INTERNAL"),
        (grpc.StatusCode.DATA_LOSS, [], 500, "INTERNAL"),
    ],
)
@pytest.mark.parametrize("path", [CHECK, REPLAY])
def test_each_status_of_a_service(
    gateway: Gateway, fake: FakeService, code: Any, details: Any, status: int, reason: str, path: str
) -> None:
    fake.behave["CheckMove"] = fake.behave["Replay"] = abort(code, "Because.", *details)
    for accept in ("application/json", "application/x-ndjson"):
        response = gateway.client.post(path, json={}, headers={"Accept": accept})
        document = problem(response, status, reason)
        assert (document["detail"] == "Because.") == (status not in (500, 503, 504) or bool(details))
        assert ("retry-after" in response.headers) == (status in (429, 503))


def test_what_a_service_says_of_the_fault(gateway: Gateway, fake: FakeService) -> None:
    blame = error_details_pb2.BadRequest.FieldViolation(field="a.b[1]", description="is no", reason="BAD")
    fake.behave["CheckMove"] = abort(
        grpc.StatusCode.INVALID_ARGUMENT,
        "a.b[1] is no.",
        info("ILLEGAL_HISTORY", ruleId="CZ-1"),
        error_details_pb2.BadRequest(field_violations=[blame]),
    )
    document = problem(gateway.client.post(CHECK, json={}), 400, "ILLEGAL_HISTORY")
    assert document["errors"] == [{"path": "a.b[1]", "reason": "bad", "message": "is no"}]
    assert "violations" not in document
    assert document["details"] == {"ruleId": "CZ-1"}
    delay = duration_pb2.Duration(seconds=2, nanos=1)
    fake.behave["CheckMove"] = abort(
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        "Busy.",
        info("OVERLOADED"),
        error_details_pb2.RetryInfo(retry_delay=delay),
    )
    assert gateway.client.post(CHECK, json={}).headers["retry-after"] == "3"


def test_an_answer_that_is_no_message_is_a_bug(gateway: Gateway, fake: FakeService) -> None:
    fake.behave["CheckMove"] = lambda *_: b"\xff"
    response = gateway.client.post(CHECK, json={})
    problem(response, 500, "INTERNAL")
    logged = [line for line in gateway.log if line["event"] == "internal_error"]
    assert logged[-1]["request_id"] == response.headers["x-request-id"]
    assert "DecodeError" in logged[-1]["exception"]


@pytest.mark.parametrize(
    ("body", "path"),
    [
        (b"", None),
        (b"{", None),
        (b'{"a":1,}', None),
        (b"\xff", None),
        (b'"\\ud800"', None),
        (b"NaN", None),
        (b"\xef\xbb\xbf{}", None),
        (b"[]", ""),
        (b'{"nonsense": {}}', "nonsense"),
        (b'{"position": {"moves": [{}, {"layTile": {"hex": 1}}]}}', "position.moves[1].layTile.hex"),
        (b'{"closest": 1e999}', None),
        (b'{"closest": 99999999999999999999}', "closest"),
        (b'{"position": {"setup": {}, "sealed": ""}}', "position.sealed"),
    ],
)  # fmt: skip
def test_malformed_bodies(gateway: Gateway, body: bytes, path: str | None) -> None:
    response = gateway.client.post(CHECK, content=body, headers={"Content-Type": "application/json"})
    document = problem(response, 400, "MALFORMED_REQUEST")
    assert (document["errors"][0]["path"] if path is not None else None) == path


def test_deep_nesting(gateway: Gateway) -> None:
    for body in (b"[" * 1900, b'{"a":' * 300 + b"1" + b"}" * 300):
        response = gateway.client.post(CHECK, content=body, headers={"Content-Type": "application/json"})
        assert response.status_code in (400, 413)
    deep = b'{"record":{"document":' + b'{"a":' * 40 + b"1" + b"}" * 42
    response = gateway.client.post(REPLAY, content=deep, headers={"Content-Type": "application/json"})
    document = problem(response, 413, "TOO_LARGE")
    assert document["errors"][0]["path"].startswith('record.document["a"]["a"]')


@pytest.mark.parametrize(
    ("body", "path"),
    [
        (b'{"seat": "G1", "seat": "G2"}', "seat"),
        (b'{"seat": "G1", "s\\u0065at": "G1"}', "seat"),
        (b'{"position": {"moves": [{}, {"actor": "", "actor": ""}]}}', "position.moves[1].actor"),
        (b'{"record": {"document": {"a b": [{"x": 1, "x": 1}]}}}', 'record.document["a b"][0].x'),
        (b'{"position": {"x": 1, "x": 2}, "position": {}}', "position"),
    ],
)
def test_keys_that_come_twice(gateway: Gateway, body: bytes, path: str) -> None:
    response = gateway.client.post(REPLAY, content=body, headers={"Content-Type": "application/json"})
    document = problem(response, 400, "MALFORMED_REQUEST")
    assert document["errors"] == [{"path": path, "reason": "given_twice", "message": "is given twice"}]
    assert document["detail"] == f"{path} is given twice."


def test_quotation_marks_are_no_keys(gateway: Gateway, fake: FakeService) -> None:
    fake.behave["CheckMove"] = lambda *_: b""
    for text in (rb"a\"b", rb"a\u0022b", rb"a\\u0022b", rb"\\\"", rb"\u005c\u0022"):
        body = b'{"seat": "%s", "closest": 1}' % text
        headers = {"Content-Type": "application/json"}
        assert gateway.client.post(CHECK, content=body, headers=headers).status_code == 200


def test_paths_and_methods(gateway: Gateway) -> None:
    client = gateway.client
    problem(client.get("/nowhere"), 404, "NO_SUCH_PATH")
    problem(client.get("/v1/games/"), 404, "NO_SUCH_PATH")
    problem(client.get("/v1//games"), 404, "NO_SUCH_PATH")
    problem(client.post("/v1/games/18cz:unheard", json={}), 404, "NO_SUCH_PATH")
    document = problem(client.post("/v1/games/chess:applyMove", json={}), 404, "UNKNOWN_GAME")
    assert "18cz, tiny-game" in document["detail"]
    problem(client.get("/v1/games/chess"), 404, "UNKNOWN_GAME")
    response = client.get(CHECK)
    document = problem(response, 405, "METHOD_NOT_ALLOWED")
    assert document["title"] == "Method not allowed"
    assert document["detail"] == "The method GET is not allowed here; OPTIONS, POST are."
    assert set(response.headers["allow"].split(", ")) == {"OPTIONS", "POST"}
    problem(client.request("BREW", CHECK), 405, "METHOD_NOT_ALLOWED")
    problem(client.post("/v1/games/18cz?x=1", json={}), 405, "METHOD_NOT_ALLOWED")
    document = problem(client.get("/v1/games/18cz?x=1"), 400, "MALFORMED_REQUEST")
    assert document["errors"][0]["path"] == "x"


def test_bodies_of_other_types(gateway: Gateway, fake: FakeService) -> None:
    fake.behave["CheckMove"] = lambda *_: b""
    for kind in ("text/plain", "application/xml", "application/x-www-form-urlencoded", ""):
        response = gateway.client.post(CHECK, content=b"{}", headers={"Content-Type": kind})
        problem(response, 415, "MALFORMED_REQUEST")
        assert response.headers["accept"] == "application/json"
    for kind in ("application/json; charset=utf-8", "application/vnd.club+json", "Application/JSON"):
        assert gateway.client.post(CHECK, content=b"{}", headers={"Content-Type": kind}).status_code == 200


def test_gzip_bodies(gateway: Gateway, fake: FakeService) -> None:
    fake.behave["CheckMove"] = lambda *_: b""

    def post(body: bytes, encoding: str = "gzip") -> httpx.Response:
        headers = {"Content-Type": "application/json", "Content-Encoding": encoding}
        return gateway.client.post(CHECK, content=body, headers=headers)

    assert post(gzip.compress(b'{"seat": "G1"}')).status_code == 200
    assert post(b"{}", "identity").status_code == 200
    problem(post(gzip.compress(b"{}" + b" " * 10_000_000)), 413, "TOO_LARGE")  # a bomb
    problem(post(gzip.compress(b"{" + b" " * 1_998)), 400, "MALFORMED_REQUEST")
    for body in (
        b"",
        b"{}",
        gzip.compress(b"{}")[:-3],
        gzip.compress(b"{}") + b"x",
        gzip.compress(b"{}") * 2,
    ):
        problem(post(body), 400, "MALFORMED_REQUEST")
    response = post(b"{}", "br")
    problem(response, 415, "MALFORMED_REQUEST")
    assert response.headers["accept-encoding"] == "gzip"


def test_sizes(gateway: Gateway, fake: FakeService) -> None:
    fake.behave["CheckMove"] = fake.behave["Import"] = lambda *_: b""
    fake.behave["Replay"] = lambda *_: [b"\x12\x00"]

    def body(size: int) -> bytes:
        return b"{" + b" " * (size - 2) + b"}"

    headers = {"Content-Type": "application/json"}
    for path, most in ((CHECK, 2_000), (REPLAY, 20_000), ("/v1/games/18cz:import", 20_000)):
        assert gateway.client.post(path, content=body(most), headers=headers).status_code == 200
        problem(gateway.client.post(path, content=body(most + 1), headers=headers), 413, "TOO_LARGE")

        def chunks(size: int = most + 1) -> Any:
            yield body(size)

        problem(gateway.client.post(path, content=chunks(), headers=headers), 413, "TOO_LARGE")


def test_a_body_that_is_refused_does_not_disturb_the_next_request(
    gateway: Gateway, fake: FakeService
) -> None:
    fake.behave["CheckMove"] = lambda *_: b""
    url = gateway.client.base_url
    connection = http.client.HTTPConnection(url.host, url.port or 80, timeout=10)
    for _ in range(3):
        connection.request("POST", CHECK, b"{" + b" " * 30_000, {"Content-Type": "application/json"})
        response = connection.getresponse()
        assert response.status == 413 and response.read()
        connection.request("POST", CHECK, b"{}", {"Content-Type": "application/json"})
        response = connection.getresponse()
        assert response.status == 200 and response.read()
    connection.close()


def test_time(gateway: Gateway, fake: FakeService) -> None:
    def slow(_: bytes, context: grpc.ServicerContext) -> bytes:
        time.sleep(0.6)
        return b""

    fake.behave["CheckMove"] = slow
    begun = time.monotonic()
    response = gateway.client.post(CHECK, json={}, headers={"X-Request-Timeout": "0.2"})
    problem(response, 504, "OUT_OF_TIME")
    assert time.monotonic() - begun < 0.5
    assert gateway.client.post(CHECK, json={}, headers={"X-Request-Timeout": "3"}).status_code == 200
    assert 2 < fake.seconds <= 3.1
    for given in (None, "99", "5.5"):
        headers = {"X-Request-Timeout": given} if given else {}
        assert gateway.client.post(CHECK, json={}, headers=headers).status_code == 200
        assert 4 < fake.seconds <= 5.1
    for given in ("0", "-1", "1s", "inf", "nan", "1e3", ""):
        headers = {"X-Request-Timeout": given}
        problem(gateway.client.post(CHECK, json={}, headers=headers), 400, "MALFORMED_REQUEST")


def test_a_service_may_be_gone_for_a_moment(gateway: Gateway, fake: FakeService) -> None:
    """gRPC calls again by itself."""
    answers = iter([abort(grpc.StatusCode.UNAVAILABLE, "restarting")] * 2)

    def behave(request: bytes, context: grpc.ServicerContext) -> Any:
        failing = next(answers, None)
        return failing(request, context) if failing else b""

    fake.behave["CheckMove"] = behave
    assert gateway.client.post(CHECK, json={}).status_code == 200
    assert fake.calls == 3
