"""Writes a record for each released ruleset and map that has none yet.  A record that is there is never
written again: a ruleset that has been released never changes its answers."""

import json
from pathlib import Path

from services.chassis.canonical import canonical_json, digest
from services.chassis.keys import parse
from services.chassis.sealing import seal
from services.eighteen_cz.game import GAME
from services.ruleset.protocol import Budget
from tests.eighteen_cz.golden.test_golden import FOLDER, KEY
from tests.eighteen_cz.random_play import walk

EVERY = 25
"""Every so many moves the hash of the position is kept."""


def write(path: Path, ruleset: str, players: int) -> None:
    moves, hashes, tokens = [], {}, {}
    for moment in walk("golden", players, ruleset):
        canonical = canonical_json(GAME.state_to_plain(moment.state))
        if moment.number == 0:
            start = GAME.state_to_plain(moment.state)
        if moment.number % EVERY == 0:
            hashes[moment.number] = digest(canonical)
        if moment.number % (8 * EVERY) == 0:
            tokens[moment.number] = seal(parse(KEY, "golden"), GAME.name, ruleset, canonical)
        moves.append(GAME.print_move(moment.state, GAME.resolve(moment.state, moment.move)))
        last = moment.rules.apply(moment.state, moment.move, Budget()).state
    assert last is not None
    hashes[len(moves)] = digest(canonical_json(GAME.state_to_plain(last)))
    scores = {score.seat: score.total for score in GAME.rulesets[ruleset].score(last).seats}
    record = {
        "ruleset": ruleset,
        "start": start,
        "moves": moves,
        "hashes": hashes,
        "sealed": tokens,
        "scores": scores,
    }
    path.write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


for ruleset in GAME.rulesets:
    for players in (2, 4):
        path = FOLDER / f"{ruleset.rpartition('/')[2]}_{players}p.json"
        if not path.exists():
            write(path, ruleset, players)
