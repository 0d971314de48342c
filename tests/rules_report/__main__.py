"""Runs the tests of the rules and lists, for every rule that can refuse a move, the tests that show it."""

import sys

import pytest

SHOWN = 3


def main(arguments: list[str]) -> int:
    """`--all` lists all tests instead of the first few; other arguments go to pytest."""
    shown = None if "--all" in arguments else SHOWN
    status = pytest.main(["tests/eighteen_cz", *(word for word in arguments if word != "--all")])
    from tests.rules_report.recorder import RECORDER, gaps  # the plugin, which pytest must load first

    report = RECORDER.report()
    for rule_id, tests in report.items():
        print(rule_id)
        for part in ("refuses", "accepts"):
            print(f"  {part}: {len(tests[part])}")
            for test in tests[part][:shown]:
                print(f"    {test}")
    missing = gaps(report)
    print(f"\n{len(report)} rules can refuse a move; {len(missing)} gaps")
    for gap in missing:
        print(f"  {gap}")
    return int(status) or int(bool(missing))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
