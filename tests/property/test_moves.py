"""LegalMoves is sound and complete, as far as random play can tell: what is offered is accepted, all its
free parameters drawn together, and what is accepted is offered."""

from collections import Counter
from random import Random

import pytest
from signalbox.eighteen_cz.v1 import move_pb2

from protojson import from_plain, to_plain
from services.chassis.game import Malformed
from services.eighteen_cz.game import GAME
from services.eighteen_cz.rules.moves import Move
from services.eighteen_cz.rules.state import State
from services.ruleset.protocol import Budget, Query
from tests.fuzz.asking import any_move
from tests.fuzz.corpus import Sample, play
from tests.property.covering import covers, varied

PERTURBED = 8
"""Perturbed moves tried in each position."""


def check_game(number: int) -> Counter[str]:
    """How often moves of each kind were accepted."""
    rng = Random(f"moves/{number}")
    game = play("moves", number)
    accepted: Counter[str] = Counter()
    for state, taken in game.steps:
        rules = GAME.rulesets[state.ruleset]
        assert rules.validate(state) is None
        options = list(rules.legal_moves(state, Query(), Budget(100_000)))
        for option in rng.sample(options, min(len(options), 8)):
            move = varied(rng, option)
            assert covers(option, option.move) and covers(option, move)
            assert rules.check(state, move, Budget()) == (), f"{move} of {option}"
        sample = Sample(GAME.state_to_plain(state), GAME.move_to_plain(taken.move))
        for _ in range(PERTURBED):
            other = perturbed(rng, sample, state)
            if other is None or rules.check(state, other, Budget(100_000)):
                continue
            accepted[other.kind] += 1
            assert any(covers(option, other) for option in options), f"accepted but not offered: {other}"
    assert GAME.rulesets[game.end.ruleset].validate(game.end) is None
    return accepted


def perturbed(rng: Random, sample: Sample, state: State) -> Move | None:
    """A move near one that is legal, or made up; None where it cannot be read."""
    plain = to_plain(from_plain(move_pb2.Move, any_move(rng, sample)))
    try:
        move = GAME.move_from_plain(plain) if len(plain) > 2 else GAME.parse_move(state, plain["notation"])
    except Malformed:
        return None
    return GAME.resolve(state, move)


@pytest.mark.parametrize("number", range(10))
def test_moves_of_a_game(number: int) -> None:
    check_game(number)


@pytest.mark.long
@pytest.mark.parametrize("number", range(10, 210))
def test_moves_of_many_games(number: int) -> None:
    check_game(number)
