"""The README asks real questions: every one of them is asked here, and its answer compared."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.fault.house import House

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")
EXCHANGES = re.findall(
    r"```sh\ncurl -s http://127\.0\.0\.1:8080(\S+) --json @(\S+)\n```\n\n```json\n(.*?)```", README, re.DOTALL
)
MORE = "…"


def differences(shown: Any, answered: Any, path: str = "") -> list[str]:
    """Where the answer is not what is shown of it; a list that ends in … has more members."""
    if isinstance(shown, dict) and isinstance(answered, dict):
        missing = [f"{path}.{key} is missing" for key in shown.keys() - answered.keys()]
        found = [
            differences(shown[key], answered[key], f"{path}.{key}") for key in shown.keys() & answered.keys()
        ]
        return missing + [line for lines in found for line in lines]
    if isinstance(shown, list) and isinstance(answered, list):
        more = shown[-1:] == [MORE]
        told = shown[:-1] if more else shown
        if len(told) > len(answered) or (not more and len(told) != len(answered)):
            return [f"{path} has {len(answered)} members"]
        pairs = zip(told, answered, strict=False)
        return [
            line for i, (one, other) in enumerate(pairs) for line in differences(one, other, f"{path}[{i}]")
        ]
    return [] if shown == answered else [f"{path} is {answered!r}, not {shown!r}"]


def test_the_readme_shows_each_main_question() -> None:
    assert {path.rsplit(":", 1)[1] for path, _, _ in EXCHANGES} == {
        "checkMove",
        "legalMoves",
        "applyMove",
        "score",
        "replay",
    }


@pytest.mark.parametrize(("path", "file", "answer"), EXCHANGES, ids=[file for _, file, _ in EXCHANGES])
def test_the_answer_in_the_readme_is_the_answer(house: House, path: str, file: str, answer: str) -> None:
    response = httpx.post(
        f"http://127.0.0.1:{house.port}{path}", json=json.loads((ROOT / file).read_text("utf-8"))
    )
    assert response.status_code == 200
    assert differences(json.loads(answer), response.json()) == []


@pytest.mark.parametrize(
    ("number", "begins"), [(0, "G1 buys local railway S1 for 25K.\n"), (1, "['G1'] G1 buy S1\n")]
)
def test_the_python_in_the_readme_runs(house: House, number: int, begins: str) -> None:
    program = re.findall(r"```python\n(.*?)```", README, re.DOTALL)[number]
    program = program.replace("7183", str(house.service_port)).replace("8080", str(house.port))
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(begins)


def test_every_link_in_the_readme_leads_somewhere() -> None:
    for link in re.findall(r"\]\((?!http)([^)#]+)\)", README):
        assert (ROOT / link).exists(), link
