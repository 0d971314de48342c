"""The route set that earns most, found exactly and proven, or the best found within a budget (CZ-11.11).

A route is two *arms* that start at one own station: simple paths that share nothing but that station, one
of them perhaps empty.  Arms are grouped by how many cities (and towns) they visit, so that only groups
that fit together within the train's reach are paired, best first, until no pair can be better.  Several
trains are then fitted together by branch and bound over their routes, best first.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.cities import closed_cities
from services.eighteen_cz.rules.facts import Version
from services.eighteen_cz.rules.moves import RunTrains
from services.eighteen_cz.rules.network import Network, network
from services.eighteen_cz.rules.queries import may_run
from services.eighteen_cz.rules.revenue import is_express, is_own_home, location_value, worth
from services.eighteen_cz.rules.routes import canonical
from services.eighteen_cz.rules.sections import Section, backwards, sections
from services.eighteen_cz.rules.state import State
from services.eighteen_cz.rules.tracing import Run, spell
from services.ruleset.answers import Optimality
from services.ruleset.protocol import Budget


@dataclass(slots=True, eq=False)
class _Arm:
    """A simple path away from a station; nothing here counts the station itself."""

    used: int  # mask of hexsides
    visits: int  # mask of locations
    stops: tuple[int, ...]
    legs: tuple[Section, ...]
    cities: tuple[int, ...]  # values of its cities and red locations
    towns: tuple[int, ...]  # values of its towns


@dataclass(slots=True, eq=False)
class _Route:
    value: int
    used: int
    station: int
    arms: tuple[_Arm, _Arm]


Ranked = list[tuple[int, _Arm]]
"""Arms with what each earns at most as part of a route, best first."""


class _Pairing(NamedTuple):
    """Two groups of arms of one station that fit together; no route of them earns more than `bound`."""

    bound: int
    station: int
    first: Ranked
    second: Ranked  # the same list where a group is paired with itself


@dataclass(slots=True)
class _Search:
    """The board from one company's point of view, and what has been found on it."""

    state: State
    budget: Budget
    net: Network
    stations: tuple[int, ...]
    ends: frozenset[int]  # locations that nothing runs through
    values: tuple[int, ...]  # by location
    bits: tuple[int, ...]  # by location, the same for locations that are one for routes
    home: int  # the own red home, -1 where there is none
    exhausted: bool = False
    _pairings: dict[str, list[_Pairing]] = field(default_factory=dict)

    def spend(self, nodes: int) -> bool:
        """False once the budget is used up: the search then makes do with what it has."""
        if not self.exhausted:
            self.exhausted = not self.budget.spend(nodes)
        return not self.exhausted

    def pairings(self, train: str) -> list[_Pairing]:
        """For a train, best bound first."""
        if train not in self._pairings:
            version = facts.VERSIONS[train]
            found = [
                pairing
                for index, station in enumerate(self.stations)
                for pairing in self._pairings_of(version, station, self._arms(version, index))
            ]
            self._pairings[train] = sorted(found, key=lambda pairing: -pairing.bound)
        return self._pairings[train]

    def _arms(self, version: Version, index: int) -> list[_Arm]:
        """Depth first.  A route with several own stations is found from the first of them only."""
        longest = len(self.net.locations) if is_express(version) else version.stops
        locations, table, values = self.net.locations, sections(self.net).of, self.values
        start, earlier = self.stations[index], self.stations[:index]
        own = self.bits[start]
        found = [_Arm(0, 0, (), (), (), ())]
        stack = found.copy()
        while stack and self.spend(1):
            arm = stack.pop()
            here = arm.stops[-1] if arm.stops else start
            if len(arm.stops) + 1 == longest or (arm.stops and here in self.ends):
                continue
            # from a red station no train runs both ways, so all its arms share the station
            visits = arm.visits | own if start in self.ends else arm.visits
            for leg in table[here]:
                there = locations[leg.to]
                bit = self.bits[leg.to]
                if arm.used & leg.used or (visits | own) & bit or leg.to in earlier:
                    continue
                cities, towns = arm.cities, arm.towns
                if there.city:
                    cities += (values[leg.to],)
                    if len(cities) == version.cities:
                        continue
                else:
                    towns += (values[leg.to],)
                stops, legs = (*arm.stops, leg.to), (*arm.legs, leg)
                longer = _Arm(arm.used | leg.used, visits | bit, stops, legs, cities, towns)
                found.append(longer)
                stack.append(longer)
        return found

    def _pairings_of(self, version: Version, station: int, arms: list[_Arm]) -> Iterator[_Pairing]:
        express = is_express(version)
        groups: dict[tuple[int, int], list[_Arm]] = {}
        for arm in arms:
            groups.setdefault((len(arm.cities), 0 if express else len(arm.towns)), []).append(arm)
        ranked: dict[tuple[int, int, int], Ranked] = {}

        def rank(size: tuple[int, int], rest: int) -> Ranked:
            """A group's arms for routes that count at most `rest` towns; others count all."""
            if (*size, rest) not in ranked:
                rated = [(self._earns(version, arm, rest), arm) for arm in groups[size]]
                ranked[*size, rest] = sorted(rated, key=lambda pair: -pair[0])
            return ranked[*size, rest]

        base = self._earns(version, _Arm(0, 0, (station,), (), (self.values[station],), ()), 0)
        sizes = sorted(groups)
        for number, size in enumerate(sizes):
            for other in sizes[number:]:
                cities = size[0] + other[0] + 1
                if cities > version.cities or (not express and cities + size[1] + other[1] > version.stops):
                    continue
                rest = version.stops - cities if express else 0
                first, second = rank(size, rest), rank(other, rest)
                yield _Pairing(base + first[0][0] + second[0][0], station, first, second)

    def _earns(self, version: Version, arm: _Arm, rest: int) -> int:
        bonus = facts.HOME_BONUS if self.home in arm.stops else 0
        if not is_express(version):
            return sum(arm.cities) + sum(arm.towns) + bonus
        if self.state.switches.express_must_count_every_city:
            towns = sorted(arm.towns, reverse=True)[:rest]
            return worth(self.state.switches, version, arm.cities, towns) + bonus
        return worth(self.state.switches, version, arm.cities, arm.towns) + bonus

    def routes(self, train: str, floor: int, barred: int = 0, only_best: bool = True) -> list[_Route]:
        """Routes worth more than `floor` that use none of the `barred` hexsides: the best one, or all."""
        version = facts.VERSIONS[train]
        found: list[_Route] = []
        for bound, station, firsts, seconds in self.pairings(train):
            if bound <= floor:
                break
            base = bound - firsts[0][0] - seconds[0][0]
            for index, (earns, first) in enumerate(firsts):
                if base + earns + seconds[0][0] <= floor:
                    break
                if first.used & barred:
                    continue
                least = floor - base - earns  # the second arm must earn more
                avoid, visits, tried = barred | first.used, first.visits, 0
                for more, second in seconds[index + 1 :] if seconds is firsts else seconds:
                    if more <= least:
                        break
                    tried += 1
                    if avoid & second.used or visits & second.visits:
                        continue
                    value = base + earns + more
                    if is_express(version):
                        value = self._express_value(version, station, first, second)
                    if value > floor:
                        route = _Route(value, first.used | second.used, station, (first, second))
                        if only_best:
                            found.clear()
                            floor, least = value, value - base - earns
                        found.append(route)
                if not self.spend(tried + 1):
                    return found
        return found

    def _express_value(self, version: Version, station: int, first: _Arm, second: _Arm) -> int:
        cities = (self.values[station], *first.cities, *second.cities)
        value = worth(self.state.switches, version, cities, first.towns + second.towns)
        at_home = self.home in (station, *first.stops, *second.stops)
        return value + (facts.HOME_BONUS if at_home else 0)

    def run(self, train: str, route: _Route) -> Run:
        """The route from the end of its first arm to the end of its second."""
        first, second = route.arms
        back = [route.station, *first.stops]
        legs = [backwards(self.net, leg, back[n]) for n, leg in enumerate(first.legs)]
        stops = (*reversed(back), *second.stops)
        return Run(train, stops, (*reversed(legs), *second.legs))


