"""Where a tile of a given angle may lie (SR-10.1): polygons with holes for its centre.

Everything that the tile must not touch is grown by the tile, which is a square with sides along the axes
once the table is turned.  Strings are grown in pieces that run one way on both axes, because then two
shifted copies of the piece and the corners at its ends are the outline.  All is grown by two to three steps
of the grid too much, by a little more for each piece: so every grid point of the result is accepted, and
no two outlines coincide.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, hypot, radians, sin, sqrt
from typing import Final

from services.ruleset.protocol import Budget
from services.string_railway.rules import facts
from services.string_railway.rules.areas import contains
from services.string_railway.rules.curves import Curve
from services.string_railway.rules.outlines import (
    Loop,
    NotGeneral,
    Vertex,
    area_of,
    is_within,
    union_outline,
)
from services.string_railway.rules.planes import Point
from services.string_railway.rules.state import State
from services.string_railway.rules.table import all_strings, area, tile
from services.string_railway.rules.turning import DEGREE

ANGLES: Final = tuple(degrees * DEGREE for degrees in range(0, 90, 15))
"""The angles that are offered where none is asked for."""
_MARGIN: Final = 2.0
_SPREADS: Final = (0.6180339887, 0.4142135624, 0.7320508076, 0.2360679775)
"""How the extra margins of successive pieces are spread; another one is tried when loops do not close."""
_SCANS: Final = 10
_MEASURED: Final = 3
"""Lines through a region, and how many middles of long chords are measured, in search of a witness."""


@dataclass(frozen=True, slots=True)
class Region:
    """A connected set of legal centres: an outer ring, counter-clockwise, and holes, clockwise.

    `witness` is a centre far from the edge.
    """

    outer: tuple[Point, ...]
    holes: tuple[tuple[Point, ...], ...]
    area: int  # square micrometres
    witness: Point


def tile_regions(state: State, angle: int, budget: Budget) -> tuple[Region, ...]:
    """The regions of one angle (millionths of a degree), the largest first."""
    turned = _Turn(angle)
    pieces, corners = _pieces(state, turned)
    for spread in _SPREADS:
        budget.spend(100)
        try:
            loops = union_outline(_grown(pieces, corners, spread))
        except NotGeneral:
            continue
        return tuple(_regions(area(state), loops, turned))
    return ()


class _Turn:
    """Turns the table so that the tile's sides lie along the axes, and back."""

    def __init__(self, angle: int) -> None:
        self._cos, self._sin = cos(radians(angle / DEGREE)), sin(radians(angle / DEGREE))

    def there(self, point: Point) -> Vertex:
        x, y = point
        return x * self._cos + y * self._sin, y * self._cos - x * self._sin

    def back(self, vertex: Vertex) -> Point:
        x, y = vertex
        return round(x * self._cos - y * self._sin), round(x * self._sin + y * self._cos)


def _pieces(state: State, turned: _Turn) -> tuple[list[Loop], list[Loop]]:
    """The one-way pieces of all strings and the corners of all tiles, turned."""
    pieces: list[Loop] = []
    for line in (area(state), *(line for _, line in all_strings(state))):
        points = [turned.there(point) for point in line.points]
        if line.closed:
            points.append(points[0])
        pieces += _one_way(points)
    corners = [[turned.there(corner) for corner in tile(station).corners] for station in state.stations]
    return pieces, corners


def _one_way(points: Sequence[Vertex]) -> Iterator[Loop]:
    """Cuts a polyline where it turns back on either axis."""
    piece = [points[0]]
    ways = [0, 0]
    for before, after in pairwise(points):
        steps = [(after[axis] > before[axis]) - (after[axis] < before[axis]) for axis in (0, 1)]
        if any(step * way < 0 for step, way in zip(steps, ways, strict=True)):
            yield piece
            piece, ways = [before], [0, 0]
        piece.append(after)
        ways = [step or way for step, way in zip(steps, ways, strict=True)]
    yield piece


def _grown(pieces: Sequence[Loop], tiles: Sequence[Loop], spread: float) -> list[Loop]:
    """Everything grown by the tile and a margin of its own."""
    half = facts.TILE_SIDE / 2 + _MARGIN
    grown = [_swept(piece, half + (number * spread) % 1) for number, piece in enumerate(pieces)]
    first = len(pieces)
    grown += [_summed(corners, half + ((first + i) * spread) % 1) for i, corners in enumerate(tiles)]
    return grown


