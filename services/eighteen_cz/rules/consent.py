"""Consent of another director or player (CZ-8.4): offers and what they wait for."""

from services.eighteen_cz.rules.refusing import Values
from services.eighteen_cz.rules.state import Offer, Pending, State
from services.ruleset.answers import Event


def propose(state: State, offer: Offer, seat: str) -> list[Event]:
    """Makes an offer that `seat` must answer before anything else is legal."""
    state.pending.insert(0, Pending("offer", seat=seat, offer=offer))
    values: Values = {"company": offer.buyer, "item": offer.item, "price": offer.price, "seat": seat}
    return [Event("offer_made", "CZ-8.4", values)]
