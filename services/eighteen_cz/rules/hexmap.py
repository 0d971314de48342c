"""The printed map: which hexes there are, what they show and which edges are open (CZ-9.6, CZ-18).

Edges are numbered 0 SW, 1 W, 2 NW, 3 NE, 4 E, 5 SE.  A set of edges is a bit mask (1 << edge).
A *side* is one edge of one hex; it is coded as an integer `6 * hex.index + edge`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from services.eighteen_cz.rules import facts

EDGES: Final = range(6)
_STEPS: Final = ((1, -1), (0, -2), (-1, -1), (-1, 1), (0, 2), (1, 1))
"""(rows down, numbers east) from a hex to its neighbour, by edge."""


@dataclass(frozen=True, slots=True)
class Hex:
    """One hex of a board.  `neighbours` has "" where an edge is closed: off the board, or against D1."""

    name: str
    index: int
    kind: str
    town: str  # the name of the city or town, "" where the map gives none
    label: str
    terrain: str  # "", or river, hill, mountain
    cost: int  # of the first tile (CZ-9.9)
    cities: tuple[int, ...]  # exits of each printed city
    towns: tuple[int, ...]
    revenue: int  # of each printed city or town that has track
    first_tile_edges: int  # the first tile must have these exits (CZ-9.8)
    frontier: tuple[int, ...]  # edges with a printed border line, decoration only
    city_homes: tuple[str, ...]  # companies at home in the printed cities, where that differs by city
    home_of: tuple[str, ...]
    neighbours: tuple[str, ...]
    open_edges: int


@dataclass(frozen=True, slots=True)
class Map:
    """A board.  `across[side]` is the same hexside seen from the other hex, -1 where closed.

    `hexside[side]` numbers the open hexsides: both sides of one have the same number.
    """

    name: str
    hexes: Mapping[str, Hex]
    by_index: tuple[Hex, ...]
    across: tuple[int, ...]
    hexside: tuple[int, ...]


def mask_of(edges: Any) -> int:
    """Edges as a bit mask.

    >>> mask_of([0, 3])
    9
    """
    return sum(1 << edge for edge in edges)


def edges_of(mask: int) -> tuple[int, ...]:
    """A bit mask as edges in ascending order.

    >>> edges_of(9)
    (0, 3)
    """
    return tuple(edge for edge in EDGES if mask >> edge & 1)


def step(name: str, edge: int) -> str:
    """The name of the place beyond an edge, whether or not the map has such a hex.

    >>> step("E12", 4), step("E12", 0)
    ('E14', 'F11')
    """
    down, east = _STEPS[edge]
    return f"{chr(ord(name[0]) + down)}{int(name[1:]) + east}"


def _build(board: str, rows: Mapping[str, Mapping[str, Any]], costs: Mapping[str, int]) -> Map:
    rows = {name: row for name, row in rows.items() if board == "standard" or row.get("in_bohemia", True)}
    homes: dict[str, list[str]] = {}
    for company in facts.COMPANIES.values():
        for home in company.home_hexes:
            homes.setdefault(home, []).append(company.symbol)

    def is_open(name: str, edge: int) -> bool:
        other = step(name, edge)
        return (
            other in rows
            and edge in rows[name].get("edges", EDGES)
            and (edge + 3) % 6 in rows[other].get("edges", EDGES)
        )

    hexes = {}
    for index, (name, row) in enumerate(rows.items()):
        open_edges = [edge for edge in EDGES if is_open(name, edge)]
        hexes[name] = Hex(
            name=name,
            index=index,
            kind=row["kind"],
            town=row.get("name", ""),
            label=row.get("label", ""),
            terrain=row.get("terrain", ""),
            cost=costs[row["terrain"]] if "terrain" in row else 0,
            cities=tuple(mask_of(exits) for exits in row.get("cities", ())),
            towns=tuple(mask_of(exits) for exits in row.get("towns", ())),
            revenue=row.get("revenue", 0),
            first_tile_edges=mask_of(row.get("first_tile_edges", ())),
            frontier=tuple(row.get("frontier", ())),
            city_homes=tuple(row.get("city_homes", ())),
            home_of=tuple(symbol for symbol in homes.get(name, ()) if symbol in facts.BOARD_COMPANIES[board]),
            neighbours=tuple(step(name, edge) if edge in open_edges else "" for edge in EDGES),
            open_edges=mask_of(open_edges),
        )
    across: list[int] = []
    hexside: list[int] = []
    numbers = 0
    for hex_ in hexes.values():
        for edge in EDGES:
            other = hex_.neighbours[edge]
            side = 6 * hex_.index + edge
            across.append(6 * hexes[other].index + (edge + 3) % 6 if other else -1)
            if 0 <= across[side] < side:
                hexside.append(hexside[across[side]])
            else:
                hexside.append(numbers if other else -1)
                numbers += bool(other)
    return Map(board, hexes, tuple(hexes.values()), tuple(across), tuple(hexside))


_data = facts.read_data("map")
MAPS: Final[Mapping[str, Map]] = {
    board: _build(board, _data["hexes"], _data["terrain_cost"]) for board in ("standard", "bohemia")
}
