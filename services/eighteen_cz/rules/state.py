"""The position of a game of 18CZ as plain data.

Money is whole K.  A company's symbol, a local's symbol, a seat id (`G1` to `G6`) and a hex name are
strings.  Nothing here computes: what follows from the data (certificates, phase limits, reachable
track) is asked of the query modules.  Certificates need not be stored: the director's certificate is
always two units and every other certificate is one (CZ-1.4).
"""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from services.ruleset.chance import Chance

VACLAV = "Vaclav"
"""The dummy player of the two-player map (CZ-18.2), used wherever a seat id may stand."""

REMOVED = "removed"
"""Owner of a local that nobody drafted (CZ-4.6)."""
CLOSED = "closed"
"""Owner of a local that a company sold to the bank (CZ-16.5)."""

Stage = Literal["draft", "stock", "operating", "over"]
Step = Literal["home_tile", "home_city", "track", "station", "run", "dividend", "acquire", "trains"]
Status = Literal["unstarted", "started", "launched", "acquired"]
PendingKind = Literal[
    "vaclav_company", "home_city", "remove_station", "acquired_trains", "discard_trains", "offer"
]


@dataclass(frozen=True, slots=True)
class Switches:
    """The points where sources differ (CZ-20); names and meanings as in the data file's `rule_profiles`."""

    dividend_price_step: int
    withhold_price_step: int
    stock_round_order_from_round_2: Literal[
        "least_cash_first_at_start_of_round", "most_cash_first_at_end_of_previous_stock_round"
    ]
    six_express_rusts_on_8Ej: bool  # the data file's own name for it
    acquisition_needs_target_director_consent: bool
    trade_needs_counterparty_consent: bool
    over_certificate_limit: Literal["must_sell", "may_pass"]
    trains_between_companies: bool
    express_counts_more_than_three_towns: bool
    express_must_count_every_city: bool
    express_counts_towns: bool
    companies_run_smaller_trains: bool
    sales_in_first_stock_round: bool
    two_player_map: Literal["bohemia", "standard"]


class Tile(NamedTuple):
    """A tile on the map: its number (`57`, `14p`) and its rotation 0-5."""

    number: str
    rotation: int


class Station(NamedTuple):
    """A station on the map: hex, index of the city on the tile (or printed hex), slot in that city."""

    hex: str
    city: int
    slot: int


@dataclass(slots=True)
class Player:
    seat: str
    name: str
    colour: str
    cash: int
    debt: int = 0  # open loan principal (CZ-14.11)
    surcharge: int = 0  # sum of all loans ever taken, settled in the final score (CZ-14.11)
    passed: bool = False  # the player's most recent turn in the draft or stock round was a pass


@dataclass(slots=True)
class Local:
    symbol: str
    owner: str = ""  # "" (still to be drafted), a seat, a company symbol, REMOVED or CLOSED
    spent: bool = False  # its ability has been used (CZ-16.7)


@dataclass(slots=True)
class Company:
    symbol: str
    status: Status = "unstarted"
    director: str = ""  # a seat, or VACLAV; "" before the start
    treasury: int = 0
    start_price: int = 0
    position: int = -1  # index into the price table (CZ-1.7); -1 before the start
    arrival: int = 0  # rank of arrival at that value: smaller came earlier and acts first (CZ-6.3, 7.4)
    units: dict[str, int] = field(default_factory=dict)  # by seat or VACLAV, director's certificate included
    trains: list[str] = field(default_factory=list)  # versions (`2+2b`), in the order they were received
    stations: list[Station] = field(default_factory=list)  # on the map, in the order they were placed
    markers: int = 0  # station markers not on the map, an unplaced home marker included
    home_placed: bool = False
    operated: bool = False  # has finished its first turn
    last_revenue: int = -1  # of its last turn; -1 when it has not had one
    last_paid: bool = False


@dataclass(slots=True)
class StockTurn:
    """The turn in progress in a stock round (CZ-5)."""

    index: int  # into State.order
    acted: bool = False  # a sale was made in this turn, so ending it is no pass (CZ-5.2)
    sold: dict[str, list[str]] = field(default_factory=dict)  # seat -> companies sold this round (CZ-5.11)


@dataclass(slots=True)
class OperatingTurn:
    """The turn in progress in an operating round (CZ-8)."""

    order: list[str]  # companies still in the round's order, fixed at its start (CZ-7.4)
    index: int = 0  # whose turn it is
    step: Step = "track"
    yellow: int = 0  # yellow tiles laid of the normal allowance (CZ-9.1)
    upgrades: int = 0  # upgrades laid of the normal allowance
    laid: list[str] = field(default_factory=list)  # hexes where track was laid this turn, any kind of lay
    station_placed: bool = False
    runs: list[tuple[str, int]] = field(default_factory=list)  # (version, revenue), set by step run


@dataclass(slots=True)
class Offer:
    """A complete offer waiting for its answer (CZ-8.4): `buyer` pays `price` (per unit for a company)."""

    kind: Literal["local", "train", "company"]
    buyer: str
    seller: str  # the owner: a seat for a local, a company for a train, the target for a company
    item: str  # the local, the train's version, or the target company
    price: int


@dataclass(slots=True)
class Pending:
    """A decision that interrupts the turn; the first in State.pending must be resolved first (CZ-24).

    `company` is whose decision it is (its director answers), except for `offer` (the seat in `seat`
    answers) and `vaclav_company` (chance answers; `size` says which kind of company is drawn).
    """

    kind: PendingKind
    company: str = ""
    seat: str = ""
    size: str = ""
    hexes: list[str] = field(default_factory=list)  # remove_station: with two own stations; home_city: B9
    trains: list[str] = field(default_factory=list)  # acquired_trains: versions not yet decided on;
    # discard_trains: the train just bought at the limit, which is not the one that goes back (CZ-14.6)
    offer: Offer | None = None


@dataclass(slots=True)
class State:
    ruleset: str
    switches: Switches
    board: Literal["standard", "bohemia"]
    chance: Chance
    players: dict[str, Player]  # in seat order
    order: list[str]  # current player order, seats
    companies: dict[str, Company]  # those of this board, in the fixed listing order (CZ-1.4)
    locals: dict[str, Local]  # those of this board, S1.. M1.. L1..
    stage: Stage = "draft"
    set_number: int = 0  # 0 in the draft, then 1-8
    operating_round: int = 0  # 0 before round 1.1, then 1-13: how many rounds have begun (CZ-7.1)
    draft_turn: int = 0  # turns taken in the draft, places the snake (CZ-4.1)
    stock: StockTurn | None = None  # in stage stock
    operating: OperatingTurn | None = None  # in stage operating
    pending: list[Pending] = field(default_factory=list)
    phase: str = "a"
    stack: dict[str, int] = field(default_factory=dict)  # row -> cards left, rows a-i; row j is unlimited
    pool: list[str] = field(default_factory=list)  # discarded trains, by version, in order of arrival
    rusted: list[str] = field(default_factory=list)  # versions that have rusted, in that order
    tiles: dict[str, Tile] = field(default_factory=dict)  # hex -> tile laid there
    vaclav_cash: int = 0  # may be negative (CZ-18.2)
    arrivals: int = 0  # price-marker movements so far, gives Company.arrival
