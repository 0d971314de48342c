"""SR-5: what a string must keep to, accepted and refused section by section."""

import pytest

from services.string_railway.rules.moves import LayString, Pass
from services.string_railway.rules.state import Options, State, Station
from tests.string_railway.rules.positions import codes, do, lay, line, station, string, table

K = station("K", "central", 330, 30)
STRAIGHT = ((30, 30), (330, 30))


def test_a_plain_string_is_laid_and_the_turn_goes_on() -> None:
    after = lay(table(K), *STRAIGHT).state
    assert after is not None
    assert (after.strings[-1].id, after.phase, after.acting) == ("r1", "draw", "yellow")


def test_sr_5_1_a_string_must_be_in_hand() -> None:
    far = station("F", "central", 30, 400)
    long = string("r1", "red", (30, 30), (230, 253.607), (30, 400), long=True)
    assert codes(lay(table(K, far), (30, 30), (30, 400), (130, 400), long=True))[0].startswith("SR-5.2")
    assert codes(lay(table(K, far, strings=[long]), *STRAIGHT)) == []
    refused = lay(table(K, far, strings=[long]), *STRAIGHT, long=True)
    assert codes(refused) == ["SR-5.1 string_unavailable", "SR-5.2 wrong_length"]
    state = table(K)
    state.forfeits = {"red": ["short"] * 4}
    assert codes(lay(state, *STRAIGHT)) == ["SR-5.1 string_unavailable"]


@pytest.mark.parametrize(
    ("x", "tolerance", "slack", "legal"),
    [
        (324, "standard", "exact", True),
        (323.999, "standard", "exact", False),
        (333, "standard", "exact", True),
        (333.001, "standard", "exact", False),
        (312, "standard", "taut", True),
        (333.001, "standard", "taut", False),
        (330.3, "exact", "exact", True),
        (330.301, "exact", "exact", False),
        (315, "photo", "exact", True),
        (339, "photo", "exact", True),
        (314.999, "photo", "exact", False),
    ],
)
def test_sr_5_2_the_drawn_length(x: float, tolerance: str, slack: str, legal: bool) -> None:
    options = Options(tolerance=tolerance, slack=slack)  # type: ignore[arg-type]
    found = codes(lay(table(K, options=options), (30, 30), (x, 30)))
    assert found == ([] if legal else ["SR-5.2 wrong_length"])


def test_sr_5_2_roots_are_compared_exactly() -> None:
    assert codes(lay(table(K), (30, 30), (180, 51.266), (330, 30))) == []
    assert codes(lay(table(K), (30, 30), (180, 51.267), (330, 30))) == ["SR-5.2 wrong_length"]


def test_sr_5_3_the_boundary_may_be_touched_but_not_left() -> None:
    assert codes(lay(table(K), (30, 10), (180, 0), (330, 20))) == []
    assert codes(lay(table(K), (30, 10), (31, 0), (310, 0), (315, 10))) == []
    refused = lay(table(K), (30, 10), (180, -0.001), (330, 20))
    assert codes(refused) == ["SR-5.3 outside"]
    assert refused.violations[0].at == "179.985,0"


def test_sr_5_4_no_self_contact() -> None:
    near = station("N", "central", 100, 345)
    q = station("Q", "regional", 60, 300)
    own = string("r1", "red", (30, 10), (60, 308))
    curl = ((75, 300), (175, 300), (175, 385), (100, 385))
    assert codes(lay(table(q, near, strings=[own]), *curl, (100, 345))) == []
    back = lay(table(K), (30, 30), (180, 30), (179, 30), (330, 30))
    assert codes(back) == ["SR-5.4 self_contact"]


def test_sr_5_5_ends_lie_on_stations_edges_included() -> None:
    assert codes(lay(table(K), (10, 30), (310, 30))) == []
    refused = lay(table(K), (9.999, 30), (309.999, 30))
    assert codes(refused) == ["SR-5.5 end_not_on_station"]
    assert refused.violations[0].at == "309.999,30"


def test_sr_5_6_ends_lie_on_two_stations() -> None:
    found = codes(lay(table(K), (10, 10), (160, 30), (10, 30)))
    assert found == ["SR-5.6 same_end_station", "SR-5.8 station_twice"]


def test_sr_5_7_an_end_lies_on_the_own_network() -> None:
    one, other = station("N", "central", 60, 180), station("M", "central", 190, 30)
    assert codes(lay(table(one, other), (60, 165), (20, 30), (180, 30))) == ["SR-5.7 not_connected"]
    own = string("r1", "red", (30, 30), (60, 165))
    assert codes(lay(table(one, other, strings=[own]), (60, 165), (20, 30), (180, 30))) == []
    theirs = string("b1", "blue", (60, 165), (190, 30))
    refused = lay(table(one, other, strings=[theirs]), (60, 165), (20, 30), (180, 30))
    assert codes(refused) == ["SR-5.7 not_connected"]


