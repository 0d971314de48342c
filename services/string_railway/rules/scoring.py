"""Scores and winners (SR-6.12, 7.2, 8.1)."""

from collections.abc import Mapping, Sequence

from services.ruleset.answers import Event, Scoreboard, ScoreLine, SeatScore, Value
from services.string_railway.rules.paying import Item, recount
from services.string_railway.rules.planes import place_name, rounded
from services.string_railway.rules.state import State

Standing = tuple[int, int]
"""The better company's points, then the sum of all of a person's companies: greater is better."""


def standings(totals: Mapping[str, int], persons: Mapping[str, Sequence[str]]) -> dict[str, Standing]:
    """How persons compare; with one company each, both numbers are the same."""
    return {
        person: (max(totals[c] for c in companies), sum(totals[c] for c in companies))
        for person, companies in persons.items()
    }


def winners(totals: Mapping[str, int], persons: Mapping[str, Sequence[str]]) -> list[str]:
    """The persons who win, in the order given: more than one share a tie (SR-7.2, 8.1).

    >>> persons = {"A": ["red", "green"], "B": ["blue", "yellow"]}
    >>> winners({"red": 8, "blue": 8, "green": 1, "yellow": 3}, persons)
    ['B']
    """
    found = standings(totals, persons)
    best = max(found.values())
    return [person for person, standing in found.items() if standing == best]


def recounted(state: State) -> dict[str, int]:
    """Every company's points, counted anew from the position (SR-6.12)."""
    totals = dict.fromkeys(state.companies, 0)
    for item in recount(state):
        totals[item.company] += item.amount
    return totals


def _line(item: Item) -> ScoreLine:
    values: dict[str, Value] = {"company": item.company}
    if item.spot is None:
        values["station"] = item.subject
    else:
        values |= {"string": item.subject, "at": place_name(rounded(item.spot))}
    return ScoreLine(item.reason, item.amount, item.rule, values)


def score(state: State) -> Scoreboard:
    """Every seat's score with the station or crossing that each line counts.

    A person with two companies has the points of the better one; the other is named in a line of its own.
    """
    items = recount(state)
    totals = dict.fromkeys(state.companies, 0)
    for item in items:
        totals[item.company] += item.amount
    persons = {player.seat: player.companies for player in state.players}
    standing = standings(totals, persons)
    seats = []
    for seat, companies in persons.items():
        best = max(companies, key=lambda company: totals[company])
        lines = [_line(item) for item in items if item.company == best]
        for other in companies:
            if other != best:
                values: dict[str, Value] = {"company": other, "points": totals[other]}
                lines.append(ScoreLine("score_other_company", 0, "SR-8.1", values))
        rank = 1 + sum(each > standing[seat] for each in standing.values())
        seats.append(SeatScore(seat, totals[best], rank, tuple(lines)))
    return Scoreboard(tuple(seats), state.phase == "over", tuple(_ties(state, standing)))


def _ties(state: State, standing: Mapping[str, Standing]) -> list[Event]:
    """How a tie of the best was broken, or that it was not."""
    best = max(standing.values())
    level = [seat for seat, each in standing.items() if each[0] == best[0]]
    first = [seat for seat, each in standing.items() if each == best]
    if state.phase != "over" or len(level) < 2:
        return []
    values: dict[str, Value] = {"seats": ", ".join(first), "total": best[0]}
    if len(first) > 1:
        return [Event("win_shared", "SR-8.1" if len(standing) == 2 else "SR-7.2", values)]
    return [Event("tie_by_sum", "SR-8.1", {**values, "sum": best[1]})]
