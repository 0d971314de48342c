"""One recorded game as it lies in the folder: record, states, examined positions."""

import gzip
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from services.eighteen_cz.importer.history import standing
from services.eighteen_cz.importer.reading import Action, GameRecord, read_record

Plain = dict[str, Any]


@dataclass(frozen=True)
class Recording:
    """`states[k]` is the recorded state after k actions, `cases[k]` what was examined there."""

    name: str
    document: Plain
    record: GameRecord
    actions: list[Action]
    states: list[Plain]
    cases: dict[int, list[Plain]]

    def action(self, plain: Plain) -> Action:
        """A single action of a case, as if it were one of this game."""
        players = self.document["players"]
        return read_record({"players": players, "actions": [plain]}).actions[0]


def names(folder: Path) -> list[str]:
    return sorted(path.stem for path in (folder / "games").glob("*.json"))


def _lines(path: Path) -> list[Plain]:
    if not path.exists():
        return []
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def load(folder: Path, name: str) -> Recording:
    document = json.loads((folder / "games" / f"{name}.json").read_text(encoding="utf-8"))
    record = read_record(document)
    cases: dict[int, list[Plain]] = {}
    for case in _lines(folder / "cases" / f"{name}.jsonl.gz"):
        cases.setdefault(case["i"], []).append(case)
    states = _lines(folder / "states" / f"{name}.jsonl.gz")
    return Recording(name, document, record, list(standing(record.actions)), states, cases)
