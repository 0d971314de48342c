"""Every reason to refuse a request, and that nothing else happens."""

import random
from typing import Any, get_args

import grpc
import pytest
from signalbox.v1 import error_reason_pb2

from services.chassis.errors import CODES, Reason, Refused
from services.chassis.settings import Settings
from tests.chassis.conftest import SETUP
from tests.contract.client import Client, Fault, Plain
from tests.tinygame.service import Local, served

INVALID, NOT_FOUND = grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.NOT_FOUND


def setup(**changes: Any) -> Plain:
    return {"position": {"setup": SETUP | changes}}


CASES: list[tuple[str, Plain, str, str]] = [
    ("Score", {}, "MALFORMED_REQUEST", "position"),
    ("Score", {"position": {"moves": [{}]}}, "MALFORMED_REQUEST", "position"),
    ("Start", {}, "MALFORMED_REQUEST", "setup"),
    ("Start", {"setup": SETUP, "returns": [0]}, "MALFORMED_REQUEST", "returns[0]"),
    ("Score", setup(seats=[{"name": "x" * 81}, {}]), "MALFORMED_REQUEST", "position.setup.seats[0].name"),
    ("Score", setup(seats=[{"id": "B"}, {}]), "MALFORMED_REQUEST", "position.setup.seats[0].id"),
    ("Score", setup(seats=[{}]), "IMPOSSIBLE_SETUP", "position.setup.seats"),
    ("Score", setup(variant="night"), "IMPOSSIBLE_SETUP", "position.setup.variant"),
    ("Start", {"setup": SETUP | {"variant": "none"}}, "UNKNOWN_VARIANT", "setup.variant"),
    ("Score", setup(ruleset="tiny-game/last-9"), "UNKNOWN_RULESET", "position.setup.ruleset"),
    (
        "Start",
        {"setup": SETUP | {"random": {"seeded": {"seed": "s" * 201}}}},
        "MALFORMED_REQUEST",
        "setup.random.seeded.seed",
    ),
    ("CheckMove", setup(), "MALFORMED_REQUEST", "move"),
    ("CheckMove", setup() | {"move": {"actor": "A"}}, "MALFORMED_REQUEST", "move"),
    ("CheckMove", setup() | {"move": {"weather": {"sky": 77}}}, "MALFORMED_REQUEST", "move.weather.sky"),
    ("CheckMove", setup() | {"move": {"notation": "hop"}}, "BAD_NOTATION", "move.notation"),
    (
        "CheckMove",
        setup() | {"move": {"notation": "A hide 1", "hide": {"coins": 2}}},
        "MALFORMED_REQUEST",
        "move.notation",
    ),
    (
        "CheckMove",
        setup() | {"move": {"notation": "A hide 1", "actor": "B"}},
        "MALFORMED_REQUEST",
        "move.notation",
    ),
    ("CheckMove", setup() | {"move": {"notation": "hide 1"}, "closest": 21}, "MALFORMED_REQUEST", "closest"),
    ("LegalMoves", setup() | {"pageSize": 1001}, "MALFORMED_REQUEST", "pageSize"),
    ("LegalMoves", setup() | {"pageSize": -1}, "MALFORMED_REQUEST", "pageSize"),
    ("LegalMoves", setup() | {"kinds": ["hide", "hop"]}, "MALFORMED_REQUEST", "kinds[1]"),
    ("LegalMoves", setup() | {"seat": "nobody"}, "MALFORMED_REQUEST", "seat"),
    ("CheckMove", setup() | {"move": {"notation": "hide 1"}, "seat": "C"}, "MALFORMED_REQUEST", "seat"),
    ("ApplyMove", setup() | {"move": {"notation": "hide 1"}, "seat": "C"}, "MALFORMED_REQUEST", "seat"),
    ("LegalMoves", setup() | {"pageToken": "MTAw"}, "BAD_PAGE_TOKEN", "pageToken"),
    ("View", setup() | {"viewer": "C"}, "MALFORMED_REQUEST", "viewer"),
    (
        "Score",
        {"position": {"setup": SETUP, "moves": [{"notation": "hide 0"}, {"notation": "hide 6"}]}},
        "ILLEGAL_HISTORY",
        "position.moves[1].hide.coins",
    ),
    ("Score", {"position": {"sealed": ""}}, "SEAL_BROKEN", "position.sealed"),
    ("Score", {"position": {"sealed": "AQ"}}, "SEAL_BROKEN", "position.sealed"),
    ("Score", {"position": {"sealed": "é"}}, "SEAL_BROKEN", "position.sealed"),
    ("Score", setup() | {"expectedStateHash": "00"}, "STATE_HASH_MISMATCH", "expectedStateHash"),
    ("Import", {}, "MALFORMED_REQUEST", "record"),
    ("Import", {"record": {"format": "novel", "text": ""}}, "UNKNOWN_FORMAT", "record.format"),
    ("Import", {"record": {"format": "diary", "text": "{"}}, "BAD_RECORD", "record.text"),
    ("Import", {"record": {"format": "diary", "text": "[]"}}, "BAD_RECORD", "record.text"),
    ("Import", {"record": {"format": "diary", "text": "[" * 2000}}, "BAD_RECORD", "record.text"),
    (
        "Import",
        {"record": {"format": "diary", "text": '{"a":' * 99 + "1" + "}" * 99}},
        "BAD_RECORD",
        "record.text",
    ),
    (
        "Import",
        {"record": {"format": "diary", "document": {"log": ["x"]}}},
        "BAD_RECORD",
        "record.document.log[0]",
    ),
    (
        "Import",
        {"record": {"format": "diary", "text": '{"names": ["", ""], "log": [1, 1000000000000]}'}},
        "BAD_RECORD",
        "record",
    ),
    (
        "Import",
        {"record": {"format": "diary", "text": '{"names": [""], "log": []}'}},
        "IMPOSSIBLE_SETUP",
        "record.text.seats",
    ),
    (
        "Import",
        {"position": {"setup": SETUP}, "record": {"format": "notation", "text": "hide 1\nhop"}},
        "BAD_NOTATION",
        "record.text:2",
    ),
    (
        "Import",
        {"position": {"setup": SETUP}, "record": {"format": "notation", "document": {}}},
        "BAD_RECORD",
        "record.document",
    ),
    ("Import", {"record": {"format": "notation", "text": "hide 1"}}, "MALFORMED_REQUEST", "position"),
    (
        "Import",
        {
            "position": {"setup": SETUP, "moves": [{"notation": "hide 1"}]},
            "record": {"format": "diary", "text": ""},
        },
        "MALFORMED_REQUEST",
        "position.moves",
    ),
]


