"""Which stations a company's strings can join (SR-10.3, 10.4), and so whether it may pass (SR-5.12)."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

from services.ruleset.protocol import Budget
from services.string_railway.rules import facts
from services.string_railway.rules.ground import Ground, Route
from services.string_railway.rules.lengths import compare
from services.string_railway.rules.state import Length, State, Station
from services.string_railway.rules.table import (
    LENGTHS,
    area,
    classes_left,
    has_limit_reached,
    length_bounds,
    network,
    tile,
)

UNDECIDED = 10
"""Micrometres from the greatest length within which people cannot tell whether a string reaches."""


@dataclass(frozen=True, slots=True)
class Network:
    """Where a company's string may start and end: ids in the order of placing."""

    anchors: tuple[str, ...]
    targets: tuple[str, ...]  # anchors included
    blocked: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two stations that a string could join.  `route` is the shortest path, None where there is none."""

    start: str
    end: str
    route: Route | None
    reachable: tuple[Length, ...]  # classes of string with which it can be done, in hand or not
    undecided: bool  # the distance is within UNDECIDED of a greatest length


def string_network(state: State, company: str) -> Network:
    """SR-10.3"""
    anchors = {station.id for station in network(state, company)}
    blocked = {station.id for station in state.stations if has_limit_reached(state, station, company)}
    names = [station.id for station in state.stations]
    return Network(
        tuple(name for name in names if name in anchors),
        tuple(name for name in names if name not in blocked),
        tuple(name for name in names if name in blocked),
    )


def pairs(state: State, company: str, budget: Budget, limit: float = inf) -> Iterator[Pair]:
    """Every anchor with every other station that admits the company, two anchors once.

    Pairs farther apart than `limit` micrometres may be left without a route.
    """
    net = string_network(state, company)
    stations = {station.id: station for station in state.stations}
    grounds = Grounds(state, net)
    done: set[str] = set()
    for anchor in net.anchors:
        done.add(anchor)
        others = [name for name in net.targets if name not in done]
        start = stations[anchor]
        groups: dict[frozenset[str], list[str]] = {}
        for name in others:
            groups.setdefault(grounds.key(start, stations[name]), []).append(name)
        for key, names in groups.items():
            ground = grounds.at(key)
            ends = [tile(stations[name]) for name in names]
            for name, route in zip(names, ground.routes(tile(start), ends, budget, limit), strict=True):
                yield _pair(state, anchor, name, route)


def _pair(state: State, start: str, end: str, route: Route | None) -> Pair:
    if route is None:
        return Pair(start, end, None, (), False)
    reachable = tuple(length for length in LENGTHS if is_long_enough(state, length, route))
    undecided = any(abs(route.length - length_bounds(state, each)[1]) < UNDECIDED for each in LENGTHS)
    return Pair(start, end, route, reachable, undecided)


def is_long_enough(state: State, length: str, route: Route) -> bool:
    """Whether a string can be laid along a shortest path, compared exactly (SR-10.4)."""
    most = length_bounds(state, length)[1]
    if abs(route.length - most) > UNDECIDED:
        return route.length < most
    compared = compare(route.squares(), most)
    return compared < 0 or (compared == 0 and not route.touches)


class Grounds:
    """What a string must avoid depends on which Terminals are its ends; each case is worked out once."""

    def __init__(self, state: State, net: Network) -> None:
        self._ring = area(state)
        self._stations = {station.id: station for station in state.stations}
        self._blocked = net.blocked
        self._terminals = [
            s.id for s in state.stations if s.kind == facts.TERMINAL and s.id not in net.blocked
        ]
        self._grounds: dict[frozenset[str], Ground] = {}

    def key(self, start: Station, end: Station) -> frozenset[str]:
        """The Terminals that are obstacles between two stations."""
        return frozenset(name for name in self._terminals if name not in (start.id, end.id))

    def at(self, key: frozenset[str]) -> Ground:
        ground = self._grounds.get(key)
        if ground is None:
            names = [*self._blocked, *(name for name in self._terminals if name in key)]
            ground = Ground(self._ring, [tile(self._stations[name]) for name in names])
            self._grounds[key] = ground
        return ground


def can_lay(state: State, company: str, budget: Budget) -> bool:
    """Whether any remaining string of a company can be laid legally (SR-5.12)."""
    left = classes_left(state, company)
    if not left:
        return False
    most = max(length_bounds(state, length)[1] for length in left)
    found = pairs(state, company, budget, float(most) + 2 * UNDECIDED)
    return any(length in pair.reachable for pair in found for length in left)
