"""What is refused, where, and why; and what may be written in several ways."""

import threading
from typing import Any

import orjson
import pytest
from google.protobuf import struct_pb2
from google.protobuf.message import DecodeError, Message
from signalbox.eighteen_cz.v1 import eighteen_cz_rules_service_pb2 as service
from signalbox.v1 import option_pb2, verdict_pb2

from protojson import MAX_DEPTH, Malformed, from_plain, reading, to_plain
from tests.protojson.contract import class_of, contract_types, kinds_type

Request = service.CheckMoveRequest
Kinds: Any = class_of(kinds_type())


def refusal(kind: type[Message], plain: Any) -> Malformed:
    with pytest.raises(Malformed) as caught:
        from_plain(kind, plain)
    return caught.value


@pytest.mark.parametrize(
    ("plain", "path", "reason", "words"),
    [
        (None, "", "wrong_type", "must be an object, not null"),
        ([], "", "wrong_type", "must be an object, not an array"),
        ({"nonsense": 1}, "nonsense", "unknown_field", "is no field of this message"),
        ({"mov": 1}, "mov", "unknown_field", "is no field of this message; did you mean move?"),
        ({"a b": 1}, '["a b"]', "unknown_field", "is no field of this message"),
        ({"[x.y]": 1}, '["[x.y]"]', "unknown_field", "is no field of this message"),
        ({"move": {"laytile": {}}}, "move.laytile", "unknown_field", None),
        ({"position": {"moves": [{}, {"layTile": 1}]}}, "position.moves[1].layTile", "wrong_type", None),
        ({"position": {"moves": [{}, None]}}, "position.moves[1]", "wrong_type", "must be an object"),
        ({"position": {"moves": {}}}, "position.moves", "wrong_type", "must be an array, not an object"),
        ({"position": {"sealed": 3}}, "position.sealed", "wrong_type", "must be a string, not 3"),
        ({"position": {"sealed": "", "setup": {}}}, "position.setup", "given_twice", None),
        ({"expectedStateHash": "", "expected_state_hash": ""}, "expectedStateHash", "given_twice", None),
        ({"closest": "x"}, "closest", "wrong_type", 'must be an integer, not "x"'),
        ({"closest": 1.5}, "closest", "wrong_type", "must be an integer, not 1.5"),
        ({"closest": True}, "closest", "wrong_type", "must be an integer, not true"),
        ({"closest": "1_0"}, "closest", "wrong_type", None),
        ({"closest": 1e300}, "closest", "out_of_range", None),
        ({"closest": 2**31}, "closest", "out_of_range", None),
        ({"closest": 10**400}, "closest", "out_of_range", "must be from -2147483648 to"),
        ({"position": {"state": {"board": "X"}}}, "position.state.board", "unknown_value", None),
        ({"position": {"state": {"board": 77}}}, "position.state.board", "unknown_value", None),
        ({"position": {"state": {"board": []}}}, "position.state.board", "wrong_type", None),
        ({"position": {"state": {"stock": {"acted": 1}}}}, "position.state.stock.acted", "wrong_type", None),
        ({"seat": "\ud800"}, "seat", "bad_format", None),
    ],
)  # fmt: skip
def test_refusals_of_the_contract(plain: Any, path: str, reason: str, words: str | None) -> None:
    error = refusal(Request, plain)
    assert (error.path, error.reason) == (path, reason)
    assert words is None or error.message.startswith(words)
    assert str(error).rstrip(".") == f"{path or 'The value'} {error.message}"


@pytest.mark.parametrize(
    ("plain", "path", "reason"),
    [
        ({"byName": {"x": None}}, 'byName["x"]', "wrong_type"),
        ({"byName": []}, "byName", "wrong_type"),
        ({"byInt": {"x": ""}}, 'byInt["x"]', "wrong_type"),
        ({"byBool": {"yes": {}}}, 'byBool["yes"]', "wrong_type"),
        ({"byBool": {"true": {"n": ""}}}, 'byBool["true"].n', "wrong_type"),
        ({"bytesField": "a b="}, "bytesField", "bad_format"),
        ({"bytesField": "a==="}, "bytesField", "bad_format"),
        ({"floatField": 1e39}, "floatField", "out_of_range"),
        ({"doubleField": "1e400"}, "doubleField", "out_of_range"),
        ({"doubleField": "nan"}, "doubleField", "wrong_type"),
        ({"struct": {"a": [float("nan")]}}, 'struct["a"][0]', "out_of_range"),
        ({"list": {}}, "list", "wrong_type"),
        ({"value": object()}, "value", "wrong_type"),
        ({"timestamp": "yesterday"}, "timestamp", "bad_format"),
        ({"chosenInt": 1, "chosenValue": None}, "chosenValue", "given_twice"),
    ],
)
def test_refusals_of_other_kinds(plain: Any, path: str, reason: str) -> None:
    error = refusal(Kinds, plain)
    assert (error.path, error.reason) == (path, reason)


