"""Where two curves share points, and whether one crosses the other there (SR-9.7)."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from services.string_railway.rules.curves import Curve, Place, near_pairs
from services.string_railway.rules.planes import Point, cross, orient


@dataclass(frozen=True, slots=True)
class Meeting:
    """What two segments share: places `low` to `high` on the first curve, on the other the places
    that belong to them, and whether the curves run there in the same direction."""

    low: Place
    high: Place
    other_low: Place
    other_high: Place
    same_way: bool


def meetings(one: Curve, other: Curve) -> Iterator[Meeting]:
    """Everything that the segments of two curves share, in no special order, with repetitions."""
    for i, j in near_pairs(one, other):
        a, b = one.ends(i)
        c, d = other.ends(j)
        c_side, d_side = orient(a, b, c), orient(a, b, d)
        if (c_side > 0 and d_side > 0) or (c_side < 0 and d_side < 0):
            continue
        if c_side == 0 and d_side == 0:
            yield from _shared_stretch(one, other, i, j)
            continue
        a_side, b_side = orient(c, d, a), orient(c, d, b)
        if (a_side > 0 and b_side > 0) or (a_side < 0 and b_side < 0):
            continue
        place = _place(one, i, a_side, a_side - b_side)
        other_place = _place(other, j, c_side, c_side - d_side)
        yield Meeting(place, place, other_place, other_place, True)


def _place(line: Curve, segment: int, part: int, whole: int) -> Place:
    """The place at part / whole of a segment; the seam of a closed curve is 0."""
    if part == 0:
        return segment
    if part == whole:
        following = segment + 1
        return 0 if line.closed and following == len(line.points) else following
    return segment + Fraction(part, whole)


def _shared_stretch(one: Curve, other: Curve, i: int, j: int) -> Iterator[Meeting]:
    a, b = one.ends(i)
    c, d = other.ends(j)
    axis = 0 if a[0] != b[0] else 1
    start, length = a[axis], b[axis] - a[axis]
    way = 1 if length > 0 else -1
    length *= way
    at_c, at_d = (c[axis] - start) * way, (d[axis] - start) * way  # along a -> b
    low, high = max(0, min(at_c, at_d)), min(length, max(at_c, at_d))
    if low > high:
        return
    span = at_d - at_c
    sign = 1 if span > 0 else -1
    yield Meeting(
        _place(one, i, low, length),
        _place(one, i, high, length),
        _place(other, j, (low - at_c) * sign, span * sign),
        _place(other, j, (high - at_c) * sign, span * sign),
        sign > 0,
    )


@dataclass(frozen=True, slots=True)
class Contact:
    """A maximal stretch, or a single point, that an open curve shares with another one.

    `low` and `high` are places on the open curve.
    """

    low: Place
    high: Place
    crosses: bool


def contacts(line: Curve, other: Curve) -> list[Contact]:
    """All contacts of an open curve with another one, along the first.  Neither touches itself."""
    runs: list[list[Meeting]] = []
    for meeting in sorted(meetings(line, other), key=lambda m: (m.low, -m.high)):
        if runs and meeting.low <= runs[-1][-1].high:
            if meeting.high > runs[-1][-1].high:
                runs[-1].append(meeting)
        else:
            runs.append([meeting])
    return [_contact(line, other, run) for run in runs]


def _contact(line: Curve, other: Curve, run: list[Meeting]) -> Contact:
    first, last = run[0], run[-1]
    # A stretch that begins where a point was found before it takes its direction from the stretch.
    stretch = next((meeting for meeting in run if meeting.low != meeting.high), first)
    low, high = first.low, last.high
    ends = (0, len(line.points) - 1)
    if low in ends or high in ends:
        return Contact(low, high, False)
    far = len(other.points) - 1
    if not other.closed and not {first.other_low, last.other_high}.isdisjoint((0, far)):
        return Contact(low, high, False)
    if stretch.same_way:
        before, after = _arriving(other, first.other_low), _leaving(other, last.other_high)
    else:
        before = _opposite(_leaving(other, first.other_low))
        after = _opposite(_arriving(other, last.other_high))
    point = low == high
    came = _opposite(_arriving(line, low))
    goes = _leaving(line, high)
    arrives_left = _left(before, after if point else _leaving(line, low), came)
    leaves_left = _left(before if point else _arriving(line, high), after, goes)
    return Contact(low, high, arrives_left != leaves_left)


def _arriving(line: Curve, place: Place) -> Point:
    """The direction in which a curve comes to a place that is no open end."""
    segment = int(place)
    return line.direction(segment if segment != place else (segment - 1) % len(line.points))


def _leaving(line: Curve, place: Place) -> Point:
    return line.direction(int(place))


def _opposite(direction: Point) -> Point:
    return -direction[0], -direction[1]


def _left(arriving: Point, leaving: Point, to: Point) -> bool:
    """Whether the direction `to` lies on the left of a corner (SR-9.7.5)."""
    a, b = cross(arriving, to) > 0, cross(leaving, to) > 0
    return (a and b) if cross(arriving, leaving) >= 0 else (a or b)
