"""Tile corners from a centre and an angle (SR-9.3), by whole numbers alone, so that they are the same
everywhere.

An angle is given in millionths of a degree.
"""

from fractions import Fraction
from functools import lru_cache
from typing import Final

from services.string_railway.rules import facts
from services.string_railway.rules.planes import Point

DEGREE: Final = 1_000_000
_ONE: Final = 1 << 128


def _arctan_of_inverse(number: int) -> int:
    """The arc tangent of 1 / number, in units of 1 / _ONE."""
    power = _ONE // number
    total, divisor = power, 1
    while power:
        power //= -number * number
        divisor += 2
        total += power // divisor
    return total


_PI: Final = 4 * (4 * _arctan_of_inverse(5) - _arctan_of_inverse(239))


def _sine(angle: int) -> int:
    """The sine of an angle of 0 to 90 degrees in units of 1 / _ONE."""
    x = _PI * angle // (180 * DEGREE)
    term, total, step = x, x, 1
    while term:
        term = -term * x // _ONE * x // _ONE // ((step + 1) * (step + 2))
        total += term
        step += 2
        if -2 <= term <= 0:
            break
    return total


@lru_cache(maxsize=4096)
def offsets(angle: int) -> tuple[Point, Point, Point, Point]:
    """The corners of a tile around the origin, turned counter-clockwise, rounded to the grid.

    >>> offsets(45 * DEGREE)[2], offsets(0)[0]
    ((0, 28284), (-20000, -20000))
    """
    quarters, rest = divmod(angle % (360 * DEGREE), 90 * DEGREE)
    sine, cosine = _sine(rest), _sine(90 * DEGREE - rest)
    if rest == 0:
        sine, cosine = 0, _ONE
    half = facts.TILE_SIDE // 2
    corners = []
    for x, y in ((-half, -half), (half, -half), (half, half), (-half, half)):
        corners.append(
            (round(Fraction(x * cosine - y * sine, _ONE)), round(Fraction(x * sine + y * cosine, _ONE)))
        )
    for _ in range(quarters):
        corners = [(-y, x) for x, y in corners]
    a, b, c, d = corners
    return a, b, c, d


def corners(centre: Point, angle: int) -> tuple[Point, Point, Point, Point]:
    """The corners of a tile, counter-clockwise."""
    a, b, c, d = ((centre[0] + x, centre[1] + y) for x, y in offsets(angle))
    return a, b, c, d
