"""A table at which tests play: moves that must be legal, moves that must be refused, positions to order."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from services.eighteen_cz.rules import facts, home_tiles, market, queries, stations
from services.eighteen_cz.rules.copying import copy_state
from services.eighteen_cz.rules.engine import EighteenCz, resolve
from services.eighteen_cz.rules.moves import LayHomeTile, Move, Pass, RunTrains
from services.eighteen_cz.rules.phases import triggers
from services.eighteen_cz.rules.state import REMOVED, OperatingTurn, State, Step, StockTurn
from services.eighteen_cz.rules.tiles import home_rotations
from services.ruleset.answers import Event, Option, Turn, Violation
from services.ruleset.protocol import Budget, Query

SUMMARY: Final = "18cz/summary-1"
PUBLISHED: Final = "18cz/published-1"
ENGINES: Final[Mapping[str, EighteenCz]] = {name: EighteenCz(name) for name in (SUMMARY, PUBLISHED)}


class Table:
    """A position and the rules it is played by."""

    def __init__(self, state: State) -> None:
        self.rules = ENGINES[state.ruleset]
        self.state = state
        self.check()

    def check(self) -> None:
        """No invariant of the position is broken."""
        violation = self.rules.validate(self.state)
        assert violation is None, violation

    @property
    def turn(self) -> Turn:
        return self.rules.turn(self.state)

    def decline(self, times: int = 1) -> tuple[Event, ...]:
        """Declines whatever is to be done, so many times."""
        events: tuple[Event, ...] = ()
        for _ in range(times):
            now = self.turn
            events = self.play(RunTrains(now.actor) if now.step == "run" else Pass(now.actor))
        return events

    def play(self, *moves: Move) -> tuple[Event, ...]:
        """Plays moves that must be legal; returns what happened in the last one."""
        events: tuple[Event, ...] = ()
        for move in moves:
            assert self.rules.check(self.state, move, Budget()) == (), move
            before = copy_state(self.state)
            outcome = self.rules.apply(self.state, move, Budget())
            assert self.state == before, "a move must not change the position it is played in"
            assert outcome.state is not None, outcome.violations
            self.state = outcome.state
            events = outcome.events
            self.check()
        return events

    def violations(self, move: Move) -> tuple[Violation, ...]:
        """Why a move is refused; apply must say the same as check."""
        found = self.rules.check(self.state, move, Budget())
        outcome = self.rules.apply(self.state, move, Budget())
        assert outcome.violations == found
        assert (outcome.state is None) == bool(found)
        return found

    def refused(self, move: Move) -> set[tuple[str, str]]:
        """(section, reason) of every rule that the move breaks; empty when it is legal."""
        return {(violation.rule_id, violation.reason) for violation in self.violations(move)}

    def options(self, *kinds: str) -> list[Option[Move]]:
        return list(self.rules.legal_moves(self.state, Query(frozenset(kinds)), Budget()))

    def offered(self, *kinds: str) -> list[Move]:
        """The example moves of the options."""
        return [option.move for option in self.options(*kinds)]

    def resolved(self, move: Move) -> Move:
        return resolve(self.state, move)


def new_game(players: int = 4, ruleset: str = SUMMARY, variant: str = "", **switches: Any) -> State:
    """The first position of a game in which the table draws."""
    setup = {
        "seats": [{"name": f"Player {number}"} for number in range(1, players + 1)],
        "options": {"variant": variant, "switches": switches},
    }
    return ENGINES[ruleset].start(setup)


@dataclass(frozen=True)
class Co:
    """A company in an ordered position; what is left out follows from its size and the launch."""

    director: str = "G1"
    units: Mapping[str, int] = field(default_factory=dict)  # of players; the launch units of the director
    treasury: int = 500
    price: int = 0  # its start price too if it is one; else the lowest
    trains: tuple[str, ...] = ()
    operated: bool = True
    status: str = "launched"
    site: str = ""  # a large company's home hex; the first if left out


def ordered(
    companies: Mapping[str, Co],
    phase: str = "d",
    players: int = 4,
    ruleset: str = SUMMARY,
    locals_: Mapping[str, str] | None = None,
    rusted: tuple[str, ...] = (),
    pool: tuple[str, ...] = (),
    stack: Mapping[str, int] | None = None,
    cash: int = 300,
    **switches: Any,
) -> State:
    """A position of set 5 with these companies, before its stage is decided on; see the two below."""
    state = new_game(players, ruleset, "standard", **switches)
    state.phase = phase
    for row in state.stack:
        drawn = sum(facts.VERSIONS[train].row == row for co in companies.values() for train in co.trains)
        state.stack[row] = 0 if row < phase else facts.CARDS[row] - max(drawn, row == phase and row != "a")
    state.stack.update(stack or {})
    for player in state.players.values():
        player.cash = cash
    for symbol, local in state.locals.items():
        local.owner = (locals_ or {}).get(symbol, REMOVED)
    state.set_number, state.operating_round = 5, 5
    for symbol, co in companies.items():
        _found(state, symbol, co)
    state.pool = list(pool)
    owned = {train for company in state.companies.values() for train in company.trains} | set(pool)
    state.rusted = [v for v in facts.VERSIONS if v in rusted or triggers(state, v) & owned]
    return state


def _found(state: State, symbol: str, co: Co) -> None:
    company = state.companies[symbol]
    size = queries.size_facts(company)
    price = co.price or size.start_prices[0]
    company.status = "launched" if co.status == "launched" else "started"
    company.director = co.director
    company.start_price = price if price in size.start_prices else size.start_prices[0]
    company.units = dict(co.units) or {co.director: size.launch_units}
    market.put_marker(state, company, facts.POSITION_OF[price])
    if co.status != "launched":
        return
    company.treasury = co.treasury
    company.trains = list(co.trains)
    if co.operated:
        company.operated, company.last_revenue = True, 0
        state.operating = OperatingTurn([symbol])
        if queries.company_facts(company).home_tile:
            site = co.site or queries.company_facts(company).home_hexes[0]
            rotation = home_rotations(state.board, symbol, site)[0]
            home_tiles.do_lay_home_tile(state, LayHomeTile(symbol, site, rotation))
        else:
            stations.place_home(state, symbol)
        state.operating = None


def in_turn(
    state: State, company: str, step: Step = "trains", runs: tuple[tuple[str, int], ...] = ()
) -> Table:
    """The ordered position with this company on turn; those before it in the round have operated."""
    order = market.operating_order(state)
    state.stage = "operating"
    state.operating = OperatingTurn(order, order.index(company), step, runs=list(runs))
    if step in ("acquire", "trains"):
        state.companies[company].last_revenue = sum(revenue for _, revenue in runs)
    return Table(state)


def in_stock_round(state: State, set_number: int = 6) -> Table:
    """The ordered position at the beginning of a stock round."""
    state.stage = "stock"
    state.set_number = set_number
    state.operating_round = sum(facts.SETS[: set_number - 1])
    state.stock = StockTurn(0)
    return Table(state)
