"""18CZ as the chassis needs it: rules, codec, notation, texts and pictures in one object."""

from collections.abc import Mapping
from typing import Any, Final

from services.chassis.game import Game, Importer, Malformed, Marks, Plain
from services.eighteen_cz import codec, notation, render, summaries
from services.eighteen_cz.codec.switches import switches_to_plain
from services.eighteen_cz.importer import IMPORTERS
from services.eighteen_cz.notation.examples import EXAMPLES
from services.eighteen_cz.rulebook import RULEBOOK
from services.eighteen_cz.rules import engine, facts
from services.eighteen_cz.rules.moves import Move
from services.eighteen_cz.rules.setup import first_position
from services.eighteen_cz.rules.state import State
from services.ruleset.protocol import Ruleset
from services.ruleset.rulebook import Rulebook

LONGEST_SEAT_TEXT: Final = 80
"""Characters of a player's name or colour."""

_LEAST, _MOST = min(facts.CASH), max(facts.CASH)
# Variant, seats, whether it can be started, the section that says so.
_VARIANTS: Final = (
    ("standard", range(_LEAST, _MOST + 1), True, "CZ-18.1"),
    ("bohemia", range(2, 3), True, "CZ-18.2"),
    ("moravia-silesia", range(2, 4), False, "CZ-18.3"),
)


class EighteenCzGame:
    """See `services.chassis.game.Game`."""

    name: str = "18cz"
    service: str = "signalbox.eighteen_cz.v1.EighteenCzRulesService"
    turn_rule: str = "CZ-3.1"
    default_ruleset: str = next(iter(facts.RULESETS))
    rulebook: Rulebook = RULEBOOK
    importers: Mapping[str, Importer[State, Move]] = IMPORTERS

    def __init__(self) -> None:
        self.rulesets: Mapping[str, Ruleset[State, Move]] = {
            ruleset: engine.EighteenCz(ruleset) for ruleset in facts.RULESETS
        }

    def info(self, language: str) -> Plain:
        return {
            "name": self.name,
            "title": "18CZ",
            "minSeats": _LEAST,
            "maxSeats": _MOST,
            "variants": [
                {
                    "id": variant,
                    "title": RULEBOOK.label(f"variant_{variant}", language),
                    "seats": list(seats),
                    "available": available,
                    "ruleId": rule_id,
                }
                for variant, seats, available, rule_id in _VARIANTS
            ],
            "rulesets": [
                {
                    "id": ruleset,
                    "title": RULEBOOK.label(ruleset, language),
                    "default": ruleset == self.default_ruleset,
                }
                for ruleset in self.rulesets
            ],
            "moveKinds": [
                {
                    "kind": kind.kind,
                    "title": kind.title,
                    "example": EXAMPLES[kind.kind],
                    "ruleIds": list(kind.rule_ids),
                }
                for kind in RULEBOOK.move_kinds(language)
            ],
        }

    def complete_setup(self, setup: Plain) -> Plain:
        seats = [_seat(seat, number) for number, seat in enumerate(setup["seats"], 1)]
        state = first_position(setup["ruleset"], setup)
        options = {"variant": state.board, "switches": switches_to_plain(state.switches)}
        return {**setup, "seats": seats, "options": options}

    def state_to_plain(self, state: State) -> Plain:
        return codec.state_to_plain(state)

    def state_from_plain(self, plain: Plain) -> State:
        return codec.state_from_plain(plain)

    def move_to_plain(self, move: Move) -> Plain:
        return codec.move_to_plain(move)

    def move_from_plain(self, plain: Plain) -> Move:
        return codec.move_from_plain(plain)

    def kind(self, move: Move) -> str:
        return move.kind

    def resolve(self, state: State, move: Move) -> Move:
        return engine.resolve(state, move)

    def print_move(self, state: State, move: Move) -> str:
        return notation.write(move)

    def parse_move(self, state: State, text: str) -> Move:
        try:
            return notation.read(text)
        except notation.BadNotation as bad:
            raise Malformed("", str(bad)) from bad

    def summary(self, state: State, move: Move, language: str) -> str:
        return summaries.summary(state, move, language)

    def render(self, view: State, marks: Marks[Move], language: str) -> str:
        return render.render(view, marks, language)


def _seat(seat: Plain, number: int) -> dict[str, Any]:
    """A seat of a setup with its id, `G1` for the first."""
    expected, path = f"G{number}", f"seats[{number - 1}]"
    if seat.get("id", "") not in ("", expected):
        raise Malformed(f"{path}.id", f"seats are called G1, G2, ... in their order; this one is {expected}")
    texts = {key: seat.get(key, "") for key in ("name", "colour")}
    for key, text in texts.items():
        if len(text) > LONGEST_SEAT_TEXT:
            raise Malformed(f"{path}.{key}", f"has more than {LONGEST_SEAT_TEXT} characters")
    return {"id": expected, **texts}


GAME: Final[Game[State, Move]] = EighteenCzGame()
