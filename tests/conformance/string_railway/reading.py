"""Positions and moves as the recordings of String Railway write them."""

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from services.ruleset.chance import Chance
from services.string_railway.rules import facts
from services.string_railway.rules.curves import merged
from services.string_railway.rules.moves import (
    Draw,
    LayString,
    Move,
    Pass,
    PlaceStart,
    PlaceStation,
    SetAside,
    SetupBoundary,
    SetupMountain,
    SetupRiver,
)
from services.string_railway.rules.planes import Point, micrometres
from services.string_railway.rules.squares import square
from services.string_railway.rules.state import Boundary, Options, Phase, Player, State, Station, String
from services.string_railway.rules.turn import with_duty

Json = Mapping[str, Any]
PHASES: Final[Mapping[str, Phase]] = {
    "setup_boundary": "boundary",
    "setup_river": "river",
    "setup_mountain": "mountain",
    "place_start": "start",
    "draw": "draw",
}
PERSONS: Final = ("Ann", "Bob", "Cid", "Dan", "Eve")


def read(file: Path) -> Any:
    """A recording; decimals stay decimals."""
    return json.loads(file.read_text("utf-8"), parse_float=Decimal)


def point(given: Sequence[Decimal | int]) -> Point:
    x, y = given
    return micrometres(x), micrometres(y)


def points(given: Sequence[Sequence[Decimal | int]] | None) -> tuple[Point, ...]:
    return tuple(map(point, given or ()))


def move(given: Json) -> Move:
    """A recorded move; the actor is left open where none is named."""
    actor, name = given.get("company", ""), given.get("id", "")
    match given["kind"]:
        case "setup_boundary":
            return SetupBoundary(actor, points(given["ring"]), points(given["marks"]))
        case "setup_river":
            return SetupRiver(actor, points(given["path"]))
        case "setup_mountain":
            return SetupMountain(actor, points(given["ring"]))
        case "place_start":
            return PlaceStart(actor, given["mark"], points(given["corners"]), name)
        case "draw":
            return Draw(actor, tuple(given.get("drawn", ())))
        case "place_station":
            return PlaceStation(actor, given["station_kind"], points(given["corners"]), name)
        case "set_aside":
            return SetAside(actor, given["station_kind"])
        case "lay_string":
            return LayString(actor, given["class"], points(given["path"]), name)
        case "pass":
            return Pass(actor, given["forfeit"])
    raise ValueError(f"no such move: {given['kind']}")


def options(given: Json) -> Options:
    return Options(**given.get("options", {}), chaos=given.get("chaos", False))


def empty(players: int, companies: Sequence[str], chosen: Options) -> State:
    """The table before the set-up."""
    state = State(
        facts.RULESET,
        chosen,
        Chance("external", "", 0),
        tuple(
            Player(f"G{number + 1}", PERSONS[number], tuple(companies[number::players]))
            for number in range(players)
        ),
        tuple(companies),
        stack=dict(facts.STACK),
        scores=dict.fromkeys(companies, 0),
    )
    state.acting = with_duty(state, "boundary")
    return state


def position(given: Json) -> State:
    """A fragment of a position, filled up so that it can be asked: placing where tiles wait, else laying."""
    players = given.get("players", 4)
    companies = given.get("companies") or facts.COMPANIES[: facts.PLAYERS[players].companies]
    state = empty(players, companies, options(given))
    if given.get("boundary"):
        state.boundary = Boundary(
            merged(points(given["boundary"]["ring"]), True), points(given["boundary"]["marks"])
        )
    state.river = merged(points((given.get("river") or {}).get("path")))
    state.mountain = merged(points((given.get("mountain") or {}).get("ring")), True)
    state.stations = [
        Station(
            each["id"],
            each["kind"],
            each.get("owner") or "",
            square(points(each["corners"])).corners,
            each.get("mark", -1),
        )
        for each in given.get("stations", ())
    ]
    state.strings = [
        String(each["id"], each["company"], each["class"], merged(points(each["path"])))
        for each in given.get("strings", ())
    ]
    state.forfeits = {company: list(given_up) for company, given_up in given.get("forfeits", {}).items()}
    state.scores |= given.get("scores", {})
    take_turn(state, given.get("turn") or {"company": companies[0], "pending": []})
    return state


def take_turn(state: State, turn: Json) -> None:
    state.acting, state.pending = turn["company"], list(turn["pending"])
    state.phase = "place" if state.pending else "lay"


def fit_phase(state: State, given: Json) -> None:
    """Moves of the set-up are judged whatever the turn of the fragment."""
    phase = PHASES.get(given["kind"])
    if phase is not None:
        state.phase = phase
        state.acting = given.get("company", state.acting)
