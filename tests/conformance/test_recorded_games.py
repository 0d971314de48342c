"""A fair sample of `make conformance`: every third recorded game, every second examined position of it.

The long target compares everything.
"""

import gzip
import json
import shutil
from pathlib import Path

import pytest

from tests.conformance import eighteen_cz
from tests.conformance.eighteen_cz.replaying import ELSEWHERE
from tests.conformance.report import lines
from tests.conformance.runner import DEFAULT, main

FOLDER = DEFAULT / "18cz"
JOBS = eighteen_cz.jobs(FOLDER) if FOLDER.is_dir() else []
SAMPLE = [job for n, job in enumerate(JOBS) if n % 3 == 0]

needs_recordings = pytest.mark.skipif(not JOBS, reason=f"there are no recordings in {FOLDER}")


def _compare(job: str, share: int) -> None:
    report = eighteen_cz.compare(FOLDER, job, share)
    assert report.counts
    assert not report.disagreements, "\n".join(lines(job, report))
    assert not report.counts[ELSEWHERE]


@needs_recordings
@pytest.mark.parametrize("job", SAMPLE)
def test_recorded_game(job: str) -> None:
    _compare(job, 2)


@needs_recordings
@pytest.mark.long
@pytest.mark.parametrize("job", JOBS)
def test_every_recorded_game(job: str) -> None:
    _compare(job, 1)


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A folder of recordings with one short game."""
    game = min(JOBS[1:], key=lambda name: (FOLDER / "games" / f"{name}.json").stat().st_size)
    for kind, ending in (("games", "json"), ("states", "jsonl.gz"), ("cases", "jsonl.gz")):
        (tmp_path / "18cz" / kind).mkdir(parents=True)
        shutil.copyfile(FOLDER / kind / f"{game}.{ending}", tmp_path / "18cz" / kind / f"{game}.{ending}")
    return tmp_path


def _rewrite(path: Path, index: int, change: dict[str, object]) -> None:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    rows[index] |= change
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


@needs_recordings
def test_agreement_is_reported(copied: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(copied), "--processes", "1"]) == 0
    assert "0 disagreements" in capsys.readouterr().out


@needs_recordings
def test_a_wrong_state_is_found(copied: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _rewrite(next((copied / "18cz" / "states").iterdir()), 30, {"phase": "j"})
    assert main([str(copied), "--processes", "1"]) == 1
    assert "30: phase is 'j' in the recording, 'a' by the rules" in capsys.readouterr().out


@needs_recordings
def test_a_wrong_offer_is_found(copied: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _rewrite(next((copied / "18cz" / "cases").iterdir()), 0, {"offered": {"pass": True}})
    assert main([str(copied), "--processes", "1"]) == 1
    assert "only the rules offers ('bid'," in capsys.readouterr().out


def test_an_empty_folder_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 2
    assert "nothing to compare" in capsys.readouterr().out
