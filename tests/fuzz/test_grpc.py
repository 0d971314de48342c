"""Hostile calls over real gRPC to the real service as a process."""

import time
from collections.abc import Iterator
from random import Random
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2  # type: ignore[import-untyped]
from grpc_status import rpc_status
from prometheus_client import CollectorRegistry

from protojson import from_plain
from services.chassis.keys import parse
from services.chassis.metrics import Metrics
from services.chassis.server import Server
from services.chassis.settings import Settings
from services.eighteen_cz.game import GAME
from tests.fault.house import House
from tests.fuzz import campaign
from tests.fuzz.asking import any_message, any_request
from tests.fuzz.corpus import play, samples
from tests.fuzz.fitting import schemed
from tests.fuzz.garbage import broken
from tests.fuzz.oracle import KEY, PATHLESS, types
from tests.fuzz.records import FORMAT, hostile_record
from tests.fuzz.test_requests import a_call, any_position

DOCUMENTED = frozenset(
    {
        grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.NOT_FOUND, grpc.StatusCode.ABORTED,
        grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.DEADLINE_EXCEEDED,
    }
)  # fmt: skip
SECONDS = 12.0


class Service:
    """Calls by name, each with a deadline and with what every answer keeps checked."""

    def __init__(self, port: int) -> None:
        self.channel = grpc.insecure_channel(f"127.0.0.1:{port}", [("grpc.max_send_message_length", -1)])

    def ask(self, call: str, data: bytes, deadline: float = SECONDS, **metadata: str) -> grpc.StatusCode:
        """The status; OK is an answer of the right type."""
        path = f"/{GAME.service}/{call}"
        method: Any = (self.channel.unary_stream if call == "Replay" else self.channel.unary_unary)(path)
        told = tuple((name.replace("_", "-"), value) for name, value in metadata.items())
        begun = time.monotonic()
        try:
            answer = method(data, timeout=deadline, metadata=told)
            parts: list[bytes] = [answer] if isinstance(answer, bytes) else list(answer)
        except grpc.RpcError as error:
            assert time.monotonic() - begun < deadline + 1
            return check_error(error)
        for part in parts:
            types(call)[1].FromString(part)
        return grpc.StatusCode.OK


def check_error(error: Any) -> grpc.StatusCode:
    """A documented status with a reason, and the field to blame where there is one."""
    code: grpc.StatusCode = error.code()
    assert code in DOCUMENTED, f"{code}: {error.details()}"
    status = rpc_status.from_call(error)
    if status is None:
        # What gRPC itself refuses: a message above twice the limit, a deadline that passed on the way.
        assert code in (grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.RESOURCE_EXHAUSTED), (
            error.details()
        )
        return code
    info, blame = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
    assert any(detail.Unpack(info) for detail in status.details) and info.reason
    blamed = any(detail.Unpack(blame) for detail in status.details)
    unreadable = "not a message" in status.message or "more than" in status.message
    assert blamed or info.reason in PATHLESS or unreadable, status
    return code


@pytest.fixture(scope="module")
def service(house: House) -> Iterator[Service]:
    client = Service(house.service_port)
    yield client
    assert client.ask("Describe", b"") is grpc.StatusCode.OK
    for sample in samples()[:20]:
        request = from_plain(types("LegalMoves")[0], {"position": {"state": sample.state}})
        assert client.ask("LegalMoves", request.SerializeToString()) is grpc.StatusCode.OK
    client.channel.close()


def test_broken_messages(service: Service) -> None:
    """Bytes that are no message, or another one than was meant."""

    def case(rng: Random) -> None:
        call = a_call(rng)
        position, sample = any_position(rng)
        match rng.randrange(4):
            case 0:
                data = rng.randbytes(rng.choice([0, 1, 10, 1000]))
            case 1:
                data = from_plain(
                    types(call)[0], any_message(rng, types(call)[0].DESCRIPTOR)
                ).SerializeToString()
            case _:
                request = from_plain(types(call)[0], any_request(rng, call, position, sample))
                data = broken(rng, request.SerializeToString())
        service.ask(call, data, accept_language=rng.choice(["pl", "en", ",;=*", "x" * 2000]))

    campaign.run("grpc-broken-messages", 0.04, case)


def test_changed_states(service: Service) -> None:
    """Changed positions under tight and generous deadlines."""

    def case(rng: Random) -> None:
        sample, donor = rng.choice(samples()), rng.choice(samples())
        call = a_call(rng)
        request = any_request(rng, call, {"state": schemed(rng, sample.state, donor.state)}, sample)
        try:
            message = from_plain(types(call)[0], request)
        except ValueError:
            return
        service.ask(call, message.SerializeToString(), rng.choice([0.001, 0.02, SECONDS, SECONDS, SECONDS]))

    campaign.run("grpc-changed-states", 0.03, case)


def test_foreign_records(service: Service) -> None:
    def case(rng: Random) -> None:
        call = rng.choice(["Import", "Replay"])
        request = {"record": {"format": FORMAT, "document": hostile_record(rng, 20)}}
        try:
            message = from_plain(types(call)[0], request)
        except ValueError:
            return
        service.ask(call, message.SerializeToString())

    campaign.run("grpc-foreign-records", 0.005, case)


def test_too_large(service: Service) -> None:
    """Just above the limit it is refused with a reason; far above, by gRPC; the connection lives on."""
    for size in (256 * 1024 + 1, 5 * 1024 * 1024, 9 * 1024 * 1024):
        data = from_plain(types("Score")[0], {"position": {"sealed": "A" * size}}).SerializeToString()
        assert service.ask("Score", data) is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert service.ask("Describe", b"") is grpc.StatusCode.OK


def test_clients_that_do_not_read_are_cut_off() -> None:
    """A stream whose client reads nothing ends with the deadline, and its thread is free again."""
    game = play("unread", 5)
    record = {"position": {"setup": game.setup}, "record": {"format": "notation", "text": game.record}}
    forms = ["POSITION_FORM_STATE", "POSITION_FORM_SEALED"]
    data = from_plain(types("Replay")[0], {**record, "returns": forms}).SerializeToString()
    settings = Settings(threads=1, deadline_seconds=1.0, grace_seconds=1.0)
    server = Server(GAME, settings, parse(KEY, "test"), Metrics(GAME.name, CollectorRegistry()), share=False)
    # Without these a client takes in a good deal before it is asked to.
    narrow = [("grpc.http2.lookahead_bytes", 0), ("grpc.http2.bdp_probe", 0)]
    with (
        grpc.insecure_channel(f"127.0.0.1:{server.port}", narrow) as unread,
        grpc.insecure_channel(f"127.0.0.1:{server.port}", [("grpc.use_local_subchannel_pool", 1)]) as other,
    ):
        method: Any = unread.unary_stream(f"/{GAME.service}/Replay")
        calls = [method(data, timeout=60) for _ in range(2)]
        time.sleep(0.5)  # the thread is at the first one
        begun = time.monotonic()
        describe: Any = other.unary_unary(f"/{GAME.service}/Describe")
        assert describe(b"", timeout=20)
        assert time.monotonic() - begun > 0.5, "it did not wait for a call that nobody reads"
        del calls
    server.drain()
