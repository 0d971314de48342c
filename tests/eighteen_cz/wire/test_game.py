"""The bundle that the chassis gets, on positions of whole games played at random."""

import json
from dataclasses import replace
from itertools import cycle
from typing import Any

import orjson
import pytest
from google.protobuf import json_format
from hypothesis import given
from signalbox.eighteen_cz.v1 import setup_pb2, state_pb2
from signalbox.v1 import game_info_pb2

from services.chassis.game import Malformed, Marks
from services.eighteen_cz.game import GAME, LONGEST_SEAT_TEXT
from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.moves import Move, Pass, RunTrains
from services.eighteen_cz.rules.state import State
from services.ruleset.protocol import Budget, Query, SetupRefused
from services.ruleset.rulebook import names, needed
from tests.eighteen_cz.random_play import Mode, Moment, perturbed, walk
from tests.eighteen_cz.wire.moves import ANY_MOVE

LANGUAGES = ("en", "pl")
SEEDED = {"seeded": {"seed": "abc", "commitment": "", "draws": 0, "nonce": ""}}
TABLES: list[tuple[int, Mode, str]] = [
    (2, "external", "18cz/summary-1"),
    (2, "seeded", "18cz/published-1"),
    (4, "seeded", "18cz/summary-1"),
]


def setup(seats: int, ruleset: str = "", **options: Any) -> dict[str, Any]:
    return {
        "seats": [{"id": "", "name": "Eva", "colour": ""}] * seats,
        "ruleset": ruleset or GAME.default_ruleset,
        "random": SEEDED,
        "options": options,
    }


@pytest.fixture(scope="module", params=TABLES, ids=lambda table: f"{table[0]} seats, {table[2]}")
def game(request: pytest.FixtureRequest) -> list[Moment]:
    seats, mode, ruleset = request.param
    return list(walk("wire", seats, ruleset, mode))


@pytest.fixture(scope="module")
def sample(game: list[Moment]) -> list[Moment]:
    return game[::20]


def test_a_state_read_back_is_the_same_state(game: list[Moment]) -> None:
    for moment in game:
        plain = GAME.state_to_plain(moment.state)
        assert GAME.state_from_plain(plain) == moment.state
    for moment in game[::40]:
        plain = GAME.state_to_plain(moment.state)
        message = json_format.ParseDict(plain, state_pb2.State())
        assert json_format.MessageToDict(message, always_print_fields_with_no_presence=True) == plain


def test_a_state_read_back_goes_on_in_the_same_way(game: list[Moment], sample: list[Moment]) -> None:
    for moment in game:
        again = GAME.state_from_plain(GAME.state_to_plain(moment.state))
        here, there = (moment.rules.apply(state, moment.move, Budget()) for state in (moment.state, again))
        assert here == there
        assert here.state and there.state
        assert orjson.dumps(GAME.state_to_plain(here.state)) == orjson.dumps(GAME.state_to_plain(there.state))
    for moment in sample:
        again = GAME.state_from_plain(GAME.state_to_plain(moment.state))
        assert list(moment.rules.legal_moves(again, Query(), Budget(50_000))) == moment.options


def test_every_option_is_canonical_and_has_its_line_its_plain_form_and_its_words(game: list[Moment]) -> None:
    for moment in game:
        state = moment.state
        for option in moment.options:
            move = option.move
            assert GAME.resolve(state, move) == move
            assert GAME.kind(move) == option.kind
            assert GAME.move_from_plain(GAME.move_to_plain(move)) == move
            line = GAME.print_move(state, move)
            assert GAME.parse_move(state, line) == move
            assert '"' not in line
            for language in LANGUAGES:
                words = GAME.summary(state, move, language)
                assert (
                    words != option.kind and move.actor in words + "CHANCE" and not set("{}[]") & set(words)
                )


def test_a_line_without_its_actor_is_the_same_move(sample: list[Moment]) -> None:
    for moment in sample:
        for option in moment.options:
            _, _, line = GAME.print_move(moment.state, option.move).partition(" ")
            assert GAME.resolve(moment.state, GAME.parse_move(moment.state, line)) == option.move


def test_every_event_has_its_sentence_in_both_languages(game: list[Moment]) -> None:
    sentences = GAME.rulebook.codes("event")
    for moment in game:
        for event in moment.rules.apply(moment.state, moment.move, Budget()).events:
            for language in LANGUAGES:
                assert event.kind in sentences
                assert needed(sentences[event.kind][language]) <= set(event.values), event


def test_every_step_has_its_label(game: list[Moment]) -> None:
    for moment in game:
        step = moment.rules.turn(moment.state).step
        assert all(GAME.rulebook.label(step, language) != step for language in LANGUAGES)


