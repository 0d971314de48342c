"""States to and from plain data, in straight code: this runs for every request.

What the rules keep in dicts is written as lists in a fixed order, so that equal states have equal
plain forms: tiles by hex, holders and sellers by seat, rows of the stack by letter.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from services.chassis.game import Malformed, Plain
from services.eighteen_cz.codec.enums import BOARD, OFFER, PENDING, STAGE, STATUS, STEP
from services.eighteen_cz.codec.switches import switches_from_plain, switches_to_plain
from services.eighteen_cz.rules.state import (
    Company,
    Local,
    Offer,
    OperatingTurn,
    Pending,
    Player,
    State,
    Station,
    StockTurn,
    Tile,
)
from services.ruleset.chance import Chance

# Tiles and stations never change and there are few of them: found again they are cheaper than made anew.
_tile = lru_cache(maxsize=4096)(Tile)
_station = lru_cache(maxsize=4096)(Station)


def state_to_plain(state: State) -> dict[str, Any]:
    """The one canonical plain form of a state: keys in the order of the contract's field numbers."""
    plain: dict[str, Any] = {
        "ruleset": state.ruleset,
        "random": _chance_to_plain(state.chance),
        "switches": switches_to_plain(state.switches),
        "board": BOARD.to_plain[state.board],
        "players": [
            {
                "seat": player.seat,
                "name": player.name,
                "colour": player.colour,
                "cash": player.cash,
                "debt": player.debt,
                "surcharge": player.surcharge,
                "passed": player.passed,
            }
            for player in state.players.values()
        ],
        "order": state.order[:],
        "companies": [_company_to_plain(company) for company in state.companies.values()],
        "locals": [
            {"symbol": local.symbol, "owner": local.owner, "spent": local.spent}
            for local in state.locals.values()
        ],
        "stage": STAGE.to_plain[state.stage],
        "setNumber": state.set_number,
        "operatingRound": state.operating_round,
        "draftTurn": state.draft_turn,
    }
    if state.stock is not None:
        plain["stock"] = _stock_to_plain(state.stock)
    if state.operating is not None:
        plain["operating"] = _operating_to_plain(state.operating)
    plain["pending"] = [_pending_to_plain(pending) for pending in state.pending]
    plain["phase"] = state.phase
    plain["stack"] = [{"row": row, "cards": cards} for row, cards in sorted(state.stack.items())]
    plain["pool"] = state.pool[:]
    plain["rusted"] = state.rusted[:]
    tiles = state.tiles
    plain["tiles"] = [
        {"hex": name, "tile": tiles[name].number, "rotation": tiles[name].rotation} for name in sorted(tiles)
    ]
    plain["vaclavCash"] = state.vaclav_cash
    plain["arrivals"] = state.arrivals
    return plain


def _chance_to_plain(chance: Chance) -> dict[str, Any]:
    if chance.mode == "external":
        return {"external": {"draws": chance.draws}}
    seeded = {"seed": chance.seed, "commitment": chance.commitment, "draws": chance.draws, "nonce": ""}
    return {"seeded": seeded}


def _company_to_plain(company: Company) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "symbol": company.symbol,
        "status": STATUS.to_plain[company.status],
        "director": company.director,
        "treasury": company.treasury,
        "startPrice": company.start_price,
    }
    if company.position != -1:
        plain["position"] = company.position
    plain["arrival"] = company.arrival
    plain["units"] = [{"holder": holder, "units": company.units[holder]} for holder in sorted(company.units)]
    plain["trains"] = company.trains[:]
    plain["stations"] = [{"hex": name, "city": city, "slot": slot} for name, city, slot in company.stations]
    plain["markers"] = company.markers
    plain["homePlaced"] = company.home_placed
    plain["operated"] = company.operated
    if company.last_revenue != -1:
        plain["lastRevenue"] = company.last_revenue
    plain["lastPaid"] = company.last_paid
    return plain


def _stock_to_plain(stock: StockTurn) -> dict[str, Any]:
    sold = [{"seat": seat, "companies": companies[:]} for seat, companies in sorted(stock.sold.items())]
    return {"index": stock.index, "acted": stock.acted, "sold": sold}


def _operating_to_plain(turn: OperatingTurn) -> dict[str, Any]:
    return {
        "order": turn.order[:],
        "index": turn.index,
        "step": STEP.to_plain[turn.step],
        "yellow": turn.yellow,
        "upgrades": turn.upgrades,
        "laid": turn.laid[:],
        "stationPlaced": turn.station_placed,
        "runs": [{"version": version, "revenue": revenue} for version, revenue in turn.runs],
    }


def _pending_to_plain(pending: Pending) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "kind": PENDING.to_plain[pending.kind],
        "company": pending.company,
        "seat": pending.seat,
        "size": pending.size,
        "hexes": pending.hexes[:],
        "trains": pending.trains[:],
    }
    offer = pending.offer
    if offer is not None:
        plain["offer"] = {
            "kind": OFFER.to_plain[offer.kind],
            "buyer": offer.buyer,
            "seller": offer.seller,
            "item": offer.item,
            "price": offer.price,
        }
    return plain


