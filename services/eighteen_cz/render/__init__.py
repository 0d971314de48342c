"""Pictures of positions of 18CZ: `render_state` draws one as an SVG document."""

from services.chassis.game import Marks
from services.eighteen_cz.render.picture import render_state
from services.eighteen_cz.render.pointing import marked_places, marked_tile
from services.eighteen_cz.rulebook import summary
from services.eighteen_cz.rules.moves import Move, RunTrains
from services.eighteen_cz.rules.state import State

__all__ = ["render", "render_state"]


def render(state: State, marks: Marks[Move], language: str) -> str:
    """The picture of a valid state with what the chassis asks to point at."""
    move = marks.move
    return render_state(
        state,
        mark_hexes=() if move is None else marked_places(move),
        ghost=None if move is None else marked_tile(move),
        mark_route=move.routes if isinstance(move, RunTrains) else (),
        violation_at=marks.at,
        caption=marks.message or ("" if move is None else summary(move, language)),
        warning=bool(marks.message or marks.at),
        language=language,
    )
