"""The final score, once the game is over."""

from typing import Final
from xml.etree.ElementTree import Element

from services.eighteen_cz.render.geometry import Point
from services.eighteen_cz.render.svg import (
    INK,
    LINE,
    box,
    circle,
    fitted,
    heading,
    line,
    safe_colour,
    shortened,
    text,
)
from services.eighteen_cz.render.tables import WIDTH
from services.eighteen_cz.rulebook import RULEBOOK
from services.eighteen_cz.rules.scoring import score
from services.eighteen_cz.rules.state import State

_ROW: Final = 25.0
_SIZE: Final = 12.5
_WINNER: Final = "#fff1c2"


def draw_scores(parent: Element, state: State, at: Point, language: str) -> float:
    """Every player's rank and total (CZ-17.1), the best first, down two columns; returns the height used."""
    x, y = at
    heading(parent, Point(x, y + 14), RULEBOOK.label("picture_final_score", language), WIDTH)
    ranked = sorted(score(state).seats, key=lambda seat: (seat.rank, state.order.index(seat.seat)))
    rows = -(-len(ranked) // 2)
    width = WIDTH / 2 - 12
    for index, scored in enumerate(ranked):
        column, row = divmod(index, rows)
        left, top = x + column * (WIDTH / 2 + 12), y + 22 + _ROW * row
        player = state.players[scored.seat]
        if scored.rank == 1:
            box(parent, Point(left, top), width, _ROW, fill=_WINNER)
        base = top + 17
        text(parent, Point(left + 18, base), f"{scored.rank}.", _SIZE, text_anchor="end")
        disc = Point(left + 32, base - 4.5)
        circle(parent, disc, 6, fill=safe_colour(player.colour), stroke=INK, stroke_width=0.8)
        name = shortened(f"{player.seat} {player.name}", 24)
        fitted(parent, Point(left + 44, base), name, _SIZE, 190, font_weight="bold")
        total = f"{scored.total}K"
        text(parent, Point(left + width - 6, base), total, _SIZE, text_anchor="end", font_weight="bold")
        line(parent, Point(left, top + _ROW), Point(left + width, top + _ROW), stroke=LINE, stroke_width=0.5)
    return 22 + _ROW * rows