def test_several_spellings_of_one_message() -> None:
    kind = option_pb2.IntegerRange
    wanted = kind(minimum=-1, maximum=12, step=0)
    assert from_plain(kind, {"minimum": -1, "maximum": 12}) == wanted
    assert from_plain(kind, {"minimum": -1.0, "maximum": "12", "step": None}) == wanted
    assert from_plain(kind, {"step": -0.0, "maximum": 1.2e1, "minimum": "-1"}) == wanted
    wanted = Kinds(odd_name="x", bytes_field=b"\xff\xfe", colour=1, colours=[1, 1, 1])
    for name in ("odd-Name", "odd_name"):
        for bytes_text in ("//4=", "__4=", "__4"):
            plain = {
                name: "x",
                "bytesField": bytes_text,
                "colour": "1",
                "colours": ["COLOUR_RED", "COLOUR_ROUGE", 1],
            }
            assert from_plain(Kinds, plain) == wanted


def test_null_is_a_value_only_for_value() -> None:
    assert from_plain(Kinds, {"value": None}).HasField("value")
    assert from_plain(Kinds, {"chosenNull": None}).WhichOneof("choice") == "chosen_null"
    assert from_plain(Kinds, {"flat": None, "chosenFlat": None, "ints": None, "maybeInt": None}) == Kinds()


def test_presence() -> None:
    assert to_plain(verdict_pb2.Verdict()) == {"legal": False, "violations": [], "preview": []}
    message = from_plain(Kinds, {"maybeInt": 0, "flat": {}, "chosenString": ""})
    assert message.HasField("maybe_int") and message.HasField("flat")
    plain = to_plain(message)
    assert (plain["maybeInt"], plain["flat"], plain["chosenString"]) == (
        0,
        {"firstName": "", "n": 0, "yes": False},
        "",
    )
    assert "maybeString" not in plain and "self" not in plain


def test_an_unknown_enum_number_is_printed_as_it_is() -> None:
    assert to_plain(Kinds(colour=77))["colour"] == 77


def test_fields_come_by_number_and_map_entries_by_key() -> None:
    violation = verdict_pb2.Violation(rule_id="CZ-1", numbers={"b": 2, "a": 1, "c": 3})
    assert list(to_plain(violation)) == ["ruleId", "reason", "message", "path", "numbers", "names", "at"]
    assert list(to_plain(violation)["numbers"]) == ["a", "b", "c"]


@pytest.mark.parametrize("opening", ['{"a":', "["])
def test_what_is_taken_can_be_sent(opening: str) -> None:
    """Nesting is refused exactly where protobuf would not read the message any more."""
    closing = "}" if opening[0] == "{" else "]"
    outcomes = set()
    for levels in range(1, 120):
        document = {"d": orjson.loads(opening * levels + "1" + closing * levels)}
        sent = service.ImportRequest(record={"document": document}).SerializeToString()
        try:
            service.ImportRequest.FromString(sent)
        except DecodeError:
            assert refusal(service.ImportRequest, {"record": {"document": document}}).reason == "too_deep"
            outcomes.add("refused")
        else:
            from_plain(service.ImportRequest, {"record": {"document": document}})
            outcomes.add("taken")
    assert outcomes == {"refused", "taken"}


def test_messages_within_themselves_are_bounded() -> None:
    plain: Any = {}
    for _ in range(MAX_DEPTH):
        plain = {"self": plain}
    Kinds.FromString(from_plain(Kinds, plain).SerializeToString())
    error = refusal(Kinds, {"self": plain})
    assert error.reason == "too_deep" and error.path == ".".join(["self"] * (MAX_DEPTH + 1))
    assert refusal(Kinds, {"flat": {"n": "x"}}).path == "flat.n"
    assert from_plain(Kinds, {"flat": {"n": 1}}, max_depth=1).flat.n == 1
    with pytest.raises(Malformed):
        from_plain(Kinds, {"flat": {"firstName": "", "n": 1, "yes": True}}, max_depth=0)


def test_values_that_json_cannot_express_are_not_written() -> None:
    for number in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="not finite"):
            to_plain(struct_pb2.Value(number_value=number))


def test_standing_alone() -> None:
    assert to_plain(from_plain(struct_pb2.Struct, {"a": [1, {}]})) == {"a": [1, {}]}
    assert to_plain(from_plain(struct_pb2.ListValue, [None, "x"])) == [None, "x"]
    assert to_plain(from_plain(struct_pb2.Value, None)) is None


def test_first_uses_at_the_same_time() -> None:
    readers = reading._Readers()
    start, failed = threading.Barrier(8), []

    def work() -> None:
        start.wait()
        try:
            for descriptor in contract_types():
                readers.reader(descriptor)({}, 100)
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
