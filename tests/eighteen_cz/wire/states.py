"""Hypothesis strategies for well-typed states of 18CZ, possible or not, and one made late game."""

from typing import Any, get_args

from hypothesis import strategies as st

from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules import state as s
from services.ruleset.chance import Chance
from tests.eighteen_cz.wire.moves import HEXES, INT32, SANE, SMALL, WILD

NAMES = SANE | WILD
COUNTS = SMALL | INT32
HOLDERS = st.sampled_from(["G1", "G2", "G3", "G10", s.VACLAV])
COMPANIES = st.sampled_from(list(facts.COMPANIES))
NAME_LISTS = st.lists(NAMES, max_size=3)
# -1 is how the rules say that there is none, which the contract says by absence.
MAYBE = st.just(-1) | SMALL


def words(annotation: Any) -> st.SearchStrategy[Any]:
    return st.sampled_from(get_args(annotation))


@st.composite
def keyed(draw: st.DrawFn, keys: st.SearchStrategy[str], build: Any, *fields: Any) -> dict[str, Any]:
    return {key: build(key, *map(draw, fields)) for key in draw(st.lists(keys, max_size=4, unique=True))}


switches = st.sampled_from([facts.profile(name, {}) for name in ("seed", "published")]) | st.builds(
    s.Switches, dividend_price_step=COUNTS, withhold_price_step=COUNTS
)
chances = st.builds(Chance, st.just("external"), st.just(""), COUNTS) | st.builds(
    Chance, st.just("seeded"), st.text(st.characters(exclude_categories=["Cs"]), min_size=1), COUNTS
)
stations = st.lists(st.builds(s.Station, HEXES, SMALL, SMALL), max_size=3)
companies = keyed(
    COMPANIES,
    s.Company,
    words(s.Status),
    HOLDERS,
    COUNTS,
    COUNTS,
    MAYBE,
    COUNTS,
    st.dictionaries(HOLDERS, COUNTS, max_size=4),
    NAME_LISTS,
    stations,
    COUNTS,
    st.booleans(),
    st.booleans(),
    MAYBE,
    st.booleans(),
)
offers = st.builds(s.Offer, words(s.Offer.__annotations__["kind"]), NAMES, NAMES, NAMES, COUNTS)
pendings = st.builds(
    s.Pending, words(s.PendingKind), NAMES, NAMES, NAMES, NAME_LISTS, NAME_LISTS, st.none() | offers
)
stocks = st.builds(s.StockTurn, COUNTS, st.booleans(), st.dictionaries(HOLDERS, NAME_LISTS, max_size=3))
operatings = st.builds(
    s.OperatingTurn,
    NAME_LISTS,
    COUNTS,
    words(s.Step),
    COUNTS,
    COUNTS,
    NAME_LISTS,
    st.booleans(),
    st.lists(st.tuples(NAMES, COUNTS), max_size=3),
)
STATES = st.builds(
    s.State,
    st.sampled_from(list(facts.RULESETS)),
    switches,
    words(s.State.__annotations__["board"]),
    chances,
    keyed(HOLDERS, s.Player, WILD, WILD, COUNTS, COUNTS, COUNTS, st.booleans()),
    NAME_LISTS,
    companies,
    keyed(st.sampled_from(list(facts.LOCALS)), s.Local, NAMES, st.booleans()),
    words(s.Stage),
    COUNTS,
    COUNTS,
    COUNTS,
    st.none() | stocks,
    st.none() | operatings,
    st.lists(pendings, max_size=3),
    st.sampled_from(list(facts.PHASES)),
    st.dictionaries(st.sampled_from("abcdefghi"), COUNTS, max_size=9),
    NAME_LISTS,
    NAME_LISTS,
    st.dictionaries(HEXES, st.builds(s.Tile, NAMES, SMALL), max_size=6),
    COUNTS,
    COUNTS,
)


def late_state() -> s.State:
    """As large as the state of a four-player game near its end: for measuring, not a possible position."""
    seats = ["G1", "G2", "G3", "G4"]
    return s.State(
        "18cz/published-1",
        facts.profile("published", {}),
        "standard",
        Chance("seeded", "late", 3),
        {seat: s.Player(seat, f"Player {seat}", "#aabbcc", 1234, 10, 10) for seat in seats},
        seats[::-1],
        {
            symbol: s.Company(
                symbol,
                "launched",
                "G1",
                500,
                60,
                20,
                number,
                {"G4": 2, "G1": 3, "G2": 1},
                ["5+5j", "5+5j"],
                [s.Station("E12", 0, 1), s.Station("B9", 1, 0), s.Station("D17", 0, 0)],
                1,
                True,
                True,
                340,
                True,
            )
            for number, symbol in enumerate(facts.COMPANIES)
        },
        {symbol: s.Local(symbol, "G2", True) for symbol in facts.LOCALS},
        "operating",
        8,
        13,
        24,
        operating=s.OperatingTurn(
            list(facts.COMPANIES), 7, "dividend", 1, 0, ["E14"], True, [("5+5j", 340), ("5+5j", 300)]
        ),
        phase="j",
        stack=dict.fromkeys("abcdefghi", 0),
        pool=["5i", "4g"],
        rusted=["2a", "2b", "3c", "3d", "2+2b", "2+2c"],
        tiles={f"{row}{number}": s.Tile("611", 3) for row in "ABCDEFGHIJ" for number in range(9, 18)},
        arrivals=180,
    )
