"""A refusal names the independent rules that a move breaks, and nothing that only follows from them."""

from services.eighteen_cz.rulebook import RULEBOOK
from services.eighteen_cz.rules.moves import (
    AcquireCompany,
    BuyLocal,
    BuyTrain,
    LayTile,
    PlaceStation,
    StartCompany,
)
from services.eighteen_cz.rules.queries import operating_turn
from services.ruleset.answers import Value
from tests.eighteen_cz.rules.board.boards import turn_of
from tests.eighteen_cz.rules.table import Co, in_stock_round, in_turn, ordered


def test_what_is_not_for_sale_has_no_price() -> None:
    companies = {"BTE": Co("G1", trains=("3+3d",)), "BCB": Co("G1", trains=("3d",))}
    table = in_turn(ordered(companies, phase="d", locals_={"S1": "BCB"}), "BTE")
    assert table.refused(BuyTrain("BTE", "stack", "3c", 70)) == {("CZ-14.1", "not_on_top")}
    assert table.refused(BuyTrain("BTE", "pool", "3c", 70)) == {("CZ-14.1", "not_in_pool")}
    assert table.refused(BuyLocal("BTE", "S1", 999)) == {("CZ-16.3", "local_not_with_player")}
    stock = in_stock_round(ordered({"BCB": Co("G1")}, phase="b"))
    expected = {("CZ-5.5", "not_available_yet")}
    assert stock.refused(StartCompany(stock.turn.actor, "SX", 1)) == expected


def test_a_wrong_price_is_not_asked_for_in_cash() -> None:
    table = in_turn(ordered({"BTE": Co("G1", trains=("3+3d",))}, phase="d", locals_={"S1": "G2"}), "BTE")
    assert table.refused(BuyTrain("BTE", "stack", "3+3d", 9999)) == {("CZ-14.1", "price_not_allowed")}
    assert table.refused(BuyLocal("BTE", "S1", 9999)) == {("CZ-16.3", "price_not_allowed")}


def test_a_train_that_is_too_large_breaks_the_rule_of_size_alone() -> None:
    """CZ-14.2; that only the own size will do (CZ-14.5, 14.6, 14.10) is said of smaller trains."""
    for trains in (("3d", "3d"), ("3d",)):
        table = in_turn(ordered({"BTE": Co("G1", treasury=10, trains=trains)}, phase="f"), "BTE")
        assert table.refused(BuyTrain("BTE", "stack", "4Ef", 350)) == {("CZ-14.2", "train_wrong_size")}


def test_a_company_that_is_gone_has_no_size() -> None:
    companies = {"BTE": Co("G1", trains=("3+3d",)), "SX": Co("G1"), "BCB": Co("G2")}
    state = ordered(companies, phase="d")
    state.companies["BN"].status, state.companies["BN"].markers = "acquired", 0
    state.companies["SX"].markers += 3
    table = in_turn(state, "BTE", "acquire")
    assert table.refused(AcquireCompany("BTE", "BN", 1)) == {("CZ-13.1", "company_gone")}


def test_the_allowance_speaks_of_tiles_that_come_next() -> None:
    """CZ-9.1: an upgrade after a yellow tile, though not a tile whose colour is no upgrade here."""
    table = turn_of("BCB", {"E16": "57:1"})
    table.state.companies["BCB"].operated = False
    operating_turn(table.state).yellow = 1
    upgrade = table.refused(LayTile("BCB", "E16", "14", 1))
    assert upgrade == {("CZ-9.1", "first_turn_lay_allowance")}
    assert ("CZ-9.2", "tile_colour") in (brown := table.refused(LayTile("BCB", "E16", "611", 0)))
    assert not {rule for rule, _ in brown} & {"CZ-9.1"}


def test_slots_beside_an_own_station_do_not_matter() -> None:
    """CZ-10.2"""
    table = turn_of("BCB", {"E16": "57:1"}, "station")
    expected = {("CZ-10.2", "station_second_in_hex")}
    assert table.refused(PlaceStation("BCB", "E16", 0)) == expected
    assert table.refused(PlaceStation("BCB", "E16", 0, 0)) == expected


def test_sentences_agree_with_what_they_name() -> None:
    prices: dict[str, Value] = {"price": 71, "allowed": "70"}
    assert RULEBOOK.reason("price_not_allowed", "en", prices) == "71K is not an allowed price; allowed: 70K."
    rusted = {"trigger": "5i, 5+5i", "versions": "3c"}
    assert RULEBOOK.event("versions_rusted", "en", rusted) == "Rusted by 5i, 5+5i: 3c."
    assert RULEBOOK.event("company_turn_ended", "pl", {"company": "BCB"}) == "BCB kończy turę."
