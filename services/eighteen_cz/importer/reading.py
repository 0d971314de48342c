"""Reads the JSON of a record of the 18xx.games site: every field that is used is checked here, once.

What comes out is plain typed data; whatever else the record holds is ignored.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from services.chassis.game import Malformed, Warning
from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.state import VACLAV

MOST_ACTIONS: Final = 20_000
"""Automatic actions included."""
MOST_ITEMS: Final = 200
"""The longest list inside an action."""
LONGEST_TEXT: Final = 100
LONGEST_NAME: Final = 80
LONGEST_ROUTE: Final = 2_000
LARGEST: Final = 1_000_000_000
LARGEST_SEED: Final = 10**18

Shape = Literal["text", "number", "texts", "routes", "text?", "number?"]

SHARES: Final[Mapping[str, Shape]] = {
    "shares": "texts",
    "percent": "number?",
    "share_price": "number?",
    "total_price": "number?",
}

SHAPES: Final[Mapping[str, Mapping[str, Shape]]] = {
    "bid": {"company": "text", "price": "number"},
    "pass": {},
    "par": {"corporation": "text", "share_price": "text"},
    "buy_shares": SHARES,
    "sell_shares": SHARES,
    "special_buy": {"cost": "number?"},
    "lay_tile": {"hex": "text", "tile": "text", "rotation": "number"},
    "place_token": {"city": "text", "slot": "number?", "cost": "number?"},
    "remove_token": {"city": "text", "slot": "number?"},
    "run_routes": {"routes": "routes"},
    "dividend": {"kind": "text", "amount": "number?"},
    "buy_company": {"company": "text", "price": "number"},
    "sell_company": {"company": "text", "price": "number?"},
    "buy_corporation": {"corporation": "text", "price": "number"},
    "swap_train": {"train": "text"},
    "discard_train": {"train": "text"},
    "buy_train": {"train": "text", "price": "number", "variant": "text?"},
}
"""The actions that are moves of the game, with the fields that say which, or what the rules make of
them; `?` where one may be absent."""


@dataclass(frozen=True, slots=True)
class Run:
    """One train's route as recorded: `nodes` are stops `HEX-n` in order, empty in old records; `hexes`
    and `text` say the hexes of the stops again."""

    train: str
    connections: tuple[tuple[str, ...], ...]
    nodes: tuple[str, ...] = ()
    revenue: int = -1
    hexes: tuple[str, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Action:
    """One action.  `kind` is the record's own name; `entity` is a seat id, a company or a local, "" for
    an action that is no move of the game."""

    path: str
    id: int
    kind: str
    entity: str
    texts: Mapping[str, str] = field(default_factory=dict)
    numbers: Mapping[str, int] = field(default_factory=dict)
    shares: tuple[str, ...] = ()
    routes: tuple[Run, ...] = ()
    automatic: tuple["Action", ...] = ()  # what the site did right after it on a player's standing order


@dataclass(frozen=True, slots=True)
class Table:
    """Who plays: names in seat order, and the seat of everything that may stand for a player."""

    names: tuple[str, ...]
    seats: Mapping[str, str]  # a player's id as text -> seat
    named: Mapping[str, str]  # a player's name -> seat

    def seat(self, name: str) -> str | None:
        return self.seats.get(name) or self.named.get(name)


@dataclass(frozen=True, slots=True)
class GameRecord:
    table: Table
    seed: int
    actions: tuple[Action, ...]
    result: Mapping[str, int]  # the final scores by seat; whoever is no player stays as recorded
    warnings: tuple[Warning, ...]


def _or(value: Any, otherwise: Any) -> Any:
    """A value that may be left out."""
    return otherwise if value is None else value


def _text(value: Any, path: str, longest: int = LONGEST_TEXT) -> str:
    if not isinstance(value, str):
        raise Malformed(path, "must be a text")
    if len(value) > longest:
        raise Malformed(path, f"must have at most {longest} characters")
    return value


def _number(value: Any, path: str, largest: int = LARGEST) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise Malformed(path, "must be a whole number")
    if not -largest <= value <= largest:
        raise Malformed(path, f"must lie between -{largest} and {largest}")
    return value


def _list(value: Any, path: str, most: int = MOST_ITEMS) -> list[Any]:
    if not isinstance(value, list):
        raise Malformed(path, "must be a list")
    if len(value) > most:
        raise Malformed(path, f"must have at most {most} items")
    return value


def _object(value: Any, path: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Malformed(path, "must be an object")
    return value


def _texts(value: Any, path: str) -> tuple[str, ...]:
    return tuple(_text(item, f"{path}[{n}]") for n, item in enumerate(_list(value, path)))


def _runs(value: Any, path: str) -> Iterator[Run]:
    for n, item in enumerate(_list(value, path)):
        at = f"{path}[{n}]"
        run = _object(item, at)
        sections = _list(run.get("connections"), f"{at}.connections")
        yield Run(
            train=_text(run.get("train"), f"{at}.train"),
            connections=tuple(_texts(hexes, f"{at}.connections[{k}]") for k, hexes in enumerate(sections)),
            nodes=_texts(_or(run.get("nodes"), []), f"{at}.nodes"),
            revenue=-1 if run.get("revenue") is None else _number(run["revenue"], f"{at}.revenue"),
            hexes=_texts(_or(run.get("hexes"), []), f"{at}.hexes"),
            text=_text(_or(run.get("revenue_str"), ""), f"{at}.revenue_str", LONGEST_ROUTE),
        )


def _id(value: Any, path: str) -> str:
    """A player's id or name: the site uses numbers, local games use texts."""
    return _text(value, path, LONGEST_NAME) if isinstance(value, str) else str(_number(value, path))


