"""Tiles on paper show the track that the recorded tile list gives them, and nothing runs into anything."""

import json
from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from services.eighteen_cz.render.geometry import (
    APOTHEM,
    CENTRE,
    SIDE,
    Point,
    corner,
    edge_middle,
    hex_centre,
    outline,
    through,
)
from services.eighteen_cz.render.tiles import SLOT, TOWN, Drawing, drawing, slots
from services.eighteen_cz.rules.hexmap import MAPS
from services.eighteen_cz.rules.state import Tile
from services.eighteen_cz.rules.tiles import KINDS, LAYOUTS, PRINTED
from tests.eighteen_cz.snapshots import RECORDS

if not RECORDS.is_dir():
    pytest.skip("the recordings are not there: ../shared/conformance/18cz", allow_module_level=True)

TILES: dict[str, Any] = json.loads((RECORDS / "tiles.json").read_text(encoding="utf-8"))


def edge_at(point: Point) -> int | None:
    return next((edge for edge in range(6) if point.distance(edge_middle(edge)) < 0.01), None)


def shown(plan: Drawing) -> Counter[tuple[str, str]]:
    """The track of a drawing as pairs of ends: an edge, or `nK` for the stop that the line reaches."""
    found: Counter[tuple[str, str]] = Counter()
    for lane in plan.tracks:
        first, second = edge_at(lane.start), edge_at(lane.end)
        if first is not None and second is not None and all(stop.on != lane for stop in plan.stops):
            found[(str(min(first, second)), str(max(first, second)))] += 1
    for index, stop in enumerate(plan.stops):
        for edge, points in stop.lanes:
            assert edge_at(points[0]) == edge and points[-1].distance(stop.at) < 0.01
            found[(str(edge), f"n{index}")] += 1
    return found


def recorded(number: str, rotation: int) -> Counter[tuple[str, str]]:
    found: Counter[tuple[str, str]] = Counter()
    for first, second, *_ in TILES[number]["paths"]:
        ends = [end if isinstance(end, str) else str((end + rotation) % 6) for end in (first, second)]
        found[(min(ends), max(ends))] += 1
    return found


@pytest.mark.parametrize("rotation", range(6))
@pytest.mark.parametrize("number", TILES)
def test_every_tile_shows_its_recorded_track(number: str, rotation: int) -> None:
    assert shown(drawing(LAYOUTS[Tile(number, rotation)])) == recorded(number, rotation)


@pytest.mark.parametrize("number", TILES)
def test_cities_towns_and_values_keep_clear_of_each_other(number: str) -> None:
    for rotation in range(6):
        layout = LAYOUTS[Tile(number, rotation)]
        plan = drawing(layout)
        radius = SLOT if layout.has_cities else TOWN
        places = [place for stop in plan.stops for place in slots(layout, stop)]
        for one, other in combinations(places, 2):
            assert one.distance(other) >= 2 * radius - 0.1
        for place in places:
            assert place.distance(CENTRE) < APOTHEM
            if layout.locations:
                assert place.distance(plan.value_at) > radius + 4
        assert not layout.label or plan.value_at.distance(plan.label_at) > 20


def test_slots_are_as_many_as_the_tile_has() -> None:
    for tile, layout in LAYOUTS.items():
        if layout.has_cities:
            for stop in drawing(layout).stops:
                assert len(slots(layout, stop)) == KINDS[tile.number].slots


def test_printed_hexes_can_be_drawn() -> None:
    for layout in PRINTED.values():
        assert len(drawing(layout).stops) == len(layout.locations)


def test_neighbours_meet_at_their_edges() -> None:
    for hex_ in MAPS["standard"].hexes.values():
        centre = hex_centre(hex_.name)
        for edge, other in enumerate(hex_.neighbours):
            if other:
                there, mine, theirs = hex_centre(other), edge_middle(edge), edge_middle((edge + 3) % 6)
                assert Point(centre.x + mine.x, centre.y + mine.y).distance(
                    Point(there.x + theirs.x, there.y + theirs.y)
                ) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(("first", "second"), list(combinations(range(6), 2)))
def test_track_meets_its_edges_squarely_and_stays_inside(first: int, second: int) -> None:
    lane = through(first, second)
    points = lane.points(steps=40)
    assert points[0].distance(edge_middle(first)) < 0.01
    assert points[-1].distance(edge_middle(second)) < 0.01
    assert all(point.distance(CENTRE) < APOTHEM + 0.01 for point in points)
    inwards = points[0].angle(CENTRE)
    assert (points[0].angle(points[1]) - inwards + 180) % 360 - 180 == pytest.approx(0, abs=2)
    assert lane.path().startswith("M")


def test_corners_lie_between_their_edges() -> None:
    for index in range(6):
        assert corner(index).distance(edge_middle(index)) == pytest.approx(SIDE / 2)
        assert corner(index).distance(edge_middle((index + 1) % 6)) == pytest.approx(SIDE / 2)
    assert len(outline().split()) == 6
