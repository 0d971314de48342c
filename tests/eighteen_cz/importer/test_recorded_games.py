"""Whole recorded games imported: their moves lead to the recorded result, also when only bits are sent."""

import json
from pathlib import Path
from typing import Any

import pytest

from services.chassis.game import Position
from services.eighteen_cz.importer import RULESET
from services.eighteen_cz.rules.engine import EighteenCz
from services.eighteen_cz.rules.state import State
from services.ruleset.protocol import Budget
from tests.eighteen_cz.importer.records import imported, played

GAMES = Path(__file__).resolve().parents[4] / "shared" / "conformance" / "18cz" / "games"
pytestmark = pytest.mark.skipif(not GAMES.is_dir(), reason=f"there are no recordings in {GAMES}")


def document(name: str) -> dict[str, Any]:
    result: dict[str, Any] = json.loads((GAMES / f"{name}.json").read_text(encoding="utf-8"))
    return result


def scores(state: State) -> dict[str, int]:
    return {f"P{score.seat[1:]}": score.total for score in EighteenCz(RULESET).score(state).seats}


@pytest.mark.parametrize("name", ["fixture_2p", "g2213_2p", "g2307_3p", "g2411_4p", "g2507_5p", "g2603_6p"])
def test_a_recorded_game_ends_as_recorded(name: str) -> None:
    record = document(name)
    result = imported(record)
    assert not result.warnings
    state = played(result)
    assert state.stage == "over"
    assert scores(state) == record["result"]


def test_a_record_of_the_site_with_numbers_for_players() -> None:
    record = document("g2411_4p")
    ids = {player["name"]: 4000 + n for n, player in enumerate(record["players"])}
    record["players"] = [{"id": ids[name], "name": f"player {name}"} for name in ids]
    for action in record["actions"]:
        action["entity"] = ids.get(action["entity"], action["entity"])
        action["user"] = 4000
    record["result"] = {str(ids[name]): total for name, total in record["result"].items()}
    plain, numbered = imported(document("g2411_4p")), imported(record)
    assert list(numbered.moves) == list(plain.moves)
    assert not numbered.warnings


def test_undone_actions_leave_no_trace() -> None:
    record = document("g2411_4p")
    actions = []
    for n, action in enumerate(record["actions"]):
        actions.append(action)
        if n % 5 == 0:
            actions += [{"type": "undo"}, {"type": "message", "message": "oops"}, action]
        elif n % 7 == 0:
            actions += [{"type": "undo"}, {"type": "redo"}]
    for number, action in enumerate(actions, 1):
        actions[number - 1] = {**action, "id": number}
    assert list(imported({**record, "actions": actions}).moves) == list(imported(record).moves)


@pytest.mark.parametrize("name", ["fixture_2p", "g2205_2p"])
def test_a_site_shadowed_action_by_action(name: str) -> None:
    """Each action alone is imported from the position that the ones before it led to."""
    record = document(name)
    rules = EighteenCz(RULESET)
    state = played(imported({**record, "actions": []}))
    for action in record["actions"]:
        result = imported({**record, "actions": [action]}, Position(rules, state))
        assert "move_refused" not in [warning.reason for warning in result.warnings], action
        for move in result.moves:
            outcome = rules.apply(state, move, Budget())
            assert outcome.state is not None
            state = outcome.state
    assert scores(state) == record["result"]
