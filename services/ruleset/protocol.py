"""The protocol that the rules of every game implement: all that the chassis knows of a game's rules."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from services.ruleset.answers import Option, Outcome, Scoreboard, Turn, Violation

S = TypeVar("S")
M = TypeVar("M")


class OutOfTime(Exception):
    """Raised by a budget when the caller's deadline has passed; the chassis answers DEADLINE_EXCEEDED."""


class SetupRefused(Exception):
    """A setup that the rules do not allow (a seat count, a variant without rules)."""

    def __init__(self, violation: Violation) -> None:
        super().__init__(violation.reason)
        self.violation = violation


class Budget:
    """Bounds a search.  `nodes` bounds it the same way on every machine; subclasses may add a deadline.

    Searches call `spend` for each node: it returns False when the node budget is used up (the search
    then returns its best so far, marked BUDGET_EXHAUSTED) and raises OutOfTime past a deadline.
    """

    __slots__ = ("nodes",)

    def __init__(self, nodes: int = 5_000_000) -> None:
        self.nodes = nodes

    def spend(self, nodes: int = 1) -> bool:
        self.nodes -= nodes
        return self.nodes >= 0


@dataclass(frozen=True, slots=True)
class Query:
    """Which options are wanted; an empty field does not filter.  `place` is a hex or another place name."""

    kinds: frozenset[str] = frozenset()
    actor: str = ""
    place: str = ""


class Ruleset(Protocol[S, M]):
    """The rules of one game in one released revision.  All methods are pure: arguments are never
    changed, and the same arguments give the same answer on every machine and hash seed."""

    @property
    def id(self) -> str:
        """For example `18cz/summary-1`.  A released id never changes its answers."""

    def start(self, setup: Mapping[str, Any]) -> S:
        """The first position from a setup in its JSON shape.  Raises SetupRefused."""

    def validate(self, state: S) -> Violation | None:
        """The first broken invariant of a well-typed state, its path in the state's JSON names; else None.

        A state that passes can be handed to every other method without any of them failing.
        """

    def turn(self, state: S) -> Turn:
        """Who must act and on what; `over` when the game has ended."""

    def legal_moves(self, state: S, query: Query, budget: Budget) -> Iterator[Option[M]]:
        """Every legal move, lazily and in a fixed order."""

    def check(self, state: S, move: M, budget: Budget) -> tuple[Violation, ...]:
        """All independent rules that the move breaks; empty when it is legal."""

    def apply(self, state: S, move: M, budget: Budget) -> Outcome[S]:
        """The move checked and carried out."""

    def score(self, state: S) -> Scoreboard:
        """Every seat's score; final when the game is over, else provisional."""

    def view(self, state: S, viewer: str) -> S:
        """The state as the viewer may see it: a seat id, `spectator` or `arbiter`."""
