"""Where the rules say that the recording engine is wrong: by predicate, with the section that says so.

Each function returns the section, or "" where nothing excuses the difference.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from services.eighteen_cz.importer import site
from services.eighteen_cz.importer.reading import Action
from services.eighteen_cz.importer.site import STEPS
from services.eighteen_cz.rules import facts, queries, stations, stock
from services.eighteen_cz.rules.moves import DiscardTrain
from services.ruleset.answers import Violation
from services.ruleset.protocol import Budget
from tests.conformance.eighteen_cz.offers import Offer, of_any_time
from tests.conformance.eighteen_cz.snapshot import Difference
from tests.conformance.eighteen_cz.watching import WatchedShadow

SIZES: Final = {size[0]: size for size in facts.SIZES}
TURN_FIELDS: Final = ("step", "cur", "who", "op", "op_index", "laid", "n_lay", "lay_slots", "tokened", "run")
WARNINGS: Final = {"discarded_in_time": "CZ-14.8", "station_dearer": "CZ-10.3"}
"""What an import has to put right of itself, with the section that the recording broke."""
SITE_STEPS: Final = {
    "lay_tile": "track",
    "place_token": "station",
    "run_routes": "run",
    "dividend": "dividend",
    "buy_corporation": "acquire",
    "buy_train": "trains",
}


def over_limit(recorded: Mapping[str, Any]) -> list[str]:
    """Companies that have more trains in the recording than CZ-14.4 allows."""
    limits = facts.PHASES[recorded["phase"]].train_limit
    return [
        symbol
        for symbol, company in recorded["corps"].items()
        if len(company.get("trains", ())) > limits[SIZES[company["t"]]]
    ]


def state(recorded: Mapping[str, Any], ours: Mapping[str, Any], difference: Difference) -> str:
    """A field of a state, recorded and ours."""
    path, theirs, _ = difference
    area, _, rest = path.partition(".")
    name = rest.partition(".")[0]
    if area == "locals" and recorded["round"] != "Draft" and recorded["locals"][name]["own"] is None:
        return "CZ-4.6"  # nobody took it, yet it did not leave the game
    crowded = over_limit(recorded)
    if crowded and (path == "depot.discard" or (name in crowded and path.endswith(".trains"))):
        return "CZ-14.8"  # has not discarded at once
    if crowded and "DiscardTrain" in (recorded["step"], ours["step"]) and path in TURN_FIELDS:
        return "CZ-14.8"  # discards too late
    if path.endswith(".markers") and name in recorded["corps"]:
        tokens = recorded["corps"][name]["tokens"]
        placed = sum(isinstance(token, list) for token in tokens)
        if placed == 1 and set(theirs) == {facts.STATION_PRICES[-1]}:
            return "CZ-10.3"  # D-11: the price follows from the stations on the map
    return ""


def unplayable(action: Action, broken: Sequence[Violation], shadow: WatchedShadow) -> str:
    """A recorded action that the rules refuse, though the recorded game went on from it."""
    sections = {violation.rule_id for violation in broken}
    if shadow.waits_before_discards and action.kind == "buy_corporation":
        return "CZ-14.8"  # acquires before it has discarded
    if sections == {"CZ-14.6"}:
        return "CZ-14.6"  # D-13: goes on without a train that it may run
    if sections == {"CZ-5.8"} and action.kind in ("pass", "special_buy"):
        return "CZ-5.8"  # D-24: need not sell above the certificate limit
    if action.kind == "run_routes" and _legal_on_site(action, shadow):
        return "CZ-11.9"  # D-10: express trains count otherwise
    return ""


def _legal_on_site(action: Action, shadow: WatchedShadow) -> bool:
    with shadow.site_express():
        return not shadow.refusals(action)


def refused(
    case: Mapping[str, Any], action: Action, shadow: WatchedShadow, broken: Sequence[Violation]
) -> str:
    """A move legal in the recording that the rules refuse."""
    sections = {violation.rule_id for violation in broken}
    if case["step"] == "ReduceTokens" and sections == {"CZ-13.6"}:
        return "CZ-13.6"  # the station is lifted before anything else
    if action.kind == "lay_tile" and action.entity in facts.LOCALS and _has_upgraded(shadow):
        return "CZ-9.1"  # a yellow tile after an upgrade, with a local's ability
    return unplayable(action, broken, shadow)


def accepted(case: Mapping[str, Any], action: Action, shadow: WatchedShadow) -> str:
    """A move refused in the recording that the rules accept."""
    step = SITE_STEPS.get(action.kind)
    if step == STEPS[shadow.step] and shadow.at != shadow.step and shadow.step >= 0:
        return "CZ-19.1"  # the recording still waits in a step that leaves nothing to do
    if action.kind == "place_token" and _dearer_on_site(shadow):
        return "CZ-10.3"  # D-11: the price follows from the stations on the map
    if action.kind == "run_routes" and not _legal_on_site(action, shadow):
        return "CZ-11.9"  # D-10: express trains count otherwise
    return ""


def offer(case: Mapping[str, Any], what: Offer, shadow: WatchedShadow, in_recording: bool) -> str:
    """A legal move that only one side has."""
    kind = what[0]
    if case["step"] == "ReduceTokens" and in_recording and of_any_time(what):
        return "CZ-13.6"  # the station is lifted before anything else
    if shadow.waits_before_discards and kind in ("discard", "pass", "corp"):
        return "CZ-14.8"  # acquires before it discards
    if kind == "discard" and in_recording and _just_bought(shadow, str(what[1])):
        return "CZ-14.6"  # D-13: returns the train that it had to buy
    if kind == "lay" and in_recording and what[1] in facts.LOCALS and _has_upgraded(shadow):
        return "CZ-9.1"  # a yellow tile after an upgrade, with a local's ability
    if kind in ("pass", "repay_debt") and in_recording and _must_sell(shadow):
        return "CZ-5.8"  # D-24: need not sell above the certificate limit
    if kind == "token" and not in_recording and _dearer_on_site(shadow):
        return "CZ-10.3"  # D-11: the price follows from the stations on the map
    return ""


def _just_bought(shadow: WatchedShadow, version: str) -> bool:
    move = DiscardTrain(shadow.rules.turn(shadow.state).actor, version)
    broken = shadow.rules.check(shadow.state, move, Budget())
    return {violation.rule_id for violation in broken} == {"CZ-14.6"}


def _has_upgraded(shadow: WatchedShadow) -> bool:
    turn = shadow.state.operating
    return turn is not None and turn.upgrades > 0


def _must_sell(shadow: WatchedShadow) -> bool:
    state = shadow.state
    return state.stage == "stock" and stock.must_sell(state, shadow.rules.turn(state).actor)


def _dearer_on_site(shadow: WatchedShadow) -> bool:
    if shadow.step < 0:
        return False
    company = queries.acting_company(shadow.state)
    return site.station_price(shadow.state, company) != stations.station_price(shadow.state, company)
