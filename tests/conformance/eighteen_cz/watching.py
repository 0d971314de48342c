"""A shadow that remembers how the turn of the company on turn began."""

import copy
from dataclasses import replace

from services.eighteen_cz.importer.reading import Action
from services.eighteen_cz.importer.shadowing import Shadow
from services.eighteen_cz.importer.translating import translate
from services.eighteen_cz.rules.copying import copy_state
from services.eighteen_cz.rules.engine import DO, resolve
from services.eighteen_cz.rules.moves import Move, Pass
from services.eighteen_cz.rules.settling import settle as automatic
from services.eighteen_cz.rules.state import State
from services.ruleset.answers import Violation
from services.ruleset.protocol import Budget


class WatchedShadow(Shadow):
    turn_began: State

    def _play(self, move: Move) -> tuple[Violation, ...]:
        turn = self._turn
        violations = super()._play(move)
        if self._turn != turn:
            self.turn_began = self.state
        return violations

    def settle(self) -> None:
        self._settle()

    def play(self, move: Move) -> bool:
        """Plays a move of ours that the recording does not have."""
        return not self._play(move)

    def force(self, action: Action) -> None:
        """Carries out an action that the rules refuse, to go on with what the recording does after it."""
        move = resolve(self.state, translate(action, self.state, self.ledger).move)
        self._force(move)
        self.ledger.follow(action, move)
        self._settle()

    def force_end_of_turn(self) -> None:
        """Ends the turn of a company that the rules do not let go."""
        self._force(Pass(self.rules.turn(self.state).actor))
        self._settle()

    def _force(self, move: Move) -> None:
        turn = self._turn
        self.state = copy_state(self.state)
        DO[move.kind](self.state, move)
        automatic(self.state)
        if turn != self._turn_number():
            self._turn, self.at, self.turn_began = self._turn_number(), 0, self.state

    def branch(self) -> "WatchedShadow":
        """One to try something with; this one stays as it is."""
        other = copy.copy(self)
        other.ledger = replace(self.ledger, cards=dict(self.ledger.cards), tiles=dict(self.ledger.tiles))
        other.moves, other.warnings, other._done = [], [], list(self._done)
        return other


def refusals(shadow: WatchedShadow, action: Action) -> list[Violation]:
    """The rules that an action breaks here."""
    move, claims = translate(action, shadow.state, shadow.ledger)
    return [*claims, *shadow.rules.check(shadow.state, move, Budget())]
