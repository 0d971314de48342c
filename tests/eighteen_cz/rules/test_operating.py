"""The steps of a company's turn (CZ-8, 10.1, 12.1, 19.1)."""

from services.eighteen_cz.rules.moves import (
    BuyTrain,
    ChooseHomeCity,
    Pass,
    PlaceStation,
    RunTrains,
    SellLocal,
)
from services.eighteen_cz.rules.queries import price
from services.eighteen_cz.rules.state import Step
from tests.eighteen_cz.rules.table import Co, Table, in_stock_round, in_turn, ordered


def first_turn(symbol: str, phase: str = "d") -> Table:
    """The first turn of a company that has just been launched."""
    table = in_stock_round(ordered({symbol: Co(operated=False)}, phase=phase), 5)
    table.play(Pass("G1"), Pass("G2"), Pass("G3"), Pass("G4"))
    return table


def test_a_small_company_begins_with_its_home_station() -> None:
    """CZ-10.1: free, without a decision."""
    table = first_turn("BCB", "a")
    bcb = table.state.companies["BCB"]
    assert [station.hex for station in bcb.stations] == ["E16"]
    assert (bcb.markers, bcb.treasury, table.turn.step) == (2, 500, "track")


def test_a_large_company_lays_its_home_tile() -> None:
    """CZ-9.10, 10.1: step 0, in which nothing else can be done."""
    table = first_turn("SX")
    assert (table.turn.step, table.turn.kinds) == ("home_tile", ("lay_home_tile",))
    assert table.refused(Pass("SX")) == {("CZ-8", "wrong_step")}
    table.play(table.offered()[0])
    assert table.turn.step == "track"
    assert len(table.state.companies["SX"].stations) == 1


def test_ate_chooses_its_city() -> None:
    """CZ-10.1"""
    table = first_turn("ATE")
    assert (table.turn.step, table.turn.kinds) == ("home_city", ("choose_home_city",))
    assert table.offered() == [ChooseHomeCity("ATE", 0), ChooseHomeCity("ATE", 1)]
    table.play(ChooseHomeCity("ATE", 1))
    assert table.turn.step == "track"


def test_steps_are_declined_one_by_one() -> None:
    """CZ-8.3"""
    companies = {"BTE": Co("G1", trains=("3+3d",)), "BCB": Co("G2", trains=("3d",), price=50)}
    table = in_turn(ordered(companies), "BTE", "track")
    steps = []
    for _ in range(5):
        steps.append(table.turn.step)
        table.decline()
    assert steps == ["track", "station", "run", "acquire", "trains"]
    assert table.turn.actor == "BCB"
    assert table.state.companies["BTE"].last_revenue == 0


def test_steps_without_a_decision_are_left_at_once() -> None:
    """CZ-19.1: no marker, no train, nothing to acquire."""
    table = in_turn(ordered({"SX": Co("G1", price=100)}), "SX", "track")
    table.play(Pass("SX"), Pass("SX"))
    assert table.turn.step == "trains"
    sx = table.state.companies["SX"]
    assert (price(sx), sx.last_revenue) == (95, 0), "no train, no revenue (CZ-12.1)"


def test_running_nothing_is_keeping_nothing() -> None:
    """CZ-8.3, 12.1: without routes, the price falls and no choice is asked for."""
    table = in_turn(ordered({"BCB": Co(trains=("3d",), price=60)}), "BCB", "run")
    table.play(RunTrains("BCB"))
    assert (table.turn.step, price(table.state.companies["BCB"])) == ("trains", 58)


def test_every_company_gets_its_turn_and_the_round_ends() -> None:
    """CZ-7.3, 8"""
    companies = {"EKJ": Co("G1", price=60, trains=("3d",)), "BCB": Co("G2", price=50, trains=("3d",))}
    table = in_turn(ordered(companies), "EKJ")
    table.play(Pass("EKJ"))
    assert (table.turn.actor, table.turn.seats, table.turn.step) == ("BCB", ("G2",), "track")
    table.decline(4)
    assert table.state.operating_round == 6
    assert (table.turn.actor, table.turn.step) == ("EKJ", "track")


def test_a_move_out_of_step_is_refused() -> None:
    """CZ-8"""
    table = in_turn(ordered({"BCB": Co(trains=("3d",))}), "BCB", "track")
    assert table.refused(BuyTrain("BCB", "stack", "3d", 120)) == {("CZ-8", "wrong_step")}
    assert table.refused(PlaceStation("BCB", "E16", 0)) == {("CZ-8", "wrong_step")}


def test_locals_can_be_sold_in_every_step() -> None:
    """CZ-8.1"""
    companies = {"BTE": Co("G1", trains=("3+3d",)), "BCB": Co("G2", trains=("3d",))}
    steps: tuple[Step, ...] = ("track", "station", "run", "acquire", "trains")
    for step in steps:
        table = in_turn(ordered(companies, locals_={"S1": "BTE"}), "BTE", step)
        assert "sell_local" in table.turn.kinds
        table.play(SellLocal("BTE", "S1"))
        assert table.turn.step == step


def test_an_actor_left_out_is_whoever_must_act() -> None:
    table = in_turn(ordered({"BCB": Co(trains=("3d",))}), "BCB")
    assert table.resolved(Pass("")) == Pass("BCB")
    table.play(Pass(""))
