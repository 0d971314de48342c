"""What the headers of a request say beside its body, and what of them goes on to the service."""

import re
import secrets

from flask import g, request

from gateway.problems import Problem

REQUEST_ID, TIMEOUT = "X-Request-Id", "X-Request-Timeout"

_ID = re.compile(r"[A-Za-z0-9._:-]{1,128}")
_TRACE = re.compile(r"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")
_TEXT = re.compile(r"[\x20-\x7e]{1,500}")
_SECONDS = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6})?")
_STRICT = re.compile(r'(^|[\s,;])handling\s*=\s*"?strict"?\s*($|[,;])', re.IGNORECASE)


def request_id() -> str:
    """The caller's id of this request where it gave a usable one, else a new one."""
    given = request.headers.get(REQUEST_ID, "")
    return given if _ID.fullmatch(given) else secrets.token_hex(8)


def traceparent() -> str | None:
    """The W3C trace context of the caller."""
    given = request.headers.get("traceparent", "")
    return given if _TRACE.fullmatch(given) else None


def metadata() -> list[tuple[str, str]]:
    """What the service is told beside the request."""
    told = [("x-request-id", g.request_id)]
    if trace := traceparent():
        told.append(("traceparent", trace))
        state = request.headers.get("tracestate", "")
        if _TEXT.fullmatch(state):
            told.append(("tracestate", state))
    languages = request.headers.get("Accept-Language", "")
    if _TEXT.fullmatch(languages):
        told.append(("accept-language", languages))
    return told


def timeout(most: float) -> float:
    """The seconds that the caller wants to wait, at most `most`. Raises Problem."""
    given = request.headers.get(TIMEOUT)
    if given is None:
        return most
    if not _SECONDS.fullmatch(given) or float(given) <= 0:
        raise Problem(400, "MALFORMED_REQUEST", f"{TIMEOUT} must be a number of seconds above 0, like 2.5.")
    return min(float(given), most)


def accepts(mimetype: str) -> bool:
    """Whether the caller prefers this type to JSON; it must name it."""
    accepted = request.headers.get("Accept", "")
    if mimetype not in accepted:  # spare the parsing
        return False
    return request.accept_mimetypes.best_match(["application/json", mimetype]) == mimetype


def strict() -> bool:
    """Whether the caller prefers an illegal move to be an error (RFC 7240)."""
    return any(_STRICT.search(value) for value in request.headers.getlist("Prefer"))
