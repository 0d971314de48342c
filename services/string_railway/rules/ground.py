"""Where a path may run, and shortest paths there (SR-10.4).

Distances are floating-point numbers that only choose among candidates; whether a leg is free and, in the
end, how long a path is, is decided exactly.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from heapq import heappop, heappush
from itertools import pairwise
from math import hypot, inf

from services.ruleset.protocol import Budget
from services.string_railway.rules.areas import outside_stretches, where
from services.string_railway.rules.curves import Curve, curve
from services.string_railway.rules.planes import Box, Point, Spot, boxes_meet, orient, spot
from services.string_railway.rules.squares import Square

Exit = tuple[Spot, Spot]
"""A part of a tile's edge that lies in the play area."""
Line = tuple[float, bool, Spot, Exit]
"""A straight line between two tiles: its length, whether its given end is on the tile where the path starts,
that end, the edge of the other tile to whose nearest point it runs."""
_NEAR_ENOUGH = 1e-6


@dataclass(frozen=True, slots=True)
class Route:
    """A shortest path between two tiles: its bends, its length in micrometres, and whether it touches
    an obstacle, so that a string must be longer than it."""

    spots: tuple[Spot, ...]
    length: float
    touches: bool

    def squares(self) -> list[Fraction]:
        """The exact squared lengths of its legs."""
        return [_squared(a, b) for a, b in pairwise(self.spots)]


@lru_cache(maxsize=256)
def reflex_corners(ring: Curve) -> tuple[Point, ...]:
    """The vertices at which a ring bends into its inside; none where it is convex."""
    points = ring.points
    area = sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(points, (*points[1:], points[0]), strict=True))
    return tuple(
        points[i]
        for i in range(len(points))
        if orient(points[i - 1], points[i], points[(i + 1) % len(points)]) * area < 0
    )


@lru_cache(maxsize=4096)
def exits(tile: Square, ring: Curve) -> tuple[Exit, ...]:
    """Where a path may leave a tile, or enter it."""
    found: list[Exit] = []
    corners = tile.corners
    for a, b in zip(corners, (*corners[1:], corners[0]), strict=True):
        edge = curve((a, b))
        start: Fraction | int = 0
        for out in outside_stretches(edge, ring):
            if start < out.low:
                found.append((edge.spot(start), edge.spot(out.low)))
            start = out.high
        if start < 1:
            found.append((edge.spot(start), edge.spot(1)))
    return tuple(found)


