"""Positions of recorded games as States, straight from the recorded snapshots (../shared/conformance/18cz).

Only what a snapshot holds is filled in, so board rules can be checked on a recorded position without
playing the game up to it.  Players `P1`, `P2`, ... become the seats `G1`, `G2`, ...
"""

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.state import (
    VACLAV,
    Company,
    Local,
    OperatingTurn,
    Pending,
    Player,
    State,
    Station,
    Status,
    Step,
    StockTurn,
    Switches,
    Tile,
)
from services.ruleset.chance import Chance

RECORDS = Path(__file__).resolve().parents[3] / "shared" / "conformance" / "18cz"

STEPS: dict[str, Step] = {
    "HomeTrack": "home_tile",
    "HomeToken": "home_city",
    "Track": "track",
    "Token": "station",
    "Route": "run",
    "Dividend": "dividend",
    "BuyCorporation": "acquire",
    "UpgradeOrDiscardTrain": "acquire",
    "ReduceTokens": "acquire",
    "BuyTrain": "trains",
    "BuyCompany": "trains",
}
"""The recording engine's steps by ours; forced discards keep the step in which they fall due."""


def record_switches() -> Switches:
    """The switches that play as the recording engine does (CZ-20)."""
    return replace(
        facts.profile("published", {}),
        acquisition_needs_target_director_consent=False,
        trade_needs_counterparty_consent=False,
        over_certificate_limit="may_pass",
        express_counts_more_than_three_towns=False,
        express_must_count_every_city=False,
    )


@dataclass(frozen=True)
class Record:
    """One recorded game: `lines[k]` is the snapshot after k actions."""

    name: str
    players: int
    actions: list[dict[str, Any]]
    lines: list[dict[str, Any]]
    cases: list[dict[str, Any]]


def record_names(folder: Path = RECORDS) -> list[str]:
    return sorted(path.stem for path in (folder / "games").glob("*.json"))


