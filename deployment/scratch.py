"""Folders for what is of use only while a process runs; those of killed ones are swept away by the next.

A folder is locked by the process that made it, and by all that it forked: in use is what is locked.
"""

import fcntl
import os
import shutil
import tempfile
from pathlib import Path

PREFIX = f"signalbox-{os.getuid()}-"


def make() -> Path:
    """A new folder, locked until this process and those that it forks have ended."""
    sweep()
    unnamed = Path(tempfile.mkdtemp(prefix=f"new-{PREFIX}"))  # nobody sweeps it before it is locked
    fcntl.flock(os.open(unnamed, os.O_RDONLY), fcntl.LOCK_EX)
    return unnamed.rename(unnamed.with_name(unnamed.name.removeprefix("new-")))


def sweep() -> None:
    """Remove the folders that nobody uses any more."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        try:
            found = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except OSError:
            continue
        try:
            fcntl.flock(found, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
        except BlockingIOError:
            pass
        finally:
            os.close(found)
