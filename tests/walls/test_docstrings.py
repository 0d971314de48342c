"""The examples in docstrings are true."""

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted(
    ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for folder in ("services", "gateway", "protojson")
    for file in (ROOT / folder).rglob("*.py")
    if ">>> " in file.read_text("utf-8")
)


@pytest.mark.parametrize("module", MODULES)
def test_examples(module: str) -> None:
    outcome = doctest.testmod(importlib.import_module(module))
    assert outcome.attempted and not outcome.failed
