"""The printed and assumed facts of String Railway, read once from this game's data files (SR-1, 2, 9, 11.6).

Lengths are whole micrometres, factors exact fractions.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, cast

DATA: Final = Path(__file__).resolve().parent.parent / "data"
RULESET: Final = "string-railway/1"


def read_data(name: str) -> dict[str, Any]:
    """One data file of this game; decimals are exact fractions."""
    text = (DATA / f"{name}.json").read_text(encoding="utf-8")
    return cast(dict[str, Any], json.loads(text, parse_float=Fraction))


def _micrometres(millimetres: int | Fraction) -> int:
    return int(millimetres * 1000)


_sizes = read_data("sizes")
_players = read_data("players")

RANGE: Final = _micrometres(_sizes["range_mm"])
TILE_SIDE: Final = _micrometres(_sizes["tile_side_mm"])
TILE_TOLERANCE: Final = _micrometres(_sizes["tile_tolerance_mm"])
MARK_TOLERANCE: Final = _micrometres(_sizes["mark_tolerance_mm"])
BOUNDARY: Final = _micrometres(_sizes["boundary_mm"])
RIVER: Final = _micrometres(_sizes["river_mm"])
MOUNTAIN: Final = _micrometres(_sizes["mountain_mm"])
STRING_LENGTHS: Final[Mapping[str, int]] = {
    "short": _micrometres(_sizes["short_mm"]),
    "long": _micrometres(_sizes["long_mm"]),
}
"""Nominal length by class."""
MOST_VERTICES: Final[int] = _sizes["max_vertices"]
SETUP_LOW: Final = Fraction(_sizes["setup_low"])
SETUP_HIGH: Final = Fraction(_sizes["setup_high"])
DIAGONAL_LOW: Final = Fraction(_sizes["diagonal_low"])
DIAGONAL_HIGH: Final = Fraction(_sizes["diagonal_high"])
PENTAGON_DIAGONAL: Final = Fraction(_sizes["pentagon_diagonal_ratio"])
"""Diagonal of a regular pentagon by its side."""
TOLERANCES: Final[Mapping[str, tuple[Fraction, Fraction]]] = {
    name: (Fraction(row["low"]), Fraction(row["high"])) for name, row in _sizes["tolerances"].items()
}
"""Least and greatest drawn length of a railway string as a factor of the nominal one (SR-11.6)."""


@dataclass(frozen=True, slots=True)
class StationFacts:
    """A kind of station (SR-1.3).  `points` are those of a company that does not own or control it."""

    kind: str
    count: int
    limit: int
    points: int
    rule: str
    in_stack: bool = True
    every_string: bool = False  # pays for each string, not only the first
    controlled: bool = False
    setup_points: int = 0
    owner_points: int = 0  # for the owner's or controller's own first visit
    owner_effect: int = 0  # what another company's visit brings the owner
    mountain_points: int = 0  # on the mountain, where that makes a difference


STATIONS: Final[Mapping[str, StationFacts]] = {
    kind: StationFacts(kind=kind, **row) for kind, row in read_data("stations").items()
}
STACK: Final[Mapping[str, int]] = {kind: row.count for kind, row in STATIONS.items() if row.in_stack}
"""Tiles of each kind in the full stack."""
STACK_SIZE: Final = sum(STACK.values())
COUNTRY: Final = "country"
TERMINAL: Final = "terminal"
START: Final = "start"


@dataclass(frozen=True, slots=True)
class PlayerFacts:
    """What the number of players decides (SR-1.1, 2.1, 2.3, 8)."""

    companies: int
    strings: Mapping[str, int]  # by class
    marks: int
    perimeter: int  # of the figure
    gap: int  # between neighbouring marks along the boundary
    duties: tuple[int, int, int, int]  # which company shuffles, lays boundary, river, mountain


PLAYERS: Final[Mapping[int, PlayerFacts]] = {
    int(number): PlayerFacts(
        companies=row["companies"],
        strings={"short": row["short"], "long": row["long"]},
        marks=row["marks"],
        perimeter=_micrometres(row["boundary_mm"]),
        gap=_micrometres(row["gap_mm"]),
        duties=tuple(row["duties"]),
    )
    for number, row in _players["players"].items()
}
COMPANIES: Final[tuple[str, ...]] = tuple(_players["companies"])
"""The colours, in the order in which they are taken where nothing else is said."""
OPTION_VALUES: Final[Mapping[str, tuple[str, ...]]] = {
    name: tuple(values) for name, values in _players["options"].items()
}
"""The values of every option that is a word; the first one is the default (SR-1.6, 11.6)."""
OPTION_RULES: Final[Mapping[str, str]] = {
    "crossing_unit": "SR-6.7",
    "owner_effect": "SR-6.3",
    "slack": "SR-5.2",
    "tolerance": "SR-11.6",
}
"""The section that each option bears on."""
