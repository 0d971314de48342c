"""How a move is refused: violations whose path names a field of the move in the contract's JSON names."""

from typing import Final

from services.eighteen_cz.rules.moves import Move
from services.ruleset.answers import Value, Violation


def camel(name: str) -> str:
    """The JSON name of a field.

    >>> camel("start_company")
    'startCompany'
    """
    head, *tail = name.split("_")
    return head + "".join(part.capitalize() for part in tail)


Values = dict[str, Value]
"""What the sentence of a violation or an event names."""

KIND_PATHS: Final = {kind.kind: camel(kind.kind) for kind in Move.__args__}


def refuse(move: Move, field: str, rule_id: str, reason: str, at: Value = "", **values: Value) -> Violation:
    """A violation of `rule_id` by the move; `field` is the field at fault, "" for the move as a whole.

    `at` is a hex; it is typed like the values so that these can be given as one dict.
    """
    path = KIND_PATHS[move.kind]
    return Violation(rule_id, reason, values, f"{path}.{camel(field)}" if field else path, str(at))
