"""The board of recorded games: valid everywhere, and every best run proven and at least the recorded one.

Offers and attempts are compared by tests/conformance; here the searches meet every recorded run.
"""

import pytest

from services.eighteen_cz.rules.best_routes import best_run
from services.eighteen_cz.rules.validate_board import validate_board
from services.ruleset.protocol import Budget
from tests.eighteen_cz.snapshots import RECORDS, record, record_names, state_at

pytestmark = pytest.mark.skipif(not RECORDS.is_dir(), reason="the recorded games are not here")


@pytest.mark.parametrize("name", record_names()[::6])
def test_recorded_runs(name: str) -> None:
    game = record(name)
    for index, action in enumerate(game.actions):
        if action["type"] == "run_routes":
            state = state_at(game, index)
            recorded = sum(route["revenue"] for route in action["routes"])
            _, revenue, optimality = best_run(state, game.lines[index]["op"], Budget())
            assert optimality == "PROVEN" and revenue >= recorded


@pytest.mark.parametrize("name", record_names()[3::6])
def test_recorded_boards_are_valid(name: str) -> None:
    game = record(name)
    for index in range(0, len(game.lines), 5):
        assert validate_board(state_at(game, index)) is None
