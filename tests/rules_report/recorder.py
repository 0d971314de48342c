"""A pytest plugin that notes, while the tests run, which rules refused moves and which let them pass.

Every function `verify_*` of a game's rules is watched from the moment its module is loaded.  A refusal
or an acceptance counts where the engine or a test asked for it, not where legal moves were being listed.
A test accepts under a rule when a `verify_*` that can refuse by that rule found nothing wrong.  The texts
are checked as well: every violation and event that was made must have its sentence and the values in it.

When the whole default run has passed, a rule that can refuse a move but has no test that makes it
refuse (or none that lets a move pass) fails the run.
"""

import importlib.util
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest

from services.ruleset.answers import Event, Violation
from services.ruleset.rulebook import Rulebook, needed
from tests.rules_report.scan import scan

ROOT: Final = Path(__file__).resolve().parents[2]
GAMES: Final = {"CZ-": "eighteen_cz"}
"""Prefix of the rule ids -> package of the game."""
NOT_MOVES: Final = ("validate", "invariants", "setup")
"""Modules (by the beginning of their name) that refuse states and setups, not moves."""
_RULES: Final = re.compile(r"services\.\w+\.rules(\..+)?")
_ASKING: Final = re.compile(r"services\.\w+\.rules\.engine|(?!services\.).*")
"""The modules whose questions count: the engines, and whatever is no service."""
_CHOOSING: Final = ("-k", "-m", "--deselect", "--ignore", "--lf", "--last-failed", "--sw", "--stepwise")
"""Options of pytest after which a run is not the whole default run."""

Notes = dict[str, dict[str, list[str]]]
Report = dict[str, dict[str, list[str]]]
"""Rule id -> `refuses` and `accepts` -> tests."""


class Recorder:
    """What has been seen so far; `test` is the one that runs now."""

    def __init__(self) -> None:
        self.test = ""
        self.refusing: dict[str, set[str]] = {}  # rule id -> tests in which it refused a move
        self.accepting: dict[str, set[str]] = {}  # verify function -> tests in which it let a move pass
        self.rules: dict[str, set[str]] = {}  # verify function -> rule ids it has refused by
        self.said: dict[str, set[str]] = {}  # "reason code" -> names of values it has come with

    def watched(self, verify: Callable[..., list[Violation]]) -> Callable[..., list[Violation]]:
        name = f"{verify.__module__.rpartition('.')[2]}.{verify.__name__}"

        @wraps(verify)
        def asked(*arguments: Any, **keywords: Any) -> list[Violation]:
            violations = verify(*arguments, **keywords)
            if self.test and _ASKING.fullmatch(sys._getframe(1).f_globals["__name__"]):
                for violation in violations:
                    self.refusing.setdefault(violation.rule_id, set()).add(self.test)
                    self.rules.setdefault(name, set()).add(violation.rule_id)
                if not violations:
                    self.accepting.setdefault(name, set()).add(self.test)
            return violations

        return asked

    def listen(self, made: type[Violation] | type[Event]) -> None:
        """Notes what violations or events the rules make, and with which values."""
        make = made.__init__

        @wraps(make)
        def heard(self_: Any, *arguments: Any, **keywords: Any) -> None:
            make(self_, *arguments, **keywords)
            if self.test and _RULES.fullmatch(sys._getframe(1).f_globals["__name__"]):
                code = f"reason {self_.reason}" if isinstance(self_, Violation) else f"event {self_.kind}"
                prefix = self_.rule_id.partition("-")[0] + "-"
                self.said.setdefault(f"{prefix} {code}", set()).add(" ".join(sorted(self_.values)))

        made.__init__ = heard  # type: ignore[method-assign, assignment]

    def notes(self) -> Notes:
        """Everything as plain data, in a fixed order."""
        parts = {
            "refusing": self.refusing,
            "accepting": self.accepting,
            "rules": self.rules,
            "said": self.said,
        }
        return {
            part: {key: sorted(values) for key, values in sorted(seen.items())}
            for part, seen in parts.items()
        }

    def add(self, notes: Notes) -> None:
        """What another process has seen."""
        for part, seen in notes.items():
            mine: dict[str, set[str]] = getattr(self, part)
            for key, values in seen.items():
                mine.setdefault(key, set()).update(values)

    def report(self) -> Report:
        """For every rule that can refuse a move: the tests in which it refuses, and those that it accepts."""
        report = {}
        for rule_id in sorted(refusing_rules(), key=_order):
            verifies = [verify for verify, rules in self.rules.items() if rule_id in rules]
            accepting = set().union(*(self.accepting.get(verify, set()) for verify in verifies))
            report[rule_id] = {
                "refuses": sorted(self.refusing.get(rule_id, ())),
                "accepts": sorted(accepting),
            }
        return report

    def silent(self) -> list[str]:
        """What was said without words for it, or without the values that its words need."""
        books = {prefix: _rulebook(game) for prefix, game in GAMES.items()}
        faults = []
        for key, shapes in sorted(self.said.items()):
            prefix, sort, code = key.split(" ")
            if prefix not in books:
                continue
            texts = books[prefix].codes("reason" if sort == "reason" else "event").get(code)
            if texts is None:
                faults.append(f"{sort} {code} has no sentence")
                continue
            for shape in sorted(shapes):
                if lacking := needed(texts[books[prefix].languages[0]]) - set(shape.split(" ")):
                    faults.append(f"{sort} {code} comes without {', '.join(sorted(lacking))}")
        return faults


