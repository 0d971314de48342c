"""The worked example of the rule document (CZ-23) with its assertions A to I, in both rulesets.

The document follows G1 and the small company BCB from the pre-stock round to the second operating
round.  What the others do is made up so that row a is sold out when BCB buys its second train.
"""

from functools import cache

import pytest

from services.eighteen_cz.rules import facts, market
from services.eighteen_cz.rules.copying import copy_state
from services.eighteen_cz.rules.moves import (
    AcquireCompany,
    AnswerOffer,
    BuyLocal,
    BuyShare,
    BuyTrain,
    Dividend,
    DraftBuy,
    LayPurpleTile,
    LayTile,
    Move,
    Pass,
    Route,
    RunTrains,
    StartCompany,
)
from services.eighteen_cz.rules.queries import local_price, price
from services.eighteen_cz.rules.state import State, Tile
from tests.eighteen_cz.rules.table import ENGINES, PUBLISHED, SUMMARY, Table, new_game

RULESETS = pytest.mark.parametrize("ruleset", [SUMMARY, PUBLISHED])
FALLEN = {SUMMARY: 58, PUBLISHED: 55}
"""The price of BCB after a round without revenue."""


def bcb_buys(version: str, price: int = 70) -> BuyTrain:
    return BuyTrain("BCB", "stack", version, price)


STEPS: tuple[tuple[str, tuple[Move, ...]], ...] = (
    ("0", ()),
    ("1", (DraftBuy("G1", "S1"), *[Pass(f"G{n}") for n in (2, 3, 4, 4, 3, 2, 1)])),
    ("2", (StartCompany("G1", "BCB", 60),)),
    ("2 others", (StartCompany("G2", "EKJ", 50), StartCompany("G3", "MW", 50), Pass("G4"))),
    ("3", (BuyShare("G1", "BCB"),)),
    ("4", tuple(Pass(f"G{n}") for n in (2, 3, 4, 1))),
    ("5", (LayTile("BCB", "E16", "57", 1), LayTile("BCB", "E18", "7", 1))),
    ("6", (Pass("BCB"),)),
    ("7", (bcb_buys("2a"),)),
    ("7 ends", (Pass("BCB"),)),
    ("8", ()),
    ("9", ()),
    ("10", (LayTile("BCB", "D17", "57", 2),)),
    ("11", (Pass("BCB"), RunTrains("BCB", (Route("2a", ("E16", "D17")),), 40), Dividend("BCB", "pay"))),
    ("12", (bcb_buys("2b"),)),
    ("13", (BuyLocal("BCB", "S1", 45),)),
)


def others_operate(table: Table) -> None:
    """EKJ buys two trains of row a, MW one; then a card is exported and stock round 2 begins."""
    for company, trains in (("EKJ", 2), ("MW", 1)):
        table.play(Pass(company), Pass(company))
        table.play(*[BuyTrain(company, "stack", "2a", 70)] * trains, Pass(company))


def everybody_passes(table: Table) -> None:
    while table.turn.step == "stock":
        table.decline()


@cache
def position(ruleset: str, step: str) -> State:
    """The position after a step of the example."""
    names = [name for name, _ in STEPS]
    number = names.index(step)
    if number == 0:
        return new_game(4, ruleset)
    table = Table(copy_state(position(ruleset, names[number - 1])))
    if step == "8":
        others_operate(table)
    elif step == "9":
        everybody_passes(table)
    table.play(*STEPS[number][1])
    return table.state


def after(ruleset: str, step: str) -> Table:
    return Table(copy_state(position(ruleset, step)))


