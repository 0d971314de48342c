"""What rules answer with, as the plain forms of the shared messages, in the reader's language."""

from collections.abc import Iterable, Mapping
from typing import Any

from services.chassis.errors import within
from services.chassis.game import AnyGame, Plain, Position, Warning
from services.ruleset.answers import (
    Change,
    Choice,
    Event,
    IntRange,
    Option,
    Parameter,
    Scoreboard,
    Turn,
    Value,
    Violation,
)

LARGEST = 2**31 - 1


class Words:
    """The answers of one game in one language."""

    def __init__(self, game: AnyGame, language: str) -> None:
        self._game, self.language, self._book = game, language, game.rulebook

    def sentence(self, violation: Violation) -> str:
        return self._book.reason(violation.reason, self.language, violation.values)

    def violation(self, violation: Violation, path: str) -> Plain:
        """`path` is the field of the request that holds the move."""
        return {
            "ruleId": violation.rule_id,
            "reason": violation.reason,
            "message": self.sentence(violation),
            "path": within(path, violation.path),
            "at": violation.at,
            **_parts(violation.values),
        }

    def violations(self, found: Iterable[Violation], path: str) -> list[Plain]:
        return [self.violation(violation, path) for violation in found]

    def verdict(
        self,
        violations: Iterable[Violation],
        path: str,
        preview: Iterable[Change] = (),
        outside: Iterable[Violation] = (),
    ) -> Plain:
        """`path` is the field of the request that holds the move; paths of `outside` are fields beside it."""
        found = self.violations(outside, "") + self.violations(violations, path)
        return {"legal": not found, "violations": found, "preview": changes(preview)}

    def turn(self, turn: Turn) -> Plain:
        if turn.over:
            return {"over": True, "text": self._book.label(turn.step or "over", self.language)}
        return {
            "actor": turn.actor,
            "seats": list(turn.seats),
            "step": turn.step,
            "kinds": list(turn.kinds),
            "text": self._book.label(turn.step, self.language),
        }

    def event(self, event: Event) -> Plain:
        return {
            "kind": event.kind,
            "ruleId": event.rule_id,
            "text": self._book.event(event.kind, self.language, event.values),
            "changes": changes(event.changes),
            **_parts(event.values),
        }

    def move(self, state: Any, move: Any) -> Plain:
        """A move in the form that is answered: typed, and its notation with it."""
        return {**self._game.move_to_plain(move), "notation": self._game.print_move(state, move)}

    def option(self, position: Position[Any, Any], option: Option[Any]) -> Plain:
        state = position.state
        move = self._game.resolve(state, option.move)
        said: Plain = {
            "kind": option.kind,
            "move": self.move(state, move),
            "summary": self._game.summary(state, move, self.language),
        }
        # There may be a thousand options: what is left at its default costs nothing.
        if option.parameters:
            said["parameters"] = [_parameter(parameter) for parameter in option.parameters]
        if option.preview:
            said["preview"] = changes(option.preview)
        if option.optimality:
            said["optimality"] = f"OPTIMALITY_{option.optimality}"
        if option.weight:
            said["weight"] = option.weight
        return said

    def scoreboard(self, board: Scoreboard) -> Plain:
        return {
            "seats": [
                {
                    "seat": seat.seat,
                    "total": seat.total,
                    "rank": seat.rank,
                    "lines": [
                        {
                            "label": line.label,
                            "amount": line.amount,
                            "ruleId": line.rule_id,
                            "text": self._book.label(line.label, self.language, line.values),
                        }
                        for line in seat.lines
                    ],
                }
                for seat in board.seats
            ],
            "final": board.final,
            "tieBreaks": [
                {"ruleId": step.rule_id, "text": self._book.event(step.kind, self.language, step.values)}
                for step in board.tie_breaks
            ],
        }

    def warning(self, warning: Warning) -> Plain:
        message = self._book.reason(warning.reason, self.language, warning.values)
        return {"reason": warning.reason, "message": message, "path": warning.path}


def changes(found: Iterable[Change]) -> list[Plain]:
    return [
        {"subject": one.subject, "quantity": one.quantity, "before": one.before, "after": one.after}
        for one in found
    ]


def _parameter(parameter: Parameter) -> Plain:
    if isinstance(parameter, IntRange):
        domain = {"minimum": parameter.minimum, "maximum": parameter.maximum, "step": parameter.step}
        return {"path": parameter.path, "range": domain}
    if isinstance(parameter, Choice):
        sort = "texts" if parameter.values and isinstance(parameter.values[0], str) else "integers"
        return {"path": parameter.path, sort: {"values": list(parameter.values)}}
    return {"path": parameter.path, "ruleId": parameter.rule_id}


def _parts(values: Mapping[str, Value]) -> Plain:
    """Figures and names apart.  A figure beyond 32 bits (only requests have such) becomes the nearest."""
    return {
        "numbers": {
            key: max(-LARGEST, min(LARGEST, int(value)))
            for key, value in values.items()
            if isinstance(value, int)
        },
        "names": {key: value for key, value in values.items() if isinstance(value, str)},
    }
