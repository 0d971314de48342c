"""Hostile requests through real HTTP, the real gateway, real gRPC and the real service, each a process."""

import gzip
import json
import socket
from collections.abc import Iterator
from random import Random

import pytest

from tests.fault.house import House
from tests.fuzz import campaign
from tests.fuzz.asking import any_message, any_request
from tests.fuzz.corpus import samples
from tests.fuzz.fitting import schemed
from tests.fuzz.garbage import TEXTS, any_json, as_bytes, broken, nested
from tests.fuzz.http_client import Http, check
from tests.fuzz.mutation import mutated
from tests.fuzz.oracle import CALLS, types
from tests.fuzz.records import FORMAT, hostile_record
from tests.fuzz.test_requests import a_call, any_position

GAME = "/v1/games/18cz"
HEADER_TEXTS = tuple(text for text in TEXTS if text.isascii() and text.isprintable() and len(text) < 400)
ODD_PATHS = (
    "/v1/games/{}", GAME + ":{}", "/{}", GAME + "?{}=1", GAME + "?languages={}", "//{}", GAME + ":start/",
    "/v1/games/18cz%3Astart", "/v1//games/18cz:start", "/v1/games/18CZ:start", "/v1/games/{}:score",
    "/docs/{}",
)  # fmt: skip
ODD_HEADERS = {
    "Content_Type": ("text/plain", "", "application/xml", "application/json; charset=utf-16", "x", "*/*"),
    "Content_Encoding": ("gzip", "br", "deflate", "gzip, gzip"),
    "Accept_Language": ("pl;q=x", "*;q=0", "en," * 300, "pl;q=1e999", "pl;q=-1"),
    "X_Request_Timeout": ("0", "-1", "nan", "1e9", "0.000001", "10" * 40),
    "X_Request_Id": ("x" * 129, "a b"),
    "traceparent": ("00-" + "0" * 32 + "-" + "0" * 16 + "-00", "ff-x"),
    "Prefer": ("handling=strict, handling=lenient", "handling=", "handling=strict;a=b"),
    "Accept": ("text/html", "application/x-ndjson", "image/svg+xml", "*/*;q=0", ";;;", "a/b;q=z"),
}


def path_of(call: str) -> str:
    return f"{GAME}:{call[0].lower()}{call[1:]}" if call != "Describe" else f"{GAME}:score"


@pytest.fixture(scope="module")
def client(house: House) -> Iterator[Http]:
    http = Http(house.port)
    yield http
    still_right(http)
    http.close()


def still_right(http: Http) -> None:
    """After all that, a simple question is still answered as it should be."""
    started = http.ask(f"{GAME}:start", {"setup": {"seats": [{"name": "A"}, {"name": "B"}, {"name": "C"}]}})
    assert started.status == 200
    position = started.json()["position"]
    moves = http.ask(f"{GAME}:legalMoves", {"position": {"sealed": position["sealed"]}}).json()
    assert moves["stateHash"] == position["stateHash"] and moves["options"]
    applied = http.ask(
        f"{GAME}:applyMove", {"position": {"state": position["state"]}, "move": moves["options"][0]["move"]}
    )
    assert applied.json()["verdict"]["legal"] is True


def test_changed_json(client: Http) -> None:
    """Requests with wrong types, unknown fields, wrong names, numbers beyond everything."""

    def case(rng: Random) -> None:
        call = a_call(rng)
        position, sample = any_position(rng)
        request = mutated(rng, any_request(rng, call, position, sample), ill_typed=True)
        strict = {"Prefer": "handling=strict"} if rng.random() < 0.1 else {}
        client.ask(path_of(call), request, Accept_Language=rng.choice(["pl", "en"]), **strict)

    campaign.run("http-changed-json", 0.03, case)


def test_changed_states(client: Http) -> None:
    """Changed positions, asked every question."""

    def case(rng: Random) -> None:
        sample, donor = rng.choice(samples()), rng.choice(samples())
        state = (schemed if rng.random() < 0.7 else lambda r, s, _: mutated(r, s))(
            rng, sample.state, donor.state
        )
        call = a_call(rng)
        answer = client.ask(path_of(call), any_request(rng, call, {"state": state}, sample))
        if call == "Render" and answer.status == 200:
            assert "<svg" in answer.json()["svg"][:200]

    campaign.run("http-changed-states", 0.025, case)


def test_broken_json(client: Http) -> None:
    """Bytes that are no JSON, JSON nested deep, bodies that are no requests."""

    def case(rng: Random) -> None:
        call = rng.choice(CALLS)
        position, sample = any_position(rng)
        match rng.randrange(6):
            case 0:
                body = nested(rng)
            case 1:
                body = as_bytes(any_json(rng, 6))
            case 2:
                body = as_bytes(any_message(rng, types(call)[0].DESCRIPTOR))
            case 3:
                body = rng.randbytes(rng.randrange(200))
            case _:
                body = broken(
                    rng, json.dumps(any_request(rng, call, position, sample)).encode(errors="replace")
                )
        client.ask(path_of(call), body)

    campaign.run("http-broken-json", 0.04, case)


