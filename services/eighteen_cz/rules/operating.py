"""A company's turn (CZ-8): running, passing, and how the steps follow each other."""

from collections.abc import Iterator

from services.eighteen_cz.rules import acquisition, best_routes, dividends, routes, stations
from services.eighteen_cz.rules.cities import home_city
from services.eighteen_cz.rules.moves import Move, Pass, RunTrains
from services.eighteen_cz.rules.queries import (
    acting_company,
    allowance_left,
    company_facts,
    is_vaclavs,
    may_run,
    operating_turn,
    size_rank,
)
from services.eighteen_cz.rules.refusing import Values
from services.eighteen_cz.rules.state import Company, OperatingTurn, State, Step
from services.ruleset.answers import Event, Free, Option
from services.ruleset.protocol import Budget, Query

NEXT_STEP: dict[Step, Step] = {"track": "station", "station": "run", "acquire": "trains"}
"""Where declining a step leads; declining to run counts as revenue 0, declining trains ends the turn."""


def do_run_trains(state: State, move: RunTrains) -> list[Event]:
    company = acting_company(state)
    runs = routes.revenues(state, move)
    operating_turn(state).runs = runs
    events = []
    for version, revenue in runs:
        values: Values = {"company": company.symbol, "version": version, "revenue": revenue}
        events.append(Event("train_ran", "CZ-11.11", values))
    return events + _after_run(state, company)


def _after_run(state: State, company: Company) -> list[Event]:
    """Revenue 0 is kept at once; any other waits for its choice, Vaclav pays it out (CZ-12.1, 18.2)."""
    turn = operating_turn(state)
    turn.step = "acquire"
    if not dividends.revenue(state):
        return dividends.keep(state, company)
    if is_vaclavs(company):
        return dividends.pay(state, company)
    turn.step = "dividend"
    return []


def run_trains_options(state: State, query: Query, budget: Budget) -> Iterator[Option[Move]]:
    """The best route set; every other legal one may be given instead."""
    company = acting_company(state)
    move, _, optimality = best_routes.best_run(state, company.symbol, budget)
    yield Option("run_trains", move, (Free("runTrains.routes", "CZ-11"),), optimality=optimality)


def do_pass(state: State, move: Pass) -> list[Event]:
    company = acting_company(state)
    turn = operating_turn(state)
    events = [Event("step_declined", "CZ-8.3", {"company": company.symbol, "step": turn.step})]
    if turn.step == "trains":
        return [Event("company_turn_ended", "CZ-8.1", {"company": company.symbol}), *end_turn(state)]
    turn.step = NEXT_STEP[turn.step]
    return events


def end_turn(state: State) -> list[Event]:
    """The company is done; the next one of the round is on turn."""
    acting_company(state).operated = True
    turn = operating_turn(state)
    state.operating = OperatingTurn(turn.order, turn.index + 1)
    return []


def advance(state: State) -> list[Event] | None:
    """Leaves one step of the turn that leaves nothing to decide (CZ-19.1); None where there is a decision."""
    company = acting_company(state)
    turn = operating_turn(state)
    match turn.step:
        case "home_tile" | "home_city" if company.home_placed:
            turn.step = "track"
            return []
        case "track" if not company.home_placed:
            return _begin_first_turn(state, company, turn)
        case "track" if not allowance_left(state, company, turn):
            turn.step = "station"
            return []
        case "station" if turn.station_placed or not company.markers:
            turn.step = "run"
            return []
        case "run" if not any(may_run(state, company, version) for version in company.trains):
            return _after_run(state, company)
        case "acquire" if is_vaclavs(company) or not _may_acquire(state, company):
            turn.step = "trains"
            return []
        case "trains" if is_vaclavs(company):
            return end_turn(state)
    return None


def _may_acquire(state: State, company: Company) -> bool:
    return size_rank(company) > 0 and acquisition.anything_acquirable(state, company)


def _begin_first_turn(state: State, company: Company, turn: OperatingTurn) -> list[Event]:
    """The home station, or the decision where it goes (CZ-10.1)."""
    if company_facts(company).home_tile:
        turn.step = "home_tile"
        return []
    if home_city(state, company.symbol) is None:
        turn.step = "home_city"
        return []
    return stations.place_home(state, company.symbol)
