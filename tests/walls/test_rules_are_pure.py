"""Rules import the standard library, `services.ruleset` and themselves, and nothing else."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = sorted([*ROOT.glob("services/*/rules"), ROOT / "services" / "ruleset"])


def imported(file: Path) -> Iterator[str]:
    """The absolute names of all modules that a file imports, wherever in it."""
    package = file.relative_to(ROOT).with_suffix("").parts[:-1]
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            yield ".".join([*above, *([node.module] if node.module else [])])


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: str(room.relative_to(ROOT)))
def test_imports_stay_inside_the_walls(room: Path) -> None:
    own = ".".join(room.relative_to(ROOT).parts)
    strangers = {
        f"{file.relative_to(ROOT)}: {name}"
        for file in room.rglob("*.py")
        for name in imported(file)
        if name.partition(".")[0] not in sys.stdlib_module_names
        and not f"{name}.".startswith((f"{own}.", "services.ruleset."))
    }
    assert not strangers
