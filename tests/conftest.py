"""For all tests: note which rules refuse and accept moves (see tests/rules_report/recorder.py)."""

pytest_plugins = ("tests.rules_report.recorder",)
