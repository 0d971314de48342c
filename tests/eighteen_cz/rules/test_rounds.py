"""How rounds follow each other (CZ-3, 5.1, 5.15, 7.1 to 7.4)."""

from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.moves import BuyShare, Pass
from services.eighteen_cz.rules.queries import local_price, price
from services.eighteen_cz.rules.state import State
from tests.eighteen_cz.rules.table import PUBLISHED, Co, Table, in_stock_round, in_turn, new_game, ordered


def pass_round(table: Table) -> None:
    """Everybody passes until the stock round is over."""
    number = table.state.set_number
    while table.state.stage == "stock" and table.state.set_number == number:
        table.decline()


def test_eight_sets_of_operating_rounds() -> None:
    """CZ-3.1 to 3.3: without companies only stock rounds have turns; the last export is after set 7."""
    table = Table(new_game(3))
    table.play(Pass("G1"), Pass("G2"), Pass("G3"))
    for number in range(1, 9):
        assert (table.state.stage, table.state.set_number) == ("stock", number)
        assert table.state.operating_round == sum(facts.SETS[: number - 1])
        pass_round(table)
    state = table.state
    assert (state.stage, state.set_number, state.operating_round) == ("over", 8, 13)
    assert local_price(state) == 120
    assert state.stack == {**facts.CARDS, "a": 0, "b": 2}, "seven cards exported"
    assert state.phase == "b"
    assert table.turn.over
    assert table.refused(Pass("G1")) == {("CZ-3.3", "game_over")}


def test_local_prices_and_names_of_the_rounds() -> None:
    """CZ-7.1"""
    assert facts.LOCAL_PRICES == (40, 45, 50, 55, 60, 65, 70, 75, 80, 90, 100, 110, 120)
    assert facts.OPERATING_ROUNDS[-3:] == ((8, 1), (8, 2), (8, 3))


def begun(state: State) -> Table:
    table = in_stock_round(state, 5)
    pass_round(table)
    return table


def test_locals_pay_their_owners_at_the_beginning() -> None:
    """CZ-7.2: players and companies, also with the ability used up."""
    locals_ = {"S1": "G1", "M1": "G1", "L1": "SX", "S2": "BCB"}
    state = ordered({"BCB": Co(treasury=100), "SX": Co(treasury=100)}, locals_=locals_)
    state.locals["S2"].spent = True
    table = begun(state)
    assert table.state.players["G1"].cash == 315
    assert table.state.companies["SX"].treasury == 120
    assert table.state.companies["BCB"].treasury == 105


def test_launched_companies_act_once_each_by_price() -> None:
    """CZ-7.3, 7.4"""
    companies = {
        "BCB": Co("G1", price=60, trains=("4e",)),
        "EKJ": Co("G2", price=70, trains=("4e",)),
        "BTE": Co("G3", price=70, trains=("3+3d",)),
        "BN": Co("G4", {"G4": 2}, status="started"),
    }
    table = begun(ordered(companies, phase="e"))
    assert table.state.operating is not None
    assert table.state.operating.order == ["EKJ", "BTE", "BCB"]
    assert (table.turn.actor, table.turn.seats) == ("EKJ", ("G2",))
    assert table.refused(Pass("BTE")) == {("CZ-7.4", "wrong_player")}
    assert table.refused(BuyShare("EKJ", "BCB")) == {("CZ-8", "wrong_step")}


def test_sold_out_companies_rise_in_operating_order() -> None:
    """CZ-5.15"""
    companies = {
        "BCB": Co("G1", {"G1": 2, "G2": 2}, price=60, trains=("4e",)),
        "EKJ": Co("G2", {"G2": 2, "G3": 1}, price=60, trains=("4e",)),
        "MW": Co("G3", {"G3": 3, "G1": 1}, price=60, trains=("4e",)),
    }
    state = ordered(companies, phase="e")
    table = begun(state)
    assert [price(table.state.companies[symbol]) for symbol in ("BCB", "EKJ", "MW")] == [63, 60, 63]
    assert table.state.operating is not None
    assert table.state.operating.order == ["BCB", "MW", "EKJ"]


def test_players_are_sorted_by_cash() -> None:
    """CZ-5.1, D-2: least first at the start of every round, or most first at the end of the one before."""
    for ruleset, order in (("18cz/summary-1", "G3 G1 G2 G4"), (PUBLISHED, "G4 G1 G2 G3")):
        state = ordered({}, ruleset=ruleset)
        for seat, cash in (("G1", 200), ("G2", 200), ("G3", 100), ("G4", 300)):
            state.players[seat].cash = cash
        table = in_stock_round(state, 3)
        pass_round(table)
        assert " ".join(table.state.order) == order
        assert table.turn.actor == order[:2]


def test_the_set_ends_with_an_export() -> None:
    """CZ-3.2, 14.9: after the last operating round only."""
    state = ordered({"BCB": Co(trains=("3d",))}, phase="d", stack={"d": 1})
    table = in_turn(state, "BCB")
    table.play(Pass("BCB"))
    assert (table.state.operating_round, table.state.stack["d"], table.state.phase) == (6, 1, "d")
    table.decline(3)
    assert (table.turn.actor, table.turn.step) == ("BCB", "trains")
    events = table.play(Pass("BCB"))
    assert table.state.stack["d"] == 0
    assert [event.kind for event in events if event.kind == "card_exported"] == ["card_exported"]
    assert (table.state.stage, table.state.set_number) == ("stock", 6)
