"""No well-typed move of the board, however odd, makes the rules fail or take long."""

from functools import cache
from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.eighteen_cz.rules import home_tiles, purple, routes, stations, track
from services.eighteen_cz.rules.copying import copy_state
from services.eighteen_cz.rules.hexmap import MAPS
from services.eighteen_cz.rules.moves import (
    ChooseHomeCity,
    LayHomeTile,
    LayPurpleTile,
    LayTile,
    PlaceStation,
    RemoveStation,
    Route,
    RunTrains,
)
from services.eighteen_cz.rules.state import Pending, State
from services.eighteen_cz.rules.tiles import KINDS
from tests.eighteen_cz.rules.board.boards import turn_of
from tests.eighteen_cz.rules.board.random_boards import random_board
from tests.eighteen_cz.rules.table import Table

HEXES = st.one_of(st.sampled_from([*MAPS["standard"].hexes, "A1", "", "E", "Ω9"]), st.text(max_size=4))
TILES = st.one_of(st.sampled_from([*KINDS, "0", "57:1", ""]), st.text(max_size=4))
NUMBERS = st.one_of(st.integers(-8, 8), st.sampled_from([-(2**31), 2**31 - 1, 10**30]))
LOCALS = st.sampled_from(["S1", "M1", "L1", "S2", "", "BCB", "G1"])
STOPS = st.builds(
    lambda name, rest: name + rest, HEXES, st.sampled_from(["", ".0", ".1", ".9", ".", ".x", ".٣"])
)


@cache
def small_board() -> State:
    return turn_of("BCB", {"E16": "57:1", "E18": "9:1"}, locals_={"S1": "BCB", "M1": "G1"}).state


@cache
def large_board() -> State:
    state = random_board(5, 60, ("BCB", "kk"))
    state.companies["BCB"].trains = ["4e"]
    state.companies["kk"].trains = ["8Ej", "8Ej", "4Eg"]
    return state


@settings(max_examples=200, deadline=None)
@given(HEXES, TILES, NUMBERS, LOCALS)
def test_lays(hex_name: str, tile: str, rotation: int, local: str) -> None:
    state = small_board()
    track.verify_lay_tile(state, LayTile("BCB", hex_name, tile, rotation, local))
    purple.verify_lay_purple_tile(state, LayPurpleTile("BCB", local, hex_name, tile, rotation))
    home_tiles.verify_lay_home_tile(state, LayHomeTile("BCB", hex_name, rotation))


@settings(max_examples=150, deadline=None)
@given(HEXES, NUMBERS, NUMBERS)
def test_stations(hex_name: str, city: int, slot: int) -> None:
    state = copy_state(small_board())
    stations.verify_place_station(state, PlaceStation("BCB", hex_name, city, slot))
    stations.verify_choose_home_city(state, ChooseHomeCity("BCB", city))
    state.pending = [Pending("remove_station", company="BCB", hexes=["E16"])]
    stations.verify_remove_station(state, RemoveStation("BCB", hex_name, city))


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.builds(
            Route,
            st.sampled_from(["4e", "2a", "8Ej", "", "nothing"]),
            st.lists(STOPS, max_size=6).map(tuple),
            st.lists(st.lists(HEXES, max_size=5).map(tuple), max_size=6).map(tuple),
        ),
        max_size=4,
    ),
    NUMBERS,
)
def test_runs(runs: list[Route], revenue: int) -> None:
    state = large_board()
    for symbol in ("BCB", "kk"):
        move = RunTrains(symbol, tuple(runs), revenue)
        refused = routes.verify_run_trains(state, move)
        canonical = routes.canonical(state, move)
        if not refused:
            assert not routes.verify_run_trains(state, canonical)
            assert sum(value for _, value in routes.revenues(state, move)) == canonical.revenue


@pytest.mark.parametrize(
    "route",
    [
        Route("4e", ("E16", "E22") * 5_000),
        Route("4e", ("E16",) * 10_000, ((),) * 9_999),
        Route("4e", ("E16", "E22"), (("E16", "E18") * 5_000,)),
        Route("4e", ("E16", "E22"), (("E16",),) * 10_000),
        Route("4e", ("x" * 100_000, "E16")),
        Route("4e", ("E16." + "9" * 100_000, "E16")),
    ],
)
def test_huge_routes_are_refused_at_once(route: Route) -> None:
    table: Table = turn_of("BCB", {"E16": "57:1", "E18": "9:1"}, step="run")
    started = perf_counter()
    assert table.refused(RunTrains("BCB", (route,)))
    assert table.refused(RunTrains("BCB", (route,) * 10_000)) == {("CZ-11.1", "too_many_routes")}
    assert perf_counter() - started < 2