@pytest.mark.parametrize(("rpc", "request_", "reason", "path"), CASES)
def test_refusals(local: Local, rpc: str, request_: Plain, reason: str, path: str) -> None:
    before = local.count("signalbox_errors_total", game="tiny-game", reason=reason)
    with pytest.raises(Fault) as fault:
        local.client.call(rpc, request_)
    assert (fault.value.reason, fault.value.path) == (reason, path)
    assert fault.value.code == CODES.get(reason, INVALID)
    assert local.count("signalbox_errors_total", game="tiny-game", reason=reason) == before + 1


def test_replay_refuses_as_the_other_calls_do(client: Client) -> None:
    for request, reason in (
        ({}, "MALFORMED_REQUEST"),
        ({"record": {"format": "x", "text": ""}}, "UNKNOWN_FORMAT"),
        ({"position": {"setup": SETUP, "moves": [{}]}}, "MALFORMED_REQUEST"),
    ):
        with pytest.raises(Fault) as fault:
            client.replay(request)
        assert fault.value.reason == reason


STATE_CASES: list[tuple[str, Any, str]] = [
    ("round", 7, "IMPOSSIBLE_STATE"),
    ("players", [], "IMPOSSIBLE_STATE"),
    ("ruleset", "", "UNKNOWN_RULESET"),
    ("sky", "SKY_UNSPECIFIED", "IMPOSSIBLE_STATE"),
    ("sky", 9, "MALFORMED_REQUEST"),
    ("random", {}, "MALFORMED_REQUEST"),
    ("random", {"seeded": {"draws": 1}}, "IMPOSSIBLE_STATE"),
    ("random", {"seeded": {"seed": "tiny", "commitment": "00", "draws": 1}}, "IMPOSSIBLE_STATE"),
    ("random", {"seeded": {"seed": "s" * 201, "draws": 1}}, "IMPOSSIBLE_STATE"),
]


