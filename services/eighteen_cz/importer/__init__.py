"""Reads records of the 18xx.games site (their export format) as setups and moves of ours."""

from collections.abc import Mapping
from itertools import islice
from typing import Any

from services.chassis.game import Imported, Importer, Position, Record, Warning
from services.eighteen_cz.importer.history import standing
from services.eighteen_cz.importer.ledger import Ledger
from services.eighteen_cz.importer.reading import GameRecord, read_record
from services.eighteen_cz.importer.shadowing import Shadow
from services.eighteen_cz.rules.engine import EighteenCz
from services.eighteen_cz.rules.moves import Move
from services.eighteen_cz.rules.state import State
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
    record does after it cannot be judged: replaying names the rule.
    """
    document = read_record(record.json())
    setup = setup_of(document)
    rules: Ruleset[State, Move] = EighteenCz(RULESET) if base is None else base.ruleset
    state = rules.start(setup) if base is None else base.state
    shadow = Shadow(rules, state, document.seed, Ledger(complete=base is None), budget)
    actions = list(standing(document.actions))
    warnings = list(document.warnings)
    for n, action in enumerate(actions):
        budget.spend()
        if not shadow.follow(action, islice(actions, n + 1, n + 1 + FORESIGHT)):
            left = len(actions) - n - 1
            if left:
                shadow.warnings.append(Warning("record_cut", action.path, {"count": left}))
            break
    return Imported(setup if base is None else None, shadow.moves, _bounded(warnings + shadow.warnings))


def _bounded(warnings: list[Warning]) -> list[Warning]:
    """The first ones and the last two, which may say where the import stopped."""
    left_out = len(warnings) - MOST_WARNINGS
    if left_out <= 0:
        return warnings
    rest = Warning("warnings_left_out", values={"count": left_out})
    return [*warnings[: MOST_WARNINGS - 2], rest, *warnings[-2:]]


IMPORTERS: Mapping[str, Importer[State, Move]] = {"18xx.games": import_record}
"""By name of the format."""
