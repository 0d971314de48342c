"""Plain dicts to messages: one generated function a message type.

It checks everything and gives the keyword arguments of the message's constructor, which then builds the whole
tree in one call. For a type with the fields `holder` and `repeated Item items` it is

    def read(plain, depth):
        if type(plain) is not dict or depth < 0: refuse(plain, depth)
        get, out, taken = plain.get, {}, 0
        v = get("holder")
        if v is not None:
            taken += 1
            out["holder"] = v if type(v) is str else string(v, "holder")
        v = get("items")
        if v is not None:
            taken += 1
            ... # out["items"] = [read_Item(x, depth - 1) for x in v], telling the index when one fails
        if taken != len(plain): rest(plain, out, FIELDS, depth)
        return out

`rest` takes what is not spelled in camelCase, the members of oneofs (of many, few are there) and the fields
for which null is a value, and finds unknown fields. `depth` is how many more levels of messages there may be.
"""

import difflib
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple, TypeVar, cast

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from protojson import scalars, wellknown
from protojson.malformed import Malformed, join, shown, step, wrong_type

MAX_DEPTH = 100
"""Levels of messages below the outermost one: as many as protobuf itself reads."""

M = TypeVar("M", bound=Message)
Reader = Callable[[Any, int], Any]


def from_plain(kind: type[M], plain: Any, max_depth: int = MAX_DEPTH) -> M:
    """The message of this class that plain JSON data stands for. Raises Malformed.

    Field names are taken in camelCase and in snake_case; a null field is one that is not there.
    """
    descriptor = cast(Descriptor, kind.DESCRIPTOR)
    arguments = _readers.reader(descriptor)(plain, max_depth)
    try:
        return wellknown.build(kind, arguments)
    except UnicodeEncodeError as error:
        path = next(_unencodable(plain), "")
        raise Malformed(path, "bad_format", "has half of a surrogate pair, which is no character") from error


def _unencodable(plain: Any, path: str = "") -> Iterator[str]:
    """The paths of texts that UTF-8 cannot express."""
    if isinstance(plain, str):
        if any("\ud800" <= char <= "\udfff" for char in plain):
            yield path
    elif isinstance(plain, dict):
        for key, value in plain.items():
            yield from _unencodable(key, path)
            yield from _unencodable(value, join(path, shown(key).strip('"')))
    elif isinstance(plain, list | tuple):
        for index, value in enumerate(plain):
            yield from _unencodable(value, f"{path}[{index}]")


class _Field(NamedTuple):
    name: str
    json_name: str
    oneof: str | None
    straight: bool
    """Whether the type's own code takes it where it is spelled in camelCase."""
    takes_null: bool
    read: Callable[[Any, dict[str, Any], int], None]
    """(value, arguments to put it into, depth)"""


def _refuse(plain: Any, depth: int) -> None:
    if depth < 0:
        raise Malformed("", "too_deep", "is nested too deeply")
    raise wrong_type("", "an object", plain)


def _array(value: Any, path: str) -> Any:
    if type(value) is not tuple:
        raise wrong_type(path, "an array", value)
    return value


def _object(value: Any, path: str) -> None:
    raise wrong_type(path, "an object", value)


def _rest(plain: dict[str, Any], out: dict[str, Any], fields: Mapping[str, _Field], depth: int) -> None:
    members: dict[str, str] = {}
    for key, value in plain.items():
        field = fields.get(key)
        if field is None:
            close = difflib.get_close_matches(str(key)[:80], fields, n=1)
            hint = f"; did you mean {fields[close[0]].json_name}?" if close else ""
            path = key if type(key) is str and key.isidentifier() and len(key) <= 60 else step(key)
            raise Malformed(path, "unknown_field", "is no field of this message" + hint)
        if (field.straight and key == field.json_name) or (value is None and not field.takes_null):
            continue
        if field.name in out:
            raise Malformed(
                field.json_name, "given_twice", f"is given as {field.json_name} and as {field.name}"
            )
        if (
            field.oneof is not None
            and (other := members.setdefault(field.oneof, field.json_name)) != field.json_name
        ):
            raise Malformed(field.json_name, "given_twice", f"cannot be given beside {other}")
        field.read(value, out, depth)


