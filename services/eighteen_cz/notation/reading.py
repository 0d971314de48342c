"""Lines read as moves."""

from collections.abc import Callable

from services.eighteen_cz.notation.words import KEYWORDS, BadNotation, hex_of, looks_local, neighbours, tokens
from services.eighteen_cz.notation.writing import write
from services.eighteen_cz.rules.moves import (
    AcquireCompany,
    AcquiredTrain,
    AnswerOffer,
    BuyLocal,
    BuyShare,
    BuyTrain,
    ChooseHomeCity,
    DiscardTrain,
    Dividend,
    DraftBuy,
    LayHomeTile,
    LayPurpleTile,
    LayTile,
    Move,
    Pass,
    PlaceStation,
    RemoveStation,
    RepayLoan,
    Route,
    RunTrains,
    SellLocal,
    SellShares,
    StartCompany,
    VaclavCompany,
)


def read(line: str) -> Move:
    """The move of a line.  Raises BadNotation, also for a line that `write` would write otherwise.

    >>> read("G1 par BCB 60")
    StartCompany(actor='G1', company='BCB', price=60)
    """
    words = _Words(line)
    actor = "" if words.peek in _READERS else words.name()
    verb = words.keyword(*_READERS)
    move = _READERS[verb](words, actor)
    words.end()
    written = write(move)
    if written != line:
        common = next((i for i, (a, b) in enumerate(zip(written, line, strict=False)) if a != b), None)
        column = 1 + (min(len(written), len(line)) if common is None else common)
        raise BadNotation(column, f"the canonical form: {written}")
    return move


class _Words:
    """The words of a line, taken one after the other."""

    def __init__(self, line: str) -> None:
        self._tokens = tokens(line)
        self._at = 0

    @property
    def peek(self) -> str:
        """The next word or mark; empty for a quoted name and at the end."""
        token = self._tokens[self._at]
        return token.value if token.kind in ("word", "mark") else ""

    def fail(self, expected: str) -> BadNotation:
        return BadNotation(self._tokens[self._at].column, expected)

    def take(self, word: str) -> bool:
        """Whether the next word or mark is this one; then it is taken."""
        if self.peek != word:
            return False
        self._at += 1
        return True

    def expect(self, word: str) -> None:
        if not self.take(word):
            raise self.fail(f"`{word}`")

    def keyword(self, *words: str) -> str:
        word = self.peek
        if word not in words:
            raise self.fail("one of " + ", ".join(f"`{each}`" for each in words))
        self._at += 1
        return word

    def name(self) -> str:
        token = self._tokens[self._at]
        if token.kind not in ("word", "text") or (token.kind == "word" and token.value in KEYWORDS):
            raise self.fail("a name")
        self._at += 1
        return token.value

    def number(self) -> int:
        """An integer of 32 bits."""
        start = self._at
        sign = -1 if self.take("-") else 1
        digits = self.peek
        # The length is looked at first: reading a number of thousands of digits takes long.
        if digits.isascii() and digits.isdigit() and len(digits) <= 10:
            number = sign * int(digits)
            if -(2**31) <= number < 2**31:
                self._at += 1
                return number
        self._at = start
        raise self.fail("an integer of 32 bits")

    def rotation(self) -> int:
        """`r` and an integer."""
        token = self._tokens[self._at]
        if token.kind != "word" or not token.value.startswith("r"):
            raise self.fail("a rotation, for example `r1`")
        if token.value == "r":
            self._at += 1
        else:
            self._tokens[self._at] = token._replace(value=token.value[1:], column=token.column + 1)
        return self.number()

    def city(self) -> int:
        """The rest of `E12.0` after the hex."""
        self.expect(".")
        return self.number()

    def stop(self) -> str:
        hex_name = self.name()
        return f"{hex_name}.{self.number()}" if self.take(".") else hex_name

    @property
    def at_end(self) -> bool:
        return self._tokens[self._at].kind == "end"

    def end(self) -> None:
        if not self.at_end:
            raise self.fail("the end of the line")

    def list_of(self, item: Callable[[], str], closing: str) -> tuple[str, ...]:
        """Items with commas between them, up to the closing mark."""
        if self.take(closing):
            return ()
        items = [item()]
        while self.take(","):
            items.append(item())
        self.expect(closing)
        return tuple(items)


