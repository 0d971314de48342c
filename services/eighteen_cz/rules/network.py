"""The track on the board as a graph, built once for each set of tiles.

A *side* is one edge of one hex (`6 * hex.index + edge`), a *hexside* what two sides share; both are the
map's numbers.  A *location* is a city, a town or a red location (CZ-11.2), numbered 0, 1, ... in map order.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from services.eighteen_cz.rules.hexmap import MAPS, Map, edges_of
from services.eighteen_cz.rules.state import State, Tile
from services.eighteen_cz.rules.tiles import LAYOUTS, PRINTED, RED


@dataclass(frozen=True, slots=True)
class Location:
    """A city or town that has track."""

    hex: str
    number: int  # index of the city or town on the tile
    alone: bool  # the only location of its hex
    city: bool
    red: bool
    value: int  # 0 when red: then the phase decides (CZ-11.6)
    visit: int  # the same for locations that are one for routes (CZ-11.4)
    sides: tuple[int, ...]  # its exits

    @property
    def name(self) -> str:
        """As in a route's stops: `E16`, or `E12.1` where the hex has several."""
        return self.hex if self.alone else f"{self.hex}.{self.number}"


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """Compared and hashed by identity: equal tiles give the same object while it is remembered.

    `ends[side]`: where track leads that is entered there, a side of the same hex or `~location`.
    """

    map: Map
    locations: tuple[Location, ...]
    at: Mapping[tuple[str, int], int]
    ends: Mapping[int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class _Part:
    """What one hex adds: its locations, the sides that lead to them by number, and its plain track."""

    locations: tuple[Location, ...]
    to_locations: tuple[tuple[int, int], ...]
    plain: Mapping[int, tuple[int, ...]]


@lru_cache(maxsize=8192)
def _part(board: str, name: str, tile: Tile | None) -> _Part:
    layout = LAYOUTS[tile] if tile else PRINTED[name]
    index = MAPS[board].hexes[name].index
    base = 6 * index
    locations = tuple(
        Location(
            hex=name,
            number=number,
            alone=len(layout.locations) == 1,
            city=layout.has_cities,
            red=layout.colour == RED,
            value=layout.revenue,
            visit=4 * index + (0 if layout.one_location else number),  # no hex has more than four
            sides=tuple(base + edge for edge in edges_of(exits)),
        )
        for number, exits in enumerate(layout.locations)
        if layout.exits
    )
    plain = {}
    for edge in edges_of(layout.exits):
        ends = tuple(base + end for end in layout.links[edge] if end < 6)
        if ends:
            plain[base + edge] = ends
    to_locations = tuple((side, location.number) for location in locations for side in location.sides)
    return _Part(locations, to_locations, plain)


@lru_cache(maxsize=8)
def _tracked_prints(board: str) -> frozenset[str]:
    """Hexes whose print has track: Praha and D1."""
    return frozenset(name for name in MAPS[board].hexes if PRINTED[name].exits)


@lru_cache(maxsize=512)
def _build(board: str, tiles: frozenset[tuple[str, Tile]]) -> Network:
    map_ = MAPS[board]
    laid = dict(tiles)
    hexes = map_.hexes
    locations: list[Location] = []
    at: dict[tuple[str, int], int] = {}
    ends: dict[int, tuple[int, ...]] = {}
    for name in sorted(_tracked_prints(board) | laid.keys(), key=lambda name: hexes[name].index):
        part = _part(board, name, laid.get(name))
        first = len(locations)
        ends.update(part.plain)
        for side, number in part.to_locations:
            ends[side] = (~(first + number),)
        for location in part.locations:
            at[name, location.number] = first + location.number
        locations += part.locations
    return Network(map_, tuple(locations), at, ends)


def network(state: State) -> Network:
    """The track on the board now."""
    return _build(state.board, frozenset(state.tiles.items()))
