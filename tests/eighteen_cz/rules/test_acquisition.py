"""Acquiring a smaller company (CZ-13)."""

import pytest

from services.eighteen_cz.rules.moves import (
    AcquireCompany,
    AcquiredTrain,
    AnswerOffer,
    BuyShare,
    DiscardTrain,
    Pass,
    RemoveStation,
    SellLocal,
    StartCompany,
)
from services.eighteen_cz.rules.state import Station, Tile
from services.ruleset.answers import IntRange
from tests.eighteen_cz.rules.table import Co, Table, in_turn, ordered


def buying(buyer: Co, target: Co, phase: str = "d", **more: object) -> Table:
    """BTE in its acquire step beside BCB, which stands at 60."""
    return in_turn(ordered({"BTE": buyer, "BCB": target}, phase=phase, **more), "BTE", "acquire")  # type: ignore[arg-type]


def small(**more: object) -> Co:
    given = {"director": "G1", "units": {"G1": 2, "G2": 1}, "price": 60, "treasury": 70, **more}
    return Co(**given)  # type: ignore[arg-type]


def test_everything_goes_to_the_buyer() -> None:
    """CZ-13.3 to 13.5: the holders are paid first, then the buyer gets the treasury and all else."""
    companies = {"BTE": Co("G1", treasury=300), "BCB": small(trains=("3d",)), "EKJ": Co("G2", price=50)}
    state = ordered(companies, locals_={"S1": "BCB"})
    table = in_turn(state, "BTE", "acquire")
    table.play(AcquireCompany("BTE", "BCB", 40))
    state = table.state
    bte, bcb = state.companies["BTE"], state.companies["BCB"]
    assert [player.cash for player in state.players.values()][:2] == [300 + 80, 300 + 40]
    assert bte.treasury == 300 - 120 + 70
    assert state.locals["S1"].owner == "BTE"
    assert bte.trains == ["3d"]
    assert [station.hex for station in bte.stations] == ["D3", "E16"]
    assert bte.markers == 4
    assert (bcb.status, bcb.units, bcb.position, bcb.trains) == ("acquired", {}, -1, [])
    assert state.operating is not None and state.operating.order == ["BTE", "EKJ"]
    assert table.turn.step == "acquired_trains"


def test_who_drops_out_of_the_order_before_the_buyer() -> None:
    """CZ-7.4, 13.4"""
    companies = {"BCB": small(price=70), "BTE": Co("G1", price=60), "EKJ": Co("G1", price=50)}
    table = in_turn(ordered(companies), "BTE", "acquire")
    table.play(AcquireCompany("BTE", "BCB", 50))
    assert table.state.operating is not None
    assert (table.state.operating.order, table.state.operating.index) == (["BTE", "EKJ"], 0)
    assert table.turn.actor == "BTE"


def test_an_acquired_company_is_never_started_again() -> None:
    """CZ-13.4"""
    table = buying(Co("G1", trains=("3+3d",)), small())
    table.play(AcquireCompany("BTE", "BCB", 30))
    table.play(Pass("BTE"))
    assert table.state.operating_round == 6
    table.decline(4)
    assert table.turn.step == "stock"
    assert table.refused(StartCompany(table.turn.actor, "BCB", 50)) == {("CZ-13.4", "company_gone")}


@pytest.mark.parametrize(
    ("buyer", "target", "rule"),
    [
        ("BTE", "SX", True),
        ("BTE", "BN", True),
        ("SX", "BTE", False),
        ("SX", "BCB", False),
        ("SX", "BY", True),
    ],
)
def test_only_smaller_companies(buyer: str, target: str, rule: bool) -> None:
    """CZ-13.1, D-5"""
    companies = {"BCB": small(), buyer: Co("G1", treasury=900), target: Co("G1", treasury=900)}
    if buyer == "BTE":
        companies["EKJ"] = small(units={"G1": 2})
    table = in_turn(ordered(companies), buyer, "acquire")
    price = {"BCB": 60, "BTE": 60, "BN": 60}.get(target, 90)
    expected = {("CZ-13.1", "acquisition_size")} if rule else set()
    assert table.refused(AcquireCompany(buyer, target, price)) == expected


def test_what_cannot_be_acquired() -> None:
    """CZ-13.1"""
    table = buying(Co("G1"), small())
    assert table.refused(AcquireCompany("BTE", "EKJ", 30)) == {("CZ-13.1", "not_launched")}
    assert table.refused(AcquireCompany("BTE", "ZZ", 30)) == {("CZ-13.1", "unknown_company")}
    table.play(AcquireCompany("BTE", "BCB", 30))
    sx = ordered({"SX": Co("G1"), "EKJ": Co("G1")})
    sx.companies["SX"].markers += 3
    sx.companies["BCB"].status, sx.companies["BCB"].markers = "acquired", 0
    later = in_turn(sx, "SX", "acquire")
    assert later.refused(AcquireCompany("SX", "BCB", 30)) == {("CZ-13.1", "company_gone")}


