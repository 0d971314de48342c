"""Who holds which certificate: the recording names each one, our rules only count units."""

from dataclasses import dataclass, field

from services.eighteen_cz.importer.reading import Action
from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.state import VACLAV, State
from services.ruleset.answers import Violation

BANK = ""
SOLD = "sold"
"""The bank as well, but the recording keeps apart what players sold."""


@dataclass(slots=True)
class Certificates:
    """Certificate -> holder, in the order in which they were received; what is missing was never sold."""

    holders: dict[str, str] = field(default_factory=dict)

    def follow(self, action: Action, before: State, after: State) -> None:
        """Takes note of an action that led from one position to another."""
        self.found(before, after)
        if action.kind == "par":
            self._give(f"{action.texts['corporation']}_0", action.entity)
        for share in action.shares:
            self._give(share, action.entity if action.kind == "buy_shares" else SOLD)
        if action.shares:
            symbol = action.shares[0].rpartition("_")[0]
            self._settle(symbol, before.companies[symbol].director, after)

    def found(self, before: State, after: State) -> None:
        """Takes note of what Vaclav has founded; the recording hands him every second certificate."""
        for symbol, company in after.companies.items():
            if company.director == VACLAV != before.companies[symbol].director:
                for number in range(company.units[VACLAV] - facts.DIRECTOR_UNITS + 1):
                    self._give(f"{symbol}_{2 * number}", VACLAV)

    def _give(self, share: str, holder: str) -> None:
        self.holders.pop(share, None)
        self.holders[share] = holder

    def _ordinary(self, symbol: str, holder: str) -> list[str]:
        return [
            share
            for share, owner in self.holders.items()
            if owner == holder and share.startswith(f"{symbol}_") and not share.endswith("_0")
        ]

    def _settle(self, symbol: str, old: str, after: State) -> None:
        """A change of director: he keeps what he did not sell of the director's certificate in
        ordinary ones that were sold before, for the rest the new director's two are given away."""
        new = after.companies[symbol].director
        if old == new:
            return
        given = self._ordinary(symbol, new)[: facts.DIRECTOR_UNITS]
        missing = after.companies[symbol].units.get(old, 0) - len(self._ordinary(symbol, old))
        sold = self.holders[f"{symbol}_0"] == SOLD
        source = self._ordinary(symbol, SOLD) if sold else []
        for share in given:
            self._give(share, SOLD)
        self._give(f"{symbol}_0", new)
        for share in (source + given)[:missing]:
            self._give(share, old)

    def claims(self, action: Action) -> list[Violation]:
        """What a purchase or sale says against CZ-5.4 and 5.9 about where its certificates are."""
        if action.kind not in ("buy_shares", "sell_shares"):
            return []
        buying = action.kind == "buy_shares"
        allowed = (BANK, SOLD) if buying else (action.entity,)
        elsewhere = [share for share in action.shares if self.holders.get(share, BANK) not in allowed]
        rule_id = "CZ-5.4" if buying else "CZ-5.9"
        return [Violation(rule_id, "certificate_elsewhere", {"certificate": share}) for share in elsewhere]
