"""Records that cannot be understood: one clear answer with the place, never anything else."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.chassis.game import Malformed
from tests.eighteen_cz.importer.records import Plain, bid, imported, par, passing, record

DROP = object()


def changed(document: Plain, path: str, value: object) -> Plain:
    document = copy.deepcopy(document)
    place: Any = document
    *above, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    for part in above:
        place = place[part]
    if value is DROP:
        del place[last]
    else:
        place[last] = value
    return document


GOOD = record(
    bid("P1", "S1", 25),
    {
        "type": "run_routes",
        "entity": "BCB",
        "entity_type": "corporation",
        "routes": [
            {"train": "2a-0", "connections": [["E16", "D17"]], "nodes": ["E16-0", "D17-0"], "revenue": 40}
        ],
    },
    settings={"seed": 1},
)


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        ("title", "1830", "title"),
        ("players", DROP, "players"),
        ("players", [], "players"),
        ("players", [{"name": f"P{n}"} for n in range(7)], "players"),
        ("players.0", "P1", "players[0]"),
        ("players.0", {}, "players[0]"),
        ("players.0.name", ["P1"], "players[0].name"),
        ("players.0.name", "x" * 200, "players[0].name"),
        ("players.1.name", "P1", "players[1].name"),
        ("settings", 3, "settings"),
        ("settings.seed", [1], "settings.seed"),
        ("settings.seed", 10**30, "settings.seed"),
        ("settings.optional_rules", "all", "settings.optional_rules"),
        ("actions", DROP, "actions"),
        ("actions", {}, "actions"),
        ("actions.0", None, "actions[0]"),
        ("actions.0.type", DROP, "actions[0].type"),
        ("actions.0.id", "one", "actions[0].id"),
        ("actions.0.entity", "P9", "actions[0].entity"),
        ("actions.0.entity", None, "actions[0].entity"),
        ("actions.0.entity", True, "actions[0].entity"),
        ("actions.0.price", DROP, "actions[0].price"),
        ("actions.0.price", "25", "actions[0].price"),
        ("actions.0.price", 2.5, "actions[0].price"),
        ("actions.0.price", float("nan"), "actions[0].price"),
        ("actions.0.price", 10**40, "actions[0].price"),
        ("actions.0.company", 1, "actions[0].company"),
        ("actions.0.company", "x" * 1000, "actions[0].company"),
        ("actions.0.auto_actions", {}, "actions[0].auto_actions"),
        ("actions.0.auto_actions", [{"type": "bid"}], "actions[0].auto_actions[0].company"),
        ("actions.0.auto_actions", [{"type": "undo"}], "actions[0].auto_actions[0].type"),
        ("actions.1.routes", None, "actions[1].routes"),
        ("actions.1.routes.0.train", 7, "actions[1].routes[0].train"),
        ("actions.1.routes.0.connections", "E16", "actions[1].routes[0].connections"),
        ("actions.1.routes.0.connections.0", ["E16"] * 500, "actions[1].routes[0].connections[0]"),
        ("actions.1.routes.0.connections.0.1", 17, "actions[1].routes[0].connections[0][1]"),
        ("actions.1.routes.0.nodes", {"a": 1}, "actions[1].routes[0].nodes"),
        ("actions.1.routes.0.revenue", "40", "actions[1].routes[0].revenue"),
        ("actions.1.routes.0.hexes", "E16", "actions[1].routes[0].hexes"),
        ("actions.1.routes.0.revenue_str", 4, "actions[1].routes[0].revenue_str"),
        ("result", [25], "result"),
        ("result", {"P1": "much"}, "result.P1"),
    ],
)
def test_malformed(path: str, value: object, place: str) -> None:
    with pytest.raises(Malformed) as caught:
        imported(changed(GOOD, path, value))
    assert caught.value.path == place
    assert caught.value.message


def test_too_many_actions() -> None:
    with pytest.raises(Malformed, match="at most"):
        imported(record(*[passing("P1")] * 20_001))


def test_ten_thousand_actions_are_read() -> None:
    undone = [bid("P1", "S1", 25), {"type": "undo"}] * 5_000
    assert imported(record(*undone)).moves == []


def test_players_by_number_or_name() -> None:
    players = [{"id": 7001, "name": "Ann"}, {"id": 7002, "name": "BCB"}, {"id": 7003, "name": "7001"}]
    by_id = record(bid("", "S1", 25) | {"entity": 7001}, bid("", "S2", 30) | {"entity": "7002"})
    by_name = record(bid("Ann", "S1", 25), bid("BCB", "S2", 30), bid("7003", "S3", 35))
    for document in (by_id, by_name):
        result = imported(document | {"players": players})
        assert [move.actor for move in result.moves][:2] == ["G1", "G2"]
        assert not result.warnings
        assert result.setup is not None
        assert [seat["name"] for seat in result.setup["seats"]] == ["Ann", "BCB", "7001"]


def test_the_seed_of_old_records_is_in_their_id() -> None:
    """Vaclav's small company follows from the seed (CZ-18.2): the first draw modulo three."""
    for seed in (1, 2, 3, 12):
        state = (1103515245 * seed + 12345) % 2**31
        symbol = ("EKJ", "BCB", "VBW")[state % 3]
        for fields in ({"settings": {"seed": seed}}, {"id": f"hs_x_{seed}"}, {"id": seed}):
            moves = imported(record(players=2, **fields)).moves
            assert [getattr(move, "company", "") for move in moves] == [symbol]


def test_start_price_that_is_no_number_is_refused_by_the_rules() -> None:
    document = record(passing("P1"), passing("P2"), passing("P3"), par("P1", "EKJ", 50))
    document["actions"][3]["share_price"] = "a,b"
    result = imported(document)
    assert [warning.reason for warning in result.warnings] == ["move_refused"]


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["P1", "S1"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, inner in items for place in _places(inner, (*path, key)))]


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_hostile_json_is_malformed_or_imported(data: st.DataObject) -> None:
    document: Any = json.loads(json.dumps(GOOD))
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.sampled_from(_places(document)[1:] or [()]))
        inner = document
        for key in place[:-1]:
            inner = inner[key]
        if place:
            inner[place[-1]] = data.draw(JSON)
    try:
        result = imported(document)
    except Malformed as malformed:
        assert malformed.message
    else:
        assert result.setup is not None
