"""The tiny game as the chassis needs it."""

import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final, get_args

from services.chassis.game import Game, Imported, Importer, Malformed, Marks, Plain, Position, Record, Warning
from services.ruleset.answers import Violation
from services.ruleset.chance import Chance
from services.ruleset.protocol import Budget, Ruleset, SetupRefused
from services.ruleset.rulebook import Rulebook
from tests.tinygame.rules import (
    ROUNDS,
    FaultyRules,
    Hide,
    Move,
    Paint,
    Player,
    Sky,
    SlowRules,
    State,
    TinyRules,
    Weather,
    actor,
)

SKIES: Final[tuple[Sky, ...]] = get_args(Sky)

EXAMPLES = {"hide": "A hide 3", "paint": "A paint red", "weather": "CHANCE weather sun"}


class TinyGame:
    """See `services.chassis.game.Game`."""

    name: str = "tiny-game"
    service: str = "signalbox.tiny_game.v1.TinyGameRulesService"
    turn_rule: str = "TG-3"
    default_ruleset: str = TinyRules.id

    def __init__(self) -> None:
        self.rulebook = Rulebook(files("tests.tinygame") / "rulebook")
        self.rulesets: Mapping[str, Ruleset[State, Move]] = {
            rules.id: rules for rules in (TinyRules(), SlowRules(), FaultyRules())
        }
        self.importers: Mapping[str, Importer[State, Move]] = {"diary": read_diary}

    def info(self, language: str) -> Plain:
        return {
            "name": self.name,
            "title": "Hats",
            "minSeats": 2,
            "maxSeats": 2,
            "variants": [
                {"id": name, "title": name, "seats": [2], "available": name in ROUNDS, "ruleId": "TG-1"}
                for name in (*ROUNDS, "night")
            ],
            "rulesets": [
                {"id": name, "title": name, "default": name == TinyRules.id} for name in self.rulesets
            ],
            "moveKinds": [
                {
                    "kind": kind.kind,
                    "title": kind.title,
                    "example": EXAMPLES[kind.kind],
                    "ruleIds": list(kind.rule_ids),
                }
                for kind in self.rulebook.move_kinds(language)
            ],
        }

    def complete_setup(self, setup: Plain) -> Plain:
        variant = setup["variant"] or "short"
        if variant == "night":
            raise SetupRefused(Violation("TG-1", "no_rules_for_night", {}, "variant"))
        if variant not in ROUNDS:
            raise SetupRefused(Violation("TG-1", "unknown_variant", {"variant": variant}, "variant"))
        seats = []
        for index, seat in enumerate(setup["seats"]):
            if seat["id"] not in ("", "AB"[index : index + 1]):
                raise Malformed(f"seats[{index}].id", "must be A, then B")
            seats.append({**seat, "id": "AB"[index : index + 1]})
        return {**setup, "seats": seats, "variant": variant}

    def state_to_plain(self, state: State) -> Plain:
        chance = state.chance
        seeded = {
            "seed": chance.seed,
            "commitment": chance.commitment,
            "draws": chance.draws,
            "nonce": state.nonce,
        }
        return {
            "ruleset": state.ruleset,
            "random": {"seeded": seeded}
            if chance.mode == "seeded"
            else {"external": {"draws": chance.draws}},
            "rounds": state.rounds,
            "round": state.round,
            "sky": _sky_to_plain(state.sky),
            "players": [_player_to_plain(player) for player in state.players],
        }

    def state_from_plain(self, plain: Plain) -> State:
        random = plain.get("random", {})
        if seeded := random.get("seeded"):
            chance, nonce = Chance("seeded", seeded["seed"], seeded["draws"]), seeded["nonce"]
        elif "external" in random:
            chance, nonce = Chance("external", "", random["external"]["draws"]), ""
        else:
            raise Malformed("random", "needs a mode")
        players = tuple(
            Player(
                player["seat"],
                player["purse"],
                player["points"],
                player["decided"],
                player.get("hidden"),
                player["hat"],
            )
            for player in plain["players"]
        )
        sky = _sky_from_plain(plain["sky"], "sky")
        return State(plain["ruleset"], chance, nonce, plain["rounds"], plain["round"], sky, players)

    def move_to_plain(self, move: Move) -> Plain:
        body: Plain
        if isinstance(move, Hide):
            body = {"coins": move.coins}
        elif isinstance(move, Paint):
            body = {"colour": move.colour}
        else:
            body = {"sky": _sky_to_plain(move.sky)}
        return {"notation": "", "actor": move.actor, move.kind: body}

    def move_from_plain(self, plain: Plain) -> Move:
        if "hide" in plain:
            return Hide(plain["actor"], plain["hide"]["coins"])
        if "paint" in plain:
            return Paint(plain["actor"], plain["paint"]["colour"])
        return Weather(plain["actor"], _sky_from_plain(plain["weather"]["sky"], "weather.sky"))

    def kind(self, move: Move) -> str:
        return move.kind

    def resolve(self, state: State, move: Move) -> Move:
        return move if move.actor else _acting(move, actor(state))

    def print_move(self, state: State, move: Move) -> str:
        what = move.coins if isinstance(move, Hide) else move.colour if isinstance(move, Paint) else move.sky
        return f"{move.actor} {move.kind} {what}".strip()

    def parse_move(self, state: State, text: str) -> Move:
        found = re.fullmatch(r"(?:(\S+) )?(hide|paint|weather) (.*)", text)
        who, kind, what = found.groups("") if found else ("", "", "")
        if kind == "hide" and re.fullmatch(r"-?[0-9]{1,9}", what):
            return Hide(who, int(what))
        if kind == "paint":
            return Paint(who, what)
        if kind == "weather" and what in SKIES:
            return Weather(who, next(sky for sky in SKIES if sky == what))
        raise Malformed("", "is no move: say `A hide 3`, `A paint red` or `CHANCE weather sun`")

    def summary(self, state: State, move: Move, language: str) -> str:
        body = self.move_to_plain(move)[move.kind]
        return self.rulebook.move(move.kind, language, {"actor": move.actor, **body})

    def render(self, view: State, marks: Marks[Move], language: str) -> str:
        coins = ["?" if player.hidden is None else player.hidden for player in view.players]
        hats = "".join(f'<text x="10" y="{20 + 20 * row}">{coin}</text>' for row, coin in enumerate(coins))
        mark = f"<desc>{'' if marks.move is None else self.print_move(view, marks.move)}{marks.at}</desc>"
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 50">{mark}{hats}</svg>'


