"""Plain JSON trees changed at random: what a client with a hammer makes of a good document."""

import copy
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

import orjson

from tests.fuzz.garbage import INTEGERS, TEXTS, any_json

Tree = Any


def copied(tree: Tree) -> Tree:
    """A deep copy, in the fastest way that works."""
    try:
        return orjson.loads(orjson.dumps(tree))
    except TypeError:  # integers beyond 64 bits, halves of surrogate pairs
        return copy.deepcopy(tree)


class Spot(NamedTuple):
    """A value inside a tree: what holds it, and under which key or index."""

    holder: Any
    key: Any

    @property
    def value(self) -> Any:
        return self.holder[self.key]

    def put(self, value: Any) -> None:
        self.holder[self.key] = value


def spots(tree: Tree, *kinds: type) -> list[Spot]:
    """Every value inside a tree that is of one of these types (and no subtype: True is no int)."""
    found: list[Spot] = []
    ahead = [tree]
    while ahead:
        holder = ahead.pop()
        pairs = holder.items() if type(holder) is dict else enumerate(holder)
        for key, value in pairs:
            kind = type(value)
            if kind in kinds:
                found.append(Spot(holder, key))
            if kind is dict or kind is list:
                ahead.append(value)
    return found


def find(rng: Random, tree: Tree, *kinds: type) -> Spot | None:
    """A random one of these values."""
    found = spots(tree, *kinds) if isinstance(tree, dict | list) else []
    return rng.choice(found) if found else None


def _alike(tree: Tree, spot: Spot) -> list[Spot]:
    """Values of the same type under the same name, such as every `treasury`."""
    same = spots(tree, type(spot.value))
    named = [one for one in same if one.key == spot.key] if isinstance(spot.key, str) else same
    return named if len(named) > 1 else same


def change_integer(rng: Random, tree: Tree) -> None:
    if spot := find(rng, tree, int):
        near = spot.value + rng.choice([-1, 1, -10, 10, rng.randint(-100, 100)])
        spot.put(
            rng.choice([near, near, near, 0, rng.choice(_alike(tree, spot)).value, rng.choice(INTEGERS)])
        )


def move_amount(rng: Random, tree: Tree) -> None:
    """Between two values of one name, so that their sum stays."""
    if spot := find(rng, tree, int):
        other = rng.choice(_alike(tree, spot))
        amount = rng.choice([1, 2, 10, spot.value, rng.randint(-50, 50)])
        spot.put(spot.value - amount)
        other.put(other.value + amount)


def change_text(rng: Random, tree: Tree) -> None:
    """A name for another one of the same tree, or for any text."""
    if spot := find(rng, tree, str):
        own = rng.choice(_alike(tree, spot)).value
        any_text = find(rng, tree, str)
        spot.put(rng.choice([own, own, own, any_text.value if any_text else "", rng.choice(TEXTS)]))


def flip(rng: Random, tree: Tree) -> None:
    if spot := find(rng, tree, bool):
        spot.put(not spot.value)


def swap(rng: Random, tree: Tree) -> None:
    """Two values of the same name, or of one list."""
    if spot := find(rng, tree, int, str, bool, dict, list):
        other = rng.choice(_alike(tree, spot))
        one, two = copied(spot.value), copied(other.value)
        spot.put(two)
        if other.holder is not two:
            other.put(one)


def change_list(rng: Random, tree: Tree) -> None:
    spot = find(rng, tree, list)
    if spot is None:
        return
    items = spot.value
    match rng.randrange(8):
        case 0 if items:
            del items[rng.randrange(len(items))]
        case 1 if items:
            items.insert(rng.randrange(len(items) + 1), copied(rng.choice(items)))
        case 2:
            rng.shuffle(items)
        case 3:
            items.clear()
        case 4 if items:
            del items[rng.randrange(len(items)) :]
        case 5 if items and len(items) < 50:
            items.extend(copied(items) * rng.choice([1, 1, 20]))
        case 6:
            other = rng.choice(_alike(tree, spot)).value
            if other and other is not items:
                items.append(copied(rng.choice(other)))
        case _:
            other = rng.choice(_alike(tree, spot)).value
            if other and other is not items:
                items.append(other.pop(rng.randrange(len(other))))


def drop(rng: Random, tree: Tree) -> None:
    if (spot := find(rng, tree, int, str, bool, dict, list)) and isinstance(spot.holder, dict):
        del spot.holder[spot.key]


def wrong_type(rng: Random, tree: Tree) -> None:
    if spot := find(rng, tree, int, str, bool, dict, list):
        spot.put(any_json(rng))


def add_field(rng: Random, tree: Tree) -> None:
    if spot := find(rng, tree, dict):
        known = [one.key for one in spots(tree, int, str, list, dict) if isinstance(one.key, str)]
        spot.value[rng.choice([*known[:200], *TEXTS])] = rng.choice([0, "", [], {}, None, any_json(rng)])


Change = Callable[[Random, Tree], None]
WELL_TYPED: tuple[Change, ...] = (
    change_integer, change_integer, move_amount, change_text, change_text, flip, swap, swap, change_list,
)  # fmt: skip
"""Changes after which a document mostly is still one of its type."""

ILL_TYPED: tuple[Change, ...] = (drop, wrong_type, add_field)


def graft(rng: Random, tree: Tree, donor: Tree) -> None:
    """Put a part of another document of the same type where it stands there."""
    path: list[Any] = []
    while isinstance(tree, dict | list) and type(tree) is type(donor) and tree:
        keys = list(tree) if isinstance(tree, dict) else list(range(min(len(tree), len(donor))))
        keys = [key for key in keys if not isinstance(donor, dict) or key in donor]
        if not keys:
            return
        key = rng.choice(keys)
        path.append(key)
        if rng.random() < 0.4 or not isinstance(tree[key], dict | list):
            tree[key] = copied(donor[key])
            return
        tree, donor = tree[key], donor[key]


def mutated(rng: Random, tree: Tree, *, ill_typed: bool = False, most: int = 5) -> Tree:
    """A copy with one change or some."""
    tree = copied(tree)
    kinds = [*WELL_TYPED, *ILL_TYPED * 3] if ill_typed else WELL_TYPED
    for _ in range(min(rng.choice([1, 1, 1, 2, 2, 3, most]), most)):
        rng.choice(kinds)(rng, tree)
    return tree
