"""Nothing is lost on the way out and in again: sealed positions, JSON, protobuf, notation of played games."""

from random import Random
from typing import Any

import orjson
import pytest
from signalbox.eighteen_cz.v1 import move_pb2, setup_pb2, state_pb2

from protojson import from_plain, to_plain
from services.chassis.canonical import canonical_json, digest
from services.chassis.errors import Refused
from services.chassis.keys import parse
from services.chassis.sealing import seal, unseal
from services.eighteen_cz.game import GAME
from services.eighteen_cz.rules.moves import Move
from services.eighteen_cz.rules.state import State
from services.ruleset.protocol import Budget, Query
from tests.fuzz.corpus import play
from tests.fuzz.oracle import KEY, Oracle

RING = parse(KEY, "test")


def check_state(state: State) -> None:
    """Plain, protobuf, JSON, sealed: each there and back, to the same state and the same bytes."""
    plain = GAME.state_to_plain(state)
    message = from_plain(state_pb2.State, plain)
    assert to_plain(message) == plain
    assert to_plain(state_pb2.State.FromString(message.SerializeToString())) == plain
    canonical = canonical_json(plain)
    assert canonical_json(orjson.loads(canonical)) == canonical
    assert GAME.state_to_plain(GAME.state_from_plain(orjson.loads(canonical))) == plain
    token = seal(RING, GAME.name, state.ruleset, canonical)
    assert token == seal(RING, GAME.name, state.ruleset, canonical)
    opened = unseal(RING, GAME.name, token)
    assert (opened.ruleset, opened.canonical) == (state.ruleset, canonical)
    assert GAME.state_from_plain(orjson.loads(opened.canonical)) == state


def check_move(state: State, move: Any) -> None:
    """Notation, plain and protobuf, there and back."""
    line = GAME.print_move(state, move)
    assert "\n" not in line and GAME.parse_move(state, line) == move
    plain = GAME.move_to_plain(move)
    assert GAME.move_from_plain(plain) == move
    message = from_plain(move_pb2.Move, plain)
    assert GAME.move_from_plain(to_plain(move_pb2.Move.FromString(message.SerializeToString()))) == move


def check_same_answers(state: State, move: Move) -> None:
    """A position that was read back is answered as the one that was played to, order and all."""
    again = GAME.state_from_plain(GAME.state_to_plain(state))
    rules = GAME.rulesets[state.ruleset]
    for query in (Query(), Query(place="E12")):
        options = list(rules.legal_moves(state, query, Budget(20_000)))
        assert list(rules.legal_moves(again, query, Budget(20_000))) == options
    one, two = rules.apply(state, move, Budget()), rules.apply(again, move, Budget())
    assert one.events == two.events
    assert one.state is not None and two.state is not None
    assert GAME.state_to_plain(one.state) == GAME.state_to_plain(two.state)
    assert rules.score(state) == rules.score(again)
    assert rules.turn(state) == rules.turn(again)


@pytest.mark.parametrize("number", range(6))
def test_positions_and_moves_of_a_game(number: int) -> None:
    rng = Random(number)
    game = play("round trips", number)
    for state, option in game.steps:
        if rng.random() < 0.3:
            check_state(state)
            check_same_answers(state, option.move)
        check_move(state, option.move)
        if rng.random() < 0.1:
            for other in GAME.rulesets[state.ruleset].legal_moves(state, Query(), Budget(20_000)):
                check_move(state, other.move)
    check_state(game.end)


@pytest.mark.parametrize("number", range(2))
def test_a_record_leads_to_the_played_position(number: int) -> None:
    """Replayed from notation and from typed moves, step by step over sealed positions, and from every tenth
    open state: always the same positions, by their hashes."""
    game = play("records", number)
    oracle = Oracle()
    setup = to_plain(from_plain(setup_pb2.Setup, game.setup))
    hashes = [digest(canonical_json(GAME.state_to_plain(state))) for state, _ in game.steps]
    hashes.append(digest(canonical_json(GAME.state_to_plain(game.end))))
    typed = [GAME.move_to_plain(option.move) for _, option in game.steps]
    for request in (
        {"position": {"setup": setup}, "record": {"format": "notation", "text": game.record}},
        {"position": {"setup": setup, "moves": typed}},
    ):
        answer = oracle.ask("Replay", request)
        assert not isinstance(answer, Refused)
        verdicts = [verdict for part in answer for verdict in part["verdicts"]]
        assert [verdict["stateHash"] for verdict in verdicts] == hashes[1:]
        assert answer[-1]["summary"]["turn"]["over"]
    position: dict[str, Any] = {"setup": setup}
    for number, move in enumerate(typed):
        if number % 10 == 5:
            position = {"state": GAME.state_to_plain(game.steps[number][0])}
        step: dict[str, Any] = {"position": position, "move": move, "expectedStateHash": hashes[number]}
        answer = oracle.ask("ApplyMove", {**step, "returns": ["POSITION_FORM_SEALED"]})
        assert not isinstance(answer, Refused), answer
        position = {"sealed": answer[0]["position"]["sealed"]}
        assert answer[0]["position"]["stateHash"] == hashes[number + 1]
