"""The rules of 18CZ in process, on every recorded game."""

import gc
import json
import time
import tracemalloc
from collections import defaultdict
from collections.abc import Iterator
from statistics import mean, median
from typing import Any, NamedTuple

from services.chassis.game import Record
from services.eighteen_cz.game import GAME
from services.eighteen_cz.importer import RULESET, import_record
from services.eighteen_cz.rules import network, reach, sections
from services.eighteen_cz.rules.copying import copy_state
from services.eighteen_cz.rules.moves import Move
from services.eighteen_cz.rules.state import State
from services.ruleset.protocol import Budget, Query, Ruleset
from tests.bench.figures import Figure, median_ms
from tests.eighteen_cz.snapshots import RECORDS

RULES: Ruleset[State, Move] = GAME.rulesets[RULESET]
LATE = 0.85
"""How far into a record its late moves begin."""


class Played(NamedTuple):
    """A recorded game as far as it is legal: the state before every move, and the move."""

    players: int
    before: list[State]
    moves: list[Move]


def measure() -> Iterator[Figure]:
    if not RECORDS.exists():
        return
    games = [
        played(json.loads(path.read_text("utf-8"))) for path in sorted((RECORDS / "games").glob("*.json"))
    ]
    gc.collect()
    gc.freeze()  # as in a service, whose collector does not look at all these positions
    yield from whole_games(games)
    yield from late_moves([game for game in games if game.players == 4])
    yield from spread("LegalMoves of a track step", list(at_step(games, "track")), {"lay_tile"}, 5, 25, None)
    yield from spread("LegalMoves of any step but run", list(elsewhere(games)), set(), None, None, None)
    yield from spread("the exact best route set", list(at_step(games, "run")), {"run_trains"}, None, 20, 100)
    yield from memory(max(games, key=lambda game: len(game.moves)))


def played(document: dict[str, Any]) -> Played:
    moves = list(import_record(Record(document=document), None, Budget()).moves)
    state = RULES.start(GAME.complete_setup(setup_of(document)))
    before: list[State] = []
    for move in moves:
        after = RULES.apply(state, move, Budget()).state
        if after is None:
            break
        before.append(state)
        state = after
    return Played(len(document["players"]), before, moves[: len(before)])


def setup_of(document: dict[str, Any]) -> dict[str, Any]:
    seats = [{"id": "", "name": player["name"], "colour": ""} for player in document["players"]]
    return {"seats": seats, "ruleset": RULESET, "random": {"external": {"draws": 0}}}


def replay_ms(game: Played) -> list[float]:
    """The milliseconds of each move, checked and carried out in turn."""
    state, taken = game.before[0], []
    for move in game.moves:
        begun = time.perf_counter()
        after = RULES.apply(state, move, Budget()).state
        taken.append((time.perf_counter() - begun) * 1e3)
        assert after is not None
        state = after
    return taken


def whole_games(games: list[Played]) -> Iterator[Figure]:
    """A move on average in the longest game, by part of the game and by number of players."""
    longest = max(games, key=lambda game: len(game.moves))
    best = min(mean(replay_ms(longest)) for _ in range(5))
    yield Figure(f"a move of a whole game of {len(longest.moves)}", best, "ms", most=0.36)
    quarters: dict[int, list[float]] = defaultdict(list)
    players: dict[int, list[float]] = defaultdict(list)
    for game in games:
        taken = replay_ms(game)
        players[game.players] += taken
        for index, one in enumerate(taken):
            quarters[4 * index // len(taken)].append(one)
    for quarter, taken in sorted(quarters.items()):
        yield Figure(f"a move in quarter {quarter + 1} of a game", mean(taken), "ms")
    for count, taken in sorted(players.items()):
        yield Figure(f"a move in a game of {count}", mean(taken), "ms")


def late_moves(games: list[Played]) -> Iterator[Figure]:
    checked, applied = [], []
    for game in games:
        for state, move in list(zip(game.before, game.moves, strict=True))[int(LATE * len(game.moves)) :]:
            begun = time.perf_counter()
            RULES.check(state, move, Budget())
            between = time.perf_counter()
            RULES.apply(state, move, Budget())
            checked.append((between - begun) * 1e3)
            applied.append((time.perf_counter() - between) * 1e3)
    yield Figure("CheckMove late in a game of 4, median", median(checked), "ms", most=0.5)
    yield Figure("ApplyMove late in a game of 4, median", median(applied), "ms", most=0.5)


def at_step(games: list[Played], step: str) -> Iterator[State]:
    for game in games:
        for state in game.before:
            if RULES.turn(state).step == step:
                yield state


def elsewhere(games: list[Played]) -> Iterator[State]:
    for game in games:
        yield from (state for state in game.before[::7] if RULES.turn(state).step != "run")


def spread(
    what: str,
    states: list[State],
    kinds: set[str],
    mid: float | None,
    rare: float | None,
    worst: float | None,
) -> Iterator[Figure]:
    """Median, 99th percentile and worst of all options of these kinds, each position seen anew."""
    query, taken = Query(kinds=frozenset(kinds)), []
    for state in states:
        forget()
        begun = time.perf_counter()
        for _ in RULES.legal_moves(state, query, Budget()):
            pass
        taken.append((time.perf_counter() - begun) * 1e3)
    taken.sort()
    yield Figure(f"{what}, median of {len(taken)}", median(taken), "ms", most=mid)
    yield Figure(f"{what}, 99th percentile", taken[int(0.99 * len(taken))], "ms", most=rare)
    yield Figure(f"{what}, worst", taken[-1], "ms", most=worst)


def forget() -> None:
    """What the rules remember of earlier positions."""
    for module in (network, reach, sections):
        for value in vars(module).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()


def memory(game: Played) -> Iterator[Figure]:
    late = game.before[-1]
    yield Figure("a copy of a late position", median_ms(lambda: copy_state(late)), "ms")
    tracemalloc.start()
    held = [copy_state(late) for _ in range(200)]
    size = tracemalloc.get_traced_memory()[0] / len(held) / 1024
    tracemalloc.stop()
    yield Figure("memory of a late position", size, "KB")
