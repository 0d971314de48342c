"""The director's certificate: who may give it up, who takes it over (CZ-5.10, 5.13)."""

from services.eighteen_cz.rules.facts import DIRECTOR_UNITS
from services.eighteen_cz.rules.state import VACLAV, Company, State
from services.ruleset.answers import Event


def sellable_units(company: Company, seat: str) -> int:
    """The most units that a player may sell without leaving the company without a director (CZ-5.10)."""
    units = company.units.get(seat, 0)
    if seat != company.director:
        return units
    heir = any(held >= DIRECTOR_UNITS for holder, held in company.units.items() if holder != seat)
    return units if heir else max(0, units - DIRECTOR_UNITS)


def settle_director(state: State, company: Company) -> list[Event]:
    """Hands the director's certificate to whoever holds strictly more units than the director (CZ-5.13)."""
    old = company.director
    if old == VACLAV:
        return []
    own = company.units.get(old, 0)
    start = state.order.index(old)
    after = state.order[start + 1 :] + state.order[:start]
    most, new = own, old
    for seat in after:
        if company.units.get(seat, 0) > most:
            most, new = company.units[seat], seat
    if new == old:
        return []
    company.director = new
    return [Event("director_changed", "CZ-5.13", {"company": company.symbol, "old": old, "seat": new})]
