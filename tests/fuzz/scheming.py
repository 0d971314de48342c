"""Changes to a plain state of 18CZ by one who knows the game: each leaves it well-formed, and many possible.

Blind changes are mostly found out at once.  These make the positions that no game reaches and no single
look finds odd, which is where rules that trust their position would fall.
"""

from random import Random
from typing import Any

from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.facts import MARKET, SIZE_FACTS
from tests.fuzz.asking import FACES, HEXES, STATE_FIELDS, any_value

Plain = dict[str, Any]

CITIES = (
    "E12",
    "B9",
    "G2",
    "F3",
    "D21",
    "E20",
    "C8",
    "D5",
    "F17",
    "G20",
    "B5",
    "C12",
    "F11",
    "H12",
    "C24",
    "E26",
)


def in_play(state: Plain) -> list[Plain]:
    return [company for company in state["companies"] if company["units"]]


def a_company(rng: Random, state: Plain) -> Plain:
    company: Plain = rng.choice(in_play(state) or state["companies"])
    return company


def money(rng: Random, state: Plain) -> None:
    amount = rng.choice([0, 1, 5, 10, 99, 100, 1000, 999_999, 1_000_000])
    match rng.randrange(4):
        case 0:
            rng.choice(state["players"])["cash"] = amount
        case 1:
            a_company(rng, state)["treasury"] = amount
        case 2:
            player = rng.choice(state["players"])
            player["surcharge"] = amount
            player["debt"] = rng.choice([0, amount, amount // 2])
        case _:
            state["vaclavCash"] = rng.choice([amount, -amount])


def trains(rng: Random, state: Plain) -> None:
    """A train goes elsewhere, is another one, or comes out of nowhere."""
    places = [*(company["trains"] for company in in_play(state)), state["pool"], state["rusted"]]
    place = rng.choice(places)
    match rng.randrange(4):
        case 0 if place:
            rng.choice(places).append(place.pop(rng.randrange(len(place))))
        case 1 if place:
            place[rng.randrange(len(place))] = rng.choice(list(facts.VERSIONS))
        case 2 if place:
            rng.shuffle(place)
        case _:
            place.append(rng.choice(list(facts.VERSIONS)))


def card(rng: Random, state: Plain) -> None:
    """A card from the stack to a company, which leaves the count of cards right."""
    rows = [row for row in state["stack"] if row["cards"]]
    if rows:
        row = rng.choice(rows[:2])
        row["cards"] -= 1
        version = rng.choice(facts.ROW_VERSIONS[row["row"]])
        rng.choice([a_company(rng, state)["trains"], state["pool"]]).append(version)


def shares(rng: Random, state: Plain) -> None:
    company = a_company(rng, state)
    units = company["units"]
    if not units:
        return
    holding = rng.choice(units)
    match rng.randrange(4):
        case 0:
            holding["units"] += rng.choice([-1, 1, 2])
        case 1:
            other = rng.choice(units)
            holding["units"], other["units"] = other["units"], holding["units"]
        case 2:
            company["director"] = holding["holder"]
        case _:
            new = rng.choice([player["seat"] for player in state["players"]])
            if all(one["holder"] != new for one in units):
                units.append({"holder": new, "units": rng.choice([1, 1, 2, holding["units"]])})
                units.sort(key=lambda one: str(one["holder"]))


def life(rng: Random, state: Plain) -> None:
    """A company is started, launched, acquired, has operated or not."""
    index = rng.randrange(len(state["companies"]))
    company = state["companies"][index]
    size = SIZE_FACTS[facts.COMPANIES[company["symbol"]].size]
    seat = rng.choice(state["players"])["seat"]
    bare = {
        "symbol": company["symbol"], "status": "COMPANY_STATUS_UNSTARTED", "director": "", "treasury": 0,
        "startPrice": 0, "arrival": 0, "units": [], "trains": [], "stations": [], "markers": size.stations,
        "homePlaced": False, "operated": False, "lastPaid": False,
    }  # fmt: skip
    price = rng.choice(size.start_prices)
    begun = {
        **bare, "status": "COMPANY_STATUS_STARTED", "director": seat, "startPrice": price,
        "position": facts.POSITION_OF[price], "arrival": rng.randint(1, max(1, state["arrivals"])),
        "units": [{"holder": seat, "units": 2}],
    }  # fmt: skip
    launched = {
        **begun, "status": "COMPANY_STATUS_LAUNCHED", "treasury": rng.choice([0, 100, 1000]),
        "units": [{"holder": seat, "units": size.launch_units}],
    }  # fmt: skip
    match rng.randrange(6):
        case 0:
            state["companies"][index] = bare
        case 1:
            state["companies"][index] = begun
        case 2:
            state["companies"][index] = launched
            if state.get("operating") and rng.random() < 0.7:
                order = state["operating"]["order"]
                order.insert(rng.randint(state["operating"]["index"], len(order)), company["symbol"])
        case 3:
            state["companies"][index] = {**bare, "status": "COMPANY_STATUS_ACQUIRED", "markers": 0}
        case 4:
            company["operated"] = not company["operated"]
            company["lastRevenue"] = rng.choice([0, 0, 10, 100])
        case _:
            company["position"] = rng.choice([0, 1, len(MARKET) - 1, rng.randrange(len(MARKET))])
            company["arrival"] = rng.randint(1, max(1, state["arrivals"]))


def stations(rng: Random, state: Plain) -> None:
    company = a_company(rng, state)
    placed = company["stations"]
    tiles = [tile["hex"] for tile in state["tiles"]]
    spot = {
        "hex": rng.choice([*CITIES, *tiles]),
        "city": rng.choice([0, 0, 0, 1, 2]),
        "slot": rng.choice([0, 0, 1, 2]),
    }
    match rng.randrange(5):
        case 0 if placed:
            placed.pop(rng.randrange(len(placed)))
            company["markers"] += rng.choice([0, 1, 1])
        case 1 | 2 if company["markers"] and company["homePlaced"]:
            placed.append(spot)
            company["markers"] -= 1
        case 3 if placed:
            placed[rng.randrange(len(placed))] = spot
        case _ if placed:
            rng.choice(placed).update(rng.choice([{"city": rng.randrange(4)}, {"slot": rng.randrange(4)}]))


def tiles(rng: Random, state: Plain) -> None:
    placed = state["tiles"]
    match rng.randrange(6):
        case 0 if placed:
            del placed[rng.randrange(len(placed))]
        case 1 if placed:
            rng.choice(placed)["rotation"] = rng.randrange(6)
        case 2 if placed:
            rng.choice(placed)["tile"] = rng.choice(FACES)
        case 3 if len(placed) > 1:
            one, other = rng.sample(placed, 2)
            one["hex"], other["hex"] = other["hex"], one["hex"]
        case _:
            for _ in range(rng.choice([1, 1, 3, 20])):
                name = rng.choice(HEXES)
                if all(tile["hex"] != name for tile in placed):
                    face = rng.choice([rng.choice(FACES), *("7", "8", "9", "57", "58", "3", "4")])
                    placed.append({"hex": name, "tile": face, "rotation": rng.randrange(6)})


def switch(rng: Random, state: Plain) -> None:
    name = rng.choice(list(state["switches"]))
    field = next(field for field in STATE_FIELDS["switches"].message_type.fields if field.json_name == name)
    values = facts.SWITCH_VALUES.get(field.name, (0, 1, 2))
    if field.enum_type is None and isinstance(values[0], int):
        state["switches"][name] = rng.choice(values)
    else:
        state["switches"][name] = any_value(rng, field)


def locals_(rng: Random, state: Plain) -> None:
    local = rng.choice(state["locals"])
    owners = [player["seat"] for player in state["players"]] + [one["symbol"] for one in in_play(state)]
    local["owner"] = rng.choice([*owners, "removed", "closed", ""])
    local["spent"] = rng.random() < 0.3


def turn(rng: Random, state: Plain) -> None:
    """Another step, another company on turn, other marks of what was done in the turn."""
    operating, stock = state.get("operating"), state.get("stock")
    if stock:
        stock["index"] = rng.randrange(len(state["order"]))
        stock["acted"] = rng.random() < 0.5
        if rng.random() < 0.3:
            seat = rng.choice(state["order"])
            stock["sold"] = [{"seat": seat, "companies": [a_company(rng, state)["symbol"]]}]
    elif operating:
        step = STATE_FIELDS["operating"].message_type.fields_by_name["step"]
        match rng.randrange(6):
            case 0 | 1:
                operating["step"] = any_value(rng, step)
                operating["runs"] = [] if rng.random() < 0.7 else operating["runs"]
            case 2:
                operating["index"] = rng.randrange(max(1, len(operating["order"])))
            case 3:
                operating.update(yellow=rng.randrange(3), upgrades=rng.randrange(2))
            case 4:
                operating["laid"] = [
                    tile["hex"] for tile in rng.sample(state["tiles"], min(3, len(state["tiles"])))
                ]
            case _:
                on_turn = operating["order"][operating["index"] % max(1, len(operating["order"]))]
                owned = next(one["trains"] for one in state["companies"] if one["symbol"] == on_turn)
                runs = [{"version": version, "revenue": rng.choice([0, 10, 200])} for version in owned]
                operating["runs"] = runs
                earned = sum(run["revenue"] for run in runs)
                for company in state["companies"]:
                    if company["symbol"] == on_turn:
                        company["lastRevenue"] = earned
    else:
        state["draftTurn"] = rng.randrange(20)


def clock(rng: Random, state: Plain) -> None:
    match rng.randrange(4):
        case 0:
            state["setNumber"] = rng.randrange(1, 9)
        case 1:
            state["operatingRound"] = rng.randrange(14)
            for round_set, count in enumerate(facts.SETS, 1):
                if (
                    sum(facts.SETS[:round_set])
                    >= state["operatingRound"]
                    > sum(facts.SETS[:round_set]) - count
                ):
                    state["setNumber"] = round_set
        case 2:
            state["phase"] = rng.choice(list(facts.PHASES))
        case _:
            state["arrivals"] = rng.choice([0, 1, 50, 1_000_000])


def decision(rng: Random, state: Plain) -> None:
    """Something pending: any kind, with names that fit it."""
    company = a_company(rng, state)
    operating = state.get("operating") or {"order": [], "index": 0}
    on_turn = next(iter(operating["order"][operating["index"] :]), company["symbol"])
    kind = rng.choice(STATE_FIELDS["pending"].message_type.fields_by_name["kind"].enum_type.values).name
    whose = rng.choice([on_turn, on_turn, company["symbol"]])
    pending: Plain = {"kind": kind, "company": whose, "seat": "", "size": "", "hexes": [], "trains": []}
    names = [station["hex"] for station in company["stations"]]
    match kind:
        case "PENDING_KIND_VACLAV_COMPANY":
            pending.update(company="", size=rng.choice(facts.SIZES))
        case "PENDING_KIND_HOME_CITY" | "PENDING_KIND_REMOVE_STATION":
            pending["hexes"] = [rng.choice(["B9", *names])]
        case "PENDING_KIND_ACQUIRED_TRAINS":
            pending["trains"] = company["trains"][: rng.randrange(3)]
        case "PENDING_KIND_DISCARD_TRAINS":
            pending["trains"] = company["trains"][: rng.choice([0, 0, 1])]
        case "PENDING_KIND_OFFER":
            seat = rng.choice(state["players"])["seat"]
            offer = rng.choice(["OFFER_KIND_LOCAL", "OFFER_KIND_TRAIN", "OFFER_KIND_COMPANY"])
            item = {
                "OFFER_KIND_LOCAL": rng.choice(state["locals"])["symbol"],
                "OFFER_KIND_COMPANY": company["symbol"],
            }
            owned = [version for one in in_play(state) for version in one["trains"]] or ["2a"]
            seller = {
                "OFFER_KIND_LOCAL": seat,
                "OFFER_KIND_TRAIN": rng.choice(in_play(state) or [company])["symbol"],
            }
            pending.update(company="", seat=seat)
            pending["offer"] = {
                "kind": offer, "buyer": on_turn, "seller": seller.get(offer, whose),
                "item": item.get(offer, rng.choice(owned)), "price": rng.choice([0, 1, 40, 100, 10**6]),
            }  # fmt: skip
    if rng.random() < 0.7:
        state["pending"] = [pending]
    else:
        state["pending"].insert(rng.randint(0, len(state["pending"])), pending)


def over(rng: Random, state: Plain) -> None:
    """The game ends here, or begins again."""
    state["pending"] = []
    state.pop("stock", None)
    state.pop("operating", None)
    state["stage"] = rng.choice(["STAGE_OVER", "STAGE_OVER", "STAGE_DRAFT"])
