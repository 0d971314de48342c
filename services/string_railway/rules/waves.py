"""Making a path as long as a string by replacing a straight part of it by a wave (SR-10.5).

Here lengths and points are floating-point micrometres: all this only proposes strings.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot, sqrt
from typing import Final

from services.string_railway.rules.planes import Point

Vector = tuple[float, float]

TEETH: Final = (3, 6, 12, 25, 50, 100, 200)
WINDOWS: Final = ((0.05, 0.95), (0.05, 0.5), (0.5, 0.95), (0.05, 0.3), (0.3, 0.55), (0.55, 0.8), (0.7, 0.95))
"""The parts of a leg that are tried, as shares of it."""
LAYABLE_PITCH: Final = 6000
"""A tooth narrower than this cannot be laid with a string 3 mm thick."""


@dataclass(frozen=True, slots=True)
class Wave:
    """A way to lengthen a path: teeth on a part of leg `leg`, from `start` to `end`, that rise by `rise`."""

    leg: int
    start: Vector
    end: Vector
    rise: Vector
    teeth: int

    def points(self) -> list[Vector]:
        """What replaces the part of the leg."""
        (sx, sy), (ex, ey), (rx, ry) = self.start, self.end, self.rise
        count = 2 * self.teeth
        dx, dy = (ex - sx) / count, (ey - sy) / count
        return [(sx + dx * i + rx * (i % 2), sy + dy * i + ry * (i % 2)) for i in range(count + 1)]

    def strip(self) -> tuple[Vector, Vector, Vector, Vector]:
        """The rectangle that the teeth fill."""
        (sx, sy), (ex, ey), (rx, ry) = self.start, self.end, self.rise
        return self.start, self.end, (ex + rx, ey + ry), (sx + rx, sy + ry)

    @property
    def pitch(self) -> float:
        """The width of a tooth."""
        return hypot(self.end[0] - self.start[0], self.end[1] - self.start[1]) / self.teeth


def length_of(path: Sequence[Vector]) -> float:
    return sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(path))


def towards(start: Vector, end: Vector, distance: float) -> Vector:
    """The point at a distance from `start` in the direction of `end`."""
    whole = hypot(end[0] - start[0], end[1] - start[1])
    if whole == 0:
        return start
    share = distance / whole
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def on_grid(path: Sequence[Vector]) -> tuple[Point, ...]:
    return tuple((round(x), round(y)) for x, y in path)


def waves(path: Sequence[Vector], missing: float) -> Iterator[Wave]:
    """Waves that add the missing length: on long legs first, with few teeth first, on either side."""
    legs = sorted(range(len(path) - 1), key=lambda leg: -length_of(path[leg : leg + 2]))
    for teeth in TEETH:
        for leg in legs:
            for low, high in WINDOWS:
                yield from wave_on(path, leg, low, high, missing, teeth)


def wave_on(
    path: Sequence[Vector], leg: int, low: float, high: float, missing: float, teeth: int
) -> Iterator[Wave]:
    """A wave on a part of a leg, to the left and to the right of it."""
    (ax, ay), (bx, by) = path[leg], path[leg + 1]
    dx, dy = bx - ax, by - ay
    whole = hypot(dx, dy)
    width = whole * (high - low)
    if width < 1000:
        return
    stroke = width / (2 * teeth)
    height = sqrt(((missing + width) / (2 * teeth)) ** 2 - stroke**2)
    start = (ax + dx * low, ay + dy * low)
    end = (ax + dx * high, ay + dy * high)
    for hand in (height / whole, -height / whole):
        yield Wave(leg, start, end, (-dy * hand, dx * hand), teeth)
