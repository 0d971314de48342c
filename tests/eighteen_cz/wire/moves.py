"""Hypothesis strategies for moves of 18CZ: every kind, from sensible to absurd."""

from itertools import pairwise

from hypothesis import strategies as st

from services.eighteen_cz.notation.words import KEYWORDS
from services.eighteen_cz.rules import moves as m

INT32 = st.integers(-(2**31), 2**31 - 1)
SMALL = st.integers(0, 6)
HEXES = st.sampled_from("A8 B9 B15 C8 D17 D21 E12 E14 E16 E18 D19 F3 kk".split())
SANE = st.sampled_from("G1 G6 BCB kk Ug S1 M6 L4 57 14p 8866p 2a 2+2b 8Ej stack pool E12 Vaclav".split())
KEYWORD = st.sampled_from(sorted(KEYWORDS))
# Surrogates cannot stand in a protobuf string.
WILD = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
NAMES = SANE | KEYWORD | WILD
NUMBERS = SMALL | INT32
STOPS = (
    HEXES
    | st.builds("{}.{}".format, HEXES | KEYWORD, st.integers(0, 3))
    | st.sampled_from(["E12.", "E12.01", "E12.-1", ".1", "E12.99999999999"])
    | NAMES
)


@st.composite
def real_routes(draw: st.DrawFn) -> m.Route:
    """A route whose sections, where stated, lead from stop to stop."""
    stops = draw(
        st.lists(HEXES | st.builds("{}.{}".format, HEXES, st.integers(0, 1)), min_size=2, max_size=5)
    )
    sections = []
    for start, end in pairwise(stops):
        between = draw(st.lists(HEXES, max_size=2))
        sections.append(draw(st.sampled_from([(), (start.split(".")[0], *between, end.split(".")[0])])))
    return m.Route(draw(SANE), tuple(stops), tuple(sections) if any(sections) else ())


def tuples(items: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(items, max_size=3).map(tuple)


wild_routes = st.builds(m.Route, NAMES, tuples(STOPS), st.lists(tuples(NAMES), max_size=3).map(tuple))
routes = st.lists(real_routes() | wild_routes, max_size=3).map(tuple)

BY_KIND: dict[type[m.Move], st.SearchStrategy[m.Move]] = {
    m.Pass: st.builds(m.Pass, NAMES),
    m.DraftBuy: st.builds(m.DraftBuy, NAMES, NAMES),
    m.SellShares: st.builds(m.SellShares, NAMES, NAMES, NUMBERS),
    m.BuyShare: st.builds(m.BuyShare, NAMES, NAMES),
    m.StartCompany: st.builds(m.StartCompany, NAMES, NAMES, NUMBERS),
    m.RepayLoan: st.builds(m.RepayLoan, NAMES),
    m.LayHomeTile: st.builds(m.LayHomeTile, NAMES, NAMES, NUMBERS),
    m.ChooseHomeCity: st.builds(m.ChooseHomeCity, NAMES, NUMBERS),
    m.LayTile: st.builds(m.LayTile, NAMES, NAMES, NAMES, NUMBERS, st.just("") | NAMES),
    m.LayPurpleTile: st.builds(m.LayPurpleTile, NAMES, NAMES, NAMES, NAMES, NUMBERS),
    m.PlaceStation: st.builds(m.PlaceStation, NAMES, NAMES, NUMBERS, st.just(-1) | NUMBERS),
    m.RunTrains: st.builds(m.RunTrains, NAMES, routes, st.just(-1) | NUMBERS),
    m.Dividend: st.builds(m.Dividend, NAMES, st.sampled_from(["pay", "keep"])),
    m.AcquireCompany: st.builds(m.AcquireCompany, NAMES, NAMES, NUMBERS),
    m.RemoveStation: st.builds(m.RemoveStation, NAMES, NAMES, NUMBERS),
    m.AcquiredTrain: st.builds(m.AcquiredTrain, NAMES, NAMES, st.sampled_from(["upgrade", "scrap"])),
    m.DiscardTrain: st.builds(m.DiscardTrain, NAMES, NAMES),
    m.BuyTrain: st.builds(m.BuyTrain, NAMES, NAMES, NAMES, NUMBERS, st.just("") | NAMES),
    m.BuyLocal: st.builds(m.BuyLocal, NAMES, NAMES, NUMBERS),
    m.SellLocal: st.builds(m.SellLocal, NAMES, NAMES),
    m.AnswerOffer: st.builds(m.AnswerOffer, NAMES, st.booleans()),
    m.VaclavCompany: st.builds(m.VaclavCompany, NAMES, NAMES),
}
ANY_MOVE: st.SearchStrategy[m.Move] = st.one_of(*BY_KIND.values())
