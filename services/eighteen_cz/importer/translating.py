"""One action of a record as a move, for the position it was made in (shared by import and conformance tests).

Our moves cannot say everything that an action says: a wrong price in the draft, a certificate out of
another player's hand.  What an action claims beyond its move, against the rules, comes back as
violations beside the move: `recorded_otherwise` where the move means the same all the same,
`value_unknown` where no move does.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, TypeVar

from services.eighteen_cz.importer.ledger import GONE, POOL, STACK, Ledger
from services.eighteen_cz.importer.reading import Action
from services.eighteen_cz.importer.routes import routes_of
from services.eighteen_cz.rules import facts, queries, stations, trains
from services.eighteen_cz.rules import moves as m
from services.eighteen_cz.rules.state import State
from services.ruleset.answers import Value, Violation

K = TypeVar("K", m.PlaceStation, m.BuyTrain)

RED_TILES: Final = frozenset(company.home_tile for company in facts.COMPANIES.values() if company.home_tile)


Claims = tuple[Violation, ...]


class Translation(NamedTuple):
    """`claims`: what the action says against the rules that the move does not say; `guessed`: whether
    it may also have meant another move."""

    move: m.Move
    claims: Claims = ()
    guessed: bool = False


def translate(action: Action, state: State, ledger: Ledger) -> Translation:
    """The move that an action (of a kind in `reading.SHAPES`) is in this position."""
    return _TRANSLATORS[action.kind](action, state, ledger)


def claim(rule_id: str, recorded: Value, path: str, computed: Value) -> Claims:
    """An action's field `path` says `recorded` where the rules have `computed`."""
    return (Violation(rule_id, "recorded_otherwise", {"recorded": recorded, "computed": computed}, path),)


def _unknown(rule_id: str, recorded: str, path: str) -> Claims:
    return (Violation(rule_id, "value_unknown", {"recorded": recorded or "-"}, path),)


def _trains(state: State, company: str) -> str:
    """The trains of a company as a text."""
    return " ".join(state.companies[company].trains if company in state.companies else ()) or "-"


def on_turn(state: State) -> str:
    """The company on turn in an operating round, else ""."""
    turn = state.operating
    return turn.order[turn.index] if turn and turn.index < len(turn.order) else ""


def _pass(action: Action, state: State, ledger: Ledger) -> Translation:
    return Translation(m.Pass(action.entity))


def _bid(action: Action, state: State, ledger: Ledger) -> Translation:
    local, price = action.texts["company"], action.numbers["price"]
    known = facts.LOCALS.get(local)
    claims = claim("CZ-4.2", price, "price", known.price) if known and known.price != price else ()
    return Translation(m.DraftBuy(action.entity, local), claims)


def _start(action: Action, state: State, ledger: Ledger) -> Translation:
    price = action.texts["share_price"].partition(",")[0]
    number = int(price) if price.isdecimal() and len(price) < 9 else 0
    return Translation(m.StartCompany(action.entity, action.texts["corporation"], number))


def _certificates(action: Action) -> tuple[str, int]:
    """The company of the named certificates and their units; the director's (`_0`) has two."""
    companies = [share.rpartition("_")[0] for share in action.shares]
    units = sum(facts.DIRECTOR_UNITS if share.endswith("_0") else 1 for share in action.shares)
    return (companies[0], units) if len(set(companies)) == 1 else ("", units)


def _exist(shares: Sequence[str], company: str) -> bool:
    """Whether these are different certificates of the company; of an unknown one the rules will tell."""
    if company not in facts.COMPANIES:
        return len({share.rpartition("_")[0] for share in shares}) == 1
    count = facts.SIZE_FACTS[facts.COMPANIES[company].size].units - facts.DIRECTOR_UNITS + 1
    return len(set(shares)) == len(shares) and set(shares) <= {f"{company}_{n}" for n in range(count)}


def _buy_shares(action: Action, state: State, ledger: Ledger) -> Translation:
    company, units = _certificates(action)
    one = len(action.shares) == 1 and units == 1 and _exist(action.shares, company)
    claims = () if one else _unknown("CZ-5.4", " ".join(action.shares), "shares")
    return Translation(m.BuyShare(action.entity, company), claims)


