"""Hostile requests: moves of every kind with any fields, and requests of every call around a position."""

from functools import cache
from random import Random
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from signalbox.eighteen_cz.v1 import move_pb2, state_pb2

from protojson import from_plain
from services.eighteen_cz import notation
from services.eighteen_cz.game import GAME
from services.eighteen_cz.notation.examples import EXAMPLES
from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.hexmap import MAPS
from services.eighteen_cz.rules.state import CLOSED, REMOVED, VACLAV
from services.eighteen_cz.rules.tiles import KINDS
from tests.fuzz.corpus import Sample
from tests.fuzz.garbage import INTEGERS, UTF8_TEXTS, broken
from tests.fuzz.mutation import mutated

Plain = dict[str, Any]

SEATS = tuple(f"G{number}" for number in range(1, 7))
HEXES = tuple(MAPS["standard"].hexes)
FACES = tuple(KINDS)
WORDS_BY_FIELD: dict[str, tuple[str, ...]] = {
    "actor": (*SEATS, *facts.COMPANIES, "CHANCE", VACLAV, ""),
    "company": tuple(facts.COMPANIES),
    "local": tuple(facts.LOCALS),
    "waiver": ("", "", *facts.LOCALS),
    "hex": HEXES,
    "hexes": HEXES,
    "tile": FACES,
    "stops": (*HEXES, *(f"{name}.{city}" for name in ("E12", "B9", "F3", "C26") for city in range(4))),
    "train": tuple(facts.VERSIONS),
    "version": tuple(facts.VERSIONS),
    "card": ("", *facts.VERSIONS),
    "source": ("stack", "pool", *facts.COMPANIES),
    "seat": (*SEATS, VACLAV, ""),
    "holder": (*SEATS, VACLAV),
    "director": (*SEATS, VACLAV, ""),
    "owner": (*SEATS, *facts.COMPANIES, "", REMOVED, CLOSED),
    "phase": tuple(facts.PHASES),
    "row": tuple(facts.ROWS),
}
SMALL = (-1, 0, 1, 2, 3, 4, 5, 6, 10, 20, 60, 100, 500)


def any_value(rng: Random, field: Any) -> Any:
    """A well-typed value of a field, mostly one with a meaning."""
    entry = field.message_type
    if entry is not None and entry.GetOptions().map_entry:
        return {
            str(rng.choice(UTF8_TEXTS)): _one(rng, entry.fields_by_name["value"])
            for _ in range(rng.randrange(3))
        }
    if field.is_repeated:
        most = rng.choice([0, 1, 2, 3, 8, 8, 40])
        return [_one(rng, field) for _ in range(rng.randint(0, most))]
    return _one(rng, field)


def _one(rng: Random, field: Any) -> Any:
    if field.message_type is not None:
        return any_message(rng, field.message_type)
    if field.enum_type is not None:
        return rng.choice(field.enum_type.values).name
    if field.type == FieldDescriptor.TYPE_BOOL:
        return rng.random() < 0.5
    if field.type == FieldDescriptor.TYPE_INT32:
        number = rng.choice(INTEGERS) if rng.random() < 0.1 else rng.choice(SMALL)
        return max(-(2**31), min(2**31 - 1, number))
    return rng.choice(UTF8_TEXTS if rng.random() < 0.1 else WORDS_BY_FIELD.get(field.name, UTF8_TEXTS))


def any_message(rng: Random, kind: Any) -> Plain:
    """A well-typed plain message; of a oneof one member, now and then none."""
    plain: Plain = {}
    if kind.full_name.startswith("google.protobuf."):
        return {"a": [1, {"b": rng.choice(UTF8_TEXTS)}]}
    for oneof in kind.oneofs:
        if rng.random() < 0.9:
            field = rng.choice(oneof.fields)
            plain[field.json_name] = any_value(rng, field)
    for field in kind.fields:
        if field.containing_oneof is None and rng.random() < 0.95:
            plain[field.json_name] = any_value(rng, field)
    return plain


def any_move(rng: Random, sample: Sample) -> Plain:
    """A well-typed move: made up, or the one made from the sample with something changed; or in notation."""
    if rng.random() < 0.3:
        plain: Plain = mutated(rng, {**sample.move, "notation": ""}, most=2)
        if _well_typed(plain):
            return plain
    plain = any_message(rng, move_pb2.Move.DESCRIPTOR)
    plain["notation"] = ""
    if rng.random() < 0.7:
        plain["actor"] = rng.choice([sample.move["actor"], ""])
    if rng.random() < 0.15:
        return {"notation": any_notation(rng, sample)}
    return plain


def _well_typed(plain: Plain) -> bool:
    try:
        from_plain(move_pb2.Move, plain)
    except ValueError:
        return False
    return True


@cache
def _lines() -> tuple[str, ...]:
    return tuple(EXAMPLES.values())


