"""The moves of String Railway (SR-11.2), one class a kind.

`actor` is the company that acts; a table that draws may also name CHANCE.  Coordinates are whole
micrometres as given: vertices are not yet merged, nothing is checked.  An empty `id` lets the rules choose
the name of a new station or string.
"""

from dataclasses import dataclass
from typing import ClassVar

from services.string_railway.rules.planes import Point


@dataclass(frozen=True, slots=True)
class SetupBoundary:
    """SR-2.3; each mark is a vertex of the ring."""

    kind: ClassVar[str] = "setup_boundary"
    actor: str
    ring: tuple[Point, ...]
    marks: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class SetupRiver:
    """SR-2.4"""

    kind: ClassVar[str] = "setup_river"
    actor: str
    path: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class SetupMountain:
    """SR-2.5"""

    kind: ClassVar[str] = "setup_mountain"
    actor: str
    ring: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class PlaceStart:
    """A starting station at the mark of this index (SR-2.6)."""

    kind: ClassVar[str] = "place_start"
    actor: str
    mark: int
    corners: tuple[Point, ...]
    id: str = ""


@dataclass(frozen=True, slots=True)
class Draw:
    """SR-3.2 to 3.4; `drawn` are the kinds that came up, in order, where the table draws, else empty."""

    kind: ClassVar[str] = "draw"
    actor: str
    drawn: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlaceStation:
    """SR-4"""

    kind: ClassVar[str] = "place_station"
    actor: str
    station_kind: str
    corners: tuple[Point, ...]
    id: str = ""


@dataclass(frozen=True, slots=True)
class SetAside:
    """A drawn tile that fits nowhere (SR-4.6)."""

    kind: ClassVar[str] = "set_aside"
    actor: str
    station_kind: str


@dataclass(frozen=True, slots=True)
class LayString:
    """SR-5; `length` is the class of the string, short or long."""

    kind: ClassVar[str] = "lay_string"
    actor: str
    length: str
    path: tuple[Point, ...]
    id: str = ""


@dataclass(frozen=True, slots=True)
class Pass:
    """Gives up a string where none can be laid (SR-5.12)."""

    kind: ClassVar[str] = "pass"
    actor: str
    forfeit: str


Move = (
    SetupBoundary
    | SetupRiver
    | SetupMountain
    | PlaceStart
    | Draw
    | PlaceStation
    | SetAside
    | LayString
    | Pass
)
