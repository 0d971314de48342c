"""Station tiles: their shape, what touches them, and where a curve visits them (SR-9.3, 9.5, 9.6)."""

from fractions import Fraction
from functools import lru_cache

from services.string_railway.rules import facts
from services.string_railway.rules.curves import Curve, Place
from services.string_railway.rules.planes import Box, Point, Spot, box_of, boxes_meet, orient, squared

Corners = tuple[Point, Point, Point, Point]


class Square:
    """A closed convex tile, corners counter-clockwise.  A point is inside an edge (a, b, c) when
    ax + by + c >= 0."""

    __slots__ = ("__weakref__", "box", "centre", "corners", "edges")

    def __init__(self, corners: tuple[Point, ...]) -> None:
        if orient(corners[0], corners[1], corners[2]) < 0:
            corners = corners[::-1]
        self.corners = corners
        self.box: Box = box_of(corners)
        self.centre: Spot = (sum(x for x, _ in corners), sum(y for _, y in corners), len(corners))
        self.edges: tuple[tuple[int, int, int], ...] = tuple(
            (ay - by, bx - ax, ax * by - bx * ay)
            for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True)
        )

    def has(self, place: Spot) -> bool:
        """Whether a point lies on the closed tile."""
        x, y, w = place
        return all(a * x + b * y + c * w >= 0 for a, b, c in self.edges)

    def has_point(self, point: Point) -> bool:
        x, y = point
        return all(a * x + b * y + c >= 0 for a, b, c in self.edges)

    def meets_segment(self, p: Point, q: Point) -> bool:
        """Whether the closed tile shares a point with a closed segment."""
        (px, py), (qx, qy) = p, q
        for a, b, c in self.edges:
            if a * px + b * py + c < 0 and a * qx + b * qy + c < 0:
                return False
        sides = [orient(p, q, corner) for corner in self.corners]
        return min(sides) <= 0 <= max(sides)

    def clip(self, p: Point, q: Point) -> tuple[Fraction | int, Fraction | int] | None:
        """Which part of a segment lies on the closed tile, as shares of the way from p to q."""
        (px, py), (qx, qy) = p, q
        low: Fraction | int = 0
        high: Fraction | int = 1
        for a, b, c in self.edges:
            at_p, at_q = a * px + b * py + c, a * qx + b * qy + c
            if at_p >= 0 and at_q >= 0:
                continue
            if at_p < 0 and at_q < 0:
                return None
            share = Fraction(at_p, at_p - at_q)
            if at_p < 0:
                low = max(low, share)
            else:
                high = min(high, share)
        return (low, high) if low <= high else None


@lru_cache(maxsize=4096)
def square(corners: tuple[Point, ...]) -> Square:
    """The tile with these corners, found again by identity."""
    return Square(corners)


def is_tile(corners: tuple[Point, ...]) -> bool:
    """Whether four points are the corners of a tile, in either orientation (SR-9.3)."""
    if len(corners) != 4:
        return False
    side, tolerance = facts.TILE_SIDE, facts.TILE_TOLERANCE
    least, most = (side - tolerance) ** 2, (side + tolerance) ** 2
    ring = (*corners[1:], corners[0])
    sides = all(least <= squared(a, b) <= most for a, b in zip(corners, ring, strict=True))
    diagonals = (squared(corners[0], corners[2]), squared(corners[1], corners[3]))
    return sides and all(2 * least <= diagonal <= 2 * most for diagonal in diagonals)


def squares_meet(one: Square, other: Square) -> bool:
    """Whether two closed tiles share a point: no edge of either has the other strictly outside."""
    if not boxes_meet(one.box, other.box):
        return False
    for tile, corners in ((one, other.corners), (other, one.corners)):
        for a, b, c in tile.edges:
            if all(a * x + b * y + c < 0 for x, y in corners):
                return False
    return True


@lru_cache(maxsize=65536)
def touches(line: Curve, tile: Square) -> bool:
    """Whether a curve shares a point with a closed tile."""
    if not boxes_meet(line.box, tile.box):
        return False
    return any(tile.meets_segment(*line.ends(segment[4])) for segment in line.near(tile.box))


Visit = tuple[Place, Place]
"""From which to which place of the curve it stays on a tile."""


def visits(line: Curve, tile: Square) -> list[Visit]:
    """The connected pieces that an open curve shares with a closed tile, along the curve."""
    if not boxes_meet(line.box, tile.box):
        return []
    found: list[Visit] = []
    for index in sorted(segment[4] for segment in line.near(tile.box)):
        part = tile.clip(*line.ends(index))
        if part is None:
            continue
        low, high = index + part[0], index + part[1]
        if found and found[-1][1] == low:
            found[-1] = (found[-1][0], high)
        else:
            found.append((low, high))
    return found
