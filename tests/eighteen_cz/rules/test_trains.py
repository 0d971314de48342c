"""Buying trains, limits, obligation, emergency money, discards (CZ-14.1 to 14.6, 14.8, 14.10 to 14.12)."""

import pytest

from services.eighteen_cz.rules.moves import BuyTrain, DiscardTrain, Pass, SellShares
from services.eighteen_cz.rules.state import Pending
from services.ruleset.answers import IntRange
from tests.eighteen_cz.rules.table import Co, in_turn, ordered


def bank(company: str, version: str, price: int, source: str = "stack", card: str = "") -> BuyTrain:
    return BuyTrain(company, source, version, price, card)


def test_the_top_card_in_any_version_that_fits() -> None:
    """CZ-14.1, 14.2: own size or smaller, at the printed price."""
    table = in_turn(ordered({"BTE": Co(treasury=500)}), "BTE")
    bought = {(move.version, move.price) for move in table.offered("buy_train") if isinstance(move, BuyTrain)}
    assert bought == {("3d", 120), ("3+3d", 180)}
    assert table.refused(bank("BTE", "3Ed", 250)) == {("CZ-14.2", "train_wrong_size")}
    assert table.refused(bank("BTE", "4e", 250)) == {("CZ-14.1", "not_on_top")}
    assert table.refused(bank("BTE", "9z", 250)) == {("CZ-14.1", "unknown_train")}
    assert table.refused(bank("BTE", "3+3d", 1)) == {("CZ-14.1", "price_not_allowed")}
    assert table.refused(bank("BTE", "3+3d", 180, "nowhere")) == {("CZ-14.1", "unknown_source")}
    table.play(bank("BTE", "3+3d", 180))
    assert (table.state.companies["BTE"].treasury, table.state.companies["BTE"].trains) == (320, ["3+3d"])
    assert table.state.stack["d"] == 2


def test_a_pool_card_can_be_bought_in_another_version() -> None:
    """CZ-14.1: of the same card."""
    state = ordered({"SX": Co(treasury=900)}, phase="g", pool=("3+3d", "3+3e", "4f"))
    table = in_turn(state, "SX")
    assert table.refused(bank("SX", "3Ed", 250, "pool")) == set()
    assert table.refused(bank("SX", "4Ef", 350, "pool", "3+3d")) == {("CZ-14.1", "not_in_pool")}
    assert table.refused(bank("SX", "5Eh", 700, "pool")) == {("CZ-14.1", "not_in_pool")}
    move = table.resolved(bank("SX", "4Ef", 350, "pool"))
    assert move == bank("SX", "4Ef", 350, "pool", "4f")
    table.play(move)
    assert table.state.pool == ["3+3d", "3+3e"]
    assert table.state.companies["SX"].trains == ["4Ef"]


def test_a_rusted_version_is_not_for_sale_in_the_pool() -> None:
    """CZ-14.7"""
    state = ordered({"SX": Co(treasury=900)}, phase="g", pool=("3Ed",), rusted=("2a", "2b", "3c", "3d"))
    table = in_turn(state, "SX")
    assert table.refused(bank("SX", "3d", 120, "pool")) == {("CZ-14.7", "version_rusted")}
    assert table.refused(bank("SX", "3+3d", 180, "pool")) == set()


def test_where_pool_cards_of_a_row_differ_the_move_names_one() -> None:
    """CZ-14.1"""
    table = in_turn(ordered({"SX": Co(treasury=900)}, phase="e", pool=("3d", "3+3d")), "SX")
    assert table.refused(bank("SX", "3Ed", 250, "pool")) == {("CZ-14.1", "card_ambiguous")}
    assert table.refused(bank("SX", "3Ee", 250, "stack", "3d")) == {("CZ-14.1", "card_outside_pool")}
    table.play(bank("SX", "3Ed", 250, "pool", "3d"))
    assert table.state.pool == ["3+3d"]


def test_the_limit() -> None:
    """CZ-14.4"""
    table = in_turn(ordered({"BTE": Co(trains=("3+3d", "3d", "2b"))}, phase="d"), "BTE")
    assert table.refused(bank("BTE", "3d", 120)) == {("CZ-14.4", "train_limit")}
    assert not table.offered("buy_train")
    table.play(Pass("BTE"))


