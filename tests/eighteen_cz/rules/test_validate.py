"""Open positions are checked in full: the first broken invariant is named with its path."""

from collections.abc import Callable

import pytest

from services.eighteen_cz.rules import market
from services.eighteen_cz.rules.moves import AcquireCompany, BuyTrain, SellShares, VaclavCompany
from services.eighteen_cz.rules.state import Offer, OperatingTurn, Pending, Player, State, StockTurn
from services.ruleset.answers import CHANCE
from services.ruleset.chance import Chance
from tests.eighteen_cz.rules.table import ENGINES, Co, Table, in_stock_round, in_turn, new_game, ordered

Change = Callable[[State], object]


def draft() -> State:
    return new_game(4)


def bohemia() -> State:
    """Vaclav has EKJ."""
    table = Table(new_game(2))
    table.play(VaclavCompany(CHANCE, "EKJ"))
    return table.state


def stock() -> State:
    table = in_stock_round(ordered({"SX": Co("G1", {"G1": 3, "G2": 2}), "BCB": Co("G2")}))
    table.play(SellShares("G1", "SX", 1))
    return table.state


def operating() -> State:
    """BTE of G1 in its train step, BCB of G2 still to come, EKJ of G3 done."""
    companies = {
        "EKJ": Co("G3", price=70, trains=("3d",)),
        "BTE": Co("G1", trains=("3+3d", "2b")),
        "BCB": Co("G2", price=50, trains=("3c",)),
    }
    state = ordered(companies, locals_={"S1": "BTE", "M1": "G1", "L1": "G2"}, pool=("2+2b",))
    return in_turn(state, "BTE").state


def dividend() -> State:
    state = ordered({"BTE": Co("G1", trains=("3+3d",))})
    return in_turn(state, "BTE", "dividend", (("3+3d", 80),)).state


def offered() -> State:
    companies = {"BTE": Co("G1"), "BN": Co("G2", trains=("3+3d",))}
    table = in_turn(ordered(companies), "BTE")
    table.play(BuyTrain("BTE", "BN", "3+3d", 40))
    return table.state


def discarding() -> State:
    table = in_turn(ordered({"BTE": Co("G1", trains=("3d", "3d", "2b"))}), "BTE")
    table.play(BuyTrain("BTE", "stack", "3+3d", 180))
    return table.state


def deciding() -> State:
    table = in_turn(ordered({"BTE": Co("G1"), "BCB": Co("G1", trains=("3d", "2b"))}), "BTE", "acquire")
    table.play(AcquireCompany("BTE", "BCB", 40))
    return table.state


def over() -> State:
    state = ordered({})
    state.stage, state.set_number, state.operating_round = "over", 8, 13
    return Table(state).state


def seat(state: State, number: int = 1) -> Player:
    return state.players[f"G{number}"]


def turn(state: State) -> OperatingTurn:
    assert state.operating is not None
    return state.operating


def round_(state: State) -> StockTurn:
    assert state.stock is not None
    return state.stock


def put(thing: object, **values: object) -> None:
    """Sets fields."""
    for name, value in values.items():
        setattr(thing, name, value)


def two_trains(state: State) -> None:
    state.companies["EKJ"].trains.append("2a")
    state.stack["a"] = 3


def all_passed(state: State) -> None:
    for player in state.players.values():
        player.passed = True


def rusted_in_part(state: State) -> None:
    """2a rusts on what rusts 2b too."""
    state.phase, state.stack["d"] = "e", 0
    state.stack["e"] = 3
    state.rusted = ["2a"]


def not_yet_operated(state: State) -> None:
    """EKJ stands before the company on turn, as if it had still to begin."""
    ekj = state.companies["EKJ"]
    ekj.operated = ekj.home_placed = False
    ekj.last_revenue = -1
    ekj.stations, ekj.markers = [], 3


def nothing_to_draw(state: State) -> None:
    """Vaclav's medium company is still to be drawn, but players have started all of them."""
    state.stage, state.set_number, state.stock = "stock", 1, StockTurn(0)
    for local in state.locals.values():
        local.owner = "removed"
    state.phase, state.stack["a"], state.stack["b"] = "b", 0, 3
    for symbol in ("BN", "NWB", "ATE", "BTE"):
        company = state.companies[symbol]
        put(company, status="started", director="G1", units={"G1": 2}, start_price=60)
        market.put_marker(state, company, 6)
    state.pending = [Pending("vaclav_company", size="medium")]


