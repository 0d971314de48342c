"""What any gRPC server offers beside its own service: health, reflection, and no for an answer."""

from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from google.protobuf import descriptor_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from services.chassis.contract import rpcs
from tests.contract.client import Client, Fault
from tests.tinygame.game import GAME
from tests.tinygame.service import Local


def code(error: grpc.RpcError) -> grpc.StatusCode:
    assert isinstance(error, grpc.Call)
    found: grpc.StatusCode = error.code()
    return found


def test_health_of_all_and_of_the_service(local: Local) -> None:
    stub: Any = health_pb2_grpc.HealthStub(local.client.channel)
    for service in ("", GAME.service):
        request = health_pb2.HealthCheckRequest(service=service)
        assert stub.Check(request).status == health_pb2.HealthCheckResponse.SERVING
        watching = stub.Watch(request)
        assert next(watching).status == health_pb2.HealthCheckResponse.SERVING
        watching.cancel()
    unknown = health_pb2.HealthCheckRequest(service="signalbox.no_game.v1")
    with pytest.raises(grpc.RpcError) as error:
        stub.Check(unknown)
    assert code(error.value) == grpc.StatusCode.NOT_FOUND


def test_reflection_tells_the_whole_contract(local: Local) -> None:
    stub: Any = reflection_pb2_grpc.ServerReflectionStub(local.client.channel)

    def ask(**request: Any) -> Any:
        (answer,) = stub.ServerReflectionInfo(iter([reflection_pb2.ServerReflectionRequest(**request)]))
        return answer

    names = [service.name for service in ask(list_services="").list_services_response.service]
    assert set(names) == {GAME.service, "grpc.health.v1.Health", "grpc.reflection.v1alpha.ServerReflection"}
    files = ask(file_containing_symbol=GAME.service).file_descriptor_response.file_descriptor_proto
    described = descriptor_pb2.FileDescriptorProto.FromString(files[0])
    (service,) = described.service
    assert {method.name for method in service.method} == rpcs(GAME.service).keys()


def test_many_reflecting_clients_do_not_stand_in_the_way(local: Local) -> None:
    stub: Any = reflection_pb2_grpc.ServerReflectionStub(local.client.channel)
    stop = False

    def requests() -> Iterator[reflection_pb2.ServerReflectionRequest]:
        yield reflection_pb2.ServerReflectionRequest(list_services="")
        while not stop:
            yield reflection_pb2.ServerReflectionRequest(list_services="")

    streams = [stub.ServerReflectionInfo(requests()) for _ in range(20)]
    try:
        assert local.client.call("Describe", timeout=3)
        health: Any = health_pb2_grpc.HealthStub(local.client.channel)
        assert health.Check(health_pb2.HealthCheckRequest(), timeout=3)
    finally:
        stop = True
        for stream in streams:
            stream.cancel()


def test_unknown_calls(local: Local) -> None:
    before = len(list(local.registry.collect()))
    for path in ("/signalbox.no_game.v1.NoGame/Start", f"/{GAME.service}/Nothing", "/x", f"/{GAME.service}/"):
        with pytest.raises(grpc.RpcError) as error:
            method: Any = local.client.channel.unary_unary(path)
            method(b"")
        assert code(error.value) == grpc.StatusCode.UNIMPLEMENTED
    assert len(list(local.registry.collect())) == before


def test_metrics_of_verdicts_and_refusals(local: Local, client: Client) -> None:
    def counts() -> tuple[float, float, float]:
        return (
            local.count("signalbox_moves_total", game="tiny-game", kind="paint", verdict="legal"),
            local.count("signalbox_moves_total", game="tiny-game", kind="paint", verdict="illegal"),
            local.count("signalbox_refusals_total", game="tiny-game", rule_id="TG-4"),
        )

    before = counts()
    setup = {"seats": [{}, {}], "random": {"seeded": {"seed": "x"}}}
    for colour in ("red", "pink", "grey"):
        client.call("CheckMove", {"position": {"setup": setup}, "move": {"paint": {"colour": colour}}})
    moves = [{"notation": "paint red"}, {"notation": "paint red"}]
    client.replay({"position": {"setup": setup, "moves": moves}})
    assert tuple(after - earlier for after, earlier in zip(counts(), before, strict=True)) == (2, 3, 3)


def test_metrics_have_few_labels(local: Local, client: Client) -> None:
    """Whatever is asked, the labels are names of the contract, of the rules and of reasons."""
    for text in ("hop", "paint " + "x" * 50, "hide 77"):
        try:
            client.call("CheckMove", {"position": {"setup": {"seats": [{}, {}]}}, "move": {"notation": text}})
        except Fault as fault:
            assert fault.reason == "BAD_NOTATION"
    values = {
        value
        for metric in local.registry.collect()
        for sample in metric.samples
        for value in sample.labels.values()
    }
    assert len(values) < 150 and all(len(value) < 50 for value in values), values
