"""The ten calls, one by one."""

from typing import Any

import pytest

from services.chassis.canonical import canonical_json, digest
from services.ruleset.chance import Chance
from tests.chassis.conftest import SETUP
from tests.contract.client import Client, Fault, Plain


def sealed(answer: Plain, **more: Any) -> Plain:
    """A request about the position that was answered."""
    return {"position": {"sealed": answer["position"]["sealed"]}, **more}


def test_describe(client: Client) -> None:
    info = client.call("Describe")["game"]
    assert (info["name"], info["minSeats"], info["maxSeats"]) == ("tiny-game", 2, 2)
    assert info["languages"] == ["en", "hu"]
    assert info["importFormats"] == ["diary", "notation"]
    assert [kind["kind"] for kind in info["moveKinds"]] == ["hide", "paint", "weather"]
    assert info["rulebook"][0] == {
        "ruleId": "TG-1",
        "title": "Players",
        "text": "Two players with ten coins each.",
    }


@pytest.mark.parametrize(
    ("accepted", "title"),
    [
        ("hu", "Játékosok"),
        ("de, hu-HU;q=0.5, en;q=0.4", "Játékosok"),
        ("de", "Players"),
        (";;q=x,,", "Players"),
    ],
)
def test_language(client: Client, accepted: str, title: str) -> None:
    info = client.call("Describe", metadata={"accept-language": accepted})["game"]
    assert info["rulebook"][0]["title"] == title


def test_start_answers_state_and_sealed_unless_told_otherwise(client: Client, first: Plain) -> None:
    position = first["position"]
    assert set(position) == {"stateHash", "state", "sealed"}
    assert position["stateHash"] == digest(canonical_json(position["state"]))
    assert first["turn"]["actor"] == "A" and first["turn"]["text"] == "Hide coins"
    setup = first["setup"]
    assert (setup["ruleset"], setup["variant"]) == ("tiny-game/first-1", "short")
    assert [seat["id"] for seat in setup["seats"]] == ["A", "B"]
    for form, fields in (("NONE", set()), ("VIEW", {"view"}), ("STATE", {"state"}), ("SEALED", {"sealed"})):
        answer = client.call("Start", {"setup": SETUP, "returns": [f"POSITION_FORM_{form}"]})["position"]
        assert set(answer) - {"stateHash", "sealed"} == fields - {"sealed"}
        assert bool(answer["sealed"]) == (form == "SEALED")
        assert answer["stateHash"] == position["stateHash"]


def test_all_bases_are_the_same_position(client: Client, first: Plain) -> None:
    bases = [{"setup": SETUP}, {"state": first["position"]["state"]}, {"sealed": first["position"]["sealed"]}]
    moves = [{"notation": "A hide 1"}, {"hide": {"coins": 2}, "actor": "B"}]
    answers = [client.call("Score", {"position": {**base, "moves": moves}}) for base in bases]
    assert answers[0] == answers[1] == answers[2]
    seats = answers[0]["scoreboard"]["seats"]
    assert [(seat["seat"], seat["total"], seat["rank"]) for seat in seats] == [("A", 0, 2), ("B", 3, 1)]


def test_legal_moves(client: Client, first: Plain) -> None:
    answer = client.call("LegalMoves", sealed(first))
    assert [option["kind"] for option in answer["options"]] == ["hide", "paint"]
    hide, paint = answer["options"]
    assert hide["move"] == {"notation": "A hide 5", "actor": "A", "hide": {"coins": 5}}
    assert hide["summary"] == "A hides 5 coins."
    assert hide["parameters"] == [{"path": "hide.coins", "range": {"minimum": 0, "maximum": 5, "step": 1}}]
    assert paint["parameters"] == [{"path": "paint.colour", "texts": {"values": ["red", "green", "blue"]}}]
    assert answer["counts"] == [{"kind": "hide", "count": 1}, {"kind": "paint", "count": 1}]
    assert answer["page"] == {"nextPageToken": "", "totalSize": 2}
    assert answer["stateHash"] == first["position"]["stateHash"]


@pytest.mark.parametrize(
    ("filters", "kinds"),
    [
        ({"kinds": ["paint"]}, ["paint"]),
        ({"seat": "A"}, ["hide", "paint"]),
        ({"seat": "B"}, []),
        ({"place": "E12"}, []),
    ],
)
def test_legal_moves_are_filtered(client: Client, first: Plain, filters: Plain, kinds: list[str]) -> None:
    answer = client.call("LegalMoves", sealed(first, **filters))
    assert [option["kind"] for option in answer["options"]] == kinds
    counted = client.call("LegalMoves", sealed(first, countsOnly=True, **filters))
    assert counted == answer | {"options": []}


