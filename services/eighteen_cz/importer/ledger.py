"""What the site numbers and a position does not: where each train card is and each copy of a tile lies.

A position holds trains by version and tiles by number, so a record's `3d-2` or `57-1` is looked up
here.  The ledger follows the moves from the beginning of a record; where a record goes on from a
given position it knows nothing at first, and what it does not know is guessed from the position.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Final, NamedTuple

from services.eighteen_cz.importer.reading import Action
from services.eighteen_cz.rules import facts, hexmap
from services.eighteen_cz.rules.moves import AcquireCompany, AcquiredTrain, BuyTrain, DiscardTrain, Move
from services.eighteen_cz.rules.state import VACLAV, State

STACK: Final = "stack"
POOL: Final = "pool"
GONE: Final = "gone"


class Card(NamedTuple):
    """Where a train card is: `holder` is a company, STACK, POOL, GONE, or "" where nothing is known."""

    holder: str
    row: str  # "" where no card has such a name
    version: str = ""  # the face that it shows; "" where that is not known
    on_top: bool = False  # of the stack


@dataclass(slots=True)
class Ledger:
    complete: bool  # followed from the beginning of the game
    cards: dict[str, Card] = field(default_factory=dict)  # `3d-2` -> where it was last seen
    received: frozenset[str] = frozenset()  # cards that came with the last acquisition
    tiles: dict[str, str] = field(default_factory=dict)  # `57-1` -> hex
    kept_back: tuple[str, str] | None = None  # card and row for a company that Vaclav is still to found

    def follow(self, action: Action, move: Move) -> None:
        """Takes note of a move that was made as the action says."""
        name = action.texts.get("train", "")
        _, row, _ = split_card(name)
        if isinstance(move, BuyTrain):
            self.cards[name] = Card(move.actor, row, move.version)
        elif isinstance(move, DiscardTrain):
            self.cards[name] = Card(POOL, row, move.train)
        elif isinstance(move, AcquiredTrain) and move.choice == "scrap":
            self.cards[name] = Card(GONE, row)
        elif isinstance(move, AcquiredTrain):
            own = facts.VERSION_OF.get((row, facts.COMPANIES[move.actor].size), move.train)
            self.cards[name] = Card(move.actor, row, own)
        elif isinstance(move, AcquireCompany):
            self.received = frozenset(
                name for name, card in self.cards.items() if card.holder == move.company
            )
            for name in self.received:
                self.cards[name] = self.cards[name]._replace(holder=move.actor)
        elif action.kind == "lay_tile":
            hex_name = action.texts["hex"]
            self.tiles = {copy: other for copy, other in self.tiles.items() if other != hex_name}
            self.tiles[action.texts["tile"]] = hex_name

    def take_for_vaclav(self, before: State, after: State) -> None:
        """Takes note of the cards that Vaclav's companies took between two positions (CZ-18.2): each its
        first one when it is founded, each a new one in turn when a set ends.

        A company founded because of the turn's first card takes the very next one on the site.
        """
        own = [company for company in after.companies.values() if company.director == VACLAV]
        founded = [company for company in own if before.companies[company.symbol].director != VACLAV]
        if not founded and (before.stage, after.stage) != ("operating", "stock"):
            return
        draws = self._draws(before.stack)
        if founded and self.kept_back:
            draws, self.kept_back = iter([self.kept_back]), None
        to_come = any(pending.kind == "vaclav_company" for pending in after.pending)
        for company in founded or own:
            for name, card in self.cards.items():
                if card.holder == company.symbol:
                    self.cards[name] = card._replace(holder=GONE)
            name, row = next(draws)
            version = facts.VERSION_OF.get((row, facts.COMPANIES[company.symbol].size), "")
            self.cards[name] = Card(company.symbol, row, version)
            if to_come and row > before.phase:
                self.kept_back, to_come = next(draws), False

    def _draws(self, stack: Mapping[str, int]) -> Iterator[tuple[str, str]]:
        """The cards that leave the stack one after the other, each with its row."""
        for row, left in stack.items():
            for copy in range(facts.CARDS[row] - left, facts.CARDS[row]):
                yield f"{facts.ROW_VERSIONS[row][0]}-{copy}", row
        row = facts.LAST_ROW
        for copy in count(sum(card.row == row for card in self.cards.values())):
            yield f"{facts.ROW_VERSIONS[row][0]}-{copy}", row

    def knows(self, card: str) -> bool:
        """Whether the record shows where this card is."""
        return self.complete or card in self.cards

    def card(self, name: str, state: State) -> Card:
        """Where a card is.  The copies of a limited row leave the stack in the order of their numbers."""
        base, row, copy = split_card(name)
        seen = self.cards.get(name)
        if not row:
            return Card("", "")
        if seen is not None:
            return seen._replace(holder=GONE) if seen.version in state.rusted else seen
        top = next((r for r in facts.ROWS if state.stack.get(r, 1)), facts.LAST_ROW)
        if row == facts.LAST_ROW:
            known = [version for version in _in_play(state) if facts.VERSIONS[version].row == row]
            if self.complete or copy >= len(known):
                return Card(STACK, row, base, top == row)
            return Card("", row)
        drawn = facts.CARDS[row] - state.stack.get(row, 0)
        if copy >= drawn:
            return Card(STACK, row, base, top == row and copy == drawn)
        return Card(GONE if self.complete else "", row)

    def hexes(self, tile: str, state: State) -> list[str]:
        """Where a city of `tile` may be: the name of a hex, or a copy of a tile like `57-1`."""
        if tile in self.tiles:
            return [self.tiles[tile]]
        place = tile.partition("-")[0]
        if place in hexmap.MAPS["standard"].hexes:
            return [place]
        return [hex_name for hex_name, laid in state.tiles.items() if laid.number == place]


def split_card(name: str) -> tuple[str, str, int]:
    """The first version, the row and the copy of a card: `3d-2` is ("3d", "d", 2); row "" if none."""
    base, _, copy = name.rpartition("-")
    version = facts.VERSIONS.get(base)
    if version is None or not copy.isdecimal() or len(copy) > 6:
        return base, "", 0
    return base, version.row, int(copy)


def _in_play(state: State) -> list[str]:
    return [*state.pool, *(train for company in state.companies.values() for train in company.trains)]
