"""The calls about whole records: Replay and Import."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from protojson import to_plain
from services.chassis.call import Call
from services.chassis.errors import Refused, malformed, not_so, within
from services.chassis.game import AnyGame, Malformed, Plain, Position, Record, Warning
from services.chassis.metrics import Metrics
from services.chassis.positions import Held, Positions
from services.chassis.settings import Settings
from services.ruleset.answers import Violation

BATCH = 250
"""Verdicts in one message of a stream."""

NOTATION = "notation"
"""The format that every game has: one move a line in its own notation."""

Reader = Callable[[Position[Any, Any]], Any]
"""Reads the next move of a record; in notation that may depend on the position."""


@dataclass(frozen=True, slots=True)
class Step:
    """A move of a record, still to be read.

    `path` is where the request has it.  Of a foreign record that is no message of ours, so that no field
    of the move is a field there; `source` is then the place in the record's own terms.
    """

    read: Reader
    path: str
    foreign: bool = False
    source: str = ""

    def blamed(self, violations: Sequence[Violation]) -> Sequence[Violation]:
        """Violations with paths that lead somewhere inside `path`."""
        return [replace(violation, path="") for violation in violations] if self.foreign else violations


@dataclass(frozen=True, slots=True)
class Line:
    """A record: where it starts, and its moves to be read one after the other."""

    base: Held
    steps: Sequence[Step]
    setup: Plain | None = None
    warnings: Sequence[Warning] = ()
    complete: bool = True


class Records:
    """Each method takes a request message and gives plain forms of its responses.  Raises Refused."""

    def __init__(self, game: AnyGame, positions: Positions, metrics: Metrics, settings: Settings) -> None:
        self._game, self._positions, self._metrics, self._settings = game, positions, metrics, settings

    def replay(self, request: Any, call: Call) -> Iterator[Plain]:
        """Batches of verdicts, the last one with the summary.  Ends with the first illegal move."""
        forms = self._positions.forms(request.returns, ())
        if request.HasField("record"):
            line = self._foreign(request.record, request.position, request.HasField("position"), call)
        else:
            line = self._own(request.position, call)
        held, checked, first_illegal = line.base, 0, -1
        batch: list[Plain] = []
        for index, step in enumerate(line.steps):
            call.check_time()
            move = step.read(held.position)
            outcome = held.ruleset.apply(held.state, move, call.budget())
            self._metrics.verdict(self._game.kind(move), outcome.violations)
            before, checked = held, checked + 1
            if outcome.violations:
                first_illegal = index
            else:
                held = self._positions.hold(Position(held.ruleset, outcome.state))
            if outcome.violations or not request.only_violations:
                batch.append(
                    {
                        "index": index,
                        "verdict": call.words.verdict(step.blamed(outcome.violations), step.path),
                        "notation": self._game.print_move(before.state, move),
                        "stateHash": held.hash,
                        "source": step.source,
                    }
                )
            if outcome.violations:
                break
            if len(batch) == BATCH:
                yield {"verdicts": batch}
                batch = []
        summary = {
            "legal": first_illegal < 0,
            "moves": len(line.steps),
            "checked": checked,
            "firstIllegal": first_illegal,
            "position": self._positions.answer(held, forms),
            "scoreboard": call.words.scoreboard(held.ruleset.score(held.state)),
            "turn": call.words.turn(held.ruleset.turn(held.state)),
            "warnings": [call.words.warning(warning) for warning in line.warnings],
            "complete": line.complete and checked == len(line.steps),
        }
        yield {"verdicts": batch, "summary": summary}

    def import_(self, request: Any, call: Call) -> Plain:
        """The notation of moves after the first illegal one is left out: they have no position."""
        line = self._foreign(request.record, request.position, request.HasField("position"), call)
        moves, position, legal = [], line.base.position, True
        for step in line.steps:
            call.check_time()
            move = step.read(position)
            moves.append(call.words.move(position.state, move) if legal else self._game.move_to_plain(move))
            if legal:
                outcome = position.ruleset.apply(position.state, move, call.budget())
                legal = not outcome.violations
                position = Position(position.ruleset, outcome.state) if legal else position
        warnings = [call.words.warning(warning) for warning in line.warnings]
        answer = {"moves": moves, "warnings": warnings}
        return answer if line.setup is None else {**answer, "setup": line.setup}

    def _own(self, position: Any, call: Call) -> Line:
        self._check_length(len(position.moves), "position.moves")

        def step(index: int, message: Any) -> Step:
            path = f"position.moves[{index}]"
            return Step(lambda position: self._positions.read_move(position, to_plain(message), path), path)

        steps = [step(index, message) for index, message in enumerate(position.moves)]
        return Line(self._positions.base(position, call), steps)

    def _foreign(self, record: Any, position: Any, has_base: bool, call: Call) -> Line:
        if position.moves:
            raise malformed("position.moves", "must be empty beside a record")
        sort = record.WhichOneof("content")
        if sort is None:
            raise malformed("record", "needs text or a document")
        if record.format == NOTATION:
            return self._in_notation(record, sort, position, call)
        importer = self._game.importers.get(record.format)
        if importer is None:
            known = ", ".join([*self._game.importers, NOTATION])
            raise Refused("UNKNOWN_FORMAT", f"there is no such format; there are {known}", "record.format")
        base = self._positions.base(position, call) if has_base else None
        foreign = Record(record.text, to_plain(record.document) if sort == "document" else None)
        try:
            found = importer(foreign, base.position if base else None, call.budget())
        except Malformed as error:
            raise not_so("BAD_RECORD", f"record.{sort}", error) from None
        self._check_length(len(found.moves), "record")
        setup = None
        if base is None:
            if found.setup is None:
                raise Refused("BAD_RECORD", "does not say how the game begins", f"record.{sort}")
            base, setup = self._positions.start(found.setup, call, f"record.{sort}")

        def step(move: Any, source: str) -> Step:
            path = within(f"record.{sort}", source)
            return Step(lambda at: self._game.resolve(at.state, move), path, foreign=True, source=source)

        steps = [step(*each) for each in zip(found.moves, found.sources, strict=True)]
        return Line(base, steps, setup, found.warnings, found.complete)

    def _in_notation(self, record: Any, sort: str, position: Any, call: Call) -> Line:
        if sort != "text":
            raise Refused("BAD_RECORD", "a record in notation is text", "record.document")
        numbered = ((number, line.strip()) for number, line in enumerate(record.text.splitlines(), 1))
        lines = [(number, line) for number, line in numbered if line and not line.startswith("#")]
        self._check_length(len(lines), "record.text")

        def step(number: int, text: str) -> Step:
            path = f"record.text:{number}"
            return Step(
                lambda position: self._positions.parse_line(position, text, path),
                path,
                foreign=True,
                source=f"line {number}",
            )

        return Line(self._positions.base(position, call), [step(*line) for line in lines])

    def _check_length(self, moves: int, path: str) -> None:
        if moves > self._settings.record_moves:
            raise Refused("TOO_LARGE", f"a record may have at most {self._settings.record_moves} moves", path)
