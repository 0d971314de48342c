"""The ability that a local gives the company that owns it, once (CZ-16.7)."""

from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.moves import LayPurpleTile, LayTile
from services.eighteen_cz.rules.queries import owned_locals
from services.eighteen_cz.rules.refusing import refuse
from services.eighteen_cz.rules.state import Local, State
from services.ruleset.answers import Event, Violation


def ability(local: str) -> facts.Ability:
    return facts.ABILITIES[facts.LOCALS[local].size]


def verify_ability(state: State, move: LayTile | LayPurpleTile, field: str, symbol: str) -> list[Violation]:
    """CZ-16.7: the company must own the local and its ability must be unused."""
    local = state.locals.get(symbol)
    if local is None:
        return [refuse(move, field, "CZ-1.3", "unknown_local", local=symbol)]
    values = {"company": move.actor, "local": symbol}
    if local.owner != move.actor:
        return [refuse(move, field, "CZ-16.7", "ability_not_owned", **values)]
    return [refuse(move, field, "CZ-16.7", "ability_spent", **values)] if local.spent else []


def unspent_locals(state: State, company: str) -> list[str]:
    """Locals of the company whose ability is unused, in listing order."""
    return [local.symbol for local in owned_locals(state, company) if not local.spent]


def spend(local: Local) -> Event:
    local.spent = True
    return Event("ability_used", "CZ-16.7", {"local": local.symbol, "company": local.owner})
