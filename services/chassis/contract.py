"""A game's protobuf service, found by its name: the chassis imports no game's generated modules."""

import importlib
import pkgutil
from typing import Any

from google.protobuf import descriptor_pool
from google.protobuf.descriptor import Descriptor, MethodDescriptor, ServiceDescriptor
from google.protobuf.message import DecodeError
from google.protobuf.message_factory import GetMessageClass

from protojson import from_plain, to_plain
from services.chassis.errors import malformed
from services.chassis.game import Plain


class Rpc:
    """One call of a service: bytes to request, plain answer to bytes."""

    def __init__(self, method: MethodDescriptor) -> None:
        self.name, self.streams = method.name, method.server_streaming
        self._request, self._response = (
            GetMessageClass(method.input_type),
            GetMessageClass(method.output_type),
        )

    def read(self, data: bytes) -> Any:
        """The request message.  Raises Refused."""
        try:
            return self._request.FromString(data)
        except DecodeError:
            raise malformed("", "The request is not a message of its type, or is nested too deep.") from None

    def write(self, answer: Plain) -> bytes:
        """The response message with this plain form, serialized."""
        return from_plain(self._response, answer).SerializeToString(deterministic=True)


def load(package: str) -> list[str]:
    """Import the generated modules of a protobuf package; the names of their proto files."""
    folder = importlib.import_module(package)
    names = [module.name for module in pkgutil.iter_modules(folder.__path__) if module.name.endswith("_pb2")]
    return [importlib.import_module(f"{package}.{name}").DESCRIPTOR.name for name in names]


def descriptor(service: str) -> ServiceDescriptor:
    """Of the service with this full name."""
    load(service.rpartition(".")[0])
    return descriptor_pool.Default().FindServiceByName(service)


def rpcs(service: str) -> dict[str, Rpc]:
    """The calls of a service, given by its full name, by their own names."""
    methods = descriptor(service).methods
    _compile([method.input_type for method in methods] + [method.output_type for method in methods])
    return {method.name: Rpc(method) for method in methods}


def _compile(waiting: list[Descriptor]) -> None:
    """Let the codec compile these message types and those in them now, not in the first calls."""
    seen = set()
    while waiting:
        kind = waiting.pop()
        if kind.full_name not in seen:
            seen.add(kind.full_name)
            message = GetMessageClass(kind)
            from_plain(message, to_plain(message()))
            waiting += [field.message_type for field in kind.fields if field.message_type]