def read_diary(record: Record, base: Position[State, Move] | None, budget: Budget) -> Imported[Move]:
    """`{"names": ["...", "..."], "log": ["sun", 3, 2, ...]}`: the weather, and how many coins were hidden."""
    document = record.json()
    log: Any = document.get("log")
    if not isinstance(log, list):
        raise Malformed("log", "must be a list")
    moves: list[Move] = []
    sources = []
    warnings = []
    for index, entry in enumerate(log):
        if isinstance(entry, int):
            moves.append(Hide("", entry))
        elif entry in SKIES:
            moves.append(Weather("", entry))
        elif entry == "rest":
            warnings.append(Warning("rest_left_out", f"log[{index}]"))
            continue
        else:
            raise Malformed(f"log[{index}]", "is neither a weather nor a number")
        sources.append(f"log[{index}]")
    if base is not None:
        return Imported(None, moves, sources, warnings)
    names = document.get("names")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise Malformed("names", "must be a list of names")
    seats = [{"id": "", "name": name, "colour": ""} for name in names]
    setup = {"seats": seats, "ruleset": "", "random": {"external": {"draws": 0}}, "variant": ""}
    return Imported(setup, moves, sources, warnings)


def _acting(move: Move, who: str) -> Move:
    if isinstance(move, Hide):
        return Hide(who, move.coins)
    return Paint(who, move.colour) if isinstance(move, Paint) else Weather(who, move.sky)


def _player_to_plain(player: Player) -> Plain:
    plain = {name: getattr(player, name) for name in Player.__slots__}
    if player.hidden is None:
        del plain["hidden"]
    return plain


def _sky_to_plain(sky: Sky | None) -> str:
    return f"SKY_{(sky or 'unspecified').upper()}"


def _sky_from_plain(value: Any, path: str) -> Sky | None:
    if value == "SKY_UNSPECIFIED":
        return None
    for sky in SKIES:
        if value == _sky_to_plain(sky):
            return sky
    raise Malformed(path, "is no weather")


GAME: Final[Game[State, Move]] = TinyGame()
