"""The pre-stock round (CZ-4)."""

from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.moves import BuyShare, DraftBuy, Pass
from tests.eighteen_cz.rules.table import Table, new_game


def seats(table: Table, turns: int) -> list[str]:
    """Who is on turn in the next turns if everybody buys the cheapest local."""
    found = []
    for _ in range(turns):
        found.append(table.turn.actor)
        table.play(table.offered("draft_buy")[0])
    return found


def test_the_order_is_a_snake() -> None:
    """CZ-4.1: the player at a turning point has two turns in a row."""
    table = Table(new_game(3))
    assert seats(table, 8) == ["G1", "G2", "G3", "G3", "G2", "G1", "G1", "G2"]


def test_a_local_costs_its_printed_price() -> None:
    """CZ-4.2"""
    table = Table(new_game(4))
    table.play(DraftBuy("G1", "L6"))
    assert table.state.players["G1"].cash == 220
    assert table.state.locals["L6"].owner == "G1"
    assert table.refused(DraftBuy("G2", "L6")) == {("CZ-4.2", "local_taken")}
    assert table.refused(DraftBuy("G2", "X9")) == {("CZ-4.2", "unknown_local")}


def test_a_player_cannot_pay_more_than_he_has() -> None:
    table = Table(new_game(6))
    for symbol in ("L6", "L5", "L4", "L3", "L2", "L1", "M6", "M5", "M4", "M3", "M2", "M1"):
        table.play(DraftBuy(table.turn.actor, symbol))
    assert table.turn.actor == "G1" and table.state.players["G1"].cash == 210 - 80 - 40
    table.play(DraftBuy("G1", "S6"), *[Pass(f"G{n}") for n in (2, 3, 4, 5, 6, 6, 5, 4, 3, 2)])
    assert table.state.players["G1"].cash == 40
    assert table.refused(DraftBuy("G1", "S5")) == {("CZ-4.2", "not_enough_cash")}
    assert DraftBuy("G1", "S5") not in table.offered()
    table.play(DraftBuy("G1", "S4"))


def test_nothing_else_can_be_done() -> None:
    table = Table(new_game(4))
    assert table.refused(BuyShare("G1", "BCB")) == {("CZ-4.2", "wrong_step")}
    assert table.refused(DraftBuy("G2", "S1")) == {("CZ-4.1", "wrong_player")}
    both = {("CZ-4.1", "wrong_player"), ("CZ-4.2", "wrong_step")}
    assert table.refused(BuyShare("G2", "BCB")) == both


def test_passing_is_not_final_and_a_purchase_clears_all_passes() -> None:
    """CZ-4.3, 4.5"""
    table = Table(new_game(3))
    table.play(Pass("G1"), Pass("G2"), DraftBuy("G3", "S1"), Pass("G3"), Pass("G2"))
    assert table.state.stage == "draft"
    table.play(DraftBuy("G1", "S2"), Pass("G1"), Pass("G2"))
    assert table.turn.step == "draft"
    table.play(Pass("G3"))
    assert table.turn.step == "stock"


def test_two_passes_of_one_player_are_one() -> None:
    """CZ-4.5: with the snake G3 passes twice in a row before the others have passed."""
    table = Table(new_game(3))
    table.play(DraftBuy("G1", "S1"), DraftBuy("G2", "S2"), Pass("G3"), Pass("G3"), Pass("G2"))
    assert table.turn.actor == "G1"


def test_who_can_pay_for_nothing_passes_automatically() -> None:
    """CZ-4.4: only L6 for 80 is left, and only G6 can pay that."""
    state = new_game(6)
    owners = {
        "G1": "S1 S2 S3 S4 S5",
        "G2": "L5 L4",
        "G3": "L3 L2 L1",
        "G4": "M6 M5 M4",
        "G5": "M3 M2 M1",
        "G6": "S6",
    }
    for seat, symbols in owners.items():
        for symbol in symbols.split():
            state.locals[symbol].owner = seat
            state.players[seat].cash -= facts.LOCALS[symbol].price
    state.draft_turn = 5
    table = Table(state)
    table.play(Pass("G6"))
    assert table.turn.actor == "G6"
    events = table.play(Pass("G6"))
    passed = [event.values["seat"] for event in events if event.kind == "passed_automatically"]
    assert passed == ["G5", "G4", "G3", "G2", "G1"]
    assert table.state.stage == "stock"


def test_the_end_removes_unsold_locals_and_sorts_the_players() -> None:
    """CZ-4.6, 4.8: least cash first; ties keep the seat order."""
    table = Table(new_game(4))
    table.play(Pass("G1"), DraftBuy("G2", "S1"), Pass("G3"), DraftBuy("G4", "L6"))
    table.play(Pass("G4"), Pass("G3"), Pass("G2"), Pass("G1"))
    state = table.state
    assert (state.stage, state.set_number) == ("stock", 1)
    assert state.locals["S2"].owner == "removed"
    assert state.order == ["G4", "G2", "G1", "G3"]
    assert table.turn.actor == "G4"


def test_the_round_ends_when_all_locals_are_sold() -> None:
    """CZ-4.5"""
    table = Table(new_game(3))
    seats(table, 18)
    assert table.state.stage == "stock"
