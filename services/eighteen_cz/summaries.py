"""Moves in words, with the prices that follow from the position."""

from services.eighteen_cz.rulebook import summary as words
from services.eighteen_cz.rules import facts, moves, queries, stations
from services.eighteen_cz.rules.state import State


def summary(state: State, move: moves.Move, language: str) -> str:
    """One line that says what a move does, legal or not.

    >>> from services.eighteen_cz.rules.setup import first_position
    >>> start = first_position("18cz/summary-1", {"seats": [{}, {}, {}]})
    >>> summary(start, moves.DraftBuy("G1", "S1"), "en")
    'G1 buys local railway S1 for 25K.'
    """
    price = _price(state, move)
    return words(move, language) if price is None else words(move, language, price=price)


def _price(state: State, move: moves.Move) -> int | None:
    """What a move costs or brings where the move does not say it and the position does."""
    company = state.companies.get(getattr(move, "company", move.actor))
    match move:
        case moves.DraftBuy() if move.local in facts.LOCALS:
            return facts.LOCALS[move.local].price
        case moves.BuyShare() if company and queries.is_started(company):
            return queries.price(company)
        case moves.PlaceStation() if company:
            return stations.station_price(state, company)
        case moves.SellLocal():
            return queries.local_price(state)
        case _:
            return None
