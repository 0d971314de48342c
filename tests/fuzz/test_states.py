"""Positions that are changed by hand: refused with a path, or good for every question there is."""

from random import Random

from signalbox.eighteen_cz.v1 import state_pb2

from services.chassis.game import Malformed
from services.eighteen_cz.game import GAME
from tests.fuzz import campaign
from tests.fuzz.asking import any_message
from tests.fuzz.corpus import Sample, samples
from tests.fuzz.interrogation import STATE_PATHS, ask_calls, ask_rules, check_violation, well_typed
from tests.fuzz.mutation import mutated
from tests.fuzz.scheming import schemed

BEYOND = range(1_000_001, 1_010_000)
"""What was just within the bounds of an open position may grow out of them: no game comes near."""
MOST_STEPS = 3
"""Moves played on from a changed position, at most."""


def question(rng: Random, sample: Sample) -> bool:
    """Whether the sample's state is possible; then everything is asked about it and what follows from it."""
    plain = well_typed(sample.state)
    if plain is None:
        return False
    try:
        state = GAME.state_from_plain(plain)
    except Malformed as bad:
        assert bad.path and bad.message
        return False
    rules = GAME.rulesets.get(plain["ruleset"])
    if rules is None:
        return False
    violation = rules.validate(state)
    if violation is not None:
        check_violation(violation, STATE_PATHS)
        return False
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

    def case(rng: Random) -> None:
        sample = rng.choice(samples())
        question(rng, Sample(mutated(rng, sample.state), sample.move))

    campaign.run("changed-states", 0.15, case)


def test_schemed_states() -> None:
    """Changes by one who knows the game: many of these pass."""

    def case(rng: Random) -> None:
        sample, donor = rng.choice(samples()), rng.choice(samples())
        question(rng, Sample(schemed(rng, sample.state, donor.state), sample.move))

    campaign.run("schemed-states", 0.25, case)


def test_made_up_states() -> None:
    """States made from the contract alone."""

    def case(rng: Random) -> None:
        sample = rng.choice(samples())
        question(rng, Sample(any_message(rng, state_pb2.State.DESCRIPTOR), sample.move))

    campaign.run("made-up-states", 0.03, case)