class Ground:
    """The play area less the obstacles of one company's string between two kinds of ends."""

    def __init__(self, ring: Curve, obstacles: Sequence[Square]) -> None:
        self.ring = ring
        self.obstacles = obstacles
        self.convex = not reflex_corners(ring)
        corners = (corner for tile in obstacles for corner in tile.corners)
        self.nodes: tuple[Point, ...] = (
            *(corner for corner in corners if where(ring, spot(corner)) != "outside"),
            *reflex_corners(ring),
        )
        self._seen: dict[tuple[int, int], bool] = {}

    def is_free(self, a: Spot, b: Spot) -> bool:
        """Whether a leg stays in the area and enters no obstacle; it may touch both."""
        if not self._is_clear(a, b):
            return False
        return self.convex or _stays_inside(self.ring, a, b)

    def _is_clear(self, a: Spot, b: Spot) -> bool:
        box = _box(a, b)
        return not any(boxes_meet(tile.box, box) and _part(tile, a, b) == "enters" for tile in self.obstacles)

    def is_touched(self, a: Spot, b: Spot) -> bool:
        """Whether a leg shares a point with an obstacle."""
        box = _box(a, b)
        return any(boxes_meet(tile.box, box) and _part(tile, a, b) != "misses" for tile in self.obstacles)

    def _sees(self, i: int, j: int) -> bool:
        key = (i, j) if i < j else (j, i)
        seen = self._seen.get(key)
        if seen is None:
            seen = self._seen[key] = self.is_free(spot(self.nodes[i]), spot(self.nodes[j]))
        return seen

    def _direct(self, lines: Sequence[Line]) -> Route | None:
        """The first of some straight lines between two tiles that is free."""
        for length, starts_here, one, way in lines:
            foot = _foot(one, way)
            if self.is_free(one, foot):
                return self._route((one, foot) if starts_here else (foot, one), length)
        return None

    def _route(self, spots: tuple[Spot, ...], length: float) -> Route:
        return Route(spots, length, any(self.is_touched(a, b) for a, b in pairwise(spots)))

    def routes(
        self, start: Square, ends: Sequence[Square], budget: Budget, limit: float = inf
    ) -> list[Route | None]:
        """The shortest path from a tile to each of others; None where there is none within the limit."""
        lines = [self._lines(start, end, limit) for end in ends]
        found = [self._direct(each) for each in lines]
        if not self.nodes:
            return found
        open_ends = [
            index
            for index, (route, each) in enumerate(zip(found, lines, strict=True))
            if each and (route is None or route.length > each[0][0] + _NEAR_ENOUGH)
        ]
        if not open_ends:
            return found
        best, before = self._from(start, budget, limit)
        for index in open_ends:
            route = found[index]
            shortest = route.length if route else limit
            ways = exits(ends[index], self.ring)
            for node, length in sorted(best.items(), key=lambda item: item[1]):
                if length >= shortest:
                    break
                for leg, way in _to_edges(self.nodes[node], ways):
                    if length + leg >= shortest - _NEAR_ENOUGH:
                        break
                    budget.spend()
                    last = _foot(spot(self.nodes[node]), way)
                    if self.is_free(spot(self.nodes[node]), last):
                        shortest = length + leg
                        found[index] = self._route((*self._trace(node, before), last), shortest)
                        break
        return found

    def _lines(self, start: Square, end: Square, limit: float) -> list[Line]:
        """The straight lines between two tiles within the limit, free or not, the shortest first."""
        if _gap(start.box, end.box) > limit:
            return []
        lines = _straight_lines(exits(start, self.ring), exits(end, self.ring))
        return sorted((line for line in lines if line[0] <= limit), key=lambda line: line[0])

    def _from(
        self, start: Square, budget: Budget, limit: float
    ) -> tuple[dict[int, float], dict[int, tuple[int, Spot]]]:
        """Distances of nodes from a tile, and for each the node (or -1 and the point of the tile) before."""
        best: dict[int, float] = {}
        before: dict[int, tuple[int, Spot]] = {}
        queue: list[tuple[float, int, int, Spot]] = []
        ways = exits(start, self.ring)
        for node, point in enumerate(self.nodes):
            for length, way in _to_edges(point, ways):
                if length > limit:
                    break
                budget.spend()
                foot = _foot(spot(point), way)
                if self.is_free(foot, spot(point)):
                    heappush(queue, (length, node, -1, foot))
                    break
        while queue:
            length, node, previous, foot = heappop(queue)
            if node in best:
                continue
            best[node], before[node] = length, (previous, foot)
            x, y = self.nodes[node]
            for other, (ox, oy) in enumerate(self.nodes):
                if other in best:
                    continue
                total = length + hypot(x - ox, y - oy)
                budget.spend()
                if total <= limit and self._sees(node, other):
                    heappush(queue, (total, other, node, foot))
        return best, before

    def _trace(self, node: int, before: dict[int, tuple[int, Spot]]) -> tuple[Spot, ...]:
        spots: list[Spot] = []
        while True:
            spots.append(spot(self.nodes[node]))
            previous, foot = before[node]
            if previous < 0:
                return (foot, *reversed(spots))
            node = previous


