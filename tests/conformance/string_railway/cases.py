"""Single positions with a move or a question each: `cases.json`."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from services.ruleset.protocol import Budget
from services.string_railway.rules.drawing import draws_another
from services.string_railway.rules.engine import StringRailway
from services.string_railway.rules.placing import fits
from services.string_railway.rules.reach import pairs, string_network
from services.string_railway.rules.scoring import recounted, winners
from services.string_railway.rules.squares import square
from services.string_railway.rules.state import State
from services.string_railway.rules.turning import DEGREE, corners
from tests.conformance.report import Report
from tests.conformance.string_railway.judging import judge
from tests.conformance.string_railway.reading import fit_phase, move, point, position, read, take_turn

Json = Mapping[str, Any]
RULES: Final = StringRailway()
NEAR: Final = Decimal("0.01")
"""How far distances may differ, in millimetres."""


def compare_cases(folder: Path, report: Report) -> None:
    """Every case of the file."""
    for case in read(folder / "cases.json")["cases"]:
        report.count("cases")
        QUESTIONS.get(case["kind"], compare_move)(case, report)


def compare_move(case: Json, report: Report) -> None:
    before = position(case["state"])
    _step(before, case["id"], case["move"], case["expect"], report)


def _step(before: State, where: str, given: Json, expect: Json, report: Report) -> State:
    fit_phase(before, given)
    made = move(given)
    outcome = RULES.apply(before, made, Budget())
    judge(where, before, made, outcome, expect, report)
    if outcome.state is None:
        return before
    if "then_turn" in given:
        take_turn(outcome.state, given["then_turn"])
    return outcome.state


def compare_sequence(case: Json, report: Report) -> None:
    state = position(case["state"])
    for index, given in enumerate(case["moves"]):
        if state.phase == "start" and given["kind"] != "place_start":
            take_turn(state, case["state"]["turn"])
        state = _step(state, f"{case['id']} move {index}", given, case["expect"]["steps"][index], report)
        if state.phase == "draw":
            take_turn(state, {"company": state.acting, "pending": []})
    _same(case, dict(state.scores), case["expect"]["scores"], report)


def _same(case: Json, ours: object, recorded: object, report: Report) -> None:
    report.count("answers")
    if ours != recorded:
        report.disagree(case["id"], f"{ours}, recorded {recorded}")


def compare_draw(case: Json, report: Report) -> None:
    deck = list(case["state"]["deck"])
    drawn: list[str] = []
    while draws_another(drawn, case["state"]["first_turn"], len(deck)):
        drawn.append(deck.pop(0))
    _same(case, (drawn, len(deck)), (case["expect"]["drawn"], case["expect"]["deck_left"]), report)


def compare_rank(case: Json, report: Report) -> None:
    totals = case["state"]["scores"]
    persons = case["state"].get("persons") or {company: [company] for company in totals}
    _same(case, sorted(winners(totals, persons)), case["expect"]["winners"], report)


def compare_score(case: Json, report: Report) -> None:
    _same(case, recounted(position(case["state"])), case["expect"]["scores"], report)


def compare_probes(case: Json, report: Report) -> None:
    state = position(case["state"])
    angle = int(case["move"]["angle"] * DEGREE)
    for probe in case["expect"]["probes"]:
        legal = fits(state, square(corners(point(probe["center"]), angle)))
        _same(case, (probe["center"], legal), (probe["center"], probe["legal"]), report)


def compare_reach(case: Json, report: Report) -> None:
    state = position(case["state"])
    company, expect = case["move"]["company"], case["expect"]
    net = string_network(state, company)
    ours = tuple(sorted(names) for names in (net.anchors, net.targets, net.blocked))
    blocked = [each["station"] if isinstance(each, dict) else each for each in expect["blocked"]]
    _same(case, ours, (sorted(expect["anchors"]), sorted(expect["targets"]), sorted(blocked)), report)
    found = {frozenset((pair.start, pair.end)): pair for pair in pairs(state, company, Budget())}
    _same(case, len(found), len(expect["pairs"]), report)
    for each in expect["pairs"]:
        pair = found[frozenset((each["from"], each["to"]))]
        distance = None if pair.route is None else Decimal(pair.route.length) / 1000
        recorded = each["distance_mm"]
        near = distance is not None and recorded is not None and abs(distance - recorded) <= NEAR
        if not near and distance is not recorded:
            report.disagree(case["id"], f"{pair.start}-{pair.end} is {distance}, recorded {recorded}")
        reachable = {length: length in pair.reachable for length in ("short", "long")}
        _same(case, reachable, {"short": each["short"], "long": each["long"]}, report)


QUESTIONS: Final[Mapping[str, Callable[[Json, Report], None]]] = {
    "sequence": compare_sequence,
    "draw": compare_draw,
    "rank": compare_rank,
    "score": compare_score,
    "tile_probe": compare_probes,
    "reach": compare_reach,
}
