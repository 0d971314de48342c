"""The moves of a stock round (CZ-5.2 to 5.14)."""

from typing import Any

import pytest

from services.eighteen_cz.rules.moves import BuyShare, DraftBuy, Pass, RepayLoan, SellShares, StartCompany
from services.eighteen_cz.rules.queries import certificates, price
from tests.eighteen_cz.rules.table import SUMMARY, Co, Table, in_stock_round, new_game, ordered


def first_round(players: int = 4, **switches: Any) -> Table:
    """Stock round 1 after a draft in which nobody bought anything."""
    table = Table(new_game(players, **switches))
    table.play(*[Pass(f"G{number}") for number in range(1, players + 1)])
    return table


def ask(table: Table, seat: str) -> Table:
    """The same stock round with this player on turn."""
    assert table.state.stock is not None
    table.state.stock.index = table.state.order.index(seat)
    return table


def test_starting_a_small_company_launches_it() -> None:
    """CZ-5.5, 5.6: two units are paid; players hold 50 %, so the treasury gets four start prices."""
    table = first_round()
    table.play(StartCompany("G1", "BCB", 70))
    bcb = table.state.companies["BCB"]
    assert table.state.players["G1"].cash == 300 - 140
    assert (bcb.status, bcb.treasury, bcb.director, bcb.units) == ("launched", 280, "G1", {"G1": 2})
    assert price(bcb) == 70
    assert table.turn.actor == "G2", "a purchase ends the turn (CZ-5.2)"


def test_a_medium_company_launches_with_one_more_certificate() -> None:
    """CZ-5.6: 60 %; the start price counts, also when the price has moved."""
    table = in_stock_round(ordered({}))
    table.play(StartCompany("G1", "BTE", 100))
    bte = table.state.companies["BTE"]
    assert (bte.status, bte.treasury) == ("started", 0)
    bte.position -= 1
    table.play(BuyShare("G2", "BTE"))
    assert (table.state.companies["BTE"].status, table.state.companies["BTE"].treasury) == ("launched", 500)
    assert table.state.players["G2"].cash == 300 - 95


def test_a_large_company_launches_with_three_more_certificates() -> None:
    table = in_stock_round(ordered({}))
    table.play(StartCompany("G1", "SX", 90), BuyShare("G2", "SX"), BuyShare("G3", "SX"))
    assert table.state.companies["SX"].status == "started"
    table.play(BuyShare("G4", "SX"))
    assert (table.state.companies["SX"].status, table.state.companies["SX"].treasury) == ("launched", 900)


@pytest.mark.parametrize(
    ("phase", "company", "allowed"),
    [("a", "BTE", False), ("b", "BTE", True), ("c", "SX", False), ("d", "SX", True), ("a", "EKJ", True)],
)
def test_sizes_become_available_with_the_phase(phase: str, company: str, allowed: bool) -> None:
    """CZ-5.5"""
    table = in_stock_round(ordered({}, phase=phase))
    price = {"EKJ": 50, "BTE": 60, "SX": 90}[company]
    expected = set() if allowed else {("CZ-5.5", "not_available_yet")}
    assert table.refused(StartCompany("G1", company, price)) == expected
    offered = {move.company for move in table.offered("start_company") if isinstance(move, StartCompany)}
    assert (company in offered) == allowed


@pytest.mark.parametrize("start_price", [0, -60, 45, 58, 75, 10**12])
def test_start_prices_are_printed(start_price: int) -> None:
    """CZ-5.5"""
    table = in_stock_round(ordered({}, cash=10**6))
    assert table.refused(StartCompany("G1", "BCB", start_price)) == {("CZ-5.5", "price_not_allowed")}


def test_what_cannot_be_started() -> None:
    table = in_stock_round(ordered({"BCB": Co()}))
    table.state.companies["MW"].status = "acquired"
    table.state.companies["MW"].markers = 0
    table.state.companies["BCB"].markers = 2
    assert table.refused(StartCompany("G1", "BCB", 60)) == {("CZ-5.5", "already_started")}
    assert table.refused(StartCompany("G1", "MW", 60)) == {("CZ-13.4", "company_gone")}
    assert table.refused(StartCompany("G1", "ZZ", 60)) == {("CZ-5.5", "unknown_company")}
    assert table.refused(BuyShare("G1", "MW")) == {("CZ-13.4", "company_gone")}


