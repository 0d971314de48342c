"""The words of the rules that are enums in the contract, in both directions."""

from collections.abc import Mapping
from typing import Any, Final, get_args

from services.chassis.game import Malformed
from services.eighteen_cz.rules import moves, state


class Enum:
    """One enum: `to_plain` has its name for each word of the rules, `words` the word for each name."""

    def __init__(self, prefix: str, words: tuple[str, ...]) -> None:
        self.to_plain: Final[Mapping[str, str]] = {word: f"{prefix}_{word.upper()}" for word in words}
        # Any: the callers' fields are of Literal types, which no table can give back.
        self.words: Final[Mapping[object, Any]] = {name: word for word, name in self.to_plain.items()}

    def to_word(self, name: object, path: str) -> Any:
        """The word for a name.  Raises Malformed for a name that has none."""
        word = self.words.get(name)
        if word is None:
            raise Malformed(path, f"one of {', '.join(self.to_plain.values())} is needed")
        return word


def _switch(name: str) -> tuple[str, ...]:
    words: tuple[str, ...] = get_args(state.Switches.__annotations__[name])
    return words


STAGE: Final = Enum("STAGE", get_args(state.Stage))
STEP: Final = Enum("STEP", get_args(state.Step))
STATUS: Final = Enum("COMPANY_STATUS", get_args(state.Status))
PENDING: Final = Enum("PENDING_KIND", get_args(state.PendingKind))
OFFER: Final = Enum("OFFER_KIND", get_args(state.Offer.__annotations__["kind"]))
BOARD: Final = Enum("BOARD", get_args(state.State.__annotations__["board"]))
STOCK_ROUND_ORDER: Final = Enum("STOCK_ROUND_ORDER", _switch("stock_round_order_from_round_2"))
OVER_CERTIFICATE_LIMIT: Final = Enum("OVER_CERTIFICATE_LIMIT", _switch("over_certificate_limit"))
DIVIDEND: Final = Enum("DIVIDEND_CHOICE", get_args(moves.Dividend.__annotations__["choice"]))
ACQUIRED_TRAIN: Final = Enum("ACQUIRED_TRAIN_CHOICE", get_args(moves.AcquiredTrain.__annotations__["choice"]))
