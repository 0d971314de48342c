"""Price movements (CZ-6) against the recorded table, and the operating order (CZ-7.4)."""

import json
from pathlib import Path
from typing import Any

import pytest

from services.eighteen_cz.rules import facts, market
from services.eighteen_cz.rules.state import State
from tests.eighteen_cz.rules.table import PUBLISHED, SUMMARY, Co, ordered

RECORDED = Path(__file__).resolve().parents[4] / "shared/conformance/18cz/market.json"
COMPANY_OF = {"small": "BCB", "medium": "BTE", "large": "SX"}
EVENTS = {
    "payout": market.after_paying,
    "withhold": market.after_keeping,
    "sell_block": market.after_sale,
    "sold_out": market.after_sold_out,
}


def at(symbol: str, position: int, ruleset: str) -> State:
    state = ordered({symbol: Co()}, ruleset=ruleset)
    state.companies[symbol].position = position
    return state


def after(event: str, size: str, position: int, ruleset: str) -> int:
    symbol = COMPANY_OF[size]
    state = at(symbol, position, ruleset)
    EVENTS[event](state, state.companies[symbol])
    return state.companies[symbol].position


@pytest.mark.skipif(not RECORDED.exists(), reason="the recorded games are not at hand")
def test_the_published_movements_are_those_recorded() -> None:
    """CZ-6, right column, for every value of the table."""
    recorded: dict[str, Any] = json.loads(RECORDED.read_text())
    assert tuple(recorded["prices"]) == facts.MARKET
    assert len(recorded["moves"]) == len(COMPANY_OF) * len(EVENTS)
    for key, expected in recorded["moves"].items():
        size, event = key.split()
        found = [after(event, size, position, PUBLISHED) for position in range(len(facts.MARKET))]
        assert found == expected, key


@pytest.mark.parametrize(
    ("event", "size", "position", "expected"),
    [
        ("payout", "small", 5, 6),
        ("payout", "medium", 5, 6),
        ("payout", "large", 5, 7),
        ("payout", "large", 44, 45),
        ("payout", "small", 45, 45),
        ("withhold", "small", 6, 5),
        ("withhold", "large", 0, 0),
        ("sell_block", "small", 6, 5),
        ("sell_block", "small", 0, 0),
        ("sold_out", "large", 6, 7),
        ("sold_out", "large", 45, 45),
    ],
)
def test_the_summary_moves_to_neighbours(event: str, size: str, position: int, expected: int) -> None:
    """CZ-6, left column, with the ends of the table (CZ-6.1)."""
    assert after(event, size, position, SUMMARY) == expected


def test_a_marker_goes_behind_those_already_there() -> None:
    """CZ-6.3, 7.4: who came later to the same value acts later; one that does not move keeps its place."""
    state = ordered({"BCB": Co(price=60), "EKJ": Co(price=65), "MW": Co(price=50)})
    assert market.operating_order(state) == ["EKJ", "BCB", "MW"]
    market.after_sale(state, state.companies["EKJ"])
    market.after_sale(state, state.companies["EKJ"])
    assert market.operating_order(state) == ["BCB", "EKJ", "MW"]
    state.companies["BCB"].position = state.companies["EKJ"].position = 0
    market.after_sale(state, state.companies["BCB"])
    assert market.operating_order(state) == ["MW", "BCB", "EKJ"]
