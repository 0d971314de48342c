"""The codec and `json_format` say the same about every message of the contract, and of one with all kinds."""

import random
from typing import Any

import orjson
import pytest
from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from protojson import Malformed, from_plain, to_plain
from tests.protojson.contract import class_of, contract_types, full, kinds_type, plain_arguments

TYPES = [*contract_types(), kinds_type()]
BY_NAME = [pytest.param(descriptor, id=descriptor.full_name) for descriptor in TYPES]
MANY = settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))


def reference(message: Message) -> Any:
    return json_format.MessageToDict(message, always_print_fields_with_no_presence=True)


def check_both_ways(message: Message) -> None:
    plain = to_plain(message)
    # repr tells 1 from True and 1.0; it compares NaN by name. Keys come in another order.
    assert repr(sort(plain)) == repr(sort(reference(message)))
    again = from_plain(type(message), plain)
    assert again.SerializeToString(deterministic=True) == json_format.ParseDict(
        plain, type(message)()
    ).SerializeToString(deterministic=True)
    snake = json_format.MessageToDict(message, preserving_proto_field_name=True)
    assert from_plain(type(message), snake).SerializeToString(
        deterministic=True
    ) == message.SerializeToString(deterministic=True)
    text = orjson.dumps(plain)
    assert orjson.dumps(to_plain(from_plain(type(message), orjson.loads(text)))) == text


def sort(plain: Any) -> Any:
    if isinstance(plain, dict):
        return {key: sort(plain[key]) for key in sorted(plain)}
    return [sort(item) for item in plain] if isinstance(plain, list) else plain


def test_the_contract_is_found() -> None:
    names = {descriptor.full_name for descriptor in TYPES}
    assert {"signalbox.v1.Verdict", "signalbox.eighteen_cz.v1.State"} <= names


@pytest.mark.parametrize("descriptor", BY_NAME)
def test_empty(descriptor: Descriptor) -> None:
    check_both_ways(class_of(descriptor)())


@pytest.mark.parametrize("descriptor", BY_NAME)
def test_every_field_set(descriptor: Descriptor) -> None:
    check_both_ways(full(descriptor))


@MANY
@given(st.data())
def test_any_message_of_the_contract(data: st.DataObject) -> None:
    check_both_ways(data.draw(plain_arguments(data.draw(st.sampled_from(contract_types())))))


@MANY
@given(plain_arguments(kinds_type(), 3))
def test_all_kinds_of_fields(message: Message) -> None:
    check_both_ways(message)


ODD: list[Any] = [
    *(None, True, False, 0, 1, -1, 1.0, 1.5, -0.0, 2**31, -(2**31) - 1, 2**63, 2**64, 1e300, 10**400, 1j),
    *("", "1", "1.0", "x", " 1", "1_0", "0x1", "+1", "١", "1e2", "true", "COLOUR_RED", "\ud800", "é", b"x"),
    *(
        "NaN",
        "Infinity",
        "-Infinity",
        "nan",
        "inf",
        "a===",
        "ab==",
        "a b",
        "1972-01-01T10:00:20.021Z",
        "3.5s",
    ),
    *([], [None], [[]], [1], [{}], (), ("x",)),
    *({}, {"": 0}, {"a": None}, {"class": 1}, {"1": 1}, {"true": {}}, {1: 2}),
]


def mutate(plain: Any, pick: random.Random, keys: list[str]) -> Any:
    """The same with one part replaced, renamed, doubled or taken away somewhere."""
    parts = (
        list(plain.items())
        if isinstance(plain, dict)
        else list(enumerate(plain))
        if isinstance(plain, list)
        else []
    )
    if not parts or pick.random() < 0.3:
        return pick.choice(ODD)
    key, value = pick.choice(parts)
    changed = {key: mutate(value, pick, keys)} if pick.random() < 0.7 else {pick.choice(keys): value}
    if isinstance(plain, dict):
        return {**plain, **changed}
    return [changed.get(index, item) for index, item in parts]


def accepts(kind: type[Message], plain: Any) -> Message | None:
    try:
        message = kind()
        json_format.ParseDict(plain, message)
        message.SerializeToString()
    except Exception:
        return None
    return message


@MANY
@given(st.data(), st.randoms(use_true_random=False))
def test_whatever_is_wrong_is_malformed(data: st.DataObject, pick: random.Random) -> None:
    """Never another exception; what is taken means what it means to json_format, too."""
    descriptor = data.draw(st.sampled_from(TYPES))
    kind = class_of(descriptor)
    keys = [name for field in descriptor.fields for name in (field.name, field.json_name)] + ["nonsense", ""]
    plain = to_plain(data.draw(plain_arguments(descriptor, 3)))
    for _ in range(pick.randint(1, 3)):
        plain = mutate(plain, pick, keys)
    try:
        message = from_plain(kind, plain)
    except Malformed as error:
        assert error.reason and error.message
        assert error.path.isprintable()
    else:
        other = accepts(kind, plain)
        assert other is not None
        assert repr(sort(to_plain(message))) == repr(sort(reference(other)))
