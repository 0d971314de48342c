"""Where things are: hexes with a point at the top, their edges and corners, and lines of track.

Lengths are SVG units, y grows downwards, angles are degrees clockwise from east.  Edges are numbered
0 SW, 1 W, 2 NW, 3 NE, 4 E, 5 SE as on the map; corner n lies between edges n and n + 1.
"""

from dataclasses import dataclass
from math import atan2, cos, degrees, hypot, radians, sin, sqrt
from typing import Final, NamedTuple

SIDE: Final = 50.0
"""The side of a hex, and the distance from its centre to a corner."""
APOTHEM: Final = SIDE * sqrt(3) / 2
"""The distance from the centre of a hex to an edge."""


class Point(NamedTuple):
    x: float
    y: float

    def to(self, angle: float, length: float) -> "Point":
        """The point at an angle and a distance from this one."""
        return Point(self.x + length * cos(radians(angle)), self.y + length * sin(radians(angle)))

    def distance(self, other: "Point") -> float:
        return hypot(self.x - other.x, self.y - other.y)

    def angle(self, other: "Point") -> float:
        """The angle at which the other point is seen from here."""
        return degrees(atan2(other.y - self.y, other.x - self.x))


CENTRE: Final = Point(0.0, 0.0)


def number(value: float) -> str:
    """A length as short as it can be written, and the same on every machine.

    >>> number(1.0), number(-0.004), number(2.346)
    ('1', '0', '2.35')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def pair(point: Point) -> str:
    return f"{number(point.x)},{number(point.y)}"


def edge_angle(edge: int) -> float:
    return (120.0 + 60.0 * edge) % 360


def edge_middle(edge: int, inset: float = 0.0) -> Point:
    """The middle of an edge, or a point before it on the way from the centre."""
    return CENTRE.to(edge_angle(edge), APOTHEM - inset)


def corner(index: int, radius: float = SIDE) -> Point:
    """Corner `index`, or a point on the way to it."""
    return CENTRE.to(edge_angle(index) + 30, radius)


def outline(radius: float = SIDE) -> str:
    """The points of a hex around the centre."""
    return " ".join(pair(corner(index, radius)) for index in range(6))


def hex_centre(name: str) -> Point:
    """The centre of a hex of the map: numbers grow eastwards by half a width, rows downwards."""
    return Point(int(name[1:]) * APOTHEM, (ord(name[0]) - ord("A")) * 1.5 * SIDE)


@dataclass(frozen=True, slots=True)
class Lane:
    """A line of track from `start` to `end`: straight, or an arc around `centre`."""

    start: Point
    end: Point
    centre: Point | None = None

    def at(self, part: float) -> Point:
        """The point that far along the lane: 0 at the start, 1 at the end."""
        if self.centre is None:
            return Point(
                self.start.x + part * (self.end.x - self.start.x),
                self.start.y + part * (self.end.y - self.start.y),
            )
        begin = self.centre.angle(self.start)
        turn = (self.centre.angle(self.end) - begin + 180) % 360 - 180
        return self.centre.to(begin + part * turn, self.centre.distance(self.start))

    def points(self, begin: float = 0.0, end: float = 1.0, steps: int = 12) -> tuple[Point, ...]:
        """The lane, or a part of it, as a chain of points."""
        if self.centre is None:
            return self.at(begin), self.at(end)
        return tuple(self.at(begin + (end - begin) * step / steps) for step in range(steps + 1))

    def distance(self, point: Point) -> float:
        """How near the lane comes to a point (to the precision of its sampled points)."""
        return min(point.distance(self.at(step / 24)) for step in range(25))

    def path(self) -> str:
        """The lane as an SVG path."""
        if self.centre is None:
            return f"M{pair(self.start)}L{pair(self.end)}"
        radius = number(self.centre.distance(self.start))
        turn = (self.centre.angle(self.end) - self.centre.angle(self.start)) % 360
        return f"M{pair(self.start)}A{radius},{radius} 0 0 {int(turn < 180)} {pair(self.end)}"


def through(first: int, second: int) -> Lane:
    """Track from edge to edge: it meets both at a right angle."""
    apart = (second - first) % 6
    start, end = edge_middle(first), edge_middle(second)
    if apart in (1, 5):
        return Lane(start, end, corner(first if apart == 1 else second))
    if apart in (2, 4):
        between = (first + 1 if apart == 2 else first - 1) % 6
        return Lane(start, end, CENTRE.to(edge_angle(between), 2 * APOTHEM))
    return Lane(start, end)