def test_pages(client: Client, table: Plain) -> None:
    whole = client.call("LegalMoves", sealed(table))
    found, token, pages = [], "", 0
    while pages == 0 or token:
        page = client.call("LegalMoves", sealed(table, pageSize=2, pageToken=token))
        assert page["counts"] == whole["counts"] and page["page"]["totalSize"] == 3
        found += page["options"]
        token, pages = page["page"]["nextPageToken"], pages + 1
    assert (found, pages) == (whole["options"], 2)


def test_page_tokens_belong_to_one_question(client: Client, table: Plain, first: Plain) -> None:
    token = client.call("LegalMoves", sealed(table, pageSize=1))["page"]["nextPageToken"]
    strangers = [
        sealed(table, pageToken=token, kinds=["weather"]),
        sealed(table, pageToken=token, seat="A"),
        sealed(first, pageToken=token),
        sealed(table, pageToken=token + "A"),
        sealed(table, pageToken="OTk5OTk5OTk5OTk5OTk5OTk5OS54"),
        sealed(table, pageToken="é"),
    ]
    for request in strangers:
        with pytest.raises(Fault) as fault:
            client.call("LegalMoves", request)
        assert (fault.value.reason, fault.value.path) == ("BAD_PAGE_TOKEN", "pageToken")


def test_check_move(client: Client, first: Plain) -> None:
    legal = client.call("CheckMove", sealed(first, move={"notation": "hide 3"}, seat="A", closest=5))
    assert legal["verdict"] == {"legal": True, "violations": [], "preview": []}
    assert legal["move"] == {"notation": "A hide 3", "actor": "A", "hide": {"coins": 3}}
    assert legal["closest"] == []
    illegal = client.call("CheckMove", sealed(first, move={"hide": {"coins": 11}}, closest=5))
    verdict = illegal["verdict"]
    assert verdict["legal"] is False and verdict["preview"] == []
    assert [violation["ruleId"] for violation in verdict["violations"]] == ["TG-3.1", "TG-3.2"]
    assert verdict["violations"][0] == {
        "ruleId": "TG-3.1",
        "reason": "not_enough_coins",
        "message": "11 coins are wanted, the purse has 10.",
        "path": "move.hide.coins",
        "numbers": {"has": 10, "wanted": 11},
        "names": {},
        "at": "A",
    }
    assert [option["move"]["notation"] for option in illegal["closest"]] == ["A hide 5"]


def test_closest_moves_are_brought_near(client: Client, first: Plain) -> None:
    answer = client.call("CheckMove", sealed(first, move={"hide": {"coins": -7}}, closest=1))
    assert [option["move"]["notation"] for option in answer["closest"]] == ["A hide 0"]
    painted = sealed(first, move={"paint": {"colour": "pink"}}, closest=20)
    assert [option["kind"] for option in client.call("CheckMove", painted)["closest"]] == ["paint"]
    elsewhere = sealed(first, move={"weather": {"sky": "SKY_SUN"}}, closest=20)
    assert [option["kind"] for option in client.call("CheckMove", elsewhere)["closest"]] == ["hide", "paint"]


def test_wrong_seat_is_a_violation_of_its_own(client: Client, first: Plain) -> None:
    answer = client.call("ApplyMove", sealed(first, move={"hide": {"coins": 9}}, seat="B"))
    found = [(one["ruleId"], one["reason"], one["path"]) for one in answer["verdict"]["violations"]]
    assert found == [("TG-3", "not_your_turn", "seat"), ("TG-3.2", "too_many_for_weather", "move.hide.coins")]
    assert "position" not in answer and answer["turn"]["actor"] == "A"
    allowed = client.call("ApplyMove", sealed(first, move={"hide": {"coins": 2}}, seat="B"))
    assert allowed["verdict"]["legal"] is False and "position" not in allowed and allowed["events"] == []


