"""The printed facts of 18CZ as frozen tables, read once from this game's data files (CZ-1, 2, 14, 15).

Everything that is a number or a name of the box lives in `services/eighteen_cz/data`; the rules ask
for it here.  Map and tiles have their own module.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, cast

from services.eighteen_cz.rules.state import Switches

Size = Literal["small", "medium", "large"]
Board = Literal["standard", "bohemia"]

SIZES: Final[tuple[Size, ...]] = ("small", "medium", "large")
SIZE_RANK: Final[Mapping[str, int]] = {size: rank for rank, size in enumerate(SIZES)}

DATA: Final = Path(__file__).resolve().parent.parent / "data"


def read_data(name: str) -> dict[str, Any]:
    """One data file of this game, `name` without its `.json`."""
    return cast(dict[str, Any], json.loads((DATA / f"{name}.json").read_text(encoding="utf-8")))


@dataclass(frozen=True, slots=True)
class SizeFacts:
    """What a company's size decides (CZ-1.4, 5.5-5.7)."""

    size: Size
    units: int
    unit_percent: int
    launch_units: int  # players must hold this many for the launch
    launch_factor: int  # treasury at launch in start prices
    limit_units: Mapping[str, int]  # by board: most units a player may own
    stations: int  # markers, the home marker included
    start_prices: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CompanyFacts:
    symbol: str
    name: str
    size: Size
    home_hexes: tuple[str, ...]  # one, or the two red sites of a large company
    home_tile: str  # tile number, "" unless large
    colour: str  # #RRGGBB
    in_bohemia: bool


@dataclass(frozen=True, slots=True)
class LocalFacts:
    symbol: str
    name: str
    size: Size
    price: int  # printed, for the draft
    income: int
    in_bohemia: bool


@dataclass(frozen=True, slots=True)
class Ability:
    """What a local of one size can do once (CZ-16.7)."""

    waives: frozenset[str]  # kinds of terrain
    purple_colours: frozenset[str]  # colours of purple-edged tiles


@dataclass(frozen=True, slots=True)
class Version:
    """One face of a train card (CZ-14)."""

    name: str  # `2+2b`
    row: str
    label: str  # `2+2`
    size: Size  # also its family: small normal, medium plus, large express
    price: int
    stops: int  # most locations of a route that count
    cities: int  # most cities and red locations
    rusts_on: frozenset[str]
    rusts_on_if_six_express_rusts: frozenset[str]  # with the switch six_express_rusts_on_8Ej (D-3)


@dataclass(frozen=True, slots=True)
class Phase:
    """CZ-15"""

    name: str
    train_limit: Mapping[str, int]  # by company size; 0 where no such company can exist
    colours: frozenset[str]
    sizes: frozenset[str]  # sizes of companies that may be started
    companies_buy_locals: bool
    red_value: int


_companies = read_data("companies")
_locals = read_data("locals")
_trains = read_data("trains")
_market = read_data("market")
_rounds = read_data("rounds")
_switches = read_data("switches")


