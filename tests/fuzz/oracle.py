"""The service of 18CZ without a network: the chassis itself, bytes in and bytes out, faults as exceptions."""

import base64
from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

from google.protobuf import descriptor_pool
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from prometheus_client import CollectorRegistry

from protojson import from_plain, to_plain
from services.chassis import contract, keys
from services.chassis.errors import LONGEST_MESSAGE, LONGEST_PATH, Refused
from services.chassis.metrics import Metrics
from services.chassis.servicer import Servicer
from services.chassis.settings import Settings
from services.eighteen_cz.game import GAME
from services.ruleset.protocol import OutOfTime

Plain = dict[str, Any]

KEY = base64.b64encode(b"the sealing key of hostile tests").decode()
CALLS = tuple(contract.rpcs(GAME.service))

PATHLESS = frozenset({"OVERLOADED", "OUT_OF_TIME", "INTERNAL"})
"""Reasons that no field is to blame for."""


class _Details(NamedTuple):
    method: str
    invocation_metadata: tuple[tuple[str, str], ...] = ()


class _Context:
    """As much of a grpc.ServicerContext as the chassis uses."""

    def __init__(self, language: str) -> None:
        self._language = language

    def time_remaining(self) -> float | None:
        return None

    def cancel(self) -> bool:
        raise AssertionError("a stream is cut off by the service")

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return (("accept-language", self._language),)

    def send_initial_metadata(self, metadata: tuple[tuple[str, str], ...]) -> None:
        assert metadata[0][0] == "content-language" and metadata[0][1] in GAME.rulebook.languages

    set_trailing_metadata = send_initial_metadata


@cache
def types(call: str) -> tuple[type[Message], type[Message]]:
    """The request and response messages of a call."""
    method = descriptor_pool.Default().FindServiceByName(GAME.service).FindMethodByName(call)
    return GetMessageClass(method.input_type), GetMessageClass(method.output_type)


class Oracle:
    """Answers requests, or raises what is a bug.  A refusal must be one that the contract documents."""

    def __init__(self, **settings: Any) -> None:
        chosen = Settings(seal_keys=KEY, **settings)
        ring, _ = keys.load(chosen)
        service = Servicer(GAME, chosen, ring, Metrics(GAME.name, CollectorRegistry())).handlers()
        self._behaviours: dict[str, Any] = {}
        for call in CALLS:
            handler: Any = service.service(_Details(f"/{GAME.service}/{call}"))  # type: ignore[arg-type]
            self._behaviours[call] = handler.unary_unary or handler.unary_stream

    def ask_bytes(self, call: str, data: bytes, language: str = "en") -> list[Plain] | Refused:
        """The plain responses, or the refusal."""
        try:
            answer = self._behaviours[call](data, _Context(language))
            parts: Iterable[bytes] = [answer] if isinstance(answer, bytes) else list(answer)
        except OutOfTime:
            return Refused("OUT_OF_TIME", "the deadline passed")
        except Refused as refused:
            check_refusal(refused)
            return refused
        response = types(call)[1]
        return [to_plain(response.FromString(part)) for part in parts]

    def ask(self, call: str, plain: Plain, language: str = "en") -> list[Plain] | Refused:
        """The same for a well-typed plain request."""
        return self.ask_bytes(call, from_plain(types(call)[0], plain).SerializeToString(), language)


def check_refusal(refused: Refused) -> None:
    """A reason, a sentence and a path; small enough for trailers."""
    assert refused.message, f"{refused.reason} says nothing"
    assert len(refused.message) <= LONGEST_MESSAGE and len(refused.path) <= LONGEST_PATH
    assert (
        refused.path or refused.reason in PATHLESS or refused.reason in ("TOO_LARGE", "MALFORMED_REQUEST")
    ), f"{refused.reason} has no path: {refused.message}"
    assert len(refused.status().SerializeToString()) < 8000, f"{refused.reason}: too large for trailers"
