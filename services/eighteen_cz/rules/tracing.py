"""From a route as the wire names it, stops and hexes, to the same route traced on the network (CZ-11.2)."""

from collections.abc import Iterable
from dataclasses import dataclass

from services.eighteen_cz.rules.moves import Route
from services.eighteen_cz.rules.network import Network
from services.eighteen_cz.rules.sections import Section, hexes_of, sections, trace
from services.eighteen_cz.rules.state import State
from services.eighteen_cz.rules.tiles import layout
from services.ruleset.answers import Value, Violation


@dataclass(frozen=True, slots=True)
class Run:
    """A traced route: its locations and the sections between them."""

    train: str
    stops: tuple[int, ...]
    sections: tuple[Section, ...]

    @property
    def used(self) -> int:
        """The mask of its hexsides."""
        used = 0
        for section in self.sections:
            used |= section.used
        return used


class Untraceable(Exception):
    """A route that names what is not there."""

    def __init__(self, field: str, rule_id: str, reason: str, at: str = "", **values: Value) -> None:
        super().__init__(reason)
        self.violation = Violation(rule_id, reason, values, field, at)


def _stop(state: State, net: Network, field: str, name: str) -> int:
    """The location that a stop names."""
    hex_name, dot, number = name.partition(".")
    if hex_name not in net.map.hexes:
        raise Untraceable(field, "CZ-18.1", "unknown_hex", hex=hex_name)
    count = len(layout(state, hex_name).locations)
    if not count or (dot and number not in [str(index) for index in range(count)]):
        raise Untraceable(field, "CZ-11.2", "no_such_stop", hex_name, stop=name)
    if not dot and count > 1:
        raise Untraceable(field, "CZ-11.2", "stop_ambiguous", hex_name, hex=hex_name, count=count)
    place = net.at.get((hex_name, int(number or 0)))
    if place is None:
        raise Untraceable(field, "CZ-11.6", "stop_without_track", hex_name, hex=hex_name)
    return place


def _stops(state: State, net: Network, names: Iterable[str], field: str) -> tuple[int, ...]:
    """The locations, each different: Praha's cities are one (CZ-11.4)."""
    places: list[int] = []
    seen: set[int] = set()
    for index, name in enumerate(names):
        place = _stop(state, net, f"{field}[{index}]", name)
        location = net.locations[place]
        if location.visit in seen:
            raise Untraceable(f"{field}[{index}]", "CZ-11.4", "stop_twice", location.hex, stop=name)
        seen.add(location.visit)
        places.append(place)
    return tuple(places)


def _section(net: Network, field: str, start: int, end: int, hexes: tuple[str, ...]) -> Section:
    """The section between two stops: the one that passes the named hexes, else the only one there is."""
    first, last = net.locations[start], net.locations[end]
    if hexes:
        found = trace(net, start, end, hexes)
        if found is None:
            raise Untraceable(field, "CZ-11.2", "no_such_section", first.hex, start=first.name, end=last.name)
        return found
    choices = [section for section in sections(net).of[start] if section.to == end]
    if len(choices) != 1:
        reason = "section_ambiguous" if choices else "route_disconnected"
        raise Untraceable(field, "CZ-11.2", reason, first.hex, start=first.name, end=last.name)
    return choices[0]


def trace_route(state: State, net: Network, route: Route, field: str) -> Run:
    """`field` is the path of the route in the move.  Raises Untraceable."""
    legs = len(route.stops) - 1
    if legs < 1:
        raise Untraceable(f"{field}.stops", "CZ-11.2", "route_too_short", train=route.train)
    if route.sections and len(route.sections) != legs:
        count = len(route.sections)
        raise Untraceable(f"{field}.sections", "CZ-11.2", "section_count", count=count, needed=legs)
    stops = _stops(state, net, route.stops, f"{field}.stops")
    named = route.sections or ((),) * legs
    found = [
        _section(net, f"{field}.sections[{index}]", stops[index], stops[index + 1], hexes)
        for index, hexes in enumerate(named)
    ]
    return Run(route.train, stops, tuple(found))


def spell(net: Network, run: Run) -> Route:
    """A traced route in canonical form: every section named, in the direction that sorts first."""
    stops = tuple(net.locations[stop].name for stop in run.stops)
    legs = tuple(hexes_of(net, section.sides) for section in run.sections)
    backwards = tuple(leg[::-1] for leg in legs[::-1])
    stops, legs = min((stops, legs), (stops[::-1], backwards))
    return Route(run.train, stops, legs)