def any_notation(rng: Random, sample: Sample) -> str:
    """A line of notation, right, wrong or no such thing."""
    plain = sample.move
    own = plain["notation"] or notation.write(GAME.move_from_plain(plain))
    line = rng.choice([own, own, *_lines()])
    match rng.randrange(5):
        case 0:
            return line
        case 1:
            words = line.split(" ")
            words[rng.randrange(len(words))] = rng.choice([*UTF8_TEXTS, *WORDS_BY_FIELD["actor"], *words])
            return " ".join(words)
        case 2:
            words = line.split(" ")
            rng.shuffle(words)
            return " ".join(words)
        case 3:
            return broken(rng, line.encode()).decode(errors="ignore")
        case _:
            return line * rng.choice([2, 100]) if rng.random() < 0.5 else rng.choice(UTF8_TEXTS)


STATE_FIELDS: dict[str, Any] = {field.name: field for field in state_pb2.State.DESCRIPTOR.fields}


def any_request(rng: Random, call: str, position: Plain, sample: Sample) -> Plain:
    """A request of a call about a position, well-typed as long as the position is, with odd fields beside."""
    request: Plain = {"position": position}
    match call:
        case "Describe":
            return {}
        case "Start":
            return {"setup": any_setup(rng), "returns": _returns(rng)}
        case "LegalMoves":
            odd = rng.random() < 0.2
            request.update(
                kinds=[rng.choice(["lay_tile", "run_trains", *UTF8_TEXTS])] if odd else [],
                seat=rng.choice([*SEATS, *UTF8_TEXTS]) if rng.random() < 0.2 else "",
                place=rng.choice([*HEXES, *UTF8_TEXTS]) if rng.random() < 0.2 else "",
                countsOnly=rng.random() < 0.3,
                pageSize=rng.choice([0, 0, 1, 7, 1000, 1001, -1, 2**31 - 1]),
                pageToken=rng.choice(["", "", "", "MC4", *UTF8_TEXTS]),
            )
        case "CheckMove":
            request.update(
                move=any_move(rng, sample), seat=_seat(rng), closest=rng.choice([0, 0, 1, 5, 20, -1])
            )
        case "ApplyMove":
            request.update(move=any_move(rng, sample), seat=_seat(rng), returns=_returns(rng))
        case "Replay":
            if rng.random() < 0.5:
                lines = [any_notation(rng, sample) for _ in range(rng.randrange(5))]
                request["record"] = {
                    "format": "notation",
                    "text": rng.choice(["\n", "\r\n", "\v"]).join(lines),
                }
            else:
                position["moves"] = [any_move(rng, sample) for _ in range(rng.randrange(3))]
            request.update(returns=_returns(rng), onlyViolations=rng.random() < 0.3)
        case "Import":
            request["record"] = {"format": "notation", "text": any_notation(rng, sample)}
        case "View" | "Render":
            request["viewer"] = rng.choice(["", "spectator", "arbiter", "G1", "G2", *UTF8_TEXTS[:6]])
            if call == "Render" and rng.random() < 0.5:
                request["move"] = any_move(rng, sample)
            if call == "Render" and rng.random() < 0.5:
                request["violation"] = {
                    "at": rng.choice([*HEXES, *UTF8_TEXTS]),
                    "message": rng.choice(UTF8_TEXTS),
                }
    if call not in ("Start", "Replay", "Import") and rng.random() < 0.03:
        request["expectedStateHash"] = rng.choice(UTF8_TEXTS)
    return request


def any_setup(rng: Random) -> Plain:
    """A setup, good or bad."""
    seats = [
        {"name": rng.choice(UTF8_TEXTS[:50])} for _ in range(rng.choice([0, 1, 2, 2, 3, 4, 5, 6, 7, 100]))
    ]
    if seats and rng.random() < 0.3:
        seats[0]["id"] = rng.choice(UTF8_TEXTS)
    switches = any_message(rng, STATE_FIELDS["switches"].message_type) if rng.random() < 0.3 else {}
    random = rng.choice([{}, {"external": {}}, {"seeded": {}}, {"seeded": {"seed": rng.choice(UTF8_TEXTS)}}])
    return {
        "seats": seats,
        "ruleset": rng.choice(["", "", "", *facts.RULESETS, *UTF8_TEXTS[:40]]),
        "random": random,
        "options": {
            "variant": rng.choice(["", "", "standard", "bohemia", "moravia-silesia", *UTF8_TEXTS[:30]]),
            "switches": switches,
        },
    }


def _returns(rng: Random) -> list[str]:
    forms = ["POSITION_FORM_STATE", "POSITION_FORM_SEALED", "POSITION_FORM_VIEW", "POSITION_FORM_NONE"]
    return rng.sample(forms, rng.randrange(5)) + (
        ["POSITION_FORM_UNSPECIFIED"] if rng.random() < 0.05 else []
    )


def _seat(rng: Random) -> str:
    return rng.choice(["", "", *SEATS[:3], *UTF8_TEXTS[:5]])
