"""The gateway: REST calls beside a bare echo over gRPC of as many bytes, on the same service.

The service does nothing but give a ready answer, so that all the difference is the gateway's.
"""

import http.client
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import grpc
import orjson
from google.protobuf.message import Message
from signalbox.eighteen_cz.v1 import eighteen_cz_rules_service_pb2 as service
from signalbox.eighteen_cz.v1 import state_pb2

from protojson import to_plain
from tests.bench.figures import Figure, side_by_side_ms
from tests.gateway.running import running

PACKAGE = "signalbox.eighteen_cz.v1"
METHOD = f"/{PACKAGE}.EighteenCzRulesService/ApplyMove"
ECHO = "/bench.Echo/Echo"
PATH = "/v1/games/18cz:applyMove"
CLIENTS, SECONDS, ROUNDS = 8, 0.5, 9

Call = Callable[[], None]


def state(tiles: int) -> state_pb2.State:
    """A made-up open state, about 100 bytes of JSON a tile."""
    companies = [
        state_pb2.Company(
            symbol=f"C{number}",
            director="G1",
            treasury=240,
            position=7,
            trains=["2a", "2+2b"],
            units=[state_pb2.Holding(holder=f"G{holder}", units=2) for holder in range(4)],
            stations=[state_pb2.Station(hex="E12", city=0, slot=1) for _ in range(3)],
        )
        for number in range(tiles // 10)
    ]
    placed = [
        state_pb2.PlacedTile(hex=f"E{number}", tile="57", rotation=number % 6) for number in range(tiles)
    ]
    return state_pb2.State(ruleset="18cz/summary-1", companies=companies, tiles=placed)


class Load(NamedTuple):
    name: str
    request: Message
    response: Message
    least: float
    """The goal for the throughput, of that of the bare echo."""


def loads() -> list[Load]:
    move = {"notation": "BCB lay 57 r1 E16"}
    opened = state(355)

    def request(token: int = 0) -> Message:
        position = service.Position(sealed="x" * token) if token else service.Position(state=opened)
        return service.ApplyMoveRequest(position=position, move=move)

    def response(**position: Any) -> Message:
        answer = service.PositionAnswer(state_hash="0" * 64, **position)
        return service.ApplyMoveResponse(verdict={"legal": True}, position=answer, move=move)

    return [
        Load("1 KB", request(900), response(sealed="x" * 800), 0.3),
        Load("30 KB, sealed in, state out", request(3000), response(state=opened), 0.2),
        Load("30 KB, state in and out", request(), response(state=opened), 0.2),
    ]


def serve(answers: dict[int, bytes]) -> None:
    """A service that gives ready answers by the size of the request, and an echo; prints its port."""

    def ready(request: bytes, context: grpc.ServicerContext) -> bytes:
        return answers[len(request)]

    def echo(request: bytes, context: grpc.ServicerContext) -> bytes:
        return request

    server = grpc.server(ThreadPoolExecutor(16))
    for path, behave in ((METHOD, ready), (ECHO, echo)):
        name, _, method = path[1:].partition("/")
        handler: Any = grpc.unary_unary_rpc_method_handler(behave)
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(name, {method: handler}),))
    print(server.add_insecure_port("127.0.0.1:0"), flush=True)
    server.start()
    sys.stdin.read()


def throughput(make: Callable[[], Call], clients: int = CLIENTS) -> float:
    """Calls a second of so many threads, each with a call of its own making."""
    until = 0.0
    ready = threading.Barrier(clients + 1)

    def work(_: int) -> int:
        call, done = make(), 0
        call()
        ready.wait()
        while time.perf_counter() < until:
            call()
            done += 1
        return done

    with ThreadPoolExecutor(clients) as pool:
        counts = [pool.submit(work, number) for number in range(clients)]
        until = time.perf_counter() + 60
        ready.wait()
        begun = time.perf_counter()
        until = begun + SECONDS
        total = sum(count.result() for count in counts)
        return total / (time.perf_counter() - begun)


def over_grpc(target: str, request: bytes) -> Call:
    channel: Any = grpc.insecure_channel(target, [("grpc.use_local_subchannel_pool", 1)])
    method = channel.unary_unary(ECHO)

    def call() -> None:
        method(request)

    return call


def over_rest(host: str, port: int, request: bytes) -> Call:
    connection = http.client.HTTPConnection(host, port)

    def call() -> None:
        connection.request("POST", PATH, request, {"Content-Type": "application/json"})
        response = connection.getresponse()
        assert response.read() and response.status == 200

    return call


def measure() -> Iterator[Figure]:
    answers = {len(load.request.SerializeToString()): load.response.SerializeToString() for load in loads()}
    table = json.dumps({size: answer.hex() for size, answer in answers.items()})
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.bench.gateway"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"ANSWERS": table},
    )
    assert server.stdin and server.stdout
    settings = {
        "SIGNALBOX_GATEWAY_THREADS": "8",
        "SIGNALBOX_GATEWAY_BODY_BYTES": "262144",
        "SIGNALBOX_LOG_LEVEL": "warning",
    }
    with server, tempfile.TemporaryDirectory() as folder:
        target = f"127.0.0.1:{int(server.stdout.readline())}"
        with running(Path(folder), {"18cz": (PACKAGE, target)}, **settings) as gateway:
            url = gateway.client.base_url
            for load in loads():
                text = orjson.dumps(to_plain(load.request))
                answer = orjson.dumps(to_plain(load.response))
                echo = partial(over_grpc, target, max(text, answer, key=len))
                yield from compare(load, echo, partial(over_rest, url.host, url.port or 80, text))
        server.stdin.close()


def compare(load: Load, echo: Callable[[], Call], rest: Callable[[], Call]) -> Iterator[Figure]:
    """The echo carries the greater of request and answer, as JSON, both ways. They run in turn for short
    times, so that whatever slows the machine slows both alike."""
    rates = [(throughput(echo), throughput(rest)) for _ in range(ROUNDS)]
    echo_rates, rest_rates = zip(*rates, strict=True)
    ratio = median(rest_rate / echo_rate for echo_rate, rest_rate in rates)
    yield Figure(f"{load.name}: echo over gRPC, {CLIENTS} clients", median(echo_rates), "/s")
    yield Figure(f"{load.name}: REST, {CLIENTS} clients", median(rest_rates), "/s")
    yield Figure(f"{load.name}: throughput of REST : echo", ratio, "times", least=load.least)
    echo_ms, rest_ms = side_by_side_ms([echo(), rest()], 500)
    yield Figure(f"{load.name}: echo over gRPC, one client", echo_ms, "ms")
    yield Figure(f"{load.name}: REST, one client", rest_ms, "ms")


if __name__ == "__main__":
    serve({int(size): bytes.fromhex(answer) for size, answer in json.loads(os.environ["ANSWERS"]).items()})