@pytest.mark.parametrize(("price", "legal"), [(29, False), (30, True), (90, True), (91, False), (0, False)])
def test_the_price_range(price: int, legal: bool) -> None:
    """CZ-13.3: half to one and a half times the current price."""
    table = buying(Co("G1", treasury=900), small())
    expected = set() if legal else {("CZ-13.3", "price_not_allowed")}
    assert table.refused(AcquireCompany("BTE", "BCB", price)) == expected


def test_half_prices_are_rounded_into_the_range() -> None:
    """CZ-13.3: 75 allows 38 to 112; the buyer's own money sets the upper end of the offer."""
    table = buying(Co("G1", treasury=900), small(price=75))
    assert table.options("acquire_company")[0].parameters == (IntRange("acquireCompany.price", 38, 112),)
    table.state.companies["BTE"].treasury = 200
    assert table.options("acquire_company")[0].parameters == (IntRange("acquireCompany.price", 38, 66),)
    assert table.refused(AcquireCompany("BTE", "BCB", 67)) == {("CZ-13.3", "not_enough_cash")}
    table.state.companies["BTE"].treasury = 113
    assert not table.options("acquire_company")


def test_the_other_director_must_agree() -> None:
    """CZ-13.2, 8.4"""
    table = buying(Co("G1"), small(director="G2", units={"G2": 2, "G1": 1}))
    table.play(AcquireCompany("BTE", "BCB", 30))
    assert (table.turn.actor, table.turn.step) == ("G2", "offer")
    refused = table.refused(Pass("BTE"))
    assert refused == {("CZ-8.4", "wrong_player"), ("CZ-8.4", "wrong_step")}
    table.play(AnswerOffer("G2", False))
    assert (table.turn.actor, table.turn.step) == ("BTE", "acquire")
    table.play(AcquireCompany("BTE", "BCB", 30), AnswerOffer("G2", True))
    assert table.state.companies["BCB"].status == "acquired"


def test_consent_can_be_switched_off() -> None:
    """D-7"""
    target = small(director="G2", units={"G2": 2, "G1": 1})
    table = buying(Co("G1"), target, acquisitionNeedsTargetDirectorConsent=False)
    table.play(AcquireCompany("BTE", "BCB", 30))
    assert table.state.companies["BCB"].status == "acquired"


def acquired(
    trains: tuple[str, ...], own: tuple[str, ...] = (), phase: str = "d", treasury: int = 300
) -> Table:
    """BTE decides on these trains that it has received."""
    rusted = ("2a", "2b") if phase > "e" else ()
    buyer = Co("G1", trains=own, treasury=treasury)
    state = ordered({"BTE": buyer, "BCB": small(trains=trains, treasury=0)}, phase=phase, rusted=rusted)
    table = in_turn(state, "BTE", "acquire")
    table.play(AcquireCompany("BTE", "BCB", 30))
    return table


def test_received_trains_are_upgraded_scrapped_or_kept() -> None:
    """CZ-13.7"""
    table = acquired(("3c", "3d", "2a"))
    assert table.turn.kinds[:2] == ("acquired_train", "pass")
    assert table.refused(AcquiredTrain("BTE", "2a", "upgrade")) == {("CZ-13.7", "no_own_version")}
    assert table.refused(AcquiredTrain("BTE", "4e", "scrap")) == {("CZ-13.7", "train_not_received")}
    wrong = AcquiredTrain("BTE", "3c", "sell")  # type: ignore[arg-type]
    assert table.refused(wrong) == {("CZ-13.7", "unknown_choice")}
    table.play(AcquiredTrain("BTE", "3d", "upgrade"))
    assert table.state.companies["BTE"].treasury == 300 - 90 - 60
    table.play(AcquiredTrain("BTE", "3c", "upgrade"))
    assert table.state.companies["BTE"].treasury == 150, "a cheaper version costs nothing"
    table.play(AcquiredTrain("BTE", "2a", "scrap"))
    assert table.state.companies["BTE"].trains == ["2+2c", "3+3d"]
    assert table.state.pool == []
    assert table.turn.step == "trains"


def test_keeping_the_rest_needs_room() -> None:
    """CZ-13.7: finishing is possible only within the limit."""
    table = acquired(("3d", "2b"), own=("3+3d", "2+2c"))
    assert table.refused(Pass("BTE")) == {("CZ-13.7", "over_train_limit")}
    table.play(AcquiredTrain("BTE", "2b", "scrap"), Pass("BTE"))
    assert table.state.companies["BTE"].trains == ["3+3d", "2+2c", "3d"]


def test_what_upgrades_leave_above_the_limit_is_discarded() -> None:
    """CZ-13.7, 14.8: to the pool, any train of the company."""
    table = acquired(("3d",), own=("3+3d", "2+2c", "2+2b"))
    table.play(AcquiredTrain("BTE", "3d", "upgrade"))
    assert table.turn.step == "discard_trains"
    table.play(DiscardTrain("BTE", "2+2b"))
    assert table.state.pool == ["2+2b"]
    assert table.state.companies["BTE"].trains == ["3+3d", "2+2c", "3+3d"]


