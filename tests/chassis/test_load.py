"""Deadlines, and calls beyond what a process takes."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from services.chassis.limits import TimedBudget
from services.chassis.settings import Settings
from services.ruleset.protocol import Budget, OutOfTime
from tests.chassis.conftest import SETUP
from tests.contract.client import Client, Fault, Plain
from tests.tinygame.service import served

SLOW: Plain = {"position": {"setup": SETUP | {"ruleset": "tiny-game/slow-1"}}, "move": {"notation": "hide 1"}}
"""A move whose rules never come to an end."""


def test_the_service_has_a_deadline_of_its_own() -> None:
    with served(Settings(deadline_seconds=0.2)) as service:
        for rpc, request in (("CheckMove", SLOW), ("ApplyMove", SLOW)):
            begun = time.monotonic()
            with pytest.raises(Fault) as fault:
                service.client.call(rpc, request)
            assert (fault.value.code, fault.value.reason) == (
                grpc.StatusCode.DEADLINE_EXCEEDED,
                "OUT_OF_TIME",
            )
            assert 0.15 < time.monotonic() - begun < 5
        with pytest.raises(Fault) as fault:
            service.client.replay({"position": {**SLOW["position"], "moves": [SLOW["move"]]}})
        assert fault.value.reason == "OUT_OF_TIME"


def test_the_deadline_of_the_client_ends_the_work() -> None:
    with served(Settings(threads=1)) as service:
        for _ in range(3):
            with pytest.raises(Fault) as fault:
                service.client.call("CheckMove", SLOW, timeout=0.1)
            assert fault.value.code == grpc.StatusCode.DEADLINE_EXCEEDED
        begun = time.monotonic()  # the only thread is free again at once
        assert service.client.call("Describe")
        assert time.monotonic() - begun < 5


def test_a_budget_reads_the_clock_and_counts_its_nodes() -> None:
    budget = TimedBudget(100, time.monotonic() + 60)
    assert [budget.spend(50) for _ in range(3)] == [Budget(100).spend(50), True, False]
    late = TimedBudget(1000, time.monotonic() - 1)
    with pytest.raises(OutOfTime):
        for _ in range(100):
            late.spend()


def test_calls_beyond_the_queue_are_refused_at_once() -> None:
    with served(Settings(threads=1, queue=2, deadline_seconds=1.5)) as service:
        target = f"127.0.0.1:{service.server.port}"
        outcomes: list[str] = []

        def slow() -> None:
            with pytest.raises(Fault) as fault:
                service.client.call("CheckMove", SLOW)
            outcomes.append(fault.value.reason)

        with ThreadPoolExecutor(2) as threads:
            for _ in range(2):
                threads.submit(slow)
                time.sleep(0.2)
            begun = time.monotonic()
            with pytest.raises(Fault) as fault:
                service.client.call("Score", {"position": {"setup": SETUP}})
            assert (fault.value.code, fault.value.reason) == (
                grpc.StatusCode.RESOURCE_EXHAUSTED,
                "OVERLOADED",
            )
            assert fault.value.trailing["grpc-retry-pushback-ms"] == "100"
            with pytest.raises(Fault) as fault:
                service.client.replay({"position": {"setup": SETUP}})
            assert fault.value.reason == "OVERLOADED"
            with grpc.insecure_channel(target) as channel:  # health is answered all the while
                stub = health_pb2_grpc.HealthStub(channel)
                health = stub.Check(health_pb2.HealthCheckRequest(), timeout=1)  # type: ignore[attr-defined]
            assert health.status == health_pb2.HealthCheckResponse.SERVING
            assert time.monotonic() - begun < 1
        assert outcomes == ["OUT_OF_TIME"] * 2
        assert service.client.call("Score", {"position": {"setup": SETUP}})
        overloaded = service.count("signalbox_errors_total", game="tiny-game", reason="OVERLOADED")
        assert overloaded == 2


def test_many_clients_at_once_get_the_same_answers() -> None:
    with served(Settings(queue=1000)) as service:
        first = service.client.call("Start", {"setup": SETUP})
        request = {"position": {"sealed": first["position"]["sealed"]}, "move": {"notation": "hide 2"}}
        answers: list[Plain] = []
        lock = threading.Lock()

        def ask() -> None:
            client = Client("signalbox.tiny_game.v1.TinyGameRulesService", f"127.0.0.1:{service.server.port}")
            for _ in range(10):
                answer = client.call("ApplyMove", request)
                with lock:
                    answers.append(answer)
            client.close()

        with ThreadPoolExecutor(8) as threads:
            for asked in [threads.submit(ask) for _ in range(8)]:
                asked.result()
        assert len(answers) == 80 and all(answer == answers[0] for answer in answers)


def test_closed_channels_leave_no_work_behind() -> None:
    with served(Settings(threads=2, deadline_seconds=0.5)) as service:
        for _ in range(5):
            client = Client("signalbox.tiny_game.v1.TinyGameRulesService", f"127.0.0.1:{service.server.port}")
            threading.Timer(0.02, client.close).start()
            with pytest.raises((Fault, ValueError, grpc.RpcError)):
                client.call("CheckMove", SLOW)
        deadline = time.monotonic() + 5
        while True:
            try:
                assert service.client.call("Score", {"position": {"setup": SETUP}}, timeout=2)
                break
            except Fault:
                assert time.monotonic() < deadline