class _Loader(SourceFileLoader):
    """Loads a module of rules and has its verify functions watched before anybody can import them."""

    def __init__(self, name: str, path: str, recorder: Recorder) -> None:
        super().__init__(name, path)
        self._recorder = recorder

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        for name, value in list(vars(module).items()):
            if name.startswith("verify_") and getattr(value, "__module__", "") == module.__name__:
                setattr(module, name, self._recorder.watched(value))


class _Finder(MetaPathFinder):
    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not _RULES.fullmatch(name):
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is None or spec.origin is None or spec.submodule_search_locations is not None:
            return spec
        loader = _Loader(name, spec.origin, self._recorder)
        return importlib.util.spec_from_file_location(name, spec.origin, loader=loader)


def refusing_rules() -> set[str]:
    """The ids of all rules that can refuse a move, as the code has them."""
    found: set[str] = set()
    for game in GAMES.values():
        for use in scan(ROOT / "services" / game / "rules"):
            if use.sort == "reason" and not use.module.startswith(NOT_MOVES):
                found |= use.rule_ids or frozenset()
    return found


def _rulebook(game: str) -> Rulebook:
    return Rulebook(ROOT / "services" / game / "rulebook")


def _order(rule_id: str) -> tuple[object, ...]:
    return tuple(
        (part.isdigit(), int(part) if part.isdigit() else part) for part in re.split("[-.]", rule_id)
    )


def _runs_everything(config: pytest.Config) -> bool:
    """Whether this is the whole default run, not a choice of tests."""
    chosen = any(word.startswith(_CHOOSING) for word in config.invocation_params.args)
    return config.args_source is pytest.Config.ArgsSource.TESTPATHS and not chosen


def gaps(report: Report) -> list[str]:
    """What is missing, in words."""
    return [
        f"{rule_id} has no test that {part} a move by it"
        for rule_id, tests in report.items()
        for part in ("refuses", "accepts")
        if not tests[part]
    ]


RECORDER: Final = Recorder()


def pytest_configure(config: pytest.Config) -> None:
    loaded = sorted(name for name in sys.modules if _RULES.fullmatch(name))
    if loaded:
        raise pytest.UsageError(f"loaded before they could be watched: {', '.join(loaded)}")
    sys.meta_path.insert(0, _Finder(RECORDER))
    RECORDER.listen(Violation)
    RECORDER.listen(Event)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterable[None]:
    RECORDER.test = item.nodeid
    try:
        return (yield)
    finally:
        RECORDER.test = ""


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """A worker of pytest-xdist has finished."""
    RECORDER.add(getattr(node, "workeroutput", {}).get("rules_report", {}))


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    config = session.config
    if hasattr(config, "workeroutput"):
        config.workeroutput["rules_report"] = RECORDER.notes()
        return
    faults = RECORDER.silent()
    if exitstatus == pytest.ExitCode.OK and _runs_everything(config) and not config.option.collectonly:
        faults += gaps(RECORDER.report())
    config.stash[_FAULTS] = faults
    if exitstatus == pytest.ExitCode.OK and faults:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


_FAULTS: Final = pytest.StashKey[list[str]]()


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    faults = config.stash.get(_FAULTS, [])
    if faults:
        terminalreporter.section("rules without words or tests")
        for fault in faults:
            terminalreporter.line(fault)
