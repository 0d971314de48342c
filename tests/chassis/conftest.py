"""One service of the tiny game for all tests that do not need one of their own."""

from collections.abc import Iterator

import pytest

from tests.contract.client import Client, Plain
from tests.tinygame.service import Local, served

SETUP: Plain = {
    "seats": [{"name": "Anna"}, {"name": "Béla"}],
    "random": {"seeded": {"seed": "tiny"}},
}


@pytest.fixture(scope="session")
def local() -> Iterator[Local]:
    with served() as service:
        yield service


@pytest.fixture
def client(local: Local) -> Client:
    return local.client


@pytest.fixture
def first(client: Client) -> Plain:
    """The answer of Start to a setup with a given seed."""
    return client.call("Start", {"setup": SETUP})


@pytest.fixture
def table(client: Client) -> Plain:
    """The same where the table draws."""
    return client.call("Start", {"setup": SETUP | {"random": {"external": {}}}})