def test_sr_5_8_a_station_is_visited_once() -> None:
    tile = station("D", "regional", 200, 60)
    path = ((30, 30), (180, 40), (200, 20), (220, 40), (315, 30))
    refused = lay(table(K, tile), *path)
    assert codes(refused) == ["SR-5.8 station_twice"]
    assert refused.violations[0].at == "220,40"
    inside = ((39, 30), (200, 30), (210, 50), (215, 30), (311, 30))
    assert codes(lay(table(K, station("D", "regional", 200, 30)), *inside)) == []


def test_sr_5_9_a_terminal_is_an_end() -> None:
    assert codes(lay(table(station("T", "terminal", 330, 30)), *STRAIGHT)) == []
    grazed = lay(table(K, station("T", "terminal", 200, 58.284, 45)), *STRAIGHT)
    assert codes(grazed) == ["SR-5.9 terminal_passed"]
    assert grazed.violations[0].at == "200,30"
    assert codes(lay(table(K, station("T", "terminal", 200, 58.285, 45)), *STRAIGHT)) == []


def test_sr_5_10_limits_of_companies() -> None:
    country = station("E", "country", 330, 30)
    theirs = string("b1", "blue", (770, 30), (550, 233.961), (330, 30), long=True)
    refused = lay(table(country, strings=[theirs]), *STRAIGHT)
    assert codes(refused) == ["SR-5.10 company_limit"]
    assert refused.violations[0].at == "310,30"
    suburban = station("E", "suburban", 330, 30)
    assert codes(lay(table(suburban, strings=[theirs]), *STRAIGHT)) == []
    own = string("r1", "red", (30, 20), (330, 20))
    assert codes(lay(table(country, strings=[own]), (30, 36), (330, 36))) == []


def pass_on(state: State, given: str) -> list[str]:
    return codes(do(state, Pass(state.acting, given)))


def test_sr_5_12_passing_only_where_nothing_reaches() -> None:
    far = station("F", "central", 400, 730)
    assert pass_on(table(far), "short") == []
    assert pass_on(table(station("F", "central", 400, 430)), "short") == ["SR-5.12 pass_refused"]
    state = table(far)
    state.forfeits = {"red": ["long"]}
    assert pass_on(state, "long") == ["SR-5.1 string_unavailable"]
    assert pass_on(table(far), "none") == ["SR-5.1 string_unavailable"]


def test_sr_10_4_reach_is_decided_round_obstacles() -> None:
    near: Station = station("N", "central", 362.8, 30)
    full = station("E", "country", 200, 30, 45)
    theirs = string("b1", "blue", (770, 30), (485, 60), (200, 30), long=True)
    state = table(near)
    state.forfeits = {"red": ["long"]}
    assert pass_on(state, "short") == ["SR-5.12 pass_refused"]
    state = table(near, full, strings=[theirs])
    state.forfeits = {"red": ["long"]}
    assert pass_on(state, "short") == []


def test_turn_and_phase_come_first() -> None:
    path = line(*STRAIGHT)
    assert codes(do(table(K), LayString("blue", "short", path)))[0] == "SR-3.1 not_your_turn"
    assert codes(do(table(K, phase="draw"), LayString("red", "short", path))) == ["SR-3.1 wrong_phase"]
    waiting = table(K, pending=["urban"])
    assert codes(do(waiting, LayString("red", "short", path))) == ["SR-4.1 tiles_pending"]
    assert codes(do(table(K, phase="over", acting=""), LayString("red", "short", path))) == [
        "SR-3.1 wrong_phase"
    ]


def test_names_of_strings() -> None:
    path = line(*STRAIGHT)
    own = string("r1", "red", (30, 20), (330, 20))
    state = table(K, strings=[own])
    assert codes(do(state, LayString("red", "short", line((30, 36), (330, 36)), "r1"))) == [
        "SR-11.2 id_taken"
    ]
    assert codes(do(state, LayString("red", "short", path, "river"))) == ["SR-11.2 id_taken"]
    assert codes(do(state, LayString("red", "short", path, "no name"))) == ["SR-11.2 id_form"]
    after = do(state, LayString("red", "short", line((30, 36), (330, 36)))).state
    assert after is not None and after.strings[-1].id == "r2"
