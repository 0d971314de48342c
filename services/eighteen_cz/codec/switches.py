"""The switches of a game to and from plain data."""

from dataclasses import fields
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from services.chassis.game import Plain
from services.eighteen_cz.codec.enums import BOARD, OVER_CERTIFICATE_LIMIT, STOCK_ROUND_ORDER, Enum
from services.eighteen_cz.rules.state import Switches


def _camel(name: str) -> str:
    """A field's JSON name.

    >>> _camel("six_express_rusts_on_8Ej")
    'sixExpressRustsOn8ej'
    """
    first, *others = name.lower().split("_")
    return first + "".join(word.capitalize() for word in others)


_ENUMS: Final[dict[str, Enum]] = {
    "stock_round_order_from_round_2": STOCK_ROUND_ORDER,
    "over_certificate_limit": OVER_CERTIFICATE_LIMIT,
    "two_player_map": BOARD,
}
_FIELDS: Final = tuple((field.name, _camel(field.name), _ENUMS.get(field.name)) for field in fields(Switches))


def switches_to_plain(switches: Switches) -> dict[str, Any]:
    return dict(_to_plain(switches))


# A game has the same switches from beginning to end, and most games share theirs.
@lru_cache(maxsize=256)
def _to_plain(switches: Switches) -> MappingProxyType[str, Any]:
    return MappingProxyType(
        {
            key: enum.to_plain[getattr(switches, name)] if enum else getattr(switches, name)
            for name, key, enum in _FIELDS
        }
    )


def switches_from_plain(plain: Plain) -> Switches:
    """All switches of a state."""
    return _from_plain(tuple(plain[key] for _, key, _ in _FIELDS))


@lru_cache(maxsize=256, typed=True)
def _from_plain(values: tuple[Any, ...]) -> Switches:
    return Switches(
        *(
            enum.to_word(value, f"switches.{key}") if enum else value
            for (_, key, enum), value in zip(_FIELDS, values, strict=True)
        )
    )
