"""Readers of scalar values: (JSON value, path for the error) -> what a message's constructor takes.

The generated code calls them only for values that are not already what is wanted, so they are made for clear
refusals rather than for speed.
"""

import base64
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from google.protobuf.descriptor import FieldDescriptor

from protojson.malformed import Malformed, shown, wrong_type

Scalar = Callable[..., Any]
"""Called with the value and, for the error, its path (by default empty)."""

_DECIMAL = re.compile(r"0|-?[1-9][0-9]{0,19}")
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]*={0,2}")
_EXACT = 2**53
_SINGLE_MAX = (2 - 2**-23) * 2.0**127
_NAMES_SHOWN = 12

RANGES = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
}


def string(value: Any, path: str = "") -> str:
    if type(value) is not str:
        raise wrong_type(path, "a string", value)
    return value


def boolean(value: Any, path: str = "") -> bool:
    if type(value) is not bool:
        raise wrong_type(path, "true or false", value)
    return value


def boolean_key(value: Any, path: str = "") -> bool:
    if value != "true" and value != "false":
        raise wrong_type(path, '"true" or "false"', value)
    return bool(value == "true")


def integer(low: int, high: int) -> Scalar:
    """A reader of integers from `low` to `high`: whole numbers, `3.0` and `"3"` among them."""

    def read(value: Any, path: str = "") -> int:
        whole = type(value) is float and value.is_integer()
        if whole and abs(value) > _EXACT:
            raise Malformed(path, "out_of_range", f"must be small enough to be exact, not {value:g}")
        if whole or (type(value) is str and _DECIMAL.fullmatch(value)):
            number = int(value)
        elif type(value) is int:
            number = value
        else:
            raise wrong_type(path, "an integer", value)
        if not low <= number <= high:
            raise Malformed(path, "out_of_range", f"must be from {low} to {high}, not {shown(value)}")
        return number

    return read


def floating(largest: float) -> Scalar:
    """A reader of floating point numbers up to `largest`, also in strings, and "NaN" and "Infinity"."""

    def read(value: Any, path: str = "") -> float:
        if type(value) is str and value in ("NaN", "Infinity", "-Infinity"):
            return float(value)
        if type(value) is int or type(value) is float or (type(value) is str and _NUMBER.fullmatch(value)):
            try:
                number = float(value)
            except OverflowError:
                number = math.inf
            if abs(number) <= largest:
                return number
            raise Malformed(path, "out_of_range", f"{shown(value)} is not within floating point range")
        raise wrong_type(path, "a number", value)

    return read


def binary(value: Any, path: str = "") -> bytes:
    text = string(value, path)
    body = text.rstrip("=")
    whole = len(text) % 4 == 0 if body != text else len(text) % 4 != 1
    if not whole or not _BASE64.fullmatch(text):
        raise Malformed(path, "bad_format", "must be base64")
    return base64.b64decode(body.replace("-", "+").replace("_", "/") + "=" * (-len(body) % 4))


def enumeration(numbers: Mapping[str, int], null: bool) -> Scalar:
    """A reader of enum values by their names, or by numbers that have a name, or (if so) 0 by null."""
    known = frozenset(numbers.values())
    number_of = integer(*RANGES[FieldDescriptor.CPPTYPE_INT32])

    def read(value: Any, path: str = "") -> int:
        if type(value) is str and value in numbers:
            return numbers[value]
        if value is None and null:
            return 0
        try:
            number: int = number_of(value)
            if number in known:
                return number
        except Malformed:
            pass
        names = ", ".join(list(numbers)[:_NAMES_SHOWN]) + (", ..." if len(numbers) > _NAMES_SHOWN else "")
        if type(value) in (str, int, float):
            raise Malformed(path, "unknown_value", f"must be one of {names}, not {shown(value)}")
        raise wrong_type(path, f"one of {names}", value)

    return read


SCALARS: Mapping[int, Scalar] = {
    FieldDescriptor.CPPTYPE_STRING: string,
    FieldDescriptor.CPPTYPE_BOOL: boolean,
    FieldDescriptor.CPPTYPE_FLOAT: floating(_SINGLE_MAX),
    FieldDescriptor.CPPTYPE_DOUBLE: floating(float.fromhex("0x1.fffffffffffffp+1023")),
    **{cpp_type: integer(*limits) for cpp_type, limits in RANGES.items()},
}
