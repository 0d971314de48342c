"""Whether an option of LegalMoves stands for a move, and the moves that an option stands for."""

from random import Random
from typing import Any

from services.eighteen_cz.game import GAME
from services.eighteen_cz.rules.moves import Move
from services.ruleset.answers import Choice, Free, IntRange, Option, Parameter, Value

Plain = dict[str, Any]

SPELLED_OUT = {"runTrains": "revenue"}
"""A field that follows from the others: the revenue of routes may be stated, and must then be right."""
LEFT_OPEN = {"placeStation": "slot"}
"""A field that a move may state and an option leaves to the rules: slots within a city are alike."""


def _body(move: Move) -> tuple[str, Plain]:
    plain = GAME.move_to_plain(move)
    return next((key, dict(body)) for key, body in plain.items() if key not in ("notation", "actor"))


def _allows(parameter: Parameter, value: Any) -> bool:
    match parameter:
        case IntRange(_, least, most, step):
            return type(value) is int and least <= value <= most and (value - least) % step == 0
        case Choice(_, values):
            return value in values
    return True


def covers(option: Option[Move], move: Move) -> bool:
    """The same kind, actor and fields, but for those that the option lets vary, as far as it does."""
    key, own = _body(option.move)
    other_key, other = _body(move)
    if key != other_key or option.move.actor != move.actor:
        return False
    for body in (own, other):
        body.pop(SPELLED_OUT.get(key, ""), None)
    if LEFT_OPEN.get(key, "") not in own:
        other.pop(LEFT_OPEN.get(key, ""), None)
    for parameter in option.parameters:
        name = parameter.path.removeprefix(f"{key}.")
        if name not in other or not _allows(parameter, other.pop(name)):
            return False
        own.pop(name)
    return own == other


def varied(rng: Random, option: Option[Move]) -> Move:
    """One of the moves that an option stands for, with all its parameters drawn at random."""
    key, body = _body(option.move)
    for parameter in option.parameters:
        value: Value
        match parameter:
            case IntRange(path, least, most, step):
                value = rng.choice([least, most, rng.randrange(least, most + 1, step)])
                value = least + (int(value) - least) // step * step
            case Choice(path, values):
                value = rng.choice(values)
            case Free():
                continue
        body[path.removeprefix(f"{key}.")] = value
    return GAME.move_from_plain({"notation": "", "actor": option.move.actor, key: body})
