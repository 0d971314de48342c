"""How a move is refused: violations whose path names a field of the move in the contract's JSON names."""

from typing import Final

from services.ruleset.answers import Value, Violation
from services.string_railway.rules.moves import Move
from services.string_railway.rules.planes import Point, place_name

Values = dict[str, Value]
"""What the sentence of a violation or an event names."""


def camel(name: str) -> str:
    """The JSON name of a field.

    >>> camel("station_kind")
    'stationKind'
    """
    head, *tail = name.split("_")
    return head + "".join(part.capitalize() for part in tail)


KIND_PATHS: Final = {kind.kind: camel(kind.kind) for kind in Move.__args__}


def refuse(
    move: Move, field: str, rule_id: str, reason: str, at: Point | None = None, **values: Value
) -> Violation:
    """A violation of `rule_id` by the move; `field` is the field at fault, "" for the move as a whole.

    `at` is the place on the table, `x,y` in millimetres.
    """
    path = KIND_PATHS[move.kind]
    place = "" if at is None else place_name(at)
    return Violation(rule_id, reason, values, f"{path}.{camel(field)}" if field else path, place)
