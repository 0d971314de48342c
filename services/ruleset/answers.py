"""What rules answer with: violations, options, events and scores, as plain immutable data.

Rules never write sentences.  A violation or an event carries a stable code and the values that
belong in the sentence; the game's rulebook turns them into words in the reader's language.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar

Value = int | str
M = TypeVar("M")
S = TypeVar("S")

CHANCE = "CHANCE"
"""The actor of chance moves when the table draws (external randomness)."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One rule that a move or a state breaks.

    `rule_id` is the section of the game's spec (`CZ-9.7`), `reason` a stable snake_case code with a
    sentence for it in the rulebook, `values` what the sentence names (the figures that made it
    illegal among them), `path` the field of the move or state (`layTile.rotation`, in the JSON
    names of the contract), `at` the place on the board where that helps (a hex, a city).
    """

    rule_id: str
    reason: str
    values: Mapping[str, Value] = field(default_factory=dict)
    path: str = ""
    at: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """One quantity that a move changes, for example ("BCB", "treasury", 240, 230)."""

    subject: str
    quantity: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened: `kind` is a stable code with a sentence in the rulebook."""

    kind: str
    rule_id: str
    values: Mapping[str, Value] = field(default_factory=dict)
    changes: tuple[Change, ...] = ()


def net_changes(events: Iterable[Event]) -> tuple[Change, ...]:
    """What all events together change, each quantity once, in the order of its first change.

    Of the events of a legal move this is its preview: all that changes until the next decision.
    """
    net: dict[tuple[str, str], Change] = {}
    for event in events:
        for change in event.changes:
            key = change.subject, change.quantity
            before = net[key].before if key in net else change.before
            net[key] = Change(*key, before, change.after)
    return tuple(change for change in net.values() if change.before != change.after)


@dataclass(frozen=True, slots=True)
class IntRange:
    """A free parameter: the move field named by `path` may be any of min, min+step, ..., max."""

    path: str
    minimum: int
    maximum: int
    step: int = 1


@dataclass(frozen=True, slots=True)
class Choice:
    """A free parameter: the move field named by `path` may be any of `values`."""

    path: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Free:
    """A free parameter too rich to list (a route set): any value that the rule `rule_id` allows."""

    path: str
    rule_id: str


Parameter = IntRange | Choice | Free

Optimality = Literal["", "PROVEN", "BUDGET_EXHAUSTED"]


@dataclass(frozen=True, slots=True)
class Option(Generic[M]):
    """A legal move.  `move` is itself fully legal; `parameters` say which of its fields may vary.

    `preview` is what `move` changes until the next decision: `net_changes` of the events of applying it.
    `optimality` marks the best-revenue choice among many, `weight` is the integer weight of a
    chance outcome (0 for ordinary moves).
    """

    kind: str
    move: M
    parameters: tuple[Parameter, ...] = ()
    preview: tuple[Change, ...] = ()
    optimality: Optimality = ""
    weight: int = 0


@dataclass(frozen=True, slots=True)
class Turn:
    """Who must act: `actor` is what acts (a seat, a company, CHANCE), `seats` who may decide for it.

    `step` is the game's name for what is to be done, `kinds` the kinds of move that may be open.
    """

    actor: str
    seats: tuple[str, ...]
    step: str
    kinds: tuple[str, ...]
    over: bool = False


@dataclass(frozen=True, slots=True)
class Outcome(Generic[S]):
    """The answer to a move: the next state and the events, or no state and the violations."""

    violations: tuple[Violation, ...]
    state: S | None = None
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One line of a seat's score; the amounts of a seat's lines add up to its total."""

    label: str
    amount: int
    rule_id: str
    values: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SeatScore:
    seat: str
    total: int
    rank: int
    lines: tuple[ScoreLine, ...]


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """Scores in seat order.  `tie_breaks` are codes with sentences in the rulebook."""

    seats: tuple[SeatScore, ...]
    final: bool
    tie_breaks: tuple[Event, ...] = ()
