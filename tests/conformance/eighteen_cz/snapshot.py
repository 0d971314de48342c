"""Our position in the form of the recorded states, and the comparison of the two, field by field."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple, cast

from services.eighteen_cz.importer import site
from services.eighteen_cz.importer.reading import Table
from services.eighteen_cz.rules import facts, queries
from services.eighteen_cz.rules.state import REMOVED, VACLAV, Company, State, Step
from tests.conformance.eighteen_cz.watching import WatchedShadow

Plain = dict[str, Any]

STEPS: Final = {
    "home_tile": "HomeTrack",
    "home_city": "HomeToken",
    "track": "Track",
    "station": "Token",
    "run": "Route",
    "dividend": "Dividend",
    "acquire": "BuyCorporation",
    "trains": "BuyTrain",
    "locals": "BuyCompany",
    "remove_station": "ReduceTokens",
    "acquired_trains": "UpgradeOrDiscardTrain",
    "discard_trains": "DiscardTrain",
    "draft": "Draft",
    "stock": "BuySellParShares",
}
FIXED_FOR_VACLAV: Final = ("Track", "Token")
"""The steps in which it is fixed who decides for a company of Vaclav's (CZ-21, report 11326)."""


class Names:
    """How a recording calls the players: seats of ours and names of its own."""

    def __init__(self, table: Table) -> None:
        self._names = {f"G{n}": name for n, name in enumerate(table.names, 1)} | {VACLAV: VACLAV}

    def of(self, owner: str) -> str:
        """The recorded name of a seat; companies are called the same."""
        return self._names.get(owner, owner)


def snapshot(shadow: WatchedShadow, names: Names) -> Plain:
    """The position as a recorded state shows it, without what is no part of a position (`acts`)."""
    turn = shadow.rules.turn(shadow.state)
    state = as_seen(shadow)
    plain: Plain = {
        **place(shadow, names),
        "phase": state.phase,
        "who": [names.of(seat) for seat in turn.seats],
        "players": {names.of(seat): _player(state, seat, names) for seat in state.players},
        "order": [names.of(seat) for seat in state.order],
        "cert_limit": queries.certificate_limit(state),
        "locals": {symbol: _local(state, symbol, names) for symbol in state.locals},
        "corps": {symbol: _company(state, company, names) for symbol, company in state.companies.items()},
        "depot": _depot(state),
        "rusted": list(state.rusted),
        "tiles": {hex_name: f"{tile.number}:{tile.rotation}" for hex_name, tile in state.tiles.items()},
        "over": turn.over,
    }
    if state.board == "bohemia":
        plain["order"].append(VACLAV)
        plain["players"][VACLAV] = _player(state, VACLAV, names)
    if state.operating and state.stage == "operating":
        plain |= _operating(state, plain["step"])
    if turn.over:
        scores = shadow.rules.score(state).seats
        plain["result"] = {names.of(score.seat): score.total for score in scores}
    return plain


def place(shadow: WatchedShadow, names: Names) -> Plain:
    """Where the game stands: the round, the step in the recording's words, who is on turn."""
    turn = shadow.rules.turn(shadow.state)
    step = None if turn.over else STEPS[turn.step]
    if shadow.waits_before_discards or (shadow.step >= 0 and not shadow.state.pending):
        step = STEPS[site.STEPS[shadow.at]]
    return {
        "round": _round(shadow.state),
        "step": step,
        "cur": None if turn.over else names.of(turn.actor),
    }


def as_seen(shadow: WatchedShadow) -> State:
    """The position where the recording stands: our rules settle a revenue of 0 as soon as it is certain,
    the recording only after its own steps before the dividend."""
    state, turn = shadow.state, shadow.state.operating
    if turn is None or shadow.step < 0 or shadow.at >= shadow.step:
        return state
    step = cast(Step, site.STEPS[shadow.at])
    seen = replace(state, operating=replace(turn, step=step))
    if shadow.at <= site.STEPS.index("dividend") < shadow.step:
        company = queries.acting_company(state)
        before = shadow.turn_began.companies[company.symbol]
        fields = ("position", "arrival", "last_revenue", "last_paid")
        company = replace(company, **{name: getattr(before, name) for name in fields})
        seen.companies = state.companies | {company.symbol: company}
    return seen


def _round(state: State) -> str:
    if state.stage == "draft":
        return "Draft"
    if state.stage == "stock":
        return f"SR {state.set_number}"
    number, part = facts.OPERATING_ROUNDS[state.operating_round - 1]
    return f"OR {number}.{part}"


