"""The moves of a stock round (CZ-5): sell any number of times, then buy or start at most once."""

from collections.abc import Iterator

from services.eighteen_cz.rules import directors, facts, market
from services.eighteen_cz.rules.bank import pay_company, pay_player
from services.eighteen_cz.rules.moves import BuyShare, Move, Pass, RepayLoan, SellShares, StartCompany
from services.eighteen_cz.rules.queries import (
    bank_units,
    certificate_limit,
    certificates,
    held_units,
    is_started,
    ownership_limit,
    phase,
    price,
    size_facts,
)
from services.eighteen_cz.rules.refusing import Values, refuse
from services.eighteen_cz.rules.state import Company, State, StockTurn
from services.eighteen_cz.rules.turn import stock_seat
from services.ruleset.answers import Change, Choice, Event, IntRange, Option, Violation
from services.ruleset.protocol import Query


def _turn(state: State) -> StockTurn:
    if state.stock is None:
        raise ValueError("no stock round is on")
    return state.stock


def must_sell(state: State, seat: str) -> bool:
    """Above the certificate limit with something to sell, a player may do nothing else (CZ-5.8)."""
    return certificates(state, seat) > certificate_limit(state) and any(
        most_sellable(state, company, seat) for company in state.companies.values()
    )


def most_sellable(state: State, company: Company, seat: str) -> int:
    """The most units of a company that the player may sell now (CZ-5.3, 5.10)."""
    if state.set_number == 1 and not state.switches.sales_in_first_stock_round:
        return 0
    return directors.sellable_units(company, seat)


def _sell_first(state: State, move: Move) -> list[Violation]:
    """CZ-5.8 for a move that is neither a sale nor a purchase."""
    if not must_sell(state, move.actor):
        return []
    values: Values = {"count": certificates(state, move.actor), "limit": certificate_limit(state)}
    return [refuse(move, "", "CZ-5.8", "must_sell_first", actor=move.actor, **values)]


def verify_sell_shares(state: State, move: SellShares) -> list[Violation]:
    company = state.companies.get(move.company)
    if company is None:
        return [refuse(move, "company", "CZ-5.9", "unknown_company", company=move.company)]
    violations = []
    if state.set_number == 1 and not state.switches.sales_in_first_stock_round:
        violations.append(refuse(move, "", "CZ-5.3", "no_sale_first_round"))
    units = company.units.get(move.actor, 0)
    values: Values = {"actor": move.actor, "company": move.company, "units": move.units, "held": units}
    if move.units < 1:
        violations.append(refuse(move, "units", "CZ-5.9", "no_units", **values))
    elif move.units > units:
        violations.append(refuse(move, "units", "CZ-5.9", "not_enough_shares", **values))
    elif move.units > directors.sellable_units(company, move.actor):
        violations.append(refuse(move, "units", "CZ-5.10", "director_certificate", **values))
    return violations


def do_sell_shares(state: State, move: SellShares) -> list[Event]:
    company = state.companies[move.company]
    amount = move.units * price(company)
    change = pay_player(state, move.actor, amount)
    left = company.units[move.actor] - move.units
    if left:
        company.units[move.actor] = left
    else:
        del company.units[move.actor]
    stock = _turn(state)
    stock.acted = True
    sold = stock.sold.setdefault(move.actor, [])
    if move.company not in sold:
        sold.append(move.company)
    values: Values = {"seat": move.actor, "company": move.company, "units": move.units, "amount": amount}
    events = [Event("shares_sold", "CZ-5.9", values, (change,))]
    events += market.after_sale(state, company)
    events += directors.settle_director(state, company)
    return events


def sell_shares_options(state: State, query: Query) -> Iterator[Option[SellShares]]:
    seat = stock_seat(state)
    for company in state.companies.values():
        most = most_sellable(state, company, seat)
        if most:
            move = SellShares(seat, company.symbol, 1)
            parameters = (IntRange("sellShares.units", 1, most),) if most > 1 else ()
            yield Option(move.kind, move, parameters)


