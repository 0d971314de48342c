"""Hostile requests straight to the chassis: the same code that serves the network, at the speed of a call."""

import json
from functools import cache
from random import Random
from typing import Any

from protojson import Malformed, from_plain
from services.chassis.errors import Refused
from tests.fuzz import campaign
from tests.fuzz.asking import any_message, any_move, any_request, any_setup
from tests.fuzz.corpus import Sample, samples
from tests.fuzz.fitting import schemed
from tests.fuzz.garbage import broken
from tests.fuzz.interrogation import ORACLE, PICTURES, check_answer
from tests.fuzz.mutation import mutated
from tests.fuzz.oracle import CALLS, types
from tests.fuzz.records import FORMAT, hostile_record

Plain = dict[str, Any]

SEALS = frozenset({"SEAL_BROKEN", "SEAL_FOREIGN", "SEAL_KEY_RETIRED"})


@cache
def token(index: int) -> str:
    """The sealed form of a sample's state."""
    moves = {
        "position": {"state": samples()[index].state},
        "move": samples()[index].move,
        "returns": ["POSITION_FORM_SEALED"],
    }
    answer = ORACLE.ask("ApplyMove", moves)
    assert not isinstance(answer, Refused), answer
    sealed: str = answer[0]["position"]["sealed"] if "position" in answer[0] else ""
    return sealed


def any_position(rng: Random) -> tuple[Plain, Sample]:
    """A good position in one of its forms, with moves, and the sample that it comes from."""
    index = rng.randrange(len(samples()))
    sample = samples()[index]
    draw = rng.random()
    if draw < 0.4:
        return {"state": sample.state}, sample
    if draw < 0.75 and token(index):
        return {"sealed": token(index)}, sample
    if draw < 0.9:
        return {
            "state": sample.state,
            "moves": [sample.move, *(any_move(rng, sample) for _ in range(rng.randrange(2)))],
        }, sample
    return {
        "setup": any_setup(rng),
        "moves": [any_move(rng, sample) for _ in range(rng.randrange(3))],
    }, sample


def a_call(rng: Random) -> str:
    call = rng.choice(CALLS)
    return "Score" if call in ("Render", "Describe") and rng.random() > PICTURES else call


def ask(rng: Random, call: str, request: Any) -> bool:
    """What the gateway does with a JSON request, without HTTP: refused with a path, or asked.  Whether it was
    answered."""
    try:
        message = from_plain(types(call)[0], request)
    except Malformed as bad:
        assert bad.message and len(str(bad)) < 1000
        assert bad.path or bad.reason in ("wrong_type", "too_deep", "bad_format"), str(bad)
        return False
    answer = ORACLE.ask_bytes(call, message.SerializeToString(), rng.choice(["en", "pl"]))
    if isinstance(answer, Refused):
        return False
    check_answer(call, answer)
    return True


def test_odd_requests() -> None:
    """Well-typed requests about good positions, with odd moves, filters, seats and notation."""

    def case(rng: Random) -> bool:
        call = a_call(rng)
        position, sample = any_position(rng)
        return ask(rng, call, any_request(rng, call, position, sample))

    campaign.run("odd-requests", 0.18, case, through=0.3)


def test_changed_requests() -> None:
    """Requests as JSON with wrong types, unknown fields, several members of a oneof, huge numbers."""

    def case(rng: Random) -> None:
        call = a_call(rng)
        position, sample = any_position(rng)
        request = mutated(rng, any_request(rng, call, position, sample), ill_typed=True)
        ask(rng, call, request)

    campaign.run("changed-requests", 0.17, case)


def test_made_up_requests() -> None:
    """Requests made from the contract alone."""

    def case(rng: Random) -> None:
        call = a_call(rng)
        ask(rng, call, any_message(rng, types(call)[0].DESCRIPTOR))

    campaign.run("made-up-requests", 0.08, case)


def test_broken_bytes() -> None:
    """Protobuf messages cut, doubled and overwritten."""

    def case(rng: Random) -> None:
        call = a_call(rng)
        position, sample = any_position(rng)
        request = from_plain(types(call)[0], any_request(rng, call, position, sample))
        data = request.SerializeToString() if rng.random() < 0.95 else rng.randbytes(rng.randrange(300))
        answer = ORACLE.ask_bytes(call, broken(rng, data))
        if not isinstance(answer, Refused):
            check_answer(call, answer)

    campaign.run("broken-bytes", 0.13, case)


def test_changed_tokens() -> None:
    """Sealed positions with a bit turned, cut, joined or spelled otherwise: always refused for that."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

    def case(rng: Random) -> None:
        whole = token(rng.choice([index for index in range(0, len(samples()), 7) if token(index)]))
        at = rng.randrange(len(whole))
        match rng.randrange(7):
            case 0:
                changed = whole[:at] + rng.choice(alphabet) + whole[at + 1 :]
            case 1:
                changed = whole[:at]
            case 2:
                changed = whole + rng.choice(["=", "A", "\n", " ", "AAAA", "\0", "ą"])
            case 3:
                changed = whole[:at] + rng.choice(["", " ", "\n", "+", "/", "="]) + whole[at:]
            case 4:
                other = token(0) or whole
                changed = whole[:at] + other[at:]
            case 5:
                changed = "".join(rng.choices(alphabet, k=rng.randrange(1, 400)))
            case _:
                head = rng.randrange(60)
                changed = whole[:head] + "".join(rng.choices(alphabet, k=4)) + whole[head + 4 :]
        answer = ORACLE.ask(rng.choice(["Score", "View", "LegalMoves"]), {"position": {"sealed": changed}})
        if changed and any(token(index) == changed for index in range(len(samples()))):
            assert not isinstance(answer, Refused)
            return
        assert isinstance(answer, Refused) and answer.reason in SEALS, f"{answer} for {changed[:80]!r}"

    campaign.run("changed-tokens", 0.08, case)


def test_foreign_records() -> None:
    """Records of the site with nonsense in them: imported with warnings, judged, or refused."""

    def case(rng: Random) -> bool:
        document = hostile_record(rng)
        record: Plain = {"format": FORMAT}
        if rng.random() < 0.7:
            record["text"] = json.dumps(document)
        else:
            record["document"] = document
        request: Plain = {"record": record}
        if rng.random() < 0.4:
            state = rng.choice(samples()).state
            odd = rng.random() < 0.5
            request["position"] = {
                "state": schemed(rng, state, rng.choice(samples()).state) if odd else state
            }
        return ask(rng, rng.choice(["Import", "Replay"]), request)

    campaign.run("foreign-records", 0.03, case, through=0.25)
