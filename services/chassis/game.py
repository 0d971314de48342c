"""What a game gives the chassis: its rules, and how its setup, state, moves and texts look outside.

A game is one object that fits `Game`; `python -m` of its package calls `services.chassis.main.run`
with it.  Plain means the ProtoJSON form of the game's message as dicts, lists, strings, integers and
booleans: camelCase keys, enums by name, every field without presence there (0, "", false and [] too),
and a message, a oneof member or an `optional` field there only where it is set.

Conventions of the contract that the chassis relies on, the same for every game: `Setup` has `seats`,
`ruleset` and `random`; `State` has `ruleset` and `random`; `Move` has `notation` and `actor`, and
every other field of it is a kind of move.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

import orjson

from services.ruleset.answers import Value
from services.ruleset.protocol import Budget, Ruleset
from services.ruleset.rulebook import Rulebook

S = TypeVar("S")
M = TypeVar("M")
M_co = TypeVar("M_co", covariant=True)

Plain = dict[str, Any]
"""Never changed by whom it is given to."""

DEEPEST_RECORD = 64
"""How deep the JSON of a foreign record may be nested."""


class Malformed(Exception):
    """Something from outside that is not what it should be: a value of a state or a move, a line of
    notation, a foreign record.  `path` is the place inside it (JSON names; may be empty)."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}" if path else message)
        self.path, self.message = path, message


@dataclass(frozen=True, slots=True)
class Position(Generic[S, M]):
    """A state and the revision of the rules that it is played by."""

    ruleset: Ruleset[S, M]
    state: S


@dataclass(frozen=True, slots=True)
class Record:
    """A foreign record: text, or a document that came as JSON."""

    text: str = ""
    document: Plain | None = None

    def json(self) -> Plain:
        """The document, read from the text if need be; whole numbers are integers in either.

        Raises Malformed unless it is a JSON object.
        """
        document: Any = self.document
        if document is None:
            try:
                document = orjson.loads(self.text)
            except orjson.JSONDecodeError as error:
                raise Malformed("", f"the record is not JSON: {error}") from error
        if not isinstance(document, dict):
            raise Malformed("", "the record is not a JSON object")
        level: list[Any] = [document]
        for _ in range(DEEPEST_RECORD):
            level = [
                inner
                for value in level
                for inner in (value.values() if isinstance(value, dict) else value)
                if isinstance(inner, dict | list)
            ]
            if not level:
                return document if self.document is None else _with_integers(document)
        raise Malformed("", f"the record is nested deeper than {DEEPEST_RECORD} levels")


def _with_integers(value: Any) -> Any:
    """The same JSON value; a document's numbers have all come as floating-point ones."""
    if isinstance(value, dict):
        return {key: _with_integers(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_with_integers(inner) for inner in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


@dataclass(frozen=True, slots=True)
class Warning:
    """Something an import assumed, added, dropped or gave up.  `reason` has its sentence in the rulebook."""

    reason: str
    path: str = ""
    values: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Imported(Generic[M_co]):
    """A foreign record understood.  `setup` is None where the record goes on from a given position.

    `sources` are the places in the record that the moves come from, one a move (`actions[32]`).  A move
    that the import supplied has the place before which it was due, "" after the last one.  `complete`
    tells whether the import came to the end of the record; where it did not, warnings say why.
    """

    setup: Plain | None
    moves: Sequence[M_co]
    sources: Sequence[str]
    warnings: Sequence[Warning] = ()
    complete: bool = True


class Importer(Protocol[S, M]):
    """Reads one foreign format, from the beginning of a game or going on from `base`."""

    def __call__(self, record: Record, base: Position[S, M] | None, budget: Budget, /) -> Imported[M]:
        """Raises Malformed where the record cannot be understood, OutOfTime from the budget."""


@dataclass(frozen=True, slots=True)
class Marks(Generic[M_co]):
    """What a picture points at: a move, a place on the board, a sentence to show."""

    move: M_co | None = None
    at: str = ""
    message: str = ""


class Game(Protocol[S, M]):
    """Everything that the chassis needs of a game.  All methods are pure; none changes its arguments."""

    @property
    def name(self) -> str:
        """As in REST paths: lower-case words and numbers, joined by hyphens."""

    @property
    def service(self) -> str:
        """The full name of its protobuf service.  The chassis finds the generated modules of its package."""

    @property
    def rulesets(self) -> Mapping[str, Ruleset[S, M]]:
        """Every released revision by id."""

    @property
    def default_ruleset(self) -> str:
        """The id of the one that is used where a setup names none."""

    @property
    def turn_rule(self) -> str:
        """The section that says who acts.  A move submitted by another seat breaks it with the reason
        `not_your_turn` (values `seat`, `actor`), which the rulebook must have."""

    @property
    def rulebook(self) -> Rulebook:
        """Its rules and sentences; its first language is the default one.  Steps of a Turn and lines of a
        score are labels, tie-breaks are events, warnings of an import are reasons."""

    @property
    def importers(self) -> Mapping[str, Importer[S, M]]:
        """By name of the format.  `notation` is not among them: the chassis reads it itself."""

    def info(self, language: str) -> Plain:
        """The plain GameInfo without `rulebook`, `languages` and `importFormats`, which the chassis adds."""

    def complete_setup(self, setup: Plain) -> Plain:
        """The plain setup with all defaults of the game filled in (seat ids, variant, switches); done twice
        it changes nothing.  The chassis has filled in `ruleset` and `random`; a seed that is still empty is
        one that it chooses afterwards, before it hands the setup to `Ruleset.start`.
        Raises Malformed, or SetupRefused (with the reason `unknown_variant` where that is it)."""

    def state_to_plain(self, state: S) -> Plain:
        """The one canonical plain form: equal states give equal plain forms."""

    def state_from_plain(self, plain: Plain) -> S:
        """Raises Malformed where a value has no counterpart; broken invariants are Ruleset.validate's."""

    def move_to_plain(self, move: M) -> Plain:
        """Its `notation` is left empty; the chassis fills it in."""

    def move_from_plain(self, plain: Plain) -> M:
        """The typed move (one kind is set; `notation` is ignored).  Raises Malformed."""

    def kind(self, move: M) -> str:
        """The kind's code, as in Option.kind and Turn.kinds."""

    def resolve(self, state: S, move: M) -> M:
        """The canonical form of a move: what may be left out filled in (the actor, the track of a route),
        as far as that can be done where the move is illegal.  Never raises."""

    def print_move(self, state: S, move: M) -> str:
        """The notation of a move: one line."""

    def parse_move(self, state: S, text: str) -> M:
        """The inverse of `print_move`.  Raises Malformed."""

    def summary(self, state: S, move: M, language: str) -> str:
        """One line in words."""

    def render(self, view: S, marks: Marks[M], language: str) -> str:
        """An SVG document that shows what `Ruleset.view` left in the state."""


AnyGame = Game[Any, Any]
"""A game as the chassis handles it: its states and moves are its own business."""
