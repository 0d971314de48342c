"""The whole picture of a position: the map, and beside it everything else that lies on the table."""

from collections.abc import Sequence
from typing import Final
from xml.etree.ElementTree import Element

from services.eighteen_cz.render.board import board_size, draw_board, draw_ghost
from services.eighteen_cz.render.geometry import Point
from services.eighteen_cz.render.pointing import ROUTE_COLOURS, VIOLATION, draw_marked, draw_violation
from services.eighteen_cz.render.prices import HEIGHT, draw_prices
from services.eighteen_cz.render.scores import draw_scores
from services.eighteen_cz.render.svg import SOFT, document, finished, fitted, shortened, text
from services.eighteen_cz.render.tables import WIDTH, draw_companies, draw_players
from services.eighteen_cz.render.trains import draw_order, draw_trains
from services.eighteen_cz.rulebook import RULEBOOK
from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.moves import Route
from services.eighteen_cz.rules.queries import local_price
from services.eighteen_cz.rules.state import State, Tile
from services.eighteen_cz.rules.turn import turn

_MARGIN: Final = 20.0
_TOP: Final = 66.0


def render_state(
    state: State,
    *,
    mark_hexes: Sequence[str] = (),
    ghost: tuple[str, Tile] | None = None,
    mark_route: Sequence[Route] = (),
    violation_at: str = "",
    caption: str = "",
    warning: bool = False,
    language: str = "en",
) -> str:
    """An SVG document of a valid state.  Equal arguments give equal bytes.

    `mark_hexes` are outlined, the tile of `ghost` lies half transparent on its hex, the
    routes of `mark_route` are drawn as coloured lines in the order given, and `violation_at` (a hex)
    gets a warning sign; places that the board does not have are passed over.  `caption` is a sentence
    shown above the map, in red if `warning`.  `language` is one of the rulebook's.
    """
    map_width, map_height = board_size(state.board)
    left_width = max(map_width, 1000.0)
    side = _MARGIN + left_width + 24
    root = document(f"18CZ: {round_name(state, language)}")
    _draw_header(root, state, caption, warning, left_width, language)
    land = draw_board(root, state, Point(_MARGIN + (left_width - map_width) / 2, _TOP), mark_route)
    if ghost:
        draw_ghost(land, state, *ghost)
    draw_marked(land, state, mark_hexes, ghost[0] if ghost else "")
    draw_violation(land, state, violation_at)
    below = _TOP + map_height + 12
    draw_prices(root, state, Point(_MARGIN, below), left_width, language)
    y = _MARGIN
    y += draw_players(root, state, Point(side, y), language) + 16
    y += draw_companies(root, state, Point(side, y), language) + 16
    y += draw_trains(root, state, Point(side, y), language) + 16
    draw_last = draw_scores if state.stage == "over" else draw_order
    y += draw_last(root, state, Point(side, y), language)
    height = max(below + HEIGHT, y + 40) + _MARGIN
    _draw_legend(root, Point(side, height - _MARGIN), language)
    return finished(root, side + WIDTH + _MARGIN, height)


def round_name(state: State, language: str) -> str:
    """What is being played, for example `Operating round 5.2`."""
    if state.stage == "stock":
        return RULEBOOK.label("picture_stock_round", language, {"set": state.set_number})
    if state.stage == "operating":
        number, part = facts.OPERATING_ROUNDS[state.operating_round - 1]
        return RULEBOOK.label("picture_operating_round", language, {"set": number, "part": part})
    return RULEBOOK.label(state.stage, language)


def _draw_header(
    root: Element, state: State, caption: str, warning: bool, width: float, language: str
) -> None:
    text(root, Point(_MARGIN, 34), f"18CZ · {round_name(state, language)}", 22, font_weight="bold")
    now = turn(state)
    step = RULEBOOK.label(now.step, language) if now.step else ""
    who = ", ".join(dict.fromkeys((now.actor, *now.seats)))
    parts = [
        RULEBOOK.label("picture_phase_now", language, {"phase": state.phase}),
        RULEBOOK.label("picture_local_price", language, {"price": local_price(state)})
        if local_price(state)
        else "",
        f"{who}: {step}" if step else "",
    ]
    line = "   ·   ".join(part for part in parts if part)
    text(root, Point(_MARGIN + width, 34), line, 15, text_anchor="end")
    if caption:
        colour = VIOLATION if warning else ROUTE_COLOURS[0]
        fitted(root, Point(_MARGIN, 58), shortened(caption, 160), 15, width, fill=colour, font_weight="bold")


def _draw_legend(root: Element, at: Point, language: str) -> None:
    """What the signs mean, in two rows of two, the last on the base line of a point."""
    for index, sign in enumerate(("director", "spent", "home", "purple")):
        row, column = divmod(index, 2)
        spot = Point(at.x + column * WIDTH / 2, at.y - 16 + 16 * row)
        label = RULEBOOK.label(f"picture_legend_{sign}", language)
        fitted(root, spot, label, 11, WIDTH / 2 - 8, fill=SOFT)
