"""Questions about a position that more than one rule asks."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Final

from services.string_railway.rules import facts
from services.string_railway.rules.curves import Curve, curve
from services.string_railway.rules.facts import PlayerFacts, StationFacts
from services.string_railway.rules.squares import Square, square, touches
from services.string_railway.rules.state import MOUNTAIN, RIVER, Boundary, Length, State, Station, String

LENGTHS: Final[tuple[Length, ...]] = ("short", "long")


def player_facts(state: State) -> PlayerFacts:
    return facts.PLAYERS[len(state.players)]


def station_facts(station: Station) -> StationFacts:
    return facts.STATIONS[station.kind]


def tile(station: Station) -> Square:
    return square(station.corners)


def railway(string: String) -> Curve:
    return curve(string.path)


def boundary(state: State) -> Boundary:
    """The boundary where there must be one.  Raises ValueError."""
    if state.boundary is None:
        raise ValueError("the boundary has not been laid")
    return state.boundary


def area(state: State) -> Curve:
    """The ring around the play area."""
    return curve(boundary(state).ring, True)


def scenery(state: State) -> Iterator[tuple[str, Curve]]:
    """River and mountain by name, where they lie."""
    if state.river:
        yield RIVER, curve(state.river)
    if state.mountain:
        yield MOUNTAIN, curve(state.mountain, True)


def all_strings(state: State) -> Iterator[tuple[str, Curve]]:
    """Everything that a tile must not touch, by name, in the order of crossings (SR-4.3)."""
    for string in state.strings:
        yield string.id, railway(string)
    yield from scenery(state)


def strings_left(state: State, company: str, length: str) -> int:
    """How many strings of a class a company has neither laid nor given up (SR-5.1)."""
    given = player_facts(state).strings.get(length, 0) if company in state.companies else 0
    used = sum(string.company == company and string.length == length for string in state.strings)
    return given - used - sum(each == length for each in state.forfeits.get(company, ()))


def classes_left(state: State, company: str) -> tuple[Length, ...]:
    """The classes of string that a company still has."""
    return tuple(length for length in LENGTHS if strings_left(state, company, length) > 0)


def companies_on(strings: Iterable[String], at: Square) -> set[str]:
    """The companies that have a string on a station."""
    present: set[str] = set()
    for string in strings:
        if string.company not in present and touches(railway(string), at):
            present.add(string.company)
    return present


def network(state: State, company: str) -> list[Station]:
    """Its own starting station and the stations that its strings touch (SR-6.1, 10.3)."""
    own = [railway(string) for string in state.strings if string.company == company]
    return [
        station
        for station in state.stations
        if is_own_start(station, company) or any(touches(line, tile(station)) for line in own)
    ]


def is_own_start(station: Station, company: str) -> bool:
    return station.kind == facts.START and station.owner == company


def has_limit_reached(state: State, station: Station, company: str) -> bool:
    """Whether a string of this company would bring too many companies to a station (SR-5.10)."""
    present = companies_on(state.strings, tile(station))
    return company not in present and len(present) >= station_facts(station).limit


def length_bounds(state: State, length: str) -> tuple[Fraction, Fraction]:
    """Least and greatest drawn length of a string (SR-5.2)."""
    nominal = facts.STRING_LENGTHS[length]
    low, high = facts.TOLERANCES[state.options.tolerance]
    return (low * nominal if state.options.slack == "exact" else Fraction(0)), high * nominal


def following(state: State, company: str) -> str:
    """The next company in turn order that has strings left; "" when none has (SR-7.1)."""
    start = state.companies.index(company) + 1
    for other in (*state.companies[start:], *state.companies[:start]):
        if classes_left(state, other):
            return other
    return ""
