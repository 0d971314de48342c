"""Whether a tile fits anywhere (SR-4.6, 10.2): a search that ends with a placement or with none.

First some places are tried.  Then the plane is cut into cells: a cell is given up for an angle when the
part of the tile that is covered wherever in the cell its centre lies meets something, exactly; else the
middle of the cell is tried and the cell is cut into four.  In the smallest cells the grid points beside the
corners of what is free are tried.  Angles are whole degrees, by ruling R-17.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import isqrt
from typing import Final, NamedTuple

from services.ruleset.protocol import Budget
from services.string_railway.rules import facts
from services.string_railway.rules.areas import where
from services.string_railway.rules.placing import fits
from services.string_railway.rules.planes import Box, Point, box_of, boxes_meet, orient
from services.string_railway.rules.squares import Corners, Square, square, squares_meet
from services.string_railway.rules.state import State
from services.string_railway.rules.table import all_strings, area, tile
from services.string_railway.rules.turning import DEGREE, corners, offsets

_HALF: Final = facts.TILE_SIDE // 2
_STEP: Final = facts.TILE_SIDE // 4
"""Half the side of the first cells."""
_SMALLEST: Final = 1250
_MOST_CHECKS: Final = 300_000
"""How many angles of cells are looked at before there is held to be no room."""
_TRIED_ANGLES: Final = (0, 45 * DEGREE)


class Bar(NamedTuple):
    """A segment that a tile must not touch."""

    box: Box
    a: Point
    b: Point


def find_room(state: State, budget: Budget) -> Corners | None:
    """The corners of a tile that may be placed; None where there is no room."""
    for corners_ in _tried(state):
        budget.spend()
        if fits(state, square(corners_)):
            return corners_
    return _search(state, budget)


def _tried(state: State) -> Iterator[Corners]:
    """Places all over the area, far from one another at first."""
    left, bottom, right, top = area(state).box
    for angle in _TRIED_ANGLES:
        for step in (16 * _STEP, 4 * _STEP, _STEP):
            for x in range(left + step // 2, right, step):
                for y in range(bottom + step // 2, top, step):
                    yield corners((x, y), angle)


def _search(state: State, budget: Budget) -> Corners | None:
    bars, tiles = _obstacles(state)
    left, bottom, right, top = area(state).box
    angles = tuple(range(90))
    ring = area(state)
    queue = deque(
        (x, y, _STEP, angles, bars, tiles)
        for x in range(left + _STEP, right + _STEP, 2 * _STEP)
        for y in range(bottom + _STEP, top + _STEP, 2 * _STEP)
    )
    checks = 0
    while queue and checks < _MOST_CHECKS:
        x, y, half, angles, near_bars, near_tiles = queue.popleft()
        if where(ring, (x, y, 1)) == "outside":  # every tile of the cell covers its middle
            continue
        checks += len(angles)
        budget.spend(len(angles))
        reach = 2 * half + 2 * _HALF  # more than a tile's corner comes to from any centre of the cell
        box = (x - reach, y - reach, x + reach, y + reach)
        near_bars = [bar for bar in near_bars if boxes_meet(bar.box, box)]
        near_tiles = [other for other in near_tiles if boxes_meet(other.box, box)]
        left_over = tuple(a for a in angles if not _is_blocked((x, y), half, a, near_bars, near_tiles))
        for angle in left_over:
            found = corners((x, y), angle * DEGREE)
            if fits(state, square(found)):
                return found
        if half <= _SMALLEST:
            for angle in left_over:
                for centre in _beside_corners((x, y), half, angle, near_bars, near_tiles):
                    found = corners(centre, angle * DEGREE)
                    if fits(state, square(found)):
                        return found
        elif left_over:
            quarter = (half + 1) // 2
            for dx in (-quarter, quarter):
                for dy in (-quarter, quarter):
                    queue.append((x + dx, y + dy, quarter, left_over, near_bars, near_tiles))
    return None


def _obstacles(state: State) -> tuple[list[Bar], list[Square]]:
    bars = []
    for line in (area(state), *(line for _, line in all_strings(state))):
        for left, bottom, right, top, index in line.segments:
            bars.append(Bar((left, bottom, right, top), *line.ends(index)))
    return bars, [tile(station) for station in state.stations]


def _is_blocked(centre: Point, half: int, angle: int, bars: Sequence[Bar], tiles: Sequence[Square]) -> bool:
    """Whether no tile of this angle with its centre in the cell can be free."""
    core = _HALF - isqrt(2 * half * half) - 2  # what every such tile covers, and a step for rounding
    if core <= 0:
        return False
    inner = Square(
        tuple(
            (centre[0] + (x - centre[0]) * core // _HALF, centre[1] + (y - centre[1]) * core // _HALF)
            for x, y in corners(centre, angle * DEGREE)
        )
    )
    if any(boxes_meet(inner.box, bar.box) and inner.meets_segment(bar.a, bar.b) for bar in bars):
        return True
    return any(squares_meet(inner, other) for other in tiles)


def _beside_corners(
    centre: Point, half: int, angle: int, bars: Sequence[Bar], tiles: Sequence[Square]
) -> Iterator[Point]:
    """Grid points of a cell next to the corners of the free centres: where edges of what is covered cross
    one another or the cell's sides."""
    x, y = centre
    cell = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
    box = (x - half, y - half, x + half, y + half)
    around = offsets(angle * DEGREE)
    shapes = [(bar.a, bar.b) for bar in bars] + [other.corners for other in tiles]
    edges = list(zip(cell, (*cell[1:], cell[0]), strict=True))
    shut = []
    for shape in shapes:
        covered = Square(_hull([(px - dx, py - dy) for px, py in shape for dx, dy in around]))
        if not boxes_meet(covered.box, box):
            continue
        shut.append(covered)
        ring = covered.corners
        for a, b in zip(ring, (*ring[1:], ring[0]), strict=True):
            if boxes_meet(box_of((a, b)), box):
                edges.append((a, b))
    found: set[Point] = set()
    for (a, b), (c, d) in combinations(edges, 2):
        c_side, d_side = orient(a, b, c), orient(a, b, d)
        if c_side == d_side:
            continue
        px = c[0] + (d[0] - c[0]) * c_side // (c_side - d_side)
        py = c[1] + (d[1] - c[1]) * c_side // (c_side - d_side)
        if abs(px - x) > half + 1 or abs(py - y) > half + 1:
            continue
        found |= {(px + dx, py + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
    yield from (point for point in sorted(found) if not any(other.has_point(point) for other in shut))


def _hull(points: list[Point]) -> tuple[Point, ...]:
    """The convex hull, counter-clockwise."""
    points = sorted(set(points))
    hull: list[Point] = []
    for ordered in (points, points[::-1]):
        chain: list[Point] = []
        for point in ordered:
            while len(chain) > 1 and orient(chain[-2], chain[-1], point) <= 0:
                chain.pop()
            chain.append(point)
        hull += chain[:-1]
    return tuple(hull)
