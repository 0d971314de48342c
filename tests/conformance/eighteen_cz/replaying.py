"""A recorded game played by the rules, with every recorded state compared."""

from collections.abc import Callable, Iterator

from services.chassis.game import Warning
from services.eighteen_cz.importer import FORESIGHT
from services.eighteen_cz.importer.site import STEPS
from services.eighteen_cz.rules import best_routes
from services.ruleset.protocol import Budget
from tests.conformance.eighteen_cz import exceptions
from tests.conformance.eighteen_cz.recording import Plain, Recording
from tests.conformance.eighteen_cz.snapshot import Names, differences, place, snapshot
from tests.conformance.eighteen_cz.watching import WatchedShadow
from tests.conformance.report import Report

ELSEWHERE = "waits foreseen otherwise"
"""What is counted where the recording waits in another step than an import expects of the site."""


def replay(recording: Recording, report: Report) -> Iterator[tuple[int, WatchedShadow]]:
    """The position after each number of actions, its state compared, up to where the rules cannot go on."""
    names = Names(recording.record.table)
    shadow = WatchedShadow(recording.record)
    for index, recorded in enumerate(recording.states):
        where = f"{recording.name} {index}"
        played = not index or _play(recording, index, shadow, where, report)
        if played:
            catch_up(recorded, shadow, where, report)
            report.count("states")
        if not played or not compare_state(recorded, shadow, names, where, report):
            left = len(recording.states) - index - 1
            report.disagree(where, f"the game is followed no further: {left} states are not compared")
            break
        yield index, shadow
    if shadow.elsewhere:
        report.count(ELSEWHERE, shadow.elsewhere)


def arrival(recorded: Plain, names: Names) -> Callable[[WatchedShadow], bool]:
    """Whether a shadow stands where a recorded state does."""
    wanted = {name: recorded.get(name) for name in ("round", "step", "cur")}
    return lambda shadow: place(shadow, names) == wanted


def compare_state(
    recorded: Plain, shadow: WatchedShadow, names: Names, where: str, report: Report, after: str = ""
) -> bool:
    """Whether the position is the recorded one, exceptions apart; each of those is noted once a game."""
    ours = snapshot(shadow, names)
    same = True
    for difference in differences(recorded, ours):
        path, theirs, mine = difference
        what = f"{after}{path} is {theirs!r} in the recording, {mine!r} by the rules"
        section = exceptions.state(recorded, ours, difference)
        known = (section, ".".join(path.split(".")[:2]))
        if not section:
            report.disagree(where, what)
            same = False
        elif known not in shadow.known:
            report.excuse(section, where, what)
            shadow.known.add(known)
    return same


def catch_up(recorded: Plain, shadow: WatchedShadow, where: str, report: Report) -> None:
    """Goes on to where the recording engine went although the rules do not let it."""
    if shadow.state.stage == "draft" and recorded["round"] != "Draft":
        for seat in shadow.leave_draft():
            report.excuse("CZ-4.5", where, f"the draft ends though {seat} has not passed")
    turn = shadow.state.operating
    if turn and shadow.owes_train and recorded.get("op") != turn.order[turn.index]:
        report.excuse("CZ-14.6", where, f"{turn.order[turn.index]} ends its turn without a usable train")
        shadow.force_end_of_turn()
    elif shadow.owes_train and recorded["step"] == "BuyCompany" and STEPS[shadow.at] == "trains":
        report.excuse("CZ-14.6", where, "leaves the trains without a usable one")
        shadow.at += 1


def _play(recording: Recording, index: int, shadow: WatchedShadow, where: str, report: Report) -> bool:
    """Plays one action; False where the game cannot go on."""
    report.count("actions")
    action = recording.actions[index - 1]
    if shadow.waits_before_discards:
        report.excuse("CZ-14.8", where, "may still acquire before it discards")
    if action.kind == "run_routes":
        _compare_run(sum(run.revenue for run in action.routes), shadow, where, report)
    broken = shadow.refusals(action)
    later = recording.actions[index : index + FORESIGHT]
    arrived = arrival(recording.states[index], Names(recording.record.table))
    if not shadow.follow_to(action, arrived, later):
        section = exceptions.unplayable(action, broken, shadow)
        report.note(section, where, f"refused {[(v.rule_id, v.reason) for v in broken]} {action}")
        if not section:
            return False
        shadow.warnings.clear()
        shadow.force(action)
    for warning in shadow.warnings:
        if warning.reason == "station_dearer":
            pay_site_price(shadow, warning)
    for warning in shadow.warnings:
        what = f"{warning.reason} {warning.path} {dict(warning.values)} {action}"
        report.note(exceptions.WARNINGS.get(warning.reason, ""), where, what)
    shadow.warnings.clear()
    return True


def pay_site_price(shadow: WatchedShadow, warning: Warning) -> None:
    """Takes the rest of the price that the recording engine asked for a station (D-11)."""
    shadow.pay(str(warning.values["company"]), int(warning.values["recorded"]) - int(warning.values["price"]))


def _compare_run(revenue: int, shadow: WatchedShadow, where: str, report: Report) -> None:
    """No recorded run earns more than our best one."""
    report.count("runs")
    best, optimality = best_revenue(shadow)
    if optimality == "PROVEN" and best >= revenue:
        return
    with shadow.site_express():
        section = "CZ-11.9" if best_revenue(shadow) >= (revenue, "PROVEN") else ""
    report.note(section, where, f"the recorded run earns {revenue}, the best one {best} ({optimality})")


def best_revenue(shadow: WatchedShadow) -> tuple[int, str]:
    """What the company on turn can earn at most, and whether that is proven."""
    company = shadow.rules.turn(shadow.state).actor
    _, revenue, optimality = best_routes.best_run(shadow.state, company, Budget())
    return revenue, optimality
