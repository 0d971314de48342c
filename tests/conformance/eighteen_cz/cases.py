"""Examined positions: offered moves, attempts with their verdict, best routes."""

from collections.abc import Mapping
from typing import Any

from services.chassis.game import Malformed
from services.eighteen_cz.importer.reading import Action
from tests.conformance.eighteen_cz import exceptions
from tests.conformance.eighteen_cz.offers import our_offers, recorded_offers
from tests.conformance.eighteen_cz.recording import Recording
from tests.conformance.eighteen_cz.replaying import (
    ELSEWHERE,
    arrival,
    best_revenue,
    catch_up,
    compare_state,
    pay_site_price,
)
from tests.conformance.eighteen_cz.snapshot import Names, changed, snapshot
from tests.conformance.eighteen_cz.watching import WatchedShadow
from tests.conformance.report import Report

Case = Mapping[str, Any]


def compare_case(recording: Recording, case: Case, shadow: WatchedShadow, report: Report) -> None:
    """One examined position; `shadow` stands at it."""
    names = Names(recording.record.table)
    where = f"{recording.name} {case['i']}"
    if snapshot(shadow, names)["cur"] != case["cur"]:
        report.excuse("CZ-14.8", where, f"{case['step']}: not examined, {case['cur']} has discarded before")
        return
    if "offered" in case:
        report.count("positions")
        recorded = recorded_offers(case["offered"], shadow.state)
        ours = our_offers(shadow, names)
        for offer in sorted(recorded ^ ours, key=str):
            who = "the recording" if offer in recorded else "the rules"
            section = exceptions.offer(case, offer, shadow, in_recording=offer in recorded)
            report.note(section, where, f"{case['step']}: only {who} offers {offer}")
    if "best_run" in case:
        _compare_best(case, shadow, where, report)
    for attempt in case["attempts"]:
        report.count("attempts")
        _compare_attempt(recording, case, attempt, shadow, f"{where} {attempt['kind']}", report)


def _compare_attempt(
    recording: Recording, case: Case, attempt: Case, shadow: WatchedShadow, where: str, report: Report
) -> None:
    try:
        action = recording.action(attempt["action"])
    except Malformed as malformed:
        if attempt["legal"]:
            report.disagree(where, f"{malformed} {attempt['action']}")
        return
    if attempt["legal"]:
        _compare_legal(recording, case, attempt, action, shadow, where, report)
        return
    broken = shadow.refusals(action)
    if attempt["legal"] is None:
        report.count("attempts without a recorded verdict")
    elif not broken:
        section = exceptions.accepted(case, action, shadow)
        what = f"{case['step']}: refused in the recording, legal by the rules: {attempt}"
        report.note(section, where, what)
    elif not all(violation.rule_id and violation.reason for violation in broken):
        report.disagree(where, f"a refusal without its rule: {broken}")


def _compare_legal(
    recording: Recording,
    case: Case,
    attempt: Case,
    action: Action,
    shadow: WatchedShadow,
    where: str,
    report: Report,
) -> None:
    """A legal attempt: accepted, with the recorded changes."""
    names = Names(recording.record.table)
    after = changed(recording.states[case["i"]], attempt["after"])
    other = shadow.branch()
    accepted = other.follow_to(action, arrival(after, names))
    for warning in other.warnings:
        if warning.reason == "station_dearer":
            pay_site_price(other, warning)
    if not accepted or any(warning.reason not in exceptions.WARNINGS for warning in other.warnings):
        broken = shadow.refusals(action)
        section = exceptions.refused(case, action, shadow, broken)
        why = [(violation.rule_id, violation.reason, dict(violation.values)) for violation in broken]
        what = f"{case['step']}: legal in the recording, refused by the rules: {why} {attempt['action']}"
        report.note(section, where, what)
        return
    for warning in other.warnings:
        report.excuse(exceptions.WARNINGS[warning.reason], where, f"{dict(warning.values)}")
    if other.elsewhere > shadow.elsewhere:
        report.count(ELSEWHERE)
    plain, special = Report(), Report()
    catch_up(after, other, where, plain)
    if compare_state(after, other, names, where, plain, f"after {attempt['action']} "):
        report.add(plain)
    elif action.kind == "run_routes" and _runs_as_site(action, after, shadow, names, where, special):
        report.add(special)
        report.excuse("CZ-11.9", where, f"an express train earns otherwise: {attempt['action']}")
    else:
        report.add(plain)


def _runs_as_site(
    action: Action, after: Case, shadow: WatchedShadow, names: Names, where: str, report: Report
) -> bool:
    """Whether the recorded change follows from the recording engine's income of express trains (D-10)."""
    other = shadow.branch()
    with other.site_express():
        accepted = other.follow(action)
    return accepted and compare_state(dict(after), other, names, where, report)


def _compare_best(case: Case, shadow: WatchedShadow, where: str, report: Report) -> None:
    report.count("best runs")
    best = case["best_run"]
    ours, optimality = best_revenue(shadow)
    if optimality != "PROVEN":
        report.disagree(where, f"the best run is not proven: {ours}")
    if ours != best["revenue"] if best["exact"] else ours < best["revenue"]:
        with shadow.site_express():
            section = "CZ-11.9" if best_revenue(shadow)[0] == best["revenue"] else ""
        what = f"the best run earns {best['revenue']} in the recording, {ours} by the rules"
        report.note(section, where, what)
