"""Plain data is exactly what json_format says, and reading undoes writing."""

from copy import deepcopy
from dataclasses import fields, replace
from typing import Any, get_args

import orjson
import pytest
from google.protobuf import json_format
from google.protobuf.message import Message
from hypothesis import HealthCheck, given, settings
from signalbox.eighteen_cz.v1 import move_pb2, setup_pb2, state_pb2

from services.chassis.game import Malformed
from services.eighteen_cz.codec import move_from_plain, move_to_plain, state_from_plain, state_to_plain
from services.eighteen_cz.rules import facts
from services.eighteen_cz.rules import moves as m
from services.eighteen_cz.rules import state as s
from tests.eighteen_cz.wire.moves import ANY_MOVE, BY_KIND
from tests.eighteen_cz.wire.states import STATES, late_state

BIG = settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def reference(plain: dict[str, Any], message: Message) -> dict[str, Any]:
    """The same data by way of the message and json_format."""
    json_format.ParseDict(plain, message)
    return json_format.MessageToDict(message, always_print_fields_with_no_presence=True)


def ordered(value: Any) -> Any:
    """The value with the order of its keys made visible."""
    if isinstance(value, dict):
        return [(key, ordered(inner)) for key, inner in value.items()]
    return [ordered(inner) for inner in value] if isinstance(value, list) else value


@given(STATES)
@BIG
def test_a_state_is_its_message_and_back(state: s.State) -> None:
    before = deepcopy(state)
    plain = state_to_plain(state)
    known = deepcopy(plain)
    assert reference(plain, state_pb2.State()) == plain
    assert state_from_plain(plain) == state
    assert state_to_plain(state_from_plain(plain)) == plain
    assert state == before and plain == known


def test_a_late_state_is_its_message_and_back_with_keys_in_the_order_of_the_contract() -> None:
    plain = state_to_plain(late_state())
    assert reference(plain, state_pb2.State()) == plain
    assert state_from_plain(plain) == late_state()
    numbers = {field.json_name: field.number for field in state_pb2.State.DESCRIPTOR.fields}
    assert [numbers[key] for key in plain] == sorted(numbers[key] for key in plain)


@given(STATES)
@BIG
def test_neither_shares_anything_that_can_change(state: s.State) -> None:
    plain = state_to_plain(state)
    made = state_from_plain(plain)
    text = orjson.dumps(plain)
    for company in made.companies.values():
        company.trains.append("x")
        company.stations.append(s.Station("E12", 0, 0))
    made.pool.append("x")
    made.rusted.append("x")
    made.order.append("x")
    for pending in made.pending:
        pending.hexes.append("x")
        pending.trains.append("x")
    if made.operating:
        made.operating.order.append("x")
        made.operating.laid.append("x")
    assert orjson.dumps(plain) == text


def test_equal_states_have_one_plain_form_whatever_came_first() -> None:
    state = late_state()
    turned = replace(
        state,
        tiles=dict(reversed(state.tiles.items())),
        stack=dict(reversed(state.stack.items())),
        stock=s.StockTurn(0, False, {"G1": ["kk"], "G2": ["BY"]}),
    )
    turned.companies = {
        symbol: replace(company, units=dict(reversed(company.units.items())))
        for symbol, company in state.companies.items()
    }
    state.stock = s.StockTurn(0, False, {"G2": ["BY"], "G1": ["kk"]})
    assert state == turned
    assert ordered(state_to_plain(state)) == ordered(state_to_plain(turned))


UNSAID = "DIVIDEND_CHOICE_UNSPECIFIED"


