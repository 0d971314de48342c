"""What a game's protobuf package says about its calls."""

import importlib
import pkgutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from google.api import annotations_pb2  # type: ignore[import-untyped]
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

RECORD, VERDICT = "signalbox.v1.ForeignRecord", "signalbox.v1.Verdict"


class ContractError(Exception):
    """A proto package that the gateway cannot serve."""


@dataclass(frozen=True, slots=True, eq=False)
class Rpc:
    """One call of a game's service and the HTTP request that makes it."""

    game: str
    descriptor: MethodDescriptor
    verb: str
    """`GET` (the request's fields are in the query) or `POST` (the request is the body)."""
    path: str
    request: type[Message]
    response: type[Message]

    @property
    def name(self) -> str:
        return self.descriptor.name

    @property
    def full_name(self) -> str:
        """`/package.Service/Method`, as gRPC has it."""
        return f"/{self.descriptor.containing_service.full_name}/{self.name}"

    @property
    def streams(self) -> bool:
        return self.descriptor.server_streaming

    @property
    def takes_record(self) -> bool:
        """Whether its request may carry a whole record, and so be larger than others."""
        return any(_is(field, RECORD) for field in self.descriptor.input_type.fields)

    @property
    def picture(self) -> bool:
        """Whether its response has an SVG document in the field `svg`."""
        field = self.descriptor.output_type.fields_by_name.get("svg")
        return field is not None and field.type == FieldDescriptor.TYPE_STRING

    @property
    def items(self) -> FieldDescriptor | None:
        """Of a streaming call, the list that its batches make up together; the rest comes with the last."""
        lists = [field for field in self.descriptor.output_type.fields if field.is_repeated]
        return lists[0] if self.streams and len(lists) == 1 and lists[0].message_type else None

    @property
    def judges(self) -> bool:
        """Whether its response has a verdict, its own or one in each item of a stream."""
        item = self.items.message_type if self.items is not None else None
        return any(_is(field, VERDICT) for field in (item or self.descriptor.output_type).fields)


def _is(field: FieldDescriptor, name: str) -> bool:
    return field.message_type is not None and field.message_type.full_name == name


def rpcs(game: str, package: str) -> list[Rpc]:
    """All calls that the package declares an HTTP form for. Raises ContractError."""
    found = [rpc for service_file in _modules(package) for rpc in _of_file(game, service_file)]
    if not found:
        raise ContractError(f"the package {package} declares no call with google.api.http")
    for rpc in found:
        if rpc.path.split(":")[0] != f"/v1/games/{game}":
            raise ContractError(f"{rpc.full_name} has the path {rpc.path}, which is not of the game {game}")
    return found


def _modules(package: str) -> Iterator[object]:
    try:
        folder = importlib.import_module(package)
    except ImportError as error:
        raise ContractError(f"there are no stubs of the package {package}; say make setup") from error
    for module in pkgutil.iter_modules(folder.__path__, f"{package}."):
        if module.name.endswith("_pb2"):
            yield importlib.import_module(module.name)


def _of_file(game: str, module: object) -> Iterator[Rpc]:
    for service in module.DESCRIPTOR.services_by_name.values():  # type: ignore[attr-defined]
        for method in service.methods:
            rule = method.GetOptions().Extensions[annotations_pb2.http]
            verb = rule.WhichOneof("pattern")
            if verb is None:
                continue
            path = getattr(rule, verb)
            if (verb, rule.body) not in (("get", ""), ("post", "*")) or "{" in path:
                raise ContractError(
                    f"{method.full_name}: only get, and post of the whole body, to fixed paths"
                )
            yield Rpc(
                game,
                method,
                verb.upper(),
                path,
                *map(GetMessageClass, (method.input_type, method.output_type)),
            )


def message_types(calls: Sequence[Rpc], answers: bool = True) -> list[Descriptor]:
    """The types of all requests (and responses) and all that they are made of, in order of their names."""
    found: dict[str, Descriptor] = {}

    def visit(descriptor: Descriptor) -> None:
        if descriptor.full_name not in found:
            found[descriptor.full_name] = descriptor
            for field in descriptor.fields:
                if field.message_type is not None:
                    visit(field.message_type)

    for rpc in calls:
        visit(rpc.descriptor.input_type)
        if answers:
            visit(rpc.descriptor.output_type)
    return [found[name] for name in sorted(found)]
