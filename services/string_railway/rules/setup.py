"""The first position of a game (SR-1, 2)."""

from collections.abc import Mapping
from typing import Any

from services.ruleset.answers import Violation
from services.ruleset.chance import Chance
from services.ruleset.protocol import SetupRefused
from services.string_railway.rules import facts
from services.string_railway.rules.refusing import camel
from services.string_railway.rules.state import Options, Player, State
from services.string_railway.rules.turn import with_duty


def first_position(setup: Mapping[str, Any]) -> State:
    """The empty table.  `setup` has the JSON shape of the contract's Setup: `seats` (`name`), `random`,
    `options` (the options of SR-1.6 in JSON names, and `companies` in turn order).  Raises SetupRefused.
    """
    seats = setup.get("seats") or []
    least, most = min(facts.PLAYERS), max(facts.PLAYERS)
    if not least <= len(seats) <= most:
        raise _refused("SR-2.1", "seat_count", "seats", seats=len(seats), minimum=least, maximum=most)
    given = setup.get("options") or {}
    companies = _companies(len(seats), given.get("companies") or ())
    own = {f"G{number}": companies[number - 1 :: len(seats)] for number in range(1, len(seats) + 1)}
    players = tuple(
        Player(seat, str(each.get("name", "")), own[seat]) for seat, each in zip(own, seats, strict=True)
    )
    state = State(
        ruleset=facts.RULESET,
        options=_options({key: value for key, value in given.items() if key != "companies"}),
        chance=_chance(setup.get("random") or {}),
        players=players,
        companies=companies,
        stack=dict(facts.STACK),
        scores=dict.fromkeys(companies, 0),
    )
    state.acting = with_duty(state, "boundary")
    return state


def _refused(rule_id: str, reason: str, path: str, **values: int | str) -> SetupRefused:
    return SetupRefused(Violation(rule_id, reason, values, path))


def _companies(seats: int, given: object) -> tuple[str, ...]:
    wanted = facts.PLAYERS[seats].companies
    if not given:
        return facts.COMPANIES[:wanted]
    names = tuple(map(str, given)) if isinstance(given, list | tuple) else ()
    if len(names) != wanted or len(set(names)) != wanted or not set(names) <= set(facts.COMPANIES):
        stated = ", ".join(names)[:80]
        raise _refused("SR-1.1", "setup_companies", "options.companies", companies=stated, expected=wanted)
    return names


def _options(given: Mapping[str, Any]) -> Options:
    names = {camel(name): name for name in Options.__slots__} | {name: name for name in Options.__slots__}
    values: dict[str, Any] = {}
    for key, value in given.items():
        name = names.get(key)
        path = f"options.{key}"
        if name is None:
            raise _refused("SR-1.6", "unknown_option", path, option=key[:40])
        allowed: tuple[Any, ...] = facts.OPTION_VALUES.get(name, (False, True))
        if value not in allowed or type(value) is not type(allowed[0]):
            rule_id = facts.OPTION_RULES.get(name, "SR-1.6")
            raise _refused(rule_id, "option_value", path, option=key[:40], value=str(value)[:40])
        values[name] = value
    return Options(**values)


def _chance(random: Mapping[str, Any]) -> Chance:
    seeded = random.get("seeded")
    return Chance("external", "", 0) if seeded is None else Chance("seeded", seeded.get("seed", ""), 0)