@RULESETS
@pytest.mark.parametrize(
    ("step", "cash", "treasury", "value", "trains", "phase"),
    [
        ("0", 300, None, None, "", "a"),
        ("1", 275, None, None, "", "a"),
        ("2", 155, 240, 60, "", "a"),
        ("3", 95, 240, 60, "", "a"),
        ("4", 100, 240, 60, "", "a"),
        ("5", 100, 230, 60, "", "a"),
        ("6", 100, 230, FALLEN, "", "a"),
        ("7", 100, 160, FALLEN, "2a", "a"),
        ("8", 100, 160, FALLEN, "2a", "a"),
        ("9", 105, 160, FALLEN, "2a", "a"),
        ("10", 105, 150, FALLEN, "2a", "a"),
        ("11", 135, 150, 60, "2a", "a"),
        ("12", 135, 80, 60, "2a 2b", "b"),
        ("13", 180, 35, 60, "2a 2b", "b"),
    ],
)
def test_every_step_has_the_values_of_the_document(
    ruleset: str,
    step: str,
    cash: int,
    treasury: int | None,
    value: int | dict[str, int] | None,
    trains: str,
    phase: str,
) -> None:
    state = position(ruleset, step)
    bcb = state.companies["BCB"]
    assert state.players["G1"].cash == cash
    assert state.phase == phase
    if treasury is None:
        assert bcb.status == "unstarted"
        return
    assert (bcb.treasury, " ".join(bcb.trains)) == (treasury, trains)
    assert price(bcb) == (value[ruleset] if isinstance(value, dict) else value)


@RULESETS
def test_the_rounds_of_the_example(ruleset: str) -> None:
    """Steps 3a, 4, 8, 10: no rise for BCB, the local-railway price, the export, a sold-out row a."""
    assert facts.CERTIFICATE_LIMIT[4] == 12
    assert local_price(position(ruleset, "4")) == 40
    assert local_price(position(ruleset, "9")) == 45
    before, exported = position(ruleset, "7 ends"), position(ruleset, "8")
    assert (before.stack["a"], exported.stack["a"], exported.phase) == (4, 0, "a")
    assert (exported.stage, exported.set_number) == ("stock", 2)


@RULESETS
def test_a_medium_and_large_companies_cannot_be_started_yet(ruleset: str) -> None:
    """A: CZ-5.5"""
    table = after(ruleset, "1")
    assert ("CZ-5.5", "not_available_yet") in table.refused(StartCompany("G1", "BTE", 60))
    assert ("CZ-5.5", "not_available_yet") in table.refused(StartCompany("G1", "SX", 90))


@RULESETS
def test_b_no_more_than_three_quarters(ruleset: str) -> None:
    """B: CZ-5.7; also in stock round 2 (step 9)."""
    table = after(ruleset, "3")
    table.play(Pass("G2"), Pass("G3"), Pass("G4"))
    assert table.refused(BuyShare("G1", "BCB")) == {("CZ-5.7", "ownership_limit")}
    table = after(ruleset, "8")
    while table.turn.actor != "G1":
        table.decline()
    assert table.refused(BuyShare("G1", "BCB")) == {("CZ-5.7", "ownership_limit")}


@RULESETS
def test_c_the_allowance_of_lays(ruleset: str) -> None:
    """C: CZ-9.1; after two yellow tiles the step is over, after one there is no upgrade."""
    table = after(ruleset, "5")
    assert ("CZ-8", "wrong_step") in table.refused(LayTile("BCB", "D15", "8", 0))
    assert table.turn.step == "station"
    table = after(ruleset, "4")
    table.play(LayTile("BCB", "E16", "57", 1))
    found = table.refused(LayTile("BCB", "E16", "14", 1))
    assert {rule for rule, _ in found} >= {"CZ-9.1"}
    assert all(move.tile != "14" for move in table.offered("lay_tile") if isinstance(move, LayTile))
    table = after(ruleset, "10")
    assert table.turn.step == "station", "in round 2.1 one tile is all"
    assert ("CZ-8", "wrong_step") in table.refused(LayTile("BCB", "E14", "56", 0))


@RULESETS
def test_d_the_turn_cannot_end_without_a_train(ruleset: str) -> None:
    """D: CZ-14.6"""
    table = after(ruleset, "6")
    assert table.turn.step == "trains"
    assert table.refused(Pass("BCB")) == {("CZ-14.6", "train_required")}


@RULESETS
def test_e_the_local_stays_with_its_player(ruleset: str) -> None:
    """E: CZ-16.1, CZ-16.3"""
    table = after(ruleset, "4")
    assert table.refused(BuyLocal("G2", "S1", 40)) == {("CZ-16.1", "local_only_to_companies")}
    assert table.refused(BuyLocal("BCB", "S1", 40)) == {("CZ-16.3", "locals_not_available_yet")}


