"""Reads records of the 18xx.games site (their export format) as setups and moves of ours."""

from collections.abc import Mapping
from itertools import islice, takewhile
from typing import Any

from services.chassis.game import Imported, Importer, Position, Record, Warning
from services.eighteen_cz.importer.history import standing
from services.eighteen_cz.importer.ledger import Ledger
from services.eighteen_cz.importer.reading import SHAPES, GameRecord, read_record
from services.eighteen_cz.importer.shadowing import Shadow
from services.eighteen_cz.rules.engine import EighteenCz
from services.eighteen_cz.rules.moves import Move
from services.eighteen_cz.rules.state import State
from services.ruleset.answers import Scoreboard, Value
from services.ruleset.protocol import Budget, Ruleset

FORESIGHT = 300
"""How many later actions are looked at for a discard that the site allowed too late."""

MOST_WARNINGS = 500

RULESET = "18cz/published-1"
"""Public records are games of the published rules."""


def setup_of(record: GameRecord) -> dict[str, Any]:
    """The plain setup of a record; the site draws, so the table does."""
    seats = [{"id": f"G{n}", "name": name} for n, name in enumerate(record.table.names, 1)]
    return {"seats": seats, "ruleset": RULESET, "random": {"external": {}}}


def import_record(record: Record, base: Position[State, Move] | None, budget: Budget) -> Imported[Move]:
    """A record as moves, from the beginning or going on from a position.  Raises Malformed.

    The rules are played along.  A move that they refuse is handed on as the last one, since what the
    record does after it cannot be judged: replaying names the rule.  An action that no move can say is
    the end as well, and is not handed on.
    """
    document = read_record(record.json())
    setup = setup_of(document)
    rules: Ruleset[State, Move] = EighteenCz(RULESET) if base is None else base.ruleset
    state = rules.start(setup) if base is None else base.state
    shadow = Shadow(rules, state, document.seed, Ledger(complete=base is None), budget)
    actions = list(standing(document.actions))
    known = list(takewhile(lambda action: action.kind in SHAPES, actions))
    for end, action in enumerate(known):
        budget.spend()
        if not shadow.follow(action, islice(known, end + 1, end + 1 + FORESIGHT)):
            break
    else:
        end = len(known)
        if end < len(actions):
            values = {"action": actions[end].kind}
            shadow.warnings.append(Warning("action_unknown", actions[end].path, values))
    left = len(actions) - end - 1
    if left > 0:
        shadow.warnings.append(Warning("record_cut", actions[end].path, {"count": left}))
    # A refused move is handed on and so is in; an action that no move can say is not.
    complete = left < 0 or (left == 0 and actions[end].path in [source for _, source in shadow.moves[-1:]])
    if complete:
        shadow.warnings += _result(document, rules.score(shadow.state))
    moves: list[Move] = []
    sources: list[str] = []
    for move, source in reversed(shadow.moves):
        moves.append(move)
        sources.append(source or (sources[-1] if sources else ""))
    return Imported(
        setup if base is None else None,
        moves[::-1],
        sources[::-1],
        _bounded([*document.warnings, *shadow.warnings]),
        complete,
    )


def _result(record: GameRecord, score: Scoreboard) -> list[Warning]:
    """A warning where the record says another result than the game has."""
    computed = {seat.seat: seat.total for seat in score.seats}
    if not score.final or not record.result or record.result == computed:
        return []
    names = {f"G{n}": name for n, name in enumerate(record.table.names, 1)}

    def text(totals: Mapping[str, int]) -> str:
        return ", ".join(f"{names.get(seat, seat)} {total}" for seat, total in sorted(totals.items()))

    values: dict[str, Value] = {"recorded": text(record.result), "computed": text(computed)}
    return [Warning("result_differs", "result", values)]


def _bounded(warnings: list[Warning]) -> list[Warning]:
    """The first ones and the last two, which may say where the import stopped."""
    left_out = len(warnings) - MOST_WARNINGS
    if left_out <= 0:
        return warnings
    rest = Warning("warnings_left_out", values={"count": left_out})
    return [*warnings[: MOST_WARNINGS - 2], rest, *warnings[-2:]]


IMPORTERS: Mapping[str, Importer[State, Move]] = {"18xx.games": import_record}
"""By name of the format."""
