"""Structured logs: one JSON object a line on the standard error.

They carry the request id and the trace context of the call, and never a seed, a sealed position or a key:
what is logged is named field by field, and of a request only its size.
"""

import logging
import re
import secrets
import sys
from collections.abc import Iterable

import orjson
import structlog

_ID = re.compile(r"[A-Za-z0-9._:-]{1,128}")
_TRACE = re.compile(r"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")


def configure(level: str, game: str) -> None:
    """Send the service's own and the libraries' log there, from this level on (a name of `logging`)."""
    number = logging.getLevelNamesMapping().get(level.upper(), logging.WARNING)
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        lambda _logger, _method, event: {**event, "game": game},
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[*shared, structlog.processors.JSONRenderer(serializer=orjson.dumps)],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.BytesLoggerFactory(sys.stderr.buffer),
        cache_logger_on_first_use=True,
    )
    as_json = structlog.processors.JSONRenderer(serializer=lambda *a, **k: orjson.dumps(*a, **k).decode())
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(foreign_pre_chain=shared, processors=[
        structlog.stdlib.ProcessorFormatter.remove_processors_meta, as_json,
    ]))  # fmt: skip
    logging.basicConfig(level=number, handlers=[handler], force=True)


def bind(metadata: Iterable[tuple[str, str | bytes]]) -> str:
    """Make the request id and the trace context of a call part of all that its thread logs; the request id,
    a new one where the caller gave none."""
    given = {key: value for key, value in metadata if isinstance(value, str)}
    request_id = given.get("x-request-id", "")
    if not _ID.fullmatch(request_id):
        request_id = secrets.token_hex(8)
    found = {"request_id": request_id}
    if _TRACE.fullmatch(trace := given.get("traceparent", "")):
        found["traceparent"] = trace
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(**found)
    return request_id
