"""Exceptions that no recorded position needs, on positions made to need them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from services.eighteen_cz.rules import best_routes, queries
from services.eighteen_cz.rules.copying import copy_state
from services.eighteen_cz.rules.moves import Route
from services.eighteen_cz.rules.state import REMOVED
from services.ruleset.protocol import Budget
from tests.conformance import eighteen_cz
from tests.conformance.eighteen_cz import exceptions
from tests.conformance.eighteen_cz.cases import compare_case
from tests.conformance.eighteen_cz.offers import our_offers
from tests.conformance.eighteen_cz.recording import Recording, load
from tests.conformance.eighteen_cz.replaying import replay
from tests.conformance.eighteen_cz.snapshot import Names
from tests.conformance.eighteen_cz.watching import WatchedShadow
from tests.conformance.report import Report
from tests.conformance.runner import DEFAULT

FOLDER = DEFAULT / "18cz"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"there are no recordings in {FOLDER}")


def at(recording: Recording, index: int) -> WatchedShadow:
    return next(shadow for reached, shadow in replay(recording, Report()) if reached == index)


def run_action(shadow: WatchedShadow, company: str, routes: Sequence[Route], revenues: Sequence[int]) -> Any:
    """A recorded run of these routes."""
    cards = {
        card.version: [name for name, other in shadow.ledger.cards.items() if other == card]
        for card in shadow.ledger.cards.values()
        if card.holder == company
    }
    runs = [
        {
            "train": cards[route.train].pop(),
            "connections": [list(section) for section in route.sections],
            "revenue": revenue,
        }
        for route, revenue in zip(routes, revenues, strict=True)
    ]
    return {"type": "run_routes", "entity": company, "entity_type": "corporation", "routes": runs}


@pytest.fixture(scope="module")
def express() -> Iterator[tuple[Recording, WatchedShadow, Any, list[list[Any]]]]:
    """A position in which the recording engine's express trains earn more than the rules give, with the
    run that shows it and what each train earns there."""
    recording = load(FOLDER, "g2303_3p")
    shadow = at(recording, 537)
    with shadow.site_express():
        move, revenue, _ = best_routes.best_run(shadow.state, "kk", Budget())
        outcome = shadow.rules.apply(shadow.state, move, Budget())
        assert outcome.state is not None
        runs = [list(run) for run in queries.operating_turn(outcome.state).runs]
    assert revenue > best_routes.best_run(shadow.state, "kk", Budget())[1]
    by_train: dict[Any, list[Any]] = {}
    for version, value in runs:
        by_train.setdefault(version, []).append(value)
    action = run_action(shadow, "kk", move.routes, [by_train[route.train].pop(0) for route in move.routes])
    yield recording, shadow, action, runs


def test_express_income_of_the_recording_engine(
    express: tuple[Recording, WatchedShadow, Any, list[list[Any]]],
) -> None:
    """D-10: an attempt, a best run and a recorded run are excused by CZ-11.9, and the game goes on."""
    recording, shadow, action, runs = express
    unstated = {
        **action,
        "routes": [{key: run[key] for key in ("train", "connections")} for run in action["routes"]],
    }
    case = {
        "i": 537,
        "step": "Route",
        "cur": "kk",
        "best_run": {"revenue": sum(value for _, value in runs), "exact": True},
        "attempts": [
            {"kind": "best", "action": unstated, "legal": True, "after": {"step": "Dividend", "run": runs}}
        ],
    }
    report = Report()
    compare_case(recording, case, shadow, report)
    assert not report.disagreements
    assert set(report.exceptions) == {"CZ-11.9"}
    recorded = recording.action(action)
    other = shadow.branch()
    assert exceptions.unplayable(recorded, other.refusals(recorded), other) == "CZ-11.9"
    other.force(recorded)
    assert sum(value for _, value in queries.operating_turn(other.state).runs) == sum(v for _, v in runs)
    assert other.state.switches == shadow.state.switches


def test_a_wrong_income_is_not_excused(
    express: tuple[Recording, WatchedShadow, Any, list[list[Any]]],
) -> None:
    recording, shadow, action, _ = express
    wrong = {**action, "routes": [{**run, "revenue": run["revenue"] + 10} for run in action["routes"]]}
    recorded = recording.action(wrong)
    assert exceptions.unplayable(recorded, shadow.refusals(recorded), shadow) == ""


def test_passing_above_the_certificate_limit() -> None:
    """D-24: the recording engine also offers a pass, the rules want a sale (CZ-5.8)."""
    recording = load(FOLDER, "g2411_4p")
    index = next(
        n
        for n, state in enumerate(recording.states)
        if state["step"] == "BuySellParShares" and "sell_shares" in state["acts"]
    )
    shadow = at(recording, index)
    seat = shadow.rules.turn(shadow.state).actor
    state = copy_state(shadow.state)
    unsold = [local.symbol for local in state.locals.values() if local.owner in (seat, REMOVED)]
    state.locals |= {symbol: replace(state.locals[symbol], owner=seat) for symbol in unsold}
    surplus = queries.certificate_limit(state) - queries.certificates(state, seat)
    for local in state.locals.values():
        if surplus >= 0 and local.owner != seat:
            state.locals[local.symbol] = replace(local, owner=seat)
            surplus -= 1
    shadow.state = state
    offers = our_offers(shadow, Names(recording.record.table))
    assert offers and {offer[0] for offer in offers} == {"sell"}
    name = Names(recording.record.table).of(seat)
    case = {
        "i": index,
        "step": "BuySellParShares",
        "cur": name,
        "offered": {"pass": True, "sell": [list(offer[1:]) for offer in offers]},
        "attempts": [
            {
                "kind": "offer",
                "action": {"type": "pass", "entity": name, "entity_type": "player"},
                "legal": True,
                "after": {},
            }
        ],
    }
    report = Report()
    compare_case(recording, case, shadow, report)
    assert not report.disagreements
    assert {section: len(found) for section, found in report.exceptions.items()} == {"CZ-5.8": 2}


def test_jobs_begin_with_the_tables() -> None:
    assert eighteen_cz.jobs(FOLDER)[0] == eighteen_cz.TABLES
