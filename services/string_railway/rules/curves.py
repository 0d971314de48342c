"""Polylines: how given vertices become a curve, and whether a curve touches itself (SR-9.2, 5.4).

A place on a curve is a number: the index of a segment plus the share of the way along it; whole numbers
are vertices.  Curves are made once for the same vertices, so that they can be found again by identity.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

from services.string_railway.rules.planes import (
    Box,
    Point,
    Spot,
    box_of,
    orient,
    segments_meet,
    spot_between,
)

Place = Fraction | int
Boxed = tuple[int, int, int, int, int]
"""The box of a segment and the segment's index."""


class Curve:
    """An open or closed polyline without repeated vertices."""

    __slots__ = ("__weakref__", "box", "closed", "points", "segments")

    def __init__(self, points: tuple[Point, ...], closed: bool) -> None:
        self.points = points
        self.closed = closed
        self.box: Box = box_of(points)
        boxed: list[Boxed] = []
        ends = (*points[1:], points[0]) if closed else points[1:]
        for index, ((ax, ay), (bx, by)) in enumerate(zip(points, ends, strict=False)):
            left, right = (ax, bx) if ax < bx else (bx, ax)
            bottom, top = (ay, by) if ay < by else (by, ay)
            boxed.append((left, bottom, right, top, index))
        self.segments: tuple[Boxed, ...] = tuple(sorted(boxed))
        """By their left side."""

    def ends(self, segment: int) -> tuple[Point, Point]:
        """The first and last point of a segment."""
        points = self.points
        return points[segment], points[segment + 1 if segment + 1 < len(points) else 0]

    def direction(self, segment: int) -> Point:
        (ax, ay), (bx, by) = self.ends(segment)
        return bx - ax, by - ay

    def spot(self, place: Place) -> Spot:
        """The point at a place."""
        segment = int(place)
        if segment == place:
            x, y = self.points[segment]
            return x, y, 1
        return spot_between(*self.ends(segment), place - segment)

    def near(self, box: Box) -> list[Boxed]:
        """The segments whose boxes meet a box, by their left side."""
        left, bottom, right, top = box
        return [s for s in self.segments if s[0] <= right and s[2] >= left and s[1] <= top and s[3] >= bottom]


@lru_cache(maxsize=4096)
def curve(points: tuple[Point, ...], closed: bool = False) -> Curve:
    """The curve through these vertices, which `merged` has made."""
    return Curve(points, closed)


def merged(points: Sequence[Point], closed: bool = False) -> tuple[Point, ...]:
    """The vertices without repetitions of the one before; a closed curve does not repeat its first.

    >>> merged([(0, 0), (0, 0), (5, 0), (0, 0)], closed=True)
    ((0, 0), (5, 0))
    """
    found: list[Point] = []
    for x, y in points:
        if not found or found[-1] != (x, y):
            found.append((x, y))
    while closed and len(found) > 1 and found[-1] == found[0]:
        found.pop()
    return tuple(found)


def self_contact(line: Curve) -> Point | None:
    """A vertex near which a curve touches, crosses or folds back on itself; None when it does not."""
    last = len(line.segments) - 1
    active: list[Boxed] = []
    for segment in line.segments:
        left, bottom, _, top, index = segment
        active = [other for other in active if other[2] >= left]
        for other in active:
            if other[1] > top or other[3] < bottom:
                continue
            first, second = (index, other[4]) if index < other[4] else (other[4], index)
            a, b = line.ends(first)
            c, d = line.ends(second)
            if second == first + 1:
                if _folds(a, b, d):
                    return b
            elif line.closed and first == 0 and second == last:
                if _folds(c, d, b):
                    return d
            elif segments_meet(a, b, c, d):
                return b
        active.append(segment)
    return None


def _folds(a: Point, b: Point, c: Point) -> bool:
    """Whether b -> c runs straight back over a -> b."""
    return orient(a, b, c) == 0 and (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]) < 0


def near_pairs(one: Curve, other: Curve) -> Iterator[tuple[int, int]]:
    """The indices of segments of two curves whose boxes meet."""
    queue = [(s, False) for s in one.near(other.box)]
    if not queue:
        return
    queue += [(s, True) for s in other.near(one.box)]
    queue.sort()
    active: tuple[list[Boxed], list[Boxed]] = ([], [])
    for segment, is_other in queue:
        left, bottom, _, top, index = segment
        against = [s for s in active[not is_other] if s[2] >= left]
        active[not is_other][:] = against
        for s in against:
            if s[1] <= top and s[3] >= bottom:
                yield (s[4], index) if is_other else (index, s[4])
        active[is_other].append(segment)