def _table(value: Any) -> Table:
    names: list[str] = []
    seats: dict[str, str] = {}
    named: dict[str, str] = {}
    for n, item in enumerate(_list(value, "players")):
        at, seat = f"players[{n}]", f"G{n + 1}"
        player = _object(item, at)
        if "name" not in player and "id" not in player:
            raise Malformed(at, "a player needs a name or an id")
        name = _id(player.get("name", player.get("id")), f"{at}.name")
        names.append(name)
        named.setdefault(name, seat)
        if player.get("id") is not None:
            own = _id(player["id"], f"{at}.id")
            if seats.setdefault(own, seat) != seat:
                raise Malformed(f"{at}.id", "two players have the same id")
        elif named[name] != seat:
            raise Malformed(f"{at}.name", "two players have the same name and no id")
    if len(names) not in facts.CASH:
        raise Malformed("players", f"18CZ is played by {min(facts.CASH)} to {max(facts.CASH)} players")
    return Table(tuple(names), seats, named)


def _seed(record: Mapping[str, Any], warnings: list[Warning]) -> int:
    """The number that the neutral player's companies are drawn from; old records have it in their id."""
    settings = _object(_or(record.get("settings"), {}), "settings")
    for option in _list(_or(settings.get("optional_rules"), []), "settings.optional_rules"):
        rule = _text(option, "settings.optional_rules")
        warnings.append(Warning("optional_rule_unknown", "settings.optional_rules", {"rule": rule}))
    seed, path = settings.get("seed"), "settings.seed"
    if seed is None:
        seed, path = re.sub(r"^[^0-9]*", "", _id(record.get("id") or "0", "id")) or "0", "id"
    if isinstance(seed, str):
        digits = re.match(r"[0-9]{1,18}", seed)
        seed = int(digits[0]) if digits else None
    return _number(seed, path, LARGEST_SEED)


def _result(value: Any, table: Table) -> dict[str, int]:
    scores = _object(_or(value, {}), "result")
    return {
        table.seat(name) or _text(name, "result", LONGEST_NAME): _number(total, f"result.{name}")
        for name, total in scores.items()
    }


class _Actions:
    """Reads the list of actions; counts them, automatic ones included."""

    def __init__(self, table: Table) -> None:
        self.table, self.count = table, 0

    def read(self, items: Sequence[Any], path: str, automatic: bool) -> Iterator[Action]:
        for n, item in enumerate(items):
            self.count += 1
            if self.count > MOST_ACTIONS:
                raise Malformed("actions", f"a record may have at most {MOST_ACTIONS} actions")
            item = _object(item, f"{path}[{n}]")
            number = n + 1 if item.get("id") is None else _number(item["id"], f"{path}[{n}].id")
            yield self.action(item, number, f"{path}[{n}]", automatic)

    def action(self, item: dict[str, Any], number: int, path: str, automatic: bool) -> Action:
        kind = _text(item.get("type"), f"{path}.type")
        if kind in ("undo", "redo", "message"):
            if automatic:
                raise Malformed(f"{path}.type", "an automatic action cannot be this")
            back_to = item.get("action_id")
            numbers = {} if back_to is None else {"action_id": _number(back_to, f"{path}.action_id")}
            return Action(path, number, kind, "", numbers=numbers)
        texts: dict[str, str] = {}
        numbers = {}
        shares: tuple[str, ...] = ()
        routes: tuple[Run, ...] = ()
        for name, shape in SHAPES.get(kind, {}).items():
            value, at = item.get(name), f"{path}.{name}"
            if value is None and shape.endswith("?"):
                continue
            if shape.startswith("text") and shape != "texts":
                texts[name] = _text(value, at)
            elif shape.startswith("number"):
                numbers[name] = _number(value, at)
            elif shape == "texts":
                shares = _texts(value, at)
            else:
                routes = tuple(_runs(value, at))
        own = _list(_or(item.get("auto_actions"), []), f"{path}.auto_actions", MOST_ACTIONS)
        if own and automatic:
            raise Malformed(f"{path}.auto_actions", "an automatic action cannot have automatic actions")
        follow = tuple(self.read(own, f"{path}.auto_actions", True))
        if kind not in SHAPES:
            return Action(path, number, kind, "", automatic=follow)
        entity = self.entity(item, path)
        return Action(path, number, kind, entity, texts, numbers, shares, routes, follow)

    def entity(self, item: dict[str, Any], path: str) -> str:
        name = _id(item.get("entity"), f"{path}.entity")
        sort = item.get("entity_type")
        if sort != "player" and (name in facts.COMPANIES or name in facts.LOCALS):
            return name
        seat = self.table.seat(name)
        if seat is None and name == VACLAV:
            return VACLAV
        if seat is None:
            raise Malformed(f"{path}.entity", "is no player, company or local railway of this game")
        return seat


def read_record(document: Mapping[str, Any]) -> GameRecord:
    """The record understood.  Raises Malformed with the place where it cannot be."""
    title = document.get("title")
    if title is not None and title != "18CZ":
        raise Malformed("title", "is a record of another game")
    warnings: list[Warning] = []
    table = _table(document.get("players"))
    seed = _seed(document, warnings)
    actions = _list(document.get("actions"), "actions", MOST_ACTIONS)
    read = tuple(_Actions(table).read(actions, "actions", False))
    return GameRecord(table, seed, read, _result(document.get("result"), table), tuple(warnings))
