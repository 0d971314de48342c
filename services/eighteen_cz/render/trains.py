"""The train cards, the pool, the phases and the operating order."""

from typing import Final
from xml.etree.ElementTree import Element

from services.eighteen_cz.render.geometry import Point
from services.eighteen_cz.render.markers import company_marker
from services.eighteen_cz.render.svg import INK, LINE, SOFT, box, circle, fitted, heading, line, text
from services.eighteen_cz.render.tables import WIDTH
from services.eighteen_cz.rulebook import RULEBOOK
from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.queries import stack_top
from services.eighteen_cz.rules.state import State

_NOW: Final = "#fff1c2"


def draw_trains(parent: Element, state: State, at: Point, language: str) -> float:
    """The rows of cards with what is left, versions, prices and limits; the pool.  Returns the height."""
    x, y = at
    heading(parent, Point(x, y + 14), RULEBOOK.label("picture_train_cards", language), WIDTH)
    names = ("phase", "cards_left", "small", "medium", "large", "train_limit", "red_value")
    labels = [
        RULEBOOK.word("size", name, language)
        if name in facts.SIZES
        else RULEBOOK.label(f"picture_{name}", language)
        for name in names
    ]
    left = 110.0
    column = (WIDTH - left) / len(facts.ROWS)
    for row, label in enumerate(labels):
        fitted(parent, Point(x, y + 38 + 18 * row), label, 11, left - 6, fill=SOFT)
    top = stack_top(state)
    for index, letter in enumerate(facts.ROWS):
        corner = Point(x + left + column * index, y + 23)
        if letter == state.phase:
            box(parent, corner, column, 19, fill=_NOW, stroke=INK, stroke_width=1)
        if letter == top:
            box(parent, Point(corner.x, corner.y + 20), column, 71, fill="none", stroke=INK, stroke_width=1)
        _draw_row(parent, state, letter, Point(corner.x + column / 2, corner.y + 15))
    bottom = y + 38 + 18 * len(names)
    label = RULEBOOK.label("picture_pool", language)
    pool = ", ".join(state.pool) or "–"
    fitted(parent, Point(x, bottom), f"{label}: {pool}", 12.5, WIDTH)
    return bottom + 8 - y


def _draw_row(parent: Element, state: State, letter: str, at: Point) -> None:
    phase = facts.PHASES[letter]
    left = "∞" if letter == facts.LAST_ROW else str(state.stack.get(letter, 0))
    limits = "/".join(str(limit or "–") for limit in phase.train_limit.values())
    versions = {facts.VERSIONS[name].size: facts.VERSIONS[name] for name in facts.ROW_VERSIONS[letter]}
    _cell(parent, at, letter, bold=True)
    _cell(parent, Point(at.x, at.y + 18), left, bold=True, ink=SOFT if left == "0" else INK)
    for row, size in enumerate(facts.SIZES, 2):
        if version := versions.get(size):
            spot = Point(at.x, at.y + 18 * row)
            rusted = version.name in state.rusted
            _cell(parent, spot, f"{version.label} {version.price}", ink=LINE if rusted else INK)
            if rusted:
                line(parent, Point(spot.x - 24, spot.y - 4), Point(spot.x + 24, spot.y - 4), stroke=SOFT)
    _cell(parent, Point(at.x, at.y + 90), limits)
    _cell(parent, Point(at.x, at.y + 108), str(phase.red_value or "–"))


def _cell(parent: Element, at: Point, content: str, bold: bool = False, ink: str = INK) -> None:
    weight = "bold" if bold else "normal"
    text(parent, at, content, 11, text_anchor="middle", font_weight=weight, fill=ink)


def draw_order(parent: Element, state: State, at: Point, language: str) -> float:
    """The companies of the operating round in their order, those that are done behind a veil; in the
    pre-stock round the local railways still for sale instead.  Returns the height used."""
    at = Point(at.x, at.y + 10)
    if state.stage == "draft":
        _draw_for_sale(parent, state, at, language)
        return 70
    if state.operating is None:
        return 0
    text(parent, at, RULEBOOK.label("picture_operating_order", language), 12, fill=SOFT)
    for index, symbol in enumerate(state.operating.order):
        place = Point(at.x + 14 + 28 * index, at.y + 20)
        company_marker(parent, place, 11, symbol)
        if index < state.operating.index:
            circle(parent, place, 12, fill="#ffffff", fill_opacity=0.65)
        elif index == state.operating.index:
            circle(parent, place, 13.5, fill="none", stroke=INK, stroke_width=2)
    return 45


def _draw_for_sale(parent: Element, state: State, at: Point, language: str) -> None:
    text(parent, at, RULEBOOK.label("picture_for_sale", language), 12, fill=SOFT)
    for row, size in enumerate(facts.SIZES):
        left = [local.symbol for local in state.locals.values() if not local.owner]
        offers = [
            f"{symbol} {facts.LOCALS[symbol].price}K" for symbol in left if facts.LOCALS[symbol].size == size
        ]
        text(parent, Point(at.x, at.y + 20 + 18 * row), "   ".join(offers) or "–", 12.5)