def _swept(piece: Loop, half: float) -> Loop:
    """The outline of a square moved along a piece."""
    if piece[-1][0] < piece[0][0]:
        piece = piece[::-1]
    falls = piece[-1][1] < piece[0][1]
    if falls:
        piece = [(x, -y) for x, y in piece]
    (sx, sy), (ex, ey) = piece[0], piece[-1]
    outline = [(sx - half, sy - half)]
    outline += [(x + half, y - half) for x, y in piece]
    outline.append((ex + half, ey + half))
    outline += [(x - half, y + half) for x, y in reversed(piece)]
    return [(x, -y) for x, y in reversed(outline)] if falls else outline


def _summed(corners: Sequence[Vertex], half: float) -> Loop:
    """The convex hull of a tile's corners with a square around each."""
    points = sorted((x + dx, y + dy) for x, y in corners for dx in (-half, half) for dy in (-half, half))
    hull: Loop = []
    for ordered in (points, points[::-1]):
        chain: Loop = []
        for p in ordered:
            while len(chain) > 1 and _turns(chain[-2], chain[-1], p) <= 0:
                chain.pop()
            chain.append(p)
        hull += chain[:-1]
    return hull


def _turns(a: Vertex, b: Vertex, c: Vertex) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _regions(ring: Curve, loops: Sequence[Loop], turned: _Turn) -> Iterator[Region]:
    """Free regions inside the area, from the outlines of what is covered."""
    free = [(area_of(loop), loop) for loop in (loop[::-1] for loop in loops)]
    outers = sorted(
        ((size, loop) for size, loop in free if size > 0 and contains(ring, turned.back(loop[0]))),
        key=lambda each: each[0],
    )
    holes: list[list[Loop]] = [[] for _ in outers]
    for size, loop in free:
        if size < 0:
            home = next((i for i, (_, outer) in enumerate(outers) if is_within(outer, *loop[0])), None)
            if home is not None:
                holes[home].append(loop)
    for (size, outer), inner in reversed(list(zip(outers, holes, strict=True))):
        witness = _deep_inside(outer, inner)
        outline = _on_grid(outer, turned)
        if witness is not None and len(outline) > 2:
            rings = tuple(hole for hole in (_on_grid(each, turned) for each in inner) if len(hole) > 2)
            left = size + sum(map(area_of, inner))
            yield Region(outline, rings, round(left), turned.back(witness))


def _on_grid(loop: Loop, turned: _Turn) -> tuple[Point, ...]:
    found: list[Point] = []
    for vertex in loop:
        point = turned.back(vertex)
        if not found or found[-1] != point:
            found.append(point)
    while len(found) > 1 and found[0] == found[-1]:
        found.pop()
    return tuple(found)


def _deep_inside(outer: Loop, holes: Sequence[Loop]) -> Vertex | None:
    """A point of a region that is far from its edge: the best middle of the chords on some lines."""
    rings = [outer, *holes]
    bottom, top = min(y for _, y in outer), max(y for _, y in outer)
    middles: list[tuple[float, Vertex]] = []
    for number in range(_SCANS):
        y = bottom + (top - bottom) * (number + 0.5) / _SCANS
        crossings = sorted(
            ax + (y - ay) / (by - ay) * (bx - ax)
            for loop in rings
            for (ax, ay), (bx, by) in zip(loop, (*loop[1:], loop[0]), strict=True)
            if (ay > y) != (by > y)
        )
        for left, right in zip(crossings[::2], crossings[1::2], strict=False):
            middles.append((right - left, ((left + right) / 2, y)))
    best: tuple[float, Vertex] | None = None
    for _, middle in sorted(middles, reverse=True)[:_MEASURED]:
        depth = min(_distance(middle, loop) for loop in rings)
        if best is None or depth > best[0]:
            best = depth, middle
    return best[1] if best is not None and best[0] > sqrt(2) else None


def _distance(point: Vertex, loop: Loop) -> float:
    x, y = point
    best = float("inf")
    ax, ay = loop[-1]
    for bx, by in loop:
        dx, dy = bx - ax, by - ay
        whole = dx * dx + dy * dy
        share = max(0.0, min(1.0, ((x - ax) * dx + (y - ay) * dy) / whole)) if whole else 0.0
        best = min(best, hypot(x - ax - share * dx, y - ay - share * dy))
        ax, ay = bx, by
    return best
