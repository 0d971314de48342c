"""Whether a tile fits anywhere (SR-4.6, 10.2): a search that ends with a placement or with none.

First some places are tried.  Then the plane is cut into cells: a cell is given up for an angle when the
part of the tile that is covered wherever in the cell its centre lies meets something, exactly; else the
middle of the cell is tried and the cell is cut into four.  What is left at the size of a grid step holds no
open set of centres.  Angles are whole degrees, by ruling R-17.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from math import isqrt
from typing import Final, NamedTuple

from services.ruleset.protocol import Budget
from services.string_railway.rules import facts
from services.string_railway.rules.areas import where
from services.string_railway.rules.placing import fits
from services.string_railway.rules.planes import Box, Point, boxes_meet
from services.string_railway.rules.squares import Corners, Square, square, squares_meet
from services.string_railway.rules.state import State
from services.string_railway.rules.table import all_strings, area, tile
from services.string_railway.rules.turning import DEGREE, corners

_HALF: Final = facts.TILE_SIDE // 2
_STEP: Final = facts.TILE_SIDE // 4
"""Half the side of the first cells."""
_SMALLEST: Final = 4
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
        if left_over and half > _SMALLEST:
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
