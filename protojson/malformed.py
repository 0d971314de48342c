"""The one error of reading: where in the JSON, why, and in words."""

import re
from typing import Any

_PREDICATE = re.compile(r"(is|are|has|have|must|may|can|cannot|does|needs|says|names|was|were)\b")


class Malformed(ValueError):
    """A plain value that is no such message.

    `path` is in JSON names (`position.moves[3].layTile.rotation`, `numbers["need"]`; empty for the whole).
    `reason` is one of `unknown_field`, `wrong_type`, `out_of_range`, `unknown_value` (of an enum),
    `bad_format` (of a base64 or other text), `given_twice` (a field, or two members of a oneof), `too_deep`.
    `message` is what `sentence` makes a sentence of with the path.
    """

    def __init__(self, path: str, reason: str, message: str) -> None:
        super().__init__(path, reason, message)
        self.path, self.reason, self.message = path, reason, message

    def __str__(self) -> str:
        return sentence(self.path, self.message)

    def under(self, parent: str) -> "Malformed":
        """The same error seen from one level further out."""
        self.path = f"{parent}{self.path}" if self.path.startswith("[") else join(parent, self.path)
        return self


def join(parent: str, child: str) -> str:
    """
    >>> join("move", "layTile"), join("", "move"), join("move", "")
    ('move.layTile', 'move', 'move')
    """
    return f"{parent}.{child}" if parent and child else parent or child


def sentence(path: str, message: str) -> str:
    """A whole sentence that names a field. `message` says something of it (`must be ...`), or is a clause.

    >>> sentence("page", "must be from 1 to 9"), sentence("", "is no object"), sentence("a", "No.")
    ('page must be from 1 to 9.', 'The value is no object.', 'a: No.')
    """
    subject = path or "The value"
    whole = f"{subject} {message}" if _PREDICATE.match(message) else f"{subject}: {message}"
    return whole if whole.endswith((".", "!", "?")) else f"{whole}."


def step(key: object) -> str:
    """A key that a client chose, as a step of a path: `["need"]`, cut when it is long."""
    return f"[{shown(key, 60)}]"


def shown(value: object, limit: int = 40) -> str:
    """A JSON value as it may stand in a sentence, cut when it is long.

    >>> shown("x" * 99, 10), shown([1]), shown(True)
    ('"xxxxxxxxx...', 'an array', 'true')
    """
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, dict | list | tuple):
        return "an object" if isinstance(value, dict) else "an array"
    if isinstance(value, str):
        quoted = '"' + value[:limit].encode("unicode_escape").decode().replace('"', '\\"') + '"'
    elif isinstance(value, int) and value.bit_length() > 4 * limit:
        return "a number of very many digits"
    else:
        quoted = str(value)
    return quoted if len(quoted) <= limit else quoted[:limit] + "..."


def wrong_type(path: str, wanted: str, value: Any) -> Malformed:
    return Malformed(path, "wrong_type", f"must be {wanted}, not {shown(value)}")
