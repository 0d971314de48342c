"""Plays a record along with the rules, and so finds the moves that it stands for.

What the site does without an action is supplied: the draw of Vaclav's companies, the consent of other
players, passes for what the site leaves out.  A recorded pass for a step that the rules have already
left is no move.
"""

import copy
from collections.abc import Iterable
from dataclasses import replace
from typing import Final, Self

from services.chassis.game import Warning
from services.eighteen_cz.importer.beside import beside
from services.eighteen_cz.importer.ledger import Ledger
from services.eighteen_cz.importer.reading import Action
from services.eighteen_cz.importer.site import STEP_OF, STEPS, asks_player, station_price, stops
from services.eighteen_cz.importer.translating import Claims, translate
from services.eighteen_cz.rules import moves as m
from services.eighteen_cz.rules import stations, vaclav
from services.eighteen_cz.rules.state import State
from services.ruleset.answers import CHANCE, Turn, Value, Violation
from services.ruleset.protocol import Budget, Query, Ruleset

_MODULUS: Final = 1 << 31
_STOCK_ACTIONS: Final = frozenset({"sell_shares", "repay_loan", "buy_share", "start_company"})


def _declining(turn: Turn) -> m.Move:
    """What goes on without doing anything."""
    return m.RunTrains(turn.actor) if turn.step == "run" else m.Pass(turn.actor)


