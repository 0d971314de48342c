"""Comparison of 18CZ with recorded games: states, offers, attempts, best routes, tables."""

from collections.abc import Sequence
from pathlib import Path

from tests.conformance.eighteen_cz.cases import compare_case
from tests.conformance.eighteen_cz.recording import load, names
from tests.conformance.eighteen_cz.replaying import replay
from tests.conformance.eighteen_cz.tables import compare_tables
from tests.conformance.report import Report

TABLES = "tables"


def jobs(folder: Path) -> Sequence[str]:
    """The tables, then every recorded game."""
    return [TABLES, *names(folder)]


def compare(folder: Path, job: str, share: int) -> Report:
    """One job.  Every state of a game is compared, and every `share`-th of its examined positions."""
    report = Report()
    if job == TABLES:
        compare_tables(folder, report)
        return report
    recording = load(folder, job)
    examined = sorted(recording.cases)[::share]
    for index, shadow in replay(recording, report):
        if index in examined:
            for case in recording.cases[index]:
                compare_case(recording, case, shadow, report)
    return report