def _may_buy(state: State, move: BuyShare | StartCompany, units: int, cost: int) -> list[Violation]:
    """What CZ-5.4 asks of every purchase from the bank, (a) to (e)."""
    player = state.players[move.actor]
    company = state.companies[move.company]
    violations = []
    if player.debt:
        values: Values = {"actor": move.actor, "debt": player.debt}
        violations.append(refuse(move, "", "CZ-5.12", "open_debt", **values))
    if move.company in _turn(state).sold.get(move.actor, ()):
        values = {"actor": move.actor, "company": move.company}
        violations.append(refuse(move, "company", "CZ-5.11", "sold_this_round", **values))
    after, limit = company.units.get(move.actor, 0) + units, ownership_limit(state, company)
    if after > limit:
        percent = size_facts(company).unit_percent
        values = {"actor": move.actor, "company": move.company, "after": after * percent}
        violations.append(
            refuse(move, "company", "CZ-5.7", "ownership_limit", **values, limit=limit * percent)
        )
    count, most = certificates(state, move.actor), certificate_limit(state)
    if count >= most:
        values = {"actor": move.actor, "count": count, "limit": most}
        violations.append(refuse(move, "", "CZ-5.8", "certificate_limit", **values))
    if player.cash < cost:
        values = {"payer": move.actor, "needed": cost, "cash": player.cash}
        violations.append(refuse(move, "", "CZ-5.4", "not_enough_cash", **values))
    return violations


def verify_buy_share(state: State, move: BuyShare) -> list[Violation]:
    company = state.companies.get(move.company)
    if company is None:
        return [refuse(move, "company", "CZ-5.4", "unknown_company", company=move.company)]
    if company.status == "acquired":
        return [refuse(move, "company", "CZ-13.4", "company_gone", company=move.company)]
    if not is_started(company):
        return [refuse(move, "company", "CZ-5.4", "not_started", company=move.company)]
    violations = _may_buy(state, move, 1, price(company))
    if not bank_units(company):
        violations.append(refuse(move, "company", "CZ-5.4", "no_share_left", company=move.company))
    return violations


def do_buy_share(state: State, move: BuyShare) -> list[Event]:
    company = state.companies[move.company]
    cost = price(company)
    change = pay_player(state, move.actor, -cost)
    company.units[move.actor] = company.units.get(move.actor, 0) + 1
    values: Values = {"seat": move.actor, "company": move.company, "price": cost}
    events = [Event("share_bought", "CZ-5.4", values, (change,))]
    events += directors.settle_director(state, company)
    events += _launch(state, company)
    _end_turn(state, passed=False)
    return events


def buy_share_options(state: State, query: Query) -> Iterator[Option[BuyShare]]:
    seat = stock_seat(state)
    for company in state.companies.values():
        move = BuyShare(seat, company.symbol)
        if is_started(company) and not verify_buy_share(state, move):
            yield Option(move.kind, move)


def verify_start_company(state: State, move: StartCompany) -> list[Violation]:
    company = state.companies.get(move.company)
    if company is None:
        return [refuse(move, "company", "CZ-5.5", "unknown_company", company=move.company)]
    if company.status == "acquired":
        return [refuse(move, "company", "CZ-13.4", "company_gone", company=move.company)]
    if is_started(company):
        return [refuse(move, "company", "CZ-5.5", "already_started", company=move.company)]
    size = size_facts(company)
    allowed = move.price in size.start_prices
    cost = facts.DIRECTOR_UNITS * move.price if allowed else 0
    violations = _may_buy(state, move, facts.DIRECTOR_UNITS, cost)
    if size.size not in phase(state).sizes:
        values: Values = {"company": move.company, "size": size.size, "phase": state.phase}
        violations.append(refuse(move, "company", "CZ-5.5", "not_available_yet", **values))
    elif not allowed:  # what is not for sale has no price
        prices = ", ".join(str(value) for value in size.start_prices)
        values = {"company": move.company, "price": move.price, "allowed": prices}
        violations.append(refuse(move, "price", "CZ-5.5", "price_not_allowed", **values))
    return violations


