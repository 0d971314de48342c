"""How near a verdict is to another one (SR-9.10): advice to the players, never part of a verdict.

Distances are floating-point micrometres.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import hypot
from typing import Final

from services.string_railway.rules.areas import outside_stretches
from services.string_railway.rules.curves import Curve, curve, merged
from services.string_railway.rules.formats import verify_format
from services.string_railway.rules.lengths import rounded_length, squares
from services.string_railway.rules.moves import LayString, Move, PlaceStation
from services.string_railway.rules.paying import Paid, all_visits, pay
from services.string_railway.rules.planes import Box, Point
from services.string_railway.rules.squares import Square, square
from services.string_railway.rules.state import State
from services.string_railway.rules.table import all_strings, area, length_bounds, tile

MARGINAL: Final = 500
"""Below this many micrometres a verdict is marginal."""
_FAR: Final = 10_000.0


@dataclass(frozen=True, slots=True)
class Details:
    """What an answer says of a string or a tile besides the verdict.  Lengths in micrometres; `margin` is
    at most 10 mm; `paid` is None where the string touches itself, since crossings have no meaning then."""

    length: int
    margin: int
    paid: Paid | None

    @property
    def marginal(self) -> bool:
        return self.margin < MARGINAL


def details(state: State, move: Move, legal: bool) -> Details | None:
    """For a string or a tile with the right form; None for other moves."""
    if state.boundary is None or verify_format(move):
        return None
    if isinstance(move, PlaceStation):
        own = square(move.corners)
        return Details(0, round(min((_FAR, *_tile_margins(state, own)))), None)
    if not isinstance(move, LayString):
        return None
    line = curve(merged(move.path))
    length = rounded_length(squares(line.points))
    paid = pay(state, move.actor, line, state.strings, all_visits(state, line)) if legal else None
    margin = _length_margin(state, move.length, length)
    for distance in _string_margins(state, line, paid):
        margin = min(margin, distance)
    return Details(length, round(margin), paid)


def _length_margin(state: State, length: str, drawn: int) -> float:
    if length not in ("short", "long"):
        return _FAR
    low, high = length_bounds(state, length)
    return min(_FAR, abs(drawn - float(high)), abs(drawn - float(low)) if low else _FAR)


def _string_margins(state: State, line: Curve, paid: Paid | None) -> Iterator[float]:
    tiles = [tile(station) for station in state.stations]
    for x, y in (line.points[0], line.points[-1]):
        yield min((abs(_depth(own, x, y)) for own in tiles), default=_FAR)
    for own in tiles:
        gaps = [_separation(own, *line.ends(s[4])) for s in line.near(_wider(own.box, round(_FAR)))]
        if gaps:
            nearest = min(gaps)
            yield nearest if nearest > 0 else -nearest
    ring = area(state)
    for out in outside_stretches(line, ring):
        inner = [line.spot(place) for place in range(int(out.low) + 1, -int(-out.high // 1))]
        inner.append(line.spot((out.low + out.high) * Fraction(1, 2)))
        yield max(_distance_to(ring, x / w, y / w) for x, y, w in inner)
    if paid is not None:
        for crossing in (*paid.free, *paid.charged):
            x, y, w = crossing.spot
            yield min((abs(_depth(own, x / w, y / w)) for own in tiles), default=_FAR)


def _tile_margins(state: State, own: Square) -> Iterator[float]:
    near = _wider(own.box, round(_FAR))
    for line in (area(state), *(line for _, line in all_strings(state))):
        for segment in line.near(near):
            yield abs(_separation(own, *line.ends(segment[4])))
    for station in state.stations:
        yield abs(_apart(own, tile(station)))


def _wider(box: Box, by: int) -> Box:
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def _depth(own: Square, x: float, y: float) -> float:
    """How deep a point lies in a tile; negative outside."""
    return min((a * x + b * y + c) / hypot(a, b) for a, b, c in own.edges)


def _separation(own: Square, p: Point, q: Point) -> float:
    """How far a segment and a tile are apart; negative: how far one must move to be free of the other."""
    best = max(-max(a * p[0] + b * p[1] + c, a * q[0] + b * q[1] + c) / hypot(a, b) for a, b, c in own.edges)
    dx, dy = q[0] - p[0], q[1] - p[1]
    sides = [(dx * (y - p[1]) - dy * (x - p[0])) / hypot(dx, dy) for x, y in own.corners]
    return max(best, min(sides), -max(sides))


def _apart(one: Square, other: Square) -> float:
    """How far two tiles are apart; negative: how far one must move to be free of the other."""
    return max(
        -max((a * x + b * y + c) / hypot(a, b) for x, y in corners)
        for edges, corners in ((one.edges, other.corners), (other.edges, one.corners))
        for a, b, c in edges
    )


def _distance_to(ring: Curve, x: float, y: float) -> float:
    best = float("inf")
    for index in range(len(ring.points)):
        (ax, ay), (bx, by) = ring.ends(index)
        dx, dy = bx - ax, by - ay
        share = max(0.0, min(1.0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)))
        best = min(best, hypot(x - ax - share * dx, y - ay - share * dy))
    return best
