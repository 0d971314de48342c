"""The JSON value in the body of a request, within bounds."""

import zlib
from typing import Any

import orjson
from flask import request
from gunicorn.http.errors import ParseException  # type: ignore[import-untyped]
from werkzeug.exceptions import RequestEntityTooLarge

from gateway import problems, repeats
from gateway.patience import SECONDS, Patience
from gateway.problems import TOO_LARGE, Problem
from protojson import Malformed

_patience = Patience(SECONDS)


def read_json(limit: int) -> Any:
    """The value, in which no object has a key twice. At most `limit` bytes are read, and inflated from gzip.

    Raises Problem.
    """
    kind = request.mimetype
    if kind != "application/json" and not (kind.startswith("application/") and kind.endswith("+json")):
        raise Problem(
            415,
            "MALFORMED_REQUEST",
            "The body must be application/json.",
            headers={"Accept": "application/json"},
        )
    request.max_content_length = limit + 1  # a longer body in chunks is cut there without a word
    try:
        with _patience.reading(request.environ.get("gunicorn.socket")):
            data = request.get_data(cache=False)
    except ParseException:  # gunicorn reads the chunks of a body only now
        raise Problem(400, "MALFORMED_REQUEST", "The body is not in whole chunks.") from None
    if len(data) > limit:
        raise RequestEntityTooLarge
    match request.headers.get("Content-Encoding", "identity").strip().lower():
        case "identity" | "":
            pass
        case "gzip" | "x-gzip":
            data = _inflate(data, limit)
        case _:
            raise Problem(
                415,
                "MALFORMED_REQUEST",
                "The body must be plain or gzip.",
                headers={"Accept-Encoding": "gzip"},
            )
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        if "depth limit" in error.msg:
            raise Problem(413, TOO_LARGE, "The JSON is nested too deeply.") from None
        where = f"line {error.lineno} column {error.colno}"
        raise Problem(400, "MALFORMED_REQUEST", f"The body is not JSON: {error.msg} at {where}.") from None
    if (path := repeats.first(data, value)) is not None:
        raise problems.malformed(Malformed(path, "given_twice", "is given twice"))
    return value


def _inflate(data: bytes, limit: int) -> bytes:
    inflater = zlib.decompressobj(wbits=31)
    try:
        plain = inflater.decompress(data, limit + 1)
    except zlib.error:
        raise Problem(400, "MALFORMED_REQUEST", "The body is not gzip.") from None
    if len(plain) > limit:
        raise Problem(413, TOO_LARGE, f"The body has more than {limit} bytes when inflated.")
    if not inflater.eof or inflater.unused_data:
        raise Problem(400, "MALFORMED_REQUEST", "The body is not one whole gzip member.")
    return plain
