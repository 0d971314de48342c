"""Money between the bank, the players and the companies; every movement is reported as a Change."""

from services.eighteen_cz.rules.state import VACLAV, State
from services.ruleset.answers import Change


def pay_player(state: State, seat: str, amount: int) -> Change:
    """Adds to (or with a negative amount takes from) the cash of a seat or of Vaclav."""
    if seat == VACLAV:
        before = state.vaclav_cash
        state.vaclav_cash = before + amount
    else:
        player = state.players[seat]
        before = player.cash
        player.cash = before + amount
    return Change(seat, "cash", before, before + amount)


def pay_company(state: State, symbol: str, amount: int) -> Change:
    """Adds to or takes from a treasury; Vaclav pays and earns for his companies (CZ-18.2)."""
    company = state.companies[symbol]
    if company.director == VACLAV:
        return pay_player(state, VACLAV, amount)
    before = company.treasury
    company.treasury = before + amount
    return Change(symbol, "treasury", before, before + amount)
