"""What follows of itself after a move, until somebody has a decision to make."""

from services.eighteen_cz.rules import draft, operating, rounds, trains, vaclav
from services.eighteen_cz.rules.queries import operating_turn
from services.eighteen_cz.rules.state import State
from services.ruleset.answers import Event


def settle(state: State) -> list[Event]:
    """Carries out everything automatic: forced decisions become pending, empty steps and rounds pass by."""
    events: list[Event] = []
    while True:
        trains.keep_discards_due(state)
        following = next_step(state)
        if following is None:
            return events
        events += following


def next_step(state: State) -> list[Event] | None:
    """One automatic step; None where somebody must decide or the game is over."""
    if state.pending:
        if state.pending[0].kind == "vaclav_company" and state.chance.mode == "seeded":
            return vaclav.draw(state)
        return None
    match state.stage:
        case "draft":
            if draft.is_finished(state):
                return draft.remove_unsold(state) + rounds.begin_stock_round(state)
            return draft.pass_if_broke(state) or None
        case "stock":
            if all(player.passed for player in state.players.values()):
                return rounds.finish_stock_round(state)
            return None
        case "operating":
            turn = operating_turn(state)
            if turn.index == len(turn.order):
                return rounds.finish_operating_round(state)
            return operating.advance(state)
    return None
