"""The strings of the set-up: boundary, river and mountain (SR-2.3 to 2.5)."""

from fractions import Fraction
from itertools import combinations, pairwise

from services.ruleset.answers import Event, Violation
from services.string_railway.rules import facts
from services.string_railway.rules.areas import outside_stretches, where
from services.string_railway.rules.curves import Curve, curve, merged, self_contact
from services.string_railway.rules.lengths import compare, rounded_length, squares
from services.string_railway.rules.moves import SetupBoundary, SetupMountain, SetupRiver
from services.string_railway.rules.planes import Point, millimetres, rounded, squared
from services.string_railway.rules.refusing import refuse
from services.string_railway.rules.state import Boundary, State
from services.string_railway.rules.table import area, player_facts
from services.string_railway.rules.turn import with_duty


def _is_within(of: list[int], nominal: int, low: Fraction, high: Fraction) -> bool:
    return compare(of, low * nominal) >= 0 and compare(of, high * nominal) <= 0


def verify_boundary(state: State, move: SetupBoundary) -> list[Violation]:
    """SR-2.3; the shape is looked at only where all else is well."""
    ring = curve(merged(move.ring, closed=True), True)
    found = []
    touching = self_contact(ring)
    if touching is not None:
        found.append(refuse(move, "ring", "SR-2.3", "boundary_self_contact", touching))
    own = squares(ring.points, closed=True)
    nominal = facts.BOUNDARY if state.options.chaos else player_facts(state).perimeter
    if not _is_within(own, nominal, facts.SETUP_LOW, facts.SETUP_HIGH):
        length, wanted = millimetres(rounded_length(own)), millimetres(nominal)
        found.append(refuse(move, "ring", "SR-2.3", "boundary_length", length=length, nominal=wanted))
    marks = marks_along(ring.points, move.marks)
    wanted_marks = player_facts(state).marks
    if marks is None or len(marks) != wanted_marks or len(move.marks) != wanted_marks:
        count = len(move.marks)
        found.append(refuse(move, "marks", "SR-2.3", "boundary_marks", count=count, expected=wanted_marks))
    elif not _marks_are_apart(state, own, marks):
        gap = millimetres(player_facts(state).gap)
        found.append(refuse(move, "marks", "SR-2.3", "boundary_marks", gap=gap))
    elif not (found or state.options.chaos or _has_shape(state, [ring.points[each] for each in marks])):
        found.append(refuse(move, "ring", "SR-2.3", "boundary_shape", corners=wanted_marks))
    return found


def marks_along(ring: tuple[Point, ...], marks: tuple[Point, ...]) -> list[int] | None:
    """The vertices of the ring at which distinct marks lie, along it; None when one lies at no vertex."""
    vertices: dict[Point, int] = {}
    for vertex, point in enumerate(ring):
        vertices.setdefault(point, vertex)
    found = {vertices.get(mark, -1) for mark in marks}
    return None if -1 in found else sorted(found)


def _marks_are_apart(state: State, own: list[int], marks: list[int]) -> bool:
    gaps = [own[a:b] for a, b in pairwise(marks)]
    gaps.append(own[marks[-1] :] + own[: marks[0]])
    gap = player_facts(state).gap
    nominal = [gap] * len(gaps)
    if state.options.chaos and len(state.companies) == 3:
        nominal[-1] = 2 * gap  # three of the four white marks are used (SR-8.4)
    low, high = facts.SETUP_LOW, facts.SETUP_HIGH
    return any(
        all(
            _is_within(gaps[(start + index) % len(gaps)], wanted, low, high)
            for index, wanted in enumerate(nominal)
        )
        for start in range(len(gaps))
    )


def _has_shape(state: State, corners: list[Point]) -> bool:
    """Whether square, triangle or pentagon are regular enough."""
    gap = player_facts(state).gap
    count = len(corners)
    for a, b in combinations(range(count), 2):
        distance = squared(corners[a], corners[b])
        if b - a in (1, count - 1):
            low, high = facts.SETUP_LOW**2, facts.SETUP_HIGH**2
        else:
            ratio = Fraction(2) if count == 4 else facts.PENTAGON_DIAGONAL**2
            low, high = facts.DIAGONAL_LOW**2 * ratio, facts.DIAGONAL_HIGH**2 * ratio
        if not low * gap**2 <= distance <= high * gap**2:
            return False
    return True


def do_boundary(state: State, move: SetupBoundary) -> list[Event]:
    state.boundary = Boundary(merged(move.ring, closed=True), move.marks)
    state.phase = "river"
    state.acting = with_duty(state, "river")
    return [Event("boundary_laid", "SR-2.3", {"actor": move.actor})]


def verify_river(state: State, move: SetupRiver) -> list[Violation]:
    """SR-2.4"""
    line = curve(merged(move.path))
    found = []
    touching = self_contact(line)
    if touching is not None:
        found.append(refuse(move, "path", "SR-2.4", "river_self_contact", touching))
    own = squares(line.points)
    if not _is_within(own, facts.RIVER, facts.SETUP_LOW, facts.SETUP_HIGH):
        length, wanted = millimetres(rounded_length(own)), millimetres(facts.RIVER)
        found.append(refuse(move, "path", "SR-2.4", "river_length", length=length, nominal=wanted))
    off = _river_leaves(line, area(state))
    if off is not None:
        found.append(refuse(move, "path", "SR-2.4", "river_outside", off))
    return found


def _river_leaves(line: Curve, ring: Curve) -> Point | None:
    """Where a river is outside as it may not be: it may cross the boundary once, at one end."""
    out = outside_stretches(line, ring)
    if not out:
        return None
    starts_out, ends_out = (where(ring, line.spot(end)) == "outside" for end in (0, len(line.points) - 1))
    if len(out) == 1 and starts_out != ends_out:
        return None
    return rounded(line.spot(out[-1].low))


def do_river(state: State, move: SetupRiver) -> list[Event]:
    state.river = merged(move.path)
    state.phase = "mountain"
    state.acting = with_duty(state, "mountain")
    return [Event("river_laid", "SR-2.4", {"actor": move.actor})]


def verify_mountain(state: State, move: SetupMountain) -> list[Violation]:
    """SR-2.5"""
    ring = curve(merged(move.ring, closed=True), True)
    found = []
    touching = self_contact(ring)
    if touching is not None:
        found.append(refuse(move, "ring", "SR-2.5", "mountain_self_contact", touching))
    own = squares(ring.points, closed=True)
    if not _is_within(own, facts.MOUNTAIN, facts.SETUP_LOW, facts.SETUP_HIGH):
        length, wanted = millimetres(rounded_length(own)), millimetres(facts.MOUNTAIN)
        found.append(refuse(move, "ring", "SR-2.5", "mountain_length", length=length, nominal=wanted))
    out = outside_stretches(ring, area(state))
    if out:
        found.append(refuse(move, "ring", "SR-2.5", "mountain_outside", rounded(ring.spot(out[0].low))))
    return found


def do_mountain(state: State, move: SetupMountain) -> list[Event]:
    state.mountain = merged(move.ring, closed=True)
    state.phase = "start"
    state.acting = state.companies[0]
    return [Event("mountain_laid", "SR-2.5", {"actor": move.actor})]
