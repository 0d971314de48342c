"""An end to requests whose bodies do not come: each would keep a thread of the gateway for itself."""

import contextlib
import socket
import threading
import time
from collections.abc import Iterator

SECONDS, TURN_SECONDS = 10.0, 1.0


class Patience:
    """Cuts off, from the reading side, the sockets that are read for longer than `seconds`."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._due: dict[socket.socket, float] = {}
        self._lock = threading.Lock()
        self._watching = False

    @contextlib.contextmanager
    def reading(self, line: socket.socket | None) -> Iterator[None]:
        """While a body is read from this socket; None is one that cannot be cut off."""
        if line is None:
            yield
            return
        self._due[line] = time.monotonic() + self._seconds
        if not self._watching:
            self._start()
        try:
            yield
        finally:
            del self._due[line]

    def _start(self) -> None:
        with self._lock:
            if not self._watching:
                self._watching = True
                threading.Thread(target=self._watch, name="patience", daemon=True).start()

    def _watch(self) -> None:
        while True:
            time.sleep(TURN_SECONDS)
            now = time.monotonic()
            for line, due in list(self._due.items()):
                if due < now:
                    with contextlib.suppress(OSError):
                        line.shutdown(socket.SHUT_RD)
