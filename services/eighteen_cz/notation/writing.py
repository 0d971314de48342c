"""Moves written as lines."""

from collections.abc import Callable
from typing import Any, Final

from services.eighteen_cz.notation.words import hex_of, looks_local, name, neighbours, stop
from services.eighteen_cz.rules.moves import (
    AcquireCompany,
    AcquiredTrain,
    AnswerOffer,
    BuyLocal,
    BuyShare,
    BuyTrain,
    ChooseHomeCity,
    DiscardTrain,
    Dividend,
    DraftBuy,
    LayHomeTile,
    LayPurpleTile,
    LayTile,
    Move,
    Pass,
    PlaceStation,
    RemoveStation,
    RepayLoan,
    Route,
    RunTrains,
    SellLocal,
    SellShares,
    StartCompany,
    VaclavCompany,
)

# Without a train the revenue is 0, and the canonical move says so: the shorter line is for it.
_NO_REVENUE: Final = {0: "", -1: " = ?"}


def write(move: Move) -> str:
    """The one line of a move.

    >>> write(LayTile("BCB", "E16", "57", 1))
    'BCB lay 57 r1 E16'
    """
    text = _WRITERS[type(move)](move)
    return f"{name(move.actor)} {text}" if move.actor else text


def _draft_buy(move: DraftBuy) -> str:
    return f"buy {move.local}" if looks_local(move.local) else f"buy local {name(move.local)}"


def _buy_share(move: BuyShare) -> str:
    return f"buy {'share ' if looks_local(move.company) else ''}{name(move.company)}"


def _lay_tile(move: LayTile) -> str:
    text = f"lay {name(move.tile)} r{move.rotation} {name(move.hex)}"
    return f"{text} waive {name(move.waiver)}" if move.waiver else text


def _place_station(move: PlaceStation) -> str:
    text = f"station {name(move.hex)}.{move.city}"
    return text if move.slot == -1 else f"{text} slot {move.slot}"


def _run_trains(move: RunTrains) -> str:
    if not move.routes:
        return "run none" + _NO_REVENUE.get(move.revenue, f" = {move.revenue}")
    text = "run " + "; ".join(map(_route, move.routes))
    return text if move.revenue == -1 else f"{text} = {move.revenue}"


def _route(route: Route) -> str:
    return f"{name(route.train)} {_path(route.stops, route.sections) or _lists(route)}"


def _path(stops: tuple[str, ...], sections: tuple[tuple[str, ...], ...]) -> str:
    """`E16-(E18,D19)-D21`; empty where the sections do not lead from stop to stop."""
    if len(stops) < 2:
        return ""
    if not sections:
        sections = ((),) * (len(stops) - 1)
    elif len(sections) != len(stops) - 1 or not any(sections):
        return ""
    text = stop(stops[0])
    for start, end, section in zip(stops, stops[1:], sections, strict=False):
        near = neighbours(hex_of(start), hex_of(end))
        if not section:
            text += "~" if near else "-"
        elif len(section) < 2 or section[0] != hex_of(start) or section[-1] != hex_of(end):
            return ""
        elif near and len(section) == 2:
            text += "-"
        else:
            text += f"-({','.join(map(name, section[1:-1]))})-"
        text += stop(end)
    return text


def _lists(route: Route) -> str:
    """Stops and sections of a route that is none, for example `[E16] [E16,D17]`."""
    sections = "".join(f" [{','.join(map(name, section))}]" for section in route.sections)
    return f"[{','.join(map(stop, route.stops))}]{sections}"


def _buy_train(move: BuyTrain) -> str:
    text = f"train {name(move.version)} {move.price}"
    if move.source == "pool":
        return f"{text} pool {name(move.card)}" if move.card else f"{text} pool"
    if move.source != "stack":
        text += f" from {name(move.source)}"
    return f"{text} card {name(move.card)}" if move.card else text


_WRITERS: dict[type[Move], Callable[[Any], str]] = {
    Pass: lambda move: "pass",
    DraftBuy: _draft_buy,
    SellShares: lambda move: f"sell {name(move.company)} {move.units}",
    BuyShare: _buy_share,
    StartCompany: lambda move: f"par {name(move.company)} {move.price}",
    RepayLoan: lambda move: "repay",
    LayHomeTile: lambda move: f"home {name(move.hex)} r{move.rotation}",
    ChooseHomeCity: lambda move: f"home city {move.city}",
    LayTile: _lay_tile,
    LayPurpleTile: lambda move: (
        f"purple {name(move.tile)} r{move.rotation} {name(move.hex)} by {name(move.local)}"
    ),
    PlaceStation: _place_station,
    RunTrains: _run_trains,
    Dividend: lambda move: str(move.choice),
    AcquireCompany: lambda move: f"acquire {name(move.company)} {move.price}",
    RemoveStation: lambda move: f"remove {name(move.hex)}.{move.city}",
    AcquiredTrain: lambda move: f"{move.choice} {name(move.train)}",
    DiscardTrain: lambda move: f"discard {name(move.train)}",
    BuyTrain: _buy_train,
    BuyLocal: lambda move: f"local {name(move.local)} {move.price}",
    SellLocal: lambda move: f"sell local {name(move.local)}",
    AnswerOffer: lambda move: "accept" if move.accept else "reject",
    VaclavCompany: lambda move: f"vaclav {name(move.company)}",
}
