"""Legal moves: in pages, and the closest ones to a move that is not legal."""

import base64
import binascii
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from services.chassis.call import Call
from services.chassis.canonical import digest
from services.chassis.errors import Refused, malformed
from services.chassis.game import AnyGame, Malformed, Plain
from services.chassis.positions import Held, Positions
from services.ruleset.answers import Choice, IntRange, Option, net_changes
from services.ruleset.protocol import Query

USUAL_PAGE, LARGEST_PAGE = 100, 1000
MOST_CLOSEST = 20


class Listing:
    """Answers LegalMoves, and which legal moves are the closest to another."""

    def __init__(self, game: AnyGame, positions: Positions) -> None:
        self._game, self._positions = game, positions
        self._kinds = frozenset(kind["kind"] for kind in game.info(game.rulebook.languages[0])["moveKinds"])

    def legal_moves(self, request: Any, call: Call) -> Plain:
        size = request.page_size or USUAL_PAGE
        if not 0 < size <= LARGEST_PAGE:
            raise malformed(
                "pageSize", f"must be from 1 to {LARGEST_PAGE}, or 0 for {USUAL_PAGE}", "OUT_OF_RANGE"
            )
        for index, kind in enumerate(request.kinds):
            if kind not in self._kinds:
                known = ", ".join(sorted(self._kinds))
                message = f"is no kind of move of this game; there are {known}"
                raise malformed(f"kinds[{index}]", message, "UNKNOWN_VALUE")
        held = self._positions.resolve(request.position, call, request.expected_state_hash)
        self._positions.check_seat(held, request.seat)
        turn = held.ruleset.turn(held.state)
        query = Query(frozenset(request.kinds), place=request.place)
        wanted = not request.seat or request.seat in turn.seats
        options = list(_options(held, query, call)) if wanted else []
        asked = "\0".join([held.hash, *sorted(query.kinds), "", request.seat, request.place])
        first = _offset(asked, request.page_token, len(options))
        end = first + size
        page = [] if request.counts_only else options[first:end]
        more = not request.counts_only and end < len(options)
        counts = Counter(option.kind for option in options)
        return {
            "options": [call.words.option(held.position, option) for option in page],
            "turn": call.words.turn(turn),
            "counts": [{"kind": kind, "count": count} for kind, count in counts.items()],
            "page": {"nextPageToken": _token(asked, end) if more else "", "totalSize": len(options)},
            "stateHash": held.hash,
        }

    def closest(self, held: Held, move: Any, count: int, call: Call) -> list[Plain]:
        """The legal moves that differ from a move in the fewest fields, then in the least figures; of its own
        kind where there are any.  Free parameters are brought as near to the move as they may be."""
        kind = self._game.kind(move)
        options = list(_options(held, Query(frozenset([kind])), call)) or list(_options(held, Query(), call))
        wanted = dict(_leaves(self._game.move_to_plain(move)))
        near = [self._brought_near(held, option, wanted, call) for option in options]
        near.sort(key=lambda option: _distance(wanted, dict(_leaves(self._game.move_to_plain(option.move)))))
        return [call.words.option(held.position, option) for option in near[:count]]

    def _brought_near(self, held: Held, option: Option[Any], wanted: Plain, call: Call) -> Option[Any]:
        changed = dict(self._game.move_to_plain(option.move))
        values = [
            (parameter.path, value)
            for parameter in option.parameters
            if "[" not in parameter.path
            and (value := _nearest(parameter, wanted.get(parameter.path))) is not None
        ]
        if not values:
            return option
        for path, value in values:
            _set(changed, path.split("."), value)
        try:
            move = self._game.move_from_plain(changed)
        except Malformed:
            return option
        outcome = held.ruleset.apply(held.state, move, call.budget())
        if outcome.violations:
            return option
        preview = net_changes(outcome.events)
        return Option(option.kind, move, option.parameters, preview, option.optimality, option.weight)


def _options(held: Held, query: Query, call: Call) -> Iterator[Option[Any]]:
    for option in held.ruleset.legal_moves(held.state, query, call.budget()):
        call.check_time()
        yield option


def _token(asked: str, offset: int) -> str:
    """Bound to the position and the filters; no secret, since it gives nothing that the request does not."""
    return base64.urlsafe_b64encode(f"{offset}.{digest(f'{asked} {offset}'.encode())[:16]}".encode()).decode()


def _offset(asked: str, token: str, total: int) -> int:
    if not token:
        return 0
    try:
        number = base64.urlsafe_b64decode(token).partition(b".")[0].decode("ascii")
        offset = int(number) if len(number) < 10 else total
    except (ValueError, binascii.Error):
        offset = total
    if offset >= total or _token(asked, offset) != token:
        raise Refused("BAD_PAGE_TOKEN", "was not made for this position and these filters", "pageToken")
    return offset


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every simple value inside a plain one, with its JSON path."""
    inner: Iterable[tuple[str, Any]]
    if isinstance(value, dict):
        inner = ((f"{path}.{key}" if path else key, item) for key, item in value.items())
    elif isinstance(value, list):
        inner = ((f"{path}[{index}]", item) for index, item in enumerate(value))
    else:
        yield path, value
        return
    for place, item in inner:
        yield from _leaves(item, place)


def _distance(one: Plain, other: Plain) -> tuple[int, int]:
    differing = [path for path in one.keys() | other.keys() if one.get(path) != other.get(path)]
    figures = 0
    for path in differing:
        a, b = one.get(path), other.get(path)
        if isinstance(a, int) and isinstance(b, int):
            figures += abs(a - b)
    return len(differing), figures


def _nearest(parameter: Any, wanted: Any) -> int | str | None:
    """The allowed value that is nearest to the wanted one; None where the option's own value may stay."""
    if isinstance(parameter, IntRange) and isinstance(wanted, int):
        steps = round((wanted - parameter.minimum) / parameter.step)
        most = (parameter.maximum - parameter.minimum) // parameter.step
        return parameter.minimum + parameter.step * max(0, min(most, steps))
    if isinstance(parameter, Choice) and wanted in parameter.values:
        return wanted  # type: ignore[no-any-return]
    if isinstance(parameter, Choice) and isinstance(wanted, int):
        figures = [value for value in parameter.values if isinstance(value, int)]
        return min(figures, key=lambda value: abs(value - wanted), default=None)
    return None


def _set(plain: Plain, path: list[str], value: int | str) -> None:
    """Set a value deep inside, copying the dicts on the way to it."""
    for name in path[:-1]:
        plain[name] = dict(plain.get(name, {}))
        plain = plain[name]
    plain[path[-1]] = value
