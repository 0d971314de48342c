"""A steady load of questions to the gateway, whose answers are known beforehand; none may be lost."""

import http.client
import json
import threading
import time
from dataclasses import dataclass, field
from typing import Any

GAME = "/v1/games/18cz"
SEATS = [{"name": "A"}, {"name": "B"}, {"name": "C"}]


def post(port: int, path: str, body: Any, timeout: float = 20.0, **headers: str) -> tuple[int, bytes]:
    """Status and body over a connection of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        told = {"Content-Type": "application/json"} | {
            name.replace("_", "-"): value for name, value in headers.items()
        }
        connection.request("POST", path, json.dumps(body), told)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def question(port: int) -> tuple[str, Any, bytes]:
    """A path, a request, and the answer that it must always get."""
    status, started = post(
        port, f"{GAME}:start", {"setup": {"seats": SEATS, "random": {"seeded": {"seed": "x"}}}}
    )
    assert status == 200, started
    request = {
        "position": {"sealed": json.loads(started)["position"]["sealed"]},
        "move": {"notation": "G1 buy S1"},
        "returns": ["POSITION_FORM_STATE", "POSITION_FORM_SEALED"],
    }
    status, answer = post(port, f"{GAME}:applyMove", request)
    assert status == 200 and json.loads(answer)["verdict"]["legal"], answer
    return f"{GAME}:applyMove", request, answer


@dataclass
class Load:
    """Threads that ask one question again and again. `faults` are answers that were not the right one."""

    port: int
    threads: int = 4
    answers: int = 0
    faults: list[str] = field(default_factory=list)
    slowest: float = 0.0

    def __enter__(self) -> "Load":
        self._path, self._request, self._right = question(self.port)
        self._body = json.dumps(self._request)
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._running = [threading.Thread(target=self._ask, daemon=True) for _ in range(self.threads)]
        for thread in self._running:
            thread.start()
        self.wait_for(50)
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for thread in self._running:
            thread.join(30)
            assert not thread.is_alive(), "a request hangs"

    def wait_for(self, more: int, seconds: float = 30.0) -> None:
        """Until so many more answers have come."""
        goal, deadline = self.answers + more, time.monotonic() + seconds
        while self.answers < goal:
            assert time.monotonic() < deadline, f"no answers any more: {self.faults[:3]}"
            time.sleep(0.005)

    def _ask(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=25)
        while not self._over.is_set():
            begun = time.monotonic()
            try:
                connection.request("POST", self._path, self._body, {"Content-Type": "application/json"})
                response = connection.getresponse()
                body = response.read()
                fault = (
                    ""
                    if response.status == 200 and body == self._right
                    else f"{response.status} {body[:300]!r}"
                )
            except OSError as error:
                fault = repr(error)
                connection.close()
            with self._lock:
                self.slowest = max(self.slowest, time.monotonic() - begun)
                self.answers += not fault
                self.faults += [fault] if fault else []
        connection.close()