@pytest.mark.parametrize("company", ["BTE", "SX"])
def test_the_last_slot_is_for_an_own_size_train(company: str) -> None:
    """CZ-14.5"""
    table = in_turn(ordered({company: Co(trains=("3d", "2b"), treasury=900)}, phase="d"), company)
    assert table.refused(bank(company, "3d", 120)) == {("CZ-14.5", "own_size_last_slot")}
    own = bank(company, "3+3d", 180) if company == "BTE" else bank(company, "3Ed", 250)
    table.play(own)


def test_a_small_company_has_only_own_size_trains_anyway() -> None:
    table = in_turn(ordered({"BCB": Co(trains=("2b", "3d"))}, phase="d"), "BCB")
    table.play(bank("BCB", "3d", 120))


def test_the_obligation() -> None:
    """CZ-14.6: no turn ends without a train of the own size."""
    table = in_turn(ordered({"BTE": Co(trains=("3d",))}, phase="d"), "BTE")
    assert table.refused(Pass("BTE")) == {("CZ-14.6", "train_required")}
    assert Pass("BTE") not in table.offered()
    table.play(bank("BTE", "3+3d", 180), Pass("BTE"))


def test_at_the_limit_one_is_bought_and_another_goes_back() -> None:
    """CZ-14.6, D-13"""
    table = in_turn(ordered({"BTE": Co(trains=("3d", "3d", "2b"))}, phase="d"), "BTE")
    assert table.refused(bank("BTE", "3d", 120)) == {("CZ-14.6", "own_size_at_limit")}
    table.play(bank("BTE", "3+3d", 180))
    assert (table.turn.step, table.turn.actor) == ("discard_trains", "BTE")
    assert table.refused(DiscardTrain("BTE", "3+3d")) == {("CZ-14.6", "just_bought")}
    assert table.refused(DiscardTrain("BTE", "4e")) == {("CZ-14.8", "not_owned")}
    assert table.offered("discard_train") == [DiscardTrain("BTE", "3d"), DiscardTrain("BTE", "2b")]
    table.play(DiscardTrain("BTE", "2b"))
    assert table.state.pool == ["2b"]
    assert table.turn.step == "trains"


def test_every_company_above_the_limit_discards_at_once() -> None:
    """CZ-14.8: in the listing order, before play goes on."""
    companies = {
        "BCB": Co("G1", trains=("2b", "2b", "3c")),
        "EKJ": Co("G2", trains=("2a", "3c", "3d")),
        "SX": Co("G3", trains=("3Ed",), treasury=900),
    }
    table = in_turn(ordered(companies, phase="d", stack={"d": 0}), "SX")
    table.play(bank("SX", "3Ee", 250))
    assert table.state.phase == "e"
    assert [pending.company for pending in table.state.pending] == ["EKJ", "BCB"]
    assert (table.turn.actor, table.turn.seats) == ("EKJ", ("G2",))
    both = {("CZ-14.8", "wrong_player"), ("CZ-14.8", "wrong_step")}
    assert table.refused(Pass("SX")) == both
    table.play(DiscardTrain("EKJ", "2a"), DiscardTrain("BCB", "3c"))
    assert table.state.pool == ["2a", "3c"]
    assert table.turn.actor == "SX"


def test_trade_between_companies() -> None:
    """CZ-14.3: any price from 1 to the buyer's treasury; the same director needs no consent."""
    companies = {"BTE": Co("G1", treasury=100), "BN": Co("G1", trains=("3+3d", "3d")), "SX": Co("G1")}
    table = in_turn(ordered(companies, phase="d"), "BTE")
    trades = [option for option in table.options("buy_train") if option.parameters]
    assert [option.parameters for option in trades] == [(IntRange("buyTrain.price", 1, 100),)] * 2
    assert table.refused(bank("BTE", "3+3d", 0, "BN")) == {("CZ-14.3", "price_not_allowed")}
    assert table.refused(bank("BTE", "3+3d", 101, "BN")) == {("CZ-14.3", "not_enough_cash")}
    assert table.refused(bank("BTE", "2+2c", 50, "BN")) == {("CZ-14.3", "seller_lacks_train")}
    assert table.refused(bank("BTE", "3d", 50, "BTE")) == {("CZ-14.3", "own_train")}
    table.play(bank("BTE", "3+3d", 100, "BN"))
    assert (table.state.companies["BTE"].trains, table.state.companies["BTE"].treasury) == (["3+3d"], 0)
    assert (table.state.companies["BN"].trains, table.state.companies["BN"].treasury) == (["3d"], 600)


