"""Runs every comparison over a folder, in several processes, and prints what it finds."""

import argparse
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.conformance.comparers import COMPARERS
from tests.conformance.report import Report, lines, total

DEFAULT = Path(__file__).resolve().parents[2].parent / "shared" / "conformance"

Job = tuple[str, Path, str, int]
"""Game, its folder, the job, the share."""


def games(folder: Path) -> Iterator[tuple[str, Path]]:
    """The games in a folder that can be compared: its subfolders, or the folder itself."""
    for place in (folder, *(sorted(folder.iterdir()) if folder.is_dir() else ())):
        if place.name in COMPARERS and place.is_dir():
            yield place.name, place


def run(job: Job) -> Report:
    game, folder, part, share = job
    return COMPARERS[game].compare(folder, part, share)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__)
    parser.add_argument(
        "folder", type=Path, nargs="?", default=DEFAULT, help="laid out like shared/conformance"
    )
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--share", type=int, default=1, help="compare every n-th position only")
    parser.add_argument("--only", default="", help="only jobs with this in their name")
    parser.add_argument(
        "--exceptions", action="store_true", help="list every exception, not only their number"
    )
    options = parser.parse_args(arguments)
    found = list(games(options.folder))
    if not found:
        print(f"nothing to compare in {options.folder}: no folder called {' or '.join(COMPARERS)}")
        return 2
    jobs: list[Job] = [
        (game, place, part, options.share)
        for game, place in found
        for part in COMPARERS[game].jobs(place)
        if options.only in part
    ]
    reports = []
    with ProcessPoolExecutor(options.processes) as pool:
        for (game, _, part, _), report in zip(jobs, pool.map(run, jobs), strict=True):
            print("\n".join(lines(f"{game} {part}", report, options.exceptions)), flush=True)
            reports.append(report)
    whole = total(reports)
    print("\n".join(lines("TOTAL", Report(whole.counts, [], whole.exceptions))))
    print(f"  {len(whole.disagreements)} disagreements")
    return 1 if whole.disagreements else 0