def state_from_plain(plain: Plain) -> State:
    """The state of a well-typed plain form; lists may stand in another order than the canonical one."""
    companies = {
        company["symbol"]: _company_from_plain(company, index)
        for index, company in enumerate(plain["companies"])
    }
    _distinct(companies, plain["companies"], "companies", "symbol")
    players = {
        player["seat"]: Player(
            player["seat"],
            player["name"],
            player["colour"],
            player["cash"],
            player["debt"],
            player["surcharge"],
            player["passed"],
        )
        for player in plain["players"]
    }
    _distinct(players, plain["players"], "players", "seat")
    locals_ = {
        local["symbol"]: Local(local["symbol"], local["owner"], local["spent"]) for local in plain["locals"]
    }
    _distinct(locals_, plain["locals"], "locals", "symbol")
    stack = {row["row"]: row["cards"] for row in plain["stack"]}
    _distinct(stack, plain["stack"], "stack", "row")
    tiles = {tile["hex"]: _tile(tile["tile"], tile["rotation"]) for tile in plain["tiles"]}
    _distinct(tiles, plain["tiles"], "tiles", "hex")
    stock, operating = plain.get("stock"), plain.get("operating")
    return State(
        plain["ruleset"],
        switches_from_plain(_needed(plain, "switches")),
        BOARD.to_word(plain["board"], "board"),
        _chance_from_plain(_needed(plain, "random")),
        players,
        list(plain["order"]),
        companies,
        locals_,
        STAGE.to_word(plain["stage"], "stage"),
        plain["setNumber"],
        plain["operatingRound"],
        plain["draftTurn"],
        None if stock is None else _stock_from_plain(stock),
        None if operating is None else _operating_from_plain(operating),
        [_pending_from_plain(pending, index) for index, pending in enumerate(plain["pending"])],
        plain["phase"],
        stack,
        list(plain["pool"]),
        list(plain["rusted"]),
        tiles,
        plain["vaclavCash"],
        plain["arrivals"],
    )


def _needed(plain: Plain, key: str) -> Plain:
    message: Plain | None = plain.get(key)
    if message is None:
        raise Malformed(key, "a state needs this")
    return message


def _distinct(made: Mapping[str, object], items: list[Plain], path: str, key: str) -> None:
    if len(made) == len(items):
        return
    seen = set()
    for index, item in enumerate(items):
        if item[key] in seen:
            raise Malformed(f"{path}[{index}].{key}", f"{item[key]!r} stands here a second time")
        seen.add(item[key])


def _chance_from_plain(plain: Plain) -> Chance:
    external = plain.get("external")
    if external is not None:
        return Chance("external", "", external["draws"])
    seeded = plain.get("seeded")
    if seeded is None:
        raise Malformed("random", "either `seeded` or `external` is needed")
    return Chance("seeded", seeded["seed"], seeded["draws"])


def _company_from_plain(plain: Plain, index: int) -> Company:
    units = {holding["holder"]: holding["units"] for holding in plain["units"]}
    if len(units) != len(plain["units"]):
        _distinct(units, plain["units"], f"companies[{index}].units", "holder")
    return Company(
        plain["symbol"],
        STATUS.words.get(plain["status"]) or STATUS.to_word(plain["status"], f"companies[{index}].status"),
        plain["director"],
        plain["treasury"],
        plain["startPrice"],
        plain.get("position", -1),
        plain["arrival"],
        units,
        list(plain["trains"]),
        [_station(station["hex"], station["city"], station["slot"]) for station in plain["stations"]],
        plain["markers"],
        plain["homePlaced"],
        plain["operated"],
        plain.get("lastRevenue", -1),
        plain["lastPaid"],
    )


def _stock_from_plain(plain: Plain) -> StockTurn:
    sold = {sales["seat"]: list(sales["companies"]) for sales in plain["sold"]}
    _distinct(sold, plain["sold"], "stock.sold", "seat")
    return StockTurn(plain["index"], plain["acted"], sold)


def _operating_from_plain(plain: Plain) -> OperatingTurn:
    return OperatingTurn(
        list(plain["order"]),
        plain["index"],
        STEP.to_word(plain["step"], "operating.step"),
        plain["yellow"],
        plain["upgrades"],
        list(plain["laid"]),
        plain["stationPlaced"],
        [(run["version"], run["revenue"]) for run in plain["runs"]],
    )


def _pending_from_plain(plain: Plain, index: int) -> Pending:
    offer = plain.get("offer")
    return Pending(
        PENDING.to_word(plain["kind"], f"pending[{index}].kind"),
        plain["company"],
        plain["seat"],
        plain["size"],
        list(plain["hexes"]),
        list(plain["trains"]),
        offer
        and Offer(
            OFFER.to_word(offer["kind"], f"pending[{index}].offer.kind"),
            offer["buyer"],
            offer["seller"],
            offer["item"],
            offer["price"],
        ),
    )
