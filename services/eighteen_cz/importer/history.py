"""Which actions of a record still stand: undo, redo and the site's automatic actions (pure bookkeeping)."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from operator import attrgetter

from services.eighteen_cz.importer.reading import Action

_id = attrgetter("id")


def standing(actions: Iterable[Action]) -> Iterator[Action]:
    """The actions that were not taken back, in order, each followed by its automatic ones.

    `undo` takes back the last standing action, or with `action_id` every one after that id (0: all);
    `redo` brings back what the last undo took, as long as nothing else was done since.  Chat is not
    part of the game and cannot be taken back; standing orders can, but are no moves.
    """
    done: list[Action] = []
    taken_back: list[list[Action]] = []
    for action in actions:
        if action.kind == "message":
            continue
        if action.kind == "undo":
            target = action.numbers.get("action_id")
            kept = max(len(done) - 1, 0) if target is None else bisect_right(done, target, key=_id)
            taken_back.append(done[kept:])
            del done[kept:]
        elif action.kind == "redo":
            if taken_back:
                done += taken_back.pop()
        else:
            taken_back.clear()
            done.append(action)
    for action in done:
        yield from (each for each in (action, *action.automatic) if not each.kind.startswith("program_"))