def _buy(words: _Words, actor: str) -> Move:
    if words.take("local"):
        return DraftBuy(actor, words.name())
    if words.take("share"):
        return BuyShare(actor, words.name())
    item = words.name()
    return DraftBuy(actor, item) if looks_local(item) else BuyShare(actor, item)


def _sell(words: _Words, actor: str) -> Move:
    if words.take("local"):
        return SellLocal(actor, words.name())
    return SellShares(actor, words.name(), words.number())


def _home(words: _Words, actor: str) -> Move:
    if words.take("city"):
        return ChooseHomeCity(actor, words.number())
    return LayHomeTile(actor, words.name(), words.rotation())


def _lay(words: _Words, actor: str) -> Move:
    tile, rotation, hex_name = words.name(), words.rotation(), words.name()
    return LayTile(actor, hex_name, tile, rotation, words.name() if words.take("waive") else "")


def _purple(words: _Words, actor: str) -> Move:
    tile, rotation, hex_name = words.name(), words.rotation(), words.name()
    words.expect("by")
    return LayPurpleTile(actor, words.name(), hex_name, tile, rotation)


def _station(words: _Words, actor: str) -> Move:
    hex_name, city = words.name(), words.city()
    return PlaceStation(actor, hex_name, city, words.number() if words.take("slot") else -1)


def _run(words: _Words, actor: str) -> Move:
    if words.take("none"):
        return RunTrains(actor, (), _revenue(words, 0))
    routes = [_route(words)]
    while words.take(";"):
        routes.append(_route(words))
    return RunTrains(actor, tuple(routes), _revenue(words, -1))


def _revenue(words: _Words, unsaid: int) -> int:
    """The revenue at the end of the line, -1 where it is not stated."""
    if not words.take("="):
        return unsaid
    return -1 if words.take("?") else words.number()


def _route(words: _Words) -> Route:
    train = words.name()
    if words.take("["):
        stops = words.list_of(words.stop, "]")
        lists = []
        while words.take("["):
            lists.append(words.list_of(words.name, "]"))
        return Route(train, stops, tuple(lists))
    path = [words.stop()]
    sections: list[tuple[str, ...]] = []
    while words.peek in ("-", "~"):
        found = words.take("-")
        between: tuple[str, ...] | None = None
        if not found:
            words.expect("~")
        elif words.take("("):
            between = words.list_of(words.name, ")")
            words.expect("-")
        path.append(words.stop())
        start, end = hex_of(path[-2]), hex_of(path[-1])
        if between is None:
            sections.append((start, end) if found and neighbours(start, end) else ())
        else:
            sections.append((start, *between, end))
    if not sections:
        raise words.fail("`-` and the next stop")
    return Route(train, tuple(path), tuple(sections) if any(sections) else ())


def _train(words: _Words, actor: str) -> Move:
    version, price = words.name(), words.number()
    if words.take("pool"):
        card = "" if words.at_end else words.name()
        return BuyTrain(actor, "pool", version, price, card)
    source = words.name() if words.take("from") else "stack"
    return BuyTrain(actor, source, version, price, words.name() if words.take("card") else "")


_READERS: dict[str, Callable[[_Words, str], Move]] = {
    "pass": lambda words, actor: Pass(actor),
    "buy": _buy,
    "par": lambda words, actor: StartCompany(actor, words.name(), words.number()),
    "sell": _sell,
    "repay": lambda words, actor: RepayLoan(actor),
    "home": _home,
    "lay": _lay,
    "purple": _purple,
    "station": _station,
    "run": _run,
    "pay": lambda words, actor: Dividend(actor, "pay"),
    "keep": lambda words, actor: Dividend(actor, "keep"),
    "acquire": lambda words, actor: AcquireCompany(actor, words.name(), words.number()),
    "remove": lambda words, actor: RemoveStation(actor, words.name(), words.city()),
    "upgrade": lambda words, actor: AcquiredTrain(actor, words.name(), "upgrade"),
    "scrap": lambda words, actor: AcquiredTrain(actor, words.name(), "scrap"),
    "discard": lambda words, actor: DiscardTrain(actor, words.name()),
    "train": _train,
    "local": lambda words, actor: BuyLocal(actor, words.name(), words.number()),
    "accept": lambda words, actor: AnswerOffer(actor, True),
    "reject": lambda words, actor: AnswerOffer(actor, False),
    "vaclav": lambda words, actor: VaclavCompany(actor, words.name()),
}
