"""A service over gRPC: what it adds to an empty echo on the same server and to the rules."""

import contextlib
import gc
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import orjson

from services.chassis import keys, logs
from services.chassis.canonical import canonical_json
from services.chassis.game import AnyGame
from services.chassis.guard import Guard
from services.chassis.limits import Pool, TimedBudget
from services.chassis.metrics import Metrics
from services.chassis.sealing import seal, unseal
from services.chassis.servicer import Servicer
from services.chassis.settings import Settings
from services.eighteen_cz.game import GAME
from services.ruleset.protocol import Query
from tests.bench.figures import Figure, median_ms, side_by_side_ms
from tests.contract.client import IMPATIENT, Client, Fault, Plain
from tests.tinygame.service import KEYS, ROOT, free_port

RECORD = ROOT.parent / "shared" / "conformance" / "18cz" / "games" / "g2401_4p.json"
LATE = 0.85
"""How far into the record the position is taken."""
ECHO = "/bench.Echo/Echo"


def serve(port: int) -> None:
    """The service of 18CZ with an empty echo beside it, behind the same guard; until it is killed."""
    logs.configure("warning", GAME.name)
    settings, ring, metrics = Settings(), keys.parse(KEYS[0], "bench"), Metrics(GAME.name)
    pool = Pool(settings.threads, settings.queue)
    server = grpc.server(pool, interceptors=[Guard(GAME.service, pool, metrics)])
    echo: Any = grpc.unary_unary_rpc_method_handler(lambda request, context: request)
    server.add_generic_rpc_handlers(
        (
            Servicer(GAME, settings, ring, metrics).handlers(),
            grpc.method_handlers_generic_handler("bench.Echo", {"Echo": echo}),
        )
    )
    server.add_insecure_port(f"127.0.0.1:{port}")
    gc.collect()
    gc.freeze()  # as in earnest
    server.start()
    server.wait_for_termination()


@contextlib.contextmanager
def process(*command: str, **variables: str) -> Iterator[subprocess.Popen[bytes]]:
    environ = {key: value for key, value in os.environ.items() if not key.startswith("SIGNALBOX")}
    with tempfile.TemporaryFile() as log:
        started = subprocess.Popen(
            [sys.executable, *command], cwd=ROOT, env=environ | variables, stderr=log, stdout=log
        )
        try:
            yield started
        finally:
            started.terminate()
            started.wait()


def ready(client: Client, seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while True:
        try:
            client.call("Describe", timeout=1)
            return
        except Fault:
            assert time.monotonic() < deadline
            time.sleep(0.01)


def late_position(client: Client) -> tuple[Plain, Plain, Plain]:
    """Of a recorded game: the answer to a late position's replay, its next move, and the whole record."""
    record = {"format": "18xx.games", "text": RECORD.read_text()}
    imported = client.call("Import", {"record": record})
    moves = imported["moves"]
    count = round(len(moves) * LATE)
    position = {"setup": imported["setup"], "moves": moves[:count]}
    _, summary = client.replay(
        {"position": position, "returns": ["POSITION_FORM_SEALED", "POSITION_FORM_STATE"]}
    )
    whole = {"position": {"setup": imported["setup"], "moves": moves}}
    return summary["position"], moves[count], whole


def measure() -> Iterator[Figure]:
    yield from starting()
    if not RECORD.exists():
        return
    port = free_port()
    code = f"from tests.bench.service import serve; serve({port})"
    with process("-c", code):
        client = Client(GAME.service, f"127.0.0.1:{port}")
        ready(client)
        position, move, whole = late_position(client)
        yield from calls(client, position, move)
        yield from records(client, whole)
        client.close()
    yield from sealing(position["state"])


def starting() -> Iterator[Figure]:
    """The time from the start of the process to its first answer, and its memory then."""
    port = free_port()
    begun = time.monotonic()
    variables = {"SIGNALBOX_PORT": str(port), "SIGNALBOX_SEAL_KEYS": KEYS[0]}
    with process("-m", "services.eighteen_cz", **variables) as service:
        client = Client(GAME.service, f"127.0.0.1:{port}", options=IMPATIENT)
        ready(client)
        yield Figure("from start to the first answer", time.monotonic() - begun, "s", most=1.5)
        status = Path(f"/proc/{service.pid}/status").read_text()
        yield Figure("resident", int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1024, "MB", most=150)
        client.close()


def calls(client: Client, position: Plain, move: Plain) -> Iterator[Figure]:
    """Calls on a sealed position beside an echo of the same request, and the rules alone."""
    base = {"position": {"sealed": position["sealed"]}}
    requests: dict[str, Plain] = {
        "CheckMove": base | {"move": move},
        "ApplyMove": base | {"move": move},
        "LegalMoves": base,
        "Score": base,
    }
    rules = in_process(GAME, position["state"], move)
    for rpc, request in requests.items():
        data = client.bytes_of(rpc, request)
        echo: Any = client.channel.unary_unary(ECHO)
        over_grpc, echoed = side_by_side_ms([partial(client.send, rpc, data), partial(echo, data)], 500)
        alone = median_ms(rules[rpc], 100)
        yield Figure(f"echo of the {len(data)} bytes of {rpc}", echoed, "ms")
        yield Figure(f"the rules of {rpc} in process", alone, "ms")
        yield Figure(f"{rpc} over gRPC", over_grpc, "ms")
        yield Figure(
            f"{rpc} over gRPC without the rules : echo", (over_grpc - alone) / echoed, "times", most=3
        )


def in_process(game: AnyGame, plain_state: Plain, plain_move: Plain) -> dict[str, Any]:
    """What the rules alone do in each call."""
    ruleset = game.rulesets[plain_state["ruleset"]]
    state = game.state_from_plain(plain_state)
    move = game.resolve(state, game.move_from_plain(plain_move))

    def budget() -> TimedBudget:
        return TimedBudget(5_000_000, time.monotonic() + 10)

    return {
        "CheckMove": lambda: ruleset.apply(state, move, budget()),
        "ApplyMove": lambda: ruleset.apply(state, move, budget()),
        "LegalMoves": lambda: list(ruleset.legal_moves(state, Query(), budget())),
        "Score": lambda: ruleset.score(state),
    }


def records(client: Client, whole: Plain) -> Iterator[Figure]:
    moves = len(whole["position"]["moves"])
    taken = median_ms(partial(client.replay, whole), 5) / 1e3
    yield Figure(f"Replay of {moves} moves over gRPC", taken, "s", most=1.0)


def sealing(state: Plain) -> Iterator[Figure]:
    """With the plain form made of the state, as each answer needs it."""
    ring, ruleset = keys.parse(KEYS[0], "bench"), state["ruleset"]
    typed = GAME.state_from_plain(state)
    token = seal(ring, GAME.name, ruleset, canonical_json(state))

    def make() -> str:
        return seal(ring, GAME.name, ruleset, canonical_json(GAME.state_to_plain(typed)))

    def open_() -> Any:
        return GAME.state_from_plain(orjson.loads(unseal(ring, GAME.name, token).canonical))

    yield Figure("size of a sealed position", len(token) / 1024, "KB")
    yield Figure("sealing a state", median_ms(make), "ms", most=0.6)
    yield Figure("opening a sealed state", median_ms(open_), "ms", most=0.6)