def _size_facts(size: Size, row: dict[str, Any]) -> SizeFacts:
    percent = 100 // row["units"]
    return SizeFacts(
        size=size,
        units=row["units"],
        unit_percent=percent,
        launch_units=row["launch_percent"] // percent,
        launch_factor=row["launch_factor"],
        limit_units={board: limit // percent for board, limit in row["ownership_limit_percent"].items()},
        stations=row["stations"],
        start_prices=tuple(row["start_prices"]),
    )


SIZE_FACTS: Final[Mapping[str, SizeFacts]] = {
    size: _size_facts(size, _companies["sizes"][size]) for size in SIZES
}
COMPANIES: Final[Mapping[str, CompanyFacts]] = {
    row["symbol"]: CompanyFacts(**{**row, "home_hexes": tuple(row["home_hexes"])})
    for row in _companies["companies"]
}
LOCALS: Final[Mapping[str, LocalFacts]] = {row["symbol"]: LocalFacts(**row) for row in _locals["locals"]}
BOARD_COMPANIES: Final[Mapping[str, tuple[str, ...]]] = {
    "standard": tuple(COMPANIES),
    "bohemia": tuple(symbol for symbol, company in COMPANIES.items() if company.in_bohemia),
}
BOARD_LOCALS: Final[Mapping[str, tuple[str, ...]]] = {
    "standard": tuple(LOCALS),
    "bohemia": tuple(symbol for symbol, local in LOCALS.items() if local.in_bohemia),
}
ABILITIES: Final[Mapping[str, Ability]] = {
    size: Ability(frozenset(row["waives"]), frozenset(row["purple_colours"]))
    for size, row in _locals["sizes"].items()
}
LOCAL_FINAL_VALUE: Final[int] = _locals["final_value"]
DIRECTOR_UNITS: Final[int] = _companies["director_units"]
HOME_BONUS: Final[int] = _companies["home_bonus"]
STATION_PRICES: Final[tuple[int, ...]] = tuple(_companies["station_prices"])
"""By the number of own stations already on the map; the last price holds for all further ones (CZ-10.3)."""

ROWS: Final[str] = "".join(row["row"] for row in _trains["rows"])
CARDS: Final[Mapping[str, int]] = {row["row"]: row["count"] for row in _trains["rows"] if row["count"]}
"""Cards of each limited row; row j is unlimited and not listed."""
LAST_ROW: Final[str] = ROWS[-1]
VERSIONS: Final[Mapping[str, Version]] = {
    row["name"]: Version(
        **{
            **row,
            "rusts_on": frozenset(row["rusts_on"]),
            "rusts_on_if_six_express_rusts": frozenset(
                row.get("rusts_on_if_six_express_rusts", row["rusts_on"])
            ),
        }
    )
    for row in _trains["versions"]
}
ROW_VERSIONS: Final[Mapping[str, tuple[str, ...]]] = {
    row: tuple(name for name, version in VERSIONS.items() if version.row == row) for row in ROWS
}
VERSION_OF: Final[Mapping[tuple[str, str], str]] = {
    (version.row, version.size): name for name, version in VERSIONS.items()
}
"""The version of a card by (row, size); missing where the card has none of that size."""

PHASES: Final[Mapping[str, Phase]] = {
    row["name"]: Phase(
        name=row["name"],
        train_limit=dict(zip(SIZES, row["train_limit"], strict=True)),
        colours=frozenset(row["colours"]),
        sizes=frozenset(row["sizes"]),
        companies_buy_locals=row["companies_buy_locals"],
        red_value=row["red_value"],
    )
    for row in read_data("phases")["phases"]
}

MARKET: Final[tuple[int, ...]] = tuple(_market["values"])
"""The price table in ascending order; a company's `position` is an index into it (CZ-1.7)."""
POSITION_OF: Final[Mapping[int, int]] = {price: position for position, price in enumerate(MARKET)}
SALE_STEP: Final[int] = _market["sale"]
SOLD_OUT_STEP: Final[int] = _market["sold_out"]

CASH: Final[Mapping[int, int]] = {int(n): row["cash"] for n, row in _rounds["players"].items()}
CERTIFICATE_LIMIT: Final[Mapping[int, int]] = {
    int(n): row["certificate_limit"] for n, row in _rounds["players"].items()
}
SETS: Final[tuple[int, ...]] = tuple(_rounds["operating_rounds_per_set"])
"""Operating rounds of set 1, 2, ... (CZ-3.1)."""
LOCAL_PRICES: Final[tuple[int, ...]] = tuple(_rounds["local_prices"])
"""The local-railway price of operating round 1, 2, ... (CZ-7.1)."""
OPERATING_ROUNDS: Final[tuple[tuple[int, int], ...]] = tuple(
    (number, part + 1) for number, count in enumerate(SETS, 1) for part in range(count)
)
"""(set, part) of operating round 1, 2, ...: its name is `set.part`."""

RULESETS: Final[Mapping[str, str]] = dict(_switches["rulesets"])
"""Ruleset id -> profile of the switches."""
SWITCH_VALUES: Final[Mapping[str, tuple[bool | int | str, ...]]] = {
    name: tuple(row["values"]) for name, row in _switches["switches"].items()
}
"""The values that each switch may take in a setup."""
SWITCH_RULES: Final[Mapping[str, str]] = {name: row["rule"] for name, row in _switches["switches"].items()}
"""The section that each switch bears on."""


def profile(name: str, overrides: Mapping[str, bool | int | str]) -> Switches:
    """The switches of a profile (`seed` or `published`) with some of them set otherwise."""
    values = {switch: row[name] for switch, row in _switches["switches"].items()}
    return Switches(**{**values, **overrides})
