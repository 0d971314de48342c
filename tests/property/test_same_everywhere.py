"""The same answers in every process, whatever the seed of its hashes."""

import os
import subprocess
import sys

import pytest

from deployment.settings import ROOT


def answers(game: int, hash_seed: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.property.answers", "everywhere", str(game)],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("game", range(2))
def test_answers_do_not_depend_on_the_process(game: int) -> None:
    running = [answers(game, seed) for seed in ("0", "1", "random")]
    printed = [process.communicate(timeout=200)[0].splitlines() for process in running]
    assert all(process.returncode == 0 for process in running)
    assert len(printed[0]) > 500
    for other in printed[1:]:
        assert len(other) == len(printed[0])
        for one, two in zip(printed[0], other, strict=True):
            assert one == two


@pytest.mark.long
@pytest.mark.parametrize("game", range(2, 14))
def test_answers_of_more_games(game: int) -> None:
    test_answers_do_not_depend_on_the_process(game)
