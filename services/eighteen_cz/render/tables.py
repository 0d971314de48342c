"""The players and the companies, as two tables."""

from typing import Final
from xml.etree.ElementTree import Element

from services.eighteen_cz.render.geometry import Point
from services.eighteen_cz.render.markers import company_marker, reserved_marker
from services.eighteen_cz.render.svg import (
    INK,
    LINE,
    SOFT,
    box,
    circle,
    fitted,
    heading,
    line,
    safe_colour,
    shortened,
    text,
    title,
)
from services.eighteen_cz.rulebook import RULEBOOK
from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules.queries import (
    bank_units,
    certificate_limit,
    certificates,
    owned_locals,
    price,
    size_facts,
)
from services.eighteen_cz.rules.state import VACLAV, Company, Player, State
from services.eighteen_cz.rules.turn import turn

WIDTH: Final = 660.0
_ROW: Final = 25.0
_SIZE: Final = 12.5
_ON_TURN: Final = "#fff1c2"


def draw_players(parent: Element, state: State, at: Point, language: str) -> float:
    """The players in player order, and Vaclav's money; returns the height used."""
    x, y = at
    heading(parent, Point(x, y + 14), RULEBOOK.label("picture_players", language), WIDTH)
    columns = (
        ("cash", 258, "end"),
        ("certificates", 330, "middle"),
        ("locals", 380, "start"),
        ("loan", WIDTH, "end"),
    )
    for name, offset, anchor in columns:
        label = RULEBOOK.label(f"picture_{name}", language)
        text(parent, Point(x + offset, y + 14), label, 11, text_anchor=anchor, fill=SOFT)
    top = y + 22
    deciding = turn(state).seats
    for seat in state.order:
        if seat in deciding:
            box(parent, Point(x, top), WIDTH, _ROW, fill=_ON_TURN)
        _player(parent, state, state.players[seat], Point(x, top + 17), language)
        top += _ROW
        line(parent, Point(x, top), Point(x + WIDTH, top), stroke=LINE, stroke_width=0.5)
    if state.board == "bohemia":
        text(parent, Point(x + 22, top + 17), VACLAV, _SIZE, font_style="italic")
        text(parent, Point(x + 258, top + 17), f"{state.vaclav_cash}K", _SIZE, text_anchor="end")
        top += _ROW
    return top - y


def _player(parent: Element, state: State, player: Player, at: Point, language: str) -> None:
    x, y = at
    circle(parent, Point(x + 10, y - 4.5), 6, fill=safe_colour(player.colour), stroke=INK, stroke_width=0.8)
    name = shortened(f"{player.seat} {player.name}", 24)
    fitted(parent, Point(x + 22, y), name, _SIZE, 170, font_weight="bold")
    text(parent, Point(x + 258, y), f"{player.cash}K", _SIZE, text_anchor="end")
    held = f"{certificates(state, player.seat)}/{certificate_limit(state)}"
    text(parent, Point(x + 330, y), held, _SIZE, text_anchor="middle")
    owned = " ".join(local.symbol for local in owned_locals(state, player.seat))
    fitted(parent, Point(x + 380, y), owned or "–", _SIZE, 190)
    loan = f"{player.debt}K + {player.surcharge}K" if player.surcharge else "–"
    text(parent, Point(x + WIDTH, y), loan, _SIZE, text_anchor="end")
    if player.passed and state.stage in ("draft", "stock"):
        label = RULEBOOK.label("picture_passed", language)
        text(parent, Point(x + 200, y), label, 10, text_anchor="end", fill=SOFT, font_style="italic")


def draw_companies(parent: Element, state: State, at: Point, language: str) -> float:
    """Every company in the listing order with what it has and who holds it; returns the height used."""
    x, y = at
    owners = [*state.players, *([VACLAV] if state.board == "bohemia" else ())]
    heading(parent, Point(x, y + 14), RULEBOOK.label("picture_companies", language), WIDTH)
    columns = [
        ("price", 140, "end"),
        ("treasury", 205, "end"),
        ("trains", 220, "start"),
        ("stations", 352, "middle"),
        ("own_locals", 388, "start"),
    ]
    for name, offset, anchor in columns:
        label = RULEBOOK.label(f"picture_{name}", language)
        text(parent, Point(x + offset, y + 34), label, 11, text_anchor=anchor, fill=SOFT)
    step = (WIDTH - 452) / (len(owners) + 1)
    places = {owner: x + 452 + step * (index + 0.5) for index, owner in enumerate([*owners, ""])}
    for owner, centre in places.items():
        label = owner or RULEBOOK.label("picture_bank", language)
        text(parent, Point(centre, y + 34), label, 11, text_anchor="middle", fill=SOFT)
    top = y + 40
    actor = turn(state).actor
    for company in state.companies.values():
        if company.symbol == actor:
            box(parent, Point(x, top), WIDTH, _ROW, fill=_ON_TURN)
        _company(parent, company, Point(x, top + 17), places, state, language)
        top += _ROW
        line(parent, Point(x, top), Point(x + WIDTH, top), stroke=LINE, stroke_width=0.5)
    return top - y


def _company(
    parent: Element, company: Company, at: Point, places: dict[str, float], state: State, language: str
) -> None:
    x, y = at
    disc = Point(x + 14, y - 4.5)
    if company.status in ("started", "launched"):
        company_marker(parent, disc, 11, company.symbol)
    else:
        reserved_marker(parent, disc, 11, company.symbol)
    known = facts.COMPANIES[company.symbol]
    title(parent[-1], known.name)
    size = RULEBOOK.word("size", known.size, language)
    text(parent, Point(x + 32, y), size, 11, fill=SOFT)
    if company.status in ("unstarted", "acquired"):
        label = RULEBOOK.label(f"picture_{company.status}", language)
        text(parent, Point(x + 220, y), label, 11, fill=SOFT, font_style="italic")
        return
    text(parent, Point(x + 140, y), f"{price(company)}K", _SIZE, text_anchor="end", font_weight="bold")
    if company.status == "started":
        label = RULEBOOK.label("picture_not_launched", language)
        text(parent, Point(x + 220, y), label, 11, fill=SOFT, font_style="italic")
    else:
        treasury = "–" if company.director == VACLAV else f"{company.treasury}K"
        text(parent, Point(x + 205, y), treasury, _SIZE, text_anchor="end")
        trains = " ".join(facts.VERSIONS[version].name for version in company.trains)
        fitted(parent, Point(x + 220, y), trains or "–", _SIZE, 104)
    text(parent, Point(x + 352, y), str(company.markers), _SIZE, text_anchor="middle")
    owned = " ".join(
        local.symbol + ("*" if local.spent else "") for local in owned_locals(state, company.symbol)
    )
    fitted(parent, Point(x + 388, y), owned or "–", _SIZE, 68)
    percent = size_facts(company).unit_percent
    for owner, centre in places.items():
        units = company.units.get(owner, 0) if owner else bank_units(company)
        if not units:
            continue
        director = owner == company.director
        weight = "bold" if director else "normal"
        text(parent, Point(centre, y), f"{units * percent}", _SIZE, text_anchor="middle", font_weight=weight)
        if director:
            box(parent, Point(centre - 14, y - 14), 28, 19, fill="none", stroke=INK, stroke_width=1.2, rx=4)