def test_what_is_illegal_is_refused_in_both_languages(sample: list[Moment]) -> None:
    sentences = GAME.rulebook.codes("reason")
    others = cycle(moment.move for moment in sample)
    for moment in sample:
        actor = moment.rules.turn(moment.state).actor
        attempts = [perturbed(moment.rng, moment.state, moment.move) for _ in range(20)]
        attempts += [replace(next(others), actor=actor) for _ in range(20)]
        for attempt in attempts:
            for violation in moment.rules.check(moment.state, attempt, Budget()):
                assert GAME.rulebook.rule(violation.rule_id, "en"), violation
                for language in LANGUAGES:
                    assert violation.reason in sentences
                    wanted = names(sentences[violation.reason][language])
                    assert wanted <= set(violation.values), violation


@pytest.fixture(scope="module")
def late() -> State:
    return list(walk("late", 3))[-60].state


@given(ANY_MOVE)
def test_no_move_however_absurd_makes_anything_fail(late: State, move: Move) -> None:
    for made in (move, GAME.resolve(late, move)):
        GAME.summary(late, made, "pl")
        assert GAME.parse_move(late, GAME.print_move(late, made)) == made
        assert GAME.rulesets[late.ruleset].check(late, made, Budget()) is not None


def test_running_nothing_is_written_in_its_shortest_form(late: State) -> None:
    assert GAME.print_move(late, RunTrains("BCB", (), 0)) == "BCB run none"
    assert (
        GAME.resolve(late, GAME.parse_move(late, "pass")).actor
        == GAME.rulesets[late.ruleset].turn(late).actor
    )


def test_notation_that_is_none_is_malformed(late: State) -> None:
    with pytest.raises(Malformed, match="column 4"):
        GAME.parse_move(late, "G1 dance")


def test_a_picture_of_a_late_position(late: State) -> None:
    assert GAME.render(late, Marks(Pass("G1"), "", ""), "pl").startswith("<svg")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_game_says_of_itself_fits_the_contract(language: str) -> None:
    info = GAME.info(language)
    message = json_format.ParseDict(info, game_info_pb2.GameInfo())
    assert (message.min_seats, message.max_seats) == (2, 6)
    assert [ruleset.id for ruleset in message.rulesets if ruleset.default] == ["18cz/summary-1"]
    for variant in message.variants:
        assert variant.title and GAME.rulebook.rule(variant.rule_id, language)
        for seats in variant.seats:
            wanted = setup(seats, variant=variant.id)
            if variant.available:
                assert GAME.complete_setup(wanted)["options"]["variant"] == variant.id
            else:
                with pytest.raises(SetupRefused) as caught:
                    GAME.complete_setup(wanted)
                assert caught.value.violation.rule_id == variant.rule_id
    for kind in message.move_kinds:
        assert kind.title and kind.example and kind.rule_ids


def test_the_section_on_turns_and_its_sentence_exist() -> None:
    assert GAME.rulebook.rule(GAME.turn_rule, "en")
    assert "not_your_turn" in GAME.rulebook.codes("reason")


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("ruleset", facts.RULESETS)
def test_a_completed_setup_says_everything_and_is_not_completed_further(seats: int, ruleset: str) -> None:
    given_ = setup(seats, ruleset=ruleset)
    known = json.dumps(given_)
    completed = GAME.complete_setup(given_)
    assert json.dumps(given_) == known
    assert GAME.complete_setup(completed) == completed
    assert completed["options"]["variant"] == ("bohemia" if seats == 2 else "standard")
    assert len(completed["options"]["switches"]) == 14
    assert [seat["id"] for seat in completed["seats"]] == [f"G{number}" for number in range(1, seats + 1)]
    message = json_format.ParseDict(completed, setup_pb2.Setup())
    assert json_format.MessageToDict(message, always_print_fields_with_no_presence=True) == completed
    rules = GAME.rulesets[ruleset]
    assert rules.start(completed) == rules.start(given_)


def test_switches_of_a_setup_reach_the_state() -> None:
    state = GAME.rulesets["18cz/summary-1"].start(
        GAME.complete_setup(setup(2, switches={"twoPlayerMap": "BOARD_STANDARD", "dividendPriceStep": 2}))
    )
    assert (state.board, state.switches.dividend_price_step) == ("standard", 2)


@pytest.mark.parametrize(
    ("changed", "path"),
    [
        ({"id": "G3"}, "seats[1].id"),
        ({"name": "x" * (LONGEST_SEAT_TEXT + 1)}, "seats[1].name"),
        ({"colour": "x" * (LONGEST_SEAT_TEXT + 1)}, "seats[1].colour"),
    ],
)
def test_a_seat_that_is_none_is_malformed(changed: dict[str, str], path: str) -> None:
    given_ = setup(3)
    given_["seats"] = [seat | (changed if number == 1 else {}) for number, seat in enumerate(given_["seats"])]
    with pytest.raises(Malformed) as caught:
        GAME.complete_setup(given_)
    assert caught.value.path == path
