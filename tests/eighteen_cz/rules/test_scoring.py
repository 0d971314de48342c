"""The score (CZ-17)."""

from services.eighteen_cz.rules.moves import Pass
from tests.eighteen_cz.rules.table import Co, in_turn, new_game, ordered


def test_every_line_of_a_score() -> None:
    """CZ-17.1: shares also of companies that are not launched; a loan counts twice."""
    companies = {
        "SX": Co("G1", {"G1": 3, "G2": 2}, price=120, treasury=999),
        "BTE": Co("G2", {"G2": 2}, price=70, status="started"),
    }
    state = ordered(companies, locals_={"S1": "G2", "L1": "SX"}, cash=100)
    state.players["G2"].debt, state.players["G2"].surcharge = 40, 90
    board = in_turn(state, "SX").rules.score(state)
    lines = {seat.seat: [(line.label, line.amount) for line in seat.lines] for seat in board.seats}
    assert lines["G1"] == [("score_cash", 100), ("score_shares", 360)]
    assert lines["G2"] == [
        ("score_cash", 100),
        ("score_shares", 140),
        ("score_shares", 240),
        ("score_local", 60),
        ("score_debt", -40),
        ("score_surcharge", -90),
    ]
    assert [seat.total for seat in board.seats] == [460, 410, 100, 100]
    assert [seat.rank for seat in board.seats] == [1, 2, 3, 3]
    assert not board.final and not board.tie_breaks


def test_locals_before_the_first_operating_round() -> None:
    """CZ-17.2: at their printed price."""
    state = new_game(3)
    state.locals["L6"].owner = "G1"
    state.players["G1"].cash -= 80
    from tests.eighteen_cz.rules.table import ENGINES

    assert [seat.total for seat in ENGINES[state.ruleset].score(state).seats] == [380, 380, 380]


def test_at_the_end_a_local_is_worth_120_and_equals_share_the_win() -> None:
    """CZ-16.1, 17.1"""
    state = ordered({"BCB": Co("G1", {"G1": 2, "G2": 2}, trains=("3d",))}, locals_={"S1": "G1", "S2": "G2"})
    state.set_number, state.operating_round = 8, 13
    table = in_turn(state, "BCB")
    table.play(Pass("BCB"))
    assert table.turn.over
    board = table.rules.score(table.state)
    assert board.final
    assert [seat.rank for seat in board.seats] == [1, 1, 3, 3]
    assert [line.amount for line in board.seats[0].lines if line.label == "score_local"] == [120]
    assert [event.kind for event in board.tie_breaks] == ["win_shared"]
