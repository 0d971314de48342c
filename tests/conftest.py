"""For all tests: note which rules refuse and accept moves; one house for all that goes over real ports."""

from collections.abc import Iterator

import pytest

from tests.fault.house import House, running

pytest_plugins = ("tests.rules_report.recorder",)  # see tests/rules_report/recorder.py


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Everything served as by `make run`, with one worker each."""
    folder = tmp_path_factory.mktemp("house")
    with running(
        folder, SIGNALBOX_GATEWAY_WORKERS=1, SIGNALBOX_18CZ_WORKERS=1, SIGNALBOX_SEARCH_NODES=50_000
    ) as started:
        yield started
        assert "internal_error" not in started.output, started.output[-5000:]
        assert started.stop() == 0
