"""The rules of 18CZ as one object: dispatch over the kinds of move, one revision of the rules an instance."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, TypeVar

from services.eighteen_cz.rules import (
    acquisition,
    dividends,
    draft,
    facts,
    home_tiles,
    local_railways,
    offers,
    operating,
    purple,
    routes,
    scoring,
    stations,
    stock,
    track,
    trains,
    vaclav,
)
from services.eighteen_cz.rules.copying import copy_state
from services.eighteen_cz.rules.moves import BuyTrain, Move, Pass, RunTrains
from services.eighteen_cz.rules.settling import settle
from services.eighteen_cz.rules.setup import first_position
from services.eighteen_cz.rules.state import State
from services.eighteen_cz.rules.turn import turn, verify_turn
from services.eighteen_cz.rules.validate import validate
from services.ruleset.answers import Change, Event, Option, Outcome, Scoreboard, Turn, Violation, net_changes
from services.ruleset.protocol import Budget, Query

M = TypeVar("M", bound=Move)
Verify = Callable[[State, Any], list[Violation]]
Do = Callable[[State, Any], list[Event]]
Options = Callable[[State, Query], Iterator[Option[Any]]]


def _nothing_to_verify(state: State, move: Move) -> list[Violation]:
    return []


def _passing(state: State) -> tuple[Verify, Do]:
    """What a pass means here: keep acquired trains, decline a step, end a turn."""
    if state.pending:
        return acquisition.verify_keep_trains, acquisition.do_keep_trains
    match state.stage:
        case "draft":
            return _nothing_to_verify, draft.do_pass
        case "stock":
            return stock.verify_pass, stock.do_pass
    if state.operating and state.operating.step == "trains":
        return trains.verify_pass, operating.do_pass
    return _nothing_to_verify, operating.do_pass


def _verify_pass(state: State, move: Pass) -> list[Violation]:
    return _passing(state)[0](state, move)


def _do_pass(state: State, move: Pass) -> list[Event]:
    return _passing(state)[1](state, move)


def _pass_options(state: State, query: Query) -> Iterator[Option[Pass]]:
    move = Pass(turn(state).actor)
    if not _verify_pass(state, move):
        yield Option(move.kind, move)


VERIFY: Final[Mapping[str, Verify]] = {
    "pass": _verify_pass,
    "draft_buy": draft.verify_draft_buy,
    "sell_shares": stock.verify_sell_shares,
    "buy_share": stock.verify_buy_share,
    "start_company": stock.verify_start_company,
    "repay_loan": stock.verify_repay_loan,
    "lay_home_tile": home_tiles.verify_lay_home_tile,
    "choose_home_city": stations.verify_choose_home_city,
    "lay_tile": track.verify_lay_tile,
    "lay_purple_tile": purple.verify_lay_purple_tile,
    "place_station": stations.verify_place_station,
    "run_trains": routes.verify_run_trains,
    "dividend": dividends.verify_dividend,
    "acquire_company": acquisition.verify_acquire_company,
    "remove_station": stations.verify_remove_station,
    "acquired_train": acquisition.verify_acquired_train,
    "discard_train": trains.verify_discard_train,
    "buy_train": trains.verify_buy_train,
    "buy_local": local_railways.verify_buy_local,
    "sell_local": local_railways.verify_sell_local,
    "answer_offer": _nothing_to_verify,
    "vaclav_company": vaclav.verify_vaclav_company,
}
DO: Final[Mapping[str, Do]] = {
    "pass": _do_pass,
    "draft_buy": draft.do_draft_buy,
    "sell_shares": stock.do_sell_shares,
    "buy_share": stock.do_buy_share,
    "start_company": stock.do_start_company,
    "repay_loan": stock.do_repay_loan,
    "lay_home_tile": home_tiles.do_lay_home_tile,
    "choose_home_city": stations.do_choose_home_city,
    "lay_tile": track.do_lay_tile,
    "lay_purple_tile": purple.do_lay_purple_tile,
    "place_station": stations.do_place_station,
    "run_trains": operating.do_run_trains,
    "dividend": dividends.do_dividend,
    "acquire_company": acquisition.do_acquire_company,
    "remove_station": stations.do_remove_station,
    "acquired_train": acquisition.do_acquired_train,
    "discard_train": trains.do_discard_train,
    "buy_train": trains.do_buy_train,
    "buy_local": local_railways.do_buy_local,
    "sell_local": local_railways.do_sell_local,
    "answer_offer": offers.do_answer_offer,
    "vaclav_company": vaclav.do_vaclav_company,
}
OPTIONS: Final[Mapping[str, Options]] = {
    "pass": _pass_options,
    "draft_buy": draft.draft_buy_options,
    "sell_shares": stock.sell_shares_options,
    "buy_share": stock.buy_share_options,
    "start_company": stock.start_company_options,
    "repay_loan": stock.repay_loan_options,
    "lay_home_tile": home_tiles.lay_home_tile_options,
    "choose_home_city": stations.choose_home_city_options,
    "lay_tile": track.lay_tile_options,
    "lay_purple_tile": purple.lay_purple_tile_options,
    "place_station": stations.place_station_options,
    "dividend": dividends.dividend_options,
    "acquire_company": acquisition.acquire_company_options,
    "remove_station": stations.remove_station_options,
    "acquired_train": acquisition.acquired_train_options,
    "discard_train": trains.discard_train_options,
    "buy_train": trains.buy_train_options,
    "buy_local": local_railways.buy_local_options,
    "sell_local": local_railways.sell_local_options,
    "answer_offer": offers.answer_offer_options,
    "vaclav_company": vaclav.vaclav_company_options,
}
"""By kind of move; `run_trains` is apart, since it alone searches within a budget."""
PLACED_KINDS: Final = frozenset(
    {"lay_home_tile", "choose_home_city", "lay_tile", "lay_purple_tile", "place_station", "remove_station"}
)
"""Kinds of move that have a place on the map; a query for a place leaves out all others."""


def resolve(state: State, move: Move) -> Move:
    """The move with what may be left out filled in: the actor, the pool card, track and order of routes."""
    if not move.actor:
        move = replace(move, actor=turn(state).actor)
    if isinstance(move, BuyTrain) and move.source == trains.POOL and not move.card:
        return replace(move, card=trains.resolve_card(state, move))
    if isinstance(move, RunTrains):
        return routes.canonical(state, move)
    return move


def carry_out(state: State, move: Move) -> tuple[State, tuple[Event, ...]]:
    """The position after a resolved move and what happened.  The move must have been found legal."""
    after = copy_state(state)
    events = DO[move.kind](after, move)
    return after, (*events, *settle(after))


def _no_difference(state: State, move: Move) -> None:
    return None


SAME_EFFECT: Final[Mapping[str, Callable[[State, Any], Hashable]]] = {
    "lay_tile": track.effect,
    "lay_purple_tile": _no_difference,
    "place_station": _no_difference,
}
"""Kinds of move with many options, most of which change the same figures: all that have the same key here."""


def with_previews(state: State, options: Iterable[Option[M]]) -> Iterator[Option[M]]:
    """The options with what they change until the next decision, as carrying them out shows it.

    Of those that change the same only the first is carried out.
    """
    seen: dict[Hashable, tuple[Change, ...]] = {}
    for option in options:
        key = SAME_EFFECT[option.kind](state, option.move) if option.kind in SAME_EFFECT else option.move
        if key not in seen:
            seen[key] = net_changes(carry_out(state, option.move)[1])
        yield replace(option, preview=seen[key]) if seen[key] else option


class EighteenCz:
    """The rules in one released revision: `18cz/summary-1` or `18cz/published-1`."""

    def __init__(self, ruleset_id: str) -> None:
        if ruleset_id not in facts.RULESETS:
            raise ValueError(f"no such ruleset: {ruleset_id}")
        self._id = ruleset_id

    @property
    def id(self) -> str:
        return self._id

    def start(self, setup: Mapping[str, Any]) -> State:
        """The first position (CZ-2).  Raises SetupRefused."""
        state = first_position(self._id, setup)
        settle(state)
        return state

    def validate(self, state: State) -> Violation | None:
        return validate(state)

    def turn(self, state: State) -> Turn:
        return turn(state)

    def legal_moves(self, state: State, query: Query, budget: Budget) -> Iterator[Option[Move]]:
        now = turn(state)
        if query.actor and query.actor != now.actor and query.actor not in now.seats:
            return
        for kind in now.kinds:
            if query.kinds and kind not in query.kinds:
                continue
            if query.place and kind not in PLACED_KINDS:
                continue
            if kind == "run_trains":
                options = operating.run_trains_options(state, query, budget)
            else:
                options = OPTIONS[kind](state, query)
            yield from with_previews(state, options)

    def check(self, state: State, move: Move, budget: Budget) -> tuple[Violation, ...]:
        move = resolve(state, move)
        return tuple(verify_turn(state, move) or VERIFY[move.kind](state, move))

    def apply(self, state: State, move: Move, budget: Budget) -> Outcome[State]:
        move = resolve(state, move)
        violations = verify_turn(state, move) or VERIFY[move.kind](state, move)
        if violations:
            return Outcome(tuple(violations))
        after, events = carry_out(state, move)
        return Outcome((), after, events)

    def score(self, state: State) -> Scoreboard:
        return scoring.score(state)

    def view(self, state: State, viewer: str) -> State:
        """Everything is open; the seed of draws to come is kept back by whoever keeps it."""
        return state
