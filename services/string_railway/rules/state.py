"""The position of a game of String Railway as plain data (SR-11.1).

Coordinates are whole micrometres.  Companies are named by colour, seats by id (`G1` to `G5`).  Who serves
which station is never stored: it follows from the strings.
"""

from dataclasses import dataclass, field
from typing import Literal

from services.ruleset.chance import Chance
from services.string_railway.rules.planes import Point

Phase = Literal["boundary", "river", "mountain", "start", "draw", "place", "lay", "over"]
Length = Literal["short", "long"]

RIVER = "river"
MOUNTAIN = "mountain"
"""How crossings name these two, so that no railway string may have such an id."""


@dataclass(frozen=True, slots=True)
class Options:
    """SR-1.6, 8.4, 11.6"""

    crossing_unit: Literal["crossing", "string"] = "crossing"
    owner_effect: Literal["first", "every"] = "first"
    slack: Literal["exact", "taut"] = "exact"
    tolerance: Literal["standard", "exact", "photo"] = "standard"
    pro: bool = False
    chaos: bool = False


@dataclass(frozen=True, slots=True)
class Player:
    """A person and the companies that they run: one, or two in a game for two."""

    seat: str
    name: str
    companies: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Boundary:
    """The closed black string and where its marks lie."""

    ring: tuple[Point, ...]
    marks: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Station:
    """A tile on the table.  `owner` is the starting company or the controller, "" where there is none;
    `mark` is the index of a starting station's mark, -1 for other stations."""

    id: str
    kind: str
    owner: str
    corners: tuple[Point, ...]
    mark: int = -1


@dataclass(frozen=True, slots=True)
class String:
    """A railway string on the table."""

    id: str
    company: str
    length: Length
    path: tuple[Point, ...]


@dataclass(slots=True)
class State:
    ruleset: str
    options: Options
    chance: Chance
    players: tuple[Player, ...]  # in seat order
    companies: tuple[str, ...]  # in turn order
    phase: Phase = "boundary"
    acting: str = ""  # the company that must act; "" when the game is over
    boundary: Boundary | None = None
    river: tuple[Point, ...] = ()  # () until it is laid
    mountain: tuple[Point, ...] = ()
    stations: list[Station] = field(default_factory=list)  # in the order in which they were placed
    strings: list[String] = field(default_factory=list)  # in laying order
    forfeits: dict[str, list[Length]] = field(default_factory=dict)  # by company, strings given up
    pending: list[str] = field(default_factory=list)  # kinds of drawn tiles that are still to be placed
    stack: dict[str, int] = field(default_factory=dict)  # kinds -> tiles left
    aside: list[str] = field(default_factory=list)  # kinds of tiles removed for want of room (SR-4.6)
    scores: dict[str, int] = field(default_factory=dict)  # by company; follows from the position (SR-6.12)


def copy_state(s: State) -> State:
    """A position that can be changed without changing `s`; what is immutable is shared."""
    return State(
        s.ruleset,
        s.options,
        s.chance,
        s.players,
        s.companies,
        s.phase,
        s.acting,
        s.boundary,
        s.river,
        s.mountain,
        s.stations.copy(),
        s.strings.copy(),
        {company: given.copy() for company, given in s.forfeits.items()},
        s.pending.copy(),
        s.stack.copy(),
        s.aside.copy(),
        s.scores.copy(),
    )
