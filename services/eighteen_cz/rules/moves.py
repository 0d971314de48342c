"""The moves of 18CZ (CZ-24), one class a kind.  `actor` is who acts: a seat, a company or CHANCE."""

from dataclasses import dataclass
from typing import ClassVar, Literal


@dataclass(frozen=True, slots=True)
class Pass:
    """Declines the current step, ends a stock turn or the company's turn (CZ-4.3, 5.2, 8.3).

    Not the step run: there no routes mean that no train runs.
    """

    kind: ClassVar[str] = "pass"
    actor: str


@dataclass(frozen=True, slots=True)
class DraftBuy:
    """CZ-4.2"""

    kind: ClassVar[str] = "draft_buy"
    actor: str
    local: str


@dataclass(frozen=True, slots=True)
class SellShares:
    """One sale action of `units` units (CZ-5.9)."""

    kind: ClassVar[str] = "sell_shares"
    actor: str
    company: str
    units: int


@dataclass(frozen=True, slots=True)
class BuyShare:
    """One ordinary certificate from the bank (CZ-5.4)."""

    kind: ClassVar[str] = "buy_share"
    actor: str
    company: str


@dataclass(frozen=True, slots=True)
class StartCompany:
    """The director's certificate at a start price (CZ-5.5)."""

    kind: ClassVar[str] = "start_company"
    actor: str
    company: str
    price: int


@dataclass(frozen=True, slots=True)
class RepayLoan:
    """Pays min(cash, principal) (CZ-5.12)."""

    kind: ClassVar[str] = "repay_loan"
    actor: str


@dataclass(frozen=True, slots=True)
class LayHomeTile:
    """A large company's red home tile (CZ-9.10)."""

    kind: ClassVar[str] = "lay_home_tile"
    actor: str
    hex: str
    rotation: int


@dataclass(frozen=True, slots=True)
class ChooseHomeCity:
    """Which city of B9 ATE's station stands in (CZ-10.1, 9.13)."""

    kind: ClassVar[str] = "choose_home_city"
    actor: str
    city: int


@dataclass(frozen=True, slots=True)
class LayTile:
    """A lay or upgrade of step 1 (CZ-9); `waiver` is an own local whose ability pays terrain (CZ-16.7)."""

    kind: ClassVar[str] = "lay_tile"
    actor: str
    hex: str
    tile: str
    rotation: int
    waiver: str = ""


@dataclass(frozen=True, slots=True)
class LayPurpleTile:
    """A purple-edged tile by the ability of an own local (CZ-16.7)."""

    kind: ClassVar[str] = "lay_purple_tile"
    actor: str
    local: str
    hex: str
    tile: str
    rotation: int


@dataclass(frozen=True, slots=True)
class PlaceStation:
    """CZ-10.2; `slot` -1 takes the lowest free slot."""

    kind: ClassVar[str] = "place_station"
    actor: str
    hex: str
    city: int
    slot: int = -1


@dataclass(frozen=True, slots=True)
class Route:
    """One train's route.

    `stops` are the locations visited in order, each `HEX` or `HEX.n` where n is the index of the
    city or town on the tile (needed only where a hex has more than one).  `sections` are the track
    sections between successive stops, each the list of hexes passed, both ends included; it may be
    left empty where only one section joins the two stops, and is always filled in a canonical move.
    """

    train: str
    stops: tuple[str, ...]
    sections: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class RunTrains:
    """CZ-11; no routes means that no train runs.  `revenue` -1 is not stated; a stated one must be exact."""

    kind: ClassVar[str] = "run_trains"
    actor: str
    routes: tuple[Route, ...] = ()
    revenue: int = -1


@dataclass(frozen=True, slots=True)
class Dividend:
    """CZ-12.1"""

    kind: ClassVar[str] = "dividend"
    actor: str
    choice: Literal["pay", "keep"]


@dataclass(frozen=True, slots=True)
class AcquireCompany:
    """An acquisition, or its offer to another director (CZ-13); `price` is per unit."""

    kind: ClassVar[str] = "acquire_company"
    actor: str
    company: str
    price: int


@dataclass(frozen=True, slots=True)
class RemoveStation:
    """Which of two own stations in one hex goes back to the charter (CZ-13.6)."""

    kind: ClassVar[str] = "remove_station"
    actor: str
    hex: str
    city: int


@dataclass(frozen=True, slots=True)
class AcquiredTrain:
    """Upgrades or scraps one train received in an acquisition (CZ-13.7); `pass` keeps all the others."""

    kind: ClassVar[str] = "acquired_train"
    actor: str
    train: str
    choice: Literal["upgrade", "scrap"]


@dataclass(frozen=True, slots=True)
class DiscardTrain:
    """A forced discard to the pool (CZ-14.8)."""

    kind: ClassVar[str] = "discard_train"
    actor: str
    train: str


@dataclass(frozen=True, slots=True)
class BuyTrain:
    """`source` is `stack`, `pool` or a company; `version` is the version bought (CZ-14.1 to 14.6, 14.10).

    From the pool `card` names the version shown by the pool card (empty where there is no doubt).
    """

    kind: ClassVar[str] = "buy_train"
    actor: str
    source: str
    version: str
    price: int
    card: str = ""


@dataclass(frozen=True, slots=True)
class BuyLocal:
    """A purchase, or its offer to another player (CZ-16.3)."""

    kind: ClassVar[str] = "buy_local"
    actor: str
    local: str
    price: int


@dataclass(frozen=True, slots=True)
class SellLocal:
    """To the bank for the current price (CZ-16.5)."""

    kind: ClassVar[str] = "sell_local"
    actor: str
    local: str


@dataclass(frozen=True, slots=True)
class AnswerOffer:
    """CZ-8.4"""

    kind: ClassVar[str] = "answer_offer"
    actor: str
    accept: bool


@dataclass(frozen=True, slots=True)
class VaclavCompany:
    """The table's draw of Vaclav's company (CZ-18.2); the actor is CHANCE."""

    kind: ClassVar[str] = "vaclav_company"
    actor: str
    company: str


Move = (
    Pass
    | DraftBuy
    | SellShares
    | BuyShare
    | StartCompany
    | RepayLoan
    | LayHomeTile
    | ChooseHomeCity
    | LayTile
    | LayPurpleTile
    | PlaceStation
    | RunTrains
    | Dividend
    | AcquireCompany
    | RemoveStation
    | AcquiredTrain
    | DiscardTrain
    | BuyTrain
    | BuyLocal
    | SellLocal
    | AnswerOffer
    | VaclavCompany
)
