"""Working copies of a position: every mutable part is new, everything immutable is shared."""

from services.eighteen_cz.rules.state import Company, Local, OperatingTurn, Pending, Player, State, StockTurn


def _player(p: Player) -> Player:
    return Player(p.seat, p.name, p.colour, p.cash, p.debt, p.surcharge, p.passed)


def _local(x: Local) -> Local:
    return Local(x.symbol, x.owner, x.spent)


def _company(c: Company) -> Company:
    if c.status == "unstarted":  # nothing of it can change but all at once, so only the containers are copied
        return Company(c.symbol, markers=c.markers)
    return Company(
        c.symbol,
        c.status,
        c.director,
        c.treasury,
        c.start_price,
        c.position,
        c.arrival,
        c.units.copy(),
        c.trains.copy(),
        c.stations.copy(),
        c.markers,
        c.home_placed,
        c.operated,
        c.last_revenue,
        c.last_paid,
    )


def _stock(t: StockTurn) -> StockTurn:
    return StockTurn(t.index, t.acted, {seat: companies.copy() for seat, companies in t.sold.items()})


def _operating(t: OperatingTurn) -> OperatingTurn:
    return OperatingTurn(
        t.order.copy(),
        t.index,
        t.step,
        t.yellow,
        t.upgrades,
        t.laid.copy(),
        t.station_placed,
        t.runs.copy(),
    )


def _pending(p: Pending) -> Pending:
    return Pending(p.kind, p.company, p.seat, p.size, p.hexes.copy(), p.trains.copy(), p.offer)


def copy_state(s: State) -> State:
    """A position that can be changed without changing `s`.  An Offer is never changed, so it is shared."""
    return State(
        s.ruleset,
        s.switches,
        s.board,
        s.chance,
        {seat: _player(p) for seat, p in s.players.items()},
        s.order.copy(),
        {symbol: _company(c) for symbol, c in s.companies.items()},
        {symbol: _local(x) for symbol, x in s.locals.items()},
        s.stage,
        s.set_number,
        s.operating_round,
        s.draft_turn,
        None if s.stock is None else _stock(s.stock),
        None if s.operating is None else _operating(s.operating),
        [_pending(p) for p in s.pending],
        s.phase,
        s.stack.copy(),
        s.pool.copy(),
        s.rusted.copy(),
        s.tiles.copy(),
        s.vaclav_cash,
        s.arrivals,
    )
