"""What must hold in every position of every game, looked at in games played at random (issue: proof)."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from services.eighteen_cz.rules.copying import copy_state
from services.eighteen_cz.rules.engine import resolve
from services.eighteen_cz.rules.moves import Move
from services.ruleset.answers import Option, Violation
from services.ruleset.protocol import Budget
from tests.eighteen_cz.random_play import Mode, Moment, covers, fingerprint, last_state, perturbed, vary, walk

GAMES: list[tuple[int, str, Mode, str]] = [
    (2, "18cz/summary-1", "seeded", ""),
    (2, "18cz/published-1", "external", ""),
    (2, "18cz/summary-1", "external", "standard"),
    (3, "18cz/summary-1", "external", ""),
    (3, "18cz/published-1", "seeded", ""),
    (4, "18cz/summary-1", "seeded", ""),
    (4, "18cz/published-1", "external", ""),
    (5, "18cz/summary-1", "external", ""),
    (6, "18cz/summary-1", "seeded", ""),
    (6, "18cz/published-1", "external", ""),
]
EVERY = 5
"""In every so many positions all options are checked; in the others some."""
TRIED = 3
"""Options and perturbed moves that are carried out in each position."""


def _some(rng: Random, moment: Moment, count: int) -> list[Option[Move]]:
    return rng.sample(moment.options, min(count, len(moment.options)))


def look(moment: Moment, rng: Random) -> None:
    """Everything that must hold in one position."""
    rules, state = moment.rules, moment.state
    assert rules.validate(state) is None
    untouched = copy_state(state)
    kinds = rules.turn(state).kinds
    asked_for = moment.options if moment.number % EVERY == 0 else _some(rng, moment, 10)
    for option in asked_for:
        assert option.kind == option.move.kind and option.kind in kinds
        assert rules.check(state, option.move, Budget()) == (), option.move
        assert resolve(state, option.move) == option.move, "options are in canonical form"
    for option in _some(rng, moment, TRIED):
        move = vary(rng, option)
        outcome = rules.apply(state, move, Budget())
        assert outcome.state is not None, (move, outcome.violations)
        assert rules.validate(outcome.state) is None, move
        asked = resolve(state, perturbed(rng, state, move))
        refused = rules.check(state, asked, Budget())
        outcome = rules.apply(state, asked, Budget())
        assert outcome.violations == refused
        if refused:
            assert outcome.state is None and all(isinstance(found, Violation) for found in refused)
        else:
            assert any(covers(option, asked) for option in moment.options), asked
    assert state == untouched, "asking changes nothing"
    rules.score(state)


def play(seed: str, players: int, ruleset: str, mode: Mode, variant: str) -> None:
    rng = Random(f"look {seed}")
    for moment in walk(seed, players, ruleset, mode, variant):
        look(moment, rng)


@pytest.mark.parametrize(("players", "ruleset", "mode", "variant"), GAMES)
def test_games_at_random(players: int, ruleset: str, mode: Mode, variant: str) -> None:
    play("first", players, ruleset, mode, variant)


@pytest.mark.long
@pytest.mark.parametrize("number", range(20))
@pytest.mark.parametrize(("players", "ruleset", "mode", "variant"), GAMES)
def test_many_games_at_random(players: int, ruleset: str, mode: Mode, variant: str, number: int) -> None:
    play(f"many {number}", players, ruleset, mode, variant)


def test_the_same_seed_gives_the_same_game() -> None:
    one, other = (last_state(walk("again", 3)) for _ in range(2))
    assert one == other


@pytest.mark.parametrize("hash_seed", ["1", "31415"])
def test_answers_are_the_same_in_another_process(hash_seed: str) -> None:
    """And under another order of hashes."""
    code = "from tests.eighteen_cz.random_play import fingerprint; print(fingerprint('process', 2))"
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    root = Path(__file__).resolve().parents[2]
    answer = subprocess.run(
        [sys.executable, "-c", code], cwd=root, env=environment, capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == fingerprint("process", 2)
