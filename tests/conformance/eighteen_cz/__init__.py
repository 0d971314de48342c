"""Comparison of 18CZ with recorded games: states, offers, attempts, best routes, tables."""

from collections.abc import Sequence
from pathlib import Path

from tests.conformance.eighteen_cz.cases import compare_case
from tests.conformance.eighteen_cz.recording import load, names
from tests.conformance.eighteen_cz.replaying import replay
from tests.conformance.report import Report


def jobs(folder: Path) -> Sequence[str]:
    return names(folder)


def compare(folder: Path, job: str, share: int) -> Report:
    report = Report()
    recording = load(folder, job)
    for index, shadow in replay(recording, report):
        for case in recording.cases.get(index, ()):
            compare_case(recording, case, shadow, report)
    return report
