"""The map and the tiles are consistent in themselves (CZ-1.6, CZ-9.2 to 9.6, CZ-18)."""

from collections import Counter

import pytest

from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.hexmap import EDGES, MAPS, step
from services.eighteen_cz.rules.state import Tile
from services.eighteen_cz.rules.tiles import (
    FIRST_TILES,
    KINDS,
    LAYOUTS,
    NEXT_COLOUR,
    PRINTED,
    SAME_TRACK,
    Kind,
    Layout,
    candidates,
    city_after,
    home_rotations,
    possible_tiles,
)


def test_counts() -> None:  # CZ-1.6, 18.1, 18.2
    assert sum(kind.count for kind in KINDS.values()) == 160 and len(KINDS) == 76
    assert {name: len(board.hexes) for name, board in MAPS.items()} == {"standard": 107, "bohemia": 73}
    kinds = Counter(hex_.kind for hex_ in MAPS["standard"].hexes.values())
    assert kinds["red_home_site"] == 10 and kinds["oo_city"] == 3 and kinds["city_y"] == 5


@pytest.mark.parametrize("board", MAPS.values(), ids=MAPS.keys())
def test_neighbours_are_mutual(board: object) -> None:
    map_ = MAPS[board.name]  # type: ignore[attr-defined]
    for hex_ in map_.hexes.values():
        for edge in EDGES:
            other = hex_.neighbours[edge]
            side = 6 * hex_.index + edge
            if other:
                assert other == step(hex_.name, edge)
                assert map_.hexes[other].neighbours[(edge + 3) % 6] == hex_.name
                assert map_.across[map_.across[side]] == side
                assert map_.hexside[side] == map_.hexside[map_.across[side]] >= 0
            else:
                assert map_.across[side] == map_.hexside[side] == -1


def test_d1_opens_only_to_its_two_exits() -> None:  # CZ-9.6
    hexes = MAPS["standard"].hexes
    assert hexes["D1"].neighbours == ("", "", "", "", "D3", "E2")
    assert [name for name, hex_ in hexes.items() if "D1" in hex_.neighbours] == ["D3", "E2"]


def test_homes() -> None:  # CZ-1.4
    hexes = MAPS["standard"].hexes
    for company in facts.COMPANIES.values():
        for home in company.home_hexes:
            assert company.symbol in hexes[home].home_of
            assert bool(company.home_tile) == (hexes[home].kind == "red_home_site")
            assert not company.home_tile or home_rotations("standard", company.symbol, home)


def _kept(old: Layout, new: Layout) -> bool:
    """Whether all old track lies on the new tile, and separate cities stay apart or are all joined."""
    for edge in EDGES:
        if any(end < 6 and end not in new.links[edge] for end in old.links[edge]):
            return False
    takes = [[n for n, exits in enumerate(new.locations) if not city & ~exits] for city in old.locations]
    if not all(takes):
        return False
    return len({place for places in takes for place in places[:1]}) in (len(old.locations), 1)


def _as_many(kind: Kind, other: Kind) -> bool:
    """CZ-9.5: cities and towns are kept, but for the named exceptions."""
    if kind.label in ("OO", "P"):
        return bool(other.cities)
    if len(kind.towns) == 2:
        return len(other.towns) == 1
    return (len(kind.cities), len(kind.towns)) == (len(other.cities), len(other.towns))


@pytest.mark.parametrize("number", KINDS)
def test_upgrades_are_those_that_keep_the_track(number: str) -> None:  # CZ-9.5
    kind = KINDS[number]
    for other in KINDS.values():
        if (NEXT_COLOUR.get(kind.colour), kind.label) != (other.colour, other.label):
            assert other.number not in kind.upgrades
            continue
        old = LAYOUTS[Tile(number, 0)]
        turns = tuple(turn for turn in EDGES if _kept(old, LAYOUTS[Tile(other.number, turn)]))
        assert kind.upgrades.get(other.number, ()) == (turns if _as_many(kind, other) else ())


def test_first_tiles_fit_the_print() -> None:  # CZ-9.3
    for hex_ in MAPS["standard"].hexes.values():
        for number, rotations in FIRST_TILES.get(hex_.kind, {}).items():
            kind = KINDS[number]
            assert kind.colour == NEXT_COLOUR[PRINTED[hex_.name].colour] and kind.label == hex_.label
            for rotation in rotations:
                new = LAYOUTS[Tile(number, rotation)]
                cities = [city_after(PRINTED[hex_.name], new, city) for city in range(len(hex_.cities))]
                assert len(set(cities)) == len(cities)


def test_rotations_with_the_same_track() -> None:  # CZ-9.14
    assert SAME_TRACK[Tile("9", 1)] == (1, 4)
    assert SAME_TRACK[Tile("8", 1)] == (1,)
    assert SAME_TRACK[Tile("8890", 1)] == (1, 3, 5)
    assert SAME_TRACK[Tile("8892", 0)] == (0, 1, 2, 3, 4, 5)


def test_no_tile_that_can_come_to_a_hex_leads_off_the_board() -> None:  # CZ-9.6
    for board in MAPS.values():
        for name, hex_ in board.hexes.items():
            for tile in possible_tiles(board.name, name):
                assert not LAYOUTS[tile].exits & ~hex_.open_edges


def test_the_approaches_of_praha() -> None:  # CZ-9.8
    for name, edge in (("D13", 0), ("F13", 2)):
        first = candidates("standard", name, None)
        assert first and all(candidate.exits >> edge & 1 for candidate in first)
        assert all(LAYOUTS[tile].exits >> edge & 1 for tile in possible_tiles("standard", name))


def test_praha_keeps_the_cities_of_nwb_and_bn() -> None:  # CZ-9.12
    printed = PRINTED["E12"]
    for number, rotations in (("8889", (1,)), ("8890", (1, 3, 5)), ("8891", (1, 3, 5))):
        for rotation in rotations:
            new = LAYOUTS[Tile(number, rotation)]
            assert new.locations[city_after(printed, new, 0)] == 1 << 5
            assert new.locations[city_after(printed, new, 1)] == 1 << 3
    brown = LAYOUTS[Tile("8892", 0)]
    assert [city_after(printed, brown, city) for city in (0, 1)] == [0, 0]
