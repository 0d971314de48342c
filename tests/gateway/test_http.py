"""Headers, methods, encodings, caching, pictures and streams."""

import gzip
import json
import re
import threading
from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from signalbox.eighteen_cz.v1 import eighteen_cz_rules_service_pb2 as service
from signalbox.v1 import game_info_pb2, verdict_pb2

from tests.gateway.running import FakeService, Gateway, abort, at_once
from tests.gateway.test_problems import CHECK, REPLAY, problem

DESCRIBE, RENDER = "/v1/games/18cz", "/v1/games/18cz:render"
TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
SVG = "<svg xmlns='http://www.w3.org/2000/svg'>č</svg>"
NDJSON = {"Accept": "application/x-ndjson"}


@pytest.fixture(autouse=True)
def answers(fake: FakeService) -> None:
    info = game_info_pb2.GameInfo(name="18cz", title="18CZ", min_seats=2, languages=["en"] * 300)
    fake.behave["Describe"] = lambda *_: service.DescribeResponse(game=info).SerializeToString()
    fake.behave["CheckMove"] = lambda *_: b""
    fake.behave["Render"] = lambda *_: service.RenderResponse(svg=SVG, state_hash="h").SerializeToString()


def test_ids_languages_and_traces_go_to_the_service_and_back(gateway: Gateway, fake: FakeService) -> None:
    sent = {
        "X-Request-Id": "abc.D-1:2",
        "traceparent": TRACE,
        "tracestate": "a=b",
        "Accept-Language": "pl, en;q=0.5",
    }
    response = gateway.client.post(CHECK, json={}, headers=sent)
    assert response.headers["x-request-id"] == "abc.D-1:2"
    for name, value in sent.items():
        assert fake.metadata[name.lower()] == value
    line = next(line for line in reversed(gateway.log) if line.get("request_id") == "abc.D-1:2")
    assert (line["event"], line["route"], line["status"], line["traceparent"]) == (
        "request",
        CHECK,
        200,
        TRACE,
    )


def test_strange_headers_stay_here(gateway: Gateway, fake: FakeService) -> None:
    for strange in ("x" * 129, "a b", "ž", "", "a\tb", "{}"):
        sent = [(b"X-Request-Id", strange.encode()), (b"traceparent", strange.encode())]
        sent += [(b"Accept-Language", "ž".encode()), (b"tracestate", b"x" * 501)]
        response = gateway.client.post(CHECK, json={}, headers=sent)
        made = response.headers["x-request-id"]
        assert re.fullmatch("[0-9a-f]{16}", made) and fake.metadata["x-request-id"] == made
        assert not fake.metadata.keys() & {"traceparent", "tracestate", "accept-language"}
    ids = {gateway.client.get("/healthz").headers["x-request-id"] for _ in range(5)}
    assert len(ids) == 5


def test_nothing_of_a_body_is_logged(gateway: Gateway) -> None:
    gateway.client.post(f"{CHECK}?secret-query", json={"seat": "secret-seat"})
    gateway.client.post(CHECK, json={"seat": {"secret-seat": 1}})
    assert "secret" not in json.dumps(gateway.log)


