"""Every game, played at random through its service: the forms of positions and moves all agree."""

import random
from collections.abc import Iterator

import pytest
from prometheus_client import CollectorRegistry

from services.chassis.canonical import canonical_json, digest
from services.chassis.game import AnyGame
from services.chassis.metrics import Metrics
from services.chassis.server import Server
from services.chassis.settings import Settings
from services.eighteen_cz.game import GAME as EIGHTEEN_CZ
from tests.contract.client import Client, Fault, Plain
from tests.tinygame.game import GAME as TINY_GAME
from tests.tinygame.service import ring

GAMES: dict[str, AnyGame] = {game.name: game for game in (TINY_GAME, EIGHTEEN_CZ)}
MOVES = 60


@pytest.fixture(scope="module", params=GAMES)
def game(request: pytest.FixtureRequest) -> AnyGame:
    return GAMES[request.param]


@pytest.fixture(scope="module")
def client(game: AnyGame) -> Iterator[Client]:
    settings = Settings(grace_seconds=1)
    server = Server(game, settings, ring(), Metrics(game.name, CollectorRegistry()), share=False)
    client = Client(game.service, f"127.0.0.1:{server.port}")
    yield client
    client.close()
    server.drain()


def setup(client: Client) -> Plain:
    seats = client.call("Describe")["game"]["minSeats"]
    return {"seats": [{"name": f"Player {number}"} for number in range(seats)]}


@pytest.mark.parametrize("mode", ["seeded", "external"])
def test_play(client: Client, mode: str) -> None:
    rng = random.Random(mode)
    chance = {"seeded": {"seed": "play"}} if mode == "seeded" else {"external": {}}
    answer = client.call("Start", {"setup": setup(client) | {"random": chance}})
    record: Plain = {"setup": answer["setup"], "moves": []}
    both = ["POSITION_FORM_STATE", "POSITION_FORM_SEALED"]
    hashes = []
    while not answer["turn"]["over"] and len(record["moves"]) < MOVES:
        position = answer["position"]
        assert position["stateHash"] == digest(canonical_json(position["state"]))
        sealed, state = {"sealed": position["sealed"]}, {"state": position["state"]}
        legal = client.call("LegalMoves", {"position": sealed, "pageSize": 1000})
        assert legal == client.call("LegalMoves", {"position": state, "pageSize": 1000})
        assert {option["kind"] for option in legal["options"]} <= set(legal["turn"]["kinds"])
        option = rng.choice(legal["options"])
        move = option["move"]
        seat = next(iter(legal["turn"]["seats"]), "")
        forms = [
            {"notation": move["notation"]},
            {key: value for key, value in move.items() if key != "notation"},
            move,
            {key: value for key, value in move.items() if key not in ("notation", "actor")},
        ]
        answers = [
            client.call("ApplyMove", {"position": base, "move": form, "seat": seat, "returns": both})
            for base, form in zip((sealed, state, sealed, state), forms, strict=True)
        ]
        answer = answers[0]
        assert answer["verdict"]["legal"] and answer["move"] == move
        assert all(other == answer for other in answers)
        checked = client.call("CheckMove", {"position": sealed, "move": move, "seat": seat})
        assert checked["verdict"] == answer["verdict"] and checked["move"] == move
        record["moves"].append(move)
        hashes.append(answer["position"]["stateHash"])
    verdicts, summary = client.replay({"position": record, "returns": both})
    assert summary["legal"] and [verdict["stateHash"] for verdict in verdicts] == hashes
    assert summary["position"] == answer["position"]
    lines = "\n".join(move["notation"] for move in record["moves"])
    in_notation = {"position": {"setup": record["setup"]}, "record": {"format": "notation", "text": lines}}
    by_line = [{**one, "source": f"line {n}"} for n, one in enumerate(verdicts, 1)]
    assert client.replay(in_notation)[0] == by_line
    assert client.call("Import", in_notation)["moves"] == record["moves"]


def test_answers_do_not_depend_on_the_replica(client: Client, game: AnyGame) -> None:
    """The same request gets the same bytes."""
    server = Server(
        game, Settings(grace_seconds=1), ring(), Metrics(game.name, CollectorRegistry()), share=False
    )
    other = Client(game.service, f"127.0.0.1:{server.port}")
    start = client.call("Start", {"setup": setup(client)})
    base = {"position": {"sealed": start["position"]["sealed"]}}
    for rpc in ("LegalMoves", "Score", "View", "Render"):
        data = client.bytes_of(rpc, base)
        assert client.send(rpc, data) == other.send(rpc, data) == client.send(rpc, data)
    other.close()
    server.drain()


def test_languages(client: Client) -> None:
    info = client.call("Describe")["game"]
    assert len(info["languages"]) >= 2
    for language in info["languages"]:
        told = client.call("Describe", metadata={"accept-language": language})["game"]
        assert [rule["ruleId"] for rule in told["rulebook"]] == [rule["ruleId"] for rule in info["rulebook"]]
        assert all(kind["title"] and kind["ruleIds"] for kind in told["moveKinds"])
        assert (told == info) == (language == info["languages"][0])


def test_seats_of_others_are_refused_with_a_rule_of_the_rulebook(client: Client) -> None:
    start = client.call("Start", {"setup": setup(client) | {"random": {"seeded": {"seed": "s"}}}})
    base = {"position": {"sealed": start["position"]["sealed"]}}
    option = client.call("LegalMoves", base)["options"][0]
    (seat,) = start["turn"]["seats"]
    other = next(found["id"] for found in start["setup"]["seats"] if found["id"] != seat)
    verdict = client.call("CheckMove", base | {"move": option["move"], "seat": other})["verdict"]
    (violation,) = verdict["violations"]
    assert (violation["reason"], violation["path"]) == ("not_your_turn", "seat")
    assert violation["message"] != violation["reason"] and other in violation["message"]
    rules = {rule["ruleId"] for rule in client.call("Describe")["game"]["rulebook"]}
    assert violation["ruleId"] in rules


def test_setups_that_are_refused(client: Client) -> None:
    for seats in (0, 1, 7, 50):
        with pytest.raises(Fault) as fault:
            client.call("Start", {"setup": {"seats": [{}] * seats}})
        assert fault.value.reason == "IMPOSSIBLE_SETUP" and fault.value.details["ruleId"]
