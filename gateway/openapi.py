"""The OpenAPI 3.1 document of all games, made from their descriptors and comments."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson
import yaml
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from signalbox.v1 import error_reason_pb2

from gateway.comments import comments
from gateway.contract import Rpc, message_types
from gateway.examples import Ask, Example, examples

Infos = Mapping[str, dict[str, Any] | None]

BASE = Path(__file__).with_name("openapi_base.yaml")
LEFT_OUT_OF_LIST = frozenset({"rulebook", "moveKinds"})
"""What the list of games leaves to Describe."""

_SCALARS: Mapping[int, dict[str, Any]] = {
    FieldDescriptor.CPPTYPE_INT32: {"type": "integer", "format": "int32"},
    FieldDescriptor.CPPTYPE_UINT32: {"type": "integer", "minimum": 0, "maximum": 2**32 - 1},
    FieldDescriptor.CPPTYPE_INT64: {"type": "string", "format": "int64"},
    FieldDescriptor.CPPTYPE_UINT64: {"type": "string", "format": "uint64"},
    FieldDescriptor.CPPTYPE_FLOAT: {"type": "number", "format": "float"},
    FieldDescriptor.CPPTYPE_DOUBLE: {"type": "number", "format": "double"},
    FieldDescriptor.CPPTYPE_BOOL: {"type": "boolean"},
    FieldDescriptor.CPPTYPE_STRING: {"type": "string"},
}
_WELL_KNOWN: Mapping[str, dict[str, Any]] = {
    "google.protobuf.Struct": {"type": "object"},
    "google.protobuf.ListValue": {"type": "array"},
    "google.protobuf.Value": {},
}
_LINES = """