def test_apply_move(client: Client, first: Plain) -> None:
    after = client.call("ApplyMove", sealed(first, move={"notation": "A hide 4"}))
    assert after["verdict"]["legal"] and after["turn"]["actor"] == "B"
    assert [event["text"] for event in after["events"]] == ["A hid coins."]
    assert after["position"]["sealed"] and "state" not in after["position"]
    last = client.call("ApplyMove", sealed(after, move={"notation": "B hide 1"}))
    assert last["verdict"]["preview"] == [{"subject": "A", "quantity": "points", "before": 0, "after": 5}]
    assert [event["kind"] for event in last["events"]] == ["hidden", "lifted", "weather"]
    assert last["events"][1]["numbers"] == {"a": 4, "b": 1}


@pytest.mark.parametrize(("base", "form"), [("setup", "state"), ("state", "state"), ("sealed", "sealed")])
def test_apply_answers_in_the_form_it_was_asked(client: Client, first: Plain, base: str, form: str) -> None:
    bases = {"setup": SETUP, **first["position"]}
    request = {"position": {base: bases[base]}, "move": {"notation": "A hide 1"}}
    answer = client.call("ApplyMove", request)["position"]
    assert {key for key in ("state", "sealed", "view") if answer.get(key)} == {form}


def test_replay(client: Client) -> None:
    moves = [{"notation": text} for text in ("A hide 1", "B hide 0", "A paint red", "A hide 0", "B hide 0")]
    request = {"position": {"setup": SETUP, "moves": moves}, "returns": ["POSITION_FORM_STATE"]}
    verdicts, summary = client.replay(request)
    assert [verdict["notation"] for verdict in verdicts] == [move["notation"] for move in moves]
    assert all(verdict["verdict"] == {"legal": True, "violations": [], "preview": []} for verdict in verdicts)
    assert (summary["legal"], summary["moves"], summary["checked"], summary["firstIllegal"]) == (
        True,
        5,
        5,
        -1,
    )
    assert summary["turn"]["over"] and summary["scoreboard"]["final"]
    assert verdicts[-1]["stateHash"] == summary["position"]["stateHash"]
    state = summary["position"]["state"]
    assert summary["position"]["stateHash"] == digest(canonical_json(state))
    score = client.call("Score", {"position": {"state": state}})
    assert score["scoreboard"] == summary["scoreboard"]


def test_replay_stops_at_the_first_illegal_move(client: Client) -> None:
    moves = [{"notation": text} for text in ("A hide 1", "B hide 9", "A hide 0")]
    request = {"position": {"setup": SETUP, "moves": moves}, "onlyViolations": True}
    verdicts, summary = client.replay(request)
    (verdict,) = verdicts
    assert verdict["index"] == summary["firstIllegal"] == 1
    assert verdict["verdict"]["violations"][0]["path"] == "position.moves[1].hide.coins"
    assert (summary["legal"], summary["moves"], summary["checked"]) == (False, 3, 2)
    assert verdict["stateHash"] == summary["position"]["stateHash"]


def test_long_replays_come_in_batches(client: Client) -> None:
    setup = SETUP | {"random": {"external": {}}, "variant": "long"}
    round_ = ["CHANCE weather storm", "A hide 0", "B hide 0"]
    moves = [{"notation": text} for text in round_ * 5]
    verdicts, summary = client.replay({"position": {"setup": setup, "moves": moves}})
    assert [verdict["index"] for verdict in verdicts] == list(range(15)) and summary["turn"]["over"]


DIARY = '{"names": ["Anna", "Béla"], "log": ["sun", 5, 2, "rest", "storm", 3]}'


@pytest.mark.parametrize("as_document", [False, True])
def test_import(client: Client, as_document: bool) -> None:
    document = {"names": ["Anna", "Béla"], "log": ["sun", 5, 2, "rest", "storm", 3]}
    content: Plain = {"document": document} if as_document else {"text": DIARY}
    answer = client.call("Import", {"record": {"format": "diary", **content}})
    notations = [move["notation"] for move in answer["moves"]]
    assert notations == ["CHANCE weather sun", "A hide 5", "B hide 2", "CHANCE weather storm", "A hide 3"]
    assert answer["warnings"] == [
        {"reason": "rest_left_out", "message": "A rest was left out.", "path": "log[3]"}
    ]
    assert answer["setup"]["random"] == {"external": {"draws": 0}}
    verdicts, summary = client.replay({"position": {"setup": answer["setup"], "moves": answer["moves"]}})
    direct_verdicts, direct = client.replay({"record": {"format": "diary", **content}})
    assert summary["firstIllegal"] == direct["firstIllegal"] == 4
    assert [one["stateHash"] for one in verdicts] == [one["stateHash"] for one in direct_verdicts]
    assert direct["warnings"] == answer["warnings"]


