"""gunicorn's settings for the gateway, from `signalbox.toml` and the environment."""

import atexit
import os
import shutil
import tempfile

from deployment.settings import load

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

if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:  # not under the supervisor
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = _folder = tempfile.mkdtemp(prefix="signalbox-metrics-")
    _owner = os.getpid()
    atexit.register(lambda: os.getpid() == _owner and shutil.rmtree(_folder, ignore_errors=True))


def child_exit(server: object, worker: object) -> None:
    """Let the metrics of an ended worker be summed up without it."""
    from prometheus_client import multiprocess

    multiprocess.mark_process_dead(worker.pid)  # type: ignore[no-untyped-call, attr-defined]
