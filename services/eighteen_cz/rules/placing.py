"""What a tile must fulfil to be placed, whatever lays it (CZ-9.2 to 9.8, CZ-9.11), and what follows for
the stations on its hex (CZ-9.12, CZ-9.13)."""

from collections.abc import Iterator

from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.cities import occupants, reservations
from services.eighteen_cz.rules.hexmap import MAPS, Hex, edges_of
from services.eighteen_cz.rules.moves import LayPurpleTile, LayTile
from services.eighteen_cz.rules.reach import reach
from services.eighteen_cz.rules.refusing import refuse
from services.eighteen_cz.rules.state import Pending, State, Station, Tile
from services.eighteen_cz.rules.tiles import (
    KINDS,
    LAYOUTS,
    NEXT_COLOUR,
    RED,
    Candidate,
    Kind,
    Layout,
    candidates,
    city_after,
    layout,
    successors,
)
from services.ruleset.answers import Choice, Parameter, Value, Violation

Lay = LayTile | LayPurpleTile


def supply(state: State) -> dict[str, int]:
    """Copies of each kind of tile that are not on the map (CZ-9.11)."""
    left = {number: kind.count for number, kind in KINDS.items()}
    for tile in state.tiles.values():
        left[tile.number] -= 1
    return left


def verify_names(state: State, move: Lay) -> list[Violation]:
    """Hex, tile and rotation must exist, and the hex must be one that ever takes a tile of a supply."""
    found = []
    hex_ = MAPS[state.board].hexes.get(move.hex)
    kind = KINDS.get(move.tile)
    if hex_ is None:
        found.append(refuse(move, "hex", "CZ-18.1", "unknown_hex", hex=move.hex))
    elif hex_.kind == "red_home_site":
        found.append(refuse(move, "hex", "CZ-9.10", "home_site", at=move.hex, hex=move.hex))
    elif hex_.kind == "printed_town":
        found.append(refuse(move, "hex", "CZ-9.3", "hex_never_changes", at=move.hex, hex=move.hex))
    if kind is None:
        found.append(refuse(move, "tile", "CZ-1.6", "unknown_tile", tile=move.tile))
    elif kind.colour == RED:
        found.append(refuse(move, "tile", "CZ-9.10", "home_tile_only", tile=move.tile, company=kind.label))
    if not 0 <= move.rotation < 6:
        found.append(refuse(move, "rotation", "CZ-9.14", "unknown_rotation", rotation=move.rotation))
    return found


def _verify_colour(state: State, move: Lay, kind: Kind, now: Layout) -> Iterator[Violation]:
    at = move.hex
    if kind.colour not in facts.PHASES[state.phase].colours:
        yield refuse(move, "tile", "CZ-9.2", "colour_not_open", at, colour=kind.colour, phase=state.phase)
    if NEXT_COLOUR.get(now.colour) != kind.colour:
        if now.colour in NEXT_COLOUR:
            values = {"colour": kind.colour, "lies": now.colour, "next": NEXT_COLOUR[now.colour]}
            yield refuse(move, "tile", "CZ-9.2", "tile_colour", at, hex=at, **values)
        else:
            yield refuse(move, "hex", "CZ-9.2", "tile_is_last", at, hex=at, lies=now.number)


def _verify_track(state: State, move: Lay, hex_: Hex, kind: Kind, now: Layout) -> Iterator[Violation]:
    at = move.hex
    if kind.label != now.label:
        if now.label:
            yield refuse(move, "tile", "CZ-9.4", "tile_label", at, tile=move.tile, hex=at, label=now.label)
        else:
            yield refuse(move, "tile", "CZ-9.4", "hex_label", at, tile=move.tile, hex=at, label=kind.label)
    elif NEXT_COLOUR.get(now.colour) == kind.colour:
        rotations = successors(hex_, state.tiles.get(at)).get(move.tile)
        if rotations is None:
            yield refuse(move, "tile", "CZ-9.3", "tile_not_for_hex", at, tile=move.tile, hex=at)
        elif move.rotation not in rotations:
            values: dict[str, Value] = {"tile": move.tile, "hex": at, "rotation": move.rotation}
            yield refuse(move, "rotation", "CZ-9.5", "tile_track_lost", at, **values)
    exits = LAYOUTS[Tile(move.tile, move.rotation)].exits
    for edge in edges_of(exits & ~hex_.open_edges):
        yield refuse(move, "rotation", "CZ-9.6", "tile_exit_blocked", at, tile=move.tile, hex=at, edge=edge)
    if at not in state.tiles:
        for edge in edges_of(hex_.first_tile_edges & ~exits):
            yield refuse(move, "rotation", "CZ-9.8", "praha_approach", at, hex=at, edge=edge)


