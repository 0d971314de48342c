"""What a service is told by its environment.  The supervisor sets the first four for each game."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


class SettingsError(Exception):
    """The service cannot be started so; the message says which variable is wrong and how."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Each field is read from `SIGNALBOX_<FIELD>`; bytes, seconds and counts are plain numbers."""

    host: str = "127.0.0.1"
    port: int = 0
    """0 takes any free port."""
    metrics_port: int = 0
    workers: int = 1
    """Processes that share the port; more than one uses SO_REUSEPORT."""

    threads: int = 8
    """Calls that one process works on at once."""
    queue: int = 64
    """Calls of one process that may be under way or wait for a thread; what exceeds it is refused."""
    deadline_seconds: float = 10.0
    """The most time for a call, however much the client grants."""
    grace_seconds: float = 11.0
    """On SIGTERM, the most time for calls under way."""
    drain_seconds: float = 0.0
    """On SIGTERM, how long to go on accepting calls while health says NOT_SERVING."""

    request_bytes: int = 256 * 1024
    record_bytes: int = 4 * 1024 * 1024
    """The same for Replay and Import."""
    position_moves: int = 2_000
    """The most moves of a position."""
    record_moves: int = 10_000
    """The most moves of a record."""
    search_nodes: int = 500_000
    """The most nodes of one search; the same on every machine, so that answers are.  Few enough for searches
    to end within the deadline, with the best found so far."""
    cached_positions: int = 256
    """Opened sealed positions that a process remembers."""
    open_states: bool = True
    """Whether open states are accepted, or only sealed positions and records."""

    seal_keys: str = ""
    """The key ring itself: keys in base64, the first of which seals.  Prefer the file."""
    seal_keys_file: str = ""
    """A file that holds the key ring, one key a line."""
    state_dir: str = ""
    """Where the development key is kept; by default `$XDG_STATE_HOME/signalbox`."""
    log_level: str = "warning"
    """`info` logs every call."""

    @property
    def state_folder(self) -> Path:
        if self.state_dir:
            return Path(self.state_dir)
        home = os.environ.get("XDG_STATE_HOME")
        return (Path(home) if home else Path.home() / ".local" / "state") / "signalbox"


LOWEST: Mapping[str, float] = {
    "workers": 1, "threads": 1, "queue": 1, "deadline_seconds": 0.01,
    "request_bytes": 1024, "record_bytes": 1024, "position_moves": 1, "record_moves": 1, "search_nodes": 1,
}  # fmt: skip
"""0 is the least value of what is not named here."""

YES_NO: Mapping[str, bool] = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}


def load(environ: Mapping[str, str] = os.environ) -> Settings:
    """The settings of this environment.  Raises SettingsError."""
    values: dict[str, object] = {}
    for field, kind in Settings.__annotations__.items():
        name = f"SIGNALBOX_{field.upper()}"
        text = environ.get(name, "").strip()
        if not text:
            continue
        if kind is str:
            values[field] = text
        elif kind is bool:
            if text.lower() not in YES_NO:
                raise SettingsError(f"{name} must be yes or no, not {text!r}")
            values[field] = YES_NO[text.lower()]
        else:
            try:
                number = kind(text)
            except ValueError:
                raise SettingsError(f"{name} must be a number, not {text!r}") from None
            if not LOWEST.get(field, 0) <= number <= (65535 if field.endswith("port") else 2**31):
                raise SettingsError(f"{name} is out of range: {text}")
            values[field] = number
    return Settings(**values)  # type: ignore[arg-type]