def _box(a: Spot, b: Spot) -> Box:
    """A box of whole numbers around two points."""
    (ax, ay, aw), (bx, by, bw) = a, b
    return (
        min(ax // aw, bx // bw),
        min(ay // aw, by // bw),
        max(-(-ax // aw), -(-bx // bw)),
        max(-(-ay // aw), -(-by // bw)),
    )


def _part(tile: Square, p: Spot, q: Spot) -> str:
    """How a leg meets a tile: `enters` its inside, `touches` its edge, `misses` it."""
    (px, py, pw), (qx, qy, qw) = p, q
    low: Fraction | int = 0
    high: Fraction | int = 1
    grazes = False
    for a, b, c in tile.edges:
        at_p, at_q = (a * px + b * py + c * pw) * qw, (a * qx + b * qy + c * qw) * pw
        if at_p < 0 and at_q < 0:
            return "misses"
        if at_p <= 0 and at_q <= 0:
            grazes = True
        if at_p < 0:
            low = max(low, Fraction(at_p, at_p - at_q))
        elif at_q < 0:
            high = min(high, Fraction(at_p, at_p - at_q))
    if low > high:
        return "misses"
    return "touches" if low == high or grazes else "enters"


def _stays_inside(ring: Curve, a: Spot, b: Spot) -> bool:
    """Whether a leg has no piece strictly outside the area, exactly."""
    scale = a[2] * b[2]
    if scale == 1:
        return not outside_stretches(Curve((a[:2], b[:2]), False), ring) if a != b else True
    ends = ((a[0] * b[2], a[1] * b[2]), (b[0] * a[2], b[1] * a[2]))
    if ends[0] == ends[1]:
        return True
    scaled = Curve(tuple((x * scale, y * scale) for x, y in ring.points), True)
    return not outside_stretches(Curve(ends, False), scaled)


def _squared(a: Spot, b: Spot) -> Fraction:
    w = a[2] * b[2]
    return Fraction((a[0] * b[2] - b[0] * a[2]) ** 2 + (a[1] * b[2] - b[1] * a[2]) ** 2, w * w)


def _foot(of: Spot, way: Exit) -> Spot:
    """The exact nearest point of an edge."""
    (px, py, pw), (ax, ay, aw), (bx, by, bw) = of, *way
    if pw == aw == bw == 1:
        dx, dy = bx - ax, by - ay
        along, whole = (px - ax) * dx + (py - ay) * dy, dx * dx + dy * dy
        if along <= 0:
            return way[0]
        if along >= whole:
            return way[1]
        return ax * whole + along * dx, ay * whole + along * dy, whole
    p, a, b = ((Fraction(x, w), Fraction(y, w)) for x, y, w in (of, *way))
    dx_, dy_ = b[0] - a[0], b[1] - a[1]
    share = ((p[0] - a[0]) * dx_ + (p[1] - a[1]) * dy_) / (dx_ * dx_ + dy_ * dy_)
    if share <= 0:
        return way[0]
    if share >= 1:
        return way[1]
    x, y = a[0] + share * dx_, a[1] + share * dy_
    w = x.denominator * y.denominator
    return x.numerator * y.denominator, y.numerator * x.denominator, w


def _distance(x: float, y: float, ax: float, ay: float, bx: float, by: float) -> float:
    dx, dy = bx - ax, by - ay
    whole = dx * dx + dy * dy
    share = ((x - ax) * dx + (y - ay) * dy) / whole if whole else 0.0
    share = 0.0 if share < 0 else 1.0 if share > 1 else share
    return hypot(x - ax - share * dx, y - ay - share * dy)


@lru_cache(maxsize=4096)
def _floats(ways: tuple[Exit, ...]) -> tuple[tuple[float, float, float, float], ...]:
    return tuple((a[0] / a[2], a[1] / a[2], b[0] / b[2], b[1] / b[2]) for a, b in ways)


def _to_edges(point: Point, ways: tuple[Exit, ...]) -> list[tuple[float, Exit]]:
    """The distances of a point from some edges, the nearest first."""
    x, y = point
    found = [(_distance(x, y, *edge), way) for edge, way in zip(_floats(ways), ways, strict=True)]
    return sorted(found, key=lambda each: each[0])


def _gap(one: Box, other: Box) -> float:
    """How far two boxes are apart."""
    return hypot(max(one[0] - other[2], other[0] - one[2], 0), max(one[1] - other[3], other[1] - one[3], 0))


def _straight_lines(starts: tuple[Exit, ...], ends: tuple[Exit, ...]) -> Iterator[Line]:
    """Every line from an end of an edge to the nearest point of an edge of the other tile.  Ends that the
    edges of a tile share are taken once."""
    for ways, others, starts_here in ((starts, ends, True), (ends, starts, False)):
        edges = tuple(zip(_floats(others), others, strict=True))
        for end in dict.fromkeys(corner for way in ways for corner in way):
            x, y = end[0] / end[2], end[1] / end[2]
            for edge, other in edges:
                yield _distance(x, y, *edge), starts_here, end, other
