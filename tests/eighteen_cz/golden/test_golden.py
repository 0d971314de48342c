"""Whole records of every released ruleset give the same positions, tokens and scores for ever."""

import json
from pathlib import Path
from typing import Any

import orjson
import pytest

from services.chassis.canonical import canonical_json, digest
from services.chassis.keys import parse
from services.chassis.sealing import unseal
from services.eighteen_cz.game import GAME
from services.ruleset.protocol import Budget

FOLDER = Path(__file__).parent
RECORDS = sorted(FOLDER.glob("*.json"))
KEY = "Z29sZGVuLWdvbGRlbi1nb2xkZW4tZ29sZGVuLWdvbGQ="


def test_every_released_ruleset_has_its_records() -> None:
    assert {read(path)["ruleset"] for path in RECORDS} == set(GAME.rulesets)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_record_plays_as_it_did(path: Path) -> None:
    record = read(path)
    rules = GAME.rulesets[record["ruleset"]]
    state = GAME.state_from_plain(record["start"])
    for number, line in enumerate([*record["moves"], ""]):
        if str(number) in record["hashes"]:
            assert digest(canonical_json(GAME.state_to_plain(state))) == record["hashes"][str(number)], number
        if line:
            outcome = rules.apply(state, GAME.parse_move(state, line), Budget())
            assert outcome.state is not None, (number, line, outcome.violations)
            state = outcome.state
    assert rules.turn(state).over
    assert {score.seat: score.total for score in rules.score(state).seats} == record["scores"]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_token_opens_as_it_did(path: Path) -> None:
    record = read(path)
    for number, token in record["sealed"].items():
        opened = unseal(parse(KEY, "golden"), GAME.name, token)
        assert (opened.ruleset, digest(opened.canonical)) == (record["ruleset"], record["hashes"][number])
        state = GAME.state_from_plain(orjson.loads(opened.canonical))
        assert canonical_json(GAME.state_to_plain(state)) == opened.canonical


def read(path: Path) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return record
