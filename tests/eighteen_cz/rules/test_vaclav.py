"""The dummy of the two-player map (CZ-18.2)."""

from services.eighteen_cz.rules import facts, market, stations
from services.eighteen_cz.rules.moves import (
    AcquireCompany,
    BuyShare,
    BuyTrain,
    DraftBuy,
    LayTile,
    Pass,
    RunTrains,
    StartCompany,
    VaclavCompany,
)
from services.eighteen_cz.rules.queries import price
from services.ruleset.answers import CHANCE
from tests.eighteen_cz.rules.table import ENGINES, SUMMARY, Table, new_game


def founded(company: str = "EKJ") -> Table:
    table = Table(new_game(2))
    table.play(VaclavCompany(CHANCE, company))
    return table


def test_the_table_draws_a_small_company_first() -> None:
    table = Table(new_game(2))
    assert (table.turn.actor, table.turn.seats, table.turn.step) == (CHANCE, (), "vaclav_company")
    assert [(option.move, option.weight) for option in table.options()] == [
        (VaclavCompany(CHANCE, symbol), 1) for symbol in ("EKJ", "BCB", "VBW")
    ]
    assert table.refused(DraftBuy("G1", "S1")) == {("CZ-18.2", "wrong_player"), ("CZ-18.2", "wrong_step")}
    assert table.refused(VaclavCompany(CHANCE, "BN")) == {("CZ-18.2", "not_to_be_drawn")}
    assert table.refused(VaclavCompany(CHANCE, "OFE")) == {("CZ-18.2", "not_to_be_drawn")}


def test_his_company_is_launched_with_a_train_and_without_money() -> None:
    table = founded()
    ekj = table.state.companies["EKJ"]
    assert (ekj.status, ekj.director, ekj.units, ekj.treasury) == ("launched", "Vaclav", {"Vaclav": 2}, 0)
    assert (price(ekj), ekj.trains, table.state.stack["a"]) == (50, ["2a"], 4)
    assert table.state.chance.draws == 1
    assert table.turn.actor == "G1"


def test_the_seed_draws_by_itself() -> None:
    """The same seed gives the same game."""
    setup = {"seats": [{}, {}], "random": {"seeded": {"seed": "abc"}}}
    states = [ENGINES[SUMMARY].start(setup) for _ in range(2)]
    assert states[0] == states[1]
    assert states[0].chance.draws == 1 and not states[0].pending
    found = {
        next(symbol for symbol, company in state.companies.items() if company.director == "Vaclav")
        for seed in range(20)
        for state in [ENGINES[SUMMARY].start({"seats": [{}, {}], "random": {"seeded": {"seed": str(seed)}}})]
    }
    assert found == {"EKJ", "BCB", "VBW"}


def operating(table: Table) -> Table:
    """Both players pass until the first operating round."""
    table.play(Pass("G1"), Pass("G2"))
    assert table.turn.step == "stock"
    return table


def test_his_turn_is_decided_by_the_players() -> None:
    """Track and running by the first of the order, the station by the other; no trains, no locals."""
    table = operating(founded("BCB"))
    table.play(Pass("G1"), Pass("G2"))
    assert (table.turn.actor, table.turn.seats, table.turn.step) == ("BCB", ("G1",), "track")
    assert table.turn.kinds == ("lay_tile", "pass")
    river = next(option for option in table.options("lay_tile") if getattr(option.move, "hex", "") == "E16")
    table.play(river.move)
    assert table.state.vaclav_cash == -10
    table.play(Pass("BCB"))
    assert (table.turn.step, table.turn.seats) == ("station", ("G2",))
    table.play(Pass("BCB"))
    assert (table.turn.step, table.turn.seats) == ("run", ("G1",))
    table.play(RunTrains("BCB"))
    bcb = table.state.companies["BCB"]
    assert price(bcb) == 45, "no revenue"
    assert table.state.stage == "stock", "his turn ends without acquiring or buying"
    assert (bcb.trains, table.state.stack["a"]) == (["2a"], 3), "exchanged for the next card"


def test_any_revenue_of_his_is_paid_out() -> None:
    table = operating(founded("BCB"))
    table.play(StartCompany("G1", "EKJ", 50), BuyShare("G2", "BCB"), Pass("G1"), Pass("G2"))
    table.play(LayTile("BCB", "E16", "57", 0), LayTile("BCB", "D17", "57", 0), Pass("BCB"))
    before = table.state.players["G2"].cash
    best = table.options("run_trains")[0].move
    table.play(best)
    assert table.state.vaclav_cash == -20 + 20 and table.state.players["G2"].cash == before + 10
    assert price(table.state.companies["BCB"]) == 53
    assert (table.turn.actor, table.turn.step) == ("EKJ", "track")


def buying_trains() -> Table:
    """BCB of G1 in its train step beside EKJ of Vaclav's."""
    table = operating(founded())
    table.play(StartCompany("G1", "BCB", 70), Pass("G2"), Pass("G1"), Pass("BCB"), Pass("BCB"))
    return table


def test_the_first_b_card_brings_a_medium_company() -> None:
    """It takes the next card, which counts as bought."""
    table = buying_trains()
    table.state.stack["a"] = 0
    table.play(BuyTrain("BCB", "stack", "2b", 70))
    assert (table.turn.actor, table.state.pending[0].size) == (CHANCE, "medium")
    table.play(VaclavCompany(CHANCE, "ATE"))
    ate = table.state.companies["ATE"]
    assert (ate.units, ate.trains, ate.treasury, price(ate)) == ({"Vaclav": 3}, ["2+2b"], 0, 60)
    assert table.state.stack["b"] == 2
    assert table.turn.actor == "BCB"


def test_nobody_buys_his_trains_or_companies() -> None:
    table = buying_trains()
    assert table.refused(BuyTrain("BCB", "EKJ", "2a", 10)) == {("CZ-18.2", "vaclav_sells_nothing")}
    assert all(getattr(move, "source", "") == "stack" for move in table.offered("buy_train"))
    state = table.state
    state.phase, state.stack = "b", {**facts.CARDS, "a": 0, "b": 3}
    ate = state.companies["ATE"]
    ate.status, ate.director, ate.units, ate.start_price = "launched", "Vaclav", {"Vaclav": 3}, 60
    state.chance = state.chance.drawn()
    market.put_marker(state, ate, 6)
    bn = state.companies["BN"]
    bn.status, bn.director, bn.units, bn.start_price, bn.treasury = "launched", "G1", {"G1": 3}, 60, 500
    market.put_marker(state, bn, 6)
    bn.operated, bn.last_revenue = True, 0
    stations.place_home(state, "BN")
    assert state.operating is not None
    state.operating.order = ["BCB", "BN", "EKJ"]
    state.companies["BCB"].operated, state.companies["BCB"].trains = True, ["2b"]
    state.operating.index, state.operating.step = 1, "acquire"
    table = Table(state)
    assert table.refused(AcquireCompany("BN", "EKJ", 30)) == {("CZ-18.2", "vaclav_not_acquired")}
    assert [
        move.company for move in table.offered("acquire_company") if isinstance(move, AcquireCompany)
    ] == ["BCB"]
