"""Structured logs: one JSON object a line on the standard error. No body and no query is ever logged."""

import logging
import os
import sys

import orjson
import structlog

_SHARED: list[structlog.typing.Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
]


def configure() -> None:
    """Send the gateway's own log there, from SIGNALBOX_LOG_LEVEL on (a name of `logging`; `info` logs every
    request)."""
    level = logging.getLevelNamesMapping().get(
        os.environ.get("SIGNALBOX_LOG_LEVEL", "").upper(), logging.WARNING
    )
    structlog.configure(
        processors=[*_SHARED, structlog.processors.JSONRenderer(serializer=orjson.dumps)],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.BytesLoggerFactory(sys.stderr.buffer),
        cache_logger_on_first_use=True,
    )


def formatter() -> logging.Formatter:
    """The same form for logs of libraries and of gunicorn."""
    as_json = structlog.processors.JSONRenderer(serializer=lambda *a, **k: orjson.dumps(*a, **k).decode())
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=_SHARED,
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, as_json],
    )