def test_odd_http(client: Http) -> None:
    """Paths, methods, headers and encodings that are not right."""

    def case(rng: Random) -> None:
        body = as_bytes({"setup": {"seats": [{}, {}, {}]}})
        headers: dict[str, str] = {}
        method, path = "POST", f"{GAME}:start"
        word = rng.choice(
            [text for text in TEXTS if text.isascii() and text.isprintable() and len(text) < 400]
        )
        if rng.random() < 0.15:
            method = rng.choice(["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "BREW"])
        if rng.random() < 0.3:
            quoted = "".join(char if char.isalnum() else f"%{ord(char):02X}" for char in word)
            path = rng.choice(ODD_PATHS).replace("{}", quoted)
        for name in rng.sample(sorted(ODD_HEADERS), rng.choice([0, 1, 1, 2])):
            headers[name] = rng.choice([word, *ODD_HEADERS[name]])
        if headers.get("Content_Encoding") == "gzip":
            whole = gzip.compress(body)
            body = rng.choice([whole, whole[:-5], gzip.compress(b" " * 10**7), body])
        answer = client.send(method, path, None if method in ("GET", "HEAD") else body, **headers)
        if method == "HEAD":
            assert answer.status < 500
        elif method == "OPTIONS":
            assert answer.status in (200, 404)
        else:
            check(answer)

    campaign.run("http-odd", 0.02, case)


def test_raw_bytes(house: House, client: Http) -> None:
    """What is no HTTP at all: answered with an error or closed, and never waited for."""
    whole = (
        f"POST {GAME}:start HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n"
        "Content-Length: 32\r\n\r\n" + '{"setup":{"seats":[{},{},{}]}}  '
    ).encode()

    def case(rng: Random) -> None:
        data = (
            whole
            if rng.random() < 0.7
            else whole.replace(b"Content-Length: 32", b"Transfer-Encoding: chunked")
        )
        with socket.create_connection(("127.0.0.1", house.port), timeout=15) as line:
            line.sendall(broken(rng, data))
            line.shutdown(socket.SHUT_WR)
            received = b""
            while part := _received(line):
                received += part
        assert not received or received.startswith(b"HTTP/1."), received[:100]
        status = received[9:12]
        assert status != b"500" and status[:1] in (b"", b"1", b"2", b"4", b"5"), received[:600]

    campaign.run("http-raw-bytes", 0.015, case)


def _received(line: socket.socket) -> bytes:
    try:
        return line.recv(65536)
    except ConnectionResetError:
        return b""


def test_broken_chunks(house: House, client: Http) -> None:
    head = f"POST {GAME}:start HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    head += "Transfer-Encoding: chunked\r\n\r\n"
    for chunks in ("nonsense\r\n", "5\r\n{}   nonsense\r\n", "-1\r\n", "0x5\r\n{}   \r\n0\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", house.port), timeout=15) as line:
            line.sendall((head + chunks).encode())
            line.shutdown(socket.SHUT_WR)
            assert _received(line).startswith(b"HTTP/1.1 400 "), chunks


def test_foreign_records(client: Http) -> None:
    """Records of the site with nonsense in them."""

    def case(rng: Random) -> None:
        record = {"format": FORMAT, "document": hostile_record(rng, 30)}
        if rng.random() < 0.5:
            record = {"format": FORMAT, "text": json.dumps(record["document"])}
        headers = {"Accept": "application/x-ndjson"} if rng.random() < 0.3 else {}
        client.ask(f"{GAME}:{rng.choice(['import', 'replay'])}", {"record": record}, **headers)

    campaign.run("http-foreign-records", 0.005, case)


@pytest.mark.parametrize("count", [10_000, 10_001])
def test_long_records(client: Http, count: int) -> None:
    """As many moves as a record may have are replayed in bounded time; one more is too many."""
    setup = {"seats": [{"name": "A"}, {"name": "B"}], "options": {"variant": "standard"}}
    text = "\n".join(["G1 pass"] * count)
    answer = client.ask(
        f"{GAME}:replay", {"position": {"setup": setup}, "record": {"format": "notation", "text": text}}
    )
    moves = client.ask(
        f"{GAME}:replay", {"position": {"setup": setup, "moves": [{"notation": "pass"}] * count}}
    )
    if count > 10_000:
        assert answer.status == moves.status == 413
        return
    for one in (answer, moves):
        assert one.status == 200
        summary = one.json()["summary"]
        assert summary["moves"] == count and not summary["legal"]
        assert summary["checked"] == summary["firstIllegal"] + 1
