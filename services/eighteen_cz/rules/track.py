"""Step 1 of a company's turn: laying and upgrading track (CZ-9)."""

from collections.abc import Iterator

from services.eighteen_cz.rules.abilities import ability, spend, unspent_locals, verify_ability
from services.eighteen_cz.rules.bank import pay_company
from services.eighteen_cz.rules.hexmap import MAPS
from services.eighteen_cz.rules.moves import LayTile
from services.eighteen_cz.rules.placing import (
    asks_for_city,
    laid_values,
    placeable,
    put_tile,
    rotation_choice,
    verify_names,
    verify_placing,
)
from services.eighteen_cz.rules.queries import acting_company, is_vaclavs, operating_turn
from services.eighteen_cz.rules.refusing import refuse
from services.eighteen_cz.rules.state import Company, State, Tile
from services.eighteen_cz.rules.tiles import KINDS, NEXT_COLOUR, layout
from services.ruleset.answers import Choice, Event, Option, Value, Violation
from services.ruleset.protocol import Query


def _within_allowance(state: State, company: str, yellow: bool) -> bool:
    """CZ-9.1: one lay of either kind; in a company's first turn two yellow tiles or one upgrade."""
    turn = operating_turn(state)
    if yellow and not state.companies[company].operated:
        return turn.upgrades == 0 and turn.yellow < 2
    return turn.upgrades == 0 and turn.yellow == 0


def _is_yellow(state: State, hex_name: str) -> bool:
    """Whether a lay on this hex is a yellow tile on an empty hex, else it is an upgrade (CZ-9.1, 9.2)."""
    return layout(state, hex_name).colour == "white"


def terrain_cost(state: State, hex_name: str) -> int:
    """What the next tile on this hex costs: its terrain, only for the first tile (CZ-9.9)."""
    return 0 if hex_name in state.tiles else MAPS[state.board].hexes[hex_name].cost


def _verify_waiver(state: State, move: LayTile) -> list[Violation]:
    found = verify_ability(state, move, "waiver", move.waiver)
    terrain = MAPS[state.board].hexes[move.hex].terrain
    if not terrain_cost(state, move.hex):
        found.append(refuse(move, "waiver", "CZ-16.7", "nothing_to_waive", move.hex, hex=move.hex))
    elif move.waiver in state.locals and terrain not in ability(move.waiver).waives:
        values = {"local": move.waiver, "hex": move.hex, "terrain": terrain}
        found.append(refuse(move, "waiver", "CZ-16.7", "waiver_terrain", move.hex, **values))
    return found


def verify_lay_tile(state: State, move: LayTile) -> list[Violation]:
    """CZ-9.1 to 9.11 and CZ-16.7 for a lay of step 1."""
    found = verify_names(state, move)
    if found:
        return found
    if KINDS[move.tile].purple:
        found.append(refuse(move, "tile", "CZ-16.8", "tile_needs_local", tile=move.tile))
    found += verify_placing(state, move)
    company = state.companies[move.actor]
    # The allowance speaks of yellow lays and upgrades: a tile of a colour that is not next here is neither.
    is_next = NEXT_COLOUR.get(layout(state, move.hex).colour) == KINDS[move.tile].colour
    if is_next and not _within_allowance(state, move.actor, _is_yellow(state, move.hex)):
        reason = "lay_allowance" if company.operated else "first_turn_lay_allowance"
        found.append(refuse(move, "", "CZ-9.1", reason, company=move.actor))
    if move.waiver:
        return found + _verify_waiver(state, move)
    cost = terrain_cost(state, move.hex)
    if cost > company.treasury and not is_vaclavs(company):
        values: dict[str, Value] = {"company": move.actor, "needed": cost, "has": company.treasury}
        found.append(refuse(move, "hex", "CZ-9.9", "terrain_not_paid", move.hex, hex=move.hex, **values))
    return found


def do_lay_tile(state: State, move: LayTile) -> list[Event]:
    turn = operating_turn(state)
    if _is_yellow(state, move.hex):
        turn.yellow += 1
    else:
        turn.upgrades += 1
    events = []
    cost = terrain_cost(state, move.hex)
    if move.waiver:
        events.append(spend(state.locals[move.waiver]))
        cost = 0
    values = laid_values(move)
    if cost:
        values["cost"] = cost
    changes = (pay_company(state, move.actor, -cost),) if cost else ()
    put_tile(state, move.actor, move.hex, Tile(move.tile, move.rotation))
    events.append(Event("tile_laid", "CZ-9.1", values, changes))
    return events


def lay_tile_options(state: State, query: Query) -> Iterator[Option[LayTile]]:
    """One option for each hex, tile and orientation of track; the waiver is a free parameter."""
    company = acting_company(state)
    allowed = {yellow: _within_allowance(state, company.symbol, yellow) for yellow in (False, True)}
    if not any(allowed.values()):
        return
    locals_ = unspent_locals(state, company.symbol)
    for hex_name, candidate in placeable(state, company.symbol, query.place, purple=False):
        if not allowed[_is_yellow(state, hex_name)]:
            continue
        waivers = _waivers(state, company, hex_name, locals_)
        if not waivers:
            continue
        move = LayTile(company.symbol, hex_name, candidate.number, candidate.rotations[0], waivers[0])
        parameters = rotation_choice("layTile", candidate.rotations)
        if len(waivers) > 1:
            parameters += (Choice("layTile.waiver", tuple(waivers)),)
        yield Option("lay_tile", move, parameters)


def _waivers(state: State, company: Company, hex_name: str, locals_: list[str]) -> list[str]:
    """What a lay on this hex may name as its waiver: "" where the company can pay, and own locals."""
    cost = terrain_cost(state, hex_name)
    terrain = MAPS[state.board].hexes[hex_name].terrain
    able = [local for local in locals_ if cost and terrain in ability(local).waives]
    return ["", *able] if cost <= company.treasury or is_vaclavs(company) else able


def effect(state: State, move: LayTile) -> tuple[bool, int, bool]:
    """All that the figures after a lay depend on: legal lays with the same effect change the same."""
    cost = 0 if move.waiver else terrain_cost(state, move.hex)
    return _is_yellow(state, move.hex), cost, asks_for_city(state, move.hex)
