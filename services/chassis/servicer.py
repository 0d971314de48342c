"""The ten calls of a game's service, made from its descriptors."""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import grpc

import protojson
from services.chassis import contract
from services.chassis.call import Call
from services.chassis.errors import Refused
from services.chassis.game import AnyGame, Plain
from services.chassis.keys import KeyRing
from services.chassis.language import negotiate
from services.chassis.listing import Listing
from services.chassis.metrics import Metrics
from services.chassis.positions import Positions
from services.chassis.questions import Questions
from services.chassis.records import Records
from services.chassis.settings import Settings
from services.chassis.wording import Words
from services.ruleset.protocol import OutOfTime

READING_SECONDS = 1.0
"""After the deadline, how long the client of a stream may still take to read what was found in time."""

LANGUAGE = "content-language"
"""The metadata that says in which language a call is answered."""

Method = Callable[[Any, Call], Any]
"""Takes the request message; gives the plain response, or an iterator of them."""


class Servicer:
    """Answers every call of one game's service."""

    def __init__(self, game: AnyGame, settings: Settings, ring: KeyRing, metrics: Metrics) -> None:
        self._game, self._settings = game, settings
        self._words = {language: Words(game, language) for language in game.rulebook.languages}
        positions = Positions(game, settings, ring, metrics)
        listing = Listing(game, positions)
        questions = Questions(game, positions, listing, metrics)
        records = Records(game, positions, metrics, settings)
        self._methods: dict[str, Method] = {
            "Describe": questions.describe,
            "Start": questions.start,
            "LegalMoves": listing.legal_moves,
            "CheckMove": questions.check_move,
            "ApplyMove": questions.apply_move,
            "Score": questions.score,
            "Replay": records.replay,
            "Import": records.import_,
            "View": questions.view,
            "Render": questions.render,
        }

    def handlers(self) -> grpc.GenericRpcHandler:
        """Handlers that take and give bytes: a request that is no message is refused like any other fault."""
        rpcs = contract.rpcs(self._game.service)
        if rpcs.keys() != self._methods.keys():
            odd = ", ".join(sorted(rpcs.keys() ^ self._methods.keys()))
            raise ValueError(f"{self._game.service} does not have the calls of the contract: {odd}")
        return grpc.method_handlers_generic_handler(
            self._game.service, {name: self._handler(rpc, self._methods[name]) for name, rpc in rpcs.items()}
        )

    def _handler(self, rpc: contract.Rpc, method: Method) -> "grpc.RpcMethodHandler[bytes, bytes]":
        record = rpc.name in ("Replay", "Import")
        most = self._settings.record_bytes if record else self._settings.request_bytes

        def begin(data: bytes, context: grpc.ServicerContext) -> tuple[Any, Call]:
            if len(data) > most:
                raise Refused("TOO_LARGE", f"The request has more than {most} bytes.")
            call = self._call(context)
            return rpc.read(data), call

        def answer(data: bytes, context: grpc.ServicerContext) -> bytes:
            request, call = begin(data, context)
            plain: Plain = method(request, call)
            context.set_trailing_metadata(_language(call))
            try:
                return rpc.write(plain)
            except protojson.Malformed as error:
                if rpc.name != "Import":
                    raise
                # Only a foreign record can say moves that the messages cannot: figures beyond 32 bits.
                text = f"has a move that no message can say: {error}"
                raise Refused("BAD_RECORD", text, "record", fault="OUT_OF_RANGE") from None

        def stream(data: bytes, context: grpc.ServicerContext) -> Iterator[bytes]:
            request, call = begin(data, context)
            context.send_initial_metadata(_language(call))
            # A client that does not read would keep its thread for ever.
            patience = threading.Timer(call.deadline - time.monotonic() + READING_SECONDS, context.cancel)
            patience.daemon = True
            patience.start()
            try:
                for plain in method(request, call):
                    yield rpc.write(plain)
            finally:
                patience.cancel()

        if rpc.streams:
            return grpc.unary_stream_rpc_method_handler(stream)
        return grpc.unary_unary_rpc_method_handler(answer)

    def _call(self, context: grpc.ServicerContext) -> Call:
        remaining: float | None = context.time_remaining()
        seconds = self._settings.deadline_seconds if remaining is None else remaining
        if seconds <= 0:  # it waited for a thread too long
            raise OutOfTime
        deadline = time.monotonic() + min(seconds, self._settings.deadline_seconds)
        accepted = next(
            (value for key, value in context.invocation_metadata() if key == "accept-language"), ""
        )
        words = self._words[negotiate(str(accepted), self._game.rulebook.languages)]
        return Call(words, deadline, self._settings.search_nodes)


def _language(call: Call) -> tuple[tuple[str, str], ...]:
    """Metadata with an answer, where it costs nothing, or before it where the answer is a stream."""
    return ((LANGUAGE, call.words.language),)
