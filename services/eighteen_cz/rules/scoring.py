"""The score (CZ-17): what each player has, line by line."""

from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.queries import local_price, price
from services.eighteen_cz.rules.refusing import Values
from services.eighteen_cz.rules.state import Player, State
from services.ruleset.answers import Event, Scoreboard, ScoreLine, SeatScore


def local_value(state: State, symbol: str) -> int:
    """What a local in hand counts: its printed price, then the current price, 120 at the end (CZ-17.2)."""
    if state.stage == "over":
        return facts.LOCAL_FINAL_VALUE
    return local_price(state) or facts.LOCALS[symbol].price


def lines(state: State, player: Player) -> tuple[ScoreLine, ...]:
    """Cash, shares, locals, and what is taken off for loans (CZ-17.1)."""
    seat = player.seat
    found = [ScoreLine("score_cash", player.cash, "CZ-17.1")]
    for company in state.companies.values():
        units = company.units.get(seat, 0)
        if units:
            values: Values = {"company": company.symbol, "units": units, "price": price(company)}
            found.append(ScoreLine("score_shares", units * price(company), "CZ-17.1", values))
    rule_id = "CZ-16.1" if state.stage == "over" else "CZ-17.2"
    for local in state.locals.values():
        if local.owner == seat:
            value = local_value(state, local.symbol)
            found.append(ScoreLine("score_local", value, rule_id, {"local": local.symbol}))
    if player.debt:
        found.append(ScoreLine("score_debt", -player.debt, "CZ-14.11"))
    if player.surcharge:
        found.append(ScoreLine("score_surcharge", -player.surcharge, "CZ-14.11"))
    return tuple(found)


def score(state: State) -> Scoreboard:
    """Every player's score; equal scores share a rank (CZ-17.1).  Vaclav is not ranked (CZ-18.2)."""
    scored = {seat: lines(state, player) for seat, player in state.players.items()}
    totals = {seat: sum(line.amount for line in found) for seat, found in scored.items()}
    seats = tuple(
        SeatScore(seat, totals[seat], 1 + sum(other > totals[seat] for other in totals.values()), found)
        for seat, found in scored.items()
    )
    best = max(totals.values())
    winners = [seat for seat, total in totals.items() if total == best]
    final = state.stage == "over"
    shared = final and len(winners) > 1
    values: Values = {"seats": ", ".join(winners), "total": best}
    ties = (Event("win_shared", "CZ-17.1", values),) if shared else ()
    return Scoreboard(seats, final, ties)
