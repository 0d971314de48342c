"""Ready moves for the set-up: one legal boundary, river, mountain, and a starting station for every mark.

These are proposals by floating-point numbers; the rules judge each before it is offered.
"""

from collections.abc import Iterator
from itertools import islice
from math import atan2, cos, pi, sin, sqrt
from typing import Final

from services.ruleset.answers import Change, Free, Option
from services.string_railway.rules import facts
from services.string_railway.rules.moves import PlaceStart, SetupBoundary, SetupMountain, SetupRiver
from services.string_railway.rules.planes import Point
from services.string_railway.rules.scenery import verify_boundary, verify_mountain, verify_river
from services.string_railway.rules.starting import verify_place_start
from services.string_railway.rules.state import State
from services.string_railway.rules.table import area, boundary, player_facts
from services.string_railway.rules.turning import DEGREE, offsets

_MOST_TRIES: Final = 2000
_MOUNTAIN_CORNERS: Final = 24
_FLATNESS: Final = (1.0, 0.5, 0.2, 0.05)
"""Shorter by longer axis of the ovals that are tried as mountains."""


def boundary_options(state: State) -> Iterator[Option[SetupBoundary]]:
    """A regular figure; with three players and chaos a square, one corner of which has no mark."""
    of = player_facts(state)
    corners = 4 if state.options.chaos and of.marks == 3 else of.marks
    radius = of.gap / (2 * sin(pi / corners))
    middle = facts.BOUNDARY / 8
    ring = tuple(
        (round(middle + radius * cos(turn)), round(middle + radius * sin(turn)))
        for turn in (2 * pi * number / corners + pi / 4 for number in range(corners))
    )
    move = SetupBoundary(state.acting, ring, ring[: of.marks])
    if not verify_boundary(state, move):
        yield Option(
            move.kind, move, (Free("setupBoundary.ring", "SR-2.3"), Free("setupBoundary.marks", "SR-2.3"))
        )


def river_options(state: State) -> Iterator[Option[SetupRiver]]:
    """A straight river inside the area, or one that leaves it at the top."""
    for a, b in islice(_river_lines(state), _MOST_TRIES):
        move = SetupRiver(state.acting, (a, b))
        if not verify_river(state, move):
            yield Option(move.kind, move, (Free("setupRiver.path", "SR-2.4"),))
            return


def _river_lines(state: State) -> Iterator[tuple[Point, Point]]:
    ring = area(state)
    half = facts.RIVER / 2
    for x, y in _middles(state, 5):
        for step in range(12):
            dx, dy = half * cos(pi * step / 12), half * sin(pi * step / 12)
            yield (round(x - dx), round(y - dy)), (round(x + dx), round(y + dy))
    x, y = max(ring.points, key=lambda point: point[1])
    for below in (20_000, 2000, 200, 20, 2):
        yield (x, y - below), (x, y - below + facts.RIVER)


def mountain_options(state: State) -> Iterator[Option[SetupMountain]]:
    """An oval somewhere in the area, as round as there is room."""
    for ring in islice(_ovals(state), _MOST_TRIES):
        move = SetupMountain(state.acting, ring)
        if not verify_mountain(state, move):
            yield Option(move.kind, move, (Free("setupMountain.ring", "SR-2.5"),))
            return


def _ovals(state: State) -> Iterator[tuple[Point, ...]]:
    for flat in _FLATNESS:
        # The perimeter of an ellipse by Ramanujan's approximation.
        long = facts.MOUNTAIN / (pi * (3 * (1 + flat) - sqrt((3 + flat) * (1 + 3 * flat))))
        for x, y in _middles(state, 9):
            for step in range(1 if flat == 1 else 6):
                yield tuple(_oval(x, y, long, long * flat, pi * step / 6))


def _oval(x: int, y: int, long: float, short: float, lean: float) -> Iterator[Point]:
    for number in range(_MOUNTAIN_CORNERS):
        turn = 2 * pi * number / _MOUNTAIN_CORNERS
        u, v = long * cos(turn), short * sin(turn)
        yield round(x + u * cos(lean) - v * sin(lean)), round(y + u * sin(lean) + v * cos(lean))


def _middles(state: State, count: int) -> Iterator[Point]:
    """Points all over the area's box, the middle first."""
    left, bottom, right, top = area(state).box
    order = sorted(range(count), key=lambda number: abs(2 * number + 1 - count))
    for i in order:
        for j in order:
            yield (
                left + (right - left) * (2 * i + 1) // (2 * count),
                bottom + (top - bottom) * (2 * j + 1) // (2 * count),
            )


def start_options(state: State) -> Iterator[Option[PlaceStart]]:
    """For every mark that the company may take, a tile whose corner lies on it."""
    before = state.scores[state.acting]
    points = facts.STATIONS[facts.START].setup_points
    for mark, at in enumerate(boundary(state).marks):
        for corners in _around(state, at):
            move = PlaceStart(state.acting, mark, corners)
            if not verify_place_start(state, move):
                free = (Free("placeStart.corners", "SR-2.6"),)
                preview = (Change(state.acting, "points", before, before + points),)
                yield Option(move.kind, move, free, preview)
                break


def _around(state: State, mark: Point) -> Iterator[tuple[Point, ...]]:
    """Tiles with a corner on a mark, first the one that points straight into the area there."""
    ring = boundary(state).ring
    place = ring.index(mark)
    (ax, ay), (bx, by) = ring[place - 1], ring[(place + 1) % len(ring)]
    lean = atan2(ay - mark[1], ax - mark[0]), atan2(by - mark[1], bx - mark[0])
    middle = (lean[0] + lean[1]) / 2 - pi / 4  # the tile's diagonal halves the corner
    for step in range(25):
        for turn in (middle + pi * step / 24, middle - pi * step / 24 + pi):
            around = offsets(round(turn * 180 / pi * DEGREE))
            x, y = mark[0] - around[0][0], mark[1] - around[0][1]
            yield tuple((x + dx, y + dy) for dx, dy in around)
