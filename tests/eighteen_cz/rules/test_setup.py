"""The first position (CZ-1.1, 2, 18)."""

from typing import Any

import pytest

from services.eighteen_cz.rules import facts
from services.ruleset.protocol import SetupRefused
from tests.eighteen_cz.rules.table import ENGINES, PUBLISHED, SUMMARY, Table, new_game


@pytest.mark.parametrize(
    ("players", "cash", "limit"), [(3, 380, 14), (4, 300, 12), (5, 250, 10), (6, 210, 9)]
)
def test_cash_and_limit_follow_the_number_of_players(players: int, cash: int, limit: int) -> None:
    """CZ-2.1"""
    state = new_game(players)
    assert [player.cash for player in state.players.values()] == [cash] * players
    assert facts.CERTIFICATE_LIMIT[players] == limit
    assert state.order == [f"G{number}" for number in range(1, players + 1)]
    assert state.phase == "a"
    assert list(state.stack.items()) == list(zip("abcdefghi", (5, 4, 4, 4, 4, 4, 4, 2, 2), strict=True))
    assert len(state.companies) == 15 and len(state.locals) == 18
    Table(state)


def test_two_players_play_on_the_map_of_bohemia() -> None:
    """CZ-18.2: fewer companies and locals, and Vaclav's small company to be drawn."""
    state = new_game(2)
    assert state.board == "bohemia"
    assert list(state.companies) == ["EKJ", "BCB", "VBW", "BN", "NWB", "ATE", "BTE", "SX", "BY", "kk"]
    assert list(state.locals) == ["S1", "S2", "S3", "M1", "M2", "M3", "L1", "L2", "L3"]
    assert [player.cash for player in state.players.values()] == [280, 280]
    assert state.pending[0].kind == "vaclav_company"


def test_two_players_may_play_on_the_standard_map() -> None:
    """D-26, by the variant or by the switch."""
    for state in (new_game(2, variant="standard"), new_game(2, twoPlayerMap="BOARD_STANDARD")):
        assert state.board == "standard" and not state.pending
        assert len(state.companies) == 15


@pytest.mark.parametrize(
    ("players", "options", "rule", "reason", "path"),
    [
        (1, {}, "CZ-1.1", "seat_count", "seats"),
        (7, {}, "CZ-1.1", "seat_count", "seats"),
        (3, {"variant": "bohemia"}, "CZ-18.2", "variant_seats", "options.variant"),
        (2, {"variant": "moravia-silesia"}, "CZ-18.3", "variant_not_specified", "options.variant"),
        (3, {"variant": "moravia-silesia"}, "CZ-18.3", "variant_not_specified", "options.variant"),
        (3, {"variant": "slovakia"}, "CZ-18.1", "unknown_variant", "options.variant"),
        (
            3,
            {"switches": {"dividendPriceStep": 3}},
            "CZ-6",
            "switch_value",
            "options.switches.dividendPriceStep",
        ),
        (
            3,
            {"switches": {"dividendPriceStep": True}},
            "CZ-6",
            "switch_value",
            "options.switches.dividendPriceStep",
        ),
        (
            3,
            {"switches": {"salesInFirstStockRound": 1}},
            "CZ-5.3",
            "switch_value",
            "options.switches.salesInFirstStockRound",
        ),
        (
            3,
            {"switches": {"twoPlayerMap": "BOARD_UNSPECIFIED"}},
            "CZ-18.2",
            "switch_value",
            "options.switches.twoPlayerMap",
        ),
        (3, {"switches": {"noSuchSwitch": 1}}, "CZ-18.1", "unknown_switch", "options.switches.noSuchSwitch"),
    ],
)
def test_what_cannot_be_played_is_refused(
    players: int, options: dict[str, Any], rule: str, reason: str, path: str
) -> None:
    with pytest.raises(SetupRefused) as refused:
        ENGINES[SUMMARY].start({"seats": [{"name": ""}] * players, "options": options})
    violation = refused.value.violation
    assert (violation.rule_id, violation.reason, violation.path) == (rule, reason, path)


def test_the_rulesets_differ_in_their_switches() -> None:
    """CZ-20: D-1 to D-3; every switch can be set otherwise."""
    seed, published = new_game().switches, new_game(ruleset=PUBLISHED).switches
    assert (seed.dividend_price_step, published.dividend_price_step) == (1, 2)
    assert (seed.withhold_price_step, published.withhold_price_step) == (1, 2)
    assert (seed.six_express_rusts_on_8Ej, published.six_express_rusts_on_8Ej) == (True, False)
    assert seed.stock_round_order_from_round_2 != published.stock_round_order_from_round_2
    other = new_game(sixExpressRustsOn8ej=False, overCertificateLimit="OVER_CERTIFICATE_LIMIT_MAY_PASS")
    assert other.switches.six_express_rusts_on_8Ej is False
    assert other.switches.over_certificate_limit == "may_pass"


def test_an_unknown_ruleset_has_no_engine() -> None:
    from services.eighteen_cz.rules.engine import EighteenCz

    with pytest.raises(ValueError, match="no such ruleset"):
        EighteenCz("18cz/other-1")
