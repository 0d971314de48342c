"""Messages to plain dicts: one generated function a message type.

For a type with the fields `holder`, `units` and `optional int32 since_round` it is

    def write(m):
        d = {}
        d["holder"] = m.holder
        d["units"] = m.units
        if m.HasField("since_round"):
            d["sinceRound"] = m.since_round
        return d
"""

import base64
import math
import threading
from collections.abc import Callable
from keyword import iskeyword
from typing import Any, cast

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor, OneofDescriptor
from google.protobuf.internal import type_checkers
from google.protobuf.message import Message

from protojson import wellknown

Writer = Callable[[Any], Any]


def to_plain(message: Message) -> Any:
    """The message as plain JSON data: a new dict (of a google.protobuf.Value, what it stands for).

    Raises ValueError for a google.protobuf.Value that holds an infinity or NaN, which JSON cannot express.
    """
    return _writers.writer(cast(Descriptor, message.DESCRIPTOR))(message)


def _double(value: float) -> float | str:
    if math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def _single(value: float) -> float | str:
    return type_checkers.ToShortestFloat(value) if math.isfinite(value) else _double(value)


def _base64(value: bytes) -> str:
    return base64.b64encode(value).decode("ascii")


def _map_key(key: int | bool) -> str:
    return str(key).lower()


# What the generated code calls to write a scalar; others are written as they are.
_CALLS = {
    FieldDescriptor.TYPE_DOUBLE: "double",
    FieldDescriptor.TYPE_FLOAT: "single",
    FieldDescriptor.TYPE_BYTES: "base64",
    **dict.fromkeys(
        (
            FieldDescriptor.TYPE_INT64,
            FieldDescriptor.TYPE_UINT64,
            FieldDescriptor.TYPE_SINT64,
            FieldDescriptor.TYPE_FIXED64,
            FieldDescriptor.TYPE_SFIXED64,
        ),
        "str",
    ),
}


def _in_order(descriptor: Descriptor | OneofDescriptor) -> list[FieldDescriptor]:
    return sorted(descriptor.fields, key=lambda field: field.number)


def _attribute(m: str, field: FieldDescriptor) -> str:
    return f"getattr({m}, {field.name!r})" if iskeyword(field.name) else f"{m}.{field.name}"


def _is_flat(descriptor: Descriptor) -> bool:
    """Whether the message is a few scalars that are always printed, and so one dict display."""
    return not wellknown.is_wellknown(descriptor) and not any(
        field.is_repeated or field.has_presence for field in descriptor.fields
    )


class _Writers:
    """The writers made so far, and the names that generated code calls them by."""

    def __init__(self) -> None:
        self._space: dict[str, Any] = {
            "double": _double,
            "single": _single,
            "base64": _base64,
            "map_key": _map_key,
        }
        self._names: dict[Descriptor | EnumDescriptor, str] = {}
        self._made: dict[Descriptor, Writer] = {}
        self._lock = threading.Lock()

    def writer(self, descriptor: Descriptor) -> Writer:
        if (made := self._made.get(descriptor)) is None:
            with self._lock:
                made = self._made[descriptor] = self._space[self._message(descriptor)]
        return made

    def _message(self, descriptor: Descriptor) -> str:
        """The name of the type's writer, made (with all that it calls) if need be."""
        if descriptor in self._names:
            return self._names[descriptor]
        name = self._names[descriptor] = f"write_{len(self._names)}_{descriptor.name}"
        if wellknown.is_wellknown(descriptor):
            self._space[name] = wellknown.WRITERS.get(descriptor.full_name, wellknown.write_other)
        else:
            exec(self._source(name, descriptor), self._space)
        return name

    def _source(self, name: str, descriptor: Descriptor) -> str:
        if _is_flat(descriptor):
            return f"def {name}(m): return {self._display(descriptor, 'm')}\n"
        lines = [f"def {name}(m):", "d = {}"]
        for field in _in_order(descriptor):
            group = field.containing_oneof
            if group is not None and len(group.fields) > 1:
                lines += self._oneof(f"{name}_{group.name}", group) if field == _in_order(group)[0] else []
                continue
            line = f"d[{field.json_name!r}] = {self._field(field, _attribute('m', field))}"
            lines.append(f"if m.HasField({field.name!r}): {line}" if field.has_presence else line)
        return "\n    ".join([*lines, "return d\n"])

    def _oneof(self, table: str, group: OneofDescriptor) -> list[str]:
        """Lines for all members: a look into a table made here, name -> (JSON name, writer)."""
        members = (f"{f.name!r}: ({f.json_name!r}, lambda v: {self._field(f, 'v')})" for f in group.fields)
        exec(f"{table} = {{{', '.join(members)}}}", self._space)
        return [
            f"if (member := m.WhichOneof({group.name!r})) is not None:",
            f"    key, write = {table}[member]",
            "    d[key] = write(getattr(m, member))",
        ]

    def _display(self, flat: Descriptor, m: str) -> str:
        """Python for the dict of a flat message that the name `m` stands for."""
        pairs = (
            f"{field.json_name!r}: {self._field(field, _attribute(m, field))}" for field in _in_order(flat)
        )
        return f"{{{', '.join(pairs)}}}"

    def _field(self, field: FieldDescriptor, had: str) -> str:
        """Python for the plain value of a field, where `had` is Python for what the message has."""
        if not field.is_repeated:
            return self._single_value(field, had)
        entry = field.message_type
        if entry is not None and entry.GetOptions().map_entry:
            keys, values = entry.fields_by_name["key"], entry.fields_by_name["value"]
            key = "k" if keys.type == FieldDescriptor.TYPE_STRING else "map_key(k)"
            value = self._single_value(values, "v[k]")
            return f"{{{key}: {value} for k in sorted(v)}} if (v := {had}) else {{}}"
        if entry is not None and _is_flat(entry):
            value = self._display(entry, "x")
        else:
            value = self._single_value(field, "x")
        # A slice is a list made in one call: much faster than iterating over the container.
        return f"{'v[:]' if value == 'x' else f'[{value} for x in v[:]]'} if (v := {had}) else []"

    def _single_value(self, field: FieldDescriptor, had: str) -> str:
        if field.message_type is not None:
            return f"{self._message(field.message_type)}({had})"
        if field.enum_type is not None:
            return f"{self._enum(field.enum_type)}.get(e := {had}, e)"
        return f"{_CALLS[field.type]}({had})" if field.type in _CALLS else had

    def _enum(self, enum: EnumDescriptor) -> str:
        """The name of the enum's table number -> name (the first one of aliases)."""
        if enum not in self._names:
            name = self._names[enum] = f"names_{len(self._names)}_{enum.name}"
            null = enum.full_name == wellknown.NULL_VALUE
            self._space[name] = {
                value.number: None if null else value.name for value in reversed(enum.values)
            }
        return self._names[enum]


_writers = _Writers()
