"""Vaclav, the dummy of the two-player map, and his three companies (CZ-18.2)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from services.eighteen_cz.rules import facts, market
from services.eighteen_cz.rules.moves import VaclavCompany
from services.eighteen_cz.rules.phases import card_left, take_top_card
from services.eighteen_cz.rules.queries import company_facts
from services.eighteen_cz.rules.refusing import Values, refuse
from services.eighteen_cz.rules.state import VACLAV, Company, State
from services.ruleset.answers import CHANCE, Event, Option, Violation
from services.ruleset.protocol import Query

_TRACK_PLAYER: Final = {"small": 0, "medium": 1, "large": 0}
"""Who decides on track for a company of that size, as a place in the player order."""


def deciding_seat(state: State, company: Company, step: str) -> str:
    """Who decides for a company of Vaclav's: one player chooses the station, the other all else."""
    place = _TRACK_PLAYER[company_facts(company).size]
    return state.order[1 - place if step == "station" else place]


def candidates(state: State, size: str) -> list[str]:
    """The companies that may be drawn, in listing order: of that size and not started."""
    return [
        symbol
        for symbol, company in state.companies.items()
        if company.status == "unstarted" and facts.COMPANIES[symbol].size == size
    ]


def draw(state: State) -> list[Event]:
    """The draw that is pending, made by the seed.

    Its events change nothing: what a move changes is shown before it is made, and the draw is secret then.
    """
    choices = candidates(state, state.pending[0].size)
    index, state.chance = state.chance.draw(len(choices))
    return [replace(event, changes=()) for event in _found(state, choices[index])]


def verify_vaclav_company(state: State, move: VaclavCompany) -> list[Violation]:
    size = state.pending[0].size
    if move.company not in candidates(state, size):
        return [refuse(move, "company", "CZ-18.2", "not_to_be_drawn", company=move.company, size=size)]
    return []


def do_vaclav_company(state: State, move: VaclavCompany) -> list[Event]:
    state.chance = state.chance.drawn()
    return _found(state, move.company)


def vaclav_company_options(state: State, query: Query) -> Iterator[Option[VaclavCompany]]:
    for symbol in candidates(state, state.pending[0].size):
        move = VaclavCompany(CHANCE, symbol)
        yield Option(move.kind, move, weight=1)


def _found(state: State, symbol: str) -> list[Event]:
    """The company is launched in Vaclav's hands at its lowest start price and takes a train."""
    del state.pending[0]
    company = state.companies[symbol]
    size = facts.SIZE_FACTS[company_facts(company).size]
    company.status = "launched"
    company.director = VACLAV
    company.units[VACLAV] = size.launch_units
    company.start_price = size.start_prices[0]
    marker = market.put_marker(state, company, facts.POSITION_OF[company.start_price])
    values: Values = {"company": symbol, "price": company.start_price}
    return [Event("vaclav_founds", "CZ-18.2", values, (marker,)), *take_train(state, company)]


def take_train(state: State, company: Company) -> list[Event]:
    """The company takes the top card in its own-size version, which counts as a purchase."""
    row = take_top_card(state)
    version = facts.VERSION_OF[row, company_facts(company).size]
    company.trains.append(version)
    event = Event("vaclav_takes_train", "CZ-18.2", {"company": company.symbol, "version": version})
    return [event, *card_left(state, row, (version,))]


def exchange_trains(state: State) -> list[Event]:
    """Each company of Vaclav's, small to large, throws its trains out and takes the top card."""
    events: list[Event] = []
    own = [company for company in state.companies.values() if company.director == VACLAV]
    for company in own:
        company.trains.clear()
        events += take_train(state, company)
    return events
