"""Bodies that do not come."""

import socket
import threading
import time

from gateway.patience import Patience


def test_who_sends_nothing_is_cut_off() -> None:
    patience = Patience(0.1)
    ours, theirs = socket.socketpair()
    with ours, theirs, patience.reading(ours):
        begun = time.monotonic()
        assert ours.recv(10) == b""
        assert 0.1 < time.monotonic() - begun < 5


def test_who_sends_in_time_is_not() -> None:
    patience = Patience(0.1)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        with patience.reading(ours):
            theirs.sendall(b"whole")
            assert ours.recv(10) == b"whole"
        time.sleep(1.3)
        theirs.sendall(b"more")
        assert ours.recv(10) == b"more"


def test_without_a_socket_nothing_is_watched() -> None:
    before = threading.active_count()
    with Patience(0.1).reading(None):
        assert threading.active_count() == before
