"""What breaks under load, and what a client of the gateway may notice of it: nothing, or 503 at once."""

import http.client
import json
import os
import signal
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fault.house import House, running, wait_until
from tests.fault.load import GAME, Load, post, question
from tests.fuzz.corpus import play


def whole_game() -> dict[str, Any]:
    """A replay that takes a while."""
    game = play("fault", 4)
    return {"position": {"setup": game.setup}, "record": {"format": "notation", "text": game.record}}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Two workers for the service, so that one may die."""
    with running(
        tmp_path_factory.mktemp("house"), SIGNALBOX_18CZ_WORKERS=2, SIGNALBOX_GATEWAY_WORKERS=1
    ) as started:
        yield started


def end(house: House, pid: int, number: signal.Signals = signal.SIGKILL) -> None:
    """End one of the service's processes, and wait until it has."""
    os.kill(pid, number)
    wait_until(lambda: pid not in house.workers, "the process has ended")


def wait_for_all(house: House) -> None:
    """Until both workers serve, and the process for metrics is there."""
    wait_until(lambda: len(house.workers) == 3 and house.serving == 2, "all serve again")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=["SIGKILL", "SIGTERM"])
def test_workers_that_end_under_load_lose_no_answer(house: House, number: signal.Signals) -> None:
    """Every process under the service in turn: workers and the one that serves metrics."""
    with Load(house.port) as load:
        for pid in house.workers:
            end(house, pid, number)
            wait_for_all(house)
            load.wait_for(50)
    assert not load.faults, load.faults[:5]
    assert load.slowest < 5


def test_a_worker_that_is_only_starting_is_killed(house: House) -> None:
    with Load(house.port, threads=3) as load:
        for _ in range(3):
            wait_until(lambda: len(house.workers) == 3, "there are two again")
            end(house, house.workers[-1])
            load.wait_for(20)
        wait_for_all(house)
    assert not load.faults, load.faults[:5]


def counted(house: House, metric: str) -> float:
    """The sum of a counter over all processes of the service, ended ones included, for Replay."""
    with urllib.request.urlopen(f"http://127.0.0.1:{house.metrics_port}/metrics", timeout=5) as answer:
        lines = answer.read().decode().splitlines()
    return sum(
        float(line.rpartition(" ")[2]) for line in lines if line.startswith(metric) and '"Replay"' in line
    )


def test_calls_that_are_half_done_are_made_again(house: House) -> None:
    """Where a worker is killed the other one does its calls from the beginning: they change nothing."""
    replay = whole_game()
    begun = time.monotonic()
    expected = json.loads(post(house.port, f"{GAME}:replay", replay)[1])["summary"]
    seconds = time.monotonic() - begun
    assert expected["legal"] and expected["turn"]["over"]
    answers: list[tuple[int, bytes]] = []

    def ask() -> None:
        answers.append(post(house.port, f"{GAME}:replay", replay, timeout=30))

    for number in range(2):
        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        time.sleep(seconds * (0.5 + 0.5 * number))
        end(house, house.workers[1])
        for thread in threads:
            thread.join(40)
        wait_for_all(house)
    assert len(answers) == 8
    for status, body in answers:
        assert status == 200, body[:300]
        assert json.loads(body)["summary"] == expected
    begun_calls, ended_calls = (
        counted(house, f"grpc_server_{what}_total") for what in ("started", "handled")
    )
    assert begun_calls > ended_calls, "no call was cut in two"


def test_streams_whose_service_dies_are_answered(house: House) -> None:
    """Where nobody is left to do the call again: 503 soon, not at some time."""
    replay = whole_game()
    answers: list[tuple[int, bytes]] = []

    def ask() -> None:
        answers.append(post(house.port, f"{GAME}:replay", replay, timeout=9))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    time.sleep(0.1)
    for pid in house.workers[1:]:
        os.kill(pid, signal.SIGKILL)
    for thread in threads:
        thread.join(10)
    assert len(answers) == 4
    assert {status for status, _ in answers} <= {503, 200}
    time.sleep(0.1)
    wait_for_all(house)
    assert post(house.port, f"{GAME}:replay", replay)[0] == 200


@pytest.mark.parametrize("call", ["applyMove", "replay"])
def test_a_service_that_hangs_is_given_up_in_time(house: House, call: str) -> None:
    """Its processes are stopped, not ended: connections stay, and nothing comes."""
    _, request, _ = question(house.port)
    body = whole_game() if call == "replay" else request
    hung = house.workers
    for pid in hung:
        os.kill(pid, signal.SIGSTOP)
    try:
        begun = time.monotonic()
        status, answer = post(house.port, f"{GAME}:{call}", body, X_Request_Timeout="1")
        assert status == 504 and json.loads(answer)["reason"] == "OUT_OF_TIME", answer
        assert time.monotonic() - begun < 3
        assert_others_work(house)
    finally:
        for pid in hung:
            os.kill(pid, signal.SIGCONT)
    wait_until(lambda: post(house.port, f"{GAME}:{call}", body)[0] == 200, "it answers again")


def test_a_service_that_is_down_is_said_to_be_within_a_second(house: House) -> None:
    """503 at once, other routes go on, and it serves again without anybody's help."""
    path, request, right = question(house.port)
    service = house.service
    os.kill(service, signal.SIGKILL)
    down: list[float] = []

    def asked() -> tuple[int, bytes]:
        begun = time.monotonic()
        answer = post(house.port, path, request)
        down.append(time.monotonic() - begun)
        return answer

    statuses = set()
    begun = time.monotonic()
    while time.monotonic() - begun < 20:
        status, body = asked()
        statuses.add(status)
        if status == 200 and 503 in statuses:
            assert body == right
            break
        if status == 503:
            problem = json.loads(body)
            assert problem["reason"] == "SERVICE_DOWN" and problem["status"] == 503
            assert_others_work(house)
        time.sleep(0.02)
    assert statuses == {503, 200}
    assert max(down) < 1.0, f"an answer took {max(down):.2f} s"
    assert service != house.service


def assert_others_work(house: House) -> None:
    for path, expected in (
        ("/healthz", 200),
        ("/openapi.json", 200),
        ("/v1/games", 200),
        ("/metrics", 200),
        ("/nowhere", 404),
    ):
        connection = http.client.HTTPConnection("127.0.0.1", house.port, timeout=5)
        begun = time.monotonic()
        connection.request("GET", path)
        assert connection.getresponse().status == expected, path
        assert time.monotonic() - begun < 1.5, path
        connection.close()


def test_stopping_the_house_finishes_what_is_under_way(tmp_path: Path) -> None:
    """SIGTERM to the supervisor while long calls are under way: each is answered in full, nothing stays."""
    with running(tmp_path, SIGNALBOX_GATEWAY_WORKERS=2) as house:
        replay = whole_game()
        expected = json.loads(post(house.port, f"{GAME}:replay", replay)[1])["summary"]
        answers: list[Any] = []

        def ask() -> None:
            try:
                answers.append(post(house.port, f"{GAME}:replay", replay, timeout=30))
            except OSError as error:
                answers.append(error)

        threads = [threading.Thread(target=ask) for _ in range(3)]
        for thread in threads:
            thread.start()
        time.sleep(0.3)
        assert house.stop() == 0
        for thread in threads:
            thread.join(30)
        assert len(answers) == 3
        for answer in answers:
            assert isinstance(answer, tuple) and answer[0] == 200, answer
            assert json.loads(answer[1])["summary"] == expected
