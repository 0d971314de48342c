"""What a move must look like before anything else is asked (SR-9.1 to 9.3, 11.2)."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from services.ruleset.answers import Violation
from services.string_railway.rules import facts
from services.string_railway.rules.curves import merged
from services.string_railway.rules.moves import (
    LayString,
    Move,
    PlaceStart,
    PlaceStation,
    SetupBoundary,
    SetupMountain,
    SetupRiver,
)
from services.string_railway.rules.planes import Point
from services.string_railway.rules.refusing import refuse
from services.string_railway.rules.squares import is_tile
from services.string_railway.rules.state import MOUNTAIN, RIVER, State

ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")
"""What a station or a string may be called."""


def in_range(point: Point) -> bool:
    return abs(point[0]) <= facts.RANGE and abs(point[1]) <= facts.RANGE


def fits_curve(points: Sequence[Point], closed: bool) -> bool:
    """Whether merged vertices are neither too few nor too many (SR-9.2)."""
    return (3 if closed else 2) <= len(points) <= facts.MOST_VERTICES


def verify_format(move: Move) -> list[Violation]:
    """Format, range and shape of tiles; with any of these nothing else is checked (SR-9.11)."""
    match move:
        case SetupBoundary():
            found = list(_verify_curve(move, "ring", move.ring, closed=True))
            return found + _verify_range(move, "marks", move.marks)
        case SetupMountain():
            return list(_verify_curve(move, "ring", move.ring, closed=True))
        case SetupRiver() | LayString():
            return list(_verify_curve(move, "path", move.path, closed=False))
        case PlaceStart() | PlaceStation():
            found = _verify_range(move, "corners", move.corners)
            if not is_tile(move.corners):
                found.append(refuse(move, "corners", "SR-9.3", "bad_tile", count=len(move.corners)))
            return found
    return []


def _verify_curve(move: Move, field: str, given: Sequence[Point], closed: bool) -> Iterator[Violation]:
    points = merged(given, closed)
    if not fits_curve(points, closed):
        least, most = (3 if closed else 2), facts.MOST_VERTICES
        yield refuse(move, field, "SR-9.2", "bad_format", vertices=len(points), minimum=least, maximum=most)
    yield from _verify_range(move, field, given)


def _verify_range(move: Move, field: str, points: Iterable[Point]) -> list[Violation]:
    for index, point in enumerate(points):
        if not in_range(point):
            limit = facts.RANGE // 1000
            return [refuse(move, f"{field}[{index}]", "SR-9.1", "out_of_range", point, limit=limit)]
    return []


def verify_id(state: State, move: PlaceStart | PlaceStation | LayString) -> list[Violation]:
    """A new station or string has a name of its own, or none yet."""
    if not move.id:
        return []
    if not ID.fullmatch(move.id):
        return [refuse(move, "id", "SR-11.2", "id_form", id=move.id[:40])]
    named = state.strings if isinstance(move, LayString) else state.stations
    if move.id in (RIVER, MOUNTAIN) or any(each.id == move.id for each in named):
        return [refuse(move, "id", "SR-11.2", "id_taken", id=move.id)]
    return []


def free_id(taken: Iterable[str], stem: str, first: int) -> str:
    """The first of stem + number that is not taken."""
    names = set(taken)
    number = first
    while f"{stem}{number}" in names:
        number += 1
    return f"{stem}{number}"
