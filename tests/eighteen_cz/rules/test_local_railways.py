"""Locals bought by companies and sold to the bank (CZ-16.1, 16.3 to 16.6)."""

import pytest

from services.eighteen_cz.rules.moves import AnswerOffer, BuyLocal, Pass, SellLocal
from services.ruleset.answers import IntRange
from tests.eighteen_cz.rules.table import Co, Table, in_stock_round, in_turn, ordered

OWNERS = {"S1": "G1", "M1": "G1", "L1": "G1", "S2": "G2", "S3": "BCB"}


def at(company: str, phase: str = "d", treasury: int = 200, **switches: bool) -> Table:
    """A company in its train step in round 5.1, when a local is worth 60."""
    companies = {"BCB": Co("G1", trains=("3d",)), "BTE": Co("G1"), "SX": Co("G1")}
    sizes = {"a": ("BCB",), "b": ("BCB", "BTE")}.get(phase, tuple(companies))
    chosen = {symbol: co for symbol, co in companies.items() if symbol in sizes}
    if phase < "d":
        chosen["BCB"] = Co("G1")
    owners = OWNERS if phase > "a" else {**OWNERS, "S3": "G1"}
    state = ordered(chosen, phase=phase, locals_=owners, **switches)  # type: ignore[arg-type]
    state.companies[company].treasury = treasury
    return in_turn(state, company)


def test_a_company_buys_from_its_director() -> None:
    """CZ-16.3: from 1 to the current price, from the treasury to the owner."""
    table = at("BCB")
    table.play(BuyLocal("BCB", "S1", 60))
    assert table.state.players["G1"].cash == 360
    assert (table.state.companies["BCB"].treasury, table.state.locals["S1"].owner) == (140, "BCB")


@pytest.mark.parametrize("price", [0, -5, 61])
def test_the_price_range(price: int) -> None:
    """CZ-16.3"""
    assert at("BCB").refused(BuyLocal("BCB", "S1", price)) == {("CZ-16.3", "price_not_allowed")}


def test_not_before_phase_b() -> None:
    """CZ-16.3"""
    table = at("BCB", "a")
    assert table.refused(BuyLocal("BCB", "S1", 1)) == {("CZ-16.3", "locals_not_available_yet")}
    assert not table.offered("buy_local")
    assert at("BCB", "b").refused(BuyLocal("BCB", "S1", 1)) == set()


@pytest.mark.parametrize(
    ("company", "fitting"),
    [("BCB", {"S1", "S2"}), ("BTE", {"S1", "S2", "M1"}), ("SX", {"S1", "S2", "M1", "L1"})],
)
def test_sizes(company: str, fitting: set[str]) -> None:
    """CZ-16.4"""
    table = at(company)
    offered = {move.local for move in table.offered("buy_local") if isinstance(move, BuyLocal)}
    assert offered == fitting
    for symbol in {"S1", "M1", "L1"} - fitting:
        assert table.refused(BuyLocal(company, symbol, 1)) == {("CZ-16.4", "local_size")}


def test_a_company_pays_with_its_own_money() -> None:
    """CZ-8.2"""
    table = at("BCB", treasury=20)
    assert table.refused(BuyLocal("BCB", "S1", 21)) == {("CZ-8.2", "not_enough_cash")}
    assert table.options("buy_local")[0].parameters == (IntRange("buyLocal.price", 1, 20),)
    assert not at("BCB", treasury=0).offered("buy_local")


def test_only_from_players() -> None:
    """CZ-16.3"""
    table = at("SX")
    assert table.refused(BuyLocal("SX", "S3", 10)) == {("CZ-16.3", "local_not_with_player")}
    assert table.refused(BuyLocal("SX", "S4", 10)) == {("CZ-16.3", "local_not_with_player")}
    assert table.refused(BuyLocal("SX", "Z1", 10)) == {("CZ-16.3", "unknown_local")}


def test_another_owner_must_agree() -> None:
    """CZ-8.4, D-12"""
    table = at("BCB")
    table.play(BuyLocal("BCB", "S2", 10))
    assert (table.turn.actor, table.turn.seats) == ("G2", ("G2",))
    table.play(AnswerOffer("G2", True))
    assert table.state.locals["S2"].owner == "BCB"
    assert table.state.players["G2"].cash == 310
    free = at("BCB", tradeNeedsCounterpartyConsent=False)
    free.play(BuyLocal("BCB", "S2", 10))
    assert free.state.locals["S2"].owner == "BCB"


def test_a_company_sells_to_the_bank() -> None:
    """CZ-16.5: for the current price; the local leaves the game."""
    table = at("BCB")
    assert table.refused(SellLocal("BCB", "S1")) == {("CZ-16.5", "local_not_owned")}
    assert table.refused(SellLocal("BCB", "Z1")) == {("CZ-16.5", "unknown_local")}
    assert table.offered("sell_local") == [SellLocal("BCB", "S3")]
    table.play(SellLocal("BCB", "S3"))
    assert (table.state.locals["S3"].owner, table.state.companies["BCB"].treasury) == ("closed", 260)


def test_players_neither_buy_nor_sell_locals() -> None:
    """CZ-16.1"""
    only = {("CZ-16.1", "local_only_to_companies")}
    for table in (at("BCB"), in_stock_round(ordered({"BCB": Co()}, locals_={"S1": "G1"}))):
        assert table.refused(BuyLocal("G2", "S1", 10)) == only
        assert table.refused(SellLocal("G1", "S1")) == only


def test_nothing_between_turns() -> None:
    """CZ-8.1: in the company's own turn only."""
    table = at("BCB")
    assert table.refused(BuyLocal("BTE", "S1", 10)) == {("CZ-7.4", "wrong_player")}
    table.play(Pass("BCB"))
