"""One gateway for all tests, in front of a fake service, a real one, and at first of nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.gateway.running import FakeService, Gateway, running
from tests.tinygame.service import Local, served

CZ, TINY = "signalbox.eighteen_cz.v1", "signalbox.tiny_game.v1"


@pytest.fixture(scope="session")
def fake_service() -> Iterator[FakeService]:
    service = FakeService()
    yield service
    service.stop()


@pytest.fixture
def fake(fake_service: FakeService) -> FakeService:
    fake_service.behave.clear()
    fake_service.calls = 0
    return fake_service


@pytest.fixture(scope="session")
def tiny() -> Iterator[Local]:
    with served() as service:
        yield service


@pytest.fixture(scope="session")
def gateway(
    fake_service: FakeService, tiny: Local, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Gateway]:
    """`18cz` is the fake service, `tiny-game` the real one."""
    folder: Path = tmp_path_factory.mktemp("gateway")
    games = {"18cz": (CZ, fake_service.target), "tiny-game": (TINY, f"127.0.0.1:{tiny.server.port}")}
    with running(folder, games) as found:
        yield found
