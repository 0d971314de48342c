"""The outline of a union of polygons, by floating-point numbers.

The polygons are in general position: no two have an edge on the same line, no corner lies on another's
edge.  Whoever asks sees to that by growing each a little differently.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

Vertex = tuple[float, float]
Loop = list[Vertex]


class NotGeneral(Exception):
    """The polygons are not in general position."""


@dataclass(slots=True)
class _Edge:
    """A side of a polygon and where others cross it: share of the way, +1 where it enters the other
    polygon and -1 where it leaves it, the name of the crossing, the point."""

    start: Vertex
    end: Vertex
    polygon: int
    crossings: list[tuple[float, int, int, Vertex]] = field(default_factory=list)


def union_outline(polygons: Sequence[Loop]) -> list[Loop]:
    """The boundary loops of the union of simple counter-clockwise polygons, what is covered on the left.

    Raises NotGeneral where loops do not close.
    """
    sides = [
        [_Edge(a, b, number) for a, b in zip(loop, (*loop[1:], loop[0]), strict=True)]
        for number, loop in enumerate(polygons)
    ]
    _cross([edge for own in sides for edge in own])
    boxes = [
        (min(x for x, _ in loop), min(y for _, y in loop), max(x for x, _ in loop), max(y for _, y in loop))
        for loop in polygons
    ]
    loops: list[Loop] = []
    arcs: dict[int, tuple[Loop, int]] = {}
    for number, own in enumerate(sides):
        x, y = polygons[number][0]
        around = [i for i, box in enumerate(boxes) if box[0] < x < box[2] and box[1] < y < box[3]]
        depth = sum(other != number and is_within(polygons[other], x, y) for other in around)
        if any(edge.crossings for edge in own):
            _walk(own, depth, arcs)
        elif depth == 0:
            loops.append(list(polygons[number]))
    while arcs:
        first, (loop, end) = arcs.popitem()
        while end != first:
            following = arcs.pop(end, None)
            if following is None:
                raise NotGeneral
            loop += following[0]
            end = following[1]
        loops.append(loop)
    return loops


def _walk(own: Sequence[_Edge], depth: int, arcs: dict[int, tuple[Loop, int]]) -> None:
    """Collects the uncovered arcs of one polygon, by the crossing at which they start."""
    started = depth == 0
    head: Loop = []  # from the first corner on; joined to the last arc
    head_end = -1
    current: Loop | None = head if started else None
    current_start = -1
    for edge in own:
        if current is not None:
            current.append(edge.start)
        for _, change, crossing, point in sorted(edge.crossings):
            depth += change
            if depth == 1 and change == 1:
                if current is None:
                    raise NotGeneral
                if current is head and current_start == -1:
                    head_end = crossing
                else:
                    arcs[current_start] = (current, crossing)
                current = None
            elif depth == 0:
                current, current_start = [point], crossing
            elif depth < 0:
                raise NotGeneral
    if (depth == 0) != started:
        raise NotGeneral
    if started:
        if current is None or head_end == -1:
            raise NotGeneral
        arcs[current_start] = (current + head, head_end)


def _cross(edges: list[_Edge]) -> None:
    """Notes on every edge where others cross it."""
    queue = sorted((*_span(edge), index, edge.polygon) for index, edge in enumerate(edges))
    active: list[tuple[float, float, float, float, int, int]] = []
    number = 0
    for span in queue:
        left, _, bottom, top, index, polygon = span
        active = [other for other in active if other[1] >= left]
        one = edges[index]
        (ax, ay), (bx, by) = one.start, one.end
        ux, uy = bx - ax, by - ay
        near = [o[4] for o in active if o[2] <= top and o[3] >= bottom and o[5] != polygon]
        active.append(span)
        for place in near:
            other = edges[place]
            (cx, cy), (dx, dy) = other.start, other.end
            c_side = ux * (cy - ay) - uy * (cx - ax)
            d_side = ux * (dy - ay) - uy * (dx - ax)
            if (c_side > 0) == (d_side > 0):
                continue
            vx, vy = dx - cx, dy - cy
            a_side = vx * (ay - cy) - vy * (ax - cx)
            b_side = vx * (by - cy) - vy * (bx - cx)
            if (a_side > 0) == (b_side > 0):
                continue
            share = a_side / (a_side - b_side)
            point = (ax + ux * share, ay + uy * share)
            change = 1 if b_side > 0 else -1
            one.crossings.append((share, change, number, point))
            other.crossings.append((c_side / (c_side - d_side), -change, number, point))
            number += 1


def _span(edge: _Edge) -> tuple[float, float, float, float]:
    (ax, ay), (bx, by) = edge.start, edge.end
    left, right = (ax, bx) if ax < bx else (bx, ax)
    return (left, right, ay, by) if ay < by else (left, right, by, ay)


def is_within(loop: Sequence[Vertex], x: float, y: float) -> bool:
    """Whether a point lies inside a polygon (even-odd rule)."""
    inside = False
    ax, ay = loop[-1]
    for bx, by in loop:
        if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
            inside = not inside
        ax, ay = bx, by
    return inside


def area_of(loop: Sequence[Vertex]) -> float:
    """The signed area of a polygon, positive when it runs counter-clockwise."""
    total = 0.0
    ax, ay = loop[-1]
    for bx, by in loop:
        total += ax * by - bx * ay
        ax, ay = bx, by
    return total / 2
