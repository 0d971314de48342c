"""Undo, redo, chat and automatic actions."""

import pytest

from services.eighteen_cz.rules.moves import DraftBuy, Move, Pass
from tests.eighteen_cz.importer.records import Plain, bid, imported, passing, record

UNDO, REDO = {"type": "undo"}, {"type": "redo"}
CHAT = {"type": "message", "entity": 99, "message": "hello"}
A, B = bid("P1", "S1", 25), bid("P2", "S2", 30)
A2, B2 = bid("P1", "M1", 40), bid("P2", "M2", 45)
MOVES: dict[str, Move] = {
    "A": DraftBuy("G1", "S1"),
    "B": DraftBuy("G2", "S2"),
    "A2": DraftBuy("G1", "M1"),
    "B2": DraftBuy("G2", "M2"),
}


def back_to(number: int) -> Plain:
    return {"type": "undo", "action_id": number}


@pytest.mark.parametrize(
    ("actions", "standing"),
    [
        ([A, B], "A B"),
        ([A, UNDO, A2], "A2"),
        ([A, B, UNDO, UNDO, A2, B2], "A2 B2"),
        ([A, UNDO, REDO, B], "A B"),
        ([A, B, back_to(0), A2], "A2"),
        ([A, B, back_to(1), B2], "A B2"),
        ([A, B, back_to(0), REDO], "A B"),
        ([A, B, UNDO, UNDO, REDO, B2], "A B2"),
        ([A, B, UNDO, UNDO, REDO, REDO], "A B"),
        ([A, UNDO, A2, REDO, B], "A2 B"),  # redo finds nothing after something else was done
        ([UNDO, REDO, A, CHAT, B], "A B"),
        ([A, CHAT, UNDO, A2], "A2"),  # chat is neither taken back nor does it count
        ([A, B, CHAT, back_to(1), CHAT, REDO], "A B"),
    ],
)
def test_what_stands(actions: list[Plain], standing: str) -> None:
    result = imported(record(*actions))
    assert list(result.moves) == [MOVES[name] for name in standing.split()]
    assert not result.warnings


def test_automatic_actions_follow_their_action_and_are_undone_with_it() -> None:
    with_pass = A | {"auto_actions": [passing("P2")]}
    assert list(imported(record(with_pass)).moves) == [MOVES["A"], Pass("G2")]
    assert list(imported(record(with_pass, UNDO, A2)).moves) == [MOVES["A2"]]


def test_standing_orders_are_no_moves_but_can_be_undone() -> None:
    order = {"type": "program_share_pass", "entity": "P2", "entity_type": "player"}
    assert list(imported(record(A, order, UNDO, B)).moves) == [MOVES["A"], MOVES["B"]]


def test_automatic_actions_that_are_no_moves_are_left_out() -> None:
    order = {"type": "program_share_pass", "entity": "P2", "entity_type": "player"}
    assert list(imported(record(A | {"auto_actions": [order]}, B)).moves) == [MOVES["A"], MOVES["B"]]


FLY = {"type": "fly", "entity": "P2"}


def test_an_unknown_action_is_the_end_of_the_import() -> None:
    result = imported(record(A, FLY, B, A2))
    assert list(result.moves) == [MOVES["A"]] and not result.complete
    assert [(warning.reason, warning.path, warning.values) for warning in result.warnings] == [
        ("action_unknown", "actions[1]", {"action": "fly"}),
        ("record_cut", "actions[1]", {"count": 2}),
    ]
    last = imported(record(A, FLY))
    assert [warning.reason for warning in last.warnings] == ["action_unknown"] and not last.complete
    automatic = imported(record(A | {"auto_actions": [FLY]}, B))
    assert [warning.path for warning in automatic.warnings] == ["actions[0].auto_actions[0]"] * 2


def test_an_unknown_action_that_was_taken_back_is_harmless() -> None:
    result = imported(record(A, FLY, UNDO, B))
    assert list(result.moves) == [MOVES["A"], MOVES["B"]]
    assert result.complete and not result.warnings
