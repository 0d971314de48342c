"""Compares one verdict with what is recorded of it."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from services.ruleset.answers import Outcome, Violation
from services.string_railway.rules.curves import curve, merged
from services.string_railway.rules.laying import worth
from services.string_railway.rules.lengths import rounded_length, squares
from services.string_railway.rules.moves import LayString, Move
from services.string_railway.rules.paying import Crossing
from services.string_railway.rules.placing import on_mountain
from services.string_railway.rules.planes import rounded
from services.string_railway.rules.state import State
from services.string_railway.rules.table import tile
from tests.conformance.report import Report

GRID: Final = Decimal("0.001")


def near(one: Sequence[Decimal | int], other: Sequence[Decimal | int]) -> bool:
    """Whether two places are within a step of the grid of each other."""
    return all(abs(Decimal(a) - Decimal(b)) <= GRID for a, b in zip(one, other, strict=True))


def place(violation: Violation) -> list[Decimal]:
    return [Decimal(part) for part in violation.at.split(",")] if violation.at else []


def judge(
    where: str, before: State, move: Move, outcome: Outcome[State], expect: Mapping[str, Any], report: Report
) -> None:
    """Verdict, section, codes and place; for a legal move what it brings."""
    report.count("verdicts")
    found = "illegal" if outcome.violations else "legal"
    if found != expect["verdict"]:
        reasons = [violation.reason for violation in outcome.violations]
        report.disagree(where, f"{found} {reasons}, recorded {expect['verdict']} {expect.get('codes')}")
        return
    if outcome.violations:
        _judge_refusal(where, outcome.violations, expect, report)
    elif outcome.state is not None:
        _judge_gains(where, before, outcome.state, expect, report)
        if isinstance(move, LayString):
            _judge_string(where, before, move, expect, report)
        if "on_mountain" in expect:
            station = outcome.state.stations[-1]
            ours: tuple[Any, ...] = (station.owner or None, on_mountain(before, tile(station)))
            _same(where, "owner, on_mountain", ours, (expect["owner"], expect["on_mountain"]), report)


def _same(where: str, what: str, ours: object, recorded: object, report: Report) -> None:
    if ours != recorded:
        report.disagree(where, f"{what} is {ours}, recorded {recorded}")


def _judge_refusal(
    where: str, violations: Sequence[Violation], expect: Mapping[str, Any], report: Report
) -> None:
    first = violations[0]
    codes = list(dict.fromkeys(violation.reason for violation in violations))
    _same(where, "section, codes", (first.rule_id, codes), (expect["section"], expect["codes"]), report)
    if "at" in expect and not near(place(first), expect["at"]):
        report.disagree(where, f"at is {first.at}, recorded {expect['at']}")


def _judge_gains(where: str, before: State, after: State, expect: Mapping[str, Any], report: Report) -> None:
    gains = {
        company: points - before.scores[company]
        for company, points in after.scores.items()
        if points != before.scores[company]
    }
    _same(where, "score_delta", gains, expect.get("score_delta", {}), report)


def _judge_string(
    where: str, before: State, move: LayString, expect: Mapping[str, Any], report: Report
) -> None:
    line = curve(merged(move.path))
    paid = worth(before, move.actor, line)
    _same(where, "reached, new", (paid.reached, paid.new), (expect["reached"], expect["new"]), report)
    _judge_crossings(where, "charged", paid.charged, expect["crossings_charged"], report)
    _judge_crossings(where, "free", paid.free, expect["crossings_free"], report)
    length = Decimal(rounded_length(squares(line.points))) * GRID
    if not near([length], [expect["length_mm"]]):
        report.disagree(where, f"length is {length}, recorded {expect['length_mm']}")


def _judge_crossings(
    where: str, what: str, ours: Sequence[Crossing], recorded: Sequence[Mapping[str, Any]], report: Report
) -> None:
    places = [(each.string, [coordinate * GRID for coordinate in rounded(each.spot)]) for each in ours]
    agrees = [name for name, _ in places] == [each["string"] for each in recorded] and all(
        near(spot, each["at"]) for (_, spot), each in zip(places, recorded, strict=True)
    )
    if not agrees:
        report.disagree(where, f"crossings {what} are {places}, recorded {recorded}")
