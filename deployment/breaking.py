"""`buf breaking`: the contract in `protos/` against the one that landed last.

That is the ref given as argument, else origin/main where it differs from HEAD, else the newest version tag.
buf is given a workspace of the old protos and the google/api of `make setup`, since it cannot build a git ref
whose dependency is not committed.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from deployment.settings import ROOT

BUF = str(Path(sys.executable).with_name("buf"))


def git(*words: str) -> str:
    """The output of a git command, empty where it fails."""
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def landed() -> str:
    """The ref to compare with, or nothing."""
    main = git("rev-parse", "--verify", "--quiet", "origin/main^{commit}")
    if main and main != git("rev-parse", "HEAD"):
        return "origin/main"
    return git("describe", "--tags", "--abbrev=0", "--match", "v*")


def main(arguments: list[str]) -> int:
    ref = arguments[0] if arguments else landed()
    if not ref:
        print("buf breaking: skipped, no earlier landed contract is known here (AGAINST=<git ref> names one)")
        return 0
    if not git("ls-tree", "-r", "--name-only", ref, "--", "protos"):
        print(f"buf breaking: skipped, {ref} has no protos")
        return 0 if not arguments else 1
    with tempfile.TemporaryDirectory(dir=ROOT / "build", prefix=".breaking-") as work:
        archive = subprocess.run(["git", "archive", ref, "protos"], cwd=ROOT, capture_output=True, check=True)
        subprocess.run(["tar", "-x", "-C", work], input=archive.stdout, check=True)
        shutil.copytree(ROOT / "build" / "googleapis", Path(work, "build", "googleapis"))
        shutil.copy(ROOT / "buf.yaml", work)
        print(f"buf breaking: against {ref}")
        command = [BUF, "breaking", "protos", "--exclude-imports", "--against", f"{work}/protos"]
        return subprocess.run(command, cwd=ROOT).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
