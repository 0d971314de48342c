"""What becomes of revenue (CZ-12)."""

import pytest

from services.eighteen_cz.rules.moves import Dividend
from services.eighteen_cz.rules.queries import price
from tests.eighteen_cz.rules.table import PUBLISHED, SUMMARY, Co, in_turn, ordered


def test_dividends_are_rounded_up_once_per_player() -> None:
    """CZ-12.2: on the total of each player; the bank's share pays nobody."""
    companies = {"SX": Co("G1", {"G1": 3, "G2": 3, "G3": 1}, price=90, trains=("3Ed",), treasury=10)}
    table = in_turn(ordered(companies), "SX", "dividend", runs=(("3Ed", 85),))
    events = table.play(Dividend("SX", "pay"))
    cash = [player.cash for player in table.state.players.values()]
    assert cash == [300 + 26, 300 + 26, 300 + 9, 300]
    sx = table.state.companies["SX"]
    assert (sx.treasury, sx.last_revenue, sx.last_paid) == (10, 85, True)
    assert [event.kind for event in events][:2] == ["dividend_paid", "price_rose"]


def test_kept_revenue_goes_to_the_treasury() -> None:
    """CZ-12.3"""
    table = in_turn(ordered({"BCB": Co(trains=("3d",), treasury=10)}), "BCB", "dividend", runs=(("3d", 70),))
    table.play(Dividend("BCB", "keep"))
    bcb = table.state.companies["BCB"]
    assert (bcb.treasury, bcb.last_revenue, bcb.last_paid) == (80, 70, False)
    assert table.state.players["G1"].cash == 300


@pytest.mark.parametrize(
    ("ruleset", "company", "choice", "before", "after"),
    [
        (SUMMARY, "BCB", "pay", 60, 63),
        (SUMMARY, "BCB", "keep", 60, 58),
        (SUMMARY, "SX", "pay", 100, 110),
        (SUMMARY, "SX", "keep", 100, 95),
        (PUBLISHED, "BCB", "pay", 60, 65),
        (PUBLISHED, "BCB", "keep", 60, 55),
        (PUBLISHED, "SX", "pay", 100, 120),
        (PUBLISHED, "SX", "keep", 100, 90),
    ],
)
def test_the_price_moves(ruleset: str, company: str, choice: str, before: int, after: int) -> None:
    """CZ-12.4, CZ-6"""
    train = "3d" if company == "BCB" else "3Ed"
    state = ordered({company: Co(price=before, trains=(train,))}, ruleset=ruleset)
    table = in_turn(state, company, "dividend", runs=((train, 50),))
    table.play(*[move for move in table.offered("dividend") if getattr(move, "choice", "") == choice])
    assert price(table.state.companies[company]) == after


def test_there_are_two_choices() -> None:
    """CZ-12.1"""
    table = in_turn(ordered({"BCB": Co(trains=("3d",))}), "BCB", "dividend", runs=(("3d", 70),))
    move = Dividend("BCB", "half")  # type: ignore[arg-type]
    assert table.refused(move) == {("CZ-12.1", "unknown_choice")}