class _Readers:
    """The readers made so far, and the names that generated code calls them by."""

    def __init__(self) -> None:
        self._space: dict[str, Any] = {
            "Malformed": Malformed,
            "step": step,
            "refuse": _refuse,
            "array": _array,
            "object_": _object,
            "rest": _rest,
            "binary": scalars.binary,
            "boolean_key": scalars.boolean_key,
            **{f"scalar_{kind}": read for kind, read in scalars.SCALARS.items()},
        }
        self._names: dict[Descriptor | EnumDescriptor, str] = {}
        self._made: dict[Descriptor, Reader] = {}
        self._lock = threading.Lock()

    def reader(self, descriptor: Descriptor) -> Reader:
        if (made := self._made.get(descriptor)) is None:
            with self._lock:
                made = self._made[descriptor] = self._space[self._message(descriptor)]
        return made

    def _message(self, descriptor: Descriptor) -> str:
        """The name of the type's reader, made (with all that it calls) if need be."""
        if descriptor in self._names:
            return self._names[descriptor]
        name = self._names[descriptor] = f"read_{len(self._names)}_{descriptor.name}"
        if descriptor.full_name in wellknown.READERS:
            self._space[name] = wellknown.READERS[descriptor.full_name]
        elif wellknown.is_wellknown(descriptor):
            kind = GetMessageClass(descriptor)
            self._space[name] = lambda plain, depth: wellknown.read_other(kind(), plain, depth)
        else:
            self._generate(name, descriptor)
        return name

    def _generate(self, name: str, descriptor: Descriptor) -> None:
        source = [
            f"def {name}(plain, depth):",
            "    if type(plain) is not dict or depth < 0: refuse(plain, depth)",
            "    get, out, taken = plain.get, {}, 0",
        ]
        fields: dict[str, _Field] = {}
        for field in descriptor.fields:
            body = self._field(field)
            exec("\n    ".join(["def field(v, out, depth):", *body]), self._space)
            null = _takes_null(field)
            # An `optional` field is alone in a oneof that the compiler made up.
            group = field.containing_oneof
            oneof = group.name if group is not None and len(group.fields) > 1 else None
            entry = _Field(
                field.name,
                field.json_name,
                oneof,
                oneof is None and not null,
                null,
                self._space.pop("field"),
            )
            fields[field.name] = fields[field.json_name] = entry
            if entry.straight:
                source += [f"    v = get({field.json_name!r})", "    if v is not None:", "        taken += 1"]
                source += [f"        {line}" for line in body]
        source += [f"    if taken != len(plain): rest(plain, out, fields_{name}, depth)", "    return out"]
        self._space[f"fields_{name}"] = fields
        exec("\n".join(source), self._space)

    def _field(self, field: FieldDescriptor) -> list[str]:
        """Lines that put the JSON value `v` of a field into `out`."""
        key, target = field.json_name, f"out[{field.name!r}]"
        entry = field.message_type
        if entry is not None and entry.GetOptions().map_entry:
            keys = self._map_key(entry.fields_by_name["key"])
            item = self._map_value(entry.fields_by_name["value"])
            return [
                f"if type(v) is not dict: object_(v, {key!r})",
                f"items = {target} = {{}}",
                "for k, x in v.items():",
                f"    try: items[{keys}] = {item}",
                f"    except Malformed as bad: raise bad.under({key!r} + step(k)) from None",
            ]
        if field.is_repeated:
            return [
                f"if type(v) is not list: v = array(v, {key!r})",
                f"items = {target} = []",
                "try:",
                f"    for x in v: items.append({self._single(field, 'x', '', 1)})",
                f"except Malformed as bad: raise bad.under(f'{key}[{{len(items)}}]') from None",
            ]
        if field.message_type is not None:
            return [
                f"try: {target} = {self._single(field, 'v', '', 1)}",
                f"except Malformed as bad: raise bad.under({key!r}) from None",
            ]
        return [f"{target} = {self._single(field, 'v', key, 1)}"]

    def _map_key(self, field: FieldDescriptor) -> str:
        if field.type == FieldDescriptor.TYPE_BOOL:
            return "boolean_key(k)"
        return self._single(field, "k", "", 0)

    def _map_value(self, field: FieldDescriptor) -> str:
        item = self._single(field, "x", "", 2)
        if field.message_type is None:
            return item
        # The constructor takes plain data for messages everywhere but as values of a map.
        make = f"make_{self._message(field.message_type)}"
        self._space[make] = partial(wellknown.build, GetMessageClass(field.message_type))
        return f"{make}({item})"

    def _single(self, field: FieldDescriptor, v: str, path: str, levels: int) -> str:
        """Python for one value of the field from the JSON value `v`, which it may name several times."""
        if field.message_type is not None:
            read = f"{self._message(field.message_type)}({v}, depth - {levels})"
            flat = self._flat(field.message_type, v, levels)
            return f"{flat} else {read}" if flat else read
        if field.enum_type is not None:
            enum = self._enum(field.enum_type)
            return f"{enum}[{v}] if type({v}) is str and {v} in {enum} else read_{enum}({v}, {path!r})"
        if field.type == FieldDescriptor.TYPE_BYTES:
            return f"binary({v}, {path!r})"
        fits, other = _fits(field, v), f"scalar_{field.cpp_type}({v}, {path!r})"
        return f"{v} if {fits} else {other}" if fits else other

    def _flat(self, descriptor: Descriptor, v: str, levels: int) -> str:
        """`A if B` for a message of a few scalars that is given in full, the way `to_plain` writes it: a
        short cut around its reader. Empty for other types."""
        if (
            wellknown.is_wellknown(descriptor)
            or not descriptor.fields
            or any(field.is_repeated or field.has_presence for field in descriptor.fields)
        ):
            return ""
        names = [f"{v}{number}" for number in range(len(descriptor.fields))]
        pairs = list(zip(descriptor.fields, names, strict=True))
        tests = [_fits(field, name) for field, name in pairs]
        if not all(tests):
            return ""
        parts = [f"type({v}) is dict and depth >= {levels} and len({v}) == {len(pairs)}"]
        for (field, name), test in zip(pairs, tests, strict=True):
            taken = f"({name} := {v}.get({field.json_name!r}))"
            parts.append(test.replace(name, taken, 1))  # where it is first spoken of
        kept = all(field.name == field.json_name for field in descriptor.fields)
        made = v if kept else f"{{{', '.join(f'{field.name!r}: {name}' for field, name in pairs)}}}"
        return f"{made} if {' and '.join(parts)}"

    def _enum(self, enum: EnumDescriptor) -> str:
        """The name of the enum's table name -> number; its reader is called `read_` and that."""
        if enum not in self._names:
            name = self._names[enum] = f"numbers_{len(self._names)}_{enum.name}"
            numbers = {value.name: value.number for value in enum.values}
            null = enum.full_name == wellknown.NULL_VALUE
            self._space[name], self._space[f"read_{name}"] = numbers, scalars.enumeration(numbers, null)
        return self._names[enum]


def _fits(field: FieldDescriptor, v: str) -> str:
    """Python for whether one JSON value `v` is what the constructor takes; empty where none can be."""
    if field.cpp_type in scalars.RANGES:
        low, high = scalars.RANGES[field.cpp_type]
        return f"type({v}) is int and {low} <= {v} <= {high}"
    if field.type == FieldDescriptor.TYPE_STRING:
        return f"type({v}) is str"
    return f"type({v}) is bool" if field.type == FieldDescriptor.TYPE_BOOL else ""


def _takes_null(field: FieldDescriptor) -> bool:
    """Whether null is a value of the field and not the lack of one."""
    kind = field.message_type or field.enum_type
    return (
        kind is not None
        and not field.is_repeated
        and kind.full_name in (wellknown.VALUE, wellknown.NULL_VALUE)
    )


_readers = _Readers()
