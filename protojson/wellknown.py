"""google.protobuf types that ProtoJSON writes in their own ways.

Struct, Value and ListValue stand for plain JSON and are handled here. The others (Timestamp, Duration, Any,
wrappers, ...) are rare and left to `json_format` itself.

What the readers return is what the constructor of the message around takes for the field: plain JSON for a
Struct or a ListValue, keyword arguments for a Value, a message for the others.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message

from protojson.malformed import Malformed, step, wrong_type

STRUCT, VALUE, LIST_VALUE = "google.protobuf.Struct", "google.protobuf.Value", "google.protobuf.ListValue"
NULL_VALUE = "google.protobuf.NullValue"
_OTHERS = frozenset(
    f"google.protobuf.{name}"
    for name in (
        "Any Timestamp Duration FieldMask Empty BoolValue BytesValue DoubleValue FloatValue Int32Value "
        "Int64Value StringValue UInt32Value UInt64Value"
    ).split()
    if name != "Empty"  # an ordinary message without fields
)

M = TypeVar("M", bound=Message)


def is_wellknown(descriptor: Descriptor) -> bool:
    """Whether the type has a JSON form of its own."""
    return descriptor.full_name in READERS or descriptor.full_name in _OTHERS


def write_value(message: Any) -> Any:
    """A Value as plain JSON; ValueError for a number that JSON does not have."""
    kind = message.WhichOneof("kind")
    if kind is None or kind == "null_value":
        return None
    if kind == "struct_value":
        return write_struct(message.struct_value)
    if kind == "list_value":
        return write_list(message.list_value)
    value = getattr(message, kind)
    if kind == "number_value" and not math.isfinite(value):
        raise ValueError("a google.protobuf.Value holds a number that is not finite")
    return value


def write_struct(message: Any) -> dict[str, Any]:
    fields = message.fields
    return {key: write_value(fields[key]) for key in sorted(fields)}


def write_list(message: Any) -> list[Any]:
    return [write_value(value) for value in message.values[:]]


def write_other(message: Message) -> Any:
    return json_format.MessageToDict(message, always_print_fields_with_no_presence=True)


def _check(value: Any, depth: int) -> None:
    """Raise Malformed unless `value` is JSON that fits into a Value with `depth` more levels of messages."""
    kind = type(value)
    if depth < (kind is dict or kind is list or kind is tuple):
        raise Malformed("", "too_deep", "is nested too deeply")
    if kind is str or kind is bool or value is None:
        return
    if kind is int or kind is float:
        try:
            if math.isfinite(value):
                return
        except OverflowError:
            pass
        raise Malformed("", "out_of_range", "must be a number that fits into 64-bit floating point")
    if kind is dict:
        for key, item in value.items():
            if type(key) is not str:
                raise Malformed(step(key), "wrong_type", "the keys of an object must be strings")
            try:
                _check(item, depth - 3)  # Struct, its map entry, Value
            except Malformed as bad:
                raise bad.under(step(key)) from None
    elif kind is list or kind is tuple:
        for index, item in enumerate(value):
            try:
                _check(item, depth - 2)  # ListValue, Value
            except Malformed as bad:
                raise bad.under(f"[{index}]") from None
    else:
        raise Malformed("", "wrong_type", f"must be JSON, not {kind.__name__}")


def read_struct(value: Any, depth: int) -> Any:
    if type(value) is not dict:
        raise wrong_type("", "an object", value)
    _check(value, depth + 1)
    return value


def read_list(value: Any, depth: int) -> Any:
    if type(value) is not list and type(value) is not tuple:
        raise wrong_type("", "an array", value)
    _check(value, depth + 1)
    return value


def read_value(value: Any, depth: int) -> dict[str, Any]:
    _check(value, depth)
    if isinstance(value, dict):
        return {"struct_value": value}
    if isinstance(value, list | tuple):
        return {"list_value": value}
    if isinstance(value, bool):
        return {"bool_value": value}
    if isinstance(value, str):
        return {"string_value": value}
    return {"null_value": 0} if value is None else {"number_value": value}


def read_other(message: Message, value: Any, depth: int) -> Message:
    try:
        return json_format.ParseDict(value, message, max_recursion_depth=max(depth, 1))
    except Exception as error:  # it leaks AttributeError, TypeError, ... from what it calls
        raise Malformed("", "bad_format", f"is no {message.DESCRIPTOR.full_name} in JSON") from error


def build(kind: type[M], read: Any) -> M:
    """A message from what its reader returned, where no message is around it."""
    name = kind.DESCRIPTOR.full_name
    if isinstance(read, kind):
        return read
    if name != STRUCT and name != LIST_VALUE:
        return kind(**read)
    message: Any = kind()
    message.update(read) if name == STRUCT else message.extend(read)
    built: M = message
    return built


WRITERS: Mapping[str, Callable[[Any], Any]] = {
    STRUCT: write_struct,
    VALUE: write_value,
    LIST_VALUE: write_list,
}
READERS: Mapping[str, Callable[[Any, int], Any]] = {
    STRUCT: read_struct,
    VALUE: read_value,
    LIST_VALUE: read_list,
}
