"""How the rounds follow each other (CZ-3, 4.8, 5.1, 5.15, 7.1-7.4): what no player decides."""

from services.eighteen_cz.rules import facts, market, vaclav
from services.eighteen_cz.rules.bank import pay_company, pay_player
from services.eighteen_cz.rules.phases import export
from services.eighteen_cz.rules.queries import held_units, local_price, size_facts
from services.eighteen_cz.rules.refusing import Values
from services.eighteen_cz.rules.state import OperatingTurn, State, StockTurn
from services.ruleset.answers import Event


def _sort_players(state: State, richest_first: bool, rule_id: str) -> list[Event]:
    """Orders the players by cash; ties keep the previous order."""
    sign = -1 if richest_first else 1
    state.order.sort(key=lambda seat: sign * state.players[seat].cash)
    return [Event("player_order", rule_id, {"order": ", ".join(state.order)})]


def begin_stock_round(state: State) -> list[Event]:
    """The next set begins with its stock round (CZ-3.1, 4.8, 5.1)."""
    state.set_number += 1
    state.stage = "stock"
    state.operating = None
    state.stock = StockTurn(0)
    for player in state.players.values():
        player.passed = False
    events = [Event("stock_round_began", "CZ-3.1", {"round": state.set_number})]
    if state.set_number == 1:
        events += _sort_players(state, richest_first=False, rule_id="CZ-4.8")
    elif state.switches.stock_round_order_from_round_2 == "least_cash_first_at_start_of_round":
        events += _sort_players(state, richest_first=False, rule_id="CZ-5.1")
    return events


def finish_stock_round(state: State) -> list[Event]:
    """Sold-out companies rise (CZ-5.15), players are sorted (CZ-5.1, D-2), the operating rounds begin."""
    events = [Event("stock_round_ended", "CZ-5.14", {"round": state.set_number})]
    for symbol in market.operating_order(state):
        company = state.companies[symbol]
        if held_units(company) == size_facts(company).units:
            events += market.after_sold_out(state, company)
    if state.switches.stock_round_order_from_round_2 == "most_cash_first_at_end_of_previous_stock_round":
        events += _sort_players(state, richest_first=True, rule_id="CZ-5.1")
    for player in state.players.values():
        player.passed = False
    state.stock = None
    return events + begin_operating_round(state)


def begin_operating_round(state: State) -> list[Event]:
    """The local-railway price, the income of the locals, the order of the companies (CZ-7.1, 7.2, 7.4)."""
    state.operating_round += 1
    state.stage = "operating"
    set_number, part = facts.OPERATING_ROUNDS[state.operating_round - 1]
    values: Values = {"round": f"{set_number}.{part}", "price": local_price(state)}
    events = [Event("operating_round_began", "CZ-7.1", values)]
    incomes: dict[str, int] = {}
    for symbol, local in state.locals.items():
        if local.owner in state.players or local.owner in state.companies:
            incomes[local.owner] = incomes.get(local.owner, 0) + facts.LOCALS[symbol].income
    for owner, income in incomes.items():
        pay = pay_player if owner in state.players else pay_company
        change = pay(state, owner, income)
        events.append(Event("local_income", "CZ-7.2", {"owner": owner, "amount": income}, (change,)))
    state.operating = OperatingTurn(market.operating_order(state))
    return events


def finish_operating_round(state: State) -> list[Event]:
    """The next operating round of the set, the next set, or the end of the game (CZ-3.1 to 3.3)."""
    if state.operating_round == len(facts.LOCAL_PRICES):
        state.stage = "over"
        state.operating = None
        return [Event("game_ended", "CZ-3.3")]
    if facts.OPERATING_ROUNDS[state.operating_round][0] == state.set_number:
        return begin_operating_round(state)
    events = vaclav.exchange_trains(state) if state.board == "bohemia" else export(state)
    return events + begin_stock_round(state)
