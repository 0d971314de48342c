"""What belongs to one call beside its request."""

from dataclasses import dataclass

from services.chassis.limits import TimedBudget, check_time
from services.chassis.wording import Words


@dataclass(frozen=True, slots=True)
class Call:
    """`words` speaks the caller's language, `deadline` is in seconds of the monotonic clock, `nodes` bounds
    each search."""

    words: Words
    deadline: float
    nodes: int

    def budget(self) -> TimedBudget:
        """For one question to the rules; its nodes do not depend on what was asked before."""
        return TimedBudget(self.nodes, self.deadline)

    def check_time(self) -> None:
        """Raises OutOfTime past the deadline."""
        check_time(self.deadline)