def test_head_and_options(gateway: Gateway) -> None:
    whole, head = gateway.client.get(DESCRIBE), gateway.client.head(DESCRIBE)
    assert head.status_code == 200 and not head.content
    assert head.headers["etag"] == whole.headers["etag"]
    response = gateway.client.options(CHECK)
    assert response.status_code == 200 and not response.content
    assert set(response.headers["allow"].split(", ")) == {"POST", "OPTIONS"}
    assert set(gateway.client.options(DESCRIBE).headers["allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}


def test_cors(gateway: Gateway) -> None:
    asked = {
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type, prefer",
    }
    for origin in ("https://club.example", "https://other.example"):
        response = gateway.client.options(CHECK, headers={"Origin": origin, **asked})
        assert response.status_code == 200
        assert response.headers["access-control-allow-origin"] == origin
        assert "POST" in response.headers["access-control-allow-methods"]
        assert "prefer" in response.headers["access-control-allow-headers"]
        assert response.headers["access-control-max-age"] == "600"
        for answer in (
            gateway.client.post(CHECK, json={}, headers={"Origin": origin}),
            gateway.client.post(
                CHECK, content=b"{", headers={"Origin": origin, "Content-Type": "application/json"}
            ),
            gateway.client.get("/nowhere", headers={"Origin": origin}),
        ):
            assert answer.headers["access-control-allow-origin"] == origin
            assert "X-Request-Id" in answer.headers["access-control-expose-headers"]
            assert "Origin" in answer.headers["vary"]
    for origin in ("https://evil.example", "null", "https://club.example.evil.example"):
        response = gateway.client.post(CHECK, json={}, headers={"Origin": origin})
        assert "access-control-allow-origin" not in response.headers


def test_compression(gateway: Gateway) -> None:
    plain = gateway.client.get(DESCRIBE, headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers and "Accept-Encoding" in plain.headers["vary"]
    for encoding in ("gzip", "br", "zstd"):
        with gateway.client.stream("GET", DESCRIBE, headers={"Accept-Encoding": encoding}) as response:
            raw = b"".join(response.iter_raw())
        assert response.headers["content-encoding"] == encoding and len(raw) < len(plain.content)
        assert int(response.headers["content-length"]) == len(raw)
        assert response.headers["etag"] != plain.headers["etag"]
        if encoding == "gzip":
            assert gzip.decompress(raw) == plain.content
    small = gateway.client.post(CHECK, json={}, headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in small.headers


def test_describe_can_be_kept(gateway: Gateway) -> None:
    for encoding in ("identity", "gzip"):
        first = gateway.client.get(DESCRIBE, headers={"Accept-Encoding": encoding})
        assert first.headers["cache-control"] == "public, max-age=60"
        assert "Accept-Language" in first.headers["vary"]
        again = {"Accept-Encoding": encoding, "If-None-Match": first.headers["etag"]}
        response = gateway.client.get(DESCRIBE, headers=again)
        assert response.status_code == 304 and not response.content
    assert "etag" not in gateway.client.post(CHECK, json={}).headers


def test_pictures(gateway: Gateway) -> None:
    assert gateway.client.post(RENDER, json={}).json() == {"svg": SVG, "stateHash": "h"}
    for accept in ("image/svg+xml", "text/html, image/svg+xml;q=0.9, application/json;q=0.1"):
        response = gateway.client.post(RENDER, json={}, headers={"Accept": accept})
        assert response.text == SVG and response.headers["content-type"].startswith("image/svg+xml")
        assert "default-src 'none'" in response.headers["content-security-policy"]
        assert response.headers["x-content-type-options"] == "nosniff"
    response = gateway.client.post(
        RENDER, json={}, headers={"Accept": "application/json, image/svg+xml;q=0.1"}
    )
    assert response.json()["svg"] == SVG
    assert "svg" not in gateway.client.post(CHECK, json={}, headers={"Accept": "image/svg+xml"}).json()


def batch(*indices: int, legal: bool = True, **summary: Any) -> bytes:
    violations = [] if legal else [verdict_pb2.Violation(rule_id="CZ-1", message="No.")]
    verdict = verdict_pb2.Verdict(legal=legal, violations=violations)
    verdicts = [service.MoveVerdict(index=index, verdict=verdict) for index in indices]
    response = service.ReplayResponse(verdicts=verdicts)
    if summary:
        response.summary.CopyFrom(service.ReplaySummary(**summary))
    return response.SerializeToString()


def test_a_stream_as_one_document(gateway: Gateway, fake: FakeService) -> None:
    fake.behave["Replay"] = lambda *_: [
        batch(0, 1),
        batch(2, legal=False),
        batch(legal=False, moves=3, checked=3),
    ]
    answer = gateway.client.post(REPLAY, json={}).json()
    assert [verdict["index"] for verdict in answer["verdicts"]] == [0, 1, 2]
    assert answer["summary"]["moves"] == 3 and list(answer) == ["verdicts", "summary"]
    fake.behave["Replay"] = lambda *_: [batch(legal=True)]
    assert gateway.client.post(REPLAY, json={}).json() == {"verdicts": []}


def lines(response: Any) -> list[dict[str, Any]]:
    assert response.status_code == 200 and response.headers["content-type"] == "application/x-ndjson"
    assert response.text.endswith("\n")
    return [json.loads(line) for line in response.text.splitlines()]


def test_a_stream_as_lines(gateway: Gateway, fake: FakeService) -> None:
    fake.behave["Replay"] = lambda *_: [batch(0, 1), batch(2, moves=3)]
    *verdicts, last = lines(gateway.client.post(REPLAY, json={}, headers=NDJSON))
    assert [verdict["index"] for verdict in verdicts] == [0, 1, 2]
    assert list(last) == ["summary"] and last["summary"]["moves"] == 3
    assert verdicts[0]["verdict"] == {"legal": True, "violations": [], "preview": []}
    both = {"Accept": "application/json;q=0.5, application/x-ndjson"}
    assert len(lines(gateway.client.post(REPLAY, json={}, headers=both))) == 4


def test_lines_come_as_they_are_found(gateway: Gateway, fake: FakeService) -> None:
    go_on = threading.Event()

    def behave(*_: object) -> Any:
        yield batch(0)
        assert go_on.wait(4)
        yield batch(1, moves=2)

    fake.behave["Replay"] = behave
    with gateway.client.stream("POST", REPLAY, json={}, headers=NDJSON) as response:
        found = response.iter_lines()
        assert json.loads(next(found))["index"] == 0
        go_on.set()
        assert json.loads(next(found))["index"] == 1


def test_a_client_that_leaves_ends_the_call(gateway: Gateway, fake: FakeService) -> None:
    left = threading.Event()

    def behave(_: bytes, context: grpc.ServicerContext) -> Any:
        context.add_callback(left.set)
        for index in range(100_000):
            if left.is_set():
                return
            yield batch(*range(index * 100, index * 100 + 100))

    fake.behave["Replay"] = behave
    with gateway.client.stream("POST", REPLAY, json={}, headers=NDJSON) as response:
        next(response.iter_lines())
    assert left.wait(4)


def test_a_stream_goes_on_where_the_service_went_away(gateway: Gateway, fake: FakeService) -> None:
    deaths: Iterator[int] = iter([])

    def behave(request: bytes, context: grpc.ServicerContext) -> Any:
        alive = next(deaths, 9)
        for index in range(0, 6, 2):
            if index >= alive:
                abort(grpc.StatusCode.UNAVAILABLE, "gone")(request, context)
            yield batch(index, index + 1)
        yield batch(moves=6)

    fake.behave["Replay"] = behave
    for headers in ({}, NDJSON):
        deaths = iter([1, 3, 3])
        fake.calls = 0
        response = gateway.client.post(REPLAY, json={}, headers=headers)
        found = lines(response)[:-1] if headers else response.json()["verdicts"]
        assert [verdict["index"] for verdict in found] == list(range(6))
        assert fake.calls == 4
    deaths = iter([3, 3, 3, 3, 3, 3, 3, 3])
    problem(gateway.client.post(REPLAY, json={}), 503, "SERVICE_DOWN")  # it got no further


def test_a_stream_that_breaks(gateway: Gateway, fake: FakeService) -> None:
    def behave(request: bytes, context: grpc.ServicerContext) -> Any:
        yield batch(0)
        abort(grpc.StatusCode.DEADLINE_EXCEEDED, "Slow.")(request, context)

    fake.behave["Replay"] = behave
    problem(gateway.client.post(REPLAY, json={}), 504, "OUT_OF_TIME")
    first, last = lines(gateway.client.post(REPLAY, json={}, headers=NDJSON))
    assert first["index"] == 0
    assert (last["problem"]["status"], last["problem"]["reason"]) == (504, "OUT_OF_TIME")
    assert last["problem"]["instance"] == REPLAY and last["problem"]["requestId"]


def test_strict_clients(gateway: Gateway, fake: FakeService) -> None:
    violation = verdict_pb2.Violation(rule_id="CZ-1", reason="no", message="Not now.")
    verdict = verdict_pb2.Verdict(legal=False, violations=[violation])
    answer = service.CheckMoveResponse(verdict=verdict, state_hash="h")
    fake.behave["CheckMove"] = lambda *_: answer.SerializeToString()
    lenient = gateway.client.post(CHECK, json={})
    assert lenient.status_code == 200 and lenient.json()["verdict"]["legal"] is False
    response = gateway.client.post(CHECK, json={}, headers={"Prefer": "handling=lenient"})
    assert response.status_code == 200 and "preference-applied" not in response.headers
    for prefer in ("handling=strict", 'respond-async, Handling = "strict"; x', "wait=1,handling=strict"):
        response = gateway.client.post(CHECK, json={}, headers={"Prefer": prefer})
        document = problem(response, 422, "ILLEGAL_MOVE")
        assert document["violations"] == lenient.json()["verdict"]["violations"]
        assert document["answer"] == lenient.json() and document["detail"] == "Not now."
        assert response.headers["preference-applied"] == "handling=strict"
    fake.behave["Replay"] = lambda *_: [
        batch(0, 1),
        batch(2, legal=False),
        batch(legal=False, moves=3, checked=3),
    ]
    strict = {"Prefer": "handling=strict"}
    assert (
        problem(gateway.client.post(REPLAY, json={}, headers=strict), 422, "ILLEGAL_MOVE")["detail"] == "No."
    )
    found = gateway.client.post(REPLAY, json={}, headers={**strict, **NDJSON})  # lines cannot be taken back
    assert len(lines(found)) == 4 and "preference-applied" not in found.headers
    fake.behave["CheckMove"] = lambda *_: b""
    response = gateway.client.post(CHECK, json={}, headers=strict)
    assert response.status_code == 200 and response.headers["preference-applied"] == "handling=strict"
    response = gateway.client.post("/v1/games/18cz:render", json={}, headers=strict)
    assert response.status_code == 200 and "preference-applied" not in response.headers


def test_metrics_of_all_workers(gateway: Gateway) -> None:
    def count() -> float:
        text = gateway.client.get("/metrics").text
        pattern = (
            r'http_requests_total\{method="POST",route="/v1/games/18cz:checkMove",status="200"\} ([0-9.]+)'
        )
        found = re.search(pattern, text)
        return float(found[1]) if found else 0.0

    before = count()
    at_once(16, lambda _: gateway.client.post(CHECK, json={}))
    assert count() == before + 16
    text = gateway.client.get("/metrics").text
    assert (
        'http_request_duration_seconds_bucket{le="+Inf",method="POST",route="/v1/games/18cz:checkMove"}'
        in text
    )
    gateway.client.request("BREW", "/teapot")
    text = gateway.client.get("/metrics").text
    assert 'method="other",route="none"' in text and "BREW" not in text and "teapot" not in text