@pytest.mark.parametrize(("field", "value", "reason"), STATE_CASES)
def test_open_states_are_validated(client: Client, first: Plain, field: str, value: Any, reason: str) -> None:
    state = first["position"]["state"] | {field: value}
    with pytest.raises(Fault) as fault:
        client.call("Score", {"position": {"state": state}})
    assert fault.value.reason == reason and fault.value.path.startswith(f"position.state.{field}")


def test_refusals_speak_the_language_of_the_caller(client: Client) -> None:
    with pytest.raises(Fault) as fault:
        client.call("Start", {"setup": {"seats": [{}]}}, metadata={"accept-language": "hu"})
    assert fault.value.message == "setup.seats: Két játékos kell, nem 1."
    assert fault.value.details == {"ruleId": "TG-1", "violation": "two_players"}


def test_broken_rules_come_as_violations(client: Client) -> None:
    moves = [{"notation": "hide 0"}, {"notation": "hide 99"}, {"notation": "hide 0"}]
    judged = client.call("CheckMove", {"position": {"setup": SETUP, "moves": moves[:1]}, "move": moves[1]})
    with pytest.raises(Fault) as fault:
        client.call("Score", {"position": {"setup": SETUP, "moves": moves}})
    expected = [
        violation | {"path": violation["path"].replace("move", "position.moves[1]", 1)}
        for violation in judged["verdict"]["violations"]
    ]
    assert fault.value.violations == expected and len(expected) == 2
    assert expected[0]["numbers"] == {"wanted": 99, "has": 10}
    assert fault.value.fault == expected[0]["reason"].upper()
    assert fault.value.message == f"{expected[0]['path']}: {expected[0]['message']}"


def test_what_is_said_is_a_sentence_about_a_field(client: Client) -> None:
    for request, message in (
        ({"kinds": ["hop"]}, "kinds[0] is no kind of move of this game; there are hide, paint, weather."),
        ({"seat": "C"}, "seat is no seat of this game; there are A, B."),
        ({"pageSize": 1001}, "pageSize must be from 1 to 1000, or 0 for 100."),
        (
            {"position": {"sealed": ""}},
            "position.sealed is empty; "
            "a call answers a sealed position where `returns` has POSITION_FORM_SEALED.",
        ),
    ):
        with pytest.raises(Fault) as fault:
            client.call("LegalMoves", setup() | request)
        assert fault.value.message == message


def test_bytes_that_are_no_message(client: Client) -> None:
    rng = random.Random(2)
    for rpc in ("Start", "CheckMove", "Score", "Import"):
        for data in (
            b"\xff",
            b"\x0a\xff\xff\xff\xff\x0f",
            b"\x0a\x02\x1a\xff",
            *(rng.randbytes(99) for _ in range(50)),
        ):
            try:
                client.send(rpc, data)
            except Fault as fault:
                assert fault.code in (INVALID, NOT_FOUND), fault


def test_messages_nested_too_deep(client: Client) -> None:
    value = b""
    for _ in range(200):  # google.protobuf.Struct { fields { key: "", value { struct_value ... } } }
        inner = b"\x12" + _length(b"\x2a" + _length(value) + value) + b"\x2a" + _length(value) + value
        value = b"\x0a" + _length(inner) + inner
    record = b"\x0a\x05diary\x1a" + _length(value) + value
    with pytest.raises(Fault) as fault:
        client.send("Import", b"\x0a" + _length(record) + record)
    assert fault.value.reason == "MALFORMED_REQUEST"


