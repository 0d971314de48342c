"""The calls about one position: Describe, Start, CheckMove, ApplyMove, Score, View, Render."""

from typing import Any

from protojson import to_plain
from services.chassis.call import Call
from services.chassis.errors import malformed
from services.chassis.game import AnyGame, Marks, Plain, Position
from services.chassis.listing import MOST_CLOSEST, Listing
from services.chassis.metrics import Metrics
from services.chassis.positions import Form, Positions
from services.ruleset.answers import Turn, Violation, net_changes

FORM_OF_BASE: dict[str, tuple[Form, ...]] = {"sealed": ("SEALED",), "state": ("STATE",), "setup": ("STATE",)}
"""What ApplyMove gives back where the request does not say."""


class Questions:
    """Each method takes a request message and gives the plain form of its response.  Raises Refused."""

    def __init__(self, game: AnyGame, positions: Positions, listing: Listing, metrics: Metrics) -> None:
        self._game, self._positions, self._listing, self._metrics = game, positions, listing, metrics

    def describe(self, request: Any, call: Call) -> Plain:
        game, language = self._game, call.words.language
        rules = [
            {"ruleId": rule.id, "title": rule.title, "text": rule.text}
            for rule in game.rulebook.rules(language)
        ]
        more: Plain = {
            "rulebook": rules,
            "languages": list(game.rulebook.languages),
            "importFormats": [*game.importers, "notation"],
        }
        return {"game": {**game.info(language), **more}}

    def start(self, request: Any, call: Call) -> Plain:
        if not request.HasField("setup"):
            raise malformed("setup", "is missing", "MISSING")
        forms = self._positions.forms(request.returns, ("STATE", "SEALED"))
        held, setup = self._positions.start(to_plain(request.setup), call, "setup")
        return {
            "position": self._positions.answer(held, forms),
            "turn": call.words.turn(held.ruleset.turn(held.state)),
            "setup": setup,
        }

    def check_move(self, request: Any, call: Call) -> Plain:
        if not 0 <= request.closest <= MOST_CLOSEST:
            raise malformed("closest", f"must be from 0 to {MOST_CLOSEST}", "OUT_OF_RANGE")
        held = self._positions.resolve(request.position, call, request.expected_state_hash)
        self._positions.check_seat(held, request.seat)
        move = self._positions.read_move(held.position, to_plain(request.move), "move")
        turn = held.ruleset.turn(held.state)
        outcome = held.ruleset.apply(held.state, move, call.budget())
        wrong_seat = self._wrong_seat(turn, request.seat)
        violations = (*wrong_seat, *outcome.violations)
        self._metrics.verdict(self._game.kind(move), violations)
        preview = () if violations else net_changes(outcome.events)
        answer: Plain = {
            "verdict": call.words.verdict(outcome.violations, "move", preview, wrong_seat),
            "move": call.words.move(held.state, move),
            "turn": call.words.turn(turn),
            "stateHash": held.hash,
        }
        if violations and request.closest:
            answer["closest"] = self._listing.closest(held, move, request.closest, call)
        return answer

    def apply_move(self, request: Any, call: Call) -> Plain:
        default = FORM_OF_BASE.get(request.position.WhichOneof("base") or "", ())
        forms = self._positions.forms(request.returns, default)
        held = self._positions.resolve(request.position, call, request.expected_state_hash)
        self._positions.check_seat(held, request.seat)
        move = self._positions.read_move(held.position, to_plain(request.move), "move")
        turn = held.ruleset.turn(held.state)
        outcome = held.ruleset.apply(held.state, move, call.budget())
        wrong_seat = self._wrong_seat(turn, request.seat)
        violations = (*wrong_seat, *outcome.violations)
        self._metrics.verdict(self._game.kind(move), violations)
        preview = () if violations else net_changes(outcome.events)
        answer = {
            "verdict": call.words.verdict(outcome.violations, "move", preview, wrong_seat),
            "move": call.words.move(held.state, move),
        }
        if violations:
            return {**answer, "turn": call.words.turn(turn)}
        after = self._positions.hold(Position(held.ruleset, outcome.state))
        return {
            **answer,
            "position": self._positions.answer(after, forms),
            "events": [call.words.event(event) for event in outcome.events],
            "turn": call.words.turn(after.ruleset.turn(after.state)),
        }

    def score(self, request: Any, call: Call) -> Plain:
        held = self._positions.resolve(request.position, call, request.expected_state_hash)
        return {"scoreboard": call.words.scoreboard(held.ruleset.score(held.state)), "stateHash": held.hash}

    def view(self, request: Any, call: Call) -> Plain:
        held = self._positions.resolve(request.position, call, request.expected_state_hash)
        viewer = self._positions.viewer(held, request.viewer)
        return {
            "view": self._positions.view(held, viewer),
            "turn": call.words.turn(held.ruleset.turn(held.state)),
            "stateHash": held.hash,
        }

    def render(self, request: Any, call: Call) -> Plain:
        held = self._positions.resolve(request.position, call, request.expected_state_hash)
        viewer = self._positions.viewer(held, request.viewer)
        move = None
        if request.HasField("move"):
            move = self._positions.read_move(held.position, to_plain(request.move), "move")
        marks = Marks(move, request.violation.at, request.violation.message)
        seen = held.ruleset.view(held.state, viewer)
        return {"svg": self._game.render(seen, marks, call.words.language), "stateHash": held.hash}

    def _wrong_seat(self, turn: Turn, seat: str) -> tuple[Violation, ...]:
        """What the seat that submits a move breaks, if it is not one that decides now.  (That nobody moves
        after the end is for the rules to say.)"""
        if not seat or turn.over or seat in turn.seats:
            return ()
        values = {"seat": seat, "actor": turn.actor}
        return (Violation(self._game.turn_rule, "not_your_turn", values, "seat"),)
