"""A game's rulebook: rules, and the sentences for everything that rules answer with codes.

A rulebook is a folder of JSON files, each text given by language (`{"en": ..., "pl": ...}`):

- `rules.json`: rule id -> `title` and `text`, in the order of the rules;
- `reasons/*.json`: reason code of a Violation -> sentence;
- `events/*.json`: kind of an Event -> sentence;
- `moves.json`: kind of move -> `title`, `summary` (a sentence), `rules` (the ids that govern it);
- `labels.json`: any other code shown to people (steps, lines of a score) -> sentence;
- `words.json`: name of a value -> value -> what stands for it in a sentence; under `name@use` other
  forms of these words, where a language needs them.

A sentence has `{name}` where a value goes, `{name@use}` where another form of its word goes,
`{name:one|few|many}` where only a word goes that agrees with a number, and `[...]` around a part that
is left out when a value in it is missing or empty.
What a rulebook lacks, it answers with the code itself: tests find gaps, players never meet an error.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources.abc import Traversable
from typing import Any, Final, Literal

from services.ruleset.answers import Value

Texts = Mapping[str, str]

_TOKEN: Final = re.compile(r"\{(\w+)(@\w+)?(?::([^{}]*))?\}|([\[\]])")


def _two_forms(number: int) -> int:
    return 0 if number == 1 else 1


def _polish_forms(number: int) -> int:
    if number == 1:
        return 0
    return 1 if number % 10 in (2, 3, 4) and number % 100 not in (12, 13, 14) else 2


FORMS: Final[Mapping[str, Callable[[int], int]]] = {
    "en": _two_forms,
    "hu": lambda _: 0,
    "pl": _polish_forms,
}
"""Which form of a word agrees with a number, by language."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Where a value goes, or the one of `forms` that agrees with it.  `use` is the form of its word."""

    name: str
    use: str = ""
    forms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Aside:
    """A part of a sentence that is left out when a value in it is missing or empty."""

    parts: tuple["Part", ...]


Part = str | Gap | Aside


@lru_cache(maxsize=4096)
def parse(sentence: str) -> tuple[Part, ...]:
    """The parts of a sentence.  Raises ValueError when its brackets do not match.

    >>> parse("{n:card|cards}[ of {row}]")
    (Gap(name='n', use='', forms=('card', 'cards')), Aside(parts=(' of ', Gap(name='row', use='', forms=()))))
    """
    stack: list[list[Part]] = [[]]
    end = 0
    for token in _TOKEN.finditer(sentence):
        if token.start() > end:
            stack[-1].append(sentence[end : token.start()])
        end = token.end()
        name, use, forms, bracket = token.groups()
        if name is not None:
            stack[-1].append(Gap(name, use or "", tuple(forms.split("|")) if forms else ()))
        elif bracket == "[":
            stack.append([])
        elif len(stack) == 1:
            raise ValueError(f"a ] without a [ in {sentence!r}")
        else:
            aside = Aside(tuple(stack.pop()))
            stack[-1].append(aside)
    if len(stack) > 1:
        raise ValueError(f"a [ without a ] in {sentence!r}")
    if end < len(sentence):
        stack[0].append(sentence[end:])
    return tuple(stack[0])


def names(sentence: str) -> frozenset[str]:
    """The names of the values that a sentence uses."""
    return frozenset(_names(parse(sentence)))


def needed(sentence: str) -> frozenset[str]:
    """The names of the values that a sentence cannot do without: those outside its asides."""
    return frozenset(part.name for part in parse(sentence) if isinstance(part, Gap))


def _names(parts: tuple[Part, ...]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, Gap):
            yield part.name
        elif isinstance(part, Aside):
            yield from _names(part.parts)