def test_an_upgrade_must_be_paid_and_not_have_rusted() -> None:
    """CZ-13.7"""
    table = acquired(("3d",), treasury=90)
    assert table.refused(AcquiredTrain("BTE", "3d", "upgrade")) == {("CZ-13.7", "not_enough_cash")}
    companies = {"BTE": Co("G1"), "BCB": small(trains=("3c",)), "BN": Co("G1", trains=("4+4f",))}
    table = in_turn(ordered(companies, phase="f"), "BTE", "acquire")
    table.play(AcquireCompany("BTE", "BCB", 30))
    assert "2+2c" in table.state.rusted
    assert table.refused(AcquiredTrain("BTE", "3c", "upgrade")) == {("CZ-13.7", "version_rusted")}


def test_an_upgrade_rusts_like_a_purchase() -> None:
    """CZ-13.7, 14.7: but it starts no phase."""
    companies = {
        "BTE": Co("G1", treasury=900),
        "BCB": small(trains=("4f",)),
        "BN": Co("G2", trains=("2+2b", "2+2c")),
    }
    table = in_turn(ordered(companies, phase="f"), "BTE", "acquire")
    table.play(AcquireCompany("BTE", "BCB", 30), AcquiredTrain("BTE", "4f", "upgrade"))
    assert table.state.companies["BTE"].trains == ["4+4f"]
    assert table.state.companies["BN"].trains == []
    assert table.state.phase == "f"


def test_a_local_can_be_sold_to_pay_for_an_upgrade() -> None:
    """CZ-8.1: at any moment of the turn, also while trains are decided on."""
    state = ordered({"BTE": Co("G1", treasury=90), "BCB": small(trains=("3d",), treasury=0)})
    state.locals["S1"].owner = "BTE"
    table = in_turn(state, "BTE", "acquire")
    table.play(
        AcquireCompany("BTE", "BCB", 30), SellLocal("BTE", "S1"), AcquiredTrain("BTE", "3d", "upgrade")
    )
    assert table.state.companies["BTE"].treasury == 0


def doubled(same_city: bool) -> Table:
    """BTE acquires BCB; both have a station in C8, which is green or brown."""
    state = ordered({"BTE": Co("G1"), "BCB": small()}, phase="g", locals_={"S1": "BTE", "M1": "BTE"})
    state.locals["M1"].spent = same_city  # a brown OO tile is a purple-edged one
    state.tiles["C8"] = Tile("8894p", 0) if same_city else Tile("8859", 0)
    bte, bcb = state.companies["BTE"], state.companies["BCB"]
    bte.stations.append(Station("C8", 0, 0))
    bcb.stations.append(Station("C8", 0, 1) if same_city else Station("C8", 1, 0))
    bte.markers -= 1
    bcb.markers -= 1
    table = in_turn(state, "BTE", "acquire")
    table.play(AcquireCompany("BTE", "BCB", 30))
    return table


def test_of_two_stations_in_one_city_one_is_lifted() -> None:
    """CZ-13.6"""
    table = doubled(same_city=True)
    bte = table.state.companies["BTE"]
    assert sorted(bte.stations) == [("C8", 0, 0), ("D3", 0, 0), ("E16", 0, 0)]
    assert bte.markers == 3
    assert table.turn.step == "trains"


def test_of_two_stations_in_one_hex_the_director_chooses() -> None:
    """CZ-13.6: before anything else."""
    table = doubled(same_city=False)
    assert (table.turn.step, table.turn.kinds) == ("remove_station", ("remove_station",))
    assert table.refused(SellLocal("BTE", "S1")) == {("CZ-13.6", "wrong_step")}
    assert table.refused(RemoveStation("BTE", "E16", 0)) == {("CZ-13.6", "no_station_to_remove")}
    assert table.refused(RemoveStation("BTE", "C8", 2)) == {("CZ-13.6", "no_own_station_there")}
    assert table.refused(RemoveStation("BCB", "C8", 0)) == {("CZ-13.6", "wrong_player")}
    table.play(RemoveStation("BTE", "C8", 0))
    assert sorted(table.state.companies["BTE"].stations) == [("C8", 1, 0), ("D3", 0, 0), ("E16", 0, 0)]
    assert table.state.companies["BTE"].markers == 3


def test_decisions_on_acquired_trains_come_first() -> None:
    """CZ-24"""
    table = acquired(("3d",))
    assert table.refused(AcquireCompany("BTE", "BCB", 30)) == {("CZ-13.7", "wrong_step")}
    assert table.refused(Pass("BCB")) == {("CZ-13.7", "wrong_player")}
    assert table.refused(BuyShare("G1", "BTE")) == {("CZ-13.7", "wrong_player"), ("CZ-13.7", "wrong_step")}
    assert "lay_purple_tile" in table.turn.kinds
