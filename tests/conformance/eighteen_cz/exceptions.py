"""Where the rules say that the recording engine is wrong: by predicate, with the section that says so.

Each function returns the section, or "" where nothing excuses the difference.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from services.eighteen_cz.importer.reading import Action
from services.eighteen_cz.rules import facts
from services.ruleset.answers import Violation
from tests.conformance.eighteen_cz.offers import Offer
from tests.conformance.eighteen_cz.snapshot import Difference
from tests.conformance.eighteen_cz.watching import WatchedShadow

SIZES: Final = {size[0]: size for size in facts.SIZES}
TURN_FIELDS: Final = ("step", "cur", "who", "op", "op_index", "laid", "n_lay", "lay_slots", "tokened", "run")
WARNINGS: Final = {"discarded_in_time": "CZ-14.8"}
"""What an import has to put right of itself, with the section that the recording broke."""


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
    """A recorded action that the rules refuse and the game went on from."""
    if shadow.waits_before_discards and action.kind == "buy_corporation":
        return "CZ-14.8"  # acquires before it has discarded
    if [violation.rule_id for violation in broken] == ["CZ-14.6"]:
        return "CZ-14.6"  # D-13: goes on without a train that it may run
    return ""


def offer(case: Mapping[str, Any], what: Offer, shadow: WatchedShadow, in_recording: bool) -> str:
    return ""


def accepted(
    case: Mapping[str, Any], attempt: Mapping[str, Any], action: Action, shadow: WatchedShadow
) -> str:
    return ""


def refused(
    attempt: Mapping[str, Any], action: Action, shadow: WatchedShadow, broken: Sequence[Violation]
) -> str:
    return ""


def best_run(best: Mapping[str, Any], shadow: WatchedShadow) -> str:
    return ""
