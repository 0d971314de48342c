"""gunicorn's settings for the gateway, from `signalbox.toml` and the environment."""

import atexit
import gc
import os
import shutil

from gunicorn.glogging import Logger  # type: ignore[import-untyped]

from deployment import scratch
from deployment.settings import load, unknown_variables

_settings = load()
bind = f"{_settings.gateway.host}:{_settings.gateway.port}"
workers = _settings.gateway.workers
threads = _settings.gateway.threads
worker_class = "gthread"
graceful_timeout = _settings.supervisor.stop_seconds
keepalive = 75
timeout = 60
control_socket_disable = True
proc_name = "signalbox-gateway"
loglevel = os.environ.get("SIGNALBOX_LOG_LEVEL", "warning").lower()
logconfig_dict = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "gateway.logs.formatter"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "root": {"level": "WARNING", "handlers": ["stderr"]},
    "loggers": {"gunicorn.error": {"level": loglevel.upper(), "propagate": True}},
}


class logger_class(Logger):  # type: ignore[misc]
    """The application logs its requests itself; gunicorn would put together a line for each, to no end."""

    def access(self, resp: object, req: object, environ: object, request_time: object) -> None:
        pass


_master = os.getpid()


def _remove(folder: str) -> None:
    if os.getpid() == _master:
        shutil.rmtree(folder, ignore_errors=True)


_alone = "PROMETHEUS_MULTIPROC_DIR" not in os.environ  # not under the supervisor
if _alone:
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(scratch.make())
    atexit.register(_remove, os.environ["PROMETHEUS_MULTIPROC_DIR"])


def on_starting(server: object) -> None:
    """Say what the supervisor says where it starts the gateway."""
    if _alone:
        for complaint in unknown_variables():
            server.log.warning(complaint)  # type: ignore[attr-defined]


def post_worker_init(worker: object) -> None:
    """The code and tables of the application are never garbage: spare every collection the walk over them.
    What requests leave behind is nearly all freed at once, so collect seldom."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


def child_exit(server: object, worker: object) -> None:
    """Let the metrics of an ended worker be summed up without it."""
    from prometheus_client import multiprocess

    multiprocess.mark_process_dead(worker.pid)  # type: ignore[no-untyped-call, attr-defined]
