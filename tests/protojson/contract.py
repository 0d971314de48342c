"""The message types that the codec is held to, and strategies that make messages of them."""

import importlib
import math
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import signalbox
from google.protobuf import descriptor_pb2, descriptor_pool
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from grpc_tools import protoc  # type: ignore[import-untyped]
from hypothesis import strategies as st

HERE = Path(__file__).parent
LARGEST = float.fromhex("0x1.fffffep+127")
"""The largest single, which json_format prints a little too large to read it again itself."""


@cache
def contract_types() -> tuple[Descriptor, ...]:
    """Every message type of every package under `signalbox.`."""
    names: set[str] = set()
    found: list[Descriptor] = []

    def collect(descriptor: Descriptor) -> None:
        if not descriptor.GetOptions().map_entry and descriptor.full_name not in names:
            names.add(descriptor.full_name)
            found.append(descriptor)
        for nested in descriptor.nested_types:
            collect(nested)

    for place in map(Path, signalbox.__path__):
        for path in sorted(place.rglob("*_pb2.py")):
            parts = path.relative_to(place.parent).with_suffix("").parts
            file = importlib.import_module(".".join(parts)).DESCRIPTOR
            for descriptor in file.message_types_by_name.values():
                collect(descriptor)
    return tuple(found)


@cache
def kinds_type() -> Descriptor:
    """`kinds.v1.Kinds` of kinds.proto."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "kinds.pb"
        google = Path(protoc.__file__).parent / "_proto"
        arguments = [f"-I{HERE}", f"-I{google}", f"--descriptor_set_out={out}", "kinds.proto"]
        assert protoc.main(["protoc", *arguments]) == 0
        files = descriptor_pb2.FileDescriptorSet.FromString(out.read_bytes())
    for imported in ("any", "duration", "struct", "timestamp", "wrappers"):
        importlib.import_module(f"google.protobuf.{imported}_pb2")
    pool = descriptor_pool.Default()
    pool.AddSerializedFile(files.file[0].SerializeToString())
    return pool.FindMessageTypeByName("kinds.v1.Kinds")


def class_of(descriptor: Descriptor) -> type[Message]:
    return GetMessageClass(descriptor)


def _edges(low: int, high: int) -> st.SearchStrategy[int]:
    return st.sampled_from([low, high, 0, 1]) | st.integers(low, high)


LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**53), 2**53),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=5),
)
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
SCALARS: dict[int, st.SearchStrategy[Any]] = {
    FieldDescriptor.CPPTYPE_INT32: _edges(-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_INT64: _edges(-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT32: _edges(0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_UINT64: _edges(0, 2**64 - 1),
    FieldDescriptor.CPPTYPE_BOOL: st.booleans(),
    FieldDescriptor.CPPTYPE_DOUBLE: st.floats(allow_nan=False) | st.just(math.nan),
    FieldDescriptor.CPPTYPE_FLOAT: st.floats(allow_nan=False, width=32).filter(lambda x: abs(x) != LARGEST)
    | st.just(math.nan),
    FieldDescriptor.CPPTYPE_STRING: st.text(max_size=8),
}


def _one(field: FieldDescriptor, depth: int) -> st.SearchStrategy[Any]:
    """Something that the constructor of the message around takes for one value of the field."""
    if field.message_type is not None:
        return plain_arguments(field.message_type, depth - 1)
    if field.enum_type is not None:
        return st.sampled_from([value.number for value in field.enum_type.values])
    if field.type == FieldDescriptor.TYPE_BYTES:
        return st.binary(max_size=8)
    return SCALARS[field.cpp_type]


def _value(field: FieldDescriptor, depth: int) -> st.SearchStrategy[Any]:
    entry = field.message_type
    if entry is not None and entry.GetOptions().map_entry:
        keys, values = entry.fields_by_name["key"], entry.fields_by_name["value"]
        return st.dictionaries(_one(keys, depth), _one(values, depth), max_size=3)
    return st.lists(_one(field, depth), max_size=3) if field.is_repeated else _one(field, depth)


@cache
def plain_arguments(descriptor: Descriptor, depth: int = 6) -> st.SearchStrategy[Any]:
    """Messages of a type, made of some of their fields. (Oneofs settle themselves: the last member stays.)"""
    kind = class_of(descriptor)
    name = descriptor.full_name
    special: dict[str, st.SearchStrategy[Any]] = {
        "google.protobuf.Struct": st.dictionaries(st.text(max_size=4), JSON, max_size=3).map(
            lambda plain: _parsed(kind, plain)
        ),
        "google.protobuf.Value": JSON.map(lambda plain: _parsed(kind, plain)),
        "google.protobuf.ListValue": st.lists(JSON, max_size=3).map(lambda plain: _parsed(kind, plain)),
        "google.protobuf.Any": st.just(kind()),
        "google.protobuf.Timestamp": st.integers(0, 10**9).map(lambda seconds: kind(seconds=seconds)),
        "google.protobuf.Duration": st.integers(0, 10**9).map(lambda seconds: kind(seconds=seconds)),
    }
    if name in special:
        return special[name]
    if depth <= 0:
        return st.builds(kind)

    @st.composite
    def build(draw: st.DrawFn) -> Message:
        message = kind()
        fields = list(descriptor.fields)
        chosen = (
            fields if len(fields) < 4 else draw(st.lists(st.sampled_from(fields), max_size=8, unique=True))
        )
        for field in chosen:
            message.MergeFrom(kind(**{field.name: draw(_value(field, depth))}))
        return message

    return build()


def _parsed(kind: type[Message], plain: Any) -> Message:
    from google.protobuf import json_format

    return json_format.ParseDict(plain, kind())


def full(descriptor: Descriptor, depth: int = 4) -> Message:
    """A message with every field set to something (of a oneof, one member)."""
    kind = class_of(descriptor)
    message = kind()
    for field in descriptor.fields:
        if depth > 0 or field.message_type is None:
            for part in _examples(field, depth):
                message.MergeFrom(kind(**{field.name: part}))
    return message


def _examples(field: FieldDescriptor, depth: int) -> Iterator[Any]:
    plain: dict[int, Any] = {
        FieldDescriptor.CPPTYPE_BOOL: True,
        FieldDescriptor.CPPTYPE_STRING: b"\x00\xff" if field.type == FieldDescriptor.TYPE_BYTES else 'č"\\',
        FieldDescriptor.CPPTYPE_DOUBLE: 0.5,
        FieldDescriptor.CPPTYPE_FLOAT: 0.5,
    }
    entry = field.message_type
    if entry is not None and entry.GetOptions().map_entry:
        key = next(_examples(entry.fields_by_name["key"], depth))
        yield {key: next(_examples(entry.fields_by_name["value"], depth))}
        return
    if entry is not None:
        special: dict[str, Any] = {
            "google.protobuf.Struct": {"a": [1, None, {"b": "c"}]},
            "google.protobuf.Value": [1.5, None],
            "google.protobuf.Any": {},
        }
        known = special.get(entry.full_name)
        one: Any = _parsed(class_of(entry), known) if known is not None else full(entry, depth - 1)
    elif field.enum_type is not None:
        one = field.enum_type.values[-1].number
    else:
        one = plain.get(field.cpp_type, 7)
    yield [one, one] if field.is_repeated else one
