"""`python -m tests.bench [module ...]`: measure, print, and write build/bench.json."""

import importlib
import json
import os
import pkgutil
import platform
import sys
import time
from dataclasses import asdict
from pathlib import Path

import tests.bench
from tests.bench.figures import Figure

OUTPUT = Path(__file__).resolve().parents[2] / "build" / "bench.json"


def main(wanted: list[str]) -> int:
    names = [module.name for module in pkgutil.iter_modules(tests.bench.__path__) if module.name[0] != "_"]
    if unknown := sorted(set(wanted) - set(names)):
        print(f"there is no tests/bench/{unknown[0]}.py", file=sys.stderr)
        return 2
    found: dict[str, list[Figure]] = {}
    for name in wanted or names:
        module = importlib.import_module(f"tests.bench.{name}")
        if hasattr(module, "measure"):
            print(f"\n{name}: {(module.__doc__ or '').splitlines()[0]}", flush=True)
            found[name] = []
            for figure in module.measure():
                print(f"  {figure}", flush=True)
                found[name].append(figure)
    OUTPUT.parent.mkdir(exist_ok=True)
    machine = {"python": platform.python_version(), "cores": os.cpu_count(), "machine": platform.machine()}
    figures = {name: [asdict(figure) | {"met": figure.met} for figure in of] for name, of in found.items()}
    report = {
        "machine": machine,
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "figures": figures,
    }
    OUTPUT.write_text(json.dumps(report, indent=2) + "\n")
    missed = sum(figure.met is False for of in found.values() for figure in of)
    print(f"\nwritten to {OUTPUT.relative_to(Path.cwd()) if OUTPUT.is_relative_to(Path.cwd()) else OUTPUT}")
    print(f"goals missed: {missed}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
