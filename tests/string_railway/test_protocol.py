"""The rules fit the protocol that the chassis knows, and refuse setups that they do not allow."""

from typing import Any

import pytest

from services.ruleset.protocol import Ruleset, SetupRefused
from services.string_railway.rules.engine import StringRailway
from services.string_railway.rules.moves import Move
from services.string_railway.rules.state import State

RULES: Ruleset[State, Move] = StringRailway()


@pytest.mark.parametrize(
    ("seats", "options", "companies"),
    [
        (2, {}, [("red", "green"), ("yellow", "blue")]),
        (3, {}, [("red",), ("yellow",), ("green",)]),
        (5, {"companies": ["purple", "blue", "green", "yellow", "red"]}, [("purple",), ("blue",)]),
        (4, {"crossingUnit": "string", "pro": True}, [("red",), ("yellow",)]),
    ],
)
def test_a_setup_gives_the_empty_table(seats: int, options: dict[str, Any], companies: list[Any]) -> None:
    state = RULES.start({"seats": [{}] * seats, "random": {"external": {}}, "options": options})
    assert [player.companies for player in state.players][: len(companies)] == companies
    assert RULES.validate(state) is None and RULES.turn(state).kinds == ("setup_boundary",)


@pytest.mark.parametrize(
    ("seats", "options", "reason"),
    [
        (1, {}, "seat_count"),
        (6, {}, "seat_count"),
        (3, {"companies": ["red"]}, "setup_companies"),
        (3, {"companies": ["red", "red", "blue"]}, "setup_companies"),
        (3, {"thickness": 3}, "unknown_option"),
        (3, {"slack": "loose"}, "option_value"),
        (3, {"pro": 1}, "option_value"),
    ],
)
def test_a_setup_is_refused(seats: int, options: dict[str, Any], reason: str) -> None:
    with pytest.raises(SetupRefused) as refused:
        RULES.start({"seats": [{}] * seats, "options": options})
    assert refused.value.violation.reason == reason


@pytest.mark.parametrize(("seats", "layer"), [(2, "yellow"), (3, "red"), (4, "yellow"), (5, "green")])
def test_sr_2_1_who_lays_the_boundary(seats: int, layer: str) -> None:
    state = RULES.start({"seats": [{}] * seats})
    assert RULES.turn(state).actor == layer
