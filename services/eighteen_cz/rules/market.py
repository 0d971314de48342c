"""Price movements (CZ-6): positions in the price table, and who came to a value first."""

from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.facts import MARKET, SOLD_OUT_STEP
from services.eighteen_cz.rules.queries import company_facts
from services.eighteen_cz.rules.refusing import Values
from services.eighteen_cz.rules.state import Company, State
from services.ruleset.answers import Change, Event


def price_change(company: Company, after: int) -> Change:
    """From the company's price, 0 while it has none, to another."""
    before = 0 if company.position < 0 else MARKET[company.position]
    return Change(company.symbol, "price", before, after)


def put_marker(state: State, company: Company, position: int) -> Change:
    """Puts the price marker on a value, behind the markers already there (CZ-6.3)."""
    change = price_change(company, MARKET[position])
    state.arrivals += 1
    company.arrival = state.arrivals
    company.position = position
    return change


def move_marker(state: State, company: Company, step: int, times: int, rule_id: str) -> list[Event]:
    """Moves the marker by `step` positions, `times` times; steps off the table are not made (CZ-6.1)."""
    before = company.position
    after = before
    for _ in range(times):
        if not 0 <= after + step < len(MARKET):
            break
        after += step
    if after == before:
        return []
    change = put_marker(state, company, after)
    values: Values = {"company": company.symbol, "before": MARKET[before], "after": MARKET[after]}
    return [Event("price_rose" if after > before else "price_fell", rule_id, values, (change,))]


def after_sale(state: State, company: Company) -> list[Event]:
    return move_marker(state, company, facts.SALE_STEP, 1, "CZ-5.9")


def after_sold_out(state: State, company: Company) -> list[Event]:
    return move_marker(state, company, SOLD_OUT_STEP, 1, "CZ-5.15")


def after_keeping(state: State, company: Company) -> list[Event]:
    return move_marker(state, company, -state.switches.withhold_price_step, 1, "CZ-12.4")


def after_paying(state: State, company: Company) -> list[Event]:
    times = 2 if company_facts(company).size == "large" else 1
    return move_marker(state, company, state.switches.dividend_price_step, times, "CZ-12.4")


def operating_order(state: State) -> list[str]:
    """Launched companies, highest price first, then the marker that has been there longer (CZ-7.4)."""
    launched = [company for company in state.companies.values() if company.status == "launched"]
    launched.sort(key=lambda company: (-company.position, company.arrival))
    return [company.symbol for company in launched]
