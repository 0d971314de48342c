"""Whole games of 18CZ played at random from a seed, for tests that look at many positions.

`walk` goes through a game move by move; what it plays is some legal move, chosen so that companies
are founded, track is built and trains are bought.  `vary` gives a move of an option with its free
parameters drawn, `perturbed` a move with one field changed, `covers` says whether an option stands
for a move.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from hashlib import sha256
from random import Random
from typing import Any, Final, Literal

from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.engine import EighteenCz
from services.eighteen_cz.rules.hexmap import MAPS
from services.eighteen_cz.rules.moves import BuyTrain, Move, RunTrains
from services.eighteen_cz.rules.state import State
from services.eighteen_cz.rules.tiles import KINDS
from services.ruleset.answers import Choice, Free, IntRange, Option, Parameter
from services.ruleset.protocol import Budget, Query

RULESETS: Final[Mapping[str, EighteenCz]] = {name: EighteenCz(name) for name in facts.RULESETS}
MOST_MOVES: Final = 6000
"""No game is longer; what seems to go on for ever is a fault."""

WEIGHTS: Final[Mapping[str, float]] = {
    "pass": 0.5,
    "sell_shares": 0.25,
    "sell_local": 0.3,
    "buy_local": 0.5,
    "acquire_company": 0.6,
    "buy_train": 2.5,
    "start_company": 3,
    "buy_share": 3,
    "draft_buy": 2,
    "lay_tile": 6,
    "run_trains": 8,
    "place_station": 2,
    "repay_loan": 3,
    "trade": 0.5,
}
"""How likely a kind of move is drawn among those open; 1 where it is not listed.  `trade` is a train
bought from another company."""
TEMPERS: Final[tuple[Mapping[str, float], ...]] = (
    WEIGHTS,
    {**WEIGHTS, "acquire_company": 0.05, "trade": 0.05, "buy_train": 5, "sell_shares": 0.1, "dividend": 1},
    {**WEIGHTS, "acquire_company": 3, "buy_local": 3, "lay_purple_tile": 4, "place_station": 8},
)
"""What the players of a game are like: some do everything, some build and buy, some take over."""

Mode = Literal["seeded", "external"]


@dataclass(frozen=True, slots=True)
class Moment:
    """A position of a game, all its legal moves, and the one that is played."""

    number: int
    rules: EighteenCz
    state: State
    options: list[Option[Move]]
    move: Move
    rng: Random  # of the game; drawing from it changes how the game goes on


def first_state(players: int, ruleset: str, mode: Mode, seed: str, variant: str = "") -> State:
    random = {"seeded": {"seed": seed}} if mode == "seeded" else {"external": {}}
    setup = {
        "seats": [{"name": f"Player {number}"} for number in range(1, players + 1)],
        "random": random,
        "options": {"variant": variant},
    }
    return RULESETS[ruleset].start(setup)


def walk(
    seed: str, players: int, ruleset: str = "18cz/summary-1", mode: Mode = "seeded", variant: str = ""
) -> Iterator[Moment]:
    """A game from its first position to its end.  The last moment is the one before the last move."""
    rules = RULESETS[ruleset]
    rng = Random(f"18cz {seed} {players} {ruleset} {mode} {variant}")
    weights = rng.choice(TEMPERS)
    state = first_state(players, ruleset, mode, seed, variant)
    for number in range(MOST_MOVES):
        if rules.turn(state).over:
            return
        options = list(rules.legal_moves(state, Query(), Budget(50_000)))
        assert options, f"nobody can move: {rules.turn(state)}"
        move = vary(rng, _drawn(rng, options, weights))
        yield Moment(number, rules, state, options, move, rng)
        outcome = rules.apply(state, move, Budget())
        assert outcome.state is not None, (move, outcome.violations)
        state = outcome.state
    raise AssertionError(f"no end after {MOST_MOVES} moves")


def last_state(moments: Iterator[Moment]) -> State:
    """The position at the end of a game."""
    *_, last = moments
    state = last.rules.apply(last.state, last.move, Budget()).state
    assert state is not None
    return state


def fingerprint(seed: str, players: int) -> str:
    """A digest of every position of a game and of all its legal moves in their order."""
    digest = sha256()
    for moment in walk(seed, players):
        digest.update(repr((moment.state, moment.options, moment.move)).encode())
    return digest.hexdigest()


def _drawn(rng: Random, options: list[Option[Move]], weights: Mapping[str, float]) -> Option[Move]:
    """First a sort, then an option of it, so that many options of a sort do not make it likelier."""
    sorts: dict[str, list[Option[Move]]] = {}
    for option in options:
        sorts.setdefault(_sort(option), []).append(option)
    sort = rng.choices(list(sorts), [weights.get(sort, 1) for sort in sorts])[0]
    return rng.choice(sorts[sort])


def _sort(option: Option[Move]) -> str:
    move = option.move
    if isinstance(move, BuyTrain) and move.source in facts.COMPANIES:
        return "trade"
    return option.kind


def field_of(parameter: Parameter) -> str:
    """The field of the move that a parameter is about.

    >>> field_of(Choice("layTile.waiver", ("", "S1")))
    'waiver'
    """
    name = parameter.path.partition(".")[2]
    return re.sub(r"[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


def vary(rng: Random, option: Option[Move]) -> Move:
    """A move of the option, its free parameters drawn (ends of ranges more often than the rest)."""
    changes: dict[str, Any] = {}
    for parameter in option.parameters:
        if isinstance(parameter, IntRange):
            between = rng.randrange(parameter.minimum, parameter.maximum + 1, parameter.step)
            changes[field_of(parameter)] = rng.choice((parameter.minimum, parameter.maximum, between))
        elif isinstance(parameter, Choice):
            changes[field_of(parameter)] = rng.choice(parameter.values)
    return replace(option.move, **changes) if changes else option.move


def _allows(parameter: Parameter, value: Any) -> bool:
    if isinstance(parameter, IntRange):
        return value in range(parameter.minimum, parameter.maximum + 1, parameter.step)
    return isinstance(parameter, Free) or value in parameter.values


def covers(option: Option[Move], move: Move) -> bool:
    """Whether the option stands for this (resolved) move.  A slot is the rules' choice unless stated."""
    if type(option.move) is not type(move):
        return False
    parameters = {field_of(parameter): parameter for parameter in option.parameters}
    if isinstance(move, RunTrains) and "routes" in parameters:
        return True
    for field in fields(move):
        value, given = getattr(move, field.name), getattr(option.move, field.name)
        if field.name in parameters:
            if not _allows(parameters[field.name], value):
                return False
        elif value != given and not (field.name == "slot" and given == -1):
            return False
    return True


def perturbed(rng: Random, state: State, move: Move) -> Move:
    """The move with one field changed to something that may or may not be legal."""
    names = [field.name for field in fields(move) if field.name not in ("routes", "revenue")]
    name = rng.choice(names)
    value = getattr(move, name)
    pools: dict[str, list[Any]] = {
        "actor": [*state.players, *state.companies, "CHANCE"],
        "hex": list(MAPS[state.board].hexes),
        "tile": list(KINDS),
        "company": [*state.companies, "ZZ"],
        "source": ["stack", "pool", *state.companies],
        "version": list(facts.VERSIONS),
        "train": list(facts.VERSIONS),
        "card": ["", *facts.VERSIONS],
        "local": [*state.locals, "S9"],
        "waiver": ["", *state.locals],
        "choice": ["pay", "keep", "upgrade", "scrap"],
        "accept": [True, False],
    }
    if name in pools:
        return replace(move, **{name: rng.choice(pools[name])})
    return replace(move, **{name: value + rng.choice((-10, -5, -1, 1, 5, 10))})
