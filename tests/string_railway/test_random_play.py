"""Random games end, keep every invariant, and count to the same score from their last position."""

from random import Random

import pytest

from services.ruleset.protocol import Budget
from services.string_railway.rules.scoring import recounted
from tests.string_railway.random_play import RULES, play, setup

GAMES = [
    (2, True, {"pro": True}),
    (3, False, {}),
    (3, True, {"chaos": True, "crossing_unit": "string"}),
    (4, True, {"owner_effect": "every"}),
    (5, False, {"slack": "taut", "chaos": True}),
]


@pytest.mark.parametrize(("seats", "seeded", "options"), GAMES)
def test_a_random_game_keeps_all_invariants(seats: int, seeded: bool, options: dict[str, object]) -> None:
    chance = Random(seats)
    last = None
    for number, (before, option, after) in enumerate(play(setup(seats, chance, seeded, **options), chance)):
        assert RULES.validate(after) is None, (number, option.move)
        gains = {change.subject: change.after - change.before for change in option.preview}
        gained = {c: p - before.scores[c] for c, p in after.scores.items() if p != before.scores[c]}
        assert gains == gained
        last = after
    assert last is not None and last.scores == recounted(last)
    assert RULES.score(last).final
    assert {len(last.strings) + sum(map(len, last.forfeits.values()))} == {20 if seats != 3 else 15}


def test_moves_leave_the_position_before_them_as_it_was() -> None:
    chance = Random(7)
    for before, option, after in play(setup(4, chance, True), chance):
        again = RULES.apply(before, option.move, Budget()).state
        assert again == after and again is not after
        if len(after.strings) == 4:
            break
