"""The map: every hex with its print or its tile, stations and reserved homes."""

from collections.abc import Mapping, Sequence
from typing import Final
from xml.etree.ElementTree import Element

from services.eighteen_cz.render.geometry import (
    APOTHEM,
    SIDE,
    Lane,
    Point,
    corner,
    hex_centre,
    outline,
    pair,
)
from services.eighteen_cz.render.markers import company_marker, reserved_marker
from services.eighteen_cz.render.pointing import draw_routes
from services.eighteen_cz.render.svg import INK, SOFT, add, centred, circle, group, haloed, line, title
from services.eighteen_cz.render.tiles import SLOT, TOWN, Drawing, Stop, drawing, slots
from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.cities import Occupants, occupants, reservations
from services.eighteen_cz.rules.hexmap import MAPS, Hex
from services.eighteen_cz.rules.moves import Route
from services.eighteen_cz.rules.state import State, Tile
from services.eighteen_cz.rules.tiles import KINDS, LAYOUTS, RED, Layout, layout

FILL: Final[Mapping[str, str]] = {
    "white": "#faf8f1",
    "yellow": "#f8e17a",
    "green": "#93cc86",
    "brown": "#c99f6d",
    "gray": "#c3c3c3",
    "red": "#ee9a90",
}
_SITE: Final = "#fbe9e6"  # the ground of a red home site that is still empty
_PURPLE: Final = "#8a2b9c"
_BORDER: Final = "#8f8a7d"
_FRONTIER: Final = "#b0413a"
_GHOST: Final = "0.8"  # how opaque a tile is that does not lie on its hex
_TERRAIN: Final[Mapping[str, str]] = {"river": "#2368ab", "hill": "#86642a", "mountain": "#554c41"}


def board_size(board: str) -> tuple[float, float]:
    """Width and height of the map."""
    left, top, right, bottom = _extent(board)
    return right - left, bottom - top


def _extent(board: str) -> tuple[float, float, float, float]:
    centres = [hex_centre(name) for name in MAPS[board].hexes]
    return (
        min(point.x for point in centres) - APOTHEM - 2,
        min(point.y for point in centres) - SIDE - 2,
        max(point.x for point in centres) + APOTHEM + 2,
        max(point.y for point in centres) + SIDE + 2,
    )


def draw_board(parent: Element, state: State, at: Point, routes: Sequence[Route] = ()) -> Element:
    """Draws the map with its left upper corner at a point; returns the group that has the map's coordinates.

    Routes run over the track and under the stations.
    """
    board = MAPS[state.board]
    left, top, _, _ = _extent(state.board)
    land = group(parent, Point(at.x - left, at.y - top))
    taken = occupants(state)
    for hex_ in board.hexes.values():
        cell = group(land, hex_centre(hex_.name))
        _draw_ground(cell, hex_, state.tiles.get(hex_.name), layout(state, hex_.name))
    for hex_ in board.hexes.values():
        for edge in hex_.frontier:
            _draw_frontier(land, hex_centre(hex_.name), edge)
    for hex_ in board.hexes.values():
        if plan := drawing(layout(state, hex_.name)).tracks:
            _draw_track(group(land, hex_centre(hex_.name)), plan)
    draw_routes(land, state, routes)
    for hex_ in board.hexes.values():
        cell = group(land, hex_centre(hex_.name))
        _draw_content(cell, state, hex_, layout(state, hex_.name), taken, homes=True)
    return land


def draw_ghost(land: Element, state: State, name: str, tile: Tile) -> None:
    """A tile that does not lie on its hex, or not yet: what is there shines through.  Whatever is not on
    the board or no tile is passed over."""
    hex_, here = MAPS[state.board].hexes.get(name), LAYOUTS.get(tile)
    if hex_ is None or here is None:
        return
    cell = group(land, hex_centre(name))
    cell.set("opacity", _GHOST)
    _draw_ground(cell, hex_, tile, here)
    _draw_track(cell, drawing(here).tracks)
    # which of several cities a station or a home would move to is for the rules to say once the tile lies
    one_city = len(here.cities) == 1 == len(layout(state, name).cities)
    _draw_content(cell, state, hex_, here, occupants(state) if one_city else {}, homes=False)


def _draw_ground(cell: Element, hex_: Hex, tile: Tile | None, here: Layout) -> None:
    title(cell, _hover(hex_, tile))
    empty_site = hex_.kind == "red_home_site" and not tile
    fill = _SITE if empty_site else FILL[here.colour]
    add(cell, "polygon", points=outline(), fill=fill, stroke=_BORDER, stroke_width=1)
    if tile and KINDS[tile.number].purple:
        add(cell, "polygon", points=outline(SIDE - 3.6), fill="none", stroke=_PURPLE, stroke_width=5)


def _draw_frontier(land: Element, centre: Point, edge: int) -> None:
    start, end = corner((edge - 1) % 6), corner(edge)
    line(
        land,
        Point(centre.x + start.x, centre.y + start.y),
        Point(centre.x + end.x, centre.y + end.y),
        stroke=_FRONTIER,
        stroke_width=3,
        stroke_dasharray="7 4",
    )


def _draw_track(cell: Element, lanes: tuple[Lane, ...]) -> None:
    for stroke, width in (("#ffffff", 11), (INK, 7)):
        for lane in lanes:
            add(cell, "path", d=lane.path(), fill="none", stroke=stroke, stroke_width=width)


