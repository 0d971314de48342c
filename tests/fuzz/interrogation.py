"""Everything that can be asked of a position, by the rules and by the ten calls, with what must hold.

A position that `validate` lets pass can be handed to every rule without any of them failing: this is what
is attacked here.  Search budgets are small, since what is asked is whether they are kept.
"""

from random import Random
from typing import Any
from xml.etree import ElementTree

from signalbox.eighteen_cz.v1 import move_pb2, state_pb2

from protojson import from_plain, to_plain
from services.chassis.errors import Refused
from services.chassis.game import Malformed, Marks
from services.chassis.wording import Words
from services.eighteen_cz.game import GAME
from services.eighteen_cz.notation.words import LONGEST
from services.eighteen_cz.rules.moves import Move
from services.ruleset.answers import Violation
from services.ruleset.protocol import Budget, Query
from tests.fuzz.asking import any_move, any_request
from tests.fuzz.corpus import Sample
from tests.fuzz.oracle import CALLS, Oracle

Plain = dict[str, Any]

NODES = 50_000
PICTURES = 0.05
"""The share of pictures: one takes as long as twenty other questions."""
ORACLE = Oracle(search_nodes=NODES)
WORDS = {language: Words(GAME, language) for language in GAME.rulebook.languages}
REASONS = GAME.rulebook.codes("reason")


def check_violation(violation: Violation, top: frozenset[str]) -> None:
    """It names a rule of the rulebook, has a sentence, and a path that begins with one of `top`."""
    assert GAME.rulebook.rule(violation.rule_id, "en"), f"no rule {violation.rule_id} ({violation.reason})"
    assert violation.reason in REASONS, f"no sentence for {violation.reason} ({violation.rule_id})"
    first = violation.path.partition(".")[0].partition("[")[0]
    assert first in top, f"{violation.reason} has the path {violation.path!r}"
    for value in violation.values.values():
        assert type(value) in (int, str), f"{violation.reason}: {value!r} is no value"
    for words in WORDS.values():
        assert words.sentence(violation)


STATE_PATHS = frozenset(field.json_name for field in state_pb2.State.DESCRIPTOR.fields)
MOVE_PATHS = frozenset(["", *(field.json_name for field in move_pb2.Move.DESCRIPTOR.fields)])


def well_typed(state: Plain) -> Plain | None:
    """The state as the chassis reads it from the wire; None where the codec refuses it."""
    try:
        plain: Plain = to_plain(from_plain(state_pb2.State, state))
        return plain
    except ValueError as bad:
        assert str(bad)
        return None


def ask_rules(rng: Random, sample: Sample) -> Any:
    """Asks the rules everything about the sample's possible state; a state that may follow, if any."""
    state = GAME.state_from_plain(sample.state)
    rules = GAME.rulesets[sample.state["ruleset"]]
    before = GAME.state_to_plain(state)
    turn = rules.turn(state)
    assert turn.over == (not turn.kinds) and (turn.over or turn.seats or turn.actor == "CHANCE"), turn
    board = rules.score(state)
    for seat in board.seats:
        assert seat.total == sum(line.amount for line in seat.lines), seat
        rules.view(state, seat.seat)
    assert sorted(seat.seat for seat in board.seats) == sorted(state.players)
    options = list(rules.legal_moves(state, Query(), Budget(NODES)))
    assert options or turn.over or "run_trains" in turn.kinds, "nobody can do anything"
    nexts = []
    for option in rng.sample(options, min(len(options), 6)):
        move = option.move
        assert option.kind == move.kind and move.kind in turn.kinds
        assert not rules.check(state, move, Budget(NODES)), f"an option is refused: {move}"
        outcome = rules.apply(state, move, Budget(NODES))
        assert outcome.state is not None, f"an option is refused: {move}"
        nexts.append(outcome.state)
        assert GAME.parse_move(state, GAME.print_move(state, move)) == move
        for event in outcome.events:
            for words in WORDS.values():
                assert words.event(event)["text"] != event.kind, f"no sentence for the event {event.kind}"
        for words in WORDS.values():
            assert GAME.summary(state, move, words.language)
    for _ in range(6):
        ask_move(rng, sample, state)
    if rng.random() < PICTURES:
        marks: Marks[Move] = Marks(
            rng.choice(options).move if options else None, rng.choice(["", "E12", "nowhere"]), "<&>"
        )
        ElementTree.fromstring(GAME.render(rules.view(state, "spectator"), marks, "pl"))
    assert GAME.state_to_plain(state) == before, "a question changed the state"
    return rng.choice(nexts) if nexts else None


def ask_move(rng: Random, sample: Sample, state: Any) -> None:
    """A made-up move: refused in words or carried out, and check and apply agree."""
    rules = GAME.rulesets[sample.state["ruleset"]]
    plain = to_plain(from_plain(move_pb2.Move, any_move(rng, sample)))
    try:
        typed = len(plain) > 2
        move = GAME.move_from_plain(plain) if typed else GAME.parse_move(state, plain["notation"])
    except Malformed as error:
        assert error.message
        return
    move = GAME.resolve(state, move)
    violations = rules.check(state, move, Budget(NODES))
    outcome = rules.apply(state, move, Budget(NODES))
    assert outcome.violations == violations
    assert (outcome.state is None) == bool(violations)
    for violation in violations:
        check_violation(violation, MOVE_PATHS)
    line = GAME.print_move(state, move)
    assert len(line) > LONGEST or GAME.parse_move(state, line) == move
    assert GAME.resolve(state, move) == move, "resolving twice differs from once"
    for words in WORDS.values():
        assert GAME.summary(state, move, words.language)


def ask_calls(rng: Random, sample: Sample, calls: int) -> None:
    """Asks some of the ten calls about the sample's possible state: never an error but a documented one."""
    for call in rng.sample(CALLS, calls):
        if call == "Render" and rng.random() > PICTURES:
            continue
        request = any_request(rng, call, {"state": sample.state}, sample)
        language = rng.choice(["en", "pl", "hu, *;q=0.1"])
        answer = ORACLE.ask(call, request, language)
        if isinstance(answer, Refused):
            # The seed is the chassis's own: the rules do not look at it.
            assert answer.reason != "IMPOSSIBLE_STATE" or "seed" in answer.path, answer
            continue
        check_answer(call, answer)


def check_answer(call: str, parts: list[Plain]) -> None:
    """What every answer keeps, whatever was asked."""
    answer = parts[-1]
    if call in ("CheckMove", "ApplyMove"):
        verdict = answer["verdict"]
        assert verdict["legal"] == (not verdict["violations"])
        assert verdict["legal"] or "position" not in answer
        for violation in verdict["violations"]:
            assert violation["message"] and violation["ruleId"] and violation["path"]
    if call == "Replay":
        assert "summary" in answer
    if call == "Render":
        ElementTree.fromstring(answer["svg"])
    if call == "LegalMoves":
        assert answer["page"]["totalSize"] == sum(one["count"] for one in answer["counts"])
