"""What becomes of a company's revenue (CZ-12)."""

from collections.abc import Iterator

from services.eighteen_cz.rules import market
from services.eighteen_cz.rules.bank import pay_company, pay_player
from services.eighteen_cz.rules.moves import Dividend
from services.eighteen_cz.rules.queries import acting_company, operating_turn, size_facts
from services.eighteen_cz.rules.refusing import Values, refuse
from services.eighteen_cz.rules.state import Company, State
from services.ruleset.answers import Event, Option, Violation
from services.ruleset.protocol import Query


def revenue(state: State) -> int:
    """What the trains of the company on turn earned."""
    return sum(earned for _, earned in operating_turn(state).runs)


def shares_of(company: Company, amount: int) -> dict[str, int]:
    """What each holder gets of a dividend, rounded up once per player on his total (CZ-12.2)."""
    all_units = size_facts(company).units
    return {
        holder: -(-amount * units // all_units) for holder, units in sorted(company.units.items()) if units
    }


def pay(state: State, company: Company) -> list[Event]:
    amount = revenue(state)
    company.last_revenue, company.last_paid = amount, True
    changes = tuple(
        pay_player(state, holder, share) for holder, share in shares_of(company, amount).items() if share
    )
    values: Values = {"company": company.symbol, "amount": amount}
    return [Event("dividend_paid", "CZ-12.2", values, changes), *market.after_paying(state, company)]


def keep(state: State, company: Company) -> list[Event]:
    """Revenue 0 is kept too (CZ-12.1); nothing of it is told but the fall of the price."""
    amount = revenue(state)
    company.last_revenue, company.last_paid = amount, False
    events = []
    if amount:
        change = pay_company(state, company.symbol, amount)
        values: Values = {"company": company.symbol, "amount": amount}
        events.append(Event("revenue_kept", "CZ-12.3", values, (change,)))
    return events + market.after_keeping(state, company)


def verify_dividend(state: State, move: Dividend) -> list[Violation]:
    if move.choice not in ("pay", "keep"):
        return [refuse(move, "choice", "CZ-12.1", "unknown_choice", choice=move.choice)]
    return []


def do_dividend(state: State, move: Dividend) -> list[Event]:
    company = acting_company(state)
    operating_turn(state).step = "acquire"
    return pay(state, company) if move.choice == "pay" else keep(state, company)


def dividend_options(state: State, query: Query) -> Iterator[Option[Dividend]]:
    company = acting_company(state)
    for choice in ("pay", "keep"):
        yield Option("dividend", Dividend(company.symbol, choice))
