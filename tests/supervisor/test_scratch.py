"""Folders of processes that were killed are swept away, and only those."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from deployment import scratch
from deployment.settings import ROOT

HOLD = """
import os, time
from deployment import scratch
print(scratch.make(), flush=True)
if os.fork() == 0:
    print(os.getpid(), flush=True)
time.sleep(60)
"""


class Holder:
    """A process with a folder and a fork."""

    def __init__(self, temporary: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", HOLD],
            cwd=ROOT,
            env=os.environ | {"TMPDIR": str(temporary)},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        self.folder = Path(self._process.stdout.readline().strip())
        self._fork = int(self._process.stdout.readline())

    def end(self) -> None:
        self._process.kill()
        self._process.wait()

    def end_fork(self) -> None:
        os.kill(self._fork, signal.SIGKILL)
        assert self._process.stdout is not None
        assert not self._process.stdout.read()  # to its end: both are gone


def test_folders_last_as_long_as_anybody_uses_them(tmp_path: Path) -> None:
    first = Holder(tmp_path)
    (first.folder / "counter.db").write_text("")
    holders = [first, Holder(tmp_path)]
    first.end()
    holders.append(Holder(tmp_path))
    assert all(holder.folder.is_dir() for holder in holders)  # the fork of the first goes on
    first.end_fork()
    holders.append(Holder(tmp_path))
    assert [holder.folder.is_dir() for holder in holders] == [False, True, True, True]
    for holder in holders[1:]:
        holder.end()
        holder.end_fork()


def test_nothing_else_is_swept(tmp_path: Path) -> None:
    (tmp_path / f"{scratch.PREFIX}file").write_text("")
    (tmp_path / f"{scratch.PREFIX}link").symlink_to(tmp_path)
    (tmp_path / f"{scratch.PREFIX}left").mkdir()
    (tmp_path / "signalbox").mkdir()
    holder = Holder(tmp_path)
    found = {path.name for path in tmp_path.iterdir()}
    assert found == {f"{scratch.PREFIX}file", f"{scratch.PREFIX}link", "signalbox", holder.folder.name}
    holder.end()
    holder.end_fork()
