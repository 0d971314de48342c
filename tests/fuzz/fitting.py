"""Changes to a plain state of 18CZ that fit: tiles, stations, steps and decisions as they may really be.

Together with those of `scheming` they lead far from all played positions, while a position stays possible.
"""

from collections.abc import Callable
from random import Random
from typing import Any

from services.chassis.game import Malformed
from services.eighteen_cz.game import GAME
from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.hexmap import MAPS
from services.eighteen_cz.rules.tiles import KINDS, layout, possible_tiles
from tests.fuzz.asking import HEXES
from tests.fuzz.mutation import copied, graft, mutated
from tests.fuzz.scheming import (
    a_company,
    card,
    clock,
    decision,
    in_play,
    life,
    locals_,
    money,
    over,
    shares,
    stations,
    switch,
    tiles,
    trains,
    turn,
)

Plain = dict[str, Any]


def _board(state: Plain) -> str:
    return "bohemia" if state["board"] == "BOARD_BOHEMIA" else "standard"


def fitting_tiles(rng: Random, state: Plain) -> None:
    """Tiles that could have come there, on one hex, on some or nearly everywhere: networks of any density."""
    colours = facts.PHASES[state["phase"]].colours if state["phase"] in facts.PHASES else frozenset()
    best = rng.choice(sorted(colours)) if colours else ""
    left = {number: kind.count for number, kind in KINDS.items()}
    for tile in state["tiles"]:
        if tile["tile"] in left:
            left[tile["tile"]] -= 1
    placed = {tile["hex"]: tile for tile in state["tiles"]}
    for name in rng.sample(HEXES, rng.choice([1, 1, 3, 20, 100])):
        if name not in MAPS[_board(state)].hexes:
            continue
        fitting = [
            tile
            for tile in sorted(possible_tiles(_board(state), name))
            if left[tile.number] > 0
            and KINDS[tile.number].colour in colours
            and not KINDS[tile.number].purple
        ]
        preferred = [tile for tile in fitting if KINDS[tile.number].colour == best] or fitting
        if not preferred:
            continue
        new = rng.choice(preferred)
        if name in placed:
            left[placed[name]["tile"]] = left.get(placed[name]["tile"], 0) + 1
            placed[name].update(tile=new.number, rotation=new.rotation)
        else:
            placed[name] = {"hex": name, "tile": new.number, "rotation": new.rotation}
            state["tiles"].append(placed[name])
        left[new.number] -= 1


def fitting_stations(rng: Random, state: Plain) -> None:
    """A station in a city that there is, in a slot that is free; or one somewhere else than it was."""
    company = a_company(rng, state)
    try:
        board = GAME.state_from_plain(state)
    except (Malformed, KeyError, TypeError):
        return
    taken = {(one["hex"], one["city"], one["slot"]) for c in state["companies"] for one in c["stations"]}
    own = {one["hex"] for one in company["stations"]}
    spots = []
    for name in rng.sample(HEXES, 40):
        try:
            here = layout(board, name)
        except KeyError:
            continue
        spots += [
            {"hex": name, "city": city, "slot": slot}
            for city in range(len(here.cities))
            for slot in range(here.slots)
            if (name, city, slot) not in taken and name not in own and here.exits
        ]
    if not spots:
        return
    if company["stations"] and rng.random() < 0.4:
        company["stations"][rng.randrange(len(company["stations"]))] = rng.choice(spots)
    elif company["homePlaced"] and company["markers"]:
        company["stations"].append(rng.choice(spots))
        company["markers"] -= 1


def rich_turn(rng: Random, state: Plain) -> None:
    """A company of an operating round is on turn in a step of its own choice, with money and trains."""
    operating = state.get("operating")
    if not operating or not operating["order"]:
        return
    symbol = operating["order"][operating["index"] % len(operating["order"])]
    company = next((one for one in state["companies"] if one["symbol"] == symbol), None)
    if company is None:
        return
    state["pending"] = []
    company["treasury"] = rng.choice([0, 10, 500, 5000])
    steps = ["TRACK", "STATION", "RUN", "ACQUIRE", "TRAINS"]
    operating.update(step=f"STEP_{rng.choice(steps)}", runs=[], stationPlaced=False)
    if operating["step"] in ("STEP_ACQUIRE", "STEP_TRAINS"):
        company["lastRevenue"], company["lastPaid"] = 0, False


