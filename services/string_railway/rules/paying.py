"""What a string brings (SR-6): every station and every crossing with the points it counts."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from services.string_railway.rules import facts
from services.string_railway.rules.contacts import contacts
from services.string_railway.rules.curves import Curve
from services.string_railway.rules.placing import on_mountain
from services.string_railway.rules.planes import Spot
from services.string_railway.rules.squares import Visit, touches, visits
from services.string_railway.rules.state import State, Station, String
from services.string_railway.rules.table import is_own_start, railway, scenery, station_facts, tile


@dataclass(frozen=True, slots=True)
class Crossing:
    """A place where the new string crosses another one: its id, or `river` or `mountain`."""

    string: str
    spot: Spot


@dataclass(frozen=True, slots=True)
class Item:
    """One change of points.  `reason` is a label of a score line; `subject` a station or a string."""

    company: str
    amount: int
    reason: str
    rule: str
    subject: str
    spot: Spot | None = None


@dataclass(slots=True)
class Paid:
    """All that a string is worth; stations in order along it, crossings in the order of SR-9.7."""

    reached: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    charged: list[Crossing] = field(default_factory=list)
    free: list[Crossing] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)

    def totals(self) -> dict[str, int]:
        """The sum of the changes by company, those that change nothing left out."""
        sums: dict[str, int] = {}
        for item in self.items:
            sums[item.company] = sums.get(item.company, 0) + item.amount
        return {company: amount for company, amount in sums.items() if amount}


def all_visits(state: State, line: Curve) -> list[tuple[Station, list[Visit]]]:
    """The stations that a curve touches and its pieces there, in order along the curve."""
    found = [(station, visits(line, tile(station))) for station in state.stations]
    return sorted(((s, v) for s, v in found if v), key=lambda each: each[1][0])


def pay(
    state: State,
    company: str,
    line: Curve,
    earlier: Sequence[String],
    visited: Sequence[tuple[Station, list[Visit]]],
) -> Paid:
    """What a legal string of a company brings on top of `earlier` ones."""
    paid = Paid()
    own = [railway(string) for string in earlier if string.company == company]
    for station, _ in visited:
        known = is_own_start(station, company) or any(touches(other, tile(station)) for other in own)
        paid.reached.append(station.id)
        if not known:
            paid.new.append(station.id)
        _pay_station(state, company, station, known, paid)
    pieces = [piece for _, found in visited for piece in found]
    for string in earlier:
        _pay_crossings(state, company, line, string.id, railway(string), string.company, pieces, paid)
    for name, other in scenery(state):
        _pay_crossings(state, company, line, name, other, "", pieces, paid)
    return paid


def _pay_station(state: State, company: str, station: Station, known: bool, paid: Paid) -> None:
    of = station_facts(station)
    mine = station.owner == company
    if of.every_string:
        points = of.points
    elif known:
        points = 0
    elif mine:
        points = of.owner_points
    elif of.mountain_points and on_mountain(state, tile(station)):
        points = of.mountain_points
    else:
        points = of.points
    if points:
        paid.items.append(Item(company, points, "score_station", of.rule, station.id))
    affected = station.owner and not mine and of.owner_effect
    if affected and (not known or state.options.owner_effect == "every"):
        reason = "score_owner_gains" if of.owner_effect > 0 else "score_owner_pays"
        paid.items.append(Item(station.owner, of.owner_effect, reason, of.rule, station.id))


def _pay_crossings(
    state: State,
    company: str,
    line: Curve,
    name: str,
    other: Curve,
    owner: str,
    pieces: Sequence[Visit],
    paid: Paid,
) -> None:
    charged = []
    for contact in contacts(line, other):
        if not contact.crosses:
            continue
        crossing = Crossing(name, line.spot(contact.low))
        if any(low <= contact.high and contact.low <= high for low, high in pieces):
            paid.free.append(crossing)
        else:
            charged.append(crossing)
    paid.charged += charged
    foreign = state.options.pro and owner not in ("", company)
    cost, rule = (2, "SR-6.10") if foreign else (1, "SR-6.7")
    paying = charged[:1] if state.options.crossing_unit == "string" else charged
    for crossing in paying:
        paid.items.append(Item(company, -cost, "score_crossing", rule, name, crossing.spot))


def recount(state: State) -> list[Item]:
    """Every point of a position: starting stations, then the strings one by one (SR-6.12)."""
    points = facts.STATIONS[facts.START].setup_points
    items = [
        Item(station.owner, points, "score_start", "SR-2.6", station.id)
        for station in state.stations
        if station.kind == facts.START
    ]
    for index, string in enumerate(state.strings):
        line = railway(string)
        items += pay(state, string.company, line, state.strings[:index], all_visits(state, line)).items
    return items
