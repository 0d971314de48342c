"""What serves games knows none by name: another game is a folder, a proto package and a line of settings."""

import re

import pytest

from deployment.settings import ROOT, load


@pytest.mark.parametrize("folder", ["services/chassis", "services/ruleset", "gateway", "protojson"])
def test_no_game_is_named(folder: str) -> None:
    names = {word for game in load({}).games for word in (game.name, game.package.split(".")[1])}
    for file in sorted((ROOT / folder).rglob("*.py")):
        code = re.sub(r'""".*?"""|#.*', "", file.read_text("utf-8"), flags=re.DOTALL)
        for name in names | {"tiny_game", "tiny-game"}:
            assert name not in code, f"{file} names {name}"
