"""What an option or a verdict says that a move changes is all that it changes, and the same in both."""

from collections.abc import Mapping

import pytest

from services.eighteen_cz.rules import queries
from services.eighteen_cz.rules.moves import AnswerOffer, BuyLocal, BuyShare, BuyTrain, StartCompany
from services.eighteen_cz.rules.state import VACLAV, State
from services.ruleset.answers import Change, IntRange, net_changes
from services.ruleset.protocol import Budget
from tests.eighteen_cz.random_play import Mode, Moment, field_of, walk
from tests.eighteen_cz.rules.table import Co, Table, in_stock_round, in_turn, ordered

GAMES: list[tuple[int, str, Mode, str]] = [
    (2, "18cz/summary-1", "seeded", ""),
    (2, "18cz/published-1", "external", ""),
    (3, "18cz/summary-1", "external", ""),
    (4, "18cz/published-1", "seeded", ""),
]


def figures(state: State) -> Mapping[tuple[str, str], int]:
    """Every quantity that changes are told of; a company without a price marker has the price 0."""
    known = {(VACLAV, "cash"): state.vaclav_cash}
    for seat, player in state.players.items():
        known |= {(seat, "cash"): player.cash, (seat, "debt"): player.debt}
        known[seat, "surcharge"] = player.surcharge
    for symbol, company in state.companies.items():
        known[symbol, "treasury"] = company.treasury
        known[symbol, "price"] = queries.price(company) if queries.is_started(company) else 0
    return known


def drawn(before: State, after: State) -> set[tuple[str, str]]:
    """The prices of companies that the seed has drawn for Vaclav: no preview may tell them."""
    if before.chance.mode == "external":
        return set()
    return {
        (symbol, "price")
        for symbol, company in after.companies.items()
        if company.director == VACLAV and before.companies[symbol].director != VACLAV
    }


def look(moment: Moment) -> None:
    """Every option tells the difference between the position before and after it."""
    before = figures(moment.state)
    for option in moment.options:
        outcome = moment.rules.apply(moment.state, option.move, Budget())
        assert outcome.state is not None, outcome.violations
        assert option.preview == net_changes(outcome.events), option.move
        assert all(value != "" for event in outcome.events for value in event.values.values())
        secret = drawn(moment.state, outcome.state)
        now = figures(outcome.state)
        told = {(change.subject, change.quantity): (change.before, change.after) for change in option.preview}
        changed = {what: (before[what], now[what]) for what in before if before[what] != now[what]}
        assert told == {what: change for what, change in changed.items() if what not in secret}, option.move
        for parameter in option.parameters:
            if isinstance(parameter, IntRange):
                assert getattr(option.move, field_of(parameter)) == parameter.minimum


@pytest.mark.parametrize(("players", "ruleset", "mode", "variant"), GAMES)
def test_every_option_tells_what_its_move_changes(
    players: int, ruleset: str, mode: Mode, variant: str
) -> None:
    for moment in walk("previews", players, ruleset, mode, variant):
        look(moment)


@pytest.mark.long
@pytest.mark.parametrize("number", range(10))
@pytest.mark.parametrize(("players", "ruleset", "mode", "variant"), GAMES)
def test_every_option_of_many_games(
    players: int, ruleset: str, mode: Mode, variant: str, number: int
) -> None:
    for moment in walk(f"previews {number}", players, ruleset, mode, variant):
        look(moment)


def previews(table: Table, kind: str) -> list[tuple[Change, ...]]:
    return [option.preview for option in table.options(kind)]


def trading(**companies: Co) -> Table:
    """BTE of G1 in its train step, S1 with G3."""
    return in_turn(ordered(companies, locals_={"S1": "G3"}), "BTE")


def test_an_offer_moves_money_only_with_its_answer() -> None:
    table = trading(BTE=Co("G1", treasury=100), BN=Co("G2", trains=("3+3d",), treasury=0))
    assert all(option.preview == () for option in table.options("buy_train") if option.parameters)
    assert previews(table, "buy_local") == [()]
    table.play(BuyTrain("BTE", "BN", "3+3d", 40))
    paid = (Change("BTE", "treasury", 100, 60), Change("BN", "treasury", 0, 40))
    assert previews(table, "answer_offer") == [paid, ()]
    table.play(AnswerOffer("G2", False), BuyLocal("BTE", "S1", 7))
    assert previews(table, "answer_offer")[0] == (
        Change("BTE", "treasury", 100, 93),
        Change("G3", "cash", 300, 307),
    )


def test_a_start_and_a_launch_show_price_and_treasury() -> None:
    """CZ-5.5, 5.6: a small company is launched by its start, a medium one by one unit more."""
    table = in_stock_round(ordered({"BTE": Co("G1", units={"G1": 2}, status="started", price=60)}, cash=900))
    seat = table.turn.actor
    starts = [
        option for option in table.options("start_company") if option.move == StartCompany(seat, "BCB", 50)
    ]
    assert [option.preview for option in starts] == [
        (Change(seat, "cash", 900, 800), Change("BCB", "price", 0, 50), Change("BCB", "treasury", 0, 200))
    ]
    [launch] = table.options("buy_share")
    assert launch.move == BuyShare(seat, "BTE")
    assert launch.preview == (Change(seat, "cash", 900, 840), Change("BTE", "treasury", 0, 300))


def test_emergency_money_shows_the_loan_and_its_surcharge() -> None:
    """CZ-14.10, 14.11"""
    table = in_turn(ordered({"BTE": Co(treasury=100)}, phase="d", cash=30), "BTE")
    assert previews(table, "buy_train")[0] == (
        Change("G1", "cash", 30, 0),
        Change("G1", "debt", 0, 50),
        Change("G1", "surcharge", 0, 50),
        Change("BTE", "treasury", 100, 0),
    )
