"""The price table as a zigzag of two rows, with the companies' markers in the order of their arrival."""

from collections.abc import Mapping
from typing import Final
from xml.etree.ElementTree import Element

from services.eighteen_cz.render.geometry import Point
from services.eighteen_cz.render.markers import company_marker
from services.eighteen_cz.render.svg import SOFT, box, heading, text
from services.eighteen_cz.rulebook import RULEBOOK
from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.queries import is_started
from services.eighteen_cz.rules.state import State

HEIGHT: Final = 170.0
_CELL: Final = 70.0
START_FILL: Final[Mapping[str, str]] = {"small": "#fdeecb", "medium": "#dcebf7", "large": "#f7dcdc"}
"""Grounds of the start prices of each size."""


def draw_prices(parent: Element, state: State, at: Point, width: float, language: str) -> None:
    """The table in a box of that width and `HEIGHT`."""
    x, y = at
    heading(parent, Point(x, y + 14), RULEBOOK.label("picture_prices", language), width)
    legend = x + width
    for size in reversed(facts.SIZES):
        label = RULEBOOK.label("picture_start_prices", language, {"size": size})
        text(parent, Point(legend, y + 13), label, 11, text_anchor="end", fill=SOFT)
        legend -= len(label) * 6.2 + 16
        box(parent, Point(legend, y + 4), 11, 11, fill=START_FILL[size], stroke=SOFT, stroke_width=0.6)
        legend -= 14
    markers: dict[int, list[str]] = {}
    for company in sorted(filter(is_started, state.companies.values()), key=lambda company: company.arrival):
        markers.setdefault(company.position, []).append(company.symbol)
    columns = (len(facts.MARKET) + 1) // 2
    cell = width / (columns + 0.5)
    for position, value in enumerate(facts.MARKET):
        upper = position % 2
        corner = Point(x + cell * (position // 2 + 0.5 * upper), y + 26 + (0 if upper else _CELL + 2))
        _draw_value(parent, corner, cell, value, bool(upper), markers.get(position, []))


def _draw_value(
    parent: Element, corner: Point, cell: float, value: int, upper: bool, symbols: list[str]
) -> None:
    box(parent, corner, cell, _CELL, fill="#ffffff", stroke=SOFT, stroke_width=0.8)
    sizes = [] if upper else [size for size in facts.SIZES if value in facts.SIZE_FACTS[size].start_prices]
    for index, size in enumerate(sizes):
        part = (cell - 1) / len(sizes)
        place = Point(corner.x + 0.5 + part * index, corner.y + 0.5)
        box(parent, place, part, 19, fill=START_FILL[size])
    middle = corner.x + cell / 2
    text(parent, Point(middle, corner.y + 15), str(value), 13, text_anchor="middle", font_weight="bold")
    # the first to arrive is the first to operate: left to right, row by row, smaller when many
    columns, radius = (2, 11.0) if len(symbols) <= 4 else (3, 8.5)
    rows = -(-len(symbols) // columns)
    room = _CELL - 23 - 2 * radius
    step = min(2 * radius + 1, room / (rows - 1)) if rows > 1 else 0.0
    for index, symbol in enumerate(symbols):
        row, column = divmod(index, columns)
        across = 0.5 if len(symbols) == 1 else (column + 0.5) / columns
        place = Point(corner.x + cell * across, corner.y + 21 + radius + step * row)
        company_marker(parent, place, radius, symbol)
