"""Comparison of String Railway with recorded positions and games."""

from collections.abc import Sequence
from pathlib import Path

from tests.conformance.report import Report
from tests.conformance.string_railway.cases import compare_cases
from tests.conformance.string_railway.games import names, replay

CASES = "cases"


def jobs(folder: Path) -> Sequence[str]:
    """The single cases, then every game."""
    return [CASES, *names(folder)]


def compare(folder: Path, job: str, share: int) -> Report:
    """One job, complete whatever the share: none takes long."""
    report = Report()
    if job == CASES:
        compare_cases(folder, report)
    else:
        replay(folder, job, report)
    return report
