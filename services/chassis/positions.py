"""Positions as requests give them, and as answers give them back."""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import Any, Literal

import orjson

from protojson import to_plain
from services.chassis import seeds
from services.chassis.call import Call
from services.chassis.canonical import canonical_json, digest
from services.chassis.errors import Reason, Refused, broken, malformed, not_so
from services.chassis.game import AnyGame, Malformed, Plain, Position
from services.chassis.keys import KeyRing
from services.chassis.metrics import Metrics
from services.chassis.sealing import SealError, seal, unseal
from services.chassis.settings import Settings
from services.ruleset.protocol import Ruleset, SetupRefused

Form = Literal["STATE", "SEALED", "VIEW"]
FORMS: tuple[Form | None, ...] = (None, "STATE", "SEALED", "VIEW", None)
"""By the number of `signalbox.v1.PositionForm`; NONE is no form."""

LONGEST_NAME = 80
"""Characters of a player's name or colour."""


class Held:
    """A position with what has been worked out of it; each is worked out once, and never changed."""

    __slots__ = ("_canonical", "_game", "_hash", "_plain", "position")

    def __init__(self, game: AnyGame, position: Position[Any, Any], canonical: bytes = b"") -> None:
        self.position = position
        self._game, self._canonical = game, canonical
        self._plain: Plain | None = None
        self._hash = ""

    @property
    def ruleset(self) -> Ruleset[Any, Any]:
        return self.position.ruleset

    @property
    def state(self) -> Any:
        return self.position.state

    @property
    def plain(self) -> Plain:
        if self._plain is None:
            self._plain = self._game.state_to_plain(self.position.state)
        return self._plain

    @property
    def canonical(self) -> bytes:
        if not self._canonical:
            self._canonical = canonical_json(self.plain)
        return self._canonical

    @property
    def hash(self) -> str:
        if not self._hash:
            self._hash = digest(self.canonical)
        return self._hash


class Memory:
    """The positions of the sealed tokens seen last."""

    def __init__(self, most: int) -> None:
        self._most, self._lock = most, threading.Lock()
        self._held: OrderedDict[str, Held] = OrderedDict()

    def get(self, token: str) -> Held | None:
        with self._lock:
            held = self._held.get(token)
            if held is not None:
                self._held.move_to_end(token)
            return held

    def put(self, token: str, held: Held) -> None:
        with self._lock:
            self._held[token] = held
            while len(self._held) > self._most:
                self._held.popitem(last=False)