@RULESETS
def test_f_the_price_of_the_local(ruleset: str) -> None:
    """F: CZ-16.3: 1 to 45."""
    table = after(ruleset, "12")
    for wrong in (0, 46):
        assert table.refused(BuyLocal("BCB", "S1", wrong)) == {("CZ-16.3", "price_not_allowed")}
    for right in (1, 45):
        assert not table.refused(BuyLocal("BCB", "S1", right))


@RULESETS
def test_g_the_local_pays_its_company_and_has_one_ability(ruleset: str) -> None:
    """G: CZ-16.7: a river for nothing, or one green purple-edged tile, not both."""
    table = after(ruleset, "13")
    table.play(Pass("BCB"))
    while table.turn.actor in ("EKJ", "MW"):
        table.decline()
    everybody_passes(table)
    assert table.state.companies["BCB"].treasury == 35 + 5
    assert table.state.players["G1"].cash == 180
    state = table.state
    state.phase, state.stack = "d", {**state.stack, "b": 0, "c": 0, "d": 3}
    state.tiles["C16"] = Tile("7", 5)
    waived, purple = Table(copy_state(state)), Table(copy_state(state))
    river = LayTile("BCB", "D15", "8", 3, "S1")
    upgrade = next(m for m in purple.offered("lay_purple_tile") if getattr(m, "tile", "") == "14p")
    assert isinstance(upgrade, LayPurpleTile) and upgrade.local == "S1"
    waived.play(river)
    assert waived.state.companies["BCB"].treasury == 40
    assert ("CZ-16.7", "ability_spent") in waived.refused(upgrade)
    purple.play(upgrade)
    assert purple.state.companies["BCB"].treasury == 40
    assert ("CZ-16.7", "ability_spent") in purple.refused(river)


@RULESETS
def test_h_kept_it_would_have_been_worth_120(ruleset: str) -> None:
    """H: CZ-16.1, 17.1"""
    totals = []
    for step in ("12", "13"):
        state = copy_state(position(ruleset, step))
        state.stage, state.operating = "over", None
        board = ENGINES[ruleset].score(state)
        totals.append(board.seats[0].total)
    assert totals[0] == totals[1] - 45 + 120


@RULESETS
def test_i_a_larger_company_may_acquire_bcb(ruleset: str) -> None:
    """I: CZ-13.3: for 30 to 90 a unit; the three units in the hands of players are paid."""
    table = after(ruleset, "13")
    table.play(Pass("BCB"))
    while table.turn.actor in ("EKJ", "MW"):
        table.decline()
    state = table.state
    while table.turn.actor != "G2":
        table.decline()
    state = table.state
    state.players["G2"].cash = 500
    table = Table(state)
    table.play(StartCompany("G2", "BTE", 100))
    while table.turn.actor != "G3":
        table.decline()
    table.play(BuyShare("G3", "BTE"))
    everybody_passes(table)
    assert market.operating_order(table.state)[0] == table.turn.actor == "BTE"
    table.play(Pass("BTE"), Pass("BTE"))
    assert table.turn.step == "acquire"
    for wrong in (29, 91):
        assert table.refused(AcquireCompany("BTE", "BCB", wrong)) == {("CZ-13.3", "price_not_allowed")}
    cash = table.state.players["G1"].cash
    table.play(AcquireCompany("BTE", "BCB", 90), AnswerOffer("G1", True))
    assert table.state.players["G1"].cash == cash + 3 * 90
    assert table.state.companies["BTE"].treasury == 500 - 270 + 40


@RULESETS
def test_step_14_medium_companies_are_there(ruleset: str) -> None:
    """In stock round 3 G1 can start a medium company at 60 to 90 with 180 cash."""
    table = after(ruleset, "13")
    table.play(Pass("BCB"))
    while table.turn.actor in ("EKJ", "MW"):
        table.decline()
    while table.turn.actor != "G1":
        table.decline()
    prices = [p for p in (60, 70, 80, 90, 100) if not table.refused(StartCompany("G1", "BTE", p))]
    assert prices == [60, 70, 80, 90]
