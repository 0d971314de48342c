"""Chance in both modes: whoever is shown the seed can verify the draws, and nobody sees it before the end."""

from collections import Counter
from hashlib import sha256

import pytest

from tests.chassis.conftest import SETUP
from tests.contract.client import Client, Fault, Plain
from tests.tinygame.service import KEYS, ring, served

LONG = SETUP | {"variant": "long"}


def play(client: Client, setup: Plain) -> tuple[list[str], Plain]:
    """A whole game in which nothing is hidden, by sealed positions: every weather, and the last answer."""
    answer = client.call("Start", {"setup": setup, "returns": ["POSITION_FORM_SEALED"]})
    weathers = []
    while not answer["turn"].get("over"):
        position = {"sealed": answer["position"]["sealed"]}
        state = client.call("View", {"position": position})["view"]["state"]
        if state["players"][0]["decided"] is False:
            weathers.append(state["sky"])
        assert state["random"]["seeded"]["seed"] == ""
        answer = client.call("ApplyMove", {"position": position, "move": {"notation": "hide 0"}})
    return weathers, answer


def draw(seed: str, counter: int, outcomes: int) -> int:
    """A draw as the contract documents it, written anew."""
    attempt, limit = 0, 2**256 - 2**256 % outcomes
    while True:
        number = int(sha256(f"signalbox-draw:{seed}:{counter}:{attempt}".encode()).hexdigest(), 16)
        if number < limit:
            return number % outcomes
        attempt += 1


@pytest.mark.parametrize("given", [True, False])
def test_every_draw_can_be_verified_at_the_end(client: Client, given: bool) -> None:
    setup = LONG if given else LONG | {"random": {"seeded": {"nonce": "game 17"}}}
    start = client.call("Start", {"setup": setup, "returns": ["POSITION_FORM_VIEW"]})
    shown = start["position"]["view"]["state"]["random"]["seeded"]
    assert shown["seed"] == shown["nonce"] == ""
    commitment = shown["commitment"]
    weathers, end = play(client, setup)
    final = client.call("View", {"position": {"sealed": end["position"]["sealed"]}})["view"]["state"]
    seeded = final["random"]["seeded"]
    assert (
        sha256(f"signalbox-commitment:{seeded['seed']}".encode()).hexdigest()
        == commitment
        == seeded["commitment"]
    )
    assert (seeded["draws"], len(weathers)) == (5, 5)
    skies = ["SKY_SUN"] * 3 + ["SKY_RAIN"] * 2 + ["SKY_STORM"]
    assert weathers == [skies[draw(seeded["seed"], counter, 6)] for counter in range(5)]


def test_a_chosen_seed_depends_on_the_nonce_and_the_key(client: Client) -> None:
    def commitment(asked: Client, **seeded: str) -> str:
        answer = asked.call(
            "Start", {"setup": SETUP | {"random": {"seeded": seeded}}, "returns": ["POSITION_FORM_NONE"]}
        )
        assert answer["setup"]["random"]["seeded"]["seed"] == ""
        promised: str = answer["setup"]["random"]["seeded"]["commitment"]
        return promised

    one = commitment(client, nonce="one")
    assert one == commitment(client, nonce="one") != commitment(client, nonce="two")
    with served(key_ring=ring(KEYS[1])) as other:
        assert commitment(other.client, nonce="one") != one


def test_a_seed_is_chosen_for_a_nonce_only(client: Client) -> None:
    """Else whoever knows the names of the players could have the oracle say it."""
    for seeded in ({}, {"commitment": "0" * 64}, {"seed": "", "nonce": ""}):
        with pytest.raises(Fault) as fault:
            client.call("Start", {"setup": SETUP | {"random": {"seeded": seeded}}})
        assert (fault.value.reason, fault.value.fault) == ("MALFORMED_REQUEST", "MISSING")
        assert fault.value.path == "setup.random.seeded.nonce"


def test_the_table_draws_where_a_setup_does_not_say(client: Client) -> None:
    silent = client.call("Start", {"setup": {"seats": SETUP["seats"]}})
    assert silent["setup"]["random"] == {"external": {"draws": 0}}
    assert silent["turn"]["actor"] == "CHANCE"


def test_a_record_outlives_a_new_key(client: Client) -> None:
    start = client.call("Start", {"setup": SETUP | {"random": {"seeded": {"nonce": "game 18"}}}})
    record = {
        "position": {"setup": start["setup"], "moves": [{"notation": "hide 1"}, {"notation": "hide 0"}]}
    }
    verdicts, _ = client.replay(record)
    with served(key_ring=ring(KEYS[1], KEYS[0])) as rotated:
        assert rotated.client.replay(record)[0] == verdicts
    with served(key_ring=ring(KEYS[1])) as without, pytest.raises(Fault) as fault:
        without.client.replay(record)
    assert fault.value.reason == "SEAL_KEY_RETIRED"
    assert fault.value.path == "position.setup.random.seeded.commitment"


def test_the_table_draws(client: Client, table: Plain) -> None:
    assert table["turn"] == {
        "actor": "CHANCE",
        "seats": [],
        "step": "weather",
        "kinds": ["weather"],
        "over": False,
        "text": "Draw the weather",
    }
    position = {"sealed": table["position"]["sealed"]}
    options = client.call("LegalMoves", {"position": position})["options"]
    weights = Counter({option["move"]["notation"]: option["weight"] for option in options})
    assert weights == {"CHANCE weather sun": 3, "CHANCE weather rain": 2, "CHANCE weather storm": 1}
    for option in options:
        answer = client.call("ApplyMove", {"position": position, "move": option["move"]})
        assert answer["verdict"]["legal"] and answer["turn"]["actor"] == "A"
    by_a_player = client.call("CheckMove", {"position": position, "move": options[0]["move"], "seat": "A"})
    assert by_a_player["verdict"]["violations"][0]["reason"] == "not_your_turn"
    too_early = client.call("CheckMove", {"position": position, "move": {"notation": "A hide 1"}})
    assert not too_early["verdict"]["legal"]
    drawn = client.call("ApplyMove", {"position": position, "move": {"notation": "weather sun"}})
    twice = client.call(
        "CheckMove",
        {"position": {"sealed": drawn["position"]["sealed"]}, "move": {"notation": "weather sun"}},
    )
    assert twice["verdict"]["violations"][0]["reason"] == "weather_is_drawn"


def test_seeded_and_external_games_agree(client: Client) -> None:
    """The weather that a seed gave can be reported by the table: the same game follows."""
    weathers, end = play(client, LONG)
    names = {"SKY_SUN": "sun", "SKY_RAIN": "rain", "SKY_STORM": "storm"}
    moves = [{"notation": text} for sky in weathers for text in (f"weather {names[sky]}", "hide 0", "hide 0")]
    _, summary = client.replay({"position": {"setup": LONG | {"random": {"external": {}}}, "moves": moves}})
    score = client.call("Score", {"position": {"sealed": end["position"]["sealed"]}})
    assert summary["legal"] and summary["scoreboard"] == score["scoreboard"]
