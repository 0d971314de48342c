"""Drawing tiles (SR-2.7, 3.2 to 3.4).  The stack is a multiset, so nothing hidden is stored."""

from collections import Counter
from collections.abc import Iterator, Sequence

from services.ruleset.answers import CHANCE, Event, Option, Violation
from services.string_railway.rules import facts
from services.string_railway.rules.moves import Draw
from services.string_railway.rules.refusing import refuse
from services.string_railway.rules.state import State


def draws_another(drawn: Sequence[str], first_turn: bool, left: int) -> bool:
    """Whether one more tile must be drawn after these, with so many left in the stack.

    >>> draws_another(["country"], False, 9), draws_another(["country", "country"], False, 9)
    (True, False)
    """
    base = 2 if first_turn else 1
    return left > 0 and len(drawn) < base + (facts.COUNTRY in drawn[:base])


def is_first_turn(state: State) -> bool:
    """Whether nothing has been drawn yet in this game (SR-3.4)."""
    return sum(state.stack.values()) == facts.STACK_SIZE


def verify_draw(state: State, move: Draw) -> list[Violation]:
    """What the table states must be a possible draw; otherwise nothing may be stated."""
    if state.chance.mode == "seeded":
        if move.drawn:
            return [refuse(move, "drawn", "SR-3.2", "bad_draw", count=len(move.drawn), expected=0)]
        return []
    first, left = is_first_turn(state), sum(state.stack.values())
    expected = 0
    while draws_another(move.drawn[:expected], first, left - expected) and expected < len(move.drawn):
        expected += 1
    if draws_another(move.drawn[:expected], first, left - expected):
        expected += 1
    if expected != len(move.drawn):
        return [refuse(move, "drawn", "SR-3.2", "bad_draw", count=len(move.drawn), expected=expected)]
    for kind, count in Counter(move.drawn).items():
        if count > state.stack.get(kind, 0):
            left = state.stack.get(kind, 0)
            return [refuse(move, "drawn", "SR-3.2", "bad_draw", station_kind=kind[:40], left=left)]
    return []


def do_draw(state: State, move: Draw) -> list[Event]:
    drawn = list(move.drawn)
    if state.chance.mode == "seeded":
        first = is_first_turn(state)
        while draws_another(drawn, first, sum(state.stack.values())):
            drawn.append(_draw_one(state))
    else:
        for kind in drawn:
            state.stack[kind] -= 1
            state.chance = state.chance.drawn()
    state.pending = drawn
    state.phase = "place" if drawn else "lay"
    left = sum(state.stack.values())
    return [
        Event("tiles_drawn", "SR-3.2", {"company": state.acting, "tiles": ", ".join(drawn), "left": left})
    ]


def _draw_one(state: State) -> str:
    number, state.chance = state.chance.draw(sum(state.stack.values()))
    for kind in facts.STACK:
        number -= state.stack[kind]
        if number < 0:
            state.stack[kind] -= 1
            return kind
    raise ValueError("drawn beyond the end of the stack")


def draw_options(state: State) -> Iterator[Option[Draw]]:
    """One option where the draw is seeded; else every possible draw with its weight among all."""
    if state.chance.mode == "seeded":
        yield Option("draw", Draw(state.acting))
        return
    most = 3 if is_first_turn(state) else 2
    yield from _outcomes(dict(state.stack), (), is_first_turn(state), 1, most)


def _outcomes(
    stack: dict[str, int], drawn: tuple[str, ...], first: bool, weight: int, most: int
) -> Iterator[Option[Draw]]:
    left = sum(stack.values())
    if not draws_another(drawn, first, left):
        for missing in range(most - len(drawn)):  # weights of draws of different lengths count alike
            weight *= max(left - missing, 1)
        yield Option("draw", Draw(CHANCE, drawn), weight=weight)
        return
    for kind, count in stack.items():
        if count:
            stack[kind] -= 1
            yield from _outcomes(stack, (*drawn, kind), first, weight * count, most)
            stack[kind] += 1
