"""A recorded game played by the rules, with every recorded state compared."""

from collections.abc import Iterator
from itertools import islice

from services.eighteen_cz.importer import FORESIGHT, RULESET, setup_of
from services.eighteen_cz.importer.ledger import Ledger
from services.eighteen_cz.rules import queries
from services.eighteen_cz.rules.engine import EighteenCz
from services.eighteen_cz.rules.moves import Pass
from services.ruleset.protocol import Budget
from tests.conformance.eighteen_cz import exceptions
from tests.conformance.eighteen_cz.recording import Plain, Recording
from tests.conformance.eighteen_cz.snapshot import Names, differences, snapshot
from tests.conformance.eighteen_cz.watching import WatchedShadow, refusals
from tests.conformance.report import Report


def begin(recording: Recording) -> WatchedShadow:
    rules = EighteenCz(RULESET)
    state = rules.start(setup_of(recording.record))
    return WatchedShadow(rules, state, recording.record.seed, Ledger(complete=True), Budget())


def replay(recording: Recording, report: Report) -> Iterator[tuple[int, WatchedShadow]]:
    """The position after each number of actions, its state compared, up to where the rules cannot go on."""
    names = Names(recording.record.table)
    shadow = begin(recording)
    for index, recorded in enumerate(recording.states):
        where = f"{recording.name} {index}"
        if index and not _play(recording, index, shadow, where, report):
            return
        _leave_draft(recorded, shadow, where, report)
        report.count("states")
        found = False
        mine = snapshot(shadow, names)
        for difference in differences(recorded, mine):
            path, theirs, ours = difference
            what = f"{path} is {theirs!r} in the recording, {ours!r} by the rules"
            section = exceptions.state(recorded, mine, difference)
            report.note(section, where, what)
            found = found or not section
        if found:
            return
        yield index, shadow


def _play(recording: Recording, index: int, shadow: WatchedShadow, where: str, report: Report) -> bool:
    report.count("actions")
    action = recording.actions[index - 1]
    later = islice(recording.actions, index, index + FORESIGHT)
    unplayed = shadow.branch()
    if shadow.waits_before_discards:
        report.excuse("CZ-14.8", where, "may still acquire before it discards")
    accepted = shadow.follow(action, later)
    if not accepted:
        broken = refusals(unplayed, action)
        section = exceptions.unplayable(action, broken, unplayed)
        if section:
            report.excuse(section, where, f"{[(v.rule_id, v.reason) for v in broken]} {action}")
            shadow.force(action)
            shadow.warnings.clear()
            if section == "CZ-14.6" and shadow.state.stage == "operating":
                company = queries.acting_company(shadow.state)
                if company.symbol != recording.states[index].get("op") and not shadow.state.pending:
                    shadow.force_end_of_turn()
            return True
    for warning in shadow.warnings:
        what = f"{warning.reason} {warning.path} {dict(warning.values)} {action}"
        report.note(exceptions.WARNINGS.get(warning.reason, ""), where, what)
    shadow.warnings.clear()
    return accepted


def _leave_draft(recorded: Plain, shadow: WatchedShadow, where: str, report: Report) -> None:
    """The recording engine may end the draft while a player who has not passed can still buy."""
    if recorded["round"] == "Draft" or shadow.state.stage != "draft":
        return
    while shadow.state.stage == "draft":
        seat = shadow.rules.turn(shadow.state).actor
        report.excuse("CZ-4.5", where, f"the draft ends though {seat} has not passed")
        if not shadow.play(Pass(seat)):
            return
    shadow.settle()
