"""A game whose service is down answers 503 at once while the others go on, and comes back by itself."""

import time
from pathlib import Path
from typing import Any

from tests.gateway.conftest import CZ, TINY
from tests.gateway.running import FakeService, at_once, running
from tests.gateway.test_problems import CHECK, problem
from tests.tinygame.service import Local, free_port

POSITION: dict[str, Any] = {"position": {"setup": {"seats": [{}, {}]}}}


def test_down_and_back(tiny: Local, tmp_path: Path) -> None:
    port = free_port()
    games = {"18cz": (CZ, f"127.0.0.1:{port}"), "tiny-game": (TINY, f"127.0.0.1:{tiny.server.port}")}
    with running(tmp_path, games) as gateway:
        client = gateway.client

        def check_down() -> None:
            for _ in range(4):
                begun = time.monotonic()
                problem(client.post(CHECK, json={}), 503, "SERVICE_DOWN")
                assert time.monotonic() - begun < 1
            listed = {game["name"]: game["available"] for game in client.get("/v1/games").json()["games"]}
            assert listed == {"18cz": False, "tiny-game": True}
            assert client.post("/v1/games/tiny-game:score", json=POSITION).status_code == 200
            ready = client.get("/readyz")
            assert (ready.status_code, ready.json()["games"]) == (200, {"18cz": False, "tiny-game": True})

        def check_back() -> FakeService:
            service = FakeService(f"127.0.0.1:{port}")
            service.behave["CheckMove"] = service.behave["Describe"] = lambda *_: b"\n\x00"
            begun = time.monotonic()
            while client.post(CHECK, json={}).status_code != 200:
                assert time.monotonic() - begun < 3
                time.sleep(0.05)
            time.sleep(1)  # all connections of both workers
            for response in at_once(12, lambda _: client.post(CHECK, json={})):
                assert response.status_code == 200
            assert client.get("/readyz").json()["games"]["18cz"]
            return service

        check_down()
        for _ in range(2):
            check_back().stop()
            check_down()
        assert client.get("/v1/games/tiny-game").status_code == 200


def test_nothing_to_serve(tmp_path: Path) -> None:
    games = {"18cz": (CZ, f"127.0.0.1:{free_port()}")}
    with running(tmp_path, games, SIGNALBOX_GATEWAY_WORKERS="1") as gateway:
        response = gateway.client.get("/readyz")
        assert (response.status_code, response.json()) == (503, {"ready": False, "games": {"18cz": False}})
        assert gateway.client.get("/healthz").status_code == 200
        problem(gateway.client.get("/v1/games/18cz"), 503, "SERVICE_DOWN")
        document = gateway.client.get("/openapi.json").json()
        body = document["paths"]["/v1/games/18cz:start"]["post"]["requestBody"]
        assert "example" not in body["content"]["application/json"]


def test_an_address_that_swallows_everything(tmp_path: Path) -> None:
    """No refusal comes back, but neither does the gateway wait for one."""
    games = {"18cz": (CZ, "192.0.2.1:7183")}  # reserved for documentation, leads nowhere
    with running(tmp_path, games, SIGNALBOX_GATEWAY_WORKERS="1") as gateway:
        begun = time.monotonic()
        response = gateway.client.post(CHECK, json={}, headers={"X-Request-Timeout": "3"})
        assert response.status_code == 503
        assert time.monotonic() - begun < 3


def test_one_of_several_addresses_is_down(tmp_path: Path) -> None:
    services = [FakeService(), FakeService()]
    for service in services:
        service.behave["CheckMove"] = lambda *_: b""
    addresses = ",".join([service.target for service in services] + [f"127.0.0.1:{free_port()}"])
    games = {"18cz": (CZ, "replaced")}
    with running(tmp_path, games, SIGNALBOX_18CZ_ADDRESSES=addresses) as gateway:
        for _ in range(40):
            assert gateway.client.post(CHECK, json={}).status_code == 200
        assert all(service.calls > 5 for service in services)
        services[0].stop()
        for _ in range(20):
            assert gateway.client.post(CHECK, json={}).status_code == 200
    services[1].stop()