def _reach_alike(train: str) -> str:
    """The first version with the same reach: `4e` and `4f` have the same routes."""
    version = facts.VERSIONS[train]
    return next(
        name
        for name, other in facts.VERSIONS.items()
        if (other.size, other.stops, other.cities) == (version.size, version.stops, version.cities)
    )


class _List:
    """Routes of one kind of train, best first, with the set of those that use each hexside.

    A set of routes is an integer with bit n for route n, so the best of a set is its lowest bit.
    """

    __slots__ = ("_by_hexside", "_clashing", "routes", "whole")

    def __init__(self, routes: Sequence[_Route]) -> None:
        self.routes = sorted(routes, key=lambda route: -route.value)
        self.whole = (1 << len(routes)) - 1
        self._clashing: dict[int, int] = {}
        by_hexside: dict[int, bytearray] = {}
        for index, route in enumerate(self.routes):
            for hexside in _bits(route.used):
                members = by_hexside.setdefault(hexside, bytearray(len(routes) // 8 + 1))
                members[index >> 3] |= 1 << (index & 7)
        self._by_hexside = {
            hexside: int.from_bytes(members, "little") for hexside, members in by_hexside.items()
        }

    def without(self, members: int, used: int) -> int:
        """The members that use none of some hexsides."""
        clashing = self._clashing.get(used)
        if clashing is None:
            clashing = 0
            for hexside in _bits(used):
                clashing |= self._by_hexside.get(hexside, 0)
            self._clashing[used] = clashing
        return members & ~clashing

    def top(self, members: int) -> int:
        """The value of the best member; 0 when there is none, since a train may stay idle."""
        return self.routes[(members & -members).bit_length() - 1].value if members else 0


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _fit(search: _Search, kinds: Sequence[str], most: Sequence[int], floor: int) -> list[_Route | None]:
    """Routes of trains of these kinds that share no track and earn together more than `floor`, as much as
    possible; nothing if there are none.  `most` is what a train of each kind earns at most."""
    slack = sum(most) - floor
    lists: dict[str, _List] = {}
    for kind, value in zip(kinds, most, strict=True):
        if kind not in lists:
            routes = search.routes(kind, value - slack, only_best=False)
            search.spend(len(routes))
            lists[kind] = _List(routes)
    best: list[_Route | None] = []
    chosen: list[_Route | None] = []

    def extend(total: int, left: tuple[int, ...]) -> None:
        """`left` are the routes that the next trains may still take."""
        nonlocal best, floor
        if not left:
            if total > floor:
                best, floor = chosen.copy(), total
            return
        kind = kinds[len(chosen)]
        later = [lists[name] for name in kinds[len(chosen) + 1 :]]
        rest = sum(routes.top(members) for routes, members in zip(later, left[1:], strict=True))
        mine = left[0]
        while mine and search.spend(1):
            low = mine & -mine
            mine ^= low
            route = lists[kind].routes[low.bit_length() - 1]
            if total + route.value + rest <= floor:
                return
            # a later train of the same kind takes a later route: the order of equals does not matter
            free = tuple(
                routes.without(members & ~(low - 1) if routes is lists[kind] else members, route.used)
                for routes, members in zip(later, left[1:], strict=True)
            )
            tops = sum(routes.top(members) for routes, members in zip(later, free, strict=True))
            if total + route.value + tops > floor:
                chosen.append(route)
                extend(total + route.value, free)
                chosen.pop()
        if total + rest > floor:
            chosen.append(None)
            extend(total, left[1:])
            chosen.pop()

    extend(0, tuple(lists[kind].whole for kind in kinds))
    return best


def _best_set(search: _Search, trains: Sequence[str]) -> list[_Route | None]:
    """One route or none for each train."""
    kinds = [_reach_alike(train) for train in trains]
    singles = {kind: search.routes(kind, 0) for kind in dict.fromkeys(kinds)}
    most = [singles[kind][0].value if singles[kind] else 0 for kind in kinds]
    greedy: list[_Route | None] = [None] * len(trains)
    used = total = 0
    for place in sorted(range(len(trains)), key=lambda place: -most[place]):
        found = search.routes(kinds[place], 0, used) if used else singles[kinds[place]]
        if found:
            greedy[place] = found[0]
            used |= found[0].used
            total += found[0].value
    if total == sum(most):
        return greedy
    order = sorted(range(len(trains)), key=lambda place: (most[place], kinds[place]))
    better = _fit(search, [kinds[place] for place in order], [most[place] for place in order], total)
    return [better[order.index(place)] for place in range(len(trains))] if better else greedy


def _visit_bits(net: Network) -> tuple[int, ...]:
    numbers: dict[int, int] = {}
    return tuple(1 << numbers.setdefault(place.visit, len(numbers)) for place in net.locations)


def best_run(state: State, company: str, budget: Budget) -> tuple[RunTrains, int, Optimality]:
    """The best route set of a company in canonical form, its revenue, and whether it is proven the best."""
    net = network(state)
    owner = state.companies[company]
    closed = closed_cities(state, company)
    own = [(station.hex, station.city) for station in owner.stations]
    homes = [place for place, location in enumerate(net.locations) if is_own_home(state, company, location)]
    search = _Search(
        state=state,
        budget=budget,
        net=net,
        stations=tuple(sorted(net.at[place] for place in own if place in net.at)),
        ends=frozenset(
            place
            for place, location in enumerate(net.locations)
            if location.red or (location.city and (location.hex, location.number) in closed)
        ),
        values=tuple(location_value(state, location) for location in net.locations),
        bits=_visit_bits(net),
        home=homes[0] if homes else -1,
        exhausted=not sections(net).complete,
    )
    trains = [train for train in owner.trains if may_run(state, owner, train)]
    routes = _best_set(search, trains) if search.stations else []
    runs = [search.run(train, route) for train, route in zip(trains, routes, strict=False) if route]
    revenue = sum(route.value for route in routes if route)
    move = canonical(state, RunTrains(company, tuple(spell(net, run) for run in runs)))
    return move, revenue, "BUDGET_EXHAUSTED" if search.exhausted else "PROVEN"
