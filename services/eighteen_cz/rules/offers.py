"""The answer to an offer (CZ-8.4): accepted, it is carried out at once; rejected, nothing changes."""

from collections.abc import Callable, Iterator
from typing import Final

from services.eighteen_cz.rules import acquisition, local_railways, trains
from services.eighteen_cz.rules.moves import AcquireCompany, AnswerOffer, BuyLocal, BuyTrain
from services.eighteen_cz.rules.refusing import Values
from services.eighteen_cz.rules.state import Offer, Pending, State
from services.ruleset.answers import Event, Option, Violation
from services.ruleset.protocol import Query

_CARRY_OUT: Final[dict[str, Callable[[State, Offer], list[Event]]]] = {
    "local": local_railways.carry_out,
    "train": trains.carry_out,
    "company": acquisition.carry_out,
}


def the_offer(pending: Pending) -> Offer:
    if pending.offer is None:
        raise ValueError("the decision is not about an offer")
    return pending.offer


def verify_offer(state: State, offer: Offer) -> list[Violation]:
    """Whether the offer could be made in this position, turn and consent apart."""
    match offer.kind:
        case "local":
            return local_railways.verify_buy_local(state, BuyLocal(offer.buyer, offer.item, offer.price))
        case "train":
            buy = BuyTrain(offer.buyer, offer.seller, offer.item, offer.price)
            return trains.verify_buy_train(state, buy)
        case "company":
            acquire = AcquireCompany(offer.buyer, offer.item, offer.price)
            return acquisition.verify_acquire_company(state, acquire)


def do_answer_offer(state: State, move: AnswerOffer) -> list[Event]:
    offer = the_offer(state.pending.pop(0))
    values: Values = {"seat": move.actor, "company": offer.buyer, "item": offer.item, "price": offer.price}
    if not move.accept:
        return [Event("offer_rejected", "CZ-8.4", values)]
    return [Event("offer_accepted", "CZ-8.4", values), *_CARRY_OUT[offer.kind](state, offer)]


def answer_offer_options(state: State, query: Query) -> Iterator[Option[AnswerOffer]]:
    seat = state.pending[0].seat
    for accept in (True, False):
        yield Option("answer_offer", AnswerOffer(seat, accept))