def _lines(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@lru_cache(maxsize=4)
def record(name: str, folder: Path = RECORDS) -> Record:
    game = json.loads((folder / "games" / f"{name}.json").read_text(encoding="utf-8"))
    return Record(
        name,
        len(game["players"]),
        game["actions"],
        _lines(folder / "states" / f"{name}.jsonl.gz"),
        _lines(folder / "cases" / f"{name}.jsonl.gz"),
    )


def seat_of(player: str) -> str:
    """`P3` is `G3`; whatever is not a recorded player stays."""
    return "G" + player[1:] if player[:1] == "P" and player[1:].isdigit() else player


def tile_of(text: str) -> Tile:
    number, rotation = text.split(":")
    return Tile(number, int(rotation))


def _company(symbol: str, row: dict[str, Any], players: dict[str, Any]) -> Company:
    if row.get("closed"):
        return Company(symbol, status="acquired")
    size = facts.SIZE_FACTS[facts.COMPANIES[symbol].size]
    if not row["ipoed"]:
        return Company(symbol, markers=size.stations)
    status: Status = "launched" if row["floated"] else "started"
    revenue, kind = row.get("last") or (-1, "")
    return Company(
        symbol,
        status=status,
        director=seat_of(row["pres"]),
        treasury=row["cash"],
        start_price=row["par"],
        position=row["col"],
        arrival=row["pos"],
        units={
            seat_of(name): player["shares"][symbol] // size.unit_percent
            for name, player in players.items()
            if player["shares"].get(symbol)
        },
        trains=list(row["trains"]),
        stations=[Station(*token) for token in row["tokens"] if isinstance(token, list)],
        markers=sum(isinstance(token, int) for token in row["tokens"]),
        # every marker of Vaclav's is free, of the others' only the home one
        home_placed=any(isinstance(token, list) for token in row["tokens"])
        if row["pres"] == VACLAV
        else 0 not in row["tokens"],
        operated=row["operated"],
        last_revenue=revenue,
        last_paid=kind == "payout",
    )


_PRINTED_YELLOW = ("B9", "C8", "D27")


def _operating(game: Record, index: int) -> OperatingTurn:
    line = game.lines[index]
    turn = OperatingTurn(order=list(line["op_order"]), index=line["op_index"])
    turn.step = STEPS.get(line["step"], "trains")
    turn.laid = list(line["laid"])
    turn.station_placed = line["tokened"]
    turn.runs = [(version, revenue) for version, revenue in line.get("run", [])]
    for before, action in zip(reversed(game.lines[:index]), reversed(game.actions[:index]), strict=True):
        if (before["round"], before.get("op")) != (line["round"], line["op"]):
            break
        purple = action["type"] == "lay_tile" and action["tile"].split("-")[0].endswith("p")
        if action["type"] != "lay_tile" or before["step"] == "HomeTrack" or purple:
            continue
        if action["hex"] in before["tiles"] or action["hex"] in _PRINTED_YELLOW:
            turn.upgrades += 1
        else:
            turn.yellow += 1
    return turn


def state_at(game: Record, index: int, switches: Switches | None = None) -> State:
    """The position after `index` actions."""
    line = game.lines[index]
    players: dict[str, Any] = line["players"]
    board = "bohemia" if game.players == 2 else "standard"
    state = State(
        ruleset="18cz/published-1",
        switches=switches or record_switches(),
        board="bohemia" if game.players == 2 else "standard",
        chance=Chance("external", "", 0),
        players={
            f"G{n}": Player(
                seat=f"G{n}",
                name=f"P{n}",
                colour="",
                cash=players[f"P{n}"]["cash"],
                debt=players[f"P{n}"]["debt"],
                surcharge=players[f"P{n}"]["penalty"],
                passed=players[f"P{n}"]["passed"],
            )
            for n in range(1, game.players + 1)
        },
        order=[seat_of(name) for name in line["order"] if name != VACLAV],
        companies={
            symbol: _company(symbol, line["corps"][symbol], players)
            for symbol in facts.BOARD_COMPANIES[board]
        },
        locals={
            symbol: Local(
                symbol,
                seat_of(line["locals"][symbol]["own"] or ""),
                line["locals"][symbol].get("used", False),
            )
            for symbol in facts.BOARD_LOCALS[board]
        },
        phase=line["phase"],
        stack=dict.fromkeys(facts.CARDS, 0),
        pool=list(line["depot"]["discard"]),
        rusted=list(line["rusted"]),
        tiles={name: tile_of(text) for name, text in sorted(line["tiles"].items())},
        vaclav_cash=players.get(VACLAV, {}).get("cash", 0),
    )
    for version, count in line["depot"]["up"]:
        if version[-1] in state.stack:
            state.stack[version[-1]] = count
    kind, _, rest = line["round"].partition(" ")
    if line["over"]:
        state.stage = "over"
    elif kind == "Draft":
        state.stage = "draft"
    elif kind == "SR":
        state.stage, state.set_number = "stock", int(rest)
        state.stock = StockTurn(index=0)
    else:
        set_number, part = (int(number) for number in rest.split("."))
        state.stage, state.set_number = "operating", set_number
        state.operating_round = sum(facts.SETS[: set_number - 1]) + part
        state.operating = _operating(game, index)
    _add_pending(game, index, state)
    return state


def _add_pending(game: Record, index: int, state: State) -> None:
    """The decisions that interrupt the turn, as far as they concern the board."""
    line = game.lines[index]
    if line["step"] == "HomeToken" and "B9" in line["tiles"]:
        # the recording lifts the station on B9 until its city is chosen; here it stays where it was
        for symbol, row in game.lines[index - 1]["corps"].items():
            for token in row.get("tokens", []):
                if isinstance(token, list) and token[0] == "B9":
                    company = state.companies[symbol]
                    company.stations.append(Station(*token))
                    company.markers -= 1
                    company.home_placed = True
                    state.pending.append(Pending("home_city", company=line["cur"], hexes=["B9"]))
        if state.pending and state.operating:
            state.operating.step = "track"
    if line["step"] == "ReduceTokens":
        # the recording merges the stations of the two companies only when this is settled; here it is done
        target = next(a for a in reversed(game.actions[:index]) if a["type"] == "buy_corporation")[
            "corporation"
        ]
        buyer, bought = state.companies[line["cur"]], state.companies[target]
        gained = {(station.hex, station.city) for station in bought.stations}
        kept = [station for station in buyer.stations if (station.hex, station.city) not in gained]
        buyer.markers += bought.markers + len(buyer.stations) - len(kept)
        buyer.stations = kept + bought.stations
        state.companies[target] = Company(target, status="acquired")
        hexes = [station.hex for station in buyer.stations]
        double = [name for name in dict.fromkeys(hexes) if hexes.count(name) > 1]
        state.pending.append(Pending("remove_station", company=line["cur"], hexes=double))


def positions(*steps: str, folder: Path = RECORDS) -> Iterator[tuple[Record, dict[str, Any]]]:
    """Every examined position whose recorded step is one of these."""
    for name in record_names(folder):
        game = record(name, folder)
        for case in game.cases:
            if case["step"] in steps:
                yield game, case
