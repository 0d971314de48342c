"""Starting stations (SR-2.6)."""

from services.ruleset.answers import Change, Event, Violation
from services.string_railway.rules import facts
from services.string_railway.rules.areas import where
from services.string_railway.rules.formats import free_id, verify_id
from services.string_railway.rules.moves import PlaceStart
from services.string_railway.rules.planes import rounded, squared
from services.string_railway.rules.refusing import refuse
from services.string_railway.rules.scenery import marks_along
from services.string_railway.rules.squares import square, squares_meet
from services.string_railway.rules.state import Boundary, State, Station
from services.string_railway.rules.table import area, boundary, tile

_PERSONS_FOR_OPPOSITE = 2


def opposite(of: Boundary, mark: int) -> int:
    """The mark opposite another one along the boundary, of four."""
    order = marks_along(of.ring, of.marks) or []
    vertex = {of.ring[vertex]: place for place, vertex in enumerate(order)}
    place = vertex[of.marks[mark]]
    across = of.ring[order[(place + len(order) // 2) % len(order)]]
    return of.marks.index(across)


def forced_mark(state: State, company: str) -> int | None:
    """The mark that a person's second company must take; None where there is a choice (SR-2.6)."""
    place = state.companies.index(company) - _PERSONS_FOR_OPPOSITE
    if len(state.players) != _PERSONS_FOR_OPPOSITE or place < 0:
        return None
    partner = _mark_of(state, state.companies[place])
    return None if partner is None else opposite(boundary(state), partner)


def reserved_mark(state: State, company: str) -> int | None:
    """The mark that the second of four companies must leave to the third (SR-2.6)."""
    if len(state.players) != _PERSONS_FOR_OPPOSITE or state.companies.index(company) != 1:
        return None
    first = _mark_of(state, state.companies[0])
    return None if first is None else opposite(boundary(state), first)


def _mark_of(state: State, company: str) -> int | None:
    return next((s.mark for s in state.stations if s.kind == facts.START and s.owner == company), None)


def verify_place_start(state: State, move: PlaceStart) -> list[Violation]:
    marks = boundary(state).marks
    own = square(move.corners)
    known = 0 <= move.mark < len(marks)
    found = []
    taken = next((s for s in state.stations if s.kind == facts.START and s.mark == move.mark), None)
    if known and taken is not None:
        found.append(
            refuse(move, "mark", "SR-2.6", "mark_taken", marks[move.mark], mark=move.mark, station=taken.id)
        )
    tolerance = facts.MARK_TOLERANCE
    if not known:
        found.append(refuse(move, "mark", "SR-2.6", "start_off_mark", mark=move.mark))
    elif all(squared(corner, marks[move.mark]) > tolerance**2 for corner in move.corners):
        found.append(refuse(move, "corners", "SR-2.6", "start_off_mark", marks[move.mark], mark=move.mark))
    if where(area(state), own.centre) != "inside":
        found.append(refuse(move, "corners", "SR-2.6", "start_outside", rounded(own.centre)))
    for station in state.stations:
        if squares_meet(own, tile(station)):
            at = rounded(tile(station).centre)
            found.append(refuse(move, "corners", "SR-2.6", "start_on_station", at, station=station.id))
            break
    if move.actor in state.companies:
        forced, reserved = forced_mark(state, move.actor), reserved_mark(state, move.actor)
        if (forced is not None and forced != move.mark) or reserved == move.mark:
            found.append(refuse(move, "mark", "SR-2.6", "start_not_opposite", mark=move.mark))
    return found + verify_id(state, move)


def do_place_start(state: State, move: PlaceStart) -> list[Event]:
    name = move.id or free_id((s.id for s in state.stations), move.actor[0].upper(), 0)
    corners = square(move.corners).corners
    state.stations.append(Station(name, facts.START, move.actor, corners, move.mark))
    before = state.scores[move.actor]
    points = facts.STATIONS[facts.START].setup_points
    state.scores[move.actor] = before + points
    place = state.companies.index(move.actor) + 1
    if place < len(state.companies):
        state.acting = state.companies[place]
    else:
        state.acting, state.phase = state.companies[0], "draw"
    return [
        Event(
            "start_placed",
            "SR-2.6",
            {"company": move.actor, "station": name, "points": points},
            (Change(move.actor, "points", before, before + points),),
        )
    ]
