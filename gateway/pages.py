"""What the gateway answers itself: the list of games, health, readiness, metrics, the OpenAPI document."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import grpc
import orjson
from flask import Blueprint, Response, redirect, request
from flask_swagger_ui import get_swaggerui_blueprint  # type: ignore[import-untyped]
from google.protobuf.message import DecodeError
from werkzeug.wrappers import Response as AnyResponse

from gateway import headers, telemetry
from gateway.backend import Backend, Metadata
from gateway.contract import Rpc
from gateway.openapi import LEFT_OUT_OF_LIST, Document
from protojson import Malformed, from_plain, to_plain

DESCRIBE_SECONDS, HEALTH_SECONDS, EXAMPLE_SECONDS = 0.8, 0.3, 2.0
UNTOLD: Metadata = ()
"""Of the document, which is made once for all languages: games are told nothing of who asks."""


def blueprint(calls: Sequence[Rpc], backends: Mapping[str, Backend]) -> Blueprint:
    pages = Blueprint("pages", __name__)
    describes = {rpc.game: rpc for rpc in calls if rpc.verb == "GET"}

    def described(told: Metadata) -> dict[str, dict[str, Any] | None]:
        """What each game says of itself; None of those that are down. All are asked at once."""
        asked = {
            name: backends[name].start(rpc.full_name, b"", DESCRIBE_SECONDS, told)
            for name, rpc in describes.items()
        }
        return {name: _info(describes[name], future) for name, future in asked.items()}

    document = Document(calls)

    def answered(rpc: Rpc, plain: dict[str, Any]) -> dict[str, Any] | None:
        """What a game answers to a call; None where it does not."""
        backend, name = backends[rpc.game], rpc.full_name
        try:
            data = from_plain(rpc.request, plain).SerializeToString()
            if rpc.streams:  # batches one after the other are one message
                batches = backend.stream(name, data, EXAMPLE_SECONDS, UNTOLD)
                received = b"".join(batch for batch, _ in batches)
            else:
                received, _ = backend.call(name, data, EXAMPLE_SECONDS, UNTOLD)
            answer: dict[str, Any] = to_plain(rpc.response.FromString(received))
        except (grpc.RpcError, DecodeError, Malformed):
            return None
        return answer

    @pages.get("/v1/games")
    def games() -> Response:
        listed = []
        for name, info in described(headers.metadata()).items():
            known = {key: value for key, value in (info or {}).items() if key not in LEFT_OUT_OF_LIST}
            listed.append(
                {**known, "name": name, "path": describes[name].path, "available": info is not None}
            )
        return _json({"games": listed})

    @pages.get("/healthz")
    def healthz() -> Response:
        return _json({"status": "ok"})

    @pages.get("/readyz")
    def readyz() -> Response:
        """Ready while any game can be played (or there is none to be)."""
        asked = {name: backend.ask_health(HEALTH_SECONDS) for name, backend in backends.items()}
        serving = {name: answer() for name, answer in asked.items()}
        ready = any(serving.values()) or not serving
        return _json({"ready": ready, "games": serving}, 200 if ready else 503)

    pages.get("/metrics")(telemetry.metrics)

    @pages.get("/openapi.json")
    def openapi() -> Response:
        response = Response(document.text(partial(described, UNTOLD), answered), mimetype="application/json")
        response.headers["Cache-Control"] = "no-cache"
        response.add_etag()
        response.make_conditional(request)
        return response

    @pages.get("/")
    @pages.get("/docs")
    def docs() -> AnyResponse:
        return redirect("/docs/")

    page = {
        "app_name": "Signalbox",
        "validatorUrl": None,
        "oauth2RedirectUrl": "/docs/oauth2-redirect.html",
    }
    pages.register_blueprint(get_swaggerui_blueprint("/docs", "/openapi.json", page))
    return pages


def _info(rpc: Rpc, future: Any) -> dict[str, Any] | None:
    try:
        info: dict[str, Any] = to_plain(rpc.response.FromString(future.result()))["game"]
    except (grpc.RpcError, KeyError):
        return None
    return info


def _json(plain: object, status: int = 200) -> Response:
    return Response(orjson.dumps(plain), status, mimetype="application/json")
