"""Foreign records: true ones where recordings are at hand, a made-up one, and what forgers make of them."""

import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzz.corpus import RECORDED
from tests.fuzz.garbage import any_json
from tests.fuzz.mutation import Tree, copied, mutated

FORMAT = "18xx.games"

OWN: dict[str, Any] = json.loads(Path(__file__).with_name("made_up_record.json").read_text("utf-8"))
"""Every shape of an action in a few lines; not a legal game."""


@cache
def records() -> tuple[Tree, ...]:
    files = sorted(RECORDED.glob("*.json"), key=lambda file: file.stat().st_size) if RECORDED.is_dir() else []
    return (OWN, *(json.loads(file.read_text("utf-8")) for file in files[:8]))


def hostile_record(rng: Random, most: int = 60) -> Tree:
    """A record cut to at most so many actions and then changed."""
    whole = rng.choice(records())
    record = copied({**whole, "actions": whole["actions"][: rng.randint(0, most)]})
    actions = record["actions"]
    for _ in range(rng.choice([0, 1, 1, 2, 4])):
        if not actions:
            break
        at = rng.randrange(len(actions))
        match rng.randrange(6):
            case 0:
                actions.insert(at, copied(rng.choice(rng.choice(records())["actions"])))
            case 1:
                actions[at]["type"] = rng.choice([one["type"] for one in OWN["actions"]])
            case 2:
                actions[at]["entity"] = rng.choice(
                    [0, -1, "Vaclav", "EKJ", "S1", "nobody", *(one["name"] for one in record["players"])]
                )
            case 3:
                actions.append({"type": rng.choice(["undo", "redo"]), "entity": 1, "id": len(actions) + 1,
                                "action_id": rng.choice([0, 1, -1, at, 10**9])})  # fmt: skip
            case 4:
                del actions[at]
            case _:
                actions[at]["auto_actions"] = [copied(rng.choice(actions))]
    if rng.random() < 0.5:
        return mutated(rng, record, ill_typed=rng.random() < 0.4, most=3)
    if rng.random() < 0.05:
        return any_json(rng, 5)
    return record