def verify_placing(state: State, move: Lay) -> list[Violation]:
    """Everything but the allowance, the money and the ability; names must have been verified."""
    hex_ = MAPS[state.board].hexes[move.hex]
    kind = KINDS[move.tile]
    now = layout(state, move.hex)
    found = [*_verify_colour(state, move, kind, now), *_verify_track(state, move, hex_, kind, now)]
    exits = LAYOUTS[Tile(move.tile, move.rotation)].exits
    if not exits & reach(state, move.actor).edges.get(move.hex, 0):
        values = {"company": move.actor, "hex": move.hex}
        found.append(refuse(move, "hex", "CZ-9.7", "tile_not_connected", move.hex, **values))
    count = kind.count
    if sum(tile.number == move.tile for tile in state.tiles.values()) >= count:
        found.append(refuse(move, "tile", "CZ-9.11", "tile_none_left", tile=move.tile, count=count))
    return found


def placeable(state: State, company: str, place: str, purple: bool) -> Iterator[tuple[str, Candidate]]:
    """Every (hex, tile) that passes `verify_placing` for a company, in map order; `place` picks a hex."""
    edges = reach(state, company).edges
    hexes = MAPS[state.board].hexes
    left = supply(state)
    colours = facts.PHASES[state.phase].colours
    for name in (place,) if place else sorted(edges, key=lambda name: hexes[name].index):
        if name not in edges:
            return
        for candidate in candidates(state.board, name, state.tiles.get(name)):
            kind = KINDS[candidate.number]
            if (
                kind.purple == purple
                and kind.colour in colours
                and left[candidate.number]
                and candidate.exits & edges[name]
            ):
                yield name, candidate


def asks_for_city(state: State, hex_name: str) -> bool:
    """Whether a tile there leaves a station without its city: on B9, before it has track (CZ-9.13)."""
    now = layout(state, hex_name)
    if len(now.cities) < 2 or now.exits:
        return False
    return any(station.hex == hex_name for owner in state.companies.values() for station in owner.stations)


def put_tile(state: State, company: str, hex_name: str, tile: Tile) -> None:
    """Lays the tile, moves the stations of its hex into their cities (CZ-9.12), and asks the layer for the
    city of a station that stood on B9 before there was track (CZ-9.13)."""
    asks = asks_for_city(state, hex_name)
    slots = _slots_after(state, hex_name, layout(state, hex_name), LAYOUTS[tile])
    state.tiles[hex_name] = tile
    for owner in state.companies.values():
        for index, station in enumerate(owner.stations):
            if station.hex == hex_name:
                owner.stations[index] = Station(hex_name, *slots[station.city, station.slot])
    if asks:
        state.pending.insert(0, Pending("home_city", company=company, hexes=[hex_name]))
    if state.operating:
        state.operating.laid.append(hex_name)


def _slots_after(
    state: State, hex_name: str, old: Layout, new: Layout
) -> dict[tuple[int, int], tuple[int, int]]:
    """(city, slot) of each station before and after.  Where cities are joined, stations and reserved homes
    take the slots of the new city in the order of the old ones."""
    taken = occupants(state)
    after: dict[tuple[int, int], tuple[int, int]] = {}
    used: dict[int, int] = {}  # slots given out so far in each new city that joins old ones
    joins = len(old.cities) > len(new.cities)
    for city in range(len(old.cities)):
        to = city_after(old, new, city)
        stations = sorted(taken.get((hex_name, city), {}))
        for slot in stations:
            after[city, slot] = (to, used.get(to, 0) if joins else slot)
            used[to] = used.get(to, 0) + 1
        if not stations:
            used[to] = used.get(to, 0) + bool(reservations(state, hex_name, city))
    return after


def laid_values(move: LayTile | LayPurpleTile) -> dict[str, Value]:
    return {"company": move.actor, "tile": move.tile, "hex": move.hex, "rotation": move.rotation}


def rotation_choice(path: str, rotations: tuple[int, ...]) -> tuple[Parameter, ...]:
    """Rotations with the same track are one move (CZ-9.14)."""
    return (Choice(f"{path}.rotation", rotations),) if len(rotations) > 1 else ()
