"""A shadow that remembers what the comparison needs to know beside the position."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Self

from services.eighteen_cz.importer import RULESET, setup_of
from services.eighteen_cz.importer.ledger import Ledger
from services.eighteen_cz.importer.reading import Action, GameRecord
from services.eighteen_cz.importer.shadowing import Shadow
from services.eighteen_cz.importer.site import STEPS
from services.eighteen_cz.importer.translating import translate
from services.eighteen_cz.rules import queries
from services.eighteen_cz.rules.copying import copy_state
from services.eighteen_cz.rules.engine import DO, EighteenCz, resolve
from services.eighteen_cz.rules.moves import Move, Pass
from services.eighteen_cz.rules.settling import settle as automatic
from services.eighteen_cz.rules.state import State
from services.ruleset.answers import Violation
from services.ruleset.protocol import Budget
from tests.conformance.eighteen_cz.certificates import Certificates


class WatchedShadow(Shadow):
    """`turn_began` is the position in which the company on turn came on turn, `known` the exceptions
    (section, field) that last and were noted before."""

    turn_began: State
    arrived: Callable[[], bool] | None = None
    """Tells where the recording waits, in place of what the import expects of the site."""

    def __init__(self, record: GameRecord) -> None:
        rules = EighteenCz(RULESET)
        start = rules.start(setup_of(record))
        self.certificates = Certificates()
        self.elsewhere = 0
        self.known: set[tuple[str, str]] = set()
        super().__init__(rules, start, record.seed, Ledger(complete=True), Budget())
        self.certificates.found(start, self.state)

    def follow(self, action: Action, later: Iterable[Action] = ()) -> bool:
        self._patience = len(STEPS) + len(self.state.order)
        before = self.state
        accepted = super().follow(action, later)
        if accepted:
            self.certificates.follow(action, before, self.state)
        return accepted

    def _play(self, move: Move) -> tuple[Violation, ...]:
        turn = self._turn
        violations = super()._play(move)
        if self._turn != turn:
            self.turn_began = self.state
        return violations

    def _waits(self) -> bool:
        if self.arrived is None:
            return super()._waits()
        self._patience -= 1
        if self.arrived() or self.state.pending or self._patience < 0:
            return True
        if self.step < 0 or STEPS[self.at] == "locals":
            return False
        if STEPS[self.at] == "trains" and self.owes_train:
            return True
        self.at += 1
        return self.at <= self.step and self._waits()

    def follow_to(
        self, action: Action, arrived: Callable[["WatchedShadow"], bool], later: Sequence[Action] = ()
    ) -> bool:
        """Follows an action.  Where the recording then stands elsewhere than the import expects of the
        site, and where our rules let it, the recording decides; `elsewhere` counts that."""
        guided = self.branch()
        accepted = self.follow(action, later)
        if accepted and guided.state.stage != "draft" and not arrived(self):
            guided.arrived = lambda: arrived(guided)
            if guided.follow(action, later) and arrived(guided):
                guided.arrived, guided.moves = None, self.moves
                vars(self).update(vars(guided))
                self.elsewhere += 1
        return accepted

    def refusals(self, action: Action) -> list[Violation]:
        """The rules that an action breaks here."""
        move, claims, _ = translate(action, self.state, self.ledger)
        return [
            *claims,
            *self.certificates.claims(action),
            *self.rules.check(self.state, move, Budget()),
        ]

    def leave_draft(self) -> list[str]:
        """Passes until the draft is over; returns who had still to pass."""
        seats = []
        while self.state.stage == "draft":
            seats.append(self.rules.turn(self.state).actor)
            self._play(Pass(seats[-1]))
        self._settle()
        return seats

    @property
    def owes_train(self) -> bool:
        """Whether only the obligation of CZ-14.6 keeps the company on turn from ending its turn."""
        turn, state = self.state.operating, self.state
        if turn is None or turn.step != "trains" or state.pending:
            return False
        return not queries.has_usable_train(state, queries.acting_company(state))

    def force_end_of_turn(self) -> None:
        """Ends the turn of a company that owes a train."""
        self._force(Pass(self.rules.turn(self.state).actor))
        self._settle()

    def force(self, action: Action) -> None:
        """Carries out an action that the rules refuse, to go on with what the recording does after it."""
        with self.site_express():
            move = resolve(self.state, translate(action, self.state, self.ledger).move)
            self._force(move)
        self.ledger.follow(action, move)
        self._settle()

    @contextmanager
    def site_express(self) -> Iterator[None]:
        """For a while express trains earn what the recording engine gives them (D-10)."""
        rules = self.state.switches
        switches = replace(
            rules, express_counts_more_than_three_towns=False, express_must_count_every_city=False
        )
        self.state = replace(self.state, switches=switches)
        try:
            yield
        finally:
            self.state = replace(self.state, switches=rules)

    def pay(self, symbol: str, amount: int) -> None:
        """Takes from a treasury what the recording engine took beyond the rules."""
        self.state = copy_state(self.state)
        self.state.companies[symbol].treasury -= amount

    def _force(self, move: Move) -> None:
        turn = self._turn
        self.state = copy_state(self.state)
        DO[move.kind](self.state, move)
        automatic(self.state)
        if turn != self._turn_number():
            self._turn, self.at, self.turn_began = self._turn_number(), 0, self.state

    def branch(self) -> Self:
        other = super().branch()
        other.certificates = Certificates(dict(self.certificates.holders))
        return other
