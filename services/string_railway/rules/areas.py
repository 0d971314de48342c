"""What lies inside a closed curve (SR-9.8): points, and the pieces of a polyline between contacts."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal

from services.string_railway.rules.contacts import meetings
from services.string_railway.rules.curves import Curve, Place
from services.string_railway.rules.planes import Point, Spot

Where = Literal["inside", "on", "outside"]
_HALF = Fraction(1, 2)


def where(ring: Curve, place: Spot) -> Where:
    """Where a point lies with respect to a closed curve (even-odd rule)."""
    x, y, w = place
    left, bottom, right, top = ring.box
    if not (left * w <= x <= right * w and bottom * w <= y <= top * w):
        return "outside"
    inside = False
    ax, ay = ring.points[-1]
    for bx, by in ring.points:
        a_above, b_above = ay * w > y, by * w > y
        if a_above != b_above:
            turn = (bx - ax) * (y - ay * w) - (by - ay) * (x - ax * w)
            if turn == 0:
                return "on"
            if (turn > 0) == b_above:
                inside = not inside
        elif (ay * w == y and by * w == y and (ax * w <= x <= bx * w or bx * w <= x <= ax * w)) or (
            bx * w == x and by * w == y
        ):
            return "on"
        ax, ay = bx, by
    return "inside" if inside else "outside"


def contains(ring: Curve, point: Point) -> bool:
    """Whether a grid point lies strictly inside a closed curve."""
    return where(ring, (point[0], point[1], 1)) == "inside"


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a polyline strictly outside an area but for single points; places on the polyline."""

    low: Place
    high: Place


def outside_stretches(line: Curve, ring: Curve) -> list[Stretch]:
    """The parts of a polyline that lie outside a closed curve, in order.

    Parts that only single points on the curve separate are one; a stretch along the curve is inside.
    """
    last = len(line.points) - (0 if line.closed else 1)
    cuts: set[Place] = {0, last}
    along: list[tuple[Place, Place]] = []
    for meeting in meetings(line, ring):
        low, high = meeting.low, meeting.high
        if low != high:
            if high == 0:  # the seam of a closed polyline, seen from before
                high = last
            along.append((low, high))
        cuts.update((low, high))
    along.sort()
    found: list[Stretch] = []
    covered = iter(along)
    current = next(covered, None)
    for low, high in pairwise(sorted(cuts)):
        while current is not None and current[1] <= low:
            current = next(covered, None)
        if current is not None and current[0] <= low:
            continue
        if where(ring, _inner_spot(line, low, high)) == "outside":
            if found and found[-1].high == low:
                found[-1] = Stretch(found[-1].low, high)
            else:
                found.append(Stretch(low, high))
    return found


def _inner_spot(line: Curve, low: Place, high: Place) -> Spot:
    """A point of a piece between two cuts, no end of it: a vertex inside it or the middle of a segment."""
    following = int(low) + 1
    if following < high:
        return line.spot(following)
    return line.spot((low + high) * _HALF)