def fitting_decision(rng: Random, state: Plain) -> None:
    """What an acquisition, an offer or a limit leaves open, in the step where it may be."""
    rich_turn(rng, state)
    operating = state.get("operating")
    if not operating or not operating["order"]:
        return
    symbol = operating["order"][operating["index"] % len(operating["order"])]
    company = next((one for one in state["companies"] if one["symbol"] == symbol), None)
    if company is None:
        return
    others = [one for one in in_play(state) if one["symbol"] != symbol]
    bare: Plain = {"company": symbol, "seat": "", "size": "", "hexes": [], "trains": []}
    match rng.randrange(4):
        case 0:
            operating["step"] = "STEP_ACQUIRE"
            few = company["trains"][: rng.randint(1, 3)]
            state["pending"] = [{**bare, "kind": "PENDING_KIND_ACQUIRED_TRAINS", "trains": few}]
        case 1:
            operating["step"] = "STEP_ACQUIRE"
            hexes = [one["hex"] for one in company["stations"]]
            doubled = sorted({name for name in hexes if hexes.count(name) > 1}) or hexes[:1]
            state["pending"] = [{**bare, "kind": "PENDING_KIND_REMOVE_STATION", "hexes": doubled}]
            for station in company["stations"][: rng.randrange(2)]:
                company["stations"].append({**station, "city": 1 - station["city"]})
        case 2:
            crowded = [one for one in [company, *others] if len(one["trains"]) > 1]
            state["pending"] = [
                {**bare, "kind": "PENDING_KIND_DISCARD_TRAINS", "company": one["symbol"]} for one in crowded
            ]
        case _ if others:
            target = rng.choice(others)
            kind, step, item = rng.choice(
                [
                    ("COMPANY", "ACQUIRE", target["symbol"]),
                    ("TRAIN", "TRAINS", next(iter(target["trains"]), "2a")),
                    ("LOCAL", rng.choice(["TRACK", "RUN", "TRAINS"]), rng.choice(state["locals"])["symbol"]),
                ]
            )
            owner = (
                next(one["owner"] for one in state["locals"] if one["symbol"] == item)
                if kind == "LOCAL"
                else ""
            )
            operating["step"] = f"STEP_{step}"
            price = rng.choice([1, 10, 60, 100, company["treasury"]])
            offer = {
                "kind": f"OFFER_KIND_{kind}", "buyer": symbol, "seller": owner or target["symbol"],
                "item": item, "price": price,
            }  # fmt: skip
            seat = owner or target["director"]
            state["pending"] = [
                {**bare, "kind": "PENDING_KIND_OFFER", "company": "", "seat": seat, "offer": offer}
            ]


SCHEMES: tuple[Callable[[Random, Plain], None], ...] = (
    money, trains, card, shares, life, stations, tiles, switch, locals_, turn, turn, clock, decision, over,
    fitting_tiles, fitting_tiles, fitting_stations, fitting_stations, rich_turn, fitting_decision,
)  # fmt: skip


def schemed(rng: Random, state: Plain, donor: Plain) -> Plain:
    """A copy changed by schemes, now and then with a graft from another position or a blind change."""
    state = copied(state)
    for _ in range(rng.choice([1, 1, 1, 2, 2, 3, 5])):
        rng.choice(SCHEMES)(rng, state)
    if rng.random() < 0.2:
        graft(rng, state, donor)
    return mutated(rng, state, most=1) if rng.random() < 0.2 else state


def drifted(rng: Random, state: Plain, possible: Callable[[Plain], bool], attempts: int) -> Plain:
    """The end of a walk of changes, each of which is kept where the position stays possible."""
    for _ in range(attempts):
        changed = copied(state)
        if rng.random() < 0.85:
            rng.choice(SCHEMES)(rng, changed)
        else:
            changed = mutated(rng, changed, most=1)
        if possible(changed):
            state = changed
    return state
