"""Random complete games by moves that the rules offer."""

from collections.abc import Iterator, Mapping
from itertools import islice
from random import Random
from typing import Any, Final

from services.ruleset.answers import Option
from services.ruleset.protocol import Budget, Query
from services.string_railway.rules.engine import StringRailway
from services.string_railway.rules.moves import Move
from services.string_railway.rules.state import State

RULES: Final = StringRailway()
_LOOKED_AT: Final = 30
"""How many of the options of a position are looked at."""


def setup(seats: int, chance: Random, seeded: bool, **options: object) -> Mapping[str, Any]:
    """A setup; the seed of the draws comes from the same chance."""
    random = {"seeded": {"seed": str(chance.random())}} if seeded else {"external": {}}
    return {"seats": [{"name": str(n)} for n in range(seats)], "random": random, "options": options}


def play(given: Mapping[str, Any], chance: Random) -> Iterator[tuple[State, Option[Move], State]]:
    """Every move of a game with the position before and after it, until the game is over."""
    state = RULES.start(given)
    while not RULES.turn(state).over:
        options = list(islice(RULES.legal_moves(state, Query(), Budget()), _LOOKED_AT))
        option = chance.choice(options)
        outcome = RULES.apply(state, option.move, Budget())
        assert outcome.state is not None, outcome.violations
        yield state, option, outcome.state
        state = outcome.state
