"""The ProtoJSON codec beside json_format, both ways."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from google.protobuf import json_format
from google.protobuf.message import Message

from protojson import from_plain, to_plain
from tests.bench.figures import Figure, side_by_side_ms
from tests.bench.gateway import loads


def measure() -> Iterator[Figure]:
    for load in loads()[::2]:
        message = load.request
        plain = to_plain(message)
        for direction, ours, theirs in (
            ("message to dict", partial(to_plain, message), partial(dict_of, message)),
            (
                "dict to message",
                partial(from_plain, type(message), plain),
                partial(message_of, message, plain),
            ),
        ):
            codec, reference = side_by_side_ms([ours, theirs])
            yield Figure(f"{load.name}: {direction}", codec, "ms")
            yield Figure(f"{load.name}: json_format : codec, {direction}", reference / codec, "times")


def dict_of(message: Message) -> Any:
    return json_format.MessageToDict(message, always_print_fields_with_no_presence=True)


def message_of(like: Message, plain: Any) -> Message:
    return json_format.ParseDict(plain, type(like)())
