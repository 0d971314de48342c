"""Whether an open position can be trusted: every invariant, each relying on those checked before it.

A position that passes can be handed to every rule without any of them failing.  Strings are judged again
one by one in laying order: since tiles never touch strings that lie already, it does not matter which of
the tiles came later (SR-6.12).  Whether an earlier pass was forced cannot be seen any more.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, get_args

from services.ruleset.answers import Violation
from services.string_railway.rules import facts
from services.string_railway.rules.curves import merged
from services.string_railway.rules.formats import ID, verify_format
from services.string_railway.rules.invariants import (
    LONGEST_WORD,
    Check,
    absent,
    broken,
    distinct,
    exactly,
    in_range,
    legal,
    normal,
    one_of,
    present,
)
from services.string_railway.rules.laying import verify_lay_string
from services.string_railway.rules.moves import (
    LayString,
    Move,
    PlaceStart,
    PlaceStation,
    SetupBoundary,
    SetupMountain,
    SetupRiver,
)
from services.string_railway.rules.placing import verify_place_station
from services.string_railway.rules.refusing import camel
from services.string_railway.rules.scenery import verify_boundary, verify_mountain, verify_river
from services.string_railway.rules.scoring import recounted
from services.string_railway.rules.squares import square
from services.string_railway.rules.starting import verify_place_start
from services.string_railway.rules.state import MOUNTAIN, RIVER, Options, Phase, State
from services.string_railway.rules.table import LENGTHS, player_facts
from services.string_railway.rules.turn import SETUP_PHASES, with_duty

PHASES: Final[tuple[Phase, ...]] = get_args(Phase)
_TURN_PHASES: Final = ("draw", "place", "lay")


def validate(state: State) -> Violation | None:
    """The first broken invariant, or None."""
    for check in CHECKS:
        for violation in check(state):
            return violation
    return None


def check_game(state: State) -> Iterator[Violation]:
    """Ruleset, options, persons and companies (SR-1.6, 2.1, 8.1)."""
    yield from exactly("ruleset", state.ruleset, facts.RULESET, "SR-1.1")
    for name in Options.__slots__:
        value = getattr(state.options, name)
        allowed: tuple[object, ...] = facts.OPTION_VALUES.get(name, (False, True))
        if value not in allowed or type(value) is not type(allowed[0]):
            rule_id = facts.OPTION_RULES.get(name, "SR-1.6")
            stated = str(value)[:LONGEST_WORD]
            yield broken(f"options.{camel(name)}", rule_id, "option_value", option=camel(name), value=stated)
    yield from one_of("phase", state.phase, PHASES, "SR-3.1")
    seats = len(state.players)
    yield from in_range("players", seats, min(facts.PLAYERS), max(facts.PLAYERS), "SR-2.1")
    yield from exactly("companies", len(state.companies), player_facts(state).companies, "SR-2.1")
    for index, company in enumerate(state.companies):
        yield from one_of(f"companies[{index}]", company, facts.COMPANIES, "SR-1.1")
    yield from distinct("companies", state.companies, "SR-1.1")
    for index, player in enumerate(state.players):
        path = f"players[{index}]"
        yield from exactly(f"{path}.seat", player.seat, f"G{index + 1}", "SR-2.1")
        own = ", ".join(state.companies[index::seats])
        yield from exactly(f"{path}.companies", ", ".join(player.companies), own, "SR-8.1")


def check_presence(state: State) -> Iterator[Violation]:
    """What lies on the table in which phase (SR-2.1)."""
    reached = PHASES.index(state.phase)
    for path, there, phase in (
        ("boundary", state.boundary is not None, "boundary"),
        ("river", bool(state.river), "river"),
        ("mountain", bool(state.mountain), "mountain"),
    ):
        rule_check = present if reached > SETUP_PHASES.index(phase) else absent
        yield from rule_check(path, there, "SR-2.1")
    if state.phase in SETUP_PHASES:
        yield from absent("stations", state.stations, "SR-2.1")
    if state.phase not in (*_TURN_PHASES, "over"):
        yield from absent("strings", state.strings, "SR-2.1")
        yield from absent("forfeits", any(state.forfeits.values()), "SR-2.1")
        yield from absent("aside", state.aside, "SR-2.1")
    if state.phase == "place":
        yield from present("pending", state.pending, "SR-4.1")
    else:
        yield from absent("pending", state.pending, "SR-4.1")
    most = len(state.companies) + facts.STACK_SIZE
    yield from in_range("stations", len(state.stations), 0, most, "SR-1.2")
    each = sum(player_facts(state).strings.values())
    yield from in_range("strings", len(state.strings), 0, len(state.companies) * each, "SR-1.1")


def check_scenery(state: State) -> Iterator[Violation]:
    """Boundary, river and mountain, as if they were laid now (SR-2.3 to 2.5)."""
    if state.boundary is not None:
        laid = SetupBoundary("", state.boundary.ring, state.boundary.marks)
        yield from _well_formed("boundary", laid)
        yield from normal("boundary.ring", laid.ring, merged(laid.ring, True), "SR-9.2")
        yield from legal("boundary", verify_boundary(state, laid))
    if state.river:
        river = SetupRiver("", state.river)
        yield from _well_formed("river", river)
        yield from normal("river", river.path, merged(river.path), "SR-9.2")
        yield from legal("river", verify_river(state, river))
    if state.mountain:
        mountain = SetupMountain("", state.mountain)
        yield from _well_formed("mountain", mountain)
        yield from normal("mountain", mountain.ring, merged(mountain.ring, True), "SR-9.2")
        yield from legal("mountain", verify_mountain(state, mountain))


def _well_formed(path: str, move: Move) -> Iterator[Violation]:
    yield from legal(path, verify_format(move))


def _bare(state: State) -> State:
    """The table with nothing but the strings of the set-up."""
    return replace(state, stations=[], strings=[], forfeits={}, pending=[], aside=[])


def check_stations(state: State) -> Iterator[Violation]:
    """Starting stations in turn order, then tiles, each as if it were placed now (SR-2.6, 4.2 to 4.5)."""
    on_table = _bare(state)
    companies = len(state.companies)
    yield from distinct("stations", [station.id for station in state.stations], "SR-11.2")
    for index, station in enumerate(state.stations):
        path = f"stations[{index}]"
        yield from _named(f"{path}.id", station.id)
        yield from one_of(f"{path}.kind", station.kind, facts.STATIONS, "SR-1.3")
        if index < companies:
            company = state.companies[index]
            yield from exactly(f"{path}.kind", station.kind, facts.START, "SR-2.6")
            yield from exactly(f"{path}.owner", station.owner, company, "SR-2.6")
            start = PlaceStart(company, station.mark, station.corners)
            yield from _well_formed(path, start)
            yield from legal(path, verify_place_start(on_table, start))
        else:
            yield from one_of(f"{path}.kind", station.kind, facts.STACK, "SR-1.3")
            if facts.STATIONS[station.kind].controlled:
                yield from one_of(f"{path}.owner", station.owner, state.companies, "SR-4.5")
            else:
                yield from absent(f"{path}.owner", station.owner, "SR-4.5")
            yield from exactly(f"{path}.mark", station.mark, -1, "SR-2.6")
            placed = PlaceStation(state.companies[0], station.kind, station.corners)
            yield from _well_formed(path, placed)
            on_table.pending = [station.kind]
            yield from legal(path, verify_place_station(on_table, placed))
        yield from normal(f"{path}.corners", station.corners, square(station.corners).corners, "SR-9.3")
        on_table.stations.append(station)
    if state.phase == "start":
        yield from in_range("stations", len(state.stations), 0, companies - 1, "SR-2.6")
    elif state.phase not in SETUP_PHASES:
        yield from in_range(
            "stations", len(state.stations), companies, companies + facts.STACK_SIZE, "SR-2.6"
        )


def _named(path: str, name: str) -> Iterator[Violation]:
    if not ID.fullmatch(name) or name in (RIVER, MOUNTAIN):
        yield broken(path, "SR-11.2", "id_form", id=name[:LONGEST_WORD])


def check_strings(state: State) -> Iterator[Violation]:
    """Each string as if it were laid now on top of those before it (SR-5)."""
    on_table = replace(_bare(state), stations=state.stations)
    yield from distinct("strings", [string.id for string in state.strings], "SR-11.2")
    for company, given_up in state.forfeits.items():
        yield from one_of("forfeits", company, state.companies, "SR-5.12")
        for length in given_up:
            yield from one_of(f"forfeits.{company}", length, LENGTHS, "SR-5.12")
    for index, string in enumerate(state.strings):
        path = f"strings[{index}]"
        yield from _named(f"{path}.id", string.id)
        yield from one_of(f"{path}.company", string.company, state.companies, "SR-1.1")
        yield from one_of(f"{path}.length", string.length, LENGTHS, "SR-1.1")
        laid = LayString(string.company, string.length, string.path)
        yield from _well_formed(path, laid)
        yield from normal(f"{path}.path", string.path, merged(string.path), "SR-9.2")
        yield from legal(path, verify_lay_string(on_table, laid))
        on_table.strings.append(string)
    for company in state.companies:
        given = state.forfeits.get(company, [])
        for length in LENGTHS:
            laid_of = sum(s.company == company and s.length == length for s in state.strings)
            most = player_facts(state).strings[length] - laid_of
            yield from in_range(f"forfeits.{company}", given.count(length), 0, most, "SR-5.12")


def check_turn(state: State) -> Iterator[Violation]:
    """Whose turn it is, and that strings were laid and given up in turn order (SR-2.1, 3.1, 7.1)."""
    companies = state.companies
    used = [
        sum(string.company == company for string in state.strings) + len(state.forfeits.get(company, ()))
        for company in companies
    ]
    turns = sum(used)
    if state.phase in SETUP_PHASES:
        expected = with_duty(state, state.phase)
    elif state.phase == "start":
        expected = companies[len(state.stations)]
    else:
        each = sum(player_facts(state).strings.values())
        over = turns == each * len(companies)
        expected = "" if over else companies[turns % len(companies)]
        if over != (state.phase == "over"):
            yield from exactly("phase", state.phase, "over" if over else "draw", "SR-7.1")
    yield from exactly("acting", state.acting, expected, "SR-3.1")
    given_up = {company: len(state.forfeits.get(company, ())) for company in companies}
    next_string = 0
    for number in range(turns):
        company = companies[number % len(companies)]
        if next_string < len(state.strings) and state.strings[next_string].company == company:
            next_string += 1
        elif given_up[company]:
            given_up[company] -= 1
        else:
            yield broken(f"strings[{next_string}]", "SR-3.1", "state_turn_order", company=company)
            return


def check_stack(state: State) -> Iterator[Violation]:
    """Every tile is somewhere, and as many were drawn as the turns allow (SR-1.3, 3.2 to 3.4)."""
    for name, kinds in (("pending", state.pending), ("aside", state.aside)):
        yield from in_range(name, len(kinds), 0, facts.STACK_SIZE, "SR-1.3")
        for index, kind in enumerate(kinds):
            yield from one_of(f"{name}[{index}]", kind, facts.STACK, "SR-1.3")
    yield from in_range("pending", len(state.pending), 0, 3, "SR-3.4")
    for kind in state.stack:
        yield from one_of("stack", kind, facts.STACK, "SR-1.3")
    away = Counter([station.kind for station in state.stations] + state.pending + state.aside)
    for kind, count in facts.STACK.items():
        yield from exactly(f"stack.{kind}", state.stack.get(kind, -1), count - away[kind], "SR-1.3")
        yield from in_range(f"stack.{kind}", state.stack[kind], 0, count, "SR-1.3")
    drawn = facts.STACK_SIZE - sum(state.stack.values())
    turns = len(state.strings) + sum(map(len, state.forfeits.values())) + (state.phase in ("place", "lay"))
    extra = min(turns, away[facts.COUNTRY])
    least, most = (turns + 1, turns + 1 + extra) if turns else (0, 0)
    yield from in_range("stack", drawn, min(least, facts.STACK_SIZE), most, "SR-3.2")
    yield from _check_chance(state, drawn)


def _check_chance(state: State, drawn: int) -> Iterator[Violation]:
    path = f"random.{state.chance.mode}"
    yield from exactly(f"{path}.draws", state.chance.draws, drawn, "SR-3.2")
    if state.chance.mode == "external":
        yield from absent("random.seeded.seed", state.chance.seed, "SR-2.7")
    elif state.phase != "over" and not state.chance.seed:
        yield broken("random.seeded.seed", "SR-2.7", "state_seed")


def check_scores(state: State) -> Iterator[Violation]:
    """The scores are those that the position gives (SR-6.12)."""
    for company in state.scores:
        yield from one_of("scores", company, state.companies, "SR-6.12")
    counted = recounted(state)
    for company, points in counted.items():
        yield from exactly(f"scores.{company}", state.scores.get(company, 0), points, "SR-6.12")
        yield from present(f"scores.{company}", company in state.scores, "SR-6.12")


CHECKS: Final[tuple[Check, ...]] = (
    check_game,
    check_presence,
    check_scenery,
    check_stations,
    check_strings,
    check_turn,
    check_stack,
    check_scores,
)
