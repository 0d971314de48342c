"""Lengths are sums of square roots of integers; here they are compared exactly (SR-9.4)."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import isqrt

from services.string_railway.rules.planes import Point, squared

_BITS = 20


def squares(points: Sequence[Point], closed: bool = False) -> list[int]:
    """The squared lengths of the segments of a polyline, in square micrometres."""
    found = [squared(a, b) for a, b in pairwise(points)]
    if closed:
        found.append(squared(points[-1], points[0]))
    return found


def compare(of: Iterable[int | Fraction], bound: Fraction | int) -> int:
    """-1, 0 or 1: the sum of the square roots of these numbers is smaller, equal or greater than `bound`.

    Rational roots are added as they are.  Irrational ones are narrowed until their sum lies on one side:
    a sum that has any of them is never rational, so this ends.

    >>> compare([9, 16], 7), compare([2], Fraction(141421356, 100000000)), compare([2], 2)
    (0, 1, -1)
    """
    rest = Fraction(bound)
    irrational = []
    for square in of:
        above, below = isqrt(square.numerator), isqrt(square.denominator)
        if above * above == square.numerator and below * below == square.denominator:
            rest -= above if below == 1 else Fraction(above, below)
        else:
            irrational.append((square.numerator, square.denominator))
    if not irrational:
        return (rest < 0) - (rest > 0)
    bits = 4
    while True:
        low = sum(isqrt((above << 2 * bits) // below) for above, below in irrational)
        aim = rest.numerator << bits
        if low * rest.denominator >= aim:
            return 1
        if (low + len(irrational)) * rest.denominator <= aim:
            return -1
        bits *= 2


def rounded_length(of: Iterable[int]) -> int:
    """The sum of the square roots, rounded to whole micrometres: for people, never for a verdict."""
    total = sum(isqrt(square << 2 * _BITS) for square in of)
    return (total + (1 << _BITS - 1)) >> _BITS