def _length(data: bytes) -> bytes:
    number, varint = len(data), []
    while number > 127:
        varint.append(number & 127 | 128)
        number >>= 7
    return bytes([*varint, number])


def test_limits() -> None:
    settings = Settings(request_bytes=2000, record_bytes=4000, position_moves=2, record_moves=3)
    moves = [{"notation": text} for text in ("hide 0", "hide 0", "hide 0", "hide 0")]
    with served(settings) as service:
        client = service.client

        def refused(rpc: str, request: Plain) -> str:
            with pytest.raises(Fault) as fault:
                list(client.stream(rpc, request)) if rpc == "Replay" else client.call(rpc, request)
            assert (
                fault.value.reason == "TOO_LARGE" and fault.value.code == grpc.StatusCode.RESOURCE_EXHAUSTED
            )
            return fault.value.path

        assert refused("Score", {"position": {"sealed": "A" * 2000}}) == ""
        assert refused("Import", {"record": {"format": "diary", "text": "A" * 4000}}) == ""
        assert refused("Score", {"position": {"setup": SETUP, "moves": moves[:3]}}) == "position.moves"
        assert client.call("Score", {"position": {"setup": SETUP, "moves": moves[:2]}})
        assert refused("Replay", {"position": {"setup": SETUP, "moves": moves}}) == "position.moves"
        assert client.replay({"position": {"setup": SETUP, "moves": moves[:3]}})
        diary = {"record": {"format": "diary", "text": '{"names": ["", ""], "log": [0, 0, 0, 0]}'}}
        assert refused("Import", diary) == "record"
        text = {"position": {"setup": SETUP}, "record": {"format": "notation", "text": "hide 0\n" * 4}}
        assert refused("Replay", text) == "record.text"


def test_open_states_may_be_closed_out(first: Plain) -> None:
    with served(Settings(open_states=False)) as service:
        with pytest.raises(Fault) as fault:
            service.client.call("Score", {"position": {"state": first["position"]["state"]}})
        assert fault.value.reason == "OPEN_STATE_NOT_ACCEPTED"
        assert service.client.call("Score", {"position": {"sealed": first["position"]["sealed"]}})
        assert service.client.call("Score", {"position": {"setup": SETUP}})


def test_a_bug_is_internal_logged_and_counted(local: Local, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(Fault) as fault:
        local.client.call("Score", setup(ruleset="tiny-game/faulty-1"), metadata={"x-request-id": "req-7"})
    assert fault.value.code == grpc.StatusCode.INTERNAL and fault.value.request_id == "req-7"
    assert "bug" not in fault.value.message
    assert local.count("signalbox_errors_total", game="tiny-game", reason="INTERNAL") == 1
    logged = capsys.readouterr().out
    assert "internal_error" in logged and "ZeroDivisionError" in logged and "req-7" in logged


def test_details_fit_in_trailers(client: Client) -> None:
    with pytest.raises(Fault) as fault:
        client.call("Start", {"setup": SETUP | {"variant": "v" * 100_000}})
    assert len(fault.value.violations[0]["names"]["variant"]) == 200
    assert (
        fault.value.reason == "UNKNOWN_VARIANT"
        and len(fault.value.trailing["grpc-status-details-bin"]) < 4000
    )


def test_reasons_are_those_of_the_contract() -> None:
    names = {name.removeprefix("ERROR_REASON_") for name in error_reason_pb2.ErrorReason.keys()}  # noqa: SIM118 - no dict
    assert set(get_args(Reason)) <= names and set(CODES) <= names
    tested = {case[2] for case in (*CASES, *STATE_CASES)} | {
        "OPEN_STATE_NOT_ACCEPTED", "TOO_LARGE",  # above
        "SEAL_FOREIGN", "SEAL_KEY_RETIRED",  # test_sealing
        "OVERLOADED", "OUT_OF_TIME",  # test_load
        "SERVICE_DOWN",  # test_processes
    }  # fmt: skip
    assert tested == set(get_args(Reason))
    assert Refused("OVERLOADED", "x", retry_after=0.25).status().details