def test_trade_can_be_switched_off() -> None:
    """D-8"""
    companies = {"BTE": Co("G1"), "BN": Co("G1", trains=("3+3d",))}
    table = in_turn(ordered(companies, trainsBetweenCompanies=False), "BTE")
    assert table.refused(bank("BTE", "3+3d", 50, "BN")) == {("CZ-14.3", "trade_not_allowed")}
    sources = {move.source for move in table.offered("buy_train") if isinstance(move, BuyTrain)}
    assert sources == {"stack"}


def test_smaller_trains_may_be_run_with_a_switch() -> None:
    """D-6: any train meets the obligation, and the last slot is free."""
    state = ordered({"BTE": Co(trains=("3d", "2b"))}, companiesRunSmallerTrains=True)
    table = in_turn(state, "BTE")
    table.play(bank("BTE", "3d", 120), Pass("BTE"))


def test_money_of_the_company_comes_first() -> None:
    """CZ-8.2"""
    table = in_turn(ordered({"BTE": Co(treasury=179, trains=("2+2c",))}, phase="d"), "BTE")
    assert table.refused(bank("BTE", "3+3d", 180)) == {("CZ-8.2", "not_enough_cash")}


def test_in_an_emergency_the_director_adds_what_is_missing() -> None:
    """CZ-14.10: the treasury, then the director's cash."""
    table = in_turn(ordered({"BTE": Co(treasury=100)}, phase="d"), "BTE")
    assert table.refused(bank("BTE", "3d", 120)) == {("CZ-14.10", "emergency_rule")}
    option = table.options("buy_train")[0]
    assert {(change.subject, change.quantity, change.after) for change in option.preview} == {
        ("BTE", "treasury", 0),
        ("G1", "cash", 220),
    }
    table.play(bank("BTE", "3+3d", 180))
    player = table.state.players["G1"]
    assert (table.state.companies["BTE"].treasury, player.cash, player.debt) == (0, 220, 0)


def test_then_the_bank_lends_the_rest() -> None:
    """CZ-14.10, 14.11: debt and surcharge of the same amount; no shares are sold."""
    table = in_turn(ordered({"BTE": Co(treasury=100)}, phase="d", cash=30), "BTE")
    table.state.players["G1"].debt, table.state.players["G1"].surcharge = 5, 10
    events = table.play(bank("BTE", "3+3d", 180))
    player = table.state.players["G1"]
    assert (table.state.companies["BTE"].treasury, player.cash) == (0, 0)
    assert (player.debt, player.surcharge) == (55, 60)
    assert [event.kind for event in events][:2] == ["loan_taken", "director_helps"]
    assert table.refused(SellShares("BTE", "BTE", 1)) == {("CZ-8", "wrong_step")}


def test_the_director_chooses_among_own_size_trains() -> None:
    """D-15: a dearer one from the pool too."""
    state = ordered({"BTE": Co(treasury=200)}, phase="g", pool=("4+4f",), stack={"g": 3})
    table = in_turn(state, "BTE")
    prices = [(move.source, move.price) for move in table.offered("buy_train") if isinstance(move, BuyTrain)]
    assert prices == [("stack", 400), ("pool", 400)]
    table.play(bank("BTE", "4+4f", 400, "pool"))


def test_no_emergency_money_for_the_train_of_another_company() -> None:
    """CZ-14.3, 14.10"""
    companies = {"BTE": Co("G1", treasury=1), "BN": Co("G1", trains=("3+3d",))}
    table = in_turn(ordered(companies), "BTE")
    assert table.refused(bank("BTE", "3+3d", 2, "BN")) == {("CZ-14.3", "not_enough_cash")}
    table.play(bank("BTE", "3+3d", 1, "BN"))


def test_what_was_bought_at_the_limit_is_known_to_the_position() -> None:
    """The pending decision names it, and nothing else can stand there."""
    table = in_turn(ordered({"BTE": Co(trains=("3d", "3d", "2b"))}, phase="d"), "BTE")
    table.play(bank("BTE", "3+3d", 180))
    assert table.state.pending == [Pending("discard_trains", "BTE", trains=["3+3d"])]
    table.state.pending[0].trains = ["3d"]
    violation = table.rules.validate(table.state)
    assert violation is not None and violation.path == "pending[0].trains[0]"
