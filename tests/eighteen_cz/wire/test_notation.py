"""The notation: readable lines, exact inverses, and clear errors on anything else."""

import contextlib
import time
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.eighteen_cz import notation
from services.eighteen_cz.notation import BadNotation, read, words, write
from services.eighteen_cz.notation.examples import EXAMPLES
from services.eighteen_cz.rules import moves as m
from tests.eighteen_cz.wire.moves import ANY_MOVE, BY_KIND, WILD

LINES: list[tuple[str, m.Move]] = [
    ("G1 buy S1", m.DraftBuy("G1", "S1")),
    ("G1 buy BCB", m.BuyShare("G1", "BCB")),
    ("G1 buy local BCB", m.DraftBuy("G1", "BCB")),
    ("G1 buy share S1", m.BuyShare("G1", "S1")),
    ("G1 par BCB 60", m.StartCompany("G1", "BCB", 60)),
    ("G1 sell BCB 2", m.SellShares("G1", "BCB", 2)),
    ("G1 sell BCB -2", m.SellShares("G1", "BCB", -2)),
    ("G2 pass", m.Pass("G2")),
    ("pass", m.Pass("")),
    ('"pass" pass', m.Pass("pass")),
    ("G1 repay", m.RepayLoan("G1")),
    ("SX home A8 r4", m.LayHomeTile("SX", "A8", 4)),
    ("ATE home city 1", m.ChooseHomeCity("ATE", 1)),
    ("BCB lay 57 r1 E16", m.LayTile("BCB", "E16", "57", 1)),
    ("lay 57 r-1 E16", m.LayTile("", "E16", "57", -1)),
    ("BCB lay 57 r1 E16 waive S1", m.LayTile("BCB", "E16", "57", 1, "S1")),
    ("BCB purple 14p r1 E16 by S1", m.LayPurpleTile("BCB", "S1", "E16", "14p", 1)),
    ("BCB station E12.0", m.PlaceStation("BCB", "E12", 0)),
    ("BCB station E12.0 slot 1", m.PlaceStation("BCB", "E12", 0, 1)),
    ("BCB run none", m.RunTrains("BCB", (), 0)),
    ("BCB run none = ?", m.RunTrains("BCB")),
    ("BCB run none = 10", m.RunTrains("BCB", (), 10)),
    (
        "BCB run 2a E16-D17 = 40",
        m.RunTrains("BCB", (m.Route("2a", ("E16", "D17"), (("E16", "D17"),)),), 40),
    ),
    (
        "BCB run 2a E16-D21; 2b B15.1~B17",
        m.RunTrains("BCB", (m.Route("2a", ("E16", "D21")), m.Route("2b", ("B15.1", "B17")))),
    ),
    (
        "kk run 3Ed E16-(E18,D19)-D21-C22-(D23)-D21.1~E22 = 100",
        m.RunTrains(
            "kk",
            (
                m.Route(
                    "3Ed",
                    ("E16", "D21", "C22", "D21.1", "E22"),
                    (("E16", "E18", "D19", "D21"), ("D21", "C22"), ("C22", "D23", "D21"), ()),
                ),
            ),
            100,
        ),
    ),
    ("BCB run 2a [E16] [E16,D17] []", m.RunTrains("BCB", (m.Route("2a", ("E16",), (("E16", "D17"), ())),))),
    ("BCB pay", m.Dividend("BCB", "pay")),
    ("BCB keep", m.Dividend("BCB", "keep")),
    ("NWB acquire MW 58", m.AcquireCompany("NWB", "MW", 58)),
    ("NWB remove E12.1", m.RemoveStation("NWB", "E12", 1)),
    ("NWB upgrade 5i", m.AcquiredTrain("NWB", "5i", "upgrade")),
    ("NWB scrap 2a", m.AcquiredTrain("NWB", "2a", "scrap")),
    ("BCB discard 2a", m.DiscardTrain("BCB", "2a")),
    ("BCB train 2b 70", m.BuyTrain("BCB", "stack", "2b", 70)),
    ("BCB train 3+3d 180 pool 3d", m.BuyTrain("BCB", "pool", "3+3d", 180, "3d")),
    ("BCB train 3d 120 pool", m.BuyTrain("BCB", "pool", "3d", 120)),
    ("BCB train 2a 30 from MW", m.BuyTrain("BCB", "MW", "2a", 30)),
    ("BCB train 2a 30 card 2a", m.BuyTrain("BCB", "stack", "2a", 30, "2a")),
    ("BCB local S1 45", m.BuyLocal("BCB", "S1", 45)),
    ("BCB sell local S1", m.SellLocal("BCB", "S1")),
    ("G2 accept", m.AnswerOffer("G2", True)),
    ("G2 reject", m.AnswerOffer("G2", False)),
    ("CHANCE vaclav BTE", m.VaclavCompany("CHANCE", "BTE")),
    ('G1 par "B \\"\\u00e9" 60', m.StartCompany("G1", 'B "é', 60)),
]


@pytest.mark.parametrize(("line", "move"), LINES, ids=[line for line, _ in LINES])
def test_a_line_and_its_move(line: str, move: m.Move) -> None:
    assert read(line) == move
    assert write(move) == line