def _draw_content(
    cell: Element, state: State, hex_: Hex, here: Layout, taken: Occupants, *, homes: bool
) -> None:
    """Cities with their stations and, with `homes`, the places kept for homes; towns; words."""
    plan = drawing(here)
    if hex_.kind == "red_home_site" and not here.number:
        _draw_site(cell, state, hex_)
    elif here.has_cities:
        for city, stop in enumerate(plan.stops):
            waiting = reservations(state, hex_.name, city) if homes and here.colour != RED else []
            _draw_city(cell, here, stop, taken.get((hex_.name, city), {}), waiting)
    else:
        for at in [stop.at for stop in plan.stops] if here.number else _printed_towns(hex_, plan):
            circle(cell, at, TOWN, fill=INK, stroke="#ffffff", stroke_width=2)
    _draw_words(cell, state, hex_, here, plan)


def _draw_city(
    cell: Element, here: Layout, stop: Stop, stations: Mapping[int, str], waiting: list[str]
) -> None:
    """A city with its stations; homes are kept in the first free places."""
    places = slots(here, stop)
    if len(places) > 1:
        path = f"M{'L'.join(pair(place) for place in places)}Z"
        for stroke, width in ((INK, 2 * SLOT + 8), ("#ffffff", 2 * SLOT + 5)):
            add(cell, "path", d=path, fill=stroke, stroke=stroke, stroke_width=width, stroke_linejoin="round")
    homes = iter(waiting)
    for slot, place in enumerate(places):
        if slot in stations:
            company_marker(cell, place, SLOT, stations[slot])
        elif home := next(homes, ""):
            reserved_marker(cell, place, SLOT, home)
        else:
            circle(cell, place, SLOT, fill="#ffffff", stroke=INK, stroke_width=1.5)


def _draw_site(cell: Element, state: State, hex_: Hex) -> None:
    """An empty home site of a large company: its symbol as long as the home tile may still come here."""
    for symbol in hex_.home_of:
        company = state.companies[symbol]
        if not company.home_placed and company.status != "acquired":
            reserved_marker(cell, Point(0, 2), SLOT + 4, symbol)


def _printed_towns(hex_: Hex, plan: Drawing) -> list[Point]:
    if plan.stops:
        return [stop.at for stop in plan.stops]
    if hex_.kind == "double_town":
        return [Point(-15, 0), Point(15, 0)]
    return [Point(0, 0)] if hex_.kind == "town" else []


def _draw_words(cell: Element, state: State, hex_: Hex, here: Layout, plan: Drawing) -> None:
    """Coordinates, value, label, name and terrain."""
    laid = bool(here.number)
    halo = FILL[here.colour]
    haloed(cell, Point(0, SIDE - 11), hex_.name, 11, halo, fill=INK if laid else SOFT)
    value = facts.PHASES[state.phase].red_value if here.colour == RED else here.revenue
    if value and here.locations:
        circle(cell, plan.value_at, 9.5, fill="#ffffff", stroke=INK, stroke_width=0.8)
        centred(cell, plan.value_at, str(value), 11, font_weight="bold")
    if here.label and here.colour != RED and hex_.kind != "red_home_site":
        haloed(cell, plan.label_at, here.label, 13, halo, font_weight="bold")
    if hex_.town and plan.name_at and (len(here.locations) == 1 or not laid):
        _draw_name(cell, [hex_.town] if laid else _lines(hex_.town), plan.name_at, halo)
    if hex_.terrain and not laid:
        _draw_terrain(cell, hex_)


def _draw_name(cell: Element, lines: list[str], at: Point, halo: str) -> None:
    """A name whose last line stands at a point; whatever the font, it stays inside the hex."""
    for row, words in enumerate(reversed(lines)):
        spot = Point(at.x, at.y - 11 * row)
        if len(words) > 12:
            haloed(cell, spot, words, 10, halo, 5, textLength=80, lengthAdjust="spacingAndGlyphs")
        else:
            haloed(cell, spot, words, 10, halo, 5)


def _lines(name: str) -> list[str]:
    """A name in lines that fit above the city of an empty hex, where it is wider further down."""
    lines = [""]
    for word in reversed(name.split()):
        if lines[0] and len(lines[0]) + len(word) > 13:
            lines.insert(0, "")
        lines[0] = f"{word} {lines[0]}".strip()
    return lines


def _draw_terrain(cell: Element, hex_: Hex) -> None:
    """The sign of the terrain with the cost of the first tile."""
    ink = _TERRAIN[hex_.terrain]
    y = 2.0 if hex_.kind == "plain" else 24.0
    cell = group(cell, Point(-14 if hex_.kind == "praha" else 0, 0))
    if hex_.terrain == "river":
        add(cell, "path", d=f"M-20,{y:g}q3.5,-6 7,0t7,0", fill="none", stroke=ink, stroke_width=2.5)
    else:
        peaks = ((-12, 11),) if hex_.terrain == "hill" else ((-16, 10), (-8, 14))
        for x, height in peaks:
            points = f"{x - 7},{y + 5:g} {x},{y + 5 - height:g} {x + 7},{y + 5:g}"
            add(cell, "polygon", points=points, fill=ink, stroke="#ffffff", stroke_width=0.7)
    centred(cell, Point(10, y), str(hex_.cost), 12, fill=ink, font_weight="bold")


def _hover(hex_: Hex, tile: Tile | None) -> str:
    parts = [hex_.name, hex_.town, f"{tile.number} r{tile.rotation}" if tile else ""]
    return " · ".join(part for part in parts if part)