def _operating(state: State, step: str | None) -> Plain:
    turn = queries.operating_turn(state)
    company = queries.acting_company(state)
    large = queries.company_facts(company).size == "large"
    plain: Plain = {
        "op": company.symbol,
        "op_order": list(turn.order),
        "op_index": turn.index,
        "laid": list(turn.laid),
        "n_lay": turn.yellow + turn.upgrades,
        "tokened": turn.station_placed,
    }
    if large and not company.operated and step != "HomeTrack":
        plain["n_lay"] += 1  # the recording counts the home tile
    if step == "Track":
        plain["lay_slots"] = ["LU"] if company.operated else ["LU"] * (1 + large) + ["l-"]
    if step == "Dividend":
        plain["run"] = [list(run) for run in turn.runs]
    return plain


def _operated(state: State, company: Company) -> bool:
    """The recording counts a turn once its dividend is settled."""
    turn = state.operating
    at_the_end = turn is not None and turn.step in ("acquire", "trains")
    return company.operated or (at_the_end and queries.acting_company(state) is company)


def _local_value(state: State, symbol: str) -> int:
    drafted = state.locals[symbol].owner != REMOVED
    return (drafted and queries.local_price(state)) or facts.LOCALS[symbol].price


def _local(state: State, symbol: str, names: Names) -> Plain:
    local = state.locals[symbol]
    plain = {"own": names.of(local.owner) or None, "val": _local_value(state, symbol)}
    return plain | {"used": True} if local.spent else plain


def _player(state: State, seat: str, names: Names) -> Plain:
    started = [company for company in state.companies.values() if queries.is_started(company)]
    own = [company for company in started if company.units.get(seat)]
    locals_ = [local.symbol for local in queries.owned_locals(state, seat)]
    if seat == VACLAV:
        cash, debt, surcharge, passed = state.vaclav_cash, 0, 0, False
    else:
        player = state.players[seat]
        cash, debt, surcharge, passed = player.cash, player.debt, player.surcharge, player.passed
    worth = sum(company.units[seat] * queries.price(company) for company in own)
    worth += sum(_local_value(state, symbol) for symbol in locals_)
    return {
        "cash": cash,
        "debt": debt,
        "penalty": surcharge,
        "certs": queries.certificates(state, seat),
        "value": cash + worth - debt - surcharge,
        "shares": {
            company.symbol: company.units[seat] * queries.size_facts(company).unit_percent for company in own
        },
        "locals": locals_,
        "passed": passed,
    }


def _company(state: State, company: Company, names: Names) -> Plain:
    size = queries.company_facts(company).size
    if company.status == "acquired":
        return {"t": size[0], "closed": True}
    started = queries.is_started(company)
    plain: Plain = {
        "t": size[0],
        "avail": started or size in queries.phase(state).sizes,
        "ipoed": started,
        "floated": company.status == "launched",
    }
    if not started:
        return plain
    above = [
        other
        for other in state.companies.values()
        if queries.is_started(other)
        and other.position == company.position
        and other.arrival < company.arrival
    ]
    plain |= {
        "pres": names.of(company.director),
        "cash": company.treasury,
        "par": company.start_price,
        "price": queries.price(company),
        "col": company.position,
        "pos": len(above),
        "trains": list(company.trains),
        "tokens": _tokens(state, company),
        "bank": queries.bank_units(company) * queries.size_facts(company).unit_percent,
        "operated": _operated(state, company),
    }
    own = [local.symbol for local in queries.owned_locals(state, company.symbol)]
    if own:
        plain["locals"] = own
    if company.last_revenue >= 0:
        plain["last"] = [company.last_revenue, "payout" if company.last_paid else "withhold"]
    return plain


def _tokens(state: State, company: Company) -> list[Any]:
    """Stations on the map, then markers; the recording lifts a station that waits for its city (CZ-9.13)."""
    waiting = [pending.hexes for pending in state.pending if pending.kind == "home_city"]
    lifted = [station for station in company.stations if [station.hex] in waiting]
    stations = [list(station) for station in company.stations if station not in lifted]
    lifted_price = 0 if company.symbol == "ATE" else facts.STATION_PRICES[-1]
    return stations + [lifted_price] * len(lifted) + _marker_prices(company)


def _marker_prices(company: Company) -> list[int]:
    """What the stations still to come will cost by the rules, one after the other (CZ-10.3)."""
    prices = facts.STATION_PRICES
    placed = len(company.stations)
    if company.director == VACLAV:
        return [0] * company.markers
    return [prices[min(placed + n, len(prices) - 1)] for n in range(company.markers)]


def _depot(state: State) -> Plain:
    up = [[facts.ROW_VERSIONS[row][0], cards] for row, cards in state.stack.items() if cards]
    return {"up": [*up, [facts.ROW_VERSIONS[facts.LAST_ROW][0], 1]], "discard": list(state.pool)}


