"""The legal moves of a position in the words of the recorded `offered`, as a set of tuples."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import Any

from services.eighteen_cz.rules import facts, queries
from services.eighteen_cz.rules import moves as m
from services.eighteen_cz.rules.state import State
from services.ruleset.answers import Choice, IntRange, Option
from services.ruleset.protocol import Budget, Query
from tests.conformance.eighteen_cz.snapshot import Names
from tests.conformance.eighteen_cz.watching import WatchedShadow

Offer = tuple[str | int, ...]


def recorded_offers(offered: Mapping[str, Any], state: State) -> set[Offer]:
    """The recorded ones; the price of an acquisition is limited to what the treasury allows."""
    return set(_recorded(offered, state))


def _recorded(offered: Mapping[str, Any], state: State) -> Iterator[Offer]:
    for kind, value in offered.items():
        match kind:
            case "pass" | "run" | "must_buy_train":
                yield (kind,)
            case "repay_debt":
                yield kind, value
            case "par":
                yield from ((kind, company, price) for company, prices in value.items() for price in prices)
            case "buy":
                yield from ((kind, company) for company, _, _ in value)
            case "dividend" | "discard":
                yield from ((kind, item) for item in value)
            case "corp":
                for company, lowest, highest in value:
                    target = state.companies[company]
                    units, treasury = queries.held_units(target), queries.acting_company(state).treasury
                    yield kind, company, lowest, min(highest, treasury // units)
            case "lay":
                for actor, hexes in value.items():
                    for hex_name, tiles in hexes.items():
                        for tile, rotations in tiles.items():
                            yield from ((kind, actor, hex_name, tile, rotation) for rotation in rotations)
            case _:
                yield from ((kind, *item) for item in value)


def our_offers(shadow: WatchedShadow, names: Names) -> set[Offer]:
    """Those of LegalMoves.  Where the site stands behind our step, only what it could offer there too."""
    state = shadow.state
    options = shadow.rules.legal_moves(state, Query(), Budget())
    offers = {offer for option in options for offer in _offers(option, state, names)}
    if shadow.at == shadow.step or state.pending or shadow.step < 0:
        if state.operating and state.operating.step == "trains" and not state.pending:
            company = queries.acting_company(state)
            offers |= set() if queries.has_usable_train(state, company) else {("must_buy_train",)}
        return offers
    return {offer for offer in offers if of_any_time(offer)} | {("pass",)}


def of_any_time(offer: Offer) -> bool:
    """An action that CZ-8.1 allows in every step."""
    purple = offer[0] == "lay" and str(offer[3]).endswith("p")
    return purple or offer[0] in ("local", "sell_local")


def _spread(option: Option[m.Move]) -> Iterator[m.Move]:
    """Every move that an option stands for, prices apart: of those only the lowest and the highest."""
    choices: list[list[tuple[str, Any]]] = []
    for parameter in option.parameters:
        name = parameter.path.rpartition(".")[2]
        if isinstance(parameter, IntRange):
            values = range(parameter.minimum, parameter.maximum + 1, parameter.step)
            ends = (parameter.minimum, parameter.maximum) if name == "price" else values
            choices.append([(name, value) for value in ends])
        elif isinstance(parameter, Choice):
            choices.append([(name, value) for value in parameter.values])
    for combination in product(*choices):
        yield replace(option.move, **dict(combination))


def _offers(option: Option[m.Move], state: State, names: Names) -> Iterator[Offer]:
    moves = list(_spread(option))
    for move in moves:
        match move:
            case m.Pass():
                yield ("pass",)
            case m.DraftBuy():
                yield "bid", move.local, facts.LOCALS[move.local].price
            case m.StartCompany():
                yield "par", move.company, move.price
            case m.BuyShare():
                yield "buy", move.company
            case m.SellShares():
                size = queries.size_facts(state.companies[move.company])
                yield "sell", move.company, move.units * size.unit_percent
            case m.RepayLoan():
                yield "repay_debt", state.players[move.actor].debt
            case m.LayTile():
                yield "lay", move.waiver or move.actor, move.hex, move.tile, move.rotation
            case m.LayPurpleTile():
                yield "lay", move.local, move.hex, move.tile, move.rotation
            case m.LayHomeTile():
                yield "lay", move.actor, move.hex, facts.COMPANIES[move.actor].home_tile, move.rotation
            case m.ChooseHomeCity():
                yield "token", facts.COMPANIES["ATE"].home_hexes[0], move.city
            case m.PlaceStation():
                yield "token", move.hex, move.city
            case m.RunTrains():
                yield ("run",)
            case m.Dividend():
                yield "dividend", "payout" if move.choice == "pay" else "withhold"
            case m.SellLocal():
                yield "sell_local", move.local, queries.local_price(state)
            case m.AcquiredTrain(choice="upgrade"):
                yield _upgrade(move, state)
            case m.AcquiredTrain() | m.DiscardTrain():
                yield "discard", move.train
            case m.RemoveStation():
                slots = (
                    s.slot for s in state.companies[move.actor].stations if s[:2] == (move.hex, move.city)
                )
                yield "remove", move.hex, move.city, next(slots)
            case m.BuyTrain() if move.source in ("stack", "pool"):
                yield "train", move.version, "depot" if move.source == "stack" else "discard", move.price
    prices = sorted(
        move.price for move in moves if isinstance(move, m.BuyTrain | m.BuyLocal | m.AcquireCompany)
    )
    match option.move:
        case m.BuyTrain() as move if move.source not in ("stack", "pool"):
            yield "train_from", move.version, move.source, prices[0], prices[-1]
        case m.BuyLocal() as move:
            yield "local", move.local, names.of(state.locals[move.local].owner), prices[0], prices[-1]
        case m.AcquireCompany() as move:
            yield "corp", move.company, prices[0], prices[-1]


def _upgrade(move: m.AcquiredTrain, state: State) -> Offer:
    old = facts.VERSIONS[move.train]
    new = facts.VERSIONS[facts.VERSION_OF[old.row, facts.COMPANIES[move.actor].size]]
    return "swap", old.name, new.name, max(0, new.price - old.price)
