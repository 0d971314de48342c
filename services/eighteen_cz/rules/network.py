"""The track on the board as a graph, built once for each set of tiles.

A *side* is one edge of one hex (`6 * hex.index + edge`), a *hexside* what two sides share; both are the
map's numbers.  A *location* is a city, a town or a red location (CZ-11.2), numbered 0, 1, ... in map order.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from services.eighteen_cz.rules.hexmap import MAPS, Map, edges_of
from services.eighteen_cz.rules.state import State, Tile
from services.eighteen_cz.rules.tiles import LAYOUTS, PRINTED, RED, Layout


@dataclass(frozen=True, slots=True)
class Location:
    """A city or town that has track."""

    hex: str
    number: int  # index of the city or town on the tile
    alone: bool  # the only location of its hex
    city: bool
    red: bool
    value: int  # 0 when red: then the phase decides (CZ-11.6)
    visit: int  # what CZ-11.4 lets a route visit only once: the index of the first location it is one with
    sides: tuple[int, ...]  # its exits

    @property
    def name(self) -> str:
        """As in a route's stops: `E16`, or `E12.1` where the hex has several."""
        return self.hex if self.alone else f"{self.hex}.{self.number}"


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """Compared and hashed by identity: equal tiles give the same object while it is remembered.

    `ends[side]`: where track leads that is entered there, a side of the same hex or `~location`."""

    map: Map
    locations: tuple[Location, ...]
    at: Mapping[tuple[str, int], int]
    ends: Mapping[int, tuple[int, ...]]


def _laid(board: Map, tiles: Mapping[str, Tile], name: str) -> Layout:
    tile = tiles.get(name)
    return LAYOUTS[tile] if tile else PRINTED[name]


@lru_cache(maxsize=512)
def _build(board: str, tiles: frozenset[tuple[str, Tile]]) -> Network:
    map_ = MAPS[board]
    laid = dict(tiles)
    locations: list[Location] = []
    at: dict[tuple[str, int], int] = {}
    ends: dict[int, tuple[int, ...]] = {}
    for name, hex_ in map_.hexes.items():
        layout = _laid(map_, laid, name)
        if not layout.exits:
            continue
        base, first = 6 * hex_.index, len(locations)
        for edge in edges_of(layout.exits):
            ends[base + edge] = tuple(
                base + end if end < 6 else ~(first + end - 6) for end in layout.links[edge]
            )
        for number, exits in enumerate(layout.locations):
            at[name, number] = len(locations)
            locations.append(
                Location(
                    hex=name,
                    number=number,
                    alone=len(layout.locations) == 1,
                    city=layout.has_cities,
                    red=layout.colour == RED,
                    value=layout.revenue,
                    visit=first if layout.one_location else len(locations),
                    sides=tuple(base + edge for edge in edges_of(exits)),
                )
            )
    return Network(map_, tuple(locations), at, ends)


def network(state: State) -> Network:
    """The track on the board now."""
    return _build(state.board, frozenset(state.tiles.items()))
