"""Offers and their answers (CZ-8.4)."""

from services.eighteen_cz.rules.moves import (
    AcquireCompany,
    AcquiredTrain,
    AnswerOffer,
    BuyLocal,
    BuyTrain,
    Pass,
)
from tests.eighteen_cz.rules.table import Co, Table, in_turn, ordered


def trading(**switches: bool) -> Table:
    """BTE of G1 may buy a train from BN of G2."""
    companies = {"BTE": Co("G1", treasury=100), "BN": Co("G2", trains=("3+3d",), treasury=0)}
    return in_turn(ordered(companies, locals_={"S1": "G3"}, **switches), "BTE")  # type: ignore[arg-type]


OFFER = BuyTrain("BTE", "BN", "3+3d", 40)


def test_nothing_else_is_legal_until_the_answer() -> None:
    table = trading()
    events = table.play(OFFER)
    assert [event.kind for event in events] == ["offer_made"]
    assert (table.turn.actor, table.turn.kinds) == ("G2", ("answer_offer",))
    assert table.offered() == [AnswerOffer("G2", True), AnswerOffer("G2", False)]
    assert table.refused(AnswerOffer("G1", True)) == {("CZ-8.4", "wrong_player")}
    assert table.refused(Pass("G2")) == {("CZ-8.4", "wrong_step")}


def test_a_rejection_changes_nothing() -> None:
    table = trading()
    before = table.state
    table.play(OFFER, AnswerOffer("G2", False))
    assert table.state == before


def test_an_acceptance_is_carried_out() -> None:
    table = trading()
    table.play(OFFER, AnswerOffer("G2", True))
    assert table.state.companies["BTE"].trains == ["3+3d"]
    assert (table.state.companies["BTE"].treasury, table.state.companies["BN"].treasury) == (60, 40)


def test_consent_can_be_switched_off() -> None:
    """D-12"""
    table = trading(tradeNeedsCounterpartyConsent=False)
    table.play(OFFER)
    assert table.state.companies["BTE"].trains == ["3+3d"]


def test_an_offer_in_the_middle_of_a_decision() -> None:
    """CZ-8.1: a local may be bought while acquired trains are decided on; then that decision goes on."""
    companies = {"BTE": Co("G1", treasury=300), "BCB": Co("G1", trains=("3d", "3c"))}
    table = in_turn(ordered(companies, locals_={"S1": "G3"}), "BTE", "acquire")
    table.play(AcquireCompany("BTE", "BCB", 50), BuyLocal("BTE", "S1", 10))
    assert [pending.kind for pending in table.state.pending] == ["offer", "acquired_trains"]
    table.play(AnswerOffer("G3", True))
    assert table.turn.step == "acquired_trains"
    table.play(AcquiredTrain("BTE", "3d", "scrap"), Pass("BTE"))
