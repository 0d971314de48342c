"""Real positions of 18CZ, and moves that were legal in them, from games played at random."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

from signalbox.eighteen_cz.v1 import setup_pb2

from protojson import from_plain, to_plain
from services.chassis.game import Record
from services.eighteen_cz.game import GAME
from services.eighteen_cz.importer import IMPORTERS
from services.eighteen_cz.rules.moves import Move
from services.eighteen_cz.rules.state import State
from services.ruleset.answers import Option
from services.ruleset.protocol import Budget, Query, Ruleset

Plain = dict[str, Any]

GAMES = ((2, "bohemia", "seeded"), (2, "bohemia", "external"), (2, "standard", "seeded"), (3, "", "seeded"),
         (4, "", "seeded"), (6, "", "seeded"))  # fmt: skip
"""Seats, variant, chance."""

WEIGHTS = {
    "pass": 0.3, "sell_shares": 0.25, "repay_loan": 0.3, "acquire_company": 0.3,
    "buy_local": 0.3, "sell_local": 0.3, "lay_purple_tile": 0.6,
}  # fmt: skip
"""How gladly a kind of move is made, where not 1: else players sell all they have and companies end early."""

RECORDED = Path(__file__).resolve().parents[3] / "shared" / "conformance" / "18cz" / "games"
LONGEST_GAME = 20_000
EVERY = 7
"""One position of so many is kept."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A position in plain form, and the plain move that was made from it."""

    state: Plain
    move: Plain


def setup(seats: int, variant: str, chance: str, ruleset: str, seed: str) -> Plain:
    """A plain Setup, every field there."""
    random = {"external": {}} if chance == "external" else {"seeded": {"seed": seed}}
    given = {
        "seats": [{"name": f"player {number}"} for number in range(1, seats + 1)],
        "ruleset": ruleset,
        "random": random,
        "options": {"variant": variant},
    }
    whole: Plain = to_plain(from_plain(setup_pb2.Setup, given))
    return whole


def random_option(rng: Random, rules: Ruleset[State, Move], state: State) -> Option[Move] | None:
    """One of the legal moves: first a kind is drawn, then a move of it.  None when there is none."""
    kinds = sorted(
        rules.turn(state).kinds, key=lambda kind: rng.random() * WEIGHTS.get(kind, 1), reverse=True
    )
    for kind in kinds:
        options = list(rules.legal_moves(state, Query(frozenset([kind])), Budget(20_000)))
        if options:
            return rng.choice(options)
    return None


@dataclass(frozen=True, slots=True)
class Played:
    """A whole game: its setup, each position with the option taken in it, and the last position."""

    setup: Plain
    steps: tuple[tuple[State, Option[Move]], ...]
    end: State

    @property
    def record(self) -> str:
        """Its moves in notation."""
        return "\n".join(GAME.print_move(state, option.move) for state, option in self.steps)


def play(seed: str, number: int) -> Played:
    """A game in one of the shapes of GAMES, the same for the same arguments."""
    rng = Random(f"{seed}/{number}")
    seats, variant, chance = GAMES[number % len(GAMES)]
    ruleset = sorted(GAME.rulesets)[number % 2]
    rules = GAME.rulesets[ruleset]
    begun = setup(seats, variant, chance, ruleset, seed)
    state = rules.start(GAME.complete_setup(begun))
    steps: list[tuple[State, Option[Move]]] = []
    while len(steps) < LONGEST_GAME:
        option = random_option(rng, rules, state)
        if option is None:
            assert rules.turn(state).over, f"nobody can do anything: {rules.turn(state)}"
            return Played(begun, tuple(steps), state)
        steps.append((state, option))
        outcome = rules.apply(state, option.move, Budget())
        assert outcome.state is not None, f"an offered move is refused: {option.move} {outcome.violations}"
        state = outcome.state
    raise AssertionError("a game does not end")


def _recorded() -> Iterator[Sample]:
    """Positions of recorded games, where the recordings are at hand: richer ones than random play makes."""
    files = [RECORDED / name for name in ("fixture_2p.json", "g2401_4p.json", "g2603_6p.json")]
    for file in files:
        if not file.is_file():
            continue
        imported = IMPORTERS["18xx.games"](Record(text=file.read_text("utf-8")), None, Budget())
        assert imported.setup is not None
        rules = GAME.rulesets[imported.setup["ruleset"]]
        state = rules.start(imported.setup)
        for number, move in enumerate(imported.moves):
            if number % (3 * EVERY) == 0:
                yield Sample(GAME.state_to_plain(state), GAME.move_to_plain(move))
            outcome = rules.apply(state, move, Budget())
            if outcome.state is None:
                break
            state = outcome.state


@lru_cache
def samples() -> tuple[Sample, ...]:
    """The positions that all campaigns start from, the same in every process."""
    found = list(_recorded())
    for number in range(len(GAMES)):
        game = play("corpus", number)
        found += [
            Sample(GAME.state_to_plain(state), GAME.move_to_plain(option.move))
            for state, option in game.steps[number % EVERY :: EVERY]
        ]
        found.append(Sample(GAME.state_to_plain(game.end), {"notation": "pass", "actor": ""}))
    return tuple(found)
