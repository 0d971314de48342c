"""Laying a string (SR-5)."""

from collections.abc import Iterator, Sequence

from services.ruleset.answers import Change, Event, Violation
from services.string_railway.rules import facts
from services.string_railway.rules.areas import outside_stretches
from services.string_railway.rules.curves import Curve, curve, merged, self_contact
from services.string_railway.rules.formats import free_id, verify_id
from services.string_railway.rules.lengths import compare, rounded_length, squares
from services.string_railway.rules.moves import LayString
from services.string_railway.rules.paying import Item, Paid, all_visits, pay
from services.string_railway.rules.planes import millimetres, place_name, rounded
from services.string_railway.rules.refusing import Values, refuse
from services.string_railway.rules.squares import Visit
from services.string_railway.rules.state import Length, State, Station, String
from services.string_railway.rules.table import (
    area,
    companies_on,
    following,
    is_own_start,
    length_bounds,
    station_facts,
    strings_left,
    tile,
)

Visited = Sequence[tuple[Station, list[Visit]]]


def verify_lay_string(state: State, move: LayString) -> list[Violation]:
    """Every rule of SR-5 that the string breaks, in the order of the sections."""
    line = curve(merged(move.path))
    visited = all_visits(state, line)
    return [
        *_verify_string(state, move, line),
        *_verify_course(state, move, line),
        *_verify_ends(state, move, line),
        *_verify_visits(state, move, line, visited),
        *verify_id(state, move),
    ]


def _verify_string(state: State, move: LayString, line: Curve) -> Iterator[Violation]:
    """SR-5.1, 5.2"""
    if strings_left(state, move.actor, move.length) < 1:
        length = move.length[:40]
        yield refuse(
            move, "length", "SR-5.1", "string_unavailable", company=move.actor[:40], string_class=length
        )
    if move.length not in facts.STRING_LENGTHS:
        return
    low, high = length_bounds(state, move.length)
    own = squares(line.points)
    if compare(own, low) < 0 or compare(own, high) > 0:
        yield refuse(
            move,
            "path",
            "SR-5.2",
            "wrong_length",
            drawn=millimetres(rounded_length(own)),
            minimum=millimetres(-(-low.numerator // low.denominator)),
            maximum=millimetres(high.numerator // high.denominator),
            string_class=move.length,
        )


def _verify_course(state: State, move: LayString, line: Curve) -> Iterator[Violation]:
    """SR-5.3, 5.4"""
    out = outside_stretches(line, area(state))
    if out:
        yield refuse(move, "path", "SR-5.3", "outside", rounded(line.spot(out[0].low)))
    touching = self_contact(line)
    if touching is not None:
        yield refuse(move, "path", "SR-5.4", "self_contact", touching)


def _verify_ends(state: State, move: LayString, line: Curve) -> Iterator[Violation]:
    """SR-5.5 to 5.7"""
    ends: list[Station] = []
    for point in (line.points[0], line.points[-1]):
        station = next((s for s in state.stations if tile(s).has_point(point)), None)
        if station is None:
            yield refuse(move, "path", "SR-5.5", "end_not_on_station", point)
        else:
            ends.append(station)
    if len(ends) < 2:
        return
    if ends[0] is ends[1]:
        yield refuse(move, "path", "SR-5.6", "same_end_station", line.points[-1], station=ends[0].id)
    company = move.actor
    for station in ends:
        if is_own_start(station, company) or company in companies_on(state.strings, tile(station)):
            return
    first, last = ends
    yield refuse(
        move, "path", "SR-5.7", "not_connected", line.points[0], company=company, first=first.id, last=last.id
    )


def _verify_visits(state: State, move: LayString, line: Curve, visited: Visited) -> Iterator[Violation]:
    """SR-5.8 to 5.10"""
    for station, pieces in visited:
        if len(pieces) > 1:
            at = rounded(line.spot(pieces[1][0]))
            yield refuse(move, "path", "SR-5.8", "station_twice", at, station=station.id)
    last = len(line.points) - 1
    for station, pieces in visited:
        if station.kind != facts.TERMINAL:
            continue
        passing = next((low for low, high in pieces if low > 0 and high < last), None)
        if passing is not None:
            at = rounded(line.spot(passing))
            yield refuse(move, "path", "SR-5.9", "terminal_passed", at, station=station.id)
    for station, pieces in visited:
        present = companies_on(state.strings, tile(station))
        limit = station_facts(station).limit
        if move.actor not in present and len(present) >= limit:
            at = rounded(line.spot(pieces[0][0]))
            others = ", ".join(company for company in state.companies if company in present)
            yield refuse(
                move,
                "path",
                "SR-5.10",
                "company_limit",
                at,
                station=station.id,
                limit=limit,
                companies=others,
            )


def worth(state: State, company: str, line: Curve) -> Paid:
    """What a legal string of a company would bring now."""
    return pay(state, company, line, state.strings, all_visits(state, line))


def do_lay_string(state: State, move: LayString) -> list[Event]:
    path = merged(move.path)
    line = curve(path)
    paid = worth(state, move.actor, line)
    company = move.actor
    own = sum(string.company == company for string in state.strings)
    name = move.id or free_id((s.id for s in state.strings), company[0], own + 1)
    length: Length = "short" if move.length == "short" else "long"
    state.strings.append(String(name, company, length, path))
    values: Values = {
        "company": company,
        "string": name,
        "string_class": length,
        "length": millimetres(rounded_length(squares(path))),
        "reached": ", ".join(paid.reached),
        "new": ", ".join(paid.new),
    }
    events = [Event("string_laid", "SR-5.1", values)]
    for crossing in paid.free:
        at = place_name(rounded(crossing.spot))
        events.append(
            Event("crossing_free", "SR-6.8", {"company": company, "string": crossing.string, "at": at})
        )
    events += [_credit(state, item, company) for item in paid.items]
    return events + end_turn(state, company)


def _credit(state: State, item: Item, by: str) -> Event:
    before = state.scores[item.company]
    after = before + item.amount
    state.scores[item.company] = after
    changes = (Change(item.company, "points", before, after),)
    points = abs(item.amount)
    if item.spot is not None:
        at = place_name(rounded(item.spot))
        values: Values = {
            "company": item.company,
            "points": points,
            "string": item.subject,
            "at": at,
        }
        return Event("crossing_charged", item.rule, values, changes)
    values = {"company": item.company, "points": points, "station": item.subject, "by": by}
    if item.company == by:
        return Event("station_pays", item.rule, values, changes)
    if item.amount < 0:
        return Event("owner_pays", item.rule, values, changes)
    return Event("owner_gains", item.rule, values, changes)


def end_turn(state: State, company: str) -> list[Event]:
    """The next company's turn, or the end of the game (SR-7.1)."""
    state.acting = following(state, company)
    if state.acting:
        state.phase = "draw"
        return []
    state.phase = "over"
    return [Event("game_ended", "SR-7.1")]
