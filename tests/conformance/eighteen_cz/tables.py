"""The printed tables: share prices and their movements, tiles."""

import json
from collections.abc import Callable, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from services.eighteen_cz.importer import RULESET
from services.eighteen_cz.rules import facts, market, tiles
from services.eighteen_cz.rules.hexmap import edges_of
from services.eighteen_cz.rules.setup import first_position
from services.eighteen_cz.rules.state import Company, State
from services.ruleset.answers import Event
from tests.conformance.report import Report

MOVEMENTS: Final[Mapping[str, Callable[[State, Company], list[Event]]]] = {
    "payout": market.after_paying,
    "withhold": market.after_keeping,
    "sell_block": market.after_sale,
    "sold_out": market.after_sold_out,
}
COLOURS: Final = ("green", "brown", "gray")
"""Of the phases in which red locations have a value, in order."""


def compare_tables(folder: Path, report: Report) -> None:
    for name, compare in (("market.json", _compare_market), ("tiles.json", _compare_tiles)):
        if (folder / name).exists():
            compare(json.loads((folder / name).read_text(encoding="utf-8")), report)


def _compare(report: Report, where: str, recorded: Any, ours: Any) -> None:
    report.count("entries of tables")
    if recorded != ours:
        report.disagree(where, f"{recorded!r} in the recording, {ours!r} by the rules")


def _compare_market(table: Mapping[str, Any], report: Report) -> None:
    _compare(report, "market.json prices", table["prices"], list(facts.MARKET))
    for size, prices in table["par"].items():
        _compare(report, f"market.json par {size}", prices, list(facts.SIZE_FACTS[size].start_prices))
    state = first_position(RULESET, {"seats": [{}, {}, {}]})
    for title, targets in table["moves"].items():
        size, event = title.split()
        symbol = next(name for name, company in facts.COMPANIES.items() if company.size == size)
        for position, target in enumerate(targets):
            company = state.companies[symbol]
            company.position = position
            MOVEMENTS[event](state, company)
            _compare(report, f"market.json {title} {position}", target, company.position)


def _compare_tiles(table: Mapping[str, Any], report: Report) -> None:
    _compare(report, "tiles.json numbers", sorted(table), sorted(tiles.KINDS))
    for number, tile in table.items():
        kind = tiles.KINDS.get(number)
        if kind is not None:
            _compare(report, f"tiles.json {number}", _drawn(tile), _ours(kind))


def _drawn(tile: Mapping[str, Any]) -> dict[str, Any]:
    """A recorded tile without the way in which its track is told."""
    exits: list[list[int]] = [[] for _ in tile["nodes"]]
    tracks, junction = [], []
    for first, second, *_ in tile["paths"]:
        ends = [end for end in (first, second) if isinstance(end, int)]
        other = next((end for end in (first, second) if not isinstance(end, int)), "")
        if other == "j":
            junction += ends
        elif other:
            exits[int(other[1:])] += ends
        else:
            tracks.append(tuple(sorted(ends)))
    tracks += combinations(sorted(junction), 2)
    return {
        "colour": tile["colour"],
        "count": tile["count"],
        "label": tile["label"] or "",
        "kinds": [node["kind"] for node in tile["nodes"]],
        "exits": [sorted(edges) for edges in exits],
        "tracks": sorted(tracks),
        "revenue": [node["revenue"] for node in tile["nodes"]],
        "slots": [node["slots"] for node in tile["nodes"] if node["kind"] == "city"],
    }


def _ours(kind: tiles.Kind) -> dict[str, Any]:
    locations = kind.cities or kind.towns
    revenue: Any = kind.revenue
    if kind.colour == tiles.RED:
        values = dict.fromkeys(phase.red_value for phase in facts.PHASES.values() if phase.red_value)
        revenue = dict(zip(COLOURS, values, strict=True))
    return {
        "colour": kind.colour,
        "count": kind.count,
        "label": kind.label,
        "kinds": ["city" if kind.cities else "town"] * len(locations),
        "exits": [list(edges_of(exits)) for exits in locations],
        "tracks": sorted(tuple(sorted(track)) for track in kind.tracks),
        "revenue": [revenue] * len(locations),
        "slots": [kind.slots] * len(kind.cities),
    }
