"""What a viewer may see: everything, except the seed of draws still to come (CZ-18.2)."""

from dataclasses import replace

from services.eighteen_cz.rules.state import State
from services.ruleset.chance import Chance


def view(state: State, viewer: str) -> State:
    """The position without the seed, unless the viewer is the arbiter or the game is over."""
    if viewer == "arbiter" or state.stage == "over" or not state.chance.seed:
        return state
    return replace(state, chance=Chance(state.chance.mode, "", state.chance.draws))
