"""What is served where: `signalbox.toml`, overridden by environment variables, as typed values.

The supervisor and the gateway both read this. A service is told its own values by the supervisor in
SIGNALBOX_HOST, SIGNALBOX_PORT, SIGNALBOX_METRICS_PORT and SIGNALBOX_WORKERS.
"""

import dataclasses
import difflib
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

ROOT = Path(__file__).resolve().parent.parent
DEFAULT_FILE = ROOT / "signalbox.toml"


SERVICE_KEYS = (
    "host", "port", "metrics_port", "workers", "threads", "queue", "deadline_seconds", "grace_seconds",
    "drain_seconds", "request_bytes", "record_bytes", "position_moves", "record_moves", "search_nodes",
    "cached_positions", "open_states", "seal_keys", "seal_keys_file", "state_dir", "log_level",
)  # fmt: skip
"""What each service reads of the environment itself, as SIGNALBOX_<KEY>."""


class SettingsError(Exception):
    """The configuration cannot be used; the message names the file or variable and the key."""


@dataclass(frozen=True, slots=True)
class Game:
    """One rules service. `name` is the `{game}` of the REST paths."""

    name: str
    module: str
    """Started as `python -m module`."""
    package: str
    """The protobuf package of its service, such as `signalbox.eighteen_cz.v1`."""
    port: int
    metrics_port: int
    host: str = "127.0.0.1"
    workers: int = 1
    addresses: tuple[str, ...] = ()
    """gRPC targets where the gateway finds it, `host:port` or a gRPC name; by default this host and port."""

    @property
    def targets(self) -> tuple[str, ...]:
        return self.addresses or (f"{self.host}:{self.port}",)


@dataclass(frozen=True, slots=True)
class Gateway:
    """The REST gateway under gunicorn."""

    host: str = "127.0.0.1"
    port: int = 8080
    workers: int = 2
    threads: int = 8
    app: str = "gateway.app:create_app()"
    connections: int = 4
    """gRPC connections of each worker to each service; several, to reach processes that share a port."""
    deadline_seconds: int = 10
    """The most time that a call is given, however much the client asks for."""
    body_bytes: int = 256 * 1024
    record_bytes: int = 4 * 1024 * 1024
    """The same for calls that take a record; both after decompression."""
    cors_origins: tuple[str, ...] = ()
    """Origins whose pages may call from a browser; `*` is any."""


@dataclass(frozen=True, slots=True)
class Supervisor:
    """Patience in seconds."""

    start_seconds: int = 60
    stop_seconds: int = 15


@dataclass(frozen=True, slots=True)
class Settings:
    games: tuple[Game, ...]
    gateway: Gateway
    supervisor: Supervisor

    def game(self, name: str) -> Game:
        """The game of this REST name; KeyError when it is not served."""
        return {game.name: game for game in self.games}[name]

    def ports(self) -> dict[str, tuple[str, int]]:
        """Every port to listen on, as variable that sets it -> (host, port)."""
        found = {variable("gateway", "port"): (self.gateway.host, self.gateway.port)}
        for game in self.games:
            found[variable(game.name, "port")] = (game.host, game.port)
            found[variable(game.name, "metrics_port")] = (game.host, game.metrics_port)
        return found


def variable(section: str, key: str) -> str:
    """The environment variable that overrides a key.

    >>> variable("railroad-tycoon", "metrics_port")
    'SIGNALBOX_RAILROAD_TYCOON_METRICS_PORT'
    """
    return "SIGNALBOX_" + re.sub(r"[^A-Z0-9]", "_", f"{section}_{key}".upper())


Section = TypeVar("Section", Game, Gateway, Supervisor)


def _typed(value: Any, wanted: object, place: str) -> Any:
    """A value of the file or the environment as the type of its field."""
    if wanted is int:
        if isinstance(value, str) and re.fullmatch(r"\d{1,9}", value):
            return int(value)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
        raise SettingsError(f"{place} must be a whole number, not {value!r}")
    if wanted is str:
        if isinstance(value, str) and value:
            return value
        raise SettingsError(f"{place} must be a text, not {value!r}")
    words = [word.strip() for word in value.split(",")] if isinstance(value, str) else value
    if isinstance(words, list) and all(isinstance(word, str) and word for word in words):
        return tuple(words)
    raise SettingsError(f"{place} must be a list of texts, not {value!r}")