class Positions:
    """Resolves and answers the positions of one game."""

    def __init__(self, game: AnyGame, settings: Settings, ring: KeyRing, metrics: Metrics) -> None:
        self._game, self._settings, self._ring, self._metrics = game, settings, ring, metrics
        self._memory = Memory(settings.cached_positions)

    def resolve(self, message: Any, call: Call, expected_hash: str = "") -> Held:
        """The position of a request's `position` field, its moves played.  Raises Refused."""
        held = self.base(message, call)
        if len(message.moves) > self._settings.position_moves:
            most = self._settings.position_moves
            raise Refused("TOO_LARGE", f"may have at most {most} moves", "position.moves", fault="TOO_MANY")
        for index, move in enumerate(message.moves):
            call.check_time()
            path = f"position.moves[{index}]"
            read = self.read_move(held.position, to_plain(move), path)
            outcome = held.ruleset.apply(held.state, read, call.budget())
            if outcome.violations:
                raise broken("ILLEGAL_HISTORY", call.words.violations(outcome.violations, path))
            held = self.hold(Position(held.ruleset, outcome.state))
        if expected_hash and expected_hash != held.hash:
            message = f"is not the hash of the position, which is {held.hash}"
            raise Refused("STATE_HASH_MISMATCH", message, "expectedStateHash", {"stateHash": held.hash})
        return held

    def base(self, message: Any, call: Call) -> Held:
        """The same without the moves."""
        sort = message.WhichOneof("base")
        if sort == "sealed":
            return self._unsealed(message.sealed)
        if sort == "state":
            return self._open(to_plain(message.state), call)
        if sort == "setup":
            return self.start(to_plain(message.setup), call, "position.setup")[0]
        raise malformed("position", "needs one of setup, state and sealed", "MISSING")

    def start(self, setup: Plain, call: Call, path: str) -> tuple[Held, Plain]:
        """The first position of a setup, and the setup as used (without a seed that the oracle chose).

        `path` is where the request has the setup.  Raises Refused.
        """
        ruleset = self._ruleset(setup["ruleset"] or self._game.default_ruleset, f"{path}.ruleset")
        for index, seat in enumerate(setup["seats"]):
            for field in ("name", "colour"):
                if len(seat.get(field, "")) > LONGEST_NAME:
                    where = f"{path}.seats[{index}].{field}"
                    raise malformed(where, f"has more than {LONGEST_NAME} characters", "TOO_LONG")
        random = seeds.normal_random(setup.get("random"), f"{path}.random")
        try:
            completed = self._game.complete_setup({**setup, "ruleset": ruleset.id, "random": random})
            used, answered = seeds.choose_seed(self._ring, self._game.name, completed, path)
            return self.hold(Position(ruleset, ruleset.start(used))), answered
        except Malformed as error:
            raise not_so("MALFORMED_REQUEST", path, error) from None
        except SetupRefused as refused:
            unknown = refused.violation.reason == "unknown_variant"
            reason: Reason = "UNKNOWN_VARIANT" if unknown else "IMPOSSIBLE_SETUP"
            raise broken(reason, call.words.violations([refused.violation], path)) from None

    def _open(self, plain: Plain, call: Call) -> Held:
        path = "position.state"
        if not self._settings.open_states:
            message = "is not accepted: this deployment takes sealed positions, and setups with moves, only"
            raise Refused("OPEN_STATE_NOT_ACCEPTED", message, path)
        ruleset = self._ruleset(plain["ruleset"], f"{path}.ruleset")
        try:
            state = self._game.state_from_plain(plain)
        except Malformed as error:
            raise not_so("MALFORMED_REQUEST", path, error) from None
        if fault := seeds.broken_seed(plain):
            raise Refused("IMPOSSIBLE_STATE", fault, f"{path}.{seeds.SEED_PATH}")
        if violation := ruleset.validate(state):
            raise broken("IMPOSSIBLE_STATE", call.words.violations([violation], path))
        return self.hold(Position(ruleset, state))

    def _unsealed(self, token: str) -> Held:
        if not token:
            message = "is empty; a call answers a sealed position where `returns` has POSITION_FORM_SEALED"
            raise Refused("SEAL_BROKEN", message, "position.sealed", fault="EMPTY")
        held = self._memory.get(token)
        self._metrics.sealed(remembered=held is not None)
        if held is not None:
            return held
        try:
            opened = unseal(self._ring, self._game.name, token)
        except SealError as error:
            raise Refused(error.reason, error.message, "position.sealed") from None
        ruleset = self._ruleset(opened.ruleset, "position.sealed")
        state = self._game.state_from_plain(orjson.loads(opened.canonical))
        held = Held(self._game, Position(ruleset, state), opened.canonical)
        self._memory.put(token, held)
        return held

    def hold(self, position: Position[Any, Any]) -> Held:
        return Held(self._game, position)

    def _ruleset(self, name: str, path: str) -> Ruleset[Any, Any]:
        ruleset = self._game.rulesets.get(name)
        if ruleset is None:
            raise Refused(
                "UNKNOWN_RULESET",
                f"names no ruleset of this game; there are {', '.join(self._game.rulesets)}",
                path,
            )
        return ruleset

    def read_move(self, position: Position[Any, Any], plain: Plain, path: str) -> Any:
        """A move in canonical form, by its kind, its notation or both.  Raises Refused."""
        game, state = self._game, position.state
        notation, actor = plain["notation"], plain["actor"]
        typed = parsed = None
        if len(plain) > 2:
            try:
                typed = game.resolve(state, game.move_from_plain(plain))
            except Malformed as error:
                raise not_so("MALFORMED_REQUEST", path, error) from None
        if notation:
            parsed = self.parse_line(position, notation, f"{path}.notation", actor)
        if typed is None and parsed is None:
            raise malformed(path, "needs a notation or a kind of move", "MISSING")
        if typed is not None and parsed is not None and typed != parsed:
            raise malformed(f"{path}.notation", "says another move than the other fields do", "CONTRADICTION")
        return parsed if typed is None else typed

    def parse_line(self, position: Position[Any, Any], line: str, path: str, actor: str = "") -> Any:
        """A move in canonical form by its notation; `actor` must be its actor, if given.  Raises Refused."""
        game, state = self._game, position.state
        try:
            move = game.parse_move(state, line)
            if actor:
                plain = game.move_to_plain(move)
                if plain["actor"] not in ("", actor):
                    raise malformed(path, "says another actor than the field `actor` does", "CONTRADICTION")
                move = game.move_from_plain({**plain, "actor": actor})
        except Malformed as error:
            raise not_so("BAD_NOTATION", path, error) from None
        return game.resolve(state, move)

    def forms(self, wanted: Iterable[int], default: tuple[Form, ...]) -> tuple[Form, ...]:
        """The forms that a request wants back.  Raises Refused."""
        numbers = list(wanted)
        for index, number in enumerate(numbers):
            if not 0 < number < len(FORMS):
                raise malformed(f"returns[{index}]", "is no form of a position", "UNKNOWN_VALUE")
        return tuple(form for number in numbers if (form := FORMS[number])) if numbers else default

    def answer(self, held: Held, forms: tuple[Form, ...]) -> Plain:
        """The plain PositionAnswer."""
        answer: Plain = {"stateHash": held.hash}
        if "STATE" in forms:
            answer["state"] = held.plain
        if "SEALED" in forms:
            token = seal(self._ring, self._game.name, held.ruleset.id, held.canonical)
            self._memory.put(token, held)
            answer["sealed"] = token
        if "VIEW" in forms:
            answer["view"] = self.view(held, "spectator")
        return answer

    def viewer(self, held: Held, viewer: str) -> str:
        """Raises Refused unless it is a seat of the game, `spectator` or `arbiter`; empty is `spectator`."""
        if viewer and viewer not in ("spectator", "arbiter", *self._seats(held)):
            message = "is neither a seat of this game nor `spectator` nor `arbiter`"
            raise malformed("viewer", message, "UNKNOWN_VALUE")
        return viewer or "spectator"

    def check_seat(self, held: Held, seat: str) -> None:
        """Raises Refused unless the request's `seat` is empty or a seat of the game."""
        if seat and seat not in (seats := self._seats(held)):
            message = f"is no seat of this game; there are {', '.join(seats)}"
            raise malformed("seat", message, "UNKNOWN_VALUE")

    def _seats(self, held: Held) -> list[str]:
        return [seat.seat for seat in held.ruleset.score(held.state).seats]

    def view(self, held: Held, viewer: str) -> Plain:
        """The plain View.  Until the end the seed is withheld from all but the arbiter, who sees all."""
        seen = self._game.state_to_plain(held.ruleset.view(held.state, viewer))
        if viewer != "arbiter" and not held.ruleset.turn(held.state).over:
            seen = seeds.without_seed(seen)
        return {"viewer": viewer, "state": seen, "withheld": list(_differences(held.plain, seen))}


def _differences(whole: Any, seen: Any, path: str = "") -> Iterator[str]:
    """The JSON paths at which two plain values differ."""
    if isinstance(whole, dict) and isinstance(seen, dict):
        for key in sorted(whole.keys() | seen.keys()):
            yield from _differences(whole.get(key), seen.get(key), f"{path}.{key}" if path else key)
    elif isinstance(whole, list) and isinstance(seen, list) and len(whole) == len(seen):
        for index, (one, other) in enumerate(zip(whole, seen, strict=True)):
            yield from _differences(one, other, f"{path}[{index}]")
    elif whole != seen:
        yield path