@dataclass(frozen=True, slots=True)
class Rule:
    """A section of the rules in one language."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class MoveKind:
    """A kind of move in one language, with the ids of the rules that govern it."""

    kind: str
    title: str
    rule_ids: tuple[str, ...]


class Rulebook:
    """The texts of one game.  Languages are those of the rules; the first one is the default.

    `duplicates` lists codes that are defined in more than one file of a folder.
    """

    def __init__(self, folder: Traversable) -> None:
        self._rules: Mapping[str, Mapping[str, Texts]] = _read(folder / "rules.json")
        self._moves: Mapping[str, Mapping[str, Any]] = _read(folder / "moves.json")
        self._words: Mapping[str, Mapping[str, Texts]] = _read(folder / "words.json")
        self.duplicates: list[str] = []
        self._sentences: Mapping[str, Mapping[str, Texts]] = {
            "reason": self._gather(folder / "reasons"),
            "event": self._gather(folder / "events"),
            "label": _read(folder / "labels.json"),
            "move": {kind: entry["summary"] for kind, entry in self._moves.items()},
        }
        self.languages: tuple[str, ...] = tuple(next(iter(self._rules.values()))["title"])

    def _gather(self, folder: Traversable) -> dict[str, Texts]:
        texts: dict[str, Texts] = {}
        files = folder.iterdir() if folder.is_dir() else ()
        for file in sorted((file for file in files if file.name.endswith(".json")), key=lambda f: f.name):
            for code, entry in _read(file).items():
                if code in texts:
                    self.duplicates.append(f"{folder.name}/{file.name}: {code}")
                texts[code] = entry
        return texts

    def rules(self, language: str) -> Iterator[Rule]:
        """Every rule, in the order of the rules."""
        for rule_id, entry in self._rules.items():
            title, text = entry["title"], entry["text"]
            yield Rule(rule_id, self._choose(title, language), self._choose(text, language))

    def move_kinds(self, language: str) -> Iterator[MoveKind]:
        """Every kind of move."""
        for kind, entry in self._moves.items():
            yield MoveKind(kind, self._choose(entry["title"], language), tuple(entry["rules"]))

    def rule(self, rule_id: str, language: str) -> Rule | None:
        """One rule, if the rulebook has it."""
        entry = self._rules.get(rule_id)
        if entry is None:
            return None
        return Rule(rule_id, self._choose(entry["title"], language), self._choose(entry["text"], language))

    def reason(self, code: str, language: str, values: Mapping[str, Value]) -> str:
        """The sentence for the reason of a violation."""
        return self._say("reason", code, language, values)

    def event(self, kind: str, language: str, values: Mapping[str, Value]) -> str:
        """The sentence for an event."""
        return self._say("event", kind, language, values)

    def move(self, kind: str, language: str, values: Mapping[str, Value]) -> str:
        """One line that says what a move does."""
        return self._say("move", kind, language, values)

    def label(self, code: str, language: str, values: Mapping[str, Value] | None = None) -> str:
        """What people call a step, a line of a score, a part of the picture."""
        return self._say("label", code, language, values or {})

    def word(self, name: str, value: Value, language: str) -> str:
        """What stands in a sentence for a value called `name` (or `name@use`): its word, else itself."""
        key = str(value).lower() if isinstance(value, bool) else str(value)
        entry = self._words.get(name, {}).get(key)
        return key if entry is None else self._choose(entry, language)

    def codes(self, sort: Literal["reason", "event", "label", "move"]) -> Mapping[str, Texts]:
        """Every sentence of one sort by its code, for tests and tools."""
        return self._sentences[sort]

    def texts(self) -> Iterator[tuple[str, Texts]]:
        """Every text of the rulebook with the place where it stands, for tests and tools."""
        for sort, sentences in self._sentences.items():
            yield from ((f"{sort} {code}", entry) for code, entry in sentences.items())
        for rule_id, rule in self._rules.items():
            yield from ((f"{rule_id} {part}", entry) for part, entry in rule.items())
        for kind, move in self._moves.items():
            yield f"title of move {kind}", move["title"]
        for name, entries in self._words.items():
            yield from ((f"word {name} {value}", entry) for value, entry in entries.items())

    def _choose(self, texts: Texts, language: str) -> str:
        text = texts.get(language)
        return texts.get(self.languages[0], "") if text is None else text

    def _say(self, sort: str, code: str, language: str, values: Mapping[str, Value]) -> str:
        entry = self._sentences[sort].get(code)
        if entry is None:
            return code
        return "".join(self._fill(parse(self._choose(entry, language)), language, values))

    def _fill(self, parts: tuple[Part, ...], language: str, values: Mapping[str, Value]) -> Iterator[str]:
        for part in parts:
            if isinstance(part, str):
                yield part
            elif isinstance(part, Aside):
                if all(values.get(name, "") != "" for name in _names(part.parts)):
                    yield from self._fill(part.parts, language, values)
            else:
                value = values.get(part.name, part.name)
                if part.forms:
                    form = FORMS.get(language, _two_forms)(value) if isinstance(value, int) else -1
                    yield part.forms[min(form, len(part.forms) - 1)]
                else:
                    yield self.word(part.name + part.use, value, language)


def _read(file: Traversable) -> dict[str, Any]:
    """The object in a JSON file; empty when there is no such file."""
    if not file.is_file():
        return {}
    content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return content
