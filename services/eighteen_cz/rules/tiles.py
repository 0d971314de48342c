"""The tiles: what a tile or a printed hex shows, and which tile may follow which (CZ-1.6, CZ-9.2 to 9.6).

A `Layout` is what lies on a hex: a tile in one rotation, or the print of a hex without a tile.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.hexmap import EDGES, MAPS, Hex, edges_of, mask_of
from services.eighteen_cz.rules.state import State, Tile

NEXT_COLOUR: Final[Mapping[str, str]] = {
    "white": "yellow",
    "yellow": "green",
    "green": "brown",
    "brown": "gray",
}
"""The only colour that may be laid upon a colour; an empty hex is `white` (CZ-9.2)."""
RED: Final = "red"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of tile, its edges as printed at rotation 0."""

    number: str
    count: int
    colour: str
    purple: bool
    label: str
    cities: tuple[int, ...]  # exits of each city; a tile has cities or towns or plain track
    towns: tuple[int, ...]
    tracks: tuple[tuple[int, int], ...]  # plain track between two edges
    revenue: int  # of each city or town; 0 for a red tile, whose value is the phase's
    slots: int  # of each city
    one_location: bool  # its cities are one location for routes (CZ-11.4)
    upgrades: Mapping[str, tuple[int, ...]]  # tile -> rotations relative to this one (CZ-9.5)


@dataclass(frozen=True, slots=True)
class Layout:
    """What lies on a hex, in place.  `links[edge]` lists where track from that edge leads: another
    edge 0-5, or 6 + n for location n.  `exits` is a mask; `locations` are the exits of each city or town."""

    number: str  # "" for the print
    colour: str
    label: str
    has_cities: bool
    locations: tuple[int, ...]
    exits: int
    links: tuple[tuple[int, ...], ...]
    revenue: int
    slots: int
    one_location: bool

    @property
    def cities(self) -> tuple[int, ...]:
        return self.locations if self.has_cities else ()


def _turn(mask: int, rotation: int) -> int:
    return (mask << rotation | mask >> (6 - rotation)) & 63