def test_a_purchase_needs_cash() -> None:
    """CZ-5.4 a"""
    table = in_stock_round(ordered({"BCB": Co("G2", price=60)}, cash=119))
    assert table.refused(StartCompany("G1", "EKJ", 60)) == {("CZ-5.4", "not_enough_cash")}
    table.state.players["G1"].cash = 59
    violation = table.violations(BuyShare("G1", "BCB"))[0]
    assert (violation.reason, violation.values["needed"], violation.values["cash"]) == (
        "not_enough_cash",
        60,
        59,
    )
    table.state.players["G1"].cash = 60
    table.play(BuyShare("G1", "BCB"))
    assert table.state.players["G1"].cash == 0


def test_only_certificates_in_the_bank_are_for_sale() -> None:
    """CZ-5.4"""
    table = in_stock_round(ordered({"BCB": Co("G2", {"G2": 2, "G3": 1, "G4": 1})}))
    assert table.refused(BuyShare("G1", "BCB")) == {("CZ-5.4", "no_share_left")}
    assert table.refused(BuyShare("G1", "EKJ")) == {("CZ-5.4", "not_started")}
    assert table.refused(BuyShare("G1", "ZZ")) == {("CZ-5.4", "unknown_company")}


@pytest.mark.parametrize(
    ("company", "held", "variant", "legal"),
    [
        ("BCB", 2, "standard", True),
        ("BCB", 3, "standard", False),
        ("BTE", 2, "standard", True),
        ("BTE", 3, "standard", False),
        ("SX", 5, "standard", True),
        ("SX", 6, "standard", False),
    ],
)
def test_nobody_buys_beyond_the_ownership_limit(company: str, held: int, variant: str, legal: bool) -> None:
    """CZ-5.7: 75 % of a small, 60 % of a medium or large company."""
    status = "started" if company == "BTE" and held == 2 else "launched"
    table = in_stock_round(ordered({company: Co("G1", {"G1": held}, status=status)}))
    assert table.refused(BuyShare("G1", company)) == (set() if legal else {("CZ-5.7", "ownership_limit")})


def test_at_the_certificate_limit_nothing_can_be_bought() -> None:
    """CZ-5.8: four players may have 12; a director's certificate is one, a local is one."""
    locals_ = dict.fromkeys(("S1", "S2", "S3", "S4", "S5", "S6", "M1", "M2", "M3", "M4", "M5"), "G1")
    table = in_stock_round(ordered({"BCB": Co("G1"), "EKJ": Co("G2")}, locals_=locals_))
    assert certificates(table.state, "G1") == 12
    assert table.refused(BuyShare("G1", "EKJ")) == {("CZ-5.8", "certificate_limit")}
    assert table.refused(StartCompany("G1", "MW", 50)) == {("CZ-5.8", "certificate_limit")}
    assert table.refused(Pass("G1")) == set()
    table.state.locals["M5"].owner = "removed"
    table.play(BuyShare("G1", "EKJ"))


def over_limit(**switches: Any) -> Table:
    """G1 has 13 of 12 certificates."""
    locals_ = {f"{size}{number}": "G1" for size in "SM" for number in range(1, 7)}
    state = ordered({"EKJ": Co("G1", {"G1": 2, "G2": 1})}, locals_=locals_, **switches)
    state.players["G1"].debt = state.players["G1"].surcharge = 10
    return in_stock_round(state)


def test_above_the_limit_a_player_must_sell() -> None:
    """CZ-5.8, D-24"""
    table = over_limit()
    table.state.companies["EKJ"].units = {"G1": 3, "G2": 1}
    must = {("CZ-5.8", "must_sell_first")}
    assert table.refused(Pass("G1")) == must
    assert table.refused(RepayLoan("G1")) == must
    assert {move.kind for move in table.offered()} == {"sell_shares"}
    table.play(SellShares("G1", "EKJ", 1))


