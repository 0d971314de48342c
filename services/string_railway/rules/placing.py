"""Placing drawn tiles (SR-4)."""

from collections.abc import Iterator

from services.ruleset.answers import Event, Violation
from services.string_railway.rules import facts
from services.string_railway.rules.areas import where
from services.string_railway.rules.curves import Curve, curve
from services.string_railway.rules.formats import free_id, verify_id
from services.string_railway.rules.moves import PlaceStation, SetAside
from services.string_railway.rules.planes import Point, rounded
from services.string_railway.rules.refusing import refuse
from services.string_railway.rules.squares import Square, square, squares_meet, touches
from services.string_railway.rules.state import State, Station
from services.string_railway.rules.table import all_strings, area, tile


def lies_inside(own: Square, ring: Curve) -> bool:
    """Whether a tile lies in the play area without touching the boundary (SR-4.2)."""
    x, y = own.corners[0]
    return where(ring, (x, y, 1)) == "inside" and not touches(ring, own)


def fits(state: State, own: Square) -> bool:
    """Whether a tile may lie here (SR-4.2 to 4.4)."""
    return (
        lies_inside(own, area(state))
        and not any(squares_meet(own, tile(station)) for station in state.stations)
        and not any(touches(line, own) for _, line in all_strings(state))
    )


def on_mountain(state: State, own: Square) -> bool:
    """Whether a tile's centre lies inside the mountain (SR-6.6)."""
    return bool(state.mountain) and where(curve(state.mountain, True), own.centre) == "inside"


def verify_place_station(state: State, move: PlaceStation) -> list[Violation]:
    own = square(move.corners)
    at = rounded(own.centre)
    found = list(_verify_drawn(state, move))
    if not lies_inside(own, area(state)):
        found.append(refuse(move, "corners", "SR-4.2", "tile_not_inside", at))
    for name, line in all_strings(state):
        if touches(line, own):
            found.append(
                refuse(move, "corners", "SR-4.3", "tile_on_string", _touching(own, line), string=name)
            )
            break
    for station in state.stations:
        if squares_meet(own, tile(station)):
            found.append(refuse(move, "corners", "SR-4.4", "tile_on_station", at, station=station.id))
            break
    return found + verify_id(state, move)


def _touching(own: Square, line: Curve) -> Point | None:
    """A point that a curve shares with a tile."""
    for segment in line.near(own.box):
        part = own.clip(*line.ends(segment[4]))
        if part is not None:
            place = segment[4] + part[0]
            return rounded(line.spot(0 if line.closed and place == len(line.points) else place))
    return None


def _verify_drawn(state: State, move: PlaceStation | SetAside) -> Iterator[Violation]:
    if move.station_kind not in state.pending:
        tiles = ", ".join(state.pending)
        kind = move.station_kind[:40]
        yield refuse(move, "station_kind", "SR-4.1", "tile_not_drawn", station_kind=kind, tiles=tiles)


def do_place_station(state: State, move: PlaceStation) -> list[Event]:
    name = move.id or free_id(
        (s.id for s in state.stations), "s", len(state.stations) - len(state.companies) + 1
    )
    own = square(move.corners)
    owner = move.actor if facts.STATIONS[move.station_kind].controlled else ""
    state.stations.append(Station(name, move.station_kind, owner, own.corners))
    _take(state, move.station_kind)
    values = {"company": move.actor, "station": name, "station_kind": move.station_kind}
    events = [Event("station_placed", "SR-4.1", values)]
    if owner:
        events.append(Event("station_controlled", "SR-4.5", {"company": owner, "station": name}))
    return events


def verify_drawn(state: State, move: SetAside) -> list[Violation]:
    return list(_verify_drawn(state, move))


def do_set_aside(state: State, move: SetAside) -> list[Event]:
    state.aside.append(move.station_kind)
    _take(state, move.station_kind)
    return [Event("tile_set_aside", "SR-4.6", {"company": move.actor, "station_kind": move.station_kind})]


def _take(state: State, kind: str) -> None:
    state.pending.remove(kind)
    if not state.pending:
        state.phase = "lay"