class Shadow:
    """A position that follows a site action by action.

    `moves` are all moves so far, each with the path of the action that it stands for ("" for one that is
    supplied before the next action), `warnings` what had to be assumed.  `at` is the site's step in the turn
    of the company on turn, an index into `site.STEPS`; the position itself may be further on.

    Where a record goes on from a position in the middle of a turn, `sure` tells whether `at` is known.
    Until it is, a pass is kept back: the next action that is none shows which step it was for.
    """

    def __init__(
        self, rules: Ruleset[State, m.Move], state: State, seed: int, ledger: Ledger, budget: Budget
    ) -> None:
        """Begins, and does what the site does before the first action."""
        self.rules, self.state, self.ledger, self.budget = rules, state, ledger, budget
        self.moves: list[tuple[m.Move, str]] = []
        self.warnings: list[Warning] = []
        self._done: list[str] = []  # paths of actions that were played before their time
        self._path = ""  # of the action that is played now
        self._random = seed % _MODULUS
        for _ in range(state.chance.draws):
            self._draw()
        self._turn = self._turn_number()
        self.at = max(self.step, 0)
        self.sure = ledger.complete or not self._may_stand_behind()
        self._settle()

    @property
    def step(self) -> int:
        """The position's own step, an index into `site.STEPS`; -1 outside a turn or before its track step."""
        turn = self.state.operating
        return STEPS.index(turn.step) if turn and turn.step in STEPS else -1

    def _may_stand_behind(self) -> bool:
        """Whether the site may be in an earlier step or already in its last one."""
        if self.step < 0:
            return False
        last = STEPS[self.step] == "trains" and stops(self.state, "locals")
        return last or (self.step > 0 and stops(self.state, "track"))

    @property
    def waits_before_discards(self) -> bool:
        """Whether the site still offers acquisitions while, by CZ-14.8, trains must be discarded first."""
        pending = self.state.pending
        return (
            bool(pending)
            and pending[0].kind == "discard_trains"
            and self.step >= 0
            and pending[0].company == self._turn[1]
            and STEPS[self.at] == "acquire"
            and stops(self.state, "acquire")
        )

    def follow(self, action: Action, later: Iterable[Action] = ()) -> bool:
        """Plays one action; False where the rules refuse it, or where it says what no move can say.  Either
        leaves the position as it was; a refused move is handed on all the same, and whoever replays it
        is told why.

        `later` are the actions after it, looked at where the site left a forced discard for later.
        """
        if action.path in self._done:
            self._done.remove(action.path)
            return True
        self._discard_in_time(action, later)
        self._path = action.path
        if action.kind == "pass":
            return self._pass(action)
        translation = translate(action, self.state, self.ledger)
        if any(claim.reason == "value_unknown" for claim in translation.claims):
            self._warn_of(action, translation.claims)
            return False
        if self.rules.check(self.state, translation.move, self.budget):
            self._approach(action)
            translation = translate(action, self.state, self.ledger)
            if self._left_owing(translation.move):
                return not self._refused(action, m.Pass(self._turn[1]))
        self._warn_of_price(action, translation.move)
        if translation.guessed:
            self.warnings.append(Warning("owner_guessed", action.path))
        self._warn_of(action, translation.claims)
        before = self.state
        if self._refused(action, translation.move):
            return False
        self._warn_of(action, beside(action, translation.move, before, self.state))
        self.ledger.follow(action, translation.move)
        if not self.sure and action.kind in STEP_OF:
            self.at, self.sure = STEPS.index(STEP_OF[action.kind]), True
        self._settle()
        return True

    def _warn_of(self, action: Action, claims: Claims) -> None:
        for claim in claims:
            values = {**claim.values, "rule": claim.rule_id}
            self.warnings.append(Warning(claim.reason, f"{action.path}.{claim.path}", values))

    def _warn_of_price(self, action: Action, move: m.Move) -> None:
        company = self.state.companies.get(move.actor)
        if isinstance(move, m.PlaceStation) and company is not None:
            theirs, ours = station_price(self.state, company), stations.station_price(self.state, company)
            if theirs != ours:
                values: dict[str, Value] = {"company": move.actor, "recorded": theirs, "price": ours}
                self.warnings.append(Warning("station_dearer", action.path, values))

    def _play(self, move: m.Move) -> tuple[Violation, ...]:
        """Plays a move and the consent that it needs; returns the rules it breaks."""
        outcome = self.rules.apply(self.state, move, self.budget)
        if outcome.state is None:
            return outcome.violations
        self.ledger.take_for_vaclav(self.state, outcome.state)
        self.state = outcome.state
        self.moves.append((move, self._path))
        if self._turn != self._turn_number():
            self._turn, self.at, self.sure = self._turn_number(), 0, True
        pending = self.state.pending
        if pending and pending[0].kind == "offer":
            return self._play(m.AnswerOffer(pending[0].seat, True))
        return ()

    def _turn_number(self) -> tuple[int, str]:
        turn = self.state.operating
        return self.state.operating_round, turn.order[turn.index] if turn else ""

    def _refused(self, action: Action, move: m.Move) -> bool:
        violations = self._play(move)
        if violations:
            self.moves.append((move, action.path))
            values = {"rule": violations[0].rule_id, "reason": violations[0].reason}
            self.warnings.append(Warning("move_refused", action.path, values))
        return bool(violations)

    def _pass(self, action: Action) -> bool:
        turn = self.rules.turn(self.state)
        move = m.Pass(action.entity)
        in_turn = self.step >= 0 and not self.state.pending
        if action.entity != turn.actor:
            self.warnings.append(Warning("pass_dropped", action.path, {"entity": action.entity}))
        elif self.waits_before_discards:
            self.at += 1
        elif not in_turn:
            if self._refused(action, move):
                return False
        elif not self.sure:
            return True
        elif STEPS[self.at] == "trains":
            if self.rules.check(self.state, move, self.budget):
                return not self._refused(action, move)
            self.at += 1
        elif self.at != self.step and STEPS[self.at] != "locals":
            self.at += 1
        elif self._refused(action, move):
            return False
        else:
            self.at += self.step > self.at
        self._settle()
        return True

    def _discard_in_time(self, action: Action, later: Iterable[Action]) -> None:
        """Does the discards first that the rules force before the action and the site allowed after it."""
        waiting = iter(later)
        while self._must_discard_before(action):
            company = self.state.pending[0].company
            found = (other for other in waiting if (other.kind, other.entity) == ("discard_train", company))
            discard = next(found, None)
            if discard is None:
                return
            move = translate(discard, self.state, self.ledger).move
            self._path = discard.path
            if self._play(move):
                return
            self.ledger.follow(discard, move)
            self._done.append(discard.path)
            self.warnings.append(Warning("discarded_in_time", discard.path, {"company": company}))

    def _must_discard_before(self, action: Action) -> bool:
        pending = self.state.pending
        if not pending or pending[0].kind != "discard_trains":
            return False
        if action.kind == "pass":
            return action.entity != pending[0].company
        move = translate(action, self.state, self.ledger).move
        return bool(self.rules.check(self.state, move, self.budget))

    def _left_owing(self, move: m.Move) -> bool:
        """Whether the site let the company on turn go without the train that it owes (CZ-14.6)."""
        turn = self.rules.turn(self.state)
        if turn.step != "trains" or move.actor in ("", turn.actor, *turn.seats):
            return False
        return bool(self.rules.check(self.state, m.Pass(turn.actor), self.budget))

    def _approach(self, action: Action) -> None:
        """Passes up to where the action is legal, if there is such a place soon."""
        trial = self.branch()
        for _ in range(len(self.state.order) + len(STEPS)):
            if trial._play(_declining(trial.rules.turn(trial.state))):
                return
            trial._settle()
            move = translate(action, trial.state, trial.ledger).move
            if not trial.rules.check(trial.state, move, self.budget):
                break
        else:
            return
        if self.sure:
            values: dict[str, Value] = {"count": len(trial.moves)}
            self.warnings.append(Warning("passes_supplied", action.path, values))
        self.moves += trial.moves
        trial.moves, trial.warnings = self.moves, self.warnings
        trial.at = max(trial.at, trial.step)
        vars(self).update(vars(trial))
        self._path = action.path

    def branch(self) -> Self:
        """One to try something with; this one stays as it is."""
        other = copy.copy(self)
        other.ledger = replace(self.ledger, cards=dict(self.ledger.cards), tiles=dict(self.ledger.tiles))
        other.moves, other.warnings, other._done = [], [], list(self._done)
        return other

    def _settle(self) -> None:
        """Goes on to where the site waits for the next action."""
        self._path = ""
        while True:
            turn = self.rules.turn(self.state)
            if turn.over:
                return
            if turn.actor == CHANCE:
                choices = vaclav.candidates(self.state, self.state.pending[0].size)
                move: m.Move = m.VaclavCompany(CHANCE, choices[self._draw() % len(choices)])
            elif self._waits():
                return
            else:
                move = _declining(turn)
            if self._play(move):
                return

    def _waits(self) -> bool:
        """Whether the site waits here; in a company's turn the site first goes on as far as the position."""
        state = self.state
        if state.pending:
            return True
        if state.stage == "stock":
            options = self.rules.legal_moves(state, Query(kinds=_STOCK_ACTIONS), self.budget)
            return any(True for _ in options) or asks_player(state, self.rules.turn(state).actor)
        if self.step < 0 or not self.sure:
            return True
        if self.step < min(self.at, STEPS.index("trains")):
            return False
        while not stops(state, STEPS[self.at]):
            if self.at >= self.step and STEPS[self.at] != "trains":
                self.at += STEPS[self.at] != "locals"
                return False
            self.at += 1
        return True

    def _draw(self) -> int:
        """The site's random numbers: a linear congruential generator (CZ-18.2)."""
        self._random = (1103515245 * self._random + 12345) % _MODULUS
        return self._random
