"""States and moves of 18CZ to and from plain data: exactly the ProtoJSON form of their messages.

Plain data is what `services.chassis.game` says: camelCase keys, enums by name, every field without
presence there.  Reading takes what a codec of the contract has already found well-typed, and raises
Malformed for what types cannot say: an enum left unspecified, one company twice.
"""

from services.eighteen_cz.codec.moves import move_from_plain, move_to_plain
from services.eighteen_cz.codec.states import state_from_plain, state_to_plain

__all__ = ["move_from_plain", "move_to_plain", "state_from_plain", "state_to_plain"]
