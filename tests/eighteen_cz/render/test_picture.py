"""Whole pictures: well-formed, self-contained, repeatable, and with everything of the position on them."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from services.chassis.game import Marks
from services.eighteen_cz.render import render, render_state
from services.eighteen_cz.render.svg import SMALLEST
from services.eighteen_cz.rulebook import RULEBOOK
from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.hexmap import MAPS
from services.eighteen_cz.rules.moves import LayTile, Route
from services.eighteen_cz.rules.setup import first_position
from services.eighteen_cz.rules.state import State
from tests.eighteen_cz.render.example import FILE, draw_example, recorded_run
from tests.eighteen_cz.snapshots import RECORDS, record, record_names, state_at

if not RECORDS.is_dir():
    pytest.skip("the recordings are not there: ../shared/conformance/18cz", allow_module_level=True)

SVG = "{http://www.w3.org/2000/svg}"
ROOT = Path(__file__).resolve().parents[3]
LATE = ("g2401_4p", 699)


def late() -> State:
    return state_at(record(LATE[0]), LATE[1])


def read(picture: str) -> Element:
    return ElementTree.fromstring(picture)


def words(root: Element) -> list[str]:
    return [node.text or "" for node in root.iter(f"{SVG}text")]


def positions() -> Iterator[tuple[str, int]]:
    """A few positions of one game of each number of players, from the first to the last."""
    for players in range(2, 7):
        name = next(name for name in record_names() if name.endswith(f"_{players}p"))
        last = len(record(name).lines) - 1
        yield from ((name, last * part // 6) for part in range(7))


@pytest.mark.parametrize(("name", "index"), list(positions()))
def test_every_position_makes_a_sound_picture(name: str, index: int) -> None:
    state = state_at(record(name), index)
    for language in RULEBOOK.languages:
        picture = render_state(state, language=language)
        root = read(picture)
        assert root.tag == f"{SVG}svg"
        for node in root.iter():
            assert not node.tag.endswith(("image", "script", "style", "use", "a", "foreignObject"))
            for attribute, value in node.attrib.items():
                assert "href" not in attribute and not attribute.startswith("on")
                assert "url(" not in value and "//" not in value
            if "font-size" in node.attrib:
                assert float(node.attrib["font-size"]) >= SMALLEST
        shown = words(root)
        assert set(MAPS[state.board].hexes) <= set(shown)
        assert not [word for word in shown if word.startswith("picture_") or "{" in word]
        for price in facts.MARKET:
            assert str(price) in shown
        for player in state.players.values():
            assert f"{player.cash}K" in shown


def test_stations_carry_their_symbols_in_their_colours() -> None:
    state = late()
    root = read(render_state(state))
    shown = words(root)
    fills = [node.get("fill") for node in root.iter(f"{SVG}circle")]
    for company in state.companies.values():
        if company.status == "launched":
            discs = len(company.stations) + 2  # on the map, in the price table and among the companies
            assert shown.count(company.symbol) >= discs
            assert fills.count(facts.COMPANIES[company.symbol].colour) >= discs


def test_equal_positions_give_equal_bytes_whatever_the_hash_seed() -> None:
    code = (
        "import hashlib, sys; from services.eighteen_cz.render import render_state;"
        "from tests.eighteen_cz.snapshots import record, state_at;"
        f"picture = render_state(state_at(record({LATE[0]!r}), {LATE[1]}), language='pl');"
        "sys.stdout.write(hashlib.sha256(picture.encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(digests) == 1
    assert render_state(late()) == render_state(late())


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ('<b>Jan & "Ola"</b>', '<b>Jan & "Ola"</b>'),
        ("a\x00b\x1f\ufffe\ud800c", "abc"),
        ("x" * 80, "x" * 20 + "…"),
        ("  dwie\n spacje ", "dwie spacje"),
    ],
)
def test_names_are_escaped_and_cut(name: str, shown: str) -> None:
    state = late()
    state.players["G1"] = replace(state.players["G1"], name=name)
    picture = render_state(state)
    picture.encode()
    assert f"G1 {shown}" in words(read(picture))


@pytest.mark.parametrize("colour", ["url(http://example.com/a.svg#x)", "red;x", '"><script>', "#12", ""])
def test_only_colours_are_taken_as_colours(colour: str) -> None:
    state = late()
    state.players["G1"] = replace(state.players["G1"], colour=colour)
    assert render_state(state) == render_state(state_with_colour(""))
    assert render_state(state_with_colour("#123456")) != render_state(state_with_colour("teal"))


def test_the_draft_shows_what_is_for_sale() -> None:
    shown = " ".join(words(read(render_state(first_position("18cz/summary-1", {"seats": [{}] * 3})))))
    assert all(f"{local.symbol} {local.price}K" in shown for local in facts.LOCALS.values())


def test_the_chassis_can_point_at_a_move_or_a_violation() -> None:
    state = late()
    move = LayTile("BN", "C16", "9", 1)
    assert "BN lays tile 9 on C16, rotation 1." in words(read(render(state, Marks(move), "en")))
    refused = render(state, Marks(move, at="C16", message="Not connected."), "en")
    assert "Not connected." in words(read(refused)) and "!" in words(read(refused))
    assert render(state, Marks(), "pl") == render_state(state, language="pl")


def state_with_colour(colour: str) -> State:
    state = late()
    state.players["G1"] = replace(state.players["G1"], colour=colour)
    return state


def test_marks_and_captions_are_added() -> None:
    state = late()
    plain = render_state(state)
    marked = render_state(state, mark_hexes=["C16"], violation_at="H15", caption="H15 is <no> city.")
    added = len(list(read(marked).iter())) - len(list(read(plain).iter()))
    assert added == 2 + 1 + 4 + 1  # a hex and its two outlines; a hex, its outline and the sign; the caption
    assert "H15 is <no> city." in words(read(marked)) and "!" in words(read(marked))


def test_recorded_routes_are_drawn_along_their_track() -> None:
    game = record("g2603_6p")
    for index, action in enumerate(game.actions):
        if action["type"] == "run_routes" and len(action["routes"]) > 1:
            state = state_at(game, index)
            routes = recorded_run(action, ["3Ed"] * 4).routes
            before = len(list(read(render_state(state)).iter(f"{SVG}path")))
            after = len(list(read(render_state(state, mark_route=routes)).iter(f"{SVG}path")))
            assert after - before == 2 * sum(len(route.sections) for route in routes)


@pytest.mark.parametrize(
    "route",
    [
        Route("2a", ("Z9", "E16"), (("Z9", "E16"),)),
        Route("2a", ("E16", ""), (("E16", ""),)),
        Route("2a", ("A10", "A12"), (("A10", ""), ("A10",))),
        Route("2a", ("E16.99999999999999999999", "D17.-1"), (("E16", "D17"),)),
        Route("2a", ("E16", "D17"), (("E16", "D17", "E16", "D17"),)),
        Route("2a", ("E16",), (("E16", "J15"),)),
        Route("", (), ()),
    ],
)
def test_marks_that_cannot_be_are_passed_over(route: Route) -> None:
    picture = render_state(late(), mark_route=[route], mark_hexes=["", "Z1", "E160"], violation_at="nowhere")
    read(picture)


def test_the_saved_example_is_up_to_date() -> None:
    assert FILE.read_text(encoding="utf-8") == draw_example()