def broken(change: Any) -> tuple[str, str]:
    plain = state_to_plain(late_state())
    change(plain)
    with pytest.raises(Malformed) as caught:
        state_from_plain(plain)
    return caught.value.path, caught.value.message


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (lambda plain: plain.update(stage="STAGE_UNSPECIFIED"), "stage"),
        (lambda plain: plain.update(board="BOARD_UNSPECIFIED"), "board"),
        (lambda plain: plain.update(board=77), "board"),
        (
            lambda plain: plain["companies"][3].update(status="UNSPECIFIED"),
            "companies[3].status",
        ),
        (lambda plain: plain["operating"].update(step="STEP_UNSPECIFIED"), "operating.step"),
        (lambda plain: plain.pop("random"), "random"),
        (lambda plain: plain.pop("switches"), "switches"),
        (lambda plain: plain.update(random={}), "random"),
        (
            lambda plain: plain["switches"].update(overCertificateLimit="OVER_CERTIFICATE_LIMIT_UNSPECIFIED"),
            "switches.overCertificateLimit",
        ),
        (lambda plain: plain["companies"].append(plain["companies"][1]), "companies[15].symbol"),
        (lambda plain: plain["players"].append(plain["players"][1]), "players[4].seat"),
        (lambda plain: plain["locals"].append(plain["locals"][1]), "locals[18].symbol"),
        (lambda plain: plain["stack"].append(plain["stack"][1]), "stack[9].row"),
        (lambda plain: plain["tiles"].insert(0, plain["tiles"][1]), "tiles[2].hex"),
        (
            lambda plain: plain["companies"][2]["units"].append({"holder": "G1", "units": 1}),
            "companies[2].units[3].holder",
        ),
        (
            lambda plain: plain.update(
                stock={"index": 0, "acted": False, "sold": [{"seat": "G1", "companies": []}] * 2}
            ),
            "stock.sold[1].seat",
        ),
        (
            lambda plain: plain["pending"].append(
                {"kind": "x", "company": "", "seat": "", "size": "", "hexes": [], "trains": []}
            ),
            "pending[0].kind",
        ),
    ],
)
def test_what_types_cannot_say_is_refused_with_its_path(change: Any, path: str) -> None:
    found, message = broken(change)
    assert found == path
    assert message


def test_the_commitment_follows_from_the_seed() -> None:
    plain = state_to_plain(late_state())
    plain["random"]["seeded"]["commitment"] = ""
    assert state_from_plain(plain) == late_state()


@pytest.mark.parametrize("kind", BY_KIND, ids=lambda kind: kind.__name__)
def test_a_move_is_its_message_and_back(kind: type[m.Move]) -> None:
    @given(BY_KIND[kind])
    def holds(move: m.Move) -> None:
        plain = move_to_plain(move)
        assert reference(plain, move_pb2.Move()) == plain
        assert move_from_plain(plain) == move
        orjson.dumps(plain)

    holds()


@given(ANY_MOVE)
def test_a_move_with_its_notation_is_the_same_move(move: m.Move) -> None:
    assert move_from_plain({**move_to_plain(move), "notation": "whatever"}) == move


@pytest.mark.parametrize(
    ("plain", "path"),
    [
        ({"notation": "", "actor": ""}, ""),
        (
            {"notation": "", "actor": "", "dividend": {"choice": UNSAID}},
            "dividend.choice",
        ),
        (
            {"notation": "", "actor": "", "acquiredTrain": {"train": "2a", "choice": "x"}},
            "acquiredTrain.choice",
        ),
    ],
)
def test_a_move_of_no_kind_or_choice_is_refused(plain: dict[str, Any], path: str) -> None:
    with pytest.raises(Malformed) as caught:
        move_from_plain(plain)
    assert caught.value.path == path


def test_the_contract_has_every_kind_of_move_and_every_field_under_the_name_of_the_rules() -> None:
    kinds = {
        field.name: field.message_type for field in move_pb2.Move.DESCRIPTOR.oneofs_by_name["kind"].fields
    }
    assert set(kinds) == {each.kind for each in get_args(m.Move)}
    for each in get_args(m.Move):
        message = kinds[each.kind]
        assert message is not None
        assert [field.name for field in message.fields] == [
            field.name for field in fields(each) if field.name != "actor"
        ]


def test_the_contract_has_every_field_of_the_state_under_the_name_of_the_rules() -> None:
    pairs: list[tuple[Any, Any]] = [
        (state_pb2.State, s.State),
        (state_pb2.Player, s.Player),
        (state_pb2.Company, s.Company),
        (state_pb2.Local, s.Local),
        (state_pb2.StockTurn, s.StockTurn),
        (state_pb2.OperatingTurn, s.OperatingTurn),
        (state_pb2.Pending, s.Pending),
        (state_pb2.Offer, s.Offer),
        (state_pb2.Switches, s.Switches),
        (setup_pb2.SwitchOverrides, s.Switches),
    ]
    for message, of_rules in pairs:
        named = {field.name.lower() for field in fields(of_rules)}
        if of_rules is s.State:
            named = named - {"chance"} | {"random"}
        assert {field.name for field in message.DESCRIPTOR.fields} == named


def test_every_switch_value_of_the_data_has_a_plain_form() -> None:
    for name, values in facts.SWITCH_VALUES.items():
        for value in values:
            state = replace(late_state(), switches=facts.profile("seed", {name: value}))
            plain = state_to_plain(state)
            assert reference(plain, state_pb2.State()) == plain
            assert state_from_plain(plain) == state
