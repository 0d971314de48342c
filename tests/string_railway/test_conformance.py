"""All recorded positions and games agree with the rules."""

import pytest

from tests.conformance import string_railway
from tests.conformance.runner import DEFAULT

FOLDER = DEFAULT / "string-railway"


@pytest.mark.skipif(not FOLDER.is_dir(), reason="no recordings")
def test_every_recording_agrees() -> None:
    for job in string_railway.jobs(FOLDER):
        report = string_railway.compare(FOLDER, job, 1)
        assert report.counts["verdicts"] and not report.disagreements
