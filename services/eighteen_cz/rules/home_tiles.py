"""Step 0 of a large company's first turn: its red home tile and home station (CZ-9.10, CZ-10.1)."""

from collections.abc import Iterator

from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.hexmap import MAPS
from services.eighteen_cz.rules.moves import LayHomeTile
from services.eighteen_cz.rules.queries import acting_company, operating_turn
from services.eighteen_cz.rules.refusing import refuse
from services.eighteen_cz.rules.state import State, Station, Tile
from services.eighteen_cz.rules.tiles import home_rotations
from services.ruleset.answers import Choice, Event, Option, Violation
from services.ruleset.protocol import Query


def verify_lay_home_tile(state: State, move: LayHomeTile) -> list[Violation]:
    """CZ-9.10: once, on one of the company's two home sites, both exits towards hexes of the map."""
    company = state.companies[move.actor]
    home = facts.COMPANIES[move.actor]
    values = {"company": move.actor, "hex": move.hex}
    if not home.home_tile:
        return [refuse(move, "actor", "CZ-9.10", "no_home_tile", company=move.actor)]
    found = []
    if company.home_placed:
        found.append(refuse(move, "", "CZ-9.10", "home_tile_laid", company=move.actor))
    if move.hex not in MAPS[state.board].hexes:
        found.append(refuse(move, "hex", "CZ-18.1", "unknown_hex", hex=move.hex))
    elif move.hex not in home.home_hexes:
        sites = ", ".join(home.home_hexes)
        found.append(refuse(move, "hex", "CZ-9.10", "not_home_site", move.hex, **values, sites=sites))
    elif move.rotation not in home_rotations(state.board, move.actor, move.hex):
        rotation = move.rotation
        found.append(
            refuse(move, "rotation", "CZ-9.10", "home_tile_exits", move.hex, hex=move.hex, rotation=rotation)
        )
    return found


def do_lay_home_tile(state: State, move: LayHomeTile) -> list[Event]:
    company = state.companies[move.actor]
    number = facts.COMPANIES[move.actor].home_tile
    state.tiles[move.hex] = Tile(number, move.rotation)
    company.stations.append(Station(move.hex, 0, 0))
    company.markers -= 1
    company.home_placed = True
    operating_turn(state).laid.append(move.hex)
    return [Event("home_tile_laid", "CZ-9.10", {"company": move.actor, "hex": move.hex, "tile": number})]


def lay_home_tile_options(state: State, query: Query) -> Iterator[Option[LayHomeTile]]:
    """One option for each home site; the rotation is a free parameter."""
    company = acting_company(state)
    if company.home_placed:
        return
    for site in facts.COMPANIES[company.symbol].home_hexes:
        rotations = home_rotations(state.board, company.symbol, site)
        if rotations and query.place in ("", site):
            move = LayHomeTile(company.symbol, site, rotations[0])
            choice = (Choice("layHomeTile.rotation", rotations),) if len(rotations) > 1 else ()
            yield Option("lay_home_tile", move, choice)
