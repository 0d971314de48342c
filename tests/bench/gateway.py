"""What the gateway costs: REST calls against the bare gRPC call with the same messages, on the same service.

`python -m tests.bench.gateway` prints requests a second and ratios; `measure` gives them as a dict. The service
does nothing but give a ready answer, so that all the difference is the gateway's.
"""

import http.client
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import orjson
from google.protobuf.message import Message
from signalbox.eighteen_cz.v1 import eighteen_cz_rules_service_pb2 as service
from signalbox.eighteen_cz.v1 import state_pb2

from protojson import to_plain
from tests.gateway.running import running

PACKAGE = "signalbox.eighteen_cz.v1"
METHOD = f"/{PACKAGE}.EighteenCzRulesService/ApplyMove"
PATH = "/v1/games/18cz:applyMove"
CLIENTS, SECONDS, ROUNDS = 8, 2.0, 3

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
    placed = [state_pb2.PlacedTile(hex=f"E{number}", tile="57", rotation=number % 6) for number in range(tiles)]
    return state_pb2.State(ruleset="18cz/summary-1", companies=companies, tiles=placed)


def workloads() -> dict[str, tuple[Message, Message]]:
    """Name -> request and response of about that size as JSON."""
    sealed = service.Position(sealed="x" * 900)
    move = {"notation": "BCB lay 57 r1 E16"}
    answer = service.PositionAnswer(state_hash="0" * 64, sealed="x" * 800)
    small = (
        service.ApplyMoveRequest(position=sealed, move=move),
        service.ApplyMoveResponse(verdict={"legal": True}, position=answer, move=move),
    )
    opened = state(245)
    large = (
        service.ApplyMoveRequest(position=service.Position(state=opened), move=move),
        service.ApplyMoveResponse(
            verdict={"legal": True}, position=service.PositionAnswer(state_hash="0" * 64, state=opened)
        ),
    )
    return {"1 KB": small, "30 KB": large}


def serve(answers: dict[int, bytes]) -> None:
    """A service that answers by the size of the request; prints its port."""

    def answer(request: bytes, context: grpc.ServicerContext) -> bytes:
        return answers[len(request)]

    handler = grpc.unary_unary_rpc_method_handler(answer)
    service_name, _, name = METHOD[1:].partition("/")
    server = grpc.server(ThreadPoolExecutor(16))
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service_name, {name: handler}),))
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
    method = channel.unary_unary(METHOD)

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


def measure() -> dict[str, float]:
    found: dict[str, float] = {}
    loads = workloads()
    answers = {len(asked.SerializeToString()): answer.SerializeToString() for asked, answer in loads.values()}
    command = [sys.executable, "-m", "tests.bench.gateway", "serve"]
    table = json.dumps({size: answer.hex() for size, answer in answers.items()})
    server = subprocess.Popen(
        [*command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=os.environ | {"ANSWERS": table}
    )
    assert server.stdin and server.stdout
    try:
        target = f"127.0.0.1:{int(server.stdout.readline())}"
        with (
            tempfile.TemporaryDirectory() as folder,
            running(
                Path(folder),
                {"18cz": (PACKAGE, target)},
                SIGNALBOX_GATEWAY_THREADS="8",
                SIGNALBOX_GATEWAY_BODY_BYTES="262144",
                SIGNALBOX_LOG_LEVEL="warning",
                **({"SIGNALBOX_GATEWAY_WORKERS": workers} if (workers := os.environ.get("WORKERS")) else {}),
            ) as gateway,
        ):
            url = gateway.client.base_url
            for name, (asked, _) in loads.items():
                data, text = asked.SerializeToString(), orjson.dumps(to_plain(asked))
                makes: dict[str, Callable[[], Call]] = {
                    "gRPC": lambda data=data: over_grpc(target, data),
                    "REST": lambda text=text: over_rest(url.host, url.port or 80, text),
                }
                best = {kind: max(throughput(make) for _ in range(ROUNDS)) for kind, make in makes.items()}
                alone = {kind: 1000 / throughput(make, 1) for kind, make in makes.items()}
                found[f"{name}: gRPC calls/s"] = best["gRPC"]
                found[f"{name}: REST calls/s"] = best["REST"]
                found[f"{name}: REST / gRPC throughput"] = best["REST"] / best["gRPC"]
                found[f"{name}: gRPC ms alone"] = alone["gRPC"]
                found[f"{name}: REST ms alone"] = alone["REST"]
    finally:
        server.stdin.close()
        server.wait()
    return found


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        serve({int(size): bytes.fromhex(answer) for size, answer in json.loads(os.environ["ANSWERS"]).items()})
    else:
        for label, value in measure().items():
            print(f"{label:32} {value:10.2f}")
