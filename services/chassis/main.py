"""`run(game)`: what `python -m` of a game's package does."""

import os
import shutil
import signal
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace

import structlog

from deployment import scratch
from services.chassis import keys, logs, settings, workers
from services.chassis.game import AnyGame
from services.chassis.keys import KeyRing
from services.chassis.settings import Settings, SettingsError

# What imports gRPC or the Prometheus client is imported where it is used: the parent of workers must not have
# the former, and the latter must first be told whether it counts for one process or for many.

METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"

_log = structlog.get_logger()


def run(game: AnyGame) -> None:
    """Serve a game as the environment says until SIGTERM, then exit with 0; with 1 where it cannot be."""
    try:
        sys.exit(_run(game))
    except SettingsError as error:
        print(f"signalbox: {error}", file=sys.stderr)
        sys.exit(1)


def _run(game: AnyGame) -> int:
    chosen = settings.load()
    logs.configure(chosen.log_level, game.name)
    ring, development = keys.load(chosen)
    if development:
        _log.warning(
            "development_key", file=str(development), advice="set SIGNALBOX_SEAL_KEYS_FILE in production"
        )
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # its own log is not structured
    if chosen.workers > 1:
        return _serve_in_many(game, chosen, ring)
    os.environ.pop(METRICS_FOLDER, None)
    from services.chassis.server import serve

    serve(game, chosen, ring, share=False)
    return 0


def _serve_in_many(game: AnyGame, chosen: Settings, ring: KeyRing) -> int:
    with ExitStack() as stack:
        fixed = replace(chosen, port=stack.enter_context(workers.held_port(chosen.host, chosen.port)))
        if METRICS_FOLDER not in os.environ:  # not under the supervisor
            folder = scratch.make()
            stack.callback(shutil.rmtree, folder, ignore_errors=True)
            os.environ[METRICS_FOLDER] = str(folder)

        def worker() -> None:
            from services.chassis.server import serve

            serve(game, fixed, ring, share=True)

        def metrics() -> None:
            from services.chassis.metrics import of_all_processes, serve_metrics

            serve_metrics(fixed, of_all_processes())
            signal.sigwait(workers.SIGNALS - {signal.SIGCHLD})

        tasks: dict[str, Callable[[], None]] = {"metrics": metrics}
        tasks.update({f"worker-{number}": worker for number in range(1, chosen.workers + 1)})
        return workers.Parent(tasks, chosen.grace_seconds + chosen.drain_seconds + 2).run()