def _links(locations: tuple[int, ...], tracks: list[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    links: list[list[int]] = [[] for _ in EDGES]
    for first, second in tracks:
        links[first].append(second)
        links[second].append(first)
    for number, exits in enumerate(locations):
        for edge in edges_of(exits):
            links[edge].append(6 + number)
    return tuple(tuple(sorted(ends)) for ends in links)


def _rotated(kind: Kind, rotation: int) -> Layout:
    locations = tuple(_turn(exits, rotation) for exits in kind.cities or kind.towns)
    tracks = [((first + rotation) % 6, (second + rotation) % 6) for first, second in kind.tracks]
    links = _links(locations, tracks)
    return Layout(
        number=kind.number,
        colour=kind.colour,
        label=kind.label,
        has_cities=bool(kind.cities),
        locations=locations,
        exits=mask_of(edge for edge in EDGES if links[edge]),
        links=links,
        revenue=kind.revenue,
        slots=kind.slots,
        one_location=kind.one_location,
    )


def _printed(hex_: Hex) -> Layout:
    locations = hex_.cities or hex_.towns
    links = _links(locations, [])
    return Layout(
        number="",
        colour={"oo_city": "yellow", "printed_town": "gray"}.get(hex_.kind, "white"),
        label=hex_.label,
        has_cities=bool(hex_.cities),
        locations=locations,
        exits=mask_of(edge for edge in EDGES if links[edge]),
        links=links,
        revenue=hex_.revenue,
        slots=1,
        one_location=hex_.kind == "praha",
    )


def _kind(number: str, row: Mapping[str, Any]) -> Kind:
    return Kind(
        number=number,
        count=row["count"],
        colour=row["colour"],
        purple=row.get("purple", False),
        label=row.get("label", ""),
        cities=tuple(mask_of(exits) for exits in row.get("cities", ())),
        towns=tuple(mask_of(exits) for exits in row.get("towns", ())),
        tracks=tuple((first, second) for first, second in row.get("tracks", ())),
        revenue=row.get("revenue", 0),
        slots=row.get("slots", 1),
        one_location=row.get("one_location", False),
        upgrades={tile: tuple(rotations) for tile, rotations in row.get("upgrades", {}).items()},
    )


_data = facts.read_data("tiles")
KINDS: Final[Mapping[str, Kind]] = {number: _kind(number, row) for number, row in _data["tiles"].items()}
FIRST_TILES: Final[Mapping[str, Mapping[str, tuple[int, ...]]]] = {
    kind: {tile: tuple(rotations) for tile, rotations in tiles.items()}
    for kind, tiles in _data["first_tiles"].items()
}
"""Kind of hex -> first tile -> rotations that keep what is printed (CZ-9.3)."""
HOME_ROTATIONS: Final[Mapping[str, Mapping[str, tuple[int, ...]]]] = {
    company: {home: tuple(rotations) for home, rotations in homes.items()}
    for company, homes in _data["home_tile_rotations"].items()
}
"""Large company -> home site -> rotations of its red tile with both exits on the standard map (CZ-9.10)."""
LAYOUTS: Final[Mapping[Tile, Layout]] = {
    Tile(number, rotation): _rotated(kind, rotation) for number, kind in KINDS.items() for rotation in EDGES
}
PRINTED: Final[Mapping[str, Layout]] = {name: _printed(hex_) for name, hex_ in MAPS["standard"].hexes.items()}


def _track(layout: Layout) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
    """What two rotations share when they show the same track."""
    through = tuple(tuple(end for end in ends if end < 6) for ends in layout.links)
    return tuple(sorted(layout.locations)), through


SAME_TRACK: Final[Mapping[Tile, tuple[int, ...]]] = {
    tile: tuple(
        rotation for rotation in EDGES if _track(LAYOUTS[Tile(tile.number, rotation)]) == _track(layout)
    )
    for tile, layout in LAYOUTS.items()
}
"""The rotations of a tile that show the same track as this one, itself included (CZ-9.14)."""


def layout(state: State, hex_name: str) -> Layout:
    """What lies on a hex of the board: its tile, else its print."""
    tile = state.tiles.get(hex_name)
    return LAYOUTS[tile] if tile else PRINTED[hex_name]


def successors(hex_: Hex, tile: Tile | None) -> Mapping[str, tuple[int, ...]]:
    """Tiles that may follow on this hex, with the rotations that keep what is there (CZ-9.3 to 9.5).

    Open edges, connection, phase and supply are other rules' matter.  Red tiles are none of these.
    """
    if tile is None:
        return FIRST_TILES.get(hex_.kind, {})
    return {
        number: tuple((tile.rotation + turn) % 6 for turn in turns)
        for number, turns in KINDS[tile.number].upgrades.items()
    }


@dataclass(frozen=True, slots=True)
class Candidate:
    """A tile that a hex can take next, in one orientation: all its rotations with that same track."""

    number: str
    rotations: tuple[int, ...]
    exits: int


def _candidates(hex_: Hex, tile: Tile | None) -> Iterator[Candidate]:
    for number, rotations in successors(hex_, tile).items():
        for rotation in sorted(rotations):
            same = SAME_TRACK[Tile(number, rotation)]
            exits = LAYOUTS[Tile(number, rotation)].exits
            if rotation != same[0] or exits & ~hex_.open_edges:
                continue
            if tile is None and hex_.first_tile_edges & ~exits:
                continue
            yield Candidate(number, same, exits)


@lru_cache(maxsize=4096)
def candidates(board: str, hex_name: str, tile: Tile | None) -> tuple[Candidate, ...]:
    """Every tile that fits upon what lies there and points to open edges only (CZ-9.3 to 9.6, 9.8)."""
    return tuple(_candidates(MAPS[board].hexes[hex_name], tile))


@lru_cache(maxsize=256)
def possible_tiles(board: str, hex_name: str) -> frozenset[Tile]:
    """Every tile that a game can bring to this hex, in each rotation."""
    hex_ = MAPS[board].hexes[hex_name]
    if hex_.kind == "red_home_site":
        return frozenset(
            Tile(facts.COMPANIES[symbol].home_tile, rotation)
            for symbol in hex_.home_of
            for rotation in home_rotations(board, symbol, hex_name)
        )
    found: set[Tile] = set()
    ahead: list[Tile | None] = [None]
    while ahead:
        for candidate in candidates(board, hex_name, ahead.pop()):
            new = {Tile(candidate.number, rotation) for rotation in candidate.rotations} - found
            found |= new
            ahead += sorted(new)
    return frozenset(found)


@lru_cache(maxsize=64)
def home_rotations(board: str, company: str, hex_name: str) -> tuple[int, ...]:
    """Rotations of a large company's red tile on one of its home sites: both exits on the board (CZ-9.10)."""
    hexes = MAPS[board].hexes
    if hex_name not in hexes:
        return ()
    number = facts.COMPANIES[company].home_tile
    return tuple(
        rotation
        for rotation in HOME_ROTATIONS.get(company, {}).get(hex_name, ())
        if not LAYOUTS[Tile(number, rotation)].exits & ~hexes[hex_name].open_edges
    )


def city_after(old: Layout, new: Layout, city: int) -> int:
    """The city that takes over an old city's stations and reservations: the one with its exits (CZ-9.12).

    A city without track keeps its place where the new tile has as many cities.
    """
    exits = old.locations[city]
    if exits:
        return next(n for n, new_exits in enumerate(new.locations) if not exits & ~new_exits)
    return min(city, len(new.locations) - 1)