def test_every_kind_of_move_has_a_line_and_a_strategy() -> None:
    assert {type(move) for _, move in LINES} == set(get_args(m.Move)) == set(BY_KIND)


def test_the_forms_in_the_documentation_can_be_read() -> None:
    text = notation.__doc__ or ""
    forms = [line.strip().split("   ")[0] for line in text.splitlines() if line.startswith("    ")]
    assert len(forms) > 20
    for form in forms:
        optional = form.replace("[", "").replace("]", "").split(", ")
        bare = form.split(" [")[0].split(", ")
        for line in optional + bare:
            read(line)


@pytest.mark.parametrize("kind", BY_KIND, ids=lambda kind: kind.__name__)
def test_reading_undoes_writing(kind: type[m.Move]) -> None:
    @given(BY_KIND[kind])
    def holds(move: m.Move) -> None:
        line = write(move)
        assert read(line) == move
        assert line.isascii() and len(line.splitlines()) == 1

    holds()


@given(ANY_MOVE, st.data())
@settings(max_examples=500)
def test_writing_undoes_reading_of_whatever_is_read(move: m.Move, data: st.DataObject) -> None:
    line = write(move)
    at = data.draw(st.integers(0, len(line)))
    rest = line[at + data.draw(st.integers(0, 3)) :]
    patch = data.draw(st.sampled_from(["", " ", "-", ".", "~", "0", "r", "[", '"']) | WILD)
    line = line[:at] + patch + rest
    try:
        move = read(line)
    except BadNotation as bad:
        assert 1 <= bad.column <= len(line) + 1
        assert bad.expected
    else:
        assert write(move) == line


@pytest.mark.parametrize(
    ("line", "column", "expected"),
    [
        ("", 1, "a name"),
        ("G1", 3, "one of `pass`"),
        ("G1 dance", 4, "one of `pass`"),
        ("G1 par BCB", 11, "an integer"),
        ("G1 par BCB sixty", 12, "an integer"),
        ("G1 par BCB 99999999999", 12, "an integer"),
        ("G1 par BCB 2147483648", 12, "an integer"),
        ("G1 par BCB 060", 12, "the canonical form: G1 par BCB 60"),
        ("G1  pass", 4, "the canonical form: G1 pass"),
        ("G1 pass ", 9, "a word"),
        ("G1 pass pass", 9, "the end"),
        ('"G1" pass', 1, "the canonical form: G1 pass"),
        ('"G1 pass', 1, "a word"),
        ('"\\q" pass', 1, "a quoted name"),
        ("BCB lay 57 1 E16", 12, "a rotation"),
        ("BCB lay 57 r E16", 14, "an integer"),
        ("BCB lay 57 rx E16", 13, "an integer"),
        ("BCB purple 14p r1 E16", 22, "`by`"),
        ("BCB station E12", 16, "`.`"),
        ("BCB run 2a E16", 15, "`-`"),
        ("BCB run 2a E16-", 16, "a name"),
        ("BCB run 2a E16-(E18-D21", 20, "`)`"),
        ("BCB run 2a E16-(E18)D21", 21, "`-`"),
        ("BCB run 2a E16-()-D17", 16, "the canonical form: BCB run 2a E16-D17"),
        ("BCB run 2a [E16,D17]", 12, "the canonical form: BCB run 2a E16~D17"),
        ("BCB run none = 0", 13, "the canonical form: BCB run none"),
        ("BCB run 2a E16-D17 = ?", 19, "the canonical form: BCB run 2a E16-D17"),
        ("BCB run 2a E16-D17 = 40;", 24, "the end"),
        ("G1 par čBCB 60", 8, "a word"),
    ],
)
def test_errors_name_the_column_and_what_should_stand_there(line: str, column: int, expected: str) -> None:
    with pytest.raises(BadNotation) as caught:
        read(line)
    assert (caught.value.column, caught.value.expected[: len(expected)]) == (column, expected)


@pytest.mark.parametrize(
    "line",
    [
        "G1 par BCB " + "9" * 19_000,
        "G1 " + '"' * 19_000,
        "G1 " + "\\" * 19_000,
        "BCB run 2a E16" + "-(" * 9_000,
        "BCB run " + "[" * 19_000,
        "BCB run 2a A1" + "-A1" * 6_000,
        " " * 19_000,
        "x" * 5_000_000,
    ],
    ids=lambda line: line[:12],
)
def test_hostile_lines_end_soon(line: str) -> None:
    began = time.process_time()
    with contextlib.suppress(BadNotation):
        read(line)
    assert time.process_time() - began < 0.5


def test_no_actor_symbol_is_a_word_of_the_notation() -> None:
    symbols = "EKJ OFE BCB MW VBW BN NWB ATE BTE KFN SX PR BY kk Ug G1 G2 G3 G4 G5 G6 CHANCE Vaclav".split()
    assert not words.KEYWORDS & set(symbols)


def test_every_kind_of_move_has_an_example_of_its_kind() -> None:
    assert set(EXAMPLES) == {each.kind for each in get_args(m.Move)}
    for kind, line in EXAMPLES.items():
        assert read(line).kind == kind