As `application/x-ndjson`, when the client accepts it: one line an item, as it is found, and a last line with
the rest. A failure in the middle is a last line `{"problem": ...}`. Lines come before the whole is known, so
`Prefer: handling=strict` does nothing to them: look at the verdicts, or at `legal` in the last line."""


class Document:
    """The document of these calls. It has examples of the games that say what they offer."""

    def __init__(self, calls: Sequence[Rpc]) -> None:
        self._calls = calls
        self._text = b""

    def text(self, describe: Callable[[], Infos], ask: Ask) -> bytes:
        """It as JSON. `describe` asks what each game says of itself, `ask` what it answers to a call, until
        all games have answered once."""
        if self._text:
            return self._text
        infos = describe()
        shown = {
            game: examples([rpc for rpc in self._calls if rpc.game == game], info, ask) if info else {}
            for game, info in infos.items()
        }
        text = orjson.dumps(
            self._made(infos, {key: one for game in shown.values() for key, one in game.items()})
        )
        if all(shown.values()):
            self._text = text
        return text

    def _made(self, infos: Infos, shown: Mapping[Rpc, Example]) -> dict[str, Any]:
        made: dict[str, Any] = yaml.safe_load(BASE.read_text("utf-8"))
        for rpc in self._calls:
            made["paths"].setdefault(rpc.path, {})[rpc.verb.lower()] = _operation(rpc, shown.get(rpc))
        games = dict.fromkeys(rpc.game for rpc in self._calls)
        made["tags"] = [
            {"name": game, "description": (infos.get(game) or {}).get("title", game)} for game in games
        ]
        schemas = made["components"]["schemas"]
        schemas |= _schemas(self._calls)
        for name, schema in schemas.get("signalbox.v1.GameInfo", {}).get("properties", {}).items():
            if name not in LEFT_OUT_OF_LIST:
                schemas["ListedGame"]["properties"].setdefault(name, schema)
        described = _enum(error_reason_pb2.ErrorReason.DESCRIPTOR, "ERROR_REASON_")
        reasons = {**described, "enum": described["enum"][1:]}  # the first is none
        schemas["Problem"]["properties"]["reason"] = reasons
        return made


def _ref(name: str, kind: str = "schemas") -> dict[str, Any]:
    return {"$ref": f"#/components/{kind}/{name}"}


def _operation(rpc: Rpc, example: Example | None) -> dict[str, Any]:
    text = comments().get(rpc.descriptor.full_name, rpc.name)
    answer: dict[str, dict[str, Any]] = {
        "application/json": {"schema": _ref(rpc.descriptor.output_type.full_name)}
    }
    if example is not None and example.answer is not None:
        answer["application/json"]["example"] = example.answer
    if rpc.items is not None:
        answer["application/x-ndjson"] = {"schema": {"type": "string"}}
    if rpc.picture:
        answer["image/svg+xml"] = {"schema": {"type": "string"}}
    parameters = ["AcceptLanguage", "RequestId", "Timeout", *(["Prefer"] if rpc.judges else [])]
    problem = _ref("Problem", "responses")
    operation: dict[str, Any] = {
        "operationId": f"{rpc.descriptor.containing_service.name}_{rpc.name}",
        "tags": [rpc.game],
        "summary": text.split(". ")[0].rstrip("."),
        "description": text + (_LINES if rpc.items is not None else ""),
        "parameters": [_ref(name, "parameters") for name in parameters],
        "responses": {
            "200": {"description": "The answer.", "content": answer},
            **({"422": problem} if rpc.judges else {}),
            "default": problem,
        },
    }
    if rpc.verb == "POST":
        body: dict[str, Any] = {"schema": _ref(rpc.descriptor.input_type.full_name)}
        if example is not None:
            body["example"] = example.request
        operation["requestBody"] = {"required": True, "content": {"application/json": body}}
    return operation


def _schemas(calls: Sequence[Rpc]) -> dict[str, Any]:
    asked = {descriptor.full_name for descriptor in message_types(calls, answers=False)}
    found: dict[str, Any] = {}
    for descriptor in message_types(calls):
        if descriptor.full_name in _WELL_KNOWN or descriptor.GetOptions().map_entry:
            continue
        found[descriptor.full_name] = _message(descriptor, answered=descriptor.full_name not in asked)
        for field in descriptor.fields:
            if field.enum_type is not None:
                found[field.enum_type.full_name] = _enum(field.enum_type)
    return dict(sorted(found.items()))


def _message(descriptor: Descriptor, answered: bool) -> dict[str, Any]:
    """`answered`: it is only ever part of answers, where fields without presence are always there."""
    paragraphs = [comments().get(descriptor.full_name, "")]
    for oneof in descriptor.oneofs:
        if len(oneof.fields) > 1:
            members = ", ".join(f"`{field.json_name}`" for field in oneof.fields)
            paragraphs.append(f"At most one of {members}.")
    schema: dict[str, Any] = {
        "type": "object",
        "description": "\n\n".join(filter(None, paragraphs)),
        "properties": {field.json_name: _field(field) for field in descriptor.fields},
        "additionalProperties": False,
    }
    always = [field.json_name for field in descriptor.fields if not field.has_presence]
    return {**schema, "required": always} if answered and always else schema


def _field(field: FieldDescriptor) -> dict[str, Any]:
    entry = field.message_type
    if entry is not None and entry.GetOptions().map_entry:
        schema = {"type": "object", "additionalProperties": _one(entry.fields_by_name["value"])}
    elif field.is_repeated:
        schema = {"type": "array", "items": _one(field)}
    else:
        schema = _one(field)
    text = comments().get(field.full_name)
    return {**schema, "description": text} if text else schema


def _one(field: FieldDescriptor) -> dict[str, Any]:
    if field.message_type is not None:
        known = _WELL_KNOWN.get(field.message_type.full_name)
        return _ref(field.message_type.full_name) if known is None else dict(known)
    if field.enum_type is not None:
        return _ref(field.enum_type.full_name)
    return dict(_SCALARS[field.cpp_type])


def _enum(enum: EnumDescriptor, prefix: str = "") -> dict[str, Any]:
    """Its values as texts without the prefix."""
    names = {value.name: value.name.removeprefix(prefix) for value in enum.values}
    lines = [comments().get(enum.full_name, ""), ""]
    for full, name in names.items():
        lines.append(f"* `{name}`: {comments().get(f'{enum.full_name}.{full}', '')}")
    return {
        "type": "string",
        "enum": list(names.values()),
        "description": "\n".join(lines),
    }
