"""Whose turn it is and what belongs to the phase (SR-2.1, 3.1, 4.1)."""

from typing import Final

from services.ruleset.answers import CHANCE, Turn, Violation
from services.string_railway.rules.moves import Move
from services.string_railway.rules.refusing import KIND_PATHS, refuse
from services.string_railway.rules.state import Phase, State
from services.string_railway.rules.table import player_facts

PHASE_KINDS: Final[dict[Phase, tuple[str, ...]]] = {
    "boundary": ("setup_boundary",),
    "river": ("setup_river",),
    "mountain": ("setup_mountain",),
    "start": ("place_start",),
    "draw": ("draw",),
    "place": ("place_station", "set_aside"),
    "lay": ("lay_string", "pass"),
    "over": (),
}
SETUP_PHASES: Final[tuple[Phase, ...]] = ("boundary", "river", "mountain")
"""Duties of set-up after the shuffle, in order."""

OVER: Final = Turn("", (), "", (), over=True)


def with_duty(state: State, phase: Phase) -> str:
    """The company that lays this string of the set-up (SR-2.1)."""
    return state.companies[player_facts(state).duties[1 + SETUP_PHASES.index(phase)]]


def seat_of(state: State, company: str) -> str:
    return next(player.seat for player in state.players if company in player.companies)


def turn(state: State) -> Turn:
    """Who must act.  Where the table draws, drawing is chance's."""
    if state.phase == "over":
        return OVER
    kinds = PHASE_KINDS[state.phase]
    if state.phase == "draw" and state.chance.mode == "external":
        return Turn(CHANCE, (), state.phase, kinds)
    return Turn(state.acting, (seat_of(state, state.acting),), state.phase, kinds)


def verify_turn(state: State, move: Move) -> list[Violation]:
    """Whether this company may act, and with this kind of move."""
    found = []
    drawn_by_table = move.actor == CHANCE and move.kind == "draw" and state.chance.mode == "external"
    if state.phase != "over" and move.actor != state.acting and not drawn_by_table:
        values = {"seat": move.actor[:40], "actor": state.acting}
        found.append(Violation("SR-3.1", "not_your_turn", values, "actor"))
    if move.kind in PHASE_KINDS[state.phase]:
        return found
    if state.phase == "place" and move.kind in PHASE_KINDS["lay"]:
        tiles = ", ".join(state.pending)
        found.append(refuse(move, "", "SR-4.1", "tiles_pending", tiles=tiles, count=len(state.pending)))
    else:
        values = {"move": move.kind, "phase": state.phase}
        found.append(Violation("SR-3.1", "wrong_phase", values, KIND_PATHS[move.kind]))
    return found
