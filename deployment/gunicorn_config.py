"""gunicorn's settings for the gateway, from `signalbox.toml` and the environment."""

import os

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


def child_exit(server: object, worker: object) -> None:
    """Let the metrics of an ended worker be summed up without it."""
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        from prometheus_client import multiprocess

        multiprocess.mark_process_dead(worker.pid)  # type: ignore[no-untyped-call, attr-defined]
