"""One legal string for every pair of stations that a string can join (SR-10.5).

A recipe proposes strings; the rules judge each, and only one that they accept is offered.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, pairwise
from math import hypot
from typing import Final

from services.ruleset.protocol import Budget
from services.string_railway.rules import facts
from services.string_railway.rules.curves import Curve, curve, merged
from services.string_railway.rules.ground import Ground, Route
from services.string_railway.rules.laying import verify_lay_string, worth
from services.string_railway.rules.moves import LayString
from services.string_railway.rules.paying import Paid
from services.string_railway.rules.planes import boxes_meet, orient
from services.string_railway.rules.squares import Square, squares_meet
from services.string_railway.rules.state import Length, State, Station
from services.string_railway.rules.table import all_strings, area, length_bounds, tile
from services.string_railway.rules.waves import (
    LAYABLE_PITCH,
    TEETH,
    Vector,
    length_of,
    on_grid,
    towards,
    wave_on,
    waves,
)

CLEARANCES: Final = (3000, 1000, 300, 20)
"""How far a path keeps from obstacles, as long as that is not too long."""
DEPTHS: Final = (8000, 3000, 500, 10)
"""How far the ends of a string go into their tiles."""
_DEEP: Final = (10_000, 4000, 1000)
"""Half the length of a wave around the centre of a tile."""
_TRIES: Final = 24
"""How many proposals for one pair the rules are asked about at most."""


@dataclass(frozen=True, slots=True)
class Witness:
    """A legal string and what it brings."""

    move: LayString
    paid: Paid
    layable: bool  # a real string, 3 mm thick, can be laid so


class Weaver:
    """Proposes strings of one company in one position."""

    def __init__(self, state: State, company: str, budget: Budget) -> None:
        self.state, self.company, self.budget = state, company, budget
        self._ring = area(state)
        self._lines: list[Curve] = [self._ring, *(line for _, line in all_strings(state))]
        self._tiles = [tile(station) for station in state.stations]
        self._grounds: dict[tuple[tuple[Square, ...], int], Ground] = {}

    def witness(
        self, start: Station, end: Station, length: Length, route: Route, ground: Ground
    ) -> Witness | None:
        """A string of a class from one station to another; None where none of the proposals is legal."""
        limit = float(length_bounds(self.state, length)[1])
        paths = self._paths(tile(start), tile(end), limit, route, ground)
        return self.along(paths, start, end, length, _TRIES)

    def along(
        self, paths: Iterable[Sequence[Vector]], start: Station, end: Station, length: Length, tries: int
    ) -> Witness | None:
        """The first legal string that runs along one of these paths between two tiles."""
        proposals = self._proposals(paths, tile(start), tile(end), length)
        for path, pitch in islice(proposals, tries):
            if not self.budget.spend(100):
                return None
            found = self.judge(length, path, pitch)
            if found is not None:
                return found
        return None

    def judge(self, length: Length, path: Sequence[Vector], pitch: float = LAYABLE_PITCH) -> Witness | None:
        """The string along a path, if it is legal."""
        points = merged(on_grid(path))
        if not 2 <= len(points) <= facts.MOST_VERTICES:
            return None
        move = LayString(self.company, length, points)
        if verify_lay_string(self.state, move):
            return None
        return Witness(move, worth(self.state, self.company, curve(points)), pitch >= LAYABLE_PITCH)

    def _proposals(
        self, paths: Iterable[Sequence[Vector]], start: Square, end: Square, length: Length
    ) -> Iterator[tuple[Sequence[Vector], float]]:
        low, high = (float(bound) for bound in length_bounds(self.state, length))
        aim = max(low, min(facts.STRING_LENGTHS[length], high)) if low else 0.0
        for path in paths:
            for straight_on in (True, False):
                yield from self._lengthened(path, start, end, straight_on, low, aim, high)
            yield from self._waved_in_tiles(path, start, end, low, aim, high)

    def _lengthened(
        self,
        path: Sequence[Vector],
        start: Square,
        end: Square,
        straight_on: bool,
        low: float,
        aim: float,
        high: float,
    ) -> Iterator[tuple[Sequence[Vector], float]]:
        """The path with its ends as deep in the tiles as it takes, else with a wave on the way."""
        needed = (aim - length_of(path)) / 2
        for depth in (needed, *DEPTHS):
            deeper = self._into(path, start, end, depth, straight_on) if depth > 0 else None
            if deeper is None:
                continue
            own = length_of(deeper)
            if low + 2 * len(deeper) <= own <= high - 2 * len(deeper):
                yield deeper, LAYABLE_PITCH
            elif own < low:
                yield from self._waved(deeper, aim - own)
                return

    def _paths(
        self, start: Square, end: Square, limit: float, route: Route, ground: Ground
    ) -> Iterator[list[Vector]]:
        """Short paths, those that keep clear of obstacles first."""
        for clearance in CLEARANCES if ground.obstacles else ():
            clear = self._inflated(ground, clearance)
            if all(clear.is_free(a, b) for a, b in pairwise(route.spots)):
                break
            found = clear.routes(start, [end], self.budget, limit)[0]
            if found is not None:
                yield vectors(found)
                break
        yield vectors(route)

    def _inflated(self, ground: Ground, clearance: int) -> Ground:
        key = (tuple(ground.obstacles), clearance)
        found = self._grounds.get(key)
        if found is None:
            found = self._grounds[key] = Ground(
                self._ring, [_inflate(obstacle, clearance) for obstacle in ground.obstacles]
            )
        return found

    def _into(
        self, path: Sequence[Vector], start: Square, end: Square, depth: float, straight_on: bool
    ) -> list[Vector] | None:
        """The path with both ends so deep in their tiles: straight on, or towards the centre; None where
        a tile is not so deep."""
        ends = []
        for own, gate, before in ((start, path[0], path[1]), (end, path[-1], path[-2])):
            if straight_on:
                inner = towards(gate, before, -depth)
            elif depth <= _distance(gate, _centre(own)):
                inner = towards(gate, _centre(own), depth)
            else:
                return None
            if not own.has_point((round(inner[0]), round(inner[1]))):
                return None
            ends.append(inner)
        return [ends[0], *path[1:-1], ends[1]]

    def _waved(self, path: Sequence[Vector], missing: float) -> Iterator[tuple[Sequence[Vector], float]]:
        for wave in waves(path, missing):
            if self._is_empty(wave.strip(), path, wave.leg):
                yield _replaced(path, wave.leg, wave.points()), wave.pitch

    def _is_empty(self, strip: Sequence[Vector], path: Sequence[Vector], leg: int) -> bool:
        """Whether nothing lies in the strip of a wave, and nothing of the path but its own leg."""
        self.budget.spend()
        corners = on_grid(strip)
        if orient(corners[0], corners[1], corners[2]) == 0:
            return False
        filled = Square(corners)
        box = filled.box
        if any(boxes_meet(box, other.box) and squares_meet(filled, other) for other in self._tiles):
            return False
        for line in self._lines:
            if any(filled.meets_segment(*line.ends(segment[4])) for segment in line.near(box)):
                return False
        legs = list(pairwise(on_grid(path)))
        del legs[leg]
        return not any(filled.meets_segment(a, b) for a, b in legs if a != b)

    def _waved_in_tiles(
        self, path: Sequence[Vector], start: Square, end: Square, low: float, aim: float, high: float
    ) -> Iterator[tuple[Sequence[Vector], float]]:
        """A wave around the centre of the first or the last tile, where crossings are free."""
        for own, line, ends_first in ((start, path, True), (end, path[::-1], False)):
            centre, gate = _centre(own), line[0]
            if _distance(gate, centre) < 1:
                continue
            far, other = line[-1], end if ends_first else start
            for deep in _DEEP:
                inner = towards(centre, gate, -deep)
                outer = towards(centre, gate, min(deep, _distance(gate, centre)))
                last = towards(far, _centre(other), min(deep / 4, _distance(far, _centre(other))))
                whole = [inner, outer, *line[1:-1], last]
                missing = aim - length_of(whole)
                if low - aim <= -missing <= high - aim - 2 * len(whole):
                    yield (whole if ends_first else whole[::-1]), LAYABLE_PITCH
                if missing <= 0:
                    continue
                for teeth in TEETH[2:]:
                    for wave in wave_on(whole, 0, 0.05, 0.95, missing, teeth):
                        if all(own.has_point(corner) for corner in on_grid(wave.strip())):
                            found = _replaced(whole, 0, wave.points())
                            yield (found if ends_first else found[::-1]), wave.pitch


def vectors(route: Route) -> list[Vector]:
    """The bends of a route as floating-point numbers."""
    return [(x / w, y / w) for x, y, w in route.spots]


def _centre(of: Square) -> Vector:
    x, y, w = of.centre
    return x / w, y / w


def _distance(a: Vector, b: Vector) -> float:
    return hypot(a[0] - b[0], a[1] - b[1])


def _replaced(path: Sequence[Vector], leg: int, points: Sequence[Vector]) -> list[Vector]:
    return [*path[: leg + 1], *points, *path[leg + 1 :]]


def _inflate(obstacle: Square, clearance: int) -> Square:
    """The obstacle grown on all sides."""
    cx, cy, w = obstacle.centre
    grown = Fraction(facts.TILE_SIDE // 2 + clearance, facts.TILE_SIDE // 2)
    x, y = Fraction(cx, w), Fraction(cy, w)
    return Square(
        tuple((round(x + (a - x) * grown), round(y + (b - y) * grown)) for a, b in obstacle.corners)
    )
