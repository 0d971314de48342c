"""What is pointed at on the map: marked hexes, routes as coloured lines, the place of a violation."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final
from xml.etree.ElementTree import Element

from services.eighteen_cz.render.geometry import (
    CENTRE,
    SIDE,
    Point,
    edge_middle,
    hex_centre,
    outline,
    pair,
    through,
)
from services.eighteen_cz.render.svg import add, centred, group
from services.eighteen_cz.render.tiles import drawing
from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.hexmap import MAPS
from services.eighteen_cz.rules.moves import LayHomeTile, LayPurpleTile, LayTile, Move, Route
from services.eighteen_cz.rules.state import State, Tile
from services.eighteen_cz.rules.tiles import layout

MARK: Final = "#d4007a"
VIOLATION: Final = "#c00018"
ROUTE_COLOURS: Final = ("#0057d9", "#d4007a", "#e06a00", "#6b2fb3", "#00807a")


def marked_places(move: Move) -> tuple[str, ...]:
    """The hexes that a move is about."""
    place = getattr(move, "hex", "")
    if move.kind == "choose_home_city":
        place = "B9"
    return (place,) if place else ()


def marked_tile(move: Move) -> tuple[str, Tile] | None:
    """The hex and the tile of a lay, whether the board and the box have them or not."""
    match move:
        case LayTile() | LayPurpleTile():
            return move.hex, Tile(move.tile, move.rotation)
        case LayHomeTile() if move.actor in facts.COMPANIES:
            return move.hex, Tile(facts.COMPANIES[move.actor].home_tile, move.rotation)
    return None


def draw_marked(land: Element, state: State, hexes: Sequence[str], ghost: str = "") -> None:
    """An outline around each hex, broken around that of the ghost."""
    for name in hexes:
        if name in MAPS[state.board].hexes:
            _draw_outline(group(land, hex_centre(name)), MARK, broken=name == ghost)


def _draw_outline(cell: Element, colour: str, broken: bool) -> None:
    ring = outline(SIDE + 1)  # outside, clear of the coordinates
    add(cell, "polygon", points=ring, fill="none", stroke="#ffffff", stroke_width=8)
    line = add(cell, "polygon", points=ring, fill="none", stroke=colour, stroke_width=5)
    if broken:
        line.set("stroke-dasharray", "12 5")


def draw_violation(land: Element, state: State, place: str) -> None:
    """A red outline and a warning sign; `place` is a hex, or a hex and a city (`E12.1`)."""
    name = place.partition(".")[0]
    if name not in MAPS[state.board].hexes:
        return
    cell = group(land, hex_centre(name))
    _draw_outline(cell, VIOLATION, broken=True)
    sign = Point(0, -SIDE + 8)
    add(
        cell,
        "path",
        d=f"M{pair(Point(0, sign.y - 15))}l16,27h-32z",
        fill=VIOLATION,
        stroke="#ffffff",
        stroke_width=2,
        stroke_linejoin="round",
    )
    centred(cell, Point(0, sign.y + 3), "!", 17, fill="#ffffff", font_weight="bold")


def draw_routes(land: Element, state: State, routes: Sequence[Route]) -> None:
    """Each route as a line of its own colour along its track; sections that cannot be are left out."""
    for index, route in enumerate(routes):
        lines = ["M" + "L".join(map(pair, line)) for line in _route_lines(state, route) if line]
        for colour, width in (("#ffffff", 8.0), (ROUTE_COLOURS[index % len(ROUTE_COLOURS)], 6.0)):
            for path in lines:
                add(
                    land,
                    "path",
                    d=path,
                    fill="none",
                    stroke=colour,
                    stroke_width=width,
                    stroke_linejoin="round",
                )


def _route_lines(state: State, route: Route) -> Iterator[list[Point]]:
    """Each section of a route as a chain of points along its track."""
    for (start, end), section in zip(pairwise(route.stops), route.sections, strict=False):
        yield _section(state, start, end, section)


def _section(state: State, start: str, end: str, hexes: Sequence[str]) -> list[Point]:
    """Empty when the hexes are not on the board or not neighbours one by one."""
    board = MAPS[state.board].hexes
    edges = []
    for name, following in pairwise(hexes):
        if name not in board or following not in board or following not in board[name].neighbours:
            return []
        edges.append(board[name].neighbours.index(following))
    if not edges:
        return []
    points = _from_stop(state, start, hexes[0], edges[0])
    for name, (entry, leave) in zip(hexes[1:-1], pairwise(edges), strict=True):
        points += _moved(name, through((entry + 3) % 6, leave).points())
    return points + _from_stop(state, end, hexes[-1], (edges[-1] + 3) % 6)[::-1]


def _from_stop(state: State, stop: str, name: str, edge: int) -> list[Point]:
    """From a stop to an edge of its hex."""
    stops = drawing(layout(state, name)).stops
    index = stop.partition(".")[2] or "0"
    lanes = next((dict(place.lanes) for n, place in enumerate(stops) if str(n) == index), {})
    return _moved(name, lanes.get(edge, (edge_middle(edge), CENTRE)))[::-1]


def _moved(name: str, points: Sequence[Point]) -> list[Point]:
    centre = hex_centre(name)
    return [Point(centre.x + point.x, centre.y + point.y) for point in points]
