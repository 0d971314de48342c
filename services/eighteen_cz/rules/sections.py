"""Track sections: the stretches of track between two locations, out of which routes are made (CZ-11.2)."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from services.eighteen_cz.rules.network import Network

_LIMIT: Final = 50_000
"""Steps that listing the sections of a board may take; recorded games need a few hundred at most."""


@dataclass(frozen=True, slots=True)
class Section:
    """From one location to another.  `sides` are crossed outward, one after the other; `used` is the mask
    of their hexsides, which nothing may use twice (CZ-11.3)."""

    to: int
    used: int
    sides: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Sections:
    """`of[location]` are the sections that begin there; not `complete` when the limit cut the list short."""

    of: tuple[tuple[Section, ...], ...]
    complete: bool


@lru_cache(maxsize=256)
def sections(net: Network) -> Sections:
    """Every section of the board, in both directions."""
    across, hexside, ends = net.map.across, net.map.hexside, net.ends
    steps = 0
    table: list[tuple[Section, ...]] = []
    for place, location in enumerate(net.locations):
        found: list[Section] = []
        stack: list[tuple[int, tuple[int, ...]]] = [(0, (side,)) for side in reversed(location.sides)]
        while stack and steps < _LIMIT:
            steps += 1
            used, sides = stack.pop()
            bit = 1 << hexside[sides[-1]]
            if used & bit:
                continue
            used |= bit
            for end in reversed(ends.get(across[sides[-1]], ())):
                if end >= 0:
                    stack.append((used, (*sides, end)))
                elif ~end != place:
                    found.append(Section(~end, used, sides))
        table.append(tuple(found))
    return Sections(tuple(table), steps < _LIMIT)


def hexes_of(net: Network, sides: tuple[int, ...]) -> tuple[str, ...]:
    """The hexes that a section passes, both ends included."""
    by_index = net.map.by_index
    names = [by_index[side // 6].name for side in sides]
    return (*names, by_index[net.map.across[sides[-1]] // 6].name)


def trace(net: Network, start: int, end: int, hexes: tuple[str, ...]) -> Section | None:
    """The section that passes exactly these hexes between two locations, if the track allows it."""
    if len(hexes) < 2 or hexes[0] != net.locations[start].hex or hexes[-1] != net.locations[end].hex:
        return None
    sides: list[int] = []
    used = 0
    ahead: tuple[int, ...] = net.locations[start].sides  # sides by which the hex may be left
    for name, following in pairwise(hexes):
        hex_ = net.map.hexes.get(name)
        if hex_ is None or following not in hex_.neighbours or not following:
            return None
        side = 6 * hex_.index + hex_.neighbours.index(following)
        bit = 1 << net.map.hexside[side]
        if side not in ahead or used & bit:
            return None
        used |= bit
        sides.append(side)
        ahead = net.ends.get(net.map.across[side], ())
    return Section(end, used, tuple(sides)) if ~end in ahead else None


def backwards(net: Network, section: Section, start: int) -> Section:
    """A section that began at `start`, run the other way."""
    return Section(start, section.used, tuple(net.map.across[side] for side in reversed(section.sides)))