class Difference(NamedTuple):
    path: str
    recorded: Any
    ours: Any


def differences(recorded: Mapping[str, Any], ours: Plain) -> Iterator[Difference]:
    """Every field in which a recorded state differs from our snapshot."""
    if recorded.get("step") == "ReduceTokens":
        recorded, ours = _before_merging(recorded, ours)
    left, right = dict(_leaves(_comparable(recorded), "")), dict(_leaves(_comparable(ours), ""))
    if recorded.get("step") not in FIXED_FOR_VACLAV and set(right.get("who", ())) <= set(left.get("who", ())):
        right["who"] = left.get("who")
    for path in sorted(left.keys() | right.keys()):
        if left.get(path) != right.get(path):
            yield Difference(path, left.get(path), right.get(path))


def _before_merging(recorded: Mapping[str, Any], ours: Plain) -> tuple[Plain, Plain]:
    """Both after the acquisition and without the buyer's stations: the recording closes the company
    and hands over its stations only after the choice of the one that is lifted."""
    companies: Plain = {symbol: dict(company) for symbol, company in recorded["corps"].items()}
    mine: Plain = {symbol: dict(company) for symbol, company in ours["corps"].items()}
    players: Plain = recorded["players"]
    for symbol, company in mine.items():
        if company.get("closed") and not companies[symbol].get("closed"):
            players = {
                name: _without(player, symbol, companies[symbol], name) for name, player in players.items()
            }
            for other in companies.values():
                if other.get("col") == companies[symbol]["col"] and other["pos"] > companies[symbol]["pos"]:
                    other["pos"] -= 1
            companies[symbol] = company
    for side in (companies, mine):
        del side[recorded["op"]]["tokens"]
    return {**recorded, "corps": companies, "players": players}, {**ours, "corps": mine}


def _without(player: Plain, symbol: str, company: Plain, name: str) -> Plain:
    """A player without the certificates of a company."""
    unit = facts.SIZE_FACTS[facts.COMPANIES[symbol].size].unit_percent
    units = player["shares"].get(symbol, 0) // unit
    directs = company["pres"] == name
    return {
        **player,
        "certs": player["certs"] - units + directs,
        "value": player["value"] - units * company["price"],
        "shares": {other: share for other, share in player["shares"].items() if other != symbol},
    }


def _comparable(state: Mapping[str, Any]) -> Plain:
    """Without what only the recording tells apart: where unsold shares lie, the order of things owned."""
    plain = {name: value for name, value in state.items() if name not in ("i", "acts")}
    if plain.get("step") != "Track":
        plain.pop("lay_slots", None)  # what they are after the step tells nothing
    plain["who"] = sorted(plain["who"])
    if "op_order" in plain:  # the recording goes on naming companies that were acquired
        gone = [symbol for symbol, company in plain["corps"].items() if company.get("closed")]
        plain["op_order"] = [symbol for symbol in plain["op_order"] if symbol not in gone]
        plain["op_index"] = plain["op_order"].index(plain["op"])
    if "run" in plain:
        plain["run"] = sorted(plain["run"])
    plain["players"] = {
        name: player | {"locals": sorted(player["locals"])} for name, player in plain["players"].items()
    }
    plain["corps"] = {symbol: _comparable_company(company) for symbol, company in plain["corps"].items()}
    return plain


def _comparable_company(company: Plain) -> Plain:
    plain = dict(company)
    if "ipo" in plain:
        plain["bank"] = plain.pop("ipo") + plain.pop("pool")
    if "tokens" in plain:
        tokens = plain.pop("tokens")
        plain["stations"] = sorted(token for token in tokens if isinstance(token, list))
        plain["markers"] = sorted(token for token in tokens if not isinstance(token, list))
    for name in ("locals", "trains"):
        if name in plain:
            plain[name] = sorted(plain[name])
    return plain


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if not isinstance(value, dict):
        yield path, value
        return
    for name, inner in value.items():
        yield from _leaves(inner, f"{path}.{name}" if path else name)


def changed(state: Mapping[str, Any], after: Mapping[str, Any]) -> Plain:
    """A recorded state with the recorded changes of a move made in it; None takes an entry away."""
    new: Plain = _copied(state)
    for path, value in sorted(after.items()):
        *above, last = path.split(".")
        place = new
        for name in above:
            place = place.setdefault(name, {})
        if value is None:
            place.pop(last, None)
        else:
            place[last] = value
    return new


def _copied(value: Any) -> Any:
    return {name: _copied(inner) for name, inner in value.items()} if isinstance(value, dict) else value