def do_start_company(state: State, move: StartCompany) -> list[Event]:
    company = state.companies[move.company]
    cost = facts.DIRECTOR_UNITS * move.price
    change = pay_player(state, move.actor, -cost)
    company.status = "started"
    company.director = move.actor
    company.start_price = move.price
    company.units[move.actor] = facts.DIRECTOR_UNITS
    marker = market.put_marker(state, company, facts.POSITION_OF[move.price])
    values: Values = {"seat": move.actor, "company": move.company, "price": move.price, "cost": cost}
    events = [Event("company_started", "CZ-5.5", values, (change, marker)), *_launch(state, company)]
    _end_turn(state, passed=False)
    return events


def start_company_options(state: State, query: Query) -> Iterator[Option[StartCompany]]:
    seat = stock_seat(state)
    sizes = phase(state).sizes
    for company in state.companies.values():
        size = size_facts(company)
        if company.status != "unstarted" or size.size not in sizes:
            continue
        moves = [StartCompany(seat, company.symbol, value) for value in size.start_prices]
        legal = [move for move in moves if not verify_start_company(state, move)]
        if legal:
            prices = tuple(move.price for move in legal)
            parameters = (Choice("startCompany.price", prices),) if len(prices) > 1 else ()
            yield Option("start_company", legal[0], parameters)


def _launch(state: State, company: Company) -> list[Event]:
    """The launch, as soon as players hold enough of the company (CZ-5.6)."""
    size = size_facts(company)
    if company.status != "started" or held_units(company) < size.launch_units:
        return []
    company.status = "launched"
    amount = size.launch_factor * company.start_price
    change = pay_company(state, company.symbol, amount)
    return [Event("company_launched", "CZ-5.6", {"company": company.symbol, "amount": amount}, (change,))]


def verify_repay_loan(state: State, move: RepayLoan) -> list[Violation]:
    player = state.players[move.actor]
    violations = _sell_first(state, move)
    if not player.debt:
        violations.append(refuse(move, "", "CZ-5.12", "no_debt", actor=move.actor))
    elif not player.cash:
        violations.append(refuse(move, "", "CZ-5.12", "no_cash_to_repay", actor=move.actor, debt=player.debt))
    return violations


def do_repay_loan(state: State, move: RepayLoan) -> list[Event]:
    player = state.players[move.actor]
    amount = min(player.cash, player.debt)
    debt = Change(move.actor, "debt", player.debt, player.debt - amount)
    player.debt -= amount
    cash = pay_player(state, move.actor, -amount)
    values: Values = {"seat": move.actor, "amount": amount, "debt": player.debt}
    return [Event("loan_repaid", "CZ-5.12", values, (cash, debt))]


def repay_loan_options(state: State, query: Query) -> Iterator[Option[RepayLoan]]:
    move = RepayLoan(stock_seat(state))
    if not verify_repay_loan(state, move):
        yield Option(move.kind, move)


def verify_pass(state: State, move: Pass) -> list[Violation]:
    if state.switches.over_certificate_limit == "may_pass":
        return []
    return _sell_first(state, move)


def do_pass(state: State, move: Pass) -> list[Event]:
    """Ends the turn; without a sale in it this is a pass (CZ-5.2)."""
    acted = _turn(state).acted
    _end_turn(state, passed=not acted)
    return [Event("turn_ended" if acted else "passed", "CZ-5.2", {"seat": move.actor})]


def _end_turn(state: State, passed: bool) -> None:
    stock = _turn(state)
    state.players[stock_seat(state)].passed = passed
    stock.index = (stock.index + 1) % len(state.order)
    stock.acted = False
