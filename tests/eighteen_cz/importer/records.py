"""Small records in the export format, made by hand."""

from typing import Any

from services.chassis.game import Imported, Position, Record
from services.eighteen_cz.importer import RULESET, import_record
from services.eighteen_cz.rules.engine import EighteenCz
from services.eighteen_cz.rules.facts import POSITION_OF
from services.eighteen_cz.rules.moves import Move
from services.eighteen_cz.rules.state import State
from services.ruleset.protocol import Budget

Plain = dict[str, Any]


def record(*actions: Plain, players: int = 3, **fields: Any) -> Plain:
    """A record with actions numbered from 1 unless they say otherwise; players P1, P2, ..."""
    numbered = [{"id": n, **action} for n, action in enumerate(actions, 1)]
    names = [{"name": f"P{n}"} for n in range(1, players + 1)]
    return {"title": "18CZ", "players": names, "actions": numbered, **fields}


def bid(player: str, local: str, price: int) -> Plain:
    return {"type": "bid", "entity": player, "entity_type": "player", "company": local, "price": price}


def passing(entity: str, sort: str = "player") -> Plain:
    return {"type": "pass", "entity": entity, "entity_type": sort}


def par(player: str, company: str, price: int) -> Plain:
    return {
        "type": "par",
        "entity": player,
        "entity_type": "player",
        "corporation": company,
        "share_price": f"{price},0,{POSITION_OF[price]}",
    }


def imported(document: Plain, base: Position[State, Move] | None = None) -> Imported[Move]:
    return import_record(Record(document=document), base, Budget())


def played(result: Imported[Move], state: State | None = None) -> State:
    """The position after the moves of an import, as far as they are legal."""
    rules = EighteenCz(RULESET)
    if state is None:
        assert result.setup is not None
        state = rules.start(result.setup)
    for move in result.moves:
        outcome = rules.apply(state, move, Budget())
        if outcome.state is None:
            break
        state = outcome.state
    return state


NO_DRAFT = [passing("P1"), passing("P2"), passing("P3")]
"""Everybody passes at once: the first stock round begins, P1 first."""
