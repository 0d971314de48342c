"""What happens when a train card leaves the stack or is upgraded: phases and rusting (CZ-14.7, 14.9, 15)."""

from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.facts import VERSIONS
from services.eighteen_cz.rules.refusing import Values
from services.eighteen_cz.rules.state import Pending, State
from services.ruleset.answers import Event


def take_top_card(state: State) -> str:
    """Takes the top card of the stack; returns its row."""
    for row, cards in state.stack.items():
        if cards:
            state.stack[row] = cards - 1
            return row
    return facts.LAST_ROW


def card_left(state: State, row: str, versions: tuple[str, ...]) -> list[Event]:
    """A card has left the stack, counting as bought in each of `versions` (CZ-14.9, 15)."""
    events = []
    if row > state.phase:
        state.phase = row
        events.append(Event("phase_began", "CZ-15", {"phase": row}))
        new_size = next((size for size in facts.SIZES if _opens(row, size)), "")
        if new_size and state.board == "bohemia":
            state.pending.insert(0, Pending("vaclav_company", size=new_size))
    events += rust(state, versions)
    return events


def _opens(row: str, size: str) -> bool:
    """Whether companies of this size become available with this phase."""
    before = facts.ROWS[facts.ROWS.index(row) - 1]
    return size in facts.PHASES[row].sizes and size not in facts.PHASES[before].sizes


def triggers(state: State, version: str) -> frozenset[str]:
    """The versions whose purchase rusts this one (CZ-14.7, D-3)."""
    known = VERSIONS[version]
    return known.rusts_on_if_six_express_rusts if state.switches.six_express_rusts_on_8Ej else known.rusts_on


def rust(state: State, bought: tuple[str, ...]) -> list[Event]:
    """Removes every train that rusts when these versions are bought, from companies and the pool."""
    gone = [v for v in VERSIONS if v not in state.rusted and not triggers(state, v).isdisjoint(bought)]
    if not gone:
        return []
    state.rusted += gone
    values: Values = {"versions": ", ".join(gone), "trigger": ", ".join(bought)}
    events = [Event("versions_rusted", "CZ-14.7", values)]
    for company in state.companies.values():
        lost = [version for version in company.trains if version in gone]
        if lost:
            company.trains = [version for version in company.trains if version not in gone]
            values = {"company": company.symbol, "trains": ", ".join(lost)}
            events.append(Event("trains_rusted", "CZ-14.7", values))
    state.pool = [version for version in state.pool if version not in gone]
    for pending in state.pending:
        if pending.kind == "acquired_trains":
            pending.trains = [version for version in pending.trains if version not in gone]
    return events


def export(state: State) -> list[Event]:
    """The top card leaves the game and counts as bought in each of its versions (CZ-14.9)."""
    row = take_top_card(state)
    return [Event("card_exported", "CZ-14.9", {"row": row}), *card_left(state, row, facts.ROW_VERSIONS[row])]