def test_import_goes_on_from_a_position(client: Client, table: Plain) -> None:
    request = sealed(table, record={"format": "diary", "text": '{"log": ["rain", 1]}'})
    answer = client.call("Import", request)
    assert "setup" not in answer
    assert [move["notation"] for move in answer["moves"]] == ["CHANCE weather rain", "A hide 1"]
    assert client.replay(request)[1]["legal"]


def test_import_of_notation(client: Client, table: Plain) -> None:
    text = "CHANCE weather rain\n\n  hide 1\nB hide 0\n"
    answer = client.call("Import", sealed(table, record={"format": "notation", "text": text}))
    assert [move["notation"] for move in answer["moves"]] == ["CHANCE weather rain", "A hide 1", "B hide 0"]
    assert client.replay(sealed(table, record={"format": "notation", "text": text}))[1]["checked"] == 3


def test_view_withholds_what_the_viewer_may_not_know(client: Client, first: Plain) -> None:
    after = client.call(
        "ApplyMove",
        sealed(
            first,
            move={"notation": "A hide 4"},
            returns=["POSITION_FORM_STATE", "POSITION_FORM_SEALED"],
        ),
    )
    views = {
        viewer: client.call("View", sealed(after, viewer=viewer))["view"]
        for viewer in ("", "spectator", "A", "B", "arbiter")
    }
    assert views[""] == views["spectator"]
    hidden = {viewer: view["state"]["players"][0].get("hidden") for viewer, view in views.items()}
    assert hidden == {"": None, "spectator": None, "A": 4, "B": None, "arbiter": 4}
    assert views["A"]["withheld"] == ["random.seeded.seed"]
    assert views["B"]["withheld"] == ["players[0].hidden", "players[0].purse", "random.seeded.seed"]
    assert views["arbiter"]["withheld"] == [] and views["arbiter"]["state"] == after["position"]["state"]
    for viewer, view in views.items():
        seeded = view["state"]["random"]["seeded"]
        assert seeded["seed"] == ("tiny" if viewer == "arbiter" else "")
        assert seeded["commitment"] == Chance("seeded", "tiny", 0).commitment
    text = client.call(
        "ApplyMove", sealed(first, move={"notation": "A hide 4"}, returns=["POSITION_FORM_VIEW"])
    )
    assert text["position"]["view"] == views["spectator"]


def test_view_shows_the_seed_at_the_end(client: Client) -> None:
    moves = [{"notation": text} for text in ("A hide 1", "B hide 0", "A hide 0", "B hide 0")]
    view = client.call("View", {"position": {"setup": SETUP, "moves": moves}})["view"]
    assert view["withheld"] == [] and view["state"]["random"]["seeded"]["seed"] == "tiny"


def test_a_view_is_no_state(client: Client, first: Plain) -> None:
    view = client.call("View", sealed(first))["view"]
    with pytest.raises(Fault) as fault:
        client.call("Score", {"position": {"state": view["state"]}})
    assert (fault.value.reason, fault.value.path) == ("IMPOSSIBLE_STATE", "position.state.random.seeded.seed")


def test_render(client: Client, first: Plain) -> None:
    after = client.call("ApplyMove", sealed(first, move={"notation": "A hide 4"}))
    for viewer, shown in (("A", ">4<"), ("B", ">?<")):
        assert shown in client.call("Render", sealed(after, viewer=viewer))["svg"]
    marked = sealed(after, move={"notation": "B hide 1"}, violation={"at": "hat B"})
    answer = client.call("Render", marked)
    assert (
        "<desc>B hide 1hat B</desc>" in answer["svg"]
        and answer["stateHash"] == after["position"]["stateHash"]
    )


def test_expected_hash(client: Client, first: Plain) -> None:
    right = first["position"]["stateHash"]
    for rpc, more in (("LegalMoves", {}), ("CheckMove", {"move": {"notation": "hide 1"}}), ("Score", {})):
        assert client.call(rpc, sealed(first, expectedStateHash=right, **more))
        with pytest.raises(Fault) as fault:
            client.call(rpc, sealed(first, expectedStateHash=right[::-1], **more))
        assert (fault.value.reason, fault.value.details["stateHash"]) == ("STATE_HASH_MISMATCH", right)
