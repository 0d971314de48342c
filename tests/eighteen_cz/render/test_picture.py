"""Whole pictures: well-formed, self-contained, repeatable, and with everything of the position on them."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from services.chassis.game import Marks
from services.eighteen_cz.render import render, render_state
from services.eighteen_cz.render.board import draw_ghost
from services.eighteen_cz.render.geometry import through
from services.eighteen_cz.render.svg import INK, SMALLEST, WIDE
from services.eighteen_cz.rulebook import RULEBOOK
from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.hexmap import MAPS
from services.eighteen_cz.rules.moves import ChooseHomeCity, LayHomeTile, LayPurpleTile, LayTile, Move, Route
from services.eighteen_cz.rules.scoring import score
from services.eighteen_cz.rules.setup import first_position
from services.eighteen_cz.rules.state import State, Tile
from services.eighteen_cz.rules.tiles import LAYOUTS
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


def test_what_has_a_halo_is_read_in_every_renderer() -> None:
    root = read(render_state(late()))
    assert not [node for node in root.iter() if "paint-order" in node.attrib]
    stroked = 0
    for cell in root.iter():
        for node, above in zip_longest(cell, list(cell)[1:]):
            if node.tag == f"{SVG}text" and "stroke" in node.attrib:
                stroked += 1
                assert above is not None and "stroke" not in above.attrib and node.text == above.text
                assert (node.get("x"), node.get("y")) == (above.get("x"), above.get("y"))
                assert node.get("fill") == node.get("stroke") != above.get("fill", INK)
    assert stroked >= len(MAPS["standard"].hexes)


def width_of(node: Element) -> float:
    return float(node.get("textLength", len(node.text or "") * float(node.attrib["font-size"]) * WIDE))


@pytest.mark.parametrize("language", RULEBOOK.languages)
@pytest.mark.parametrize("part", range(4))
def test_nothing_runs_off_the_picture_in_a_wide_font(part: int, language: str) -> None:
    game = record("g2603_6p")
    state = state_at(game, (len(game.lines) - 1) * part // 3)
    for player in state.players.values():
        player.name = "W" * 40
    root = read(render_state(state, caption="ż" * 200, language=language))
    for node in root.findall(f"{SVG}text"):
        left, width = float(node.attrib["x"]), width_of(node)
        left -= {"start": 0.0, "middle": width / 2, "end": width}[node.get("text-anchor", "start")]
        assert left >= 0 and left + width <= float(root.attrib["width"]), node.text
        assert float(node.attrib["y"]) < float(root.attrib["height"])


@pytest.mark.parametrize("language", RULEBOOK.languages)
def test_the_legend_is_never_squeezed(language: str) -> None:
    shown = {node.text: node for node in read(render_state(late(), language=language)).iter(f"{SVG}text")}
    for sign in ("director", "spent", "home", "purple"):
        node = shown[RULEBOOK.label(f"picture_legend_{sign}", language)]
        assert "textLength" not in node.attrib and float(node.attrib["font-size"]) == 11


@pytest.mark.parametrize("language", RULEBOOK.languages)
def test_the_final_position_shows_the_score_of_each_player(language: str) -> None:
    for players in range(2, 7):
        game = record(next(name for name in record_names() if name.endswith(f"_{players}p")))
        heading = RULEBOOK.label("picture_final_score", language)
        last = len(game.lines) - 1
        assert heading not in words(read(render_state(state_at(game, last // 2), language=language)))
        state = state_at(game, last)
        shown = words(read(render_state(state, language=language)))
        panel = shown[shown.index(heading) + 1 :][: 3 * players]
        ranked = sorted(score(state).seats, key=lambda scored: scored.rank)
        assert panel[::3] == [f"{scored.rank}." for scored in ranked]
        assert {(panel[row + 1][:2], panel[row + 2]) for row in range(0, 3 * players, 3)} == {
            (scored.seat, f"{scored.total}K") for scored in ranked
        }


def ghosts(picture: str) -> list[Element]:
    return [node for node in read(picture).iter(f"{SVG}g") if "opacity" in node.attrib]


@pytest.mark.parametrize(
    "marks",
    [
        Marks(LayTile("BN", "C16", "9", 1)),
        Marks(LayTile("BN", "C16", "9", 1), at="C16", message="Not connected."),
        Marks(LayPurpleTile("BN", "M1", "C16", "9", 1)),
    ],
)
def test_the_tile_of_a_lay_is_shown_as_a_ghost(marks: Marks[Move]) -> None:
    root = read(render(late(), marks, "en"))
    (ghost,) = [node for node in root.iter(f"{SVG}g") if "opacity" in node.attrib]
    assert ghost.findtext(f"{SVG}title") == "C16 · 9 r1"
    lane = through(1, 4).path()
    assert [node.get("d") for node in ghost.iter(f"{SVG}path")] == [lane, lane]
    place = ghost.get("transform")
    cells = [cell for cell in root.iter(f"{SVG}g") if cell.get("transform") == place]
    assert any(cell.find(f"{SVG}polygon[@stroke-dasharray]") is not None for cell in cells)


def test_a_ghost_shows_stations_only_where_they_cannot_move() -> None:
    state = late()
    (one_city,) = ghosts(render_state(state, ghost=("D5", Tile("611", 0))))
    (several,) = ghosts(render_state(state, ghost=("B9", Tile(state.tiles["B9"].number, 0))))
    symbols = [{node.text for node in ghost.iter(f"{SVG}text")} for ghost in (one_city, several)]
    standing = [
        {
            company.symbol
            for company in state.companies.values()
            for station in company.stations
            if station.hex == name
        }
        for name in ("D5", "B9")
    ]
    assert standing[0] and standing[1]
    assert standing[0] <= symbols[0] and not standing[1] & symbols[1]


def test_a_red_home_tile_is_shown_as_a_ghost() -> None:
    (ghost,) = ghosts(render(late(), Marks(LayHomeTile("SX", "A8", 0)), "en"))
    assert ghost.findtext(f"{SVG}title") == f"A8 · {facts.COMPANIES['SX'].home_tile} r0"


@pytest.mark.parametrize("name", ["A8", "B9", "C16", "D1", "E12", "H15", "I18", "B15", "G20"])
def test_any_tile_can_be_a_ghost_anywhere(name: str) -> None:
    state = late()
    for tile in LAYOUTS:
        land = Element("g")
        draw_ghost(land, state, name, tile)
        assert [cell.tag for cell in land] == ["g"]


@pytest.mark.parametrize(
    "move",
    [
        LayTile("BN", "Z99", "9", 1),
        LayTile("BN", "C16", "no such tile", 1),
        LayTile("BN", "C16", "9", 6),
        LayHomeTile("BN", "C16", 0),
        LayHomeTile("nobody", "A8", 0),
        ChooseHomeCity("ATE", 0),
    ],
)
def test_lays_of_no_tile_have_no_ghost(move: Move) -> None:
    assert not ghosts(render(late(), Marks(move, message="No."), "en"))


def test_the_draft_shows_what_is_for_sale() -> None:
    shown = " ".join(words(read(render_state(first_position("18cz/summary-1", {"seats": [{}] * 3})))))
    assert all(f"{local.symbol} {local.price}K" in shown for local in facts.LOCALS.values())


def test_the_chassis_can_point_at_a_move_or_a_violation() -> None:
    state = late()
    move = LayTile("BN", "C16", "9", 1)
    shown = words(read(render(state, Marks(move), "en")))
    assert "BN lays tile 9 on C16, rotation 1." in shown
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
    assert added == 3 + 3 + 2 + 1  # two hexes, each with two outlines; the sign; the caption
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
