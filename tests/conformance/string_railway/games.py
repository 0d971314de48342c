"""Complete games from the empty table to the ranking: `games.json`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from services.ruleset.protocol import Budget
from services.string_railway.rules.engine import StringRailway
from services.string_railway.rules.scoring import recounted, winners
from services.string_railway.rules.state import State
from tests.conformance.report import Report
from tests.conformance.string_railway.judging import judge
from tests.conformance.string_railway.reading import empty, move, options, read

Json = Mapping[str, Any]
RULES: Final = StringRailway()
WITHOUT_COMPANY: Final = ("boundary", "river", "mountain", "over")


def names(folder: Path) -> Sequence[str]:
    return [game["id"] for game in read(folder / "games.json")["games"]]


def replay(folder: Path, name: str, report: Report) -> State:
    """Every step of one game; returns its last position."""
    game = next(game for game in read(folder / "games.json")["games"] if game["id"] == name)
    state = empty(game["players"], game["companies"], options(game))
    for index, step in enumerate(game["steps"]):
        where = f"{name} step {index}"
        report.count("steps")
        if step["move"]["kind"] == "rank":
            _compare_end(where, game, state, step["expect"], report)
            continue
        made = move(step["move"])
        outcome = RULES.apply(state, made, Budget())
        judge(where, state, made, outcome, step["expect"], report)
        if outcome.state is None:
            continue
        state = outcome.state
        _compare_turn(where, state, step["expect"], report)
    return state


def _compare_turn(where: str, state: State, expect: Json, report: Report) -> None:
    if state.scores != expect["totals"]:
        report.disagree(where, f"totals are {state.scores}, recorded {expect['totals']}")
    company = None if state.phase in WITHOUT_COMPANY else state.acting
    ours = {"company": company, "pending": state.pending, "phase": state.phase}
    if "turn" in expect and ours != expect["turn"]:
        report.disagree(where, f"turn is {ours}, recorded {expect['turn']}")
    if "deck_left" in expect and sum(state.stack.values()) != expect["deck_left"]:
        report.disagree(where, f"{sum(state.stack.values())} tiles left, recorded {expect['deck_left']}")


def _compare_end(where: str, game: Json, state: State, expect: Json, report: Report) -> None:
    totals = recounted(state)
    persons = game.get("persons") or {company: [company] for company in state.companies}
    final = game["final"]
    ours: Json = {
        "totals": totals,
        "winners": sorted(winners(totals, persons)),
        "stations": len(state.stations),
        "strings": len(state.strings),
        "forfeits": state.forfeits,
    }
    for what, value in ours.items():
        if value != final[what]:
            report.disagree(where, f"{what} {value}, recorded {final[what]}")
    if state.scores != totals or state.phase != "over" or ours["winners"] != expect["winners"]:
        report.disagree(where, f"the end is {state.phase} with {state.scores}")
