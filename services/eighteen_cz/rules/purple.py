"""Purple-edged tiles, which only a local's ability lays (CZ-16.7, CZ-16.8)."""

from collections.abc import Iterator

from services.eighteen_cz.rules.abilities import ability, spend, unspent_locals, verify_ability
from services.eighteen_cz.rules.moves import LayPurpleTile
from services.eighteen_cz.rules.placing import (
    laid_values,
    placeable,
    put_tile,
    rotation_choice,
    verify_names,
    verify_placing,
)
from services.eighteen_cz.rules.queries import acting_company
from services.eighteen_cz.rules.refusing import refuse
from services.eighteen_cz.rules.state import State, Tile
from services.eighteen_cz.rules.tiles import KINDS
from services.ruleset.answers import Choice, Event, Option, Violation
from services.ruleset.protocol import Query


def verify_lay_purple_tile(state: State, move: LayPurpleTile) -> list[Violation]:
    """CZ-9.2 to 9.8, 9.11 and CZ-16.7, 16.8 for a purple-edged tile."""
    found = verify_ability(state, move, "local", move.local)
    unknown = verify_names(state, move)
    if unknown:
        return found + unknown
    kind = KINDS[move.tile]
    if not kind.purple:
        found.append(refuse(move, "tile", "CZ-16.8", "tile_not_purple", tile=move.tile))
    elif move.local in state.locals and kind.colour not in ability(move.local).purple_colours:
        values = {"local": move.local, "tile": move.tile, "colour": kind.colour}
        found.append(refuse(move, "tile", "CZ-16.7", "purple_colour", **values))
    return found + verify_placing(state, move)


def do_lay_purple_tile(state: State, move: LayPurpleTile) -> list[Event]:
    used = spend(state.locals[move.local])
    put_tile(state, move.actor, move.hex, Tile(move.tile, move.rotation))
    return [used, Event("purple_tile_laid", "CZ-16.7", laid_values(move))]


def lay_purple_tile_options(state: State, query: Query) -> Iterator[Option[LayPurpleTile]]:
    """One option for each hex, tile and orientation of track; which local's ability is a free parameter."""
    symbol = acting_company(state).symbol
    locals_ = unspent_locals(state, symbol)
    for hex_name, candidate in placeable(state, symbol, query.place, purple=True) if locals_ else ():
        colour = KINDS[candidate.number].colour
        able = tuple(local for local in locals_ if colour in ability(local).purple_colours)
        if able:
            move = LayPurpleTile(symbol, able[0], hex_name, candidate.number, candidate.rotations[0])
            choice = (Choice("layPurpleTile.local", able),) if len(able) > 1 else ()
            parameters = (*choice, *rotation_choice("layPurpleTile", candidate.rotations))
            yield Option("lay_purple_tile", move, parameters)
