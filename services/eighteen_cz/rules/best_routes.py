"""The route set that earns most, found exactly and proven, or the best found within a budget (CZ-11.11).

A route is two *arms* that start at one own station: simple paths that share nothing but that station, one
of them perhaps empty.  What an arm earns at most is known for each arm, so arms are paired best first and
pairing stops where no pair can be better.  Several trains are then fitted together by branch and bound
over their routes, best first.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.cities import closed_cities
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

    earns: int  # at most, as part of any route
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


@dataclass(slots=True)
class _Search:
    """The board from one company's point of view, and what has been found on it."""

    state: State
    budget: Budget
    net: Network
    stations: tuple[int, ...]
    ends: frozenset[int]  # locations that nothing runs through
    values: tuple[int, ...]  # by location
    home: int  # the own red home, -1 where there is none
    exhausted: bool = False
    _arms: dict[str, list[list[_Arm]]] = field(default_factory=dict)

    def spend(self, nodes: int) -> bool:
        """False once the budget is used up: the search then makes do with what it has."""
        if not self.exhausted:
            self.exhausted = not self.budget.spend(nodes)
        return not self.exhausted

    def arms(self, train: str) -> list[list[_Arm]]:
        """The arms of each own station for a train, best first."""
        if train not in self._arms:
            self._arms[train] = [
                sorted(self._arms_of(train, index), key=lambda arm: -arm.earns)
                for index in range(len(self.stations))
            ]
        return self._arms[train]

    def _arms_of(self, train: str, index: int) -> list[_Arm]:
        """Depth first.  A route with several own stations is found from the first of them only."""
        version = facts.VERSIONS[train]
        switches = self.state.switches
        longest = len(self.net.locations) if is_express(version) else version.stops
        locations, table, values = self.net.locations, sections(self.net).of, self.values
        start = self.stations[index]
        own = 1 << locations[start].visit
        earlier = self.stations[:index]
        found = [_Arm(0, 0, 0, (), (), (), ())]
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
                bit = 1 << there.visit
                if arm.used & leg.used or (visits | own) & bit or leg.to in earlier:
                    continue
                cities, towns = arm.cities, arm.towns
                if there.city:
                    cities += (values[leg.to],)
                    if len(cities) == version.cities:
                        continue
                else:
                    towns += (values[leg.to],)
                stops = (*arm.stops, leg.to)
                earns = worth(switches, version, cities, towns)
                if self.home in stops:
                    earns += facts.HOME_BONUS
                longer = _Arm(
                    earns, arm.used | leg.used, visits | bit, stops, (*arm.legs, leg), cities, towns
                )
                found.append(longer)
                stack.append(longer)
        return found

    def routes(self, train: str, floor: int, barred: int = 0, only_best: bool = True) -> list[_Route]:
        """Routes worth more than `floor` that use none of the `barred` hexsides: the best one, or all."""
        version = facts.VERSIONS[train]
        express = is_express(version)
        found: list[_Route] = []
        for station, arms in zip(self.stations, self.arms(train), strict=True):
            base = self.values[station] + (facts.HOME_BONUS if station == self.home else 0)
            free = [arm for arm in arms if not arm.used & barred] if barred else arms
            for index, first in enumerate(free):
                least = floor - base - first.earns  # the second arm must earn more
                if first.earns <= least:
                    break
                tried = 0
                for second in free[index + 1 :]:
                    if second.earns <= least:
                        break
                    tried += 1
                    if (
                        first.used & second.used
                        or first.visits & second.visits
                        or len(first.cities) + len(second.cities) >= version.cities
                        or (not express and len(first.stops) + len(second.stops) >= version.stops)
                    ):
                        continue
                    value = base + first.earns + second.earns
                    if express:
                        value = self._express_value(train, station, first, second)
                    if value > floor:
                        route = _Route(value, first.used | second.used, station, (first, second))
                        if only_best:
                            found.clear()
                            floor, least = value, value - base - first.earns
                        found.append(route)
                if not self.spend(tried + 1):
                    return found
        return found

    def _express_value(self, train: str, station: int, first: _Arm, second: _Arm) -> int:
        cities = (self.values[station], *first.cities, *second.cities)
        value = worth(self.state.switches, facts.VERSIONS[train], cities, first.towns + second.towns)
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


def _fit(search: _Search, kinds: Sequence[str], most: Sequence[int], floor: int) -> list[_Route | None]:
    """Routes of trains of these kinds that share no track and earn together more than `floor`, as much as
    possible; nothing if there are none.  `most` is what each train earns at most; equal kinds are together."""
    slack = sum(most) - floor
    lists = {}
    for kind, value in zip(kinds, most, strict=True):
        if kind not in lists:
            routes = search.routes(kind, value - slack, only_best=False)
            lists[kind] = sorted(routes, key=lambda route: -route.value)
    best: list[_Route | None] = []
    chosen: list[_Route | None] = []

    def extend(total: int, used: int, begin: int) -> None:
        nonlocal best, floor
        place = len(chosen)
        if place == len(kinds):
            if total > floor:
                best, floor = chosen.copy(), total
            return
        routes = lists[kinds[place]]
        rest = sum(most[place + 1 :])
        alike = kinds[place + 1 : place + 2] == kinds[place : place + 1]
        for index in range(begin, len(routes)):
            route = routes[index]
            if total + route.value + rest <= floor or not search.spend(1):
                break
            if not route.used & used:
                chosen.append(route)
                extend(total + route.value, used | route.used, index + 1 if alike else 0)
                chosen.pop()
        if total + rest > floor:
            chosen.append(None)
            extend(total, used, len(routes) if alike else 0)
            chosen.pop()

    extend(0, 0, 0)
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
        home=homes[0] if homes else -1,
        exhausted=not sections(net).complete,
    )
    trains = [train for train in owner.trains if may_run(state, owner, train)]
    routes = _best_set(search, trains) if search.stations else []
    runs = [search.run(train, route) for train, route in zip(trains, routes, strict=False) if route]
    revenue = sum(route.value for route in routes if route)
    move = canonical(state, RunTrains(company, tuple(spell(net, run) for run in runs)))
    return move, revenue, "BUDGET_EXHAUSTED" if search.exhausted else "PROVEN"
