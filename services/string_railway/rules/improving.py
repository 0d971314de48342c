"""Better strings than the witnesses (SR-10.6): a best effort, never proven.

From the best witnesses on, a station that the company has not reached is put on the way where its points
are worth the detour, one after another, as long as that brings more.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from services.ruleset.protocol import Budget
from services.string_railway.rules import facts
from services.string_railway.rules.ground import Ground, Route
from services.string_railway.rules.placing import on_mountain
from services.string_railway.rules.reach import Grounds, Network
from services.string_railway.rules.state import Length, State, Station
from services.string_railway.rules.table import length_bounds, station_facts, tile
from services.string_railway.rules.waves import Vector, length_of
from services.string_railway.rules.witness import Weaver, Witness, vectors

Course = tuple[str, ...]
"""Ids of the stations that a string is to visit, ends included."""

_STARTED_FROM: Final = 4
"""How many of the witnesses are improved on."""
_TRIED: Final = 6
"""How many ways to put one more station on the way are tried."""
_PROPOSALS: Final = 12
_ROUNDS: Final = 4


def gain(found: Witness, company: str) -> tuple[int, int]:
    """What a string brings its company, then how much less it brings all others."""
    totals = found.paid.totals()
    own = totals.get(company, 0)
    return own, own - sum(totals.values())


class Improver:
    """Collects the witnesses of one position and improves on the best of them."""

    def __init__(self, state: State, company: str, net: Network, grounds: Grounds, weaver: Weaver) -> None:
        self._state, self._company = state, company
        self._grounds, self._weaver = grounds, weaver
        self._stations = {station.id: station for station in state.stations}
        own = set(net.anchors)
        self._wanted = [
            self._stations[name]
            for name in net.targets
            if name not in own and self._stations[name].kind != facts.TERMINAL
        ]
        self._found: list[tuple[tuple[int, int], int, Witness, Course]] = []
        self._legs: dict[tuple[str, str, Ground], Route | None] = {}

    def add(self, found: Witness, start: str, end: str) -> None:
        """One more witness to start from."""
        self._found.append((gain(found, self._company), -len(self._found), found, (start, end)))

    def best(self, budget: Budget) -> Witness | None:
        """The best string found."""
        self._found.sort(key=lambda each: each[:2], reverse=True)
        best = self._found[0][2] if self._found else None
        for _, _, witness, course in self._found[:_STARTED_FROM]:
            improved = self._improved(witness, course, budget)
            if best is None or gain(improved, self._company) > gain(best, self._company):
                best = improved
        return best

    def _improved(self, witness: Witness, course: Course, budget: Budget) -> Witness:
        for _ in range(_ROUNDS):
            better = None
            for longer, path in self._detours(witness, course, budget)[:_TRIED]:
                if not budget.spend(1000):
                    return witness
                start, end = self._stations[longer[0]], self._stations[longer[-1]]
                length: Length = "short" if witness.move.length == "short" else "long"
                found = self._weaver.along([path], start, end, length, _PROPOSALS)
                if found is not None and gain(found, self._company) > gain(witness, self._company):
                    better = found, longer
                    break
            if better is None:
                return witness
            witness, course = better
        return witness

    def _detours(self, witness: Witness, course: Course, budget: Budget) -> list[tuple[Course, list[Vector]]]:
        """Courses with one more station that are short enough, the most points for the way first."""
        limit = float(length_bounds(self._state, witness.move.length)[1])
        reached = {*witness.paid.reached, *course}
        ranked = []
        for station in self._wanted:
            if station.id in reached:
                continue
            for place in range(1, len(course)):
                longer = (*course[:place], station.id, *course[place:])
                path = self._path(longer, limit, budget)
                if path is not None and (way := length_of(path)) < limit:
                    ranked.append((self._worth(station) / (way + 1), longer, path))
        ranked.sort(key=lambda each: (-each[0], each[1]))
        return [(longer, path) for _, longer, path in ranked]

    def _worth(self, station: Station) -> int:
        of = station_facts(station)
        if station.owner == self._company:
            return of.owner_points
        high = of.mountain_points and on_mountain(self._state, tile(station))
        return of.mountain_points if high else of.points

    def _path(self, course: Course, limit: float, budget: Budget) -> list[Vector] | None:
        """The shortest paths from station to station, joined."""
        start, end = self._stations[course[0]], self._stations[course[-1]]
        ground = self._grounds.at(self._grounds.key(start, end))
        path: list[Vector] = []
        for leg in self._course_legs(course, ground, limit, budget):
            if leg is None:
                return None
            path += vectors(leg)
        return path

    def _course_legs(
        self, course: Sequence[str], ground: Ground, limit: float, budget: Budget
    ) -> Iterator[Route | None]:
        for one, other in pairwise(course):
            key = (one, other, ground)
            if key not in self._legs:
                ends = [tile(self._stations[other])]
                self._legs[key] = ground.routes(tile(self._stations[one]), ends, budget, limit)[0]
            yield self._legs[key]
