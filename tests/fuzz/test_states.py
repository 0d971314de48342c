"""Positions that are changed by hand: refused with a path, or good for every question there is."""

from random import Random

from signalbox.eighteen_cz.v1 import state_pb2

from services.chassis.game import Malformed
from services.eighteen_cz.game import GAME
from services.eighteen_cz.rules.state import State
from tests.fuzz import campaign
from tests.fuzz.asking import any_message
from tests.fuzz.corpus import Sample, samples
from tests.fuzz.fitting import Plain, drifted, schemed
from tests.fuzz.interrogation import STATE_PATHS, ask_calls, ask_rules, check_violation, well_typed
from tests.fuzz.mutation import mutated

BEYOND = range(1_000_001, 1_010_000)
"""What was just within the bounds of an open position may grow out of them: no game comes near."""
MOST_STEPS = 3
"""Moves played on from a changed position, at most."""


def possible(plain: Plain) -> State | None:
    """The state, if it is a possible one; else it is refused with a path and in words."""
    typed = well_typed(plain)
    if typed is None:
        return None
    try:
        state = GAME.state_from_plain(typed)
    except Malformed as bad:
        assert bad.path and bad.message
        return None
    rules = GAME.rulesets.get(typed["ruleset"])
    if rules is None:
        return None
    violation = rules.validate(state)
    if violation is not None:
        check_violation(violation, STATE_PATHS)
        return None
    return state


def question(rng: Random, sample: Sample) -> bool:
    """Whether the sample's state is possible; then everything is asked about it and what follows from it."""
    state = possible(sample.state)
    if state is None:
        return False
    rules = GAME.rulesets[state.ruleset]
    for step in range(rng.randint(1, MOST_STEPS)):
        sample = Sample(GAME.state_to_plain(state), sample.move)
        following = ask_rules(rng, sample)
        if step == 0:
            ask_calls(rng, sample, 3)
        if following is None:
            break
        state = following
        violation = rules.validate(state)
        if violation is not None and violation.values.get("value", 0) in BEYOND:
            break
        assert violation is None, f"a legal move leads to an impossible state: {violation}"
    return True


def test_changed_states() -> None:
    """Blind changes: wrong numbers, names, enums, lists dropped, doubled and exchanged."""

    def case(rng: Random) -> bool:
        sample = rng.choice(samples())
        return question(rng, Sample(mutated(rng, sample.state), sample.move))

    campaign.run("changed-states", 0.08, case, through=0.1)


def test_schemed_states() -> None:
    """Changes by one who knows the game: many of these pass."""

    def case(rng: Random) -> bool:
        sample, donor = rng.choice(samples()), rng.choice(samples())
        return question(rng, Sample(schemed(rng, sample.state, donor.state), sample.move))

    campaign.run("schemed-states", 0.09, case, through=0.1)


def test_drifted_states() -> None:
    """Many changes one after the other, each of which left the position possible."""

    def case(rng: Random) -> None:
        sample = rng.choice(samples())
        plain = drifted(rng, sample.state, lambda changed: possible(changed) is not None, rng.randint(5, 30))
        assert question(rng, Sample(plain, sample.move))

    campaign.run("drifted-states", 0.004, case)


def test_made_up_states() -> None:
    """States made from the contract alone."""

    def case(rng: Random) -> None:
        sample = rng.choice(samples())
        question(rng, Sample(any_message(rng, state_pb2.State.DESCRIPTOR), sample.move))

    campaign.run("made-up-states", 0.03, case)