def test_who_has_nothing_to_sell_may_pass_above_the_limit() -> None:
    table = over_limit()
    assert certificates(table.state, "G1") == 13
    table.play(Pass("G1"))


def test_the_public_engine_lets_a_player_above_the_limit_pass() -> None:
    """D-24 as a switch"""
    table = over_limit(overCertificateLimit="may_pass")
    table.state.companies["EKJ"].units = {"G1": 3, "G2": 1}
    table.play(Pass("G1"))


def test_nothing_is_sold_in_the_first_stock_round() -> None:
    """CZ-5.3, D-20"""
    table = first_round()
    table.play(StartCompany("G1", "BCB", 60), Pass("G2"), Pass("G3"), Pass("G4"), BuyShare("G1", "BCB"))
    table.play(Pass("G2"), Pass("G3"))
    ask(table, "G1")
    assert table.refused(SellShares("G1", "BCB", 1)) == {("CZ-5.3", "no_sale_first_round")}
    assert not table.offered("sell_shares")
    free = first_round(salesInFirstStockRound=True)
    free.play(StartCompany("G1", "BCB", 60), Pass("G2"), Pass("G3"), Pass("G4"), BuyShare("G1", "BCB"))
    free.play(Pass("G2"), Pass("G3"), Pass("G4"), SellShares("G1", "BCB", 1))


def test_a_sale_pays_the_price_before_it_falls_once() -> None:
    """CZ-5.9: the whole block at the current price, then one position down."""
    table = in_stock_round(ordered({"SX": Co("G2", {"G2": 5, "G1": 4}, price=110)}))
    table.play(SellShares("G1", "SX", 3))
    assert table.state.players["G1"].cash == 300 + 330
    assert price(table.state.companies["SX"]) == 105
    table.play(SellShares("G1", "SX", 1))
    assert table.state.players["G1"].cash == 300 + 330 + 105
    assert table.state.companies["SX"].units == {"G2": 5}
    assert price(table.state.companies["SX"]) == 100


def test_impossible_sales() -> None:
    table = in_stock_round(ordered({"SX": Co("G2", {"G2": 5, "G1": 2})}))
    assert table.refused(SellShares("G1", "SX", 3)) == {("CZ-5.9", "not_enough_shares")}
    assert table.refused(SellShares("G1", "SX", 0)) == {("CZ-5.9", "no_units")}
    assert table.refused(SellShares("G1", "SX", -1)) == {("CZ-5.9", "no_units")}
    assert table.refused(SellShares("G1", "BCB", 1)) == {("CZ-5.9", "not_enough_shares")}
    assert table.refused(SellShares("G1", "ZZ", 1)) == {("CZ-5.9", "unknown_company")}


@pytest.mark.parametrize(
    ("units", "sold", "legal", "director"),
    [
        ({"G1": 3, "G2": 1}, 1, True, "G1"),
        ({"G1": 3, "G2": 1}, 2, False, ""),
        ({"G1": 2, "G2": 1}, 1, False, ""),
        ({"G1": 2, "G2": 2}, 1, True, "G2"),
        ({"G1": 2, "G2": 2}, 2, True, "G2"),
    ],
)
def test_the_directors_certificate_never_goes_to_the_bank(
    units: dict[str, int], sold: int, legal: bool, director: str
) -> None:
    """CZ-5.10: somebody else with two units must take it over."""
    table = in_stock_round(ordered({"BCB": Co("G1", units)}))
    move = SellShares("G1", "BCB", sold)
    if not legal:
        assert table.refused(move) == {("CZ-5.10", "director_certificate")}
        return
    table.play(move)
    assert table.state.companies["BCB"].director == director