def discards_out_of_order(state: State) -> None:
    state.pending.append(Pending("home_city", "BTE", hexes=["B9"]))


def gift(state: State) -> None:
    state.pending[0].offer = Offer("gift", "BTE", "BN", "3+3d", 50)  # type: ignore[arg-type]


def party(state: State) -> None:
    state.pending.append(Pending("party"))  # type: ignore[arg-type]


BROKEN: list[tuple[Callable[[], State], Change, str, str]] = [
    (operating, rusted_in_part, "rusted", "state_rusted_too"),
    (operating, not_yet_operated, "operating.order[0]", "state_not_operated"),
    (bohemia, lambda s: s.companies["EKJ"].units.clear(), "companies[0].units", "state_no_director"),
    (
        bohemia,
        lambda s: put(s, pending=[Pending("vaclav_company", size="small")]),
        "companies",
        "state_vaclav",
    ),
    (bohemia, nothing_to_draw, "pending[0].size", "state_nothing_to_draw"),
    (discarding, discards_out_of_order, "pending[1]", "state_pending_order"),
    # game, chance, players
    (draft, lambda s: put(s, ruleset="18cz/other-1"), "ruleset", "state_unknown"),
    (draft, lambda s: put(s, board="moravia"), "board", "state_unknown"),
    (draft, lambda s: put(s, board="bohemia"), "players", "state_expected"),
    (draft, lambda s: s.players.clear(), "players", "state_range"),
    (draft, lambda s: put(s, chance=Chance("external", "abc", 0)), "random.seeded.seed", "state_absent"),
    (draft, lambda s: put(s, chance=Chance("external", "", 1)), "random.external.draws", "state_expected"),
    (bohemia, lambda s: put(s, chance=Chance("seeded", "", 1)), "random.seeded.seed", "state_seed"),
    (operating, lambda s: put(seat(s), name="x" * 81), "players[0].name", "state_text"),
    (operating, lambda s: put(seat(s, 2), colour="x" * 81), "players[1].colour", "state_text"),
    (operating, lambda s: put(seat(s), cash=-1), "players[0].cash", "state_range"),
    (operating, lambda s: put(seat(s), cash=2**31 - 1), "players[0].cash", "state_range"),
    (operating, lambda s: put(seat(s, 2), debt=5), "players[1].debt", "state_range"),
    (operating, lambda s: put(seat(s, 2), surcharge=-1), "players[1].surcharge", "state_range"),
    (operating, lambda s: put(seat(s), passed=True), "players[0].passed", "state_absent"),
    (operating, lambda s: put(seat(s), seat="G2"), "players[0].seat", "state_expected"),
    (operating, lambda s: put(s, order=["G1", "G2", "G3"]), "order", "state_expected"),
    (operating, lambda s: put(s, order=["G1", "G2", "G3", "G9"]), "order[3]", "state_unknown"),
    (operating, lambda s: put(s, order=["G1", "G2", "G3", "G3"]), "order[3]", "state_twice"),
    (operating, lambda s: put(s, vaclav_cash=1), "vaclavCash", "state_expected"),
    # phase, cards, rust
    (operating, lambda s: put(s, phase="z"), "phase", "state_unknown"),
    (operating, lambda s: put(s, phase="e"), "phase", "state_phase"),
    (operating, lambda s: s.stack.pop("i"), "stack", "state_expected"),
    (operating, lambda s: s.stack.update(d=9), "stack[3].cards", "state_range"),
    (operating, lambda s: s.stack.update(e=3), "stack[4].cards", "state_stack"),
    (operating, lambda s: s.stack.update(d=3), "companies[8].trains[0]", "state_cards"),
    (operating, lambda s: s.pool.append("9x"), "pool[1]", "state_unknown"),
    (operating, lambda s: s.pool.append("4e"), "pool[1]", "state_train_early"),
    (operating, lambda s: put(s, pool=["2b"] * 61), "pool", "state_list"),
    (operating, lambda s: s.rusted.append("2a"), "rusted[0]", "state_rusted_early"),
    (operating, lambda s: s.rusted.append("9x"), "rusted[0]", "state_unknown"),
    # companies
    (operating, lambda s: s.companies.pop("Ug"), "companies", "state_expected"),
    (operating, lambda s: put(s.companies["Ug"], symbol="SX"), "companies[14].symbol", "state_expected"),
    (operating, lambda s: put(s.companies["Ug"], status="sold"), "companies[14].status", "state_unknown"),
    (operating, lambda s: put(s.companies["Ug"], treasury=1), "companies[14].treasury", "state_absent"),
    (operating, lambda s: put(s.companies["Ug"], markers=3), "companies[14].markers", "state_expected"),
    (operating, lambda s: put(s.companies["BTE"], director="G9"), "companies[8].director", "state_unknown"),
    (
        operating,
        lambda s: put(s.companies["BTE"], director="Vaclav"),
        "companies[8].director",
        "state_unknown",
    ),
    (
        operating,
        lambda s: put(s.companies["BTE"], start_price=65),
        "companies[8].startPrice",
        "price_not_allowed",
    ),
    (operating, lambda s: put(s.companies["BTE"], position=46), "companies[8].position", "state_range"),
    (operating, lambda s: put(s.companies["BTE"], arrival=0), "companies[8].arrival", "state_range"),
    (operating, lambda s: put(s.companies["BTE"], arrival=1), "companies[8].arrival", "state_twice"),
    (operating, lambda s: put(s, arrivals=-1), "arrivals", "state_range"),
    (
        operating,
        lambda s: put(s.companies["BTE"], units={"G1": 4}),
        "companies[8].units[0].units",
        "state_range",
    ),
    (
        operating,
        lambda s: s.companies["BTE"].units.update(G9=1),
        "companies[8].units[1].holder",
        "state_unknown",
    ),
    (
        operating,
        lambda s: put(s.companies["BTE"], units={"G1": 2, "G2": 3}),
        "companies[8].units[1].units",
        "state_director",
    ),
    (
        operating,
        lambda s: put(s.companies["BTE"], units={"G1": 3, "G2": 3}),
        "companies[8].units",
        "state_units",
    ),
    (
        operating,
        lambda s: put(s.companies["BTE"], units={"G1": 1}),
        "companies[8].units",
        "state_no_director",
    ),
    (operating, lambda s: put(s.companies["BTE"], treasury=-1), "companies[8].treasury", "state_range"),
    (operating, lambda s: put(s.companies["BTE"], markers=-1), "companies[8].markers", "state_range"),
    (operating, lambda s: put(s.companies["BTE"], markers=3), "companies[8].markers", "state_markers"),
    (operating, lambda s: put(s.companies["BTE"], markers=5), "companies", "state_marker_sum"),
    (operating, lambda s: put(s.companies["BTE"], last_paid=True), "companies[8].lastPaid", "state_absent"),
    (
        operating,
        lambda s: put(s.companies["BTE"], home_placed=False),
        "companies[8].homePlaced",
        "state_missing",
    ),
    (
        operating,
        lambda s: put(s.companies["BCB"], last_revenue=-1),
        "companies[2].lastRevenue",
        "state_missing",
    ),
    (
        operating,
        lambda s: s.companies["BCB"].trains.append("2+2b"),
        "companies[2].trains[1]",
        "train_wrong_size",
    ),
    (operating, lambda s: put(s.companies["BTE"], status="started"), "companies[8].status", "state_launch"),
    (bohemia, lambda s: put(s.companies["EKJ"], units={"Vaclav": 3}), "companies[0].units", "state_expected"),
    (
        bohemia,
        two_trains,
        "companies[0].trains",
        "state_absent",
    ),
    # locals
    (operating, lambda s: s.locals.pop("S1"), "locals", "state_expected"),
    (operating, lambda s: put(s.locals["S1"], symbol="S2"), "locals[0].symbol", "state_expected"),
    (operating, lambda s: put(s.locals["S1"], owner=""), "locals[0].owner", "state_owner"),
    (operating, lambda s: put(s.locals["S1"], owner="SX"), "locals[0].owner", "state_owner"),
    (operating, lambda s: put(s.locals["L1"], owner="BTE"), "locals[12].owner", "state_owner"),
    (operating, lambda s: put(s.locals["M1"], spent=True), "locals[6].spent", "state_absent"),
    (draft, lambda s: put(s.locals["S1"], owner="removed"), "locals[0].owner", "state_owner"),
    # draft
    (draft, lambda s: put(seat(s), cash=299), "players[0].cash", "state_expected"),
    (draft, lambda s: put(s, draft_turn=-1), "draftTurn", "state_range"),
    (
        draft,
        all_passed,
        "stage",
        "state_unsettled",
    ),
    # stage and turns
    (draft, lambda s: put(s, stage="end"), "stage", "state_unknown"),
    (draft, lambda s: put(s, set_number=1), "setNumber", "state_expected"),
    (draft, lambda s: put(s, operating_round=1), "operatingRound", "state_expected"),
    (draft, lambda s: put(s, stock=StockTurn(0)), "stock", "state_absent"),
    (draft, lambda s: put(s, operating=OperatingTurn([])), "operating", "state_absent"),
    (stock, lambda s: put(s, stock=None), "stock", "state_missing"),
    (stock, lambda s: put(s, set_number=0), "setNumber", "state_range"),
    (stock, lambda s: put(s, operating_round=4), "operatingRound", "state_expected"),
    (stock, lambda s: put(round_(s), index=4), "stock.index", "state_range"),
    (stock, lambda s: round_(s).sold.update(G9=["SX"]), "stock.sold[1].seat", "state_unknown"),
    (stock, lambda s: round_(s).sold.update(G2=[]), "stock.sold[1].companies", "state_missing"),
    (stock, lambda s: round_(s).sold["G1"].append("SX"), "stock.sold[0].companies[1]", "state_twice"),
    (stock, lambda s: round_(s).sold["G1"].append("Ug"), "stock.sold[0].companies[1]", "state_unknown"),
    (operating, lambda s: put(s, operating=None), "operating", "state_missing"),
    (operating, lambda s: put(s, operating_round=0), "operatingRound", "state_range"),
    (operating, lambda s: put(s, set_number=6), "setNumber", "state_expected"),
    (operating, lambda s: put(turn(s), index=3), "operating.index", "state_range"),
    (operating, lambda s: put(turn(s), index=-1), "operating.index", "state_range"),
    (operating, lambda s: turn(s).order.append("BCB"), "operating.order[3]", "state_twice"),
    (operating, lambda s: turn(s).order.append("Ug"), "operating.order[3]", "state_unknown"),
    (operating, lambda s: turn(s).order.remove("BCB"), "operating.order", "state_not_in_order"),
    (
        operating,
        lambda s: put(turn(s), order=["BTE", "BCB", "EKJ"], index=0),
        "operating.order",
        "state_price_order",
    ),
    (operating, lambda s: put(turn(s), step="home_tile"), "operating.step", "state_step"),
    (
        operating,
        lambda s: put(turn(s), step="station", station_placed=True),
        "operating.stationPlaced",
        "state_absent",
    ),
    (operating, lambda s: put(turn(s), step="dance"), "operating.step", "state_unknown"),
    (operating, lambda s: put(turn(s), yellow=2), "operating.yellow", "state_range"),
    (operating, lambda s: put(turn(s), upgrades=2), "operating.upgrades", "state_range"),
    (operating, lambda s: put(turn(s), laid=["A2"]), "operating.laid[0]", "state_unknown"),
    (operating, lambda s: put(turn(s), runs=[("3+3d", 10)]), "companies[8].lastRevenue", "state_expected"),
    (operating, lambda s: put(turn(s), step="track", runs=[("3+3d", 10)]), "operating.runs", "state_absent"),
    (operating, lambda s: put(turn(s), step="run", yellow=0, runs=[]), "", ""),
    (operating, lambda s: put(turn(s), step="acquire", order=["EKJ", "BTE", "BCB"]), "", ""),
    (dividend, lambda s: put(turn(s), runs=[("9x", 10)]), "operating.runs[0].version", "state_unknown"),
    (dividend, lambda s: put(turn(s), runs=[("3d", 10)]), "operating.runs[0].version", "state_unknown"),
    (dividend, lambda s: put(turn(s), runs=[("3+3d", -10)]), "operating.runs[0].revenue", "state_range"),
    (dividend, lambda s: put(turn(s), runs=[("3+3d", 10)] * 2), "operating.runs", "state_absent"),
    (dividend, lambda s: put(turn(s), runs=[("3+3d", 0)]), "operating.step", "state_step"),
    # decisions
    (over, lambda s: s.pending.append(Pending("discard_trains", "BTE")), "pending", "state_absent"),
    (operating, party, "pending[0].kind", "state_unknown"),
    (
        operating,
        lambda s: s.pending.append(Pending("discard_trains", "BTE")),
        "pending[0].company",
        "state_unknown",
    ),
    (
        operating,
        lambda s: s.pending.append(Pending("discard_trains", "ZZ")),
        "pending[0].company",
        "state_unknown",
    ),
    (
        operating,
        lambda s: s.pending.append(Pending("vaclav_company", size="large")),
        "pending[0]",
        "state_absent",
    ),
    (
        operating,
        lambda s: s.pending.append(Pending("home_city", "BTE", hexes=["B9"])),
        "operating.step",
        "state_expected",
    ),
    (
        operating,
        lambda s: s.pending.append(Pending("remove_station", "BTE", hexes=["D3"])),
        "operating.step",
        "state_expected",
    ),
    (
        operating,
        lambda s: s.pending.append(Pending("remove_station", "BCB", hexes=["D3"])),
        "pending[0].company",
        "state_expected",
    ),
    (stock, lambda s: s.pending.append(Pending("acquired_trains", "SX")), "stock", "state_absent"),
    (discarding, lambda s: put(s.pending[0], seat="G1"), "pending[0].seat", "state_absent"),
    (discarding, lambda s: s.pending.append(s.pending[0]), "pending[1]", "state_twice"),
    (discarding, lambda s: s.pending.clear(), "pending", "state_discards"),
    (discarding, lambda s: put(s.pending[0], trains=["2b"]), "pending[0].trains[0]", "state_unknown"),
    (discarding, lambda s: put(s.pending[0], trains=["3+3d", "3d"]), "pending[0].trains", "state_absent"),
    (deciding, lambda s: s.pending[0].trains.clear(), "pending[0].trains", "state_missing"),
    (deciding, lambda s: s.pending[0].trains.append("2b"), "pending[0].trains[1]", "state_unknown"),
    (deciding, lambda s: s.pending.append(s.pending[0]), "pending[0]", "state_twice"),
    (deciding, lambda s: put(turn(s), step="trains"), "operating.step", "state_expected"),
    (
        deciding,
        lambda s: s.pending.insert(0, Pending("discard_trains", "BTE")),
        "pending[0].company",
        "state_unknown",
    ),
    (offered, lambda s: put(s.pending[0], offer=None), "pending[0].offer", "state_missing"),
    (offered, lambda s: put(s.pending[0], seat="G1"), "pending[0].seat", "state_expected"),
    (
        offered,
        lambda s: put(s.pending[0], offer=Offer("train", "BTE", "BN", "3+3d", 501)),
        "pending[0].offer",
        "not_enough_cash",
    ),
    (
        offered,
        lambda s: put(s.pending[0], offer=Offer("train", "BN", "BTE", "3+3d", 50)),
        "pending[0].offer.buyer",
        "state_expected",
    ),
    (
        offered,
        lambda s: put(s.pending[0], offer=Offer("train", "BTE", "stack", "3+3d", 180)),
        "pending[0].offer.seller",
        "state_unknown",
    ),
    (
        offered,
        gift,
        "pending[0].offer.kind",
        "state_unknown",
    ),
    (offered, lambda s: put(turn(s), step="run"), "pending[0]", "state_absent"),
    (
        offered,
        lambda s: put(s.companies["BN"], director="G1", units={"G1": 3}),
        "pending[0].seat",
        "state_expected",
    ),
    # nothing automatic is left undone
    (operating, lambda s: put(turn(s), step="track", upgrades=1), "operating.step", "state_unsettled"),
    (operating, lambda s: put(turn(s), step="acquire", index=0), "operating.step", "state_unsettled"),
]


@pytest.mark.parametrize(("make", "change", "path", "reason"), BROKEN)
def test_broken(make: Callable[[], State], change: Change, path: str, reason: str) -> None:
    state = make()
    change(state)
    violation = ENGINES["18cz/summary-1"].validate(state)
    found = (violation.path, violation.reason) if violation else ("", "")
    assert found == (path, reason)