def _sell_shares(action: Action, state: State, ledger: Ledger) -> Translation:
    """Of a director's certificate one unit alone may be sold; then `percent` says less than `shares`."""
    company, units = _certificates(action)
    percent = action.numbers.get("percent")
    if not _exist(action.shares, company):
        shares = " ".join(action.shares)
        return Translation(m.SellShares(action.entity, company, units), _unknown("CZ-5.9", shares, "shares"))
    if percent is None or company not in facts.COMPANIES:
        return Translation(m.SellShares(action.entity, company, units))
    unit = facts.SIZE_FACTS[facts.COMPANIES[company].size].unit_percent
    part = unit if f"{company}_0" in action.shares else 0
    named = percent in (units * unit, units * unit - part)
    claims = () if named else claim("CZ-5.9", percent, "percent", units * unit)
    return Translation(m.SellShares(action.entity, company, percent // unit), claims)


def _repay(action: Action, state: State, ledger: Ledger) -> Translation:
    player, cost = state.players.get(action.entity), action.numbers.get("cost")
    wrong = player is not None and cost is not None and cost != player.debt
    claims = claim("CZ-5.12", cost or 0, "cost", player.debt) if player and wrong else ()
    return Translation(m.RepayLoan(action.entity), claims)


def _lay_tile(action: Action, state: State, ledger: Ledger) -> Translation:
    hex_name, copy, rotation = action.texts["hex"], action.texts["tile"], action.numbers["rotation"]
    tile = copy.rpartition("-")[0] or copy
    claims: Claims = ()
    if ledger.tiles.get(copy, hex_name) != hex_name:
        claims = claim("CZ-9.11", copy, "tile", f"{tile} ({copy}: {ledger.tiles[copy]})")
    if action.entity in facts.LOCALS:
        local = state.locals.get(action.entity)
        actor = local.owner if local is not None and local.owner in facts.COMPANIES else on_turn(state)
        if tile.endswith("p"):
            return Translation(m.LayPurpleTile(actor, action.entity, hex_name, tile, rotation), claims)
        return Translation(m.LayTile(actor, hex_name, tile, rotation, action.entity), claims)
    if tile in RED_TILES:
        company = facts.COMPANIES.get(action.entity)
        if company is None or company.home_tile != tile:
            claims = claim("CZ-9.10", tile, "tile", (company.home_tile if company else "") or "-")
        return Translation(m.LayHomeTile(action.entity, hex_name, rotation), claims)
    return Translation(m.LayTile(action.entity, hex_name, tile, rotation), claims)


def _cities(action: Action, state: State, ledger: Ledger) -> list[tuple[str, int]]:
    """The cities, as hex and number, that `57-1-0` or `D17-3-0` may mean; an impossible one if none."""
    tile, _, number = action.texts["city"].rpartition("-")
    hexes = ledger.hexes(tile, state)
    if not number.isdecimal() or len(number) > 6 or not hexes:
        return [(action.texts["city"], 0)]
    return [(hex_name, int(number)) for hex_name in hexes]


def _place_token(action: Action, state: State, ledger: Ledger) -> Translation:
    cities, slot = _cities(action, state, ledger), action.numbers.get("slot", -1)
    pending, turn = state.pending, state.operating
    at_home = pending[0].kind == "home_city" if pending else turn is not None and turn.step == "home_city"
    if at_home and cities[0][0] in facts.COMPANIES["ATE"].home_hexes:
        return Translation(m.ChooseHomeCity(action.entity, cities[0][1]))
    moves = [m.PlaceStation(action.entity, hex_name, city, slot) for hex_name, city in cities]
    return _first_legal(moves, stations.verify_place_station, state)


def _remove_token(action: Action, state: State, ledger: Ledger) -> Translation:
    moves = [m.RemoveStation(action.entity, *city) for city in _cities(action, state, ledger)]
    doubled = state.pending[0].hexes if state.pending else []
    return Translation(next((move for move in moves if move.hex in doubled), moves[0]))


def _first_legal(
    moves: Sequence[K], verify: Callable[[State, K], list[Violation]], state: State
) -> Translation:
    """The first legal one of the moves that an action may be."""
    if len(moves) == 1 or moves[0].actor != on_turn(state):
        return Translation(moves[0])
    legal = [move for move in moves if not verify(state, move)]
    return Translation((legal or moves)[0], guessed=len(legal) > 1)


def _run_routes(action: Action, state: State, ledger: Ledger) -> Translation:
    company = action.entity
    size = facts.COMPANIES[company].size if company in facts.COMPANIES else ""
    versions: list[str] = []
    claims: Claims = ()
    for n, run in enumerate(action.routes):
        card = ledger.card(run.train, state)
        versions.append(
            card.version if card.holder == company else facts.VERSION_OF.get((card.row, size), run.train)
        )
        if card.holder != company and ledger.knows(run.train):
            claims = claim("CZ-11.1", run.train, f"routes[{n}].train", _trains(state, company))
    cards = [run.train for run in action.routes]
    if len(set(cards)) < len(cards):
        claims = claim("CZ-11.1", " ".join(cards), "routes", _trains(state, company))
    revenues = [run.revenue for run in action.routes]
    revenue = sum(revenues) if revenues and min(revenues) >= 0 else -1
    return Translation(m.RunTrains(company, routes_of(action.routes, versions, state), revenue), claims)


def _dividend(action: Action, state: State, ledger: Ledger) -> Translation:
    kind = action.texts["kind"]
    claims = () if kind in ("payout", "withhold") else _unknown("CZ-12.1", kind, "kind")
    return Translation(m.Dividend(action.entity, "pay" if kind == "payout" else "keep"), claims)


def _buy_company(action: Action, state: State, ledger: Ledger) -> Translation:
    return Translation(m.BuyLocal(action.entity, action.texts["company"], action.numbers["price"]))


def _sell_company(action: Action, state: State, ledger: Ledger) -> Translation:
    price, own = action.numbers.get("price"), queries.local_price(state)
    claims = claim("CZ-16.5", price, "price", own) if price is not None and own not in (0, price) else ()
    return Translation(m.SellLocal(action.entity, action.texts["company"]), claims)


def _buy_corporation(action: Action, state: State, ledger: Ledger) -> Translation:
    return Translation(m.AcquireCompany(action.entity, action.texts["corporation"], action.numbers["price"]))


def _own_train(action: Action, state: State, ledger: Ledger) -> tuple[str, Claims]:
    """The version of a card that the acting company should own, and the claim where it is another's."""
    name = action.texts["train"]
    card = ledger.card(name, state)
    if card.holder == action.entity:
        return card.version, ()
    company = state.companies.get(action.entity)
    own = [train for train in company.trains if facts.VERSIONS[train].row == card.row] if company else []
    known = ledger.knows(name) or not card.row
    claims = claim("CZ-14.8", name, "train", _trains(state, action.entity)) if known else ()
    return card.version or (own[0] if own else name), claims


def _acquired(action: Action, state: State, ledger: Ledger, upgrade: bool) -> Translation:
    version, claims = _own_train(action, state, ledger)
    if not claims and ledger.complete and action.texts["train"] not in ledger.received:
        undecided = " ".join(state.pending[0].trains) if state.pending else ""
        claims = claim("CZ-13.7", action.texts["train"], "train", undecided or "-")
    return Translation(m.AcquiredTrain(action.entity, version, "upgrade" if upgrade else "scrap"), claims)


def _swap_train(action: Action, state: State, ledger: Ledger) -> Translation:
    return _acquired(action, state, ledger, True)


def _discard_train(action: Action, state: State, ledger: Ledger) -> Translation:
    if state.pending and state.pending[0].kind == "acquired_trains":
        return _acquired(action, state, ledger, False)
    version, claims = _own_train(action, state, ledger)
    return Translation(m.DiscardTrain(action.entity, version), claims)


def _buy_train(action: Action, state: State, ledger: Ledger) -> Translation:
    """With a variant a purchase from the bank, without one from the owner of the card."""
    name, variant, price = action.texts["train"], action.texts.get("variant", ""), action.numbers["price"]
    card = ledger.card(name, state)
    source = card.holder
    if (source == STACK and not card.on_top) or source == GONE or not card.row:
        move = m.BuyTrain(action.entity, STACK, variant or name.rpartition("-")[0], price)
        top = facts.ROW_VERSIONS[queries.stack_top(state)][0]
        return Translation(move, claim("CZ-14.1", name, "train", top))
    if source:
        shown = card.version if source == POOL else ""
        return Translation(m.BuyTrain(action.entity, source, variant or card.version, price, shown))
    owners = {POOL: state.pool} if variant else {c.symbol: c.trains for c in state.companies.values()}
    moves = [
        m.BuyTrain(action.entity, owner, variant or version, price, version if owner == POOL else "")
        for owner, trains_ in owners.items()
        for version in dict.fromkeys(trains_)
        if facts.VERSIONS[version].row == card.row and owner != action.entity
    ]
    if not moves:
        return Translation(m.BuyTrain(action.entity, STACK, variant or name.rpartition("-")[0], price))
    return _first_legal(moves, trains.verify_buy_train, state)


_TRANSLATORS: Final[Mapping[str, Callable[[Action, State, Ledger], Translation]]] = {
    "pass": _pass,
    "bid": _bid,
    "par": _start,
    "buy_shares": _buy_shares,
    "sell_shares": _sell_shares,
    "special_buy": _repay,
    "lay_tile": _lay_tile,
    "place_token": _place_token,
    "remove_token": _remove_token,
    "run_routes": _run_routes,
    "dividend": _dividend,
    "buy_company": _buy_company,
    "sell_company": _sell_company,
    "buy_corporation": _buy_corporation,
    "swap_train": _swap_train,
    "discard_train": _discard_train,
    "buy_train": _buy_train,
}
