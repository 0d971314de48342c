"""The rules of the tiny game.

TG-1  Two players, A and B, each with ten coins.  Variant `short` has two rounds, `long` five; `night` has no
      rules.
TG-2  Each round the weather is drawn first: sun (3 in 6), rain (2 in 6) or storm (1 in 6).
TG-3  Then A and B in turn hide coins under their hats, unseen: not more than they have (TG-3.1), and at most
      five in the sun, three in the rain, one in a storm (TG-3.2).
TG-4  On the own turn, before hiding, a hat that has no colour may be painted red, green or blue.
TG-5  Then the hats are lifted.  Who hid more wins as many points as both hid together; the coins are lost.
TG-6  After the last round a point counts 1 and a painted hat 1.  Among equals the fuller purse is ahead.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from services.ruleset.answers import (
    CHANCE,
    Change,
    Choice,
    Event,
    IntRange,
    Option,
    Outcome,
    Scoreboard,
    ScoreLine,
    SeatScore,
    Turn,
    Violation,
)
from services.ruleset.chance import Chance
from services.ruleset.protocol import Budget, Query, SetupRefused

Sky = Literal["sun", "rain", "storm"]
WEIGHTS: dict[Sky, int] = {"sun": 3, "rain": 2, "storm": 1}
LIMITS: dict[Sky | None, int] = {"sun": 5, "rain": 3, "storm": 1, None: 0}
ROUNDS = {"short": 2, "long": 5}
COLOURS = ("red", "green", "blue")
COINS = 10


@dataclass(frozen=True, slots=True)
class Player:
    seat: str
    purse: int = COINS
    points: int = 0
    decided: bool = False
    hidden: int | None = None
    hat: str = ""


@dataclass(frozen=True, slots=True)
class State:
    ruleset: str
    chance: Chance
    nonce: str
    rounds: int
    round: int
    sky: Sky | None
    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class Hide:
    kind: ClassVar[str] = "hide"
    actor: str
    coins: int


@dataclass(frozen=True, slots=True)
class Paint:
    kind: ClassVar[str] = "paint"
    actor: str
    colour: str


@dataclass(frozen=True, slots=True)
class Weather:
    kind: ClassVar[str] = "weather"
    actor: str
    sky: Sky | None


Move = Hide | Paint | Weather


def actor(state: State) -> str:
    """Who must act; empty at the end."""
    if state.round > state.rounds:
        return ""
    if state.sky is None:
        return CHANCE
    return next(player.seat for player in state.players if not player.decided)


class TinyRules:
    """The revision `tiny-game/first-1`."""

    id = "tiny-game/first-1"

    def start(self, setup: Mapping[str, Any]) -> State:
        if len(setup["seats"]) != 2:
            raise SetupRefused(Violation("TG-1", "two_players", {"seats": len(setup["seats"])}, "seats"))
        random = setup["random"]
        seeded = random.get("seeded")
        chance = Chance("seeded", seeded["seed"], 0) if seeded else Chance("external", "", 0)
        nonce = seeded["nonce"] if seeded else ""
        players = Player("A"), Player("B")
        return self._weather(State(self.id, chance, nonce, ROUNDS[setup["variant"]], 1, None, players))[0]

    def _weather(self, state: State) -> tuple[State, tuple[Event, ...]]:
        """Draw the weather of a new round, if the oracle draws (TG-2)."""
        if state.chance.mode == "external" or state.round > state.rounds:
            return state, ()
        number, chance = state.chance.draw(sum(WEIGHTS.values()))
        sky: Sky = [sky for sky, weight in WEIGHTS.items() for _ in range(weight)][number]
        return replace(state, chance=chance, sky=sky), (Event("weather", "TG-2", {"sky": sky}),)

    def validate(self, state: State) -> Violation | None:
        if not 1 <= state.round <= state.rounds + 1 or state.rounds not in ROUNDS.values():
            return Violation("TG-1", "bad_round", {"round": state.round}, "round")
        if [player.seat for player in state.players] != ["A", "B"]:
            return Violation("TG-1", "two_players", {"seats": len(state.players)}, "players")
        over, drawn = state.round > state.rounds, state.sky is not None
        if (over and drawn) or (not over and state.chance.mode == "seeded" and not drawn):
            return Violation("TG-2", "bad_weather", {}, "sky")
        if state.chance.draws != state.round - 1 + drawn:
            return Violation("TG-2", "bad_draws", {"draws": state.chance.draws}, "random")
        for index, player in enumerate(state.players):
            path = f"players[{index}]"
            too_early = player.decided and (not drawn or index == 1)
            if too_early or player.decided != (player.hidden is not None):
                return Violation("TG-3", "bad_hidden", {}, f"{path}.hidden")
            if not 0 <= player.purse + (player.hidden or 0) <= COINS or player.purse < 0:
                return Violation("TG-3.1", "bad_purse", {"purse": player.purse}, f"{path}.purse")
            if not 0 <= (player.hidden or 0) <= LIMITS[state.sky]:
                return Violation("TG-3.2", "bad_hidden", {}, f"{path}.hidden")
            if player.hat not in ("", *COLOURS):
                return Violation("TG-4", "no_such_colour", {"colour": player.hat}, f"{path}.hat")
            if not 0 <= player.points <= 2 * COINS:
                return Violation("TG-5", "bad_points", {"points": player.points}, f"{path}.points")
        return None

    def turn(self, state: State) -> Turn:
        who = actor(state)
        if not who:
            return Turn("", (), "over", (), over=True)
        if who == CHANCE:
            return Turn(CHANCE, (), "weather", ("weather",))
        return Turn(who, (who,), "hide", ("hide", "paint"))

    def legal_moves(self, state: State, query: Query, budget: Budget) -> Iterator[Option[Move]]:
        who = actor(state)
        if not who or query.actor not in ("", who) or query.place:
            return
        options: list[Option[Move]] = []
        if who == CHANCE:
            options = [Option("weather", Weather(who, sky), weight=weight) for sky, weight in WEIGHTS.items()]
        else:
            player = next(player for player in state.players if player.seat == who)
            most = min(player.purse, LIMITS[state.sky])
            options.append(Option("hide", Hide(who, most), (IntRange("hide.coins", 0, most),)))
            if not player.hat:
                options.append(Option("paint", Paint(who, "red"), (Choice("paint.colour", COLOURS),)))
        for option in options:
            budget.spend()
            if not query.kinds or option.kind in query.kinds:
                yield option

    def check(self, state: State, move: Move, budget: Budget) -> tuple[Violation, ...]:
        who = actor(state)
        if not who:
            return (Violation("TG-6", "game_over"),)
        if move.actor not in ("", who):
            return (Violation("TG-3", "not_your_turn", {"seat": move.actor, "actor": who}, "actor"),)
        if isinstance(move, Weather):
            if who != CHANCE:
                return (Violation("TG-2", "weather_is_drawn", {}, "weather"),)
            return () if move.sky else (Violation("TG-2", "no_weather", {}, "weather.sky"),)
        if who == CHANCE:
            return (Violation("TG-2", "weather_first", {}, move.kind),)
        player = next(player for player in state.players if player.seat == who)
        if isinstance(move, Paint):
            return tuple(self._paint_violations(player, move))
        return tuple(self._hide_violations(player, state.sky, move))

    def _paint_violations(self, player: Player, move: Paint) -> Iterator[Violation]:
        if player.hat:
            yield Violation("TG-4", "painted_already", {"colour": player.hat}, "paint")
        if move.colour not in COLOURS:
            yield Violation("TG-4", "no_such_colour", {"colour": move.colour}, "paint.colour")

    def _hide_violations(self, player: Player, sky: Sky | None, move: Hide) -> Iterator[Violation]:
        if not 0 <= move.coins <= player.purse:
            values = {"wanted": move.coins, "has": player.purse}
            yield Violation("TG-3.1", "not_enough_coins", values, "hide.coins", at=player.seat)
        if move.coins > LIMITS[sky]:
            limits: dict[str, int | str] = {"wanted": move.coins, "most": LIMITS[sky], "sky": str(sky)}
            yield Violation("TG-3.2", "too_many_for_weather", limits, "hide.coins")

    def apply(self, state: State, move: Move, budget: Budget) -> Outcome[State]:
        if violations := self.check(state, move, budget):
            return Outcome(violations)
        who = actor(state)
        if isinstance(move, Weather):
            after = replace(state, sky=move.sky, chance=state.chance.drawn())
            return Outcome((), after, (Event("weather", "TG-2", {"sky": str(move.sky)}),))
        index = "AB".index(who)
        player = state.players[index]
        if isinstance(move, Paint):
            after = _with(state, index, replace(player, hat=move.colour))
            return Outcome((), after, (Event("painted", "TG-4", {"seat": who, "colour": move.colour}),))
        purse = player.purse - move.coins
        after = _with(state, index, replace(player, purse=purse, decided=True, hidden=move.coins))
        events = [Event("hidden", "TG-3", {"seat": who})]
        if index == 1:
            after, lifted = self._lift(after)
            events += lifted
        return Outcome((), after, tuple(events))

    def _lift(self, state: State) -> tuple[State, list[Event]]:
        """The end of a round (TG-5), and the weather of the next."""
        a, b = (player.hidden or 0 for player in state.players)
        winner = 0 if a > b else 1 if b > a else None
        players, changes = [], []
        for index, player in enumerate(state.players):
            points = player.points + (a + b if index == winner else 0)
            players.append(replace(player, decided=False, hidden=None, points=points))
            if points != player.points:
                changes.append(Change(player.seat, "points", player.points, points))
        events = [Event("lifted", "TG-5", {"a": a, "b": b}, tuple(changes))]
        after = replace(state, players=tuple(players), round=state.round + 1, sky=None)
        after, drawn = self._weather(after)
        return after, [*events, *drawn]

    def score(self, state: State) -> Scoreboard:
        def total(player: Player) -> int:
            return player.points + bool(player.hat)

        best = max((total(player), player.purse) for player in state.players)
        seats = [
            SeatScore(
                player.seat,
                total(player),
                1 if (total(player), player.purse) == best else 2,
                (ScoreLine("points", player.points, "TG-6"), ScoreLine("hat", int(bool(player.hat)), "TG-6")),
            )
            for player in state.players
        ]
        tied = total(state.players[0]) == total(state.players[1])
        return Scoreboard(tuple(seats), not actor(state), (Event("fuller_purse", "TG-6"),) if tied else ())

    def view(self, state: State, viewer: str) -> State:
        """What is under a hat is known to its owner and an arbiter; to others it seems to be in the purse."""
        players = tuple(
            player
            if viewer in (player.seat, "arbiter")
            else replace(player, hidden=None, purse=player.purse + (player.hidden or 0))
            for player in state.players
        )
        return replace(state, players=players)


class SlowRules(TinyRules):
    """`tiny-game/slow-1`: the same, but each move takes a search that never ends within any deadline."""

    id = "tiny-game/slow-1"

    def apply(self, state: State, move: Move, budget: Budget) -> Outcome[State]:
        while True:
            budget.spend()


class FaultyRules(TinyRules):
    """`tiny-game/faulty-1`: rules with a bug."""

    id = "tiny-game/faulty-1"

    def score(self, state: State) -> Scoreboard:
        raise ZeroDivisionError("a bug")


def _with(state: State, index: int, player: Player) -> State:
    return replace(state, players=(*state.players[:index], player, *state.players[index + 1 :]))
