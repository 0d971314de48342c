"""Invariants of phase, train cards and rusting (CZ-1.5, 14, 15)."""

from collections import Counter
from collections.abc import Iterator

from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.facts import CARDS, ROWS, VERSIONS
from services.eighteen_cz.rules.invariants import broken, distinct, exactly, in_range, one_of, short
from services.eighteen_cz.rules.phases import triggers
from services.eighteen_cz.rules.queries import stack_top
from services.eighteen_cz.rules.state import State
from services.ruleset.answers import Violation


def check_trains(state: State) -> Iterator[Violation]:
    """The stack from the top, the phase it means, every train on a card, nothing that has rusted."""
    yield from one_of("phase", state.phase, facts.PHASES, "CZ-15")
    yield from exactly("stack", "".join(state.stack), "".join(CARDS), "CZ-2.3")
    begun = True
    for index, (row, cards) in enumerate(state.stack.items()):
        yield from in_range(f"stack[{index}].cards", cards, 0, CARDS[row], "CZ-1.5")
        if not begun and cards < CARDS[row]:
            yield broken(f"stack[{index}].cards", "CZ-2.3", "state_stack", row=row)
        begun = begun and not cards
    yield from _phase(state)
    yield from _rusted(state)
    yield from _existing(state)


def _phase(state: State) -> Iterator[Violation]:
    """A phase begins when the first card of its row leaves the stack; of row j that leaves no trace."""
    top = stack_top(state)
    before = ROWS[max(0, ROWS.index(top) - 1)]
    untouched = state.stack.get(top, 0) == CARDS.get(top)
    fitting = (before, top) if top == facts.LAST_ROW else (before if untouched else top)
    if state.phase not in fitting:
        yield broken("phase", "CZ-15", "state_phase", phase=state.phase, row=top)


def _rusted(state: State) -> Iterator[Violation]:
    """Versions that rust on the same trains rust together, not before one of those can have been bought."""
    yield from distinct("rusted", state.rusted, "CZ-14.7")
    left = [(version, triggers(state, version)) for version in VERSIONS if version not in state.rusted]
    for index, version in enumerate(state.rusted):
        path = f"rusted[{index}]"
        yield from one_of(path, version, VERSIONS, "CZ-14.7")
        on = triggers(state, version)
        if not any(VERSIONS[bought].row <= state.phase for bought in on):
            yield broken(path, "CZ-14.7", "state_rusted_early", version=version)
        for other, on_too in left:
            if on <= on_too:
                yield broken("rusted", "CZ-14.7", "state_rusted_too", version=version, other=other)


def _existing(state: State) -> Iterator[Violation]:
    """Trains of companies and of the pool: known versions of drawn cards, no more of a row than it has."""
    held = [
        (f"companies[{index}].trains[{place}]", version)
        for index, company in enumerate(state.companies.values())
        for place, version in enumerate(company.trains)
    ]
    held += [(f"pool[{place}]", version) for place, version in enumerate(state.pool)]
    yield from short("pool", state.pool, "CZ-14.8")
    fresh = [(version, triggers(state, version)) for version in VERSIONS if version not in state.rusted]
    used: Counter[str] = Counter()
    for path, version in held:
        yield from one_of(path, version, VERSIONS, "CZ-14")
        if version in state.rusted:
            yield broken(path, "CZ-14.7", "version_rusted", version=version)
        row = VERSIONS[version].row
        if row > state.phase:
            yield broken(path, "CZ-15", "state_train_early", version=version, phase=state.phase)
        used[row] += 1
        if row in CARDS and used[row] + state.stack[row] > CARDS[row]:
            yield broken(path, "CZ-1.5", "state_cards", row=row, cards=CARDS[row])
        for other, on in fresh:
            if version in on:
                yield broken("rusted", "CZ-14.7", "state_rusted_too", version=version, other=other)
