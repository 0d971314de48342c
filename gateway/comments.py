"""The comments of the contract, where setup left a descriptor set that has them."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import signalbox
from google.protobuf.descriptor_pb2 import FileDescriptorSet

FILE = "signalbox.binpb"

# What a declaration may have inside: attributes of parts, and the numbers of these fields.
_FILE_PARTS = (("message_type", 4), ("enum_type", 5), ("service", 6))
_PARTS = {
    "DescriptorProto": (("field", 2), ("nested_type", 3), ("enum_type", 4)),
    "EnumDescriptorProto": (("value", 2),),
    "ServiceDescriptorProto": (("method", 2),),
}


@cache
def comments() -> Mapping[str, str]:
    """The comment above each message, field, enum, value, service and method, by full name.

    The name of an enum's value is taken to be inside the enum.
    """
    found: dict[str, str] = {}
    for place in signalbox.__path__:
        file = Path(place).parent / FILE
        if file.is_file():
            for described in FileDescriptorSet.FromString(file.read_bytes()).file:
                written = {
                    tuple(location.path): location.leading_comments
                    for location in described.source_code_info.location
                }
                for name, path in _declared(described, described.package, (), _FILE_PARTS):
                    if text := written.get(path):
                        found[name] = _flowing(text)
    return found


def _declared(
    holder: Any, name: str, path: tuple[int, ...], parts: tuple[tuple[str, int], ...]
) -> Iterator[tuple[str, tuple[int, ...]]]:
    for attribute, number in parts:
        for index, part in enumerate(getattr(holder, attribute)):
            inner = f"{name}.{part.name}", (*path, number, index)
            yield inner
            yield from _declared(part, *inner, _PARTS.get(part.DESCRIPTOR.name, ()))


def _flowing(comment: str) -> str:
    """Paragraphs of one line each."""
    paragraphs = re.split(r"\n\s*\n", comment.strip())
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