def _section(
    kind: type[Section], section: str, table: Any, environ: Mapping[str, str], file: Path, **known: str
) -> Section:
    if not isinstance(table, dict):
        raise SettingsError(f"{file}: {section} must be a table")
    fields = {field.name: field for field in dataclasses.fields(kind) if field.name not in known}
    if unknown := sorted(set(table) - set(fields)):
        raise SettingsError(f"{file}: {section} has the unknown key {unknown[0]!r}")
    values: dict[str, Any] = dict(known)
    for key, field in fields.items():
        if override := environ.get(variable(section, key)):
            values[key] = _typed(override, field.type, variable(section, key))
        elif key in table:
            values[key] = _typed(table[key], field.type, f"{file}: {section}.{key}")
        elif field.default is dataclasses.MISSING:
            raise SettingsError(f"{file}: {section} needs the key {key!r}")
    for key in ("port", "metrics_port", "workers", "threads"):
        lowest, highest = (0, 65535) if key.endswith("port") else (1, 256)
        if key in values and not lowest <= values[key] <= highest:
            raise SettingsError(f"{section}: {key} must be from {lowest} to {highest}, not {values[key]}")
    return kind(**values)


def _read(environ: Mapping[str, str]) -> tuple[Path, dict[str, Any]]:
    """The file that SIGNALBOX_CONFIG names (by default `signalbox.toml` beside this package) and its tree."""
    file = Path(environ.get("SIGNALBOX_CONFIG") or DEFAULT_FILE)
    try:
        return file, tomllib.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise SettingsError(f"{file} cannot be read: {error}") from error


def unknown_variables(environ: Mapping[str, str] = os.environ) -> list[str]:
    """A clause on each SIGNALBOX_ variable that nothing reads: it may be misspelt. Raises SettingsError."""
    sections = {
        "gateway": Gateway,
        "supervisor": Supervisor,
        **dict.fromkeys(_read(environ)[1].get("games", {}), Game),
    }
    known = {"SIGNALBOX_CONFIG", "SIGNALBOX_GAMES", *(f"SIGNALBOX_{key.upper()}" for key in SERVICE_KEYS)}
    for section, kind in sections.items():
        known |= {variable(section, field.name) for field in dataclasses.fields(kind) if field.name != "name"}
    complaints = []
    for name in sorted(environ):
        if name.startswith("SIGNALBOX_") and name not in known:
            close = difflib.get_close_matches(name, known, n=1, cutoff=0.8)
            hint = f"; did you mean {close[0]}?" if close else ""
            complaints.append(f"nothing reads the variable {name}{hint}")
    return complaints


def load(environ: Mapping[str, str] = os.environ) -> Settings:
    """Read the file and what the environment overrides. Raises SettingsError."""
    file, tree = _read(environ)
    if unknown := sorted(set(tree) - {"gateway", "supervisor", "games"}):
        raise SettingsError(f"{file}: unknown section {unknown[0]!r}")
    tables = tree.get("games", {})
    wanted = environ.get("SIGNALBOX_GAMES")
    names = [name.strip() for name in wanted.split(",")] if wanted else list(tables)
    for name in names:
        if name not in tables:
            raise SettingsError(f"SIGNALBOX_GAMES names {name!r}, which {file} does not have")
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) or name in ("gateway", "supervisor", "games"):
            raise SettingsError(f"{file}: {name!r} cannot be the name of a game")
    if environ.get("PORT"):
        environ = {variable("gateway", "port"): environ["PORT"], **environ}
    settings = Settings(
        games=tuple(_section(Game, name, tables[name], environ, file, name=name) for name in names),
        gateway=_section(Gateway, "gateway", tree.get("gateway", {}), environ, file),
        supervisor=_section(Supervisor, "supervisor", tree.get("supervisor", {}), environ, file),
    )
    taken: dict[tuple[str, int], str] = {}
    for name, address in settings.ports().items():
        if address[1] and (other := taken.setdefault(address, name)) != name:
            raise SettingsError(f"{other} and {name} are both {address[1]}")
    return settings
