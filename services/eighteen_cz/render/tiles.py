"""How a tile or a printed hex is laid out on paper: its track, its cities and towns, where its value goes."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import inf
from typing import Final

from services.eighteen_cz.render.geometry import (
    CENTRE,
    SIDE,
    Lane,
    Point,
    corner,
    edge_angle,
    edge_middle,
    through,
)
from services.eighteen_cz.rules.hexmap import EDGES, edges_of
from services.eighteen_cz.rules.tiles import Layout

SLOT: Final = 13.0
"""The radius of a place for a station."""
TOWN: Final = 7.0
"""The radius of a town's dot."""
_ALONG: Final = (0.5, 0.4, 0.6, 0.3, 0.7, 0.25, 0.75)
"""Where on its track one of several cities or towns of a tile may stand."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A city or town: its middle, the lanes that lead to it by edge, and the whole lane it stands on."""

    at: Point
    lanes: tuple[tuple[int, tuple[Point, ...]], ...]
    on: Lane | None


@dataclass(frozen=True, slots=True)
class Drawing:
    """A layout on paper, around the centre of its hex."""

    tracks: tuple[Lane, ...]
    stops: tuple[Stop, ...]
    value_at: Point
    label_at: Point
    name_at: Point | None


def slots(layout: Layout, stop: Stop) -> tuple[Point, ...]:
    """The middles of the places for stations in a city."""
    x, y = stop.at
    match layout.slots:
        case 1:
            return (stop.at,)
        case 2:
            return Point(x - SLOT, y), Point(x + SLOT, y)
        case 3:
            return tuple(stop.at.to(angle, SLOT * 1.16) for angle in (210.0, 330.0, 90.0))
        case _:
            return tuple(Point(x + dx * SLOT, y + dy * SLOT) for dy in (-1, 1) for dx in (-1, 1))


@lru_cache(maxsize=1024)
def drawing(layout: Layout) -> Drawing:
    """The one way in which a layout is drawn."""
    plain = tuple(through(edge, end) for edge in EDGES for end in layout.links[edge] if edge < end < 6)
    stops = _stops(layout)
    tracks = plain + tuple(lane for stop in stops for lane in _lanes(stop))
    value_at, label_at = _free_spots(layout, tracks, stops)
    return Drawing(tracks, stops, value_at, label_at, _name_spot(layout, stops))


def _name_spot(layout: Layout, stops: tuple[Stop, ...]) -> Point | None:
    """Above a single city; beside several; None where they leave no room."""
    taken = [place for stop in stops for place in slots(layout, stop)]
    spots = (Point(0.0, -SLOT - 11), Point(-15.0, 0.0))
    return next((spot for spot in spots if all(spot.distance(place) > SLOT + 9 for place in taken)), None)


def _lanes(stop: Stop) -> tuple[Lane, ...]:
    if stop.on is not None:
        return (stop.on,)
    return tuple(Lane(points[0], points[-1]) for _, points in stop.lanes)


def _stops(layout: Layout) -> tuple[Stop, ...]:
    exits = [edges_of(mask) for mask in layout.locations]
    on_track = len(exits) > 1 or not layout.has_cities
    if exits and on_track and all(len(edges) == 2 for edges in exits):
        lanes = [through(*edges) for edges in exits]
        parts = _spread(lanes, SLOT if layout.has_cities else TOWN)
        return tuple(
            Stop(
                lane.at(part),
                ((edges[0], lane.points(0.0, part)), (edges[1], lane.points(1.0, part))),
                lane,
            )
            for lane, part, edges in zip(lanes, parts, exits, strict=True)
        )
    return tuple(_star(_apart(layout, index, edges), edges) for index, edges in enumerate(exits))


def _star(at: Point, edges: tuple[int, ...]) -> Stop:
    return Stop(at, tuple((edge, (edge_middle(edge), at)) for edge in edges), None)


def _apart(layout: Layout, index: int, edges: tuple[int, ...]) -> Point:
    """Where a city or town with other than two exits, or without neighbours on its tile, stands."""
    count = len(layout.locations)
    if count == 1:
        return CENTRE
    if len(edges) == 1:
        return CENTRE.to(edge_angle(edges[0]), SIDE * 0.54)
    reach = SLOT + 2 if layout.has_cities else SIDE * 0.28
    return Point((2 * index - count + 1) * reach, 0.0)


def _spread(lanes: list[Lane], radius: float) -> tuple[float, ...]:
    """How far along its lane each stop stands, so that they keep clear of each other and of other track."""

    def clearness(parts: tuple[float, ...]) -> tuple[float, float]:
        points = [lane.at(part) for lane, part in zip(lanes, parts, strict=True)]
        nearest = inf
        for one, point in enumerate(points):
            for other, lane in enumerate(lanes):
                if one != other:
                    nearest = min(
                        nearest,
                        lane.distance(point) / (radius + 5),
                        point.distance(points[other]) / (2 * radius + 4),
                    )
        return round(min(nearest, 1.0), 3), -sum(abs(part - 0.5) for part in parts)

    return max(product(_ALONG, repeat=len(lanes)), key=clearness)


def _free_spots(layout: Layout, tracks: tuple[Lane, ...], stops: tuple[Stop, ...]) -> tuple[Point, Point]:
    """Two places near corners that are clear of track and cities: for the value and for the label.

    The corner at the bottom belongs to the coordinates of the hex, the one at the top to its name.
    """
    taken = [point for stop in stops for point in (slots(layout, stop) if layout.has_cities else (stop.at,))]
    body = SLOT if layout.has_cities else TOWN

    def room(spot: Point) -> float:
        clear = min((lane.distance(spot) - 5 for lane in tracks), default=inf)
        return min([clear, *(spot.distance(point) - body for point in taken)])

    corners = (4, 0, 3, 1) if layout.has_cities else (3, 4, 0, 1)
    spots = [corner(index, SIDE * part) for part in (0.72, 0.8, 0.62) for index in corners]
    spots += [edge_middle(edge, 16) for edge in (4, 1, 5, 0) if not layout.exits >> edge & 1]
    spots.append(CENTRE)
    ranked = sorted(spots, key=lambda spot: -round(min(room(spot), 10.0), 1))
    value_at = ranked[0]
    inner = [spot for spot in ranked if len(layout.label) < 2 or spot.distance(CENTRE) < SIDE * 0.75]
    return value_at, next(spot for spot in inner if spot.distance(value_at) > 22)
