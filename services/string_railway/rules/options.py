"""Legal moves (SR-10): ready moves of every kind, lazily and in a fixed order.

Tiles and strings have a continuum of legal places.  A tile is offered once for each connected region and
angle, with a centre inside; a string once for every pair of stations and class that can be joined, with
one legal polyline.  The field that may vary is a free parameter.
"""

from collections.abc import Iterator
from typing import Any

from services.ruleset.answers import Change, Free, Option
from services.ruleset.protocol import Budget, Query
from services.string_railway.rules.drawing import draw_options
from services.string_railway.rules.improving import Improver
from services.string_railway.rules.moves import LayString, PlaceStation, SetAside
from services.string_railway.rules.openings import (
    boundary_options,
    mountain_options,
    river_options,
    start_options,
)
from services.string_railway.rules.passing import pass_options
from services.string_railway.rules.reach import UNDECIDED, Grounds, Pair, pairs, string_network
from services.string_railway.rules.regions import ANGLES, tile_regions
from services.string_railway.rules.room import find_room
from services.string_railway.rules.state import Length, State
from services.string_railway.rules.table import classes_left, length_bounds
from services.string_railway.rules.turn import turn
from services.string_railway.rules.turning import corners
from services.string_railway.rules.witness import Weaver, Witness

_STRING_PARAMETERS = (Free("layString.path", "SR-5"),)
_TILE_PARAMETERS = (Free("placeStation.corners", "SR-4"),)


def legal_moves(state: State, query: Query, budget: Budget) -> Iterator[Option[Any]]:
    """Every kind of move that is open, as far as the query wants it.

    `query.place` is a station: only strings that end there are wanted.
    """
    now = turn(state)
    if query.actor and query.actor not in (now.actor, state.acting, *now.seats):
        return
    for kind in now.kinds:
        if query.kinds and kind not in query.kinds:
            continue
        if query.place and kind != "lay_string":
            continue
        yield from _of_kind(state, kind, query.place, budget)


def _of_kind(state: State, kind: str, place: str, budget: Budget) -> Iterator[Option[Any]]:
    match kind:
        case "setup_boundary":
            yield from boundary_options(state)
        case "setup_river":
            yield from river_options(state)
        case "setup_mountain":
            yield from mountain_options(state)
        case "place_start":
            yield from start_options(state)
        case "draw":
            yield from draw_options(state)
        case "place_station":
            yield from _place_options(state, budget)
        case "set_aside":
            yield from _set_aside_options(state, budget)
        case "lay_string":
            yield from _lay_options(state, place, budget)
        case "pass":
            yield from pass_options(state, budget)


def _place_options(state: State, budget: Budget) -> Iterator[Option[PlaceStation]]:
    """SR-10.1; where no region is large enough to be offered, the tile goes where the search finds room."""
    kinds = tuple(dict.fromkeys(state.pending))
    found = False
    for angle in ANGLES:
        for region in tile_regions(state, angle, budget):
            found = True
            for kind in kinds:
                move = PlaceStation(state.acting, kind, corners(region.witness, angle))
                yield Option(move.kind, move, _TILE_PARAMETERS)
    if found:
        return
    room = find_room(state, budget)
    if room is not None:
        for kind in kinds:
            yield Option("place_station", PlaceStation(state.acting, kind, room), _TILE_PARAMETERS)


def _set_aside_options(state: State, budget: Budget) -> Iterator[Option[SetAside]]:
    if find_room(state, budget) is None:
        for kind in dict.fromkeys(state.pending):
            yield Option("set_aside", SetAside(state.acting, kind))


def open_pairs(state: State, place: str, budget: Budget) -> Iterator[tuple[Pair, tuple[Length, ...]]]:
    """The pairs of stations that a string in hand can join, with the classes that reach (SR-10.4)."""
    left = classes_left(state, state.acting)
    if not left:
        return
    most = max(length_bounds(state, length)[1] for length in left)
    for pair in pairs(state, state.acting, budget, float(most) + 2 * UNDECIDED):
        classes = tuple(length for length in left if length in pair.reachable)
        if classes and (not place or place in (pair.start, pair.end)):
            yield pair, classes


def _lay_options(state: State, place: str, budget: Budget) -> Iterator[Option[LayString]]:
    """A witness for every pair and class (SR-10.5), then the best string that was found (SR-10.6)."""
    company = state.acting
    weaver = Weaver(state, company, budget)
    net = string_network(state, company)
    grounds = Grounds(state, net)
    improver = Improver(state, company, net, grounds, weaver)
    stations = {station.id: station for station in state.stations}
    for pair, classes in open_pairs(state, place, budget):
        start, end = stations[pair.start], stations[pair.end]
        ground = grounds.at(grounds.key(start, end))
        for length in classes:
            if pair.route is None:
                continue
            found = weaver.witness(start, end, length, pair.route, ground)
            if found is not None:
                improver.add(found, start.id, end.id)
                yield _string_option(state, found)
    best = improver.best(budget)
    if best is not None:
        option = _string_option(state, best)
        yield Option(option.kind, option.move, option.parameters, option.preview, "BUDGET_EXHAUSTED")


def _string_option(state: State, found: Witness) -> Option[LayString]:
    preview = tuple(
        Change(company, "points", state.scores[company], state.scores[company] + amount)
        for company, amount in found.paid.totals().items()
    )
    return Option("lay_string", found.move, _STRING_PARAMETERS, preview)


def counts(state: State, budget: Budget) -> dict[str, int]:
    """How many moves of each kind are open, without making any: pairs and classes for strings, kinds and
    angles for tiles."""
    if state.phase == "lay":
        reachable = sum(len(classes) for _, classes in open_pairs(state, "", budget))
        if reachable:
            return {"lay_string": reachable}
        return {"pass": len(classes_left(state, state.acting))}
    if state.phase == "place":
        kinds = len(set(state.pending))
        if find_room(state, budget) is None:
            return {"set_aside": kinds}
        return {"place_station": kinds * len(ANGLES)}
    if state.phase == "draw":
        return {"draw": sum(1 for _ in draw_options(state))}
    return dict.fromkeys(turn(state).kinds, 1)
