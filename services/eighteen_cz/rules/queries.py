"""Questions about a position that several rules ask: holdings, limits, prices, who is on turn.

Nothing here changes a state or refuses a move.
"""

from collections.abc import Iterator

from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.facts import CompanyFacts, Phase, SizeFacts
from services.eighteen_cz.rules.state import VACLAV, Company, Local, OperatingTurn, State


def company_facts(company: Company) -> CompanyFacts:
    return facts.COMPANIES[company.symbol]


def size_facts(company: Company) -> SizeFacts:
    return facts.SIZE_FACTS[facts.COMPANIES[company.symbol].size]


def size_rank(company: Company) -> int:
    """0 small, 1 medium, 2 large."""
    return facts.SIZE_RANK[facts.COMPANIES[company.symbol].size]


def is_vaclavs(company: Company) -> bool:
    """Whether the dummy of the two-player map owns it (CZ-18.2)."""
    return company.director == VACLAV


def is_started(company: Company) -> bool:
    """Its director's certificate has been bought and it is still in the game."""
    return company.status in ("started", "launched")


def held_units(company: Company) -> int:
    """Units in the hands of players (Vaclav included); the bank has the rest."""
    return sum(company.units.values())


def bank_units(company: Company) -> int:
    return size_facts(company).units - held_units(company)


def price(company: Company) -> int:
    """The current price of one unit; only of a started company."""
    return facts.MARKET[company.position]


def certificates(state: State, seat: str) -> int:
    """What counts towards the certificate limit (CZ-5.8): a director's certificate is one, a local is one."""
    count = sum(local.owner == seat for local in state.locals.values())
    for company in state.companies.values():
        units = company.units.get(seat, 0)
        if units:
            count += units - (facts.DIRECTOR_UNITS - 1 if company.director == seat else 0)
    return count


def certificate_limit(state: State) -> int:
    return facts.CERTIFICATE_LIMIT[len(state.players)]


def ownership_limit(state: State, company: Company) -> int:
    """The most units of the company that a player may buy up to (CZ-5.7)."""
    return size_facts(company).limit_units[state.board]


def phase(state: State) -> Phase:
    return facts.PHASES[state.phase]


def train_limit(state: State, company: Company) -> int:
    return phase(state).train_limit[company_facts(company).size]


def over_train_limit(state: State, company: Company) -> bool:
    return len(company.trains) > train_limit(state, company)


def local_price(state: State) -> int:
    """The local-railway price (CZ-7.1); 0 before the first operating round."""
    return facts.LOCAL_PRICES[state.operating_round - 1] if state.operating_round else 0


def owned_locals(state: State, owner: str) -> Iterator[Local]:
    """The locals of a seat or a company, in listing order."""
    return (local for local in state.locals.values() if local.owner == owner)


def stack_top(state: State) -> str:
    """The row of the top card of the stack; row j never runs out (CZ-1.5)."""
    return next((row for row, cards in state.stack.items() if cards), facts.LAST_ROW)


def operating_turn(state: State) -> OperatingTurn:
    """The turn in progress in an operating round."""
    turn = state.operating
    if turn is None:
        raise ValueError("no company is on turn")
    return turn


def acting_company(state: State) -> Company:
    """The company on turn in an operating round."""
    turn = operating_turn(state)
    return state.companies[turn.order[turn.index]]


def may_run(state: State, company: Company, version: str) -> bool:
    """Whether the company may run such a train, and so meets its obligation with it (CZ-11.1, 14.6, D-6)."""
    return (
        state.switches.companies_run_smaller_trains
        or facts.VERSIONS[version].size == company_facts(company).size
    )


def has_usable_train(state: State, company: Company) -> bool:
    return any(may_run(state, company, version) for version in company.trains)


def allowance_left(state: State, company: Company, turn: OperatingTurn) -> bool:
    """Whether step 1 still allows a lay of some kind (CZ-9.1)."""
    if turn.upgrades:
        return False
    return turn.yellow < (1 if company.operated else 2)
