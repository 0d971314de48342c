"""Moves to and from plain data."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any, Final, get_args

from services.chassis.game import Malformed, Plain
from services.eighteen_cz.codec.enums import ACQUIRED_TRAIN, DIVIDEND
from services.eighteen_cz.rules.moves import AcquiredTrain, Dividend, Move, PlaceStation, Route, RunTrains

_Body = dict[str, Any]


def _camel(kind: str) -> str:
    first, *others = kind.split("_")
    return first + "".join(word.capitalize() for word in others)


_KEYS: Final[dict[type[Move], str]] = {each: _camel(each.kind) for each in get_args(Move)}
_TYPES: Final[dict[str, Any]] = {key: each for each, key in _KEYS.items()}
# Every field of a move but the actor has one word for its name, so that its JSON name is the same.
_FIELDS: Final[dict[Any, tuple[str, ...]]] = {
    each: tuple(field.name for field in fields(each) if field.name != "actor") for each in _KEYS
}


def move_to_plain(move: Move) -> dict[str, Any]:
    """The typed form; its `notation` is left empty."""
    kind = type(move)
    writer = _WRITERS.get(kind)
    body = writer(move) if writer else {name: getattr(move, name) for name in _FIELDS[kind]}
    return {"notation": "", "actor": move.actor, _KEYS[kind]: body}


def _place_station_to_plain(move: PlaceStation) -> _Body:
    body: _Body = {"hex": move.hex, "city": move.city}
    if move.slot != -1:
        body["slot"] = move.slot
    return body


def _run_trains_to_plain(move: RunTrains) -> _Body:
    routes = [
        {
            "train": route.train,
            "stops": list(route.stops),
            "sections": [{"hexes": list(section)} for section in route.sections],
        }
        for route in move.routes
    ]
    return {"routes": routes} if move.revenue == -1 else {"routes": routes, "revenue": move.revenue}


_WRITERS: Final[dict[type[Move], Callable[[Any], _Body]]] = {
    PlaceStation: _place_station_to_plain,
    RunTrains: _run_trains_to_plain,
    Dividend: lambda move: {"choice": DIVIDEND.to_plain[move.choice]},
    AcquiredTrain: lambda move: {"train": move.train, "choice": ACQUIRED_TRAIN.to_plain[move.choice]},
}


def move_from_plain(plain: Plain) -> Move:
    """The move of a typed form.  Raises Malformed when it is of no kind."""
    for key, body in plain.items():
        kind = _TYPES.get(key)
        if kind is not None:
            reader = _READERS.get(kind)
            if reader is not None:
                return reader(plain["actor"], body)
            move: Move = kind(plain["actor"], *(body[name] for name in _FIELDS[kind]))
            return move
    raise Malformed("", "a move needs its notation or one of its kinds")


def _run_trains_from_plain(actor: str, body: Plain) -> RunTrains:
    routes = tuple(
        Route(
            route["train"],
            tuple(route["stops"]),
            tuple(tuple(section["hexes"]) for section in route["sections"]),
        )
        for route in body["routes"]
    )
    return RunTrains(actor, routes, body.get("revenue", -1))


_READERS: Final[dict[Any, Callable[[str, Plain], Move]]] = {
    PlaceStation: lambda actor, body: PlaceStation(actor, body["hex"], body["city"], body.get("slot", -1)),
    RunTrains: _run_trains_from_plain,
    Dividend: lambda actor, body: Dividend(actor, DIVIDEND.to_word(body["choice"], "dividend.choice")),
    AcquiredTrain: lambda actor, body: AcquiredTrain(
        actor, body["train"], ACQUIRED_TRAIN.to_word(body["choice"], "acquiredTrain.choice")
    ),
}
