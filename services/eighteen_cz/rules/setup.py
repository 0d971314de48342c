"""The first position of a game (CZ-1.1, 2, 18)."""

from collections.abc import Mapping
from typing import Any

from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.facts import Board
from services.eighteen_cz.rules.state import Company, Local, Pending, Player, State, Switches
from services.ruleset.answers import Violation
from services.ruleset.chance import Chance
from services.ruleset.protocol import SetupRefused


def first_position(ruleset: str, setup: Mapping[str, Any]) -> State:
    """The position before the draft; on the two-player map with Vaclav's first company still to be drawn.

    `setup` has the JSON shape of the contract's Setup: `seats` (`name`, `colour`), `random` and
    `options` (`variant`, `switches`).  Raises SetupRefused.
    """
    seats = setup.get("seats") or []
    least, most = min(facts.CASH), max(facts.CASH)
    if not least <= len(seats) <= most:
        raise _refused("CZ-1.1", "seat_count", "seats", seats=len(seats), minimum=least, maximum=most)
    options = setup.get("options") or {}
    switches = _switches(ruleset, options.get("switches") or {})
    board = _board(len(seats), options.get("variant") or "", switches)
    cash = facts.CASH[len(seats)]
    players = {
        f"G{number}": Player(f"G{number}", seat.get("name", ""), seat.get("colour", ""), cash)
        for number, seat in enumerate(seats, 1)
    }
    state = State(
        ruleset=ruleset,
        switches=switches,
        board=board,
        chance=_chance(setup.get("random") or {}),
        players=players,
        order=list(players),
        companies={symbol: unstarted(symbol) for symbol in facts.BOARD_COMPANIES[board]},
        locals={symbol: Local(symbol) for symbol in facts.BOARD_LOCALS[board]},
        stack=dict(facts.CARDS),
    )
    if board == "bohemia":
        state.pending.append(Pending("vaclav_company", size="small"))
    return state


def unstarted(symbol: str) -> Company:
    """A company before the start, all its station markers on its charter."""
    return Company(symbol, markers=facts.SIZE_FACTS[facts.COMPANIES[symbol].size].stations)


def _refused(rule_id: str, reason: str, path: str, **values: int | str) -> SetupRefused:
    return SetupRefused(Violation(rule_id, reason, values, path))


def _board(seats: int, variant: str, switches: Switches) -> Board:
    match variant:
        case "":
            return switches.two_player_map if seats == 2 else "standard"
        case "standard":
            return "standard"
        case "bohemia" if seats == 2:
            return "bohemia"
        case "bohemia":
            raise _refused("CZ-18.2", "variant_seats", "options.variant", variant=variant, seats=seats)
        case "moravia-silesia":
            raise _refused("CZ-18.3", "variant_not_specified", "options.variant", variant=variant)
        case _:
            raise _refused("CZ-18.1", "unknown_variant", "options.variant", variant=variant)


def _switches(ruleset: str, overrides: Mapping[str, Any]) -> Switches:
    names = {name.replace("_", "").lower(): name for name in facts.SWITCH_VALUES}
    values: dict[str, bool | int | str] = {}
    for key, given in overrides.items():
        name = names.get(key.replace("_", "").lower())
        path = f"options.switches.{key}"
        if name is None:
            raise _refused("CZ-18.1", "unknown_switch", path, switch=key)
        value = _switch_value(name, given)
        if value is None:
            raise _refused(facts.SWITCH_RULES[name], "switch_value", path, switch=key, value=str(given))
        values[name] = value
    return facts.profile(facts.RULESETS[ruleset], values)


def _switch_value(name: str, given: object) -> bool | int | str | None:
    """The allowed value that is meant: itself, or for words also as an enum's name (`BOARD_STANDARD`)."""
    for value in facts.SWITCH_VALUES[name]:
        if type(value) is type(given) and (
            value == given
            or (isinstance(value, str) and isinstance(given, str) and given.lower().endswith("_" + value))
        ):
            return value
    return None


def _chance(random: Mapping[str, Any]) -> Chance:
    seeded = random.get("seeded")
    return Chance("external", "", 0) if seeded is None else Chance("seeded", seeded.get("seed", ""), 0)
