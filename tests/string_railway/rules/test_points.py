"""SR-6 to SR-8: what strings bring, and who wins."""

import pytest

from services.string_railway.rules.scoring import score
from services.string_railway.rules.state import Options, Station, String
from tests.string_railway.rules.positions import RULES, gains, lay, station, string, table

Q = station("Q", "regional", 60, 300)
K = station("K", "central", 370, 300)
OWN = string("r1", "red", (30, 10), (60, 308))
STRAIGHT = ((70, 300), (370, 300))
UP = (station("U1", "central", 220, 150), station("U2", "central", 220, 450))
THEIRS = string("b1", "blue", (220, 150), (220, 450))


def brought(
    *stations: Station, strings: tuple[String, ...] = (), options: Options | None = None
) -> dict[str, int]:
    state = table(Q, K, *stations, strings=[OWN, *strings], options=options)
    return gains(state, lay(state, *STRAIGHT))


@pytest.mark.parametrize(
    ("kind", "owner", "first", "later"),
    [
        ("central", "", {"red": 3}, {}),
        ("regional", "", {"red": 2}, {}),
        ("suburban", "", {"red": 2}, {}),
        ("country", "", {"red": 1}, {}),
        ("terminal", "", {"red": 3}, {}),
        ("scenic", "", {"red": 1}, {}),
        ("marshalling", "", {"red": 1}, {"red": 1}),
        ("urban", "red", {"red": 3}, {}),
        ("urban", "blue", {"red": 1, "blue": -1}, {}),
        ("transit", "red", {}, {}),
        ("transit", "blue", {"red": 2, "blue": 1}, {}),
    ],
)
def test_sr_6_1_to_6_6_stations(kind: str, owner: str, first: dict[str, int], later: dict[str, int]) -> None:
    state = table(station("X", kind, 330, 30, owner=owner))
    outcome = lay(state, (30, 20), (330, 20))
    assert gains(state, outcome) == first
    again = table(state.stations[-1], strings=[string("r1", "red", (30, 20), (330, 20))])
    assert gains(again, lay(again, (30, 36), (330, 36))) == later


def test_sr_6_3_owners_of_starting_stations() -> None:
    near = station("Q1", "regional", 480, 30)
    own = string("r1", "red", (30, 30), (255, 228.431), (480, 30), long=True)
    state = table(near, strings=[own])
    assert gains(state, lay(state, (475, 30), (775, 30))) == {"red": 2, "blue": -1}
    second = string("r2", "red", (475, 30), (775, 30))
    state = table(near, strings=[own, second])
    assert gains(state, lay(state, (475, 36), (775, 36))) == {}
    state = table(near, strings=[own, second], options=Options(owner_effect="every"))
    assert gains(state, lay(state, (475, 36), (775, 36))) == {"blue": -1}


def test_sr_6_6_scenic_on_the_mountain() -> None:
    state = table(
        station("Q", "regional", 320, 500),
        station("S", "scenic", 600, 500),
        strings=[string("r1", "red", (30, 30), (75.207, 326.574), (320, 500), long=True)],
    )
    assert gains(state, lay(state, (305, 500), (600, 500))) == {"red": 2}


def test_sr_6_7_every_crossing_costs() -> None:
    assert brought() == {"red": 3}
    assert brought(*UP, strings=(THEIRS,)) == {"red": 2}
    own = string("r2", "red", (220, 150), (220, 450))
    assert brought(*UP, strings=(own,)) == {"red": 2}
    ends = station("U1", "central", 170, 200), station("U2", "central", 270, 210)
    twice = string("b1", "blue", (170, 208), (170, 310), (270, 310), (270, 210))
    assert brought(*ends, strings=(twice,)) == {"red": 1}
    assert brought(*ends, strings=(twice,), options=Options(crossing_unit="string")) == {"red": 2}


def test_sr_6_8_crossings_on_stations_are_free() -> None:
    assert brought(*UP, station("X", "regional", 220, 300), strings=(THEIRS,)) == {"red": 5}
    assert brought(*UP, station("X", "regional", 240, 300), strings=(THEIRS,)) == {"red": 5}
    assert brought(*UP, station("X", "regional", 240.001, 300), strings=(THEIRS,)) == {"red": 4}


def test_sr_6_9_touching_is_not_crossing() -> None:
    ends = station("U1", "central", 170, 160), station("U2", "central", 270, 160)
    apex = string("b1", "blue", (170, 158.579), (220, 300), (270, 158.579))
    assert brought(*ends, strings=(apex,)) == {"red": 3}
    across = station("U1", "central", 170, 160), station("U2", "central", 270, 440)
    assert brought(*across, strings=(string("b1", "blue", (170, 158.579), (220, 300), (270, 441.421)),)) == {
        "red": 2
    }


def test_sr_6_10_pro_charges_two_for_others() -> None:
    pro = Options(pro=True)
    assert brought(*UP, strings=(THEIRS,), options=pro) == {"red": 1}
    assert brought(*UP, strings=(string("r2", "red", (220, 150), (220, 450)),), options=pro) == {"red": 2}
    both = Options(pro=True, crossing_unit="string")
    assert brought(*UP, strings=(THEIRS,), options=both) == {"red": 1}


def test_sr_6_12_the_score_names_what_it_counts() -> None:
    state = table(Q, K, *UP, strings=[OWN, THEIRS, string("r2", "red", *STRAIGHT)])
    board = RULES.score(state)
    red = board.seats[0]
    found = [
        (line.label, line.amount, line.values.get("station") or line.values["string"]) for line in red.lines
    ]
    assert found == [
        ("score_start", 3, "R0"),
        ("score_station", 2, "Q"),
        ("score_station", 3, "K"),
        ("score_crossing", -1, "b1"),
    ]
    assert red.lines[-1].values["at"] == "220,300"
    assert red.total == sum(line.amount for line in red.lines) and not board.final


def test_sr_7_2_ties_are_shared() -> None:
    board = score(table(phase="over", acting=""))
    assert [seat.rank for seat in board.seats] == [1, 1, 1, 1]
    assert [event.kind for event in board.tie_breaks] == ["win_shared"]
