"""Make `.venv`, `stubs/` and `build/googleapis/` from the lock file and the protos.

Runs on a bare Python 3.11 with the standard library only (`make setup` calls it). Each product carries a
stamp with the digest of everything it was made from, written last: a product whose stamp does not fit is made
again, so an interrupted run leaves nothing that a later one trusts. One file lock makes concurrent runs wait
for each other.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV, STUBS, GOOGLEAPIS = ROOT / ".venv", ROOT / "stubs", ROOT / "build" / "googleapis"
PYTHON = VENV / "bin" / "python"
LOCK, PROTOS = ROOT / "requirements.lock", ROOT / "protos"
TEST_PROTOS = ROOT / "tests" / "tinygame" / "protos"
STAMP = ".made-from"


def digest(words: Iterable[str], files: Iterable[Path]) -> str:
    """SHA-256 over the words and the names and contents of the files."""
    total = hashlib.sha256("\0".join([*words, ""]).encode())
    for file in files:
        total.update(f"{file.relative_to(ROOT)}\0{file.stat().st_size}\0".encode() + file.read_bytes())
    return total.hexdigest()


def stamp_of(folder: Path) -> str:
    stamp = folder / STAMP
    return stamp.read_text() if stamp.is_file() else ""


def run(*command: str | Path) -> None:
    subprocess.run([str(word) for word in command], check=True, cwd=ROOT)


def make_venv() -> str:
    """Install the locked dependencies into `.venv`; the digest of what it was made from."""
    # A venv does not survive being moved nor another interpreter: both are part of what it is made from.
    place = digest([sys.version, sys.base_prefix, str(ROOT)], [])
    wanted = f"{place}\n{digest([], [LOCK])}"
    found = stamp_of(VENV)
    if found == wanted:
        return wanted
    print("setup: installing the locked dependencies into .venv", flush=True)
    (VENV / STAMP).unlink(missing_ok=True)
    if not found.startswith(place):
        venv.create(VENV, clear=True, with_pip=True, symlinks=True)
    pip = (PYTHON, "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "-qq")
    run(*pip, "--require-hashes", "--no-deps", "-r", LOCK)
    library = VENV / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
    (library / "signalbox.pth").write_text(f"{ROOT}\n{STUBS}\n")
    (VENV / STAMP).write_text(wanted)
    return wanted


def swap_in(made: Path, place: Path) -> None:
    """Put a finished folder in its place at once, whatever stood there before."""
    old = made.with_name(made.name + ".old")
    if place.exists():
        place.rename(old)
    made.rename(place)
    shutil.rmtree(old, ignore_errors=True)


def make_stubs(environment: str) -> None:
    """Generate Python modules and their types from `protos/`, and lay out google/api for buf."""
    roots = [root for root in (PROTOS, TEST_PROTOS) if root.is_dir()]
    protos = sorted(proto for root in roots for proto in root.rglob("*.proto"))
    wanted = digest([environment], [*protos, Path(__file__).resolve()])
    if stamp_of(STUBS) == wanted and GOOGLEAPIS.is_dir():
        return
    print(f"setup: generating stubs from {len(protos)} protos", flush=True)
    site = Path(
        subprocess.check_output(
            [
                PYTHON,
                "-c",
                "import google.api, pathlib; print(pathlib.Path(google.api.__path__[0]).parents[1])",
            ],
            text=True,
        ).strip()
    )
    GOOGLEAPIS.parent.mkdir(exist_ok=True)
    for left in GOOGLEAPIS.parent.glob(".setup-*"):  # by a killed run; the lock keeps out any other
        shutil.rmtree(left)
    with tempfile.TemporaryDirectory(dir=GOOGLEAPIS.parent, prefix=".setup-") as work:
        google, stubs = Path(work) / "googleapis", Path(work) / "stubs"
        (google / "google" / "api").mkdir(parents=True)
        stubs.mkdir()
        for name in ("annotations", "http"):
            shutil.copy(site / "google" / "api" / f"{name}.proto", google / "google" / "api")
        if protos:
            run(
                PYTHON,
                "-m",
                "grpc_tools.protoc",
                *(f"--proto_path={root}" for root in roots),
                f"--proto_path={site}",
                f"--plugin=protoc-gen-mypy_grpc={VENV / 'bin' / 'protoc-gen-mypy_grpc'}",
                f"--python_out={stubs}",
                f"--pyi_out={stubs}",
                f"--grpc_python_out={stubs}",
                f"--mypy_grpc_out=quiet:{stubs}",
                # The contract with its comments, for the OpenAPI document.
                f"--descriptor_set_out={stubs / 'signalbox.binpb'}",
                "--include_source_info",
                *protos,
            )
        (stubs / STAMP).write_text(wanted)
        swap_in(google, GOOGLEAPIS)
        swap_in(stubs, STUBS)


def main() -> int:
    if sys.version_info[:2] != (3, 11):
        version = sys.version.split()[0]
        print(f"setup: Python 3.11 is needed, this is {version}; say make PYTHON=...", file=sys.stderr)
        return 1
    for name in ("PYTHONPATH", "PYTHONHOME", "PIP_TARGET", "PIP_PREFIX", "PIP_USER"):
        os.environ.pop(name, None)
    with open(ROOT / ".setup.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            make_stubs(make_venv())
        except subprocess.CalledProcessError as failed:
            step = " ".join(map(str, failed.cmd))[:200]
            print(f"setup: failed with exit code {failed.returncode}: {step}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
