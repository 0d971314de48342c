"""Examined positions: offered moves, attempts with their verdict, best routes."""

from collections.abc import Mapping
from typing import Any

from services.chassis.game import Malformed
from services.eighteen_cz.importer.reading import Action
from services.eighteen_cz.rules import best_routes
from services.ruleset.protocol import Budget
from tests.conformance.eighteen_cz import exceptions
from tests.conformance.eighteen_cz.offers import our_offers, recorded_offers
from tests.conformance.eighteen_cz.recording import Recording
from tests.conformance.eighteen_cz.snapshot import Names, changed, differences, snapshot
from tests.conformance.eighteen_cz.watching import WatchedShadow, refusals
from tests.conformance.report import Report


def compare_case(
    recording: Recording, case: Mapping[str, Any], shadow: WatchedShadow, report: Report
) -> None:
    """One examined position; `shadow` stands at it."""
    names = Names(recording.record.table)
    where = f"{recording.name} {case['i']}"
    if "offered" in case:
        report.count("positions")
        recorded = recorded_offers(case["offered"], shadow.state)
        ours = our_offers(shadow, names)
        for offer in sorted(recorded ^ ours, key=str):
            who = "recording only" if offer in recorded else "rules only"
            section = exceptions.offer(case, offer, shadow, in_recording=offer in recorded)
            report.note(section, where, f"{case['step']}: {who} offers {offer}")
    if "best_run" in case:
        _compare_best(case, shadow, where, report)
    for attempt in case["attempts"]:
        report.count("attempts")
        _compare_attempt(recording, case, attempt, shadow, f"{where} {attempt['kind']}", report)


def _compare_attempt(
    recording: Recording,
    case: Mapping[str, Any],
    attempt: Mapping[str, Any],
    shadow: WatchedShadow,
    where: str,
    report: Report,
) -> None:
    try:
        action = recording.action(attempt["action"])
    except Malformed as malformed:
        if attempt["legal"]:
            report.disagree(where, f"{malformed} {attempt['action']}")
        return
    if attempt["legal"]:
        _compare_legal(recording, attempt, action, shadow, where, report)
        return
    broken = refusals(shadow, action)
    if attempt["legal"] is None:
        report.count("attempts without a recorded verdict")
    elif not broken:
        section = exceptions.accepted(case, attempt, action, shadow)
        report.note(
            section, where, f"{case['step']}: refused in the recording, legal by the rules: {attempt}"
        )
    elif not all(violation.rule_id and violation.reason for violation in broken):
        report.disagree(where, f"a refusal without its rule: {broken}")


def _compare_legal(
    recording: Recording,
    attempt: Mapping[str, Any],
    action: Action,
    shadow: WatchedShadow,
    where: str,
    report: Report,
) -> None:
    other = shadow.branch()
    accepted = other.follow(action)
    if not accepted or other.warnings:
        broken = refusals(shadow, action)
        section = exceptions.refused(attempt, action, shadow, broken)
        why = [(violation.rule_id, violation.reason, dict(violation.values)) for violation in broken]
        what = f"legal in the recording, refused by the rules: {why} {other.warnings} {attempt['action']}"
        report.note(section, where, what)
        return
    names = Names(recording.record.table)
    before = recording.states[attempt_index(where)]
    after = changed(before, attempt["after"])
    ours_after = snapshot(other, names)
    for difference in differences(after, ours_after):
        section = exceptions.state(after, ours_after, difference)
        path, recorded, ours = difference
        report.note(
            section,
            where,
            f"after {attempt['action']} {path} is {recorded!r} in the recording, {ours!r} by the rules",
        )


def attempt_index(where: str) -> int:
    return int(where.split()[1])


def _compare_best(case: Mapping[str, Any], shadow: WatchedShadow, where: str, report: Report) -> None:
    report.count("best runs")
    best = case["best_run"]
    _, ours, optimality = best_routes.best_run(shadow.state, case["cur"], Budget())
    if optimality != "PROVEN":
        report.disagree(where, f"the best run is not proven: {ours}")
    if ours != best["revenue"] if best["exact"] else ours < best["revenue"]:
        section = exceptions.best_run(best, shadow)
        report.note(
            section, where, f"the best run is {best['revenue']} in the recording, {ours} by the rules"
        )
