"""What a company can reach from its stations (CZ-9.7, CZ-10.2).

Track is followed as a train would: from an own station, through towns and through cities that are not
closed to the company, over no hexside and through no location twice.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from services.eighteen_cz.rules.cities import closed_cities
from services.eighteen_cz.rules.network import Network, network
from services.eighteen_cz.rules.state import State

_SEARCH_LIMIT = 20_000
"""Steps that the last, exhaustive search may take; no position of the recorded games needs a hundred.
Beyond it (only on boards built to be hard) what has not been found counts as not reachable."""


@dataclass(frozen=True, slots=True)
class Reach:
    """`edges[hex]` is the mask of reachable edges of a hex (CZ-9.7), `cities` the (hex, city) reached."""

    edges: dict[str, int]
    cities: frozenset[tuple[str, int]]


def _onward(net: Network, place: int, came_from: int, closed: frozenset[int]) -> tuple[int, ...]:
    """Sides by which a walk leaves a location that it entered by a side."""
    location = net.locations[place]
    if location.red or place in closed:
        return ()
    return tuple(side for side in location.sides if side != came_from)


def _walk(net: Network, starts: tuple[int, ...], closed: frozenset[int]) -> tuple[set[int], set[int], bool]:
    """Sides crossed outward and locations met on simple paths, breadth first, one path kept for each side.

    The flag tells whether some side was met only by a path that would repeat something: another path
    may still lead there.
    """
    across, hexside, ends = net.map.across, net.map.hexside, net.ends
    met = set(starts)
    # side crossed outward -> hexsides and locations of the path that led there
    paths = {side: (0, 1 << place) for place in starts for side in net.locations[place].sides}
    queue = list(paths)
    blocked: set[int] = set()
    for side in queue:
        used, visited = paths[side]
        used |= 1 << hexside[side]
        entry = across[side]
        for end in ends.get(entry, ()):
            now = visited
            onward: tuple[int, ...] = (end,)
            if end < 0:
                met.add(~end)
                onward = _onward(net, ~end, entry, closed)
                if visited >> ~end & 1:
                    blocked.update(onward)
                    continue
                now |= 1 << ~end
            for out in onward:
                if used >> hexside[out] & 1:
                    blocked.add(out)
                elif out not in paths:
                    paths[out] = (used, now)
                    queue.append(out)
    return set(paths), met, bool(blocked - paths.keys())


def _loosely(
    net: Network, starts: tuple[int, ...], closed: frozenset[int], without: frozenset[int] = frozenset()
) -> set[int]:
    """Sides crossed outward when repetition is allowed but some sides are not."""
    crossed = [side for place in starts for side in net.locations[place].sides if side not in without]
    seen = set(crossed)
    for side in crossed:
        entry = net.map.across[side]
        for end in net.ends.get(entry, ()):
            for out in (end,) if end >= 0 else _onward(net, ~end, entry, closed):
                if out not in seen and out not in without:
                    seen.add(out)
                    crossed.append(out)
    return seen


def _doubtful(net: Network, starts: tuple[int, ...], closed: frozenset[int], crossed: set[int]) -> set[int]:
    """Hexsides not yet crossed that a simple path might still cross.

    A simple path that crosses a side outward has not crossed it inward before: a side that cannot be
    met without that is struck out, and what hung on it with it, until nothing more falls.
    """
    hexside, across = net.map.hexside, net.map.across
    struck: frozenset[int] = frozenset()
    while True:
        loose = _loosely(net, starts, closed, struck)
        missing = {hexside[side] for side in loose} - {hexside[side] for side in crossed}
        if not missing:
            return missing
        wrong = {
            side
            for side in loose - crossed
            if side not in _loosely(net, starts, closed, struck | {across[side]})
        }
        if not wrong:
            return missing
        struck |= wrong


def _simple_paths(net: Network, starts: tuple[int, ...], closed: frozenset[int]) -> Iterator[tuple[int, int]]:
    """Every simple path depth first, as (last side crossed, location met there or -1)."""
    across, hexside, ends = net.map.across, net.map.hexside, net.ends
    stack = [(side, 0, 1 << place) for place in starts for side in net.locations[place].sides]
    while stack:
        side, used, visited = stack.pop()
        if used >> hexside[side] & 1:
            continue
        used |= 1 << hexside[side]
        yield side, -1
        entry = across[side]
        for end in ends.get(entry, ()):
            if end >= 0:
                stack.append((end, used, visited))
            elif not visited >> ~end & 1:
                yield side, ~end
                stack += [(out, used, visited | 1 << ~end) for out in _onward(net, ~end, entry, closed)]


@lru_cache(maxsize=1024)
def _reach(net: Network, stations: frozenset[tuple[str, int]], closed: frozenset[tuple[str, int]]) -> Reach:
    starts = tuple(sorted(net.at[place] for place in stations if place in net.at))
    shut = frozenset(net.at[place] for place in closed if place in net.at)
    crossed, met, unsure = _walk(net, starts, shut)
    missing = _doubtful(net, starts, shut, crossed) if unsure else set()
    if missing:
        for side, place in islice(_simple_paths(net, starts, shut), _SEARCH_LIMIT):
            crossed.add(side)
            met.add(place)
            missing.discard(net.map.hexside[side])
            if not missing:
                break
        met.discard(-1)
    edges: dict[str, int] = {}
    for name, _ in stations:
        edges[name] = net.map.hexes[name].open_edges
    for side in crossed:
        for index, edge in (divmod(side, 6), divmod(net.map.across[side], 6)):
            name = net.map.by_index[index].name
            edges[name] = edges.get(name, 0) | 1 << edge
    cities = {
        (net.locations[place].hex, net.locations[place].number) for place in met if net.locations[place].city
    }
    return Reach(edges, frozenset(cities | stations))


def reach(state: State, company: str) -> Reach:
    """Reachable edges and cities of a company now."""
    stations = frozenset((station.hex, station.city) for station in state.companies[company].stations)
    return _reach(network(state), stations, frozenset(closed_cities(state, company)))
