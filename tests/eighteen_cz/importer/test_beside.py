"""Figures and names of a record that the rules compute otherwise: each gives a warning with its path."""

import copy
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from services.chassis.game import Imported, Warning
from services.eighteen_cz.rulebook import RULEBOOK
from services.eighteen_cz.rules.moves import Move
from tests.eighteen_cz.importer.records import NO_DRAFT, Plain, imported, par, passing, record

GAMES = Path(__file__).resolve().parents[4] / "shared" / "conformance" / "18cz" / "games"
recorded = pytest.mark.skipif(not GAMES.is_dir(), reason=f"there are no recordings in {GAMES}")

STARTED = [*NO_DRAFT, par("P1", "EKJ", 50)]


def buy(player: str, *shares: str, **fields: Any) -> Plain:
    bought = {"type": "buy_shares", "entity": player, "entity_type": "player", "shares": list(shares)}
    return bought | fields


def said(result: Imported[Move]) -> list[tuple[str, str, Any, Any]]:
    return [
        (one.reason, one.path, one.values.get("recorded"), one.values.get("computed"))
        for one in result.warnings
    ]


@pytest.mark.parametrize(
    ("fields", "path", "computed"),
    [
        ({"percent": 50}, "percent", 25),
        ({"share_price": 60}, "share_price", 50),
        ({"total_price": 100}, "total_price", 50),
    ],
)
def test_a_purchase(fields: Plain, path: str, computed: int) -> None:
    result = imported(record(*STARTED, buy("P2", "EKJ_1", **fields)))
    (value,) = fields.values()
    assert said(result) == [("recorded_otherwise", f"actions[4].{path}", value, computed)]
    assert result.complete


def test_a_purchase_as_the_rules_have_it() -> None:
    action = buy("P2", "EKJ_1", percent=25, share_price=50, total_price=50)
    assert not imported(record(*STARTED, action)).warnings


@pytest.mark.parametrize("shares", [["EKJ_0"], ["EKJ_1", "EKJ_2"], ["EKJ_7"], ["EKJ_1", "BCB_1"], []])
def test_what_is_no_certificate_to_buy_ends_the_import(shares: list[str]) -> None:
    result = imported(record(*STARTED, buy("P2", *shares), passing("P3")))
    assert len(result.moves) == 4 and not result.complete
    assert said(result)[0] == ("value_unknown", "actions[4].shares", " ".join(shares) or "-", None)
    assert [warning.reason for warning in result.warnings] == ["value_unknown", "record_cut"]


def test_a_start_price_on_another_space() -> None:
    started = par("P1", "EKJ", 50) | {"share_price": "50,0,7"}
    found = said(imported(record(*NO_DRAFT, started)))
    assert found == [("recorded_otherwise", "actions[3].share_price", "50,0,7", "50,0,2")]


@cache
def game(name: str) -> Plain:
    document: Plain = json.loads((GAMES / f"{name}.json").read_text(encoding="utf-8"))
    return document


def edited(action: Plain, path: str, value: Any) -> Any:
    """Changes a field, and returns what it was."""
    place: Any = action
    *above, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    for part in above:
        place = place[part]
    before = place.get(last) if isinstance(place, dict) else place[last]
    place[last] = value
    return before


EDITS: list[tuple[str, Plain, str, Any, str]] = [
    ("dividend", {"kind": "payout"}, "amount", 7, "amount"),
    ("dividend", {"kind": "withhold"}, "amount", 7, "amount"),
    ("sell_shares", {"shares": ["KFN_1"]}, "percent", 10, "percent"),
    ("sell_shares", {"shares": ["KFN_1"]}, "percent", 40, "percent"),
    ("sell_shares", {"shares": ["KFN_1"]}, "share_price", 1, "share_price"),
    ("sell_shares", {"shares": ["KFN_1"]}, "total_price", 1, "total_price"),
    ("sell_company", {}, "price", 1, "price"),
    ("place_token", {}, "cost", 1, "cost"),
    ("remove_token", {}, "slot", 7, "slot"),
    ("run_routes", {}, "routes.0.hexes", ["D5", "D7"], "routes[0].hexes"),
    ("run_routes", {}, "routes.0.nodes", ["D5-0"], "routes[0].nodes"),
    ("run_routes", {}, "routes.0.revenue_str", "D5-D7", "routes[0].revenue_str"),
]


@recorded
@pytest.mark.parametrize(("kind", "fields", "path", "value", "at"), EDITS)
def test_an_edited_action_of_a_whole_game(kind: str, fields: Plain, path: str, value: Any, at: str) -> None:
    document = copy.deepcopy(game("g2411_4p"))
    index, action = next(
        (n, action)
        for n, action in enumerate(document["actions"])
        if action["type"] == kind and fields.items() <= action.items() and action.get("routes", [0])
    )
    edited(action, path, value)
    warnings = list(imported(document).warnings)
    assert (warnings[0].reason, warnings[0].path) == ("recorded_otherwise", f"actions[{index}].{at}")
    assert warnings[0].values["computed"] != warnings[0].values["recorded"]


@recorded
def test_revenue_moved_from_one_train_to_another() -> None:
    document = copy.deepcopy(game("g2411_4p"))
    index, action = next(
        (n, action) for n, action in enumerate(document["actions"]) if len(action.get("routes", [])) == 2
    )
    one, other = action["routes"]
    one["revenue"], other["revenue"] = one["revenue"] + 10, other["revenue"] - 10
    result = imported(document)
    assert [path for _, path, _, _ in said(result)] == [
        f"actions[{index}].routes[0].revenue",
        f"actions[{index}].routes[1].revenue",
    ]
    assert result.complete
    del other["revenue"]
    assert [path for _, path, _, _ in said(imported(document))] == [f"actions[{index}].routes[0].revenue"]


@recorded
def test_a_dividend_of_no_known_kind_ends_the_import() -> None:
    document = copy.deepcopy(game("g2411_4p"))
    index = next(n for n, action in enumerate(document["actions"]) if action["type"] == "dividend")
    document["actions"][index]["kind"] = "half"
    result = imported(document)
    assert [(warning.reason, warning.path) for warning in result.warnings] == [
        ("value_unknown", f"actions[{index}].kind"),
        ("record_cut", f"actions[{index}]"),
    ]
    assert result.sources[-1] != f"actions[{index}]" and not result.complete


@recorded
def test_another_result() -> None:
    document = game("g2411_4p")
    assert document["result"] == {"P4": 1511, "P3": 976, "P2": 464, "P1": 382}
    changed = document | {"result": document["result"] | {"P1": 400}}
    (warning,) = imported(changed).warnings
    assert warning == Warning(
        "result_differs",
        "result",
        {
            "recorded": "P1 400, P2 464, P3 976, P4 1511",
            "computed": "P1 382, P2 464, P3 976, P4 1511",
        },
    )
    assert "P1 382" in RULEBOOK.reason(warning.reason, "en", warning.values)
    left_out = document | {"result": {"P4": 1511, "P3": 976, "P2": 464}}
    assert [warning.reason for warning in imported(left_out).warnings] == ["result_differs"]
    not_ended = changed | {"actions": document["actions"][:100]}
    assert not imported(not_ended).warnings
    assert not imported(document | {"result": {}}).warnings