def test_what_was_sold_is_not_bought_again_in_the_round() -> None:
    """CZ-5.11"""
    table = in_stock_round(ordered({"SX": Co("G2", {"G2": 5, "G1": 2}), "BCB": Co("G2")}))
    table.play(SellShares("G1", "SX", 1))
    assert table.refused(BuyShare("G1", "SX")) == {("CZ-5.11", "sold_this_round")}
    table.play(BuyShare("G1", "BCB"), Pass("G2"), Pass("G3"), Pass("G4"))
    assert table.refused(BuyShare("G1", "SX")) == {("CZ-5.11", "sold_this_round")}


def test_debt_forbids_purchases_until_repaid() -> None:
    """CZ-5.12"""
    state = ordered({"BCB": Co("G2", price=60)})
    state.players["G1"].debt, state.players["G1"].surcharge = 200, 250
    table = in_stock_round(state)
    assert table.refused(BuyShare("G1", "BCB")) == {("CZ-5.12", "open_debt")}
    assert table.refused(StartCompany("G1", "MW", 50)) == {("CZ-5.12", "open_debt")}
    table.play(RepayLoan("G1"))
    player = table.state.players["G1"]
    assert (player.cash, player.debt, player.surcharge) == (100, 0, 250)
    assert table.refused(RepayLoan("G1")) == {("CZ-5.12", "no_debt")}
    table.play(BuyShare("G1", "BCB"))


def test_a_repayment_pays_what_there_is() -> None:
    """CZ-5.12: min(cash, principal); a turn with nothing but a repayment is a pass (CZ-5.2)."""
    state = ordered({"BCB": Co("G2")}, cash=50)
    state.players["G1"].debt = state.players["G1"].surcharge = 80
    table = in_stock_round(state)
    table.play(RepayLoan("G1"))
    assert (table.state.players["G1"].cash, table.state.players["G1"].debt) == (0, 30)
    assert table.refused(RepayLoan("G1")) == {("CZ-5.12", "no_cash_to_repay")}
    table.play(Pass("G1"))
    assert table.state.players["G1"].passed


def test_a_turn_with_only_sales_is_no_pass() -> None:
    """CZ-5.2, 5.14"""
    table = in_stock_round(ordered({"SX": Co("G2", {"G2": 5, "G1": 2})}))
    table.play(SellShares("G1", "SX", 1), Pass("G1"), Pass("G2"), Pass("G3"), Pass("G4"))
    assert table.turn.actor == "G1" and not table.state.players["G1"].passed
    table.play(Pass("G1"))
    assert table.state.stage == "operating"


def test_turns_are_taken_in_order() -> None:
    """CZ-5.1"""
    table = in_stock_round(ordered({"BCB": Co("G2")}))
    assert table.refused(BuyShare("G2", "BCB")) == {("CZ-5.1", "wrong_player")}
    assert table.refused(DraftBuy("G1", "S1")) == {("CZ-5.2", "wrong_step")}
    both = {("CZ-5.1", "wrong_player"), ("CZ-5.2", "wrong_step")}
    assert table.refused(DraftBuy("nobody", "S1")) == both
    assert table.state.ruleset == SUMMARY


def test_a_purchase_can_change_the_director() -> None:
    """CZ-5.13: strictly more units than the director's."""
    table = in_stock_round(ordered({"SX": Co("G1", {"G1": 3, "G2": 3})}))
    table.play(Pass("G1"), BuyShare("G2", "SX"))
    assert table.state.companies["SX"].director == "G2"


def test_of_equals_the_first_after_the_old_director_takes_over() -> None:
    """CZ-5.13"""
    state = ordered({"SX": Co("G3", {"G3": 3, "G1": 2, "G2": 2, "G4": 3})})
    state.order = ["G2", "G3", "G1", "G4"]
    table = ask(in_stock_round(state), "G3")
    table.play(SellShares("G3", "SX", 2))
    assert table.state.companies["SX"].director == "G4", "the most units win"
    state = ordered({"SX": Co("G3", {"G3": 3, "G1": 2, "G2": 2, "G4": 2})})
    state.order = ["G2", "G3", "G1", "G4"]
    table = ask(in_stock_round(state), "G3")
    table.play(SellShares("G3", "SX", 2))
    assert table.state.companies["SX"].director == "G1", "then whoever comes first after the old director"
