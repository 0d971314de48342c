"""In front of the service of a game that the gateway has never heard of: the same JSON as over gRPC, byte for
byte, and the OpenAPI document."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import grpc
import httpx
import orjson
import pytest
from openapi_spec_validator import validate
from signalbox.tiny_game.v1 import tiny_game_rules_service_pb2 as service

from gateway.contract import Rpc, rpcs
from gateway.examples import LARGEST_ANSWER
from protojson import Malformed, from_plain, to_plain
from services.eighteen_cz.game import GAME as EIGHTEEN_CZ
from tests.gateway.conftest import CZ, TINY
from tests.gateway.running import Gateway, running
from tests.tinygame.service import Local, served

CALLS = {rpc.name: rpc for rpc in rpcs("tiny-game", TINY)}
SEATS: dict[str, Any] = {"seats": [{"name": "Ada"}, {"name": "Béla"}]}
TABLE: dict[str, Any] = {**SEATS, "random": {"external": {}}}
POSITION = {"position": {"setup": TABLE}}
SUN = {"weather": {"sky": "SKY_SUN"}}
HIDE = {"hide": {"coins": 1}}
ALL_FORMS = ["POSITION_FORM_STATE", "POSITION_FORM_SEALED", "POSITION_FORM_VIEW"]
BEGUN = {"position": {"setup": TABLE, "moves": [SUN]}}

CORPUS: list[tuple[str, Any]] = [
    ("Describe", {}),
    ("Start", {"setup": SEATS, "returns": ALL_FORMS}),
    ("Start", {"setup": TABLE}),
    ("Start", {"setup": {"seats": []}}),
    ("Start", {"setup": {**SEATS, "ruleset": "tiny-game/nothing-9"}}),
    ("Start", {}),
    ("LegalMoves", POSITION),
    ("LegalMoves", BEGUN),
    ("LegalMoves", {**BEGUN, "countsOnly": True}),
    ("LegalMoves", {**BEGUN, "pageSize": 1}),
    ("LegalMoves", {**BEGUN, "pageToken": "forged"}),
    ("LegalMoves", {**BEGUN, "expectedStateHash": "0" * 64}),
    ("CheckMove", {**BEGUN, "move": HIDE}),
    ("CheckMove", {**BEGUN, "move": {"hide": {"coins": 99}}, "closest": 3}),
    ("CheckMove", {**BEGUN, "move": {"notation": "no such thing"}}),
    ("CheckMove", {"position": {"sealed": "AAAA"}, "move": HIDE}),
    ("ApplyMove", {**BEGUN, "move": HIDE}),
    ("ApplyMove", {**BEGUN, "move": HIDE, "returns": ["POSITION_FORM_NONE"]}),
    ("ApplyMove", {**BEGUN, "move": SUN}),
    ("ApplyMove", {**BEGUN, "nonsense": 1}),
    ("Score", BEGUN),
    ("Score", {"position": {"state": {}}}),
    ("Replay", {"position": {"setup": TABLE, "moves": [SUN, HIDE, HIDE]}, "returns": ALL_FORMS}),
    ("Replay", {"position": {"setup": TABLE, "moves": [SUN, SUN]}}),
    ("Replay", {"position": {"setup": TABLE, "moves": [SUN, HIDE]}, "onlyViolations": True}),
    ("Import", {**POSITION, "record": {"format": "notation", "text": "nothing of the kind"}}),
    ("Import", {**POSITION, "record": {"format": "chess", "document": {"a": [1, None, {"b": 0.5}]}}}),
    ("View", {**BEGUN, "viewer": "A"}),
    ("View", {**BEGUN, "viewer": "nobody"}),
    ("Render", BEGUN),
]  # fmt: skip


def over_rest(gateway: Gateway, rpc: Rpc, request: Any) -> httpx.Response:
    if rpc.verb == "GET":
        return gateway.client.get(rpc.path, headers={"Accept-Language": "en"})
    return gateway.client.post(rpc.path, json=request, headers={"Accept-Language": "en"})


def over_grpc(tiny: Local, rpc: Rpc, request: Any) -> bytes:
    """The answer as JSON; of a stream, of its batches put together. Raises grpc.RpcError or Malformed."""
    data = from_plain(rpc.request, request).SerializeToString()
    metadata = (("accept-language", "en"),)
    channel: Any = tiny.client.channel
    if not rpc.streams:
        answer = channel.unary_unary(rpc.full_name)(data, metadata=metadata)
        return orjson.dumps(to_plain(rpc.response.FromString(answer)))
    batches = list(channel.unary_stream(rpc.full_name)(data, metadata=metadata))
    return orjson.dumps(to_plain(rpc.response.FromString(b"".join(batches))))  # which merges them


@pytest.mark.parametrize(("name", "request_"), CORPUS)
def test_the_same_over_rest_as_over_grpc(gateway: Gateway, tiny: Local, name: str, request_: Any) -> None:
    rest = over_rest(gateway, CALLS[name], request_)
    try:
        expected = over_grpc(tiny, CALLS[name], request_)
    except (grpc.RpcError, Malformed) as error:
        assert 400 <= rest.status_code < 500
        assert isinstance(error, Malformed) or error.details() == rest.json()["detail"]
    else:
        assert (rest.status_code, rest.content) == (200, expected)


def test_the_corpus_asks_everything() -> None:
    assert {name for name, _ in CORPUS} == CALLS.keys()


def test_lines_of_a_replay(gateway: Gateway) -> None:
    request = {"position": {"setup": TABLE, "moves": [SUN, HIDE, HIDE]}}
    whole = gateway.client.post(CALLS["Replay"].path, json=request).json()
    response = gateway.client.post(
        CALLS["Replay"].path, json=request, headers={"Accept": "application/x-ndjson"}
    )
    *verdicts, last = (json.loads(line) for line in response.text.splitlines())
    assert verdicts == whole["verdicts"] and last == {"summary": whole["summary"]}


def test_both_cases_of_names(gateway: Gateway) -> None:
    path = CALLS["LegalMoves"].path
    camel = gateway.client.post(path, json={**BEGUN, "pageSize": 1})
    snake = gateway.client.post(path, json={**BEGUN, "page_size": 1})
    assert camel.status_code == 200 and camel.content == snake.content


def test_the_list_of_games(gateway: Gateway) -> None:
    games = {game["name"]: game for game in gateway.client.get("/v1/games").json()["games"]}
    tiny_game = games["tiny-game"]
    described = gateway.client.get("/v1/games/tiny-game").json()["game"]
    assert tiny_game["path"] == "/v1/games/tiny-game" and tiny_game["available"] is True
    assert tiny_game["title"] == described["title"] and tiny_game["maxSeats"] == 2
    assert described["moveKinds"] and "moveKinds" not in tiny_game and "rulebook" not in tiny_game


@pytest.fixture(scope="module")
def document(gateway: Gateway) -> Any:
    return gateway.client.get("/openapi.json").json()


def test_the_document_is_valid(document: Any) -> None:
    validate(document)
    assert document["openapi"].startswith("3.1")


def test_the_document_has_every_call_with_its_comment(document: Any) -> None:
    for rpc in CALLS.values():
        operation = document["paths"][rpc.path][rpc.verb.lower()]
        assert operation["tags"] == ["tiny-game"] and operation["summary"]
        (reference,) = operation["responses"]["200"]["content"]["application/json"]["schema"].values()
        assert reference.rpartition("/")[2] in document["components"]["schemas"]
    cz = document["paths"]["/v1/games/18cz:checkMove"]["post"]
    assert cz["description"] == "Is this move legal, and if not, which rules forbid it?"
    schemas = document["components"]["schemas"]
    position = schemas["signalbox.eighteen_cz.v1.Position"]
    assert position["properties"]["moves"]["description"] == "Moves played from there, each legal."
    assert "At most one of `setup`, `state`, `sealed`." in position["description"]
    assert schemas["signalbox.v1.Verdict"]["required"] == ["legal", "violations", "preview"]
    assert "required" not in schemas["signalbox.v1.Seat"]  # it is asked for as well
    assert "POSITION_FORM_NONE" in schemas["signalbox.v1.PositionForm"]["enum"]
    assert "* `POSITION_FORM_NONE`: No position" in schemas["signalbox.v1.PositionForm"]["description"]
    assert "422" in document["paths"]["/v1/games/tiny-game:replay"]["post"]["responses"]
    assert (
        "image/svg+xml" in document["paths"]["/v1/games/18cz:render"]["post"]["responses"]["200"]["content"]
    )


def check_examples(gateway: Gateway, document: Any, calls: Iterable[Rpc]) -> None:
    """Every example is answered, and as the document says, and every move in one is legal and of a seat."""
    for rpc in calls:
        if rpc.verb == "POST":
            operation = document["paths"][rpc.path]["post"]
            example = operation["requestBody"]["content"]["application/json"]["example"]
            response = gateway.client.post(rpc.path, json=example)
            assert response.status_code == 200, (example, response.text)
            answer = response.json()
            shown = operation["responses"]["200"]["content"]["application/json"].get("example")
            assert shown == answer if len(response.content) <= LARGEST_ANSWER else shown is None
            if rpc.judges:
                judged = answer["verdicts"] if rpc.items else [answer]
                assert judged and all(one["verdict"]["legal"] for one in judged), answer
            for move in (answer["move"],) if "move" in answer else answer.get("moves", ()):
                assert move["actor"] != "CHANCE"


def test_every_example_works(gateway: Gateway, document: Any) -> None:
    check_examples(gateway, document, CALLS.values())


def test_every_example_of_18cz_works(tmp_path: Path) -> None:
    with served(game=EIGHTEEN_CZ) as service:
        games = {"18cz": (CZ, f"127.0.0.1:{service.server.port}")}
        with running(tmp_path, games, SIGNALBOX_GATEWAY_WORKERS="1") as alone:
            document = alone.client.get("/openapi.json", headers={"Accept-Language": "pl"}).json()
            check_examples(alone, document, rpcs("18cz", CZ))


def test_what_the_rules_say_of_the_past(gateway: Gateway) -> None:
    past = {"setup": TABLE, "moves": [SUN, {"hide": {"coins": 99}}, HIDE]}
    judged = gateway.client.post(CALLS["Replay"].path, json={"position": past}).json()["verdicts"][-1]
    response = gateway.client.post(CALLS["Score"].path, json={"position": past})
    problem = response.json()
    assert (response.status_code, problem["reason"]) == (400, "ILLEGAL_HISTORY")
    assert problem["violations"] == judged["verdict"]["violations"] and len(problem["violations"]) == 2
    first = problem["violations"][0]
    assert problem["errors"] == [
        {"path": "position.moves[1].hide.coins", "reason": first["reason"], "message": first["message"]}
    ]


def test_the_language_of_answers(gateway: Gateway) -> None:
    asked = {"Accept-Language": "hu-HU, en;q=0.5"}
    for name, request in (("CheckMove", {**BEGUN, "move": HIDE}), ("Replay", BEGUN), ("Render", BEGUN)):
        for accept in ("application/json", "application/x-ndjson", "image/svg+xml"):
            headers = {**asked, "Accept": accept}
            response = gateway.client.post(CALLS[name].path, json=request, headers=headers)
            assert response.status_code == 200 and response.headers["content-language"] == "hu"
    assert gateway.client.get("/v1/games/tiny-game", headers=asked).headers["content-language"] == "hu"
    assert gateway.client.post(CALLS["Score"].path, json=BEGUN).headers["content-language"] == "en"


def test_the_document_can_be_kept(gateway: Gateway, document: Any) -> None:
    first = gateway.client.get("/openapi.json")
    again = gateway.client.get("/openapi.json", headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304


def test_the_page_needs_nothing_from_elsewhere(gateway: Gateway) -> None:
    assert gateway.client.get("/").headers["location"] == "/docs/"
    page = gateway.client.get("/docs", follow_redirects=True)
    assert page.status_code == 200 and "/openapi.json" in page.text
    assert "http://" not in page.text and "https://" not in page.text and "//cdn" not in page.text
    for name in ("swagger-ui.css", "swagger-ui-bundle.js", "swagger-ui-standalone-preset.js"):
        assert f"/docs/{name}" in page.text
        assert gateway.client.get(f"/docs/{name}").status_code == 200
    assert gateway.client.get("/docs/nothing.js").status_code == 404


def test_what_the_stubs_say_of_a_call() -> None:
    assert CALLS["Replay"].items is service.ReplayResponse.DESCRIPTOR.fields_by_name["verdicts"]
    assert [name for name, rpc in CALLS.items() if rpc.takes_record] == ["Replay", "Import"]
    assert [name for name, rpc in CALLS.items() if rpc.judges] == ["CheckMove", "ApplyMove", "Replay"]
    assert [name for name, rpc in CALLS.items() if rpc.picture] == ["Render"]
