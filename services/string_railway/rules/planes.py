"""Points of the plane and the predicates on them that everything else rests on (SR-9.1, 9.5, 9.9).

A Point is a pair of whole micrometres.  A Spot is a point between grid points as three whole numbers
x, y, w (w > 0): the point (x / w, y / w).  A Box is left, bottom, right, top.
"""

from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Final

Point = tuple[int, int]
Spot = tuple[int, int, int]
Box = tuple[int, int, int, int]
_FAR: Final = 1_000_000


def orient(a: Point, b: Point, c: Point) -> int:
    """Twice the signed area of the triangle a, b, c: positive when c lies on the left of a -> b.

    >>> orient((0, 0), (10, 0), (5, 3))
    30
    """
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def cross(u: Point, v: Point) -> int:
    """Positive when v points to the left of u."""
    return u[0] * v[1] - u[1] * v[0]


def squared(a: Point, b: Point) -> int:
    """The squared distance of two points."""
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def box_of(points: Iterable[Point]) -> Box:
    """The smallest box around some points."""
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def boxes_meet(a: Box, b: Box) -> bool:
    return a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3]


def segments_meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two closed segments whose boxes meet share a point."""
    c_side, d_side = orient(a, b, c), orient(a, b, d)
    if (c_side > 0 and d_side > 0) or (c_side < 0 and d_side < 0):
        return False
    a_side, b_side = orient(c, d, a), orient(c, d, b)
    return not ((a_side > 0 and b_side > 0) or (a_side < 0 and b_side < 0))


def spot(point: Point) -> Spot:
    return point[0], point[1], 1


def spot_between(a: Point, b: Point, share: Fraction | int) -> Spot:
    """The point at `share` (0 to 1) of the way from a to b."""
    n, m = share.numerator, share.denominator
    return a[0] * m + (b[0] - a[0]) * n, a[1] * m + (b[1] - a[1]) * n, m


def rounded(place: Spot) -> Point:
    """The nearest grid point, ties to even (SR-9.1)."""
    x, y, w = place
    return round(Fraction(x, w)), round(Fraction(y, w))


def side(a: Spot, b: Spot, c: Spot) -> int:
    """Positive when c lies on the left of a -> b; the sign alone has a meaning."""
    ax, ay, aw = a
    bx, by, bw = b
    cx, cy, cw = c
    return ax * (by * cw - cy * bw) - ay * (bx * cw - cx * bw) + aw * (bx * cy - cx * by)


def micrometres(of_millimetres: Decimal | int) -> int:
    """A coordinate on the grid, ties to even (SR-9.1); what is absurdly far away stays out of range.

    >>> micrometres(Decimal("310.0005")), micrometres(Decimal("309.9996"))
    (310000, 310000)
    """
    if not -_FAR <= of_millimetres <= _FAR:
        return 1000 * _FAR
    thousandths: int = round(of_millimetres * 1000)
    return thousandths


def millimetres(micrometres: int) -> str:
    """A length or coordinate as people read it.

    >>> millimetres(-294000), millimetres(56)
    ('-294', '0.056')
    """
    sign = "-" if micrometres < 0 else ""
    whole, part = divmod(abs(micrometres), 1000)
    return f"{sign}{whole}" + (f".{part:03}".rstrip("0") if part else "")


def place_name(point: Point) -> str:
    """How a violation names a place on the table: millimetres, `x,y`.

    >>> place_name((310000, 10500))
    '310,10.5'
    """
    return f"{millimetres(point[0])},{millimetres(point[1])}"
