"""The Flask application: `gateway.app:create_app()` under gunicorn."""

import grpc
import structlog
from flask import Blueprint, Flask, Response
from flask_compress import Compress
from flask_cors import CORS
from werkzeug.exceptions import HTTPException
from werkzeug.routing import RequestRedirect

from deployment.settings import Settings, load
from gateway import headers, logs, pages, problems, telemetry
from gateway.backend import Backend
from gateway.calls import Call
from gateway.contract import Rpc, rpcs
from gateway.problems import Problem

_log = structlog.get_logger()

CORS_SECONDS = 600


def create_app(settings: Settings | None = None) -> Flask:
    """The gateway to the games of these settings, by default those of the file and the environment."""
    settings = settings or load()
    logs.configure()
    app = Flask(__name__, static_folder=None)
    app.url_map.merge_slashes = False
    telemetry.install(app)
    calls = [rpc for game in settings.games for rpc in rpcs(game.name, game.package)]
    backends = {
        game.name: Backend(
            game.targets,
            settings.gateway.connections,
            [rpc.full_name for rpc in calls if rpc.game == game.name and rpc.streams],
        )
        for game in settings.games
    }
    app.register_blueprint(_games(calls, backends, settings))
    app.register_blueprint(pages.blueprint(calls, backends))
    app.config["COMPRESS_ALGORITHM"] = ["zstd", "br", "gzip"]
    app.config["COMPRESS_MIMETYPES"] = ["application/json", "image/svg+xml"]
    app.config["COMPRESS_STREAMS"] = False
    Compress(app)
    if settings.gateway.cors_origins:
        CORS(
            app,
            origins=list(settings.gateway.cors_origins),
            methods=["GET", "HEAD", "POST"],
            expose_headers=[
                headers.REQUEST_ID,
                "Retry-After",
                "ETag",
                "Preference-Applied",
                "Content-Language",
            ],
            max_age=CORS_SECONDS,
        )
    names = list(backends)

    @app.errorhandler(Exception)
    def shape(error: Exception) -> Response | HTTPException:
        """Every error is a problem document."""
        if isinstance(error, RequestRedirect):
            return error
        if isinstance(error, Problem):
            problem = error
        elif isinstance(error, HTTPException):
            problem = problems.from_http(error, names)
        elif isinstance(error, grpc.RpcError):
            problem = problems.from_rpc(error)
        else:
            problem = problems.internal()
        if problem.reason == "INTERNAL":
            _log.exception("internal_error", exc_info=error)
        return problem.response()

    return app


def _games(calls: list[Rpc], backends: dict[str, Backend], settings: Settings) -> Blueprint:
    """The routes of all games."""
    games = Blueprint("games", __name__)
    for rpc in calls:
        view = Call(rpc, backends[rpc.game], settings.gateway)
        games.add_url_rule(rpc.path, f"{rpc.game}-{rpc.name}", view, methods=[rpc.verb])
    return games
