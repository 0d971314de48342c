"""Every game's service has the same calls, and its messages the same fields in their common parts."""

from pathlib import Path

import pytest
import signalbox
from google.api import annotations_pb2  # type: ignore[import-untyped]
from google.protobuf import descriptor_pool
from google.protobuf.descriptor import Descriptor, FieldDescriptor, ServiceDescriptor

from services.chassis.contract import load

OWN = ("Setup", "State", "Move")
"""The messages that are each game's own.  Of these, only some fields are common."""

COMMON = {
    "Setup": {"seats": 1, "ruleset": 2, "random": 3},
    "State": {"ruleset": 1, "random": 2},
    "Move": {"notation": 1, "actor": 2},
}


def rules_services() -> dict[str, ServiceDescriptor]:
    """Of all games, the tests' own included, by package."""
    games = sorted(folder.name for root in signalbox.__path__ for folder in Path(root).iterdir())
    found = {}
    for package in (f"signalbox.{game}.v1" for game in games if game != "v1"):
        for file in load(package):
            for service in descriptor_pool.Default().FindFileByName(file).services_by_name.values():
                found[package] = service
    return found


SERVICES = rules_services()
REFERENCE = SERVICES["signalbox.tiny_game.v1"]


def field_shape(field: FieldDescriptor, package: str) -> tuple[object, ...]:
    own = (
        field.message_type.full_name
        if field.message_type
        else field.enum_type.full_name
        if field.enum_type
        else ""
    )
    oneof = field.containing_oneof.name if field.containing_oneof else ""
    return (
        field.name,
        field.type,
        field.is_repeated,
        field.has_presence,
        oneof,
        own.replace(package, "<package>"),
    )


def message_shapes(message: Descriptor, package: str, found: dict[str, object]) -> dict[str, object]:
    """The fields by number of a message and of those in it, down to the games' own."""
    name = message.full_name.replace(package, "<package>")
    if name in found or message.name in OWN:
        return found
    found[name] = {field.number: field_shape(field, package) for field in message.fields}
    for field in message.fields:
        if field.message_type:
            message_shapes(field.message_type, package, found)
    return found


def shapes(service: ServiceDescriptor, package: str) -> dict[str, object]:
    found: dict[str, object] = {}
    for method in service.methods:
        for message in (method.input_type, method.output_type):
            message_shapes(message, package, found)
    return found


def test_the_games_are_found() -> None:
    assert {"signalbox.eighteen_cz.v1", "signalbox.tiny_game.v1"} <= SERVICES.keys()


@pytest.mark.parametrize("package", SERVICES)
def test_the_calls_are_the_same(package: str) -> None:
    def calls(service: ServiceDescriptor) -> dict[str, tuple[object, ...]]:
        return {
            method.name: (method.input_type.name, method.output_type.name, method.server_streaming)
            for method in service.methods
        }

    service = SERVICES[package]
    assert service.name.endswith("RulesService")
    assert calls(service) == calls(REFERENCE)
    assert len(service.methods) == 10 and not any(method.client_streaming for method in service.methods)


@pytest.mark.parametrize("package", SERVICES)
def test_the_common_parts_are_the_same(package: str) -> None:
    assert shapes(SERVICES[package], package) == shapes(REFERENCE, "signalbox.tiny_game.v1")


@pytest.mark.parametrize("package", SERVICES)
def test_the_games_own_messages_begin_alike(package: str) -> None:
    pool = descriptor_pool.Default()
    for name, fields in COMMON.items():
        own, reference = (
            pool.FindMessageTypeByName(f"{where}.{name}")
            for where in (package, REFERENCE.full_name.rpartition(".")[0])
        )
        for field, number in fields.items():
            assert own.fields_by_name[field].number == number
            shape = field_shape(own.fields_by_name[field], package)
            assert shape == field_shape(reference.fields_by_name[field], "signalbox.tiny_game.v1")
    move = pool.FindMessageTypeByName(f"{package}.Move")
    assert {field.name for field in move.fields if field.containing_oneof is None} == {"notation", "actor"}


@pytest.mark.parametrize("package", SERVICES)
def test_numbers_fit_in_32_bits_and_no_state_has_floats(package: str) -> None:
    pool = descriptor_pool.Default()
    allowed = {
        FieldDescriptor.TYPE_INT32, FieldDescriptor.TYPE_BOOL, FieldDescriptor.TYPE_STRING,
        FieldDescriptor.TYPE_MESSAGE, FieldDescriptor.TYPE_ENUM,
    }  # fmt: skip
    waiting, seen = [pool.FindMessageTypeByName(f"{package}.{name}") for name in OWN], set()
    while waiting:
        message = waiting.pop()
        if message.full_name not in seen:
            seen.add(message.full_name)
            assert {field.type for field in message.fields} <= allowed, message.full_name
            waiting += [field.message_type for field in message.fields if field.message_type]


@pytest.mark.parametrize("package", SERVICES)
def test_the_paths_are_the_same_but_for_the_game(package: str) -> None:
    def paths(service: ServiceDescriptor) -> dict[str, tuple[str, str, str]]:
        rules = {
            method.name: method.GetOptions().Extensions[annotations_pb2.http] for method in service.methods
        }
        game = rules["Describe"].get.removeprefix("/v1/games/")
        return {
            name: (rule.get.replace(game, "{game}"), rule.post.replace(game, "{game}"), rule.body)
            for name, rule in rules.items()
        }

    assert paths(SERVICES[package]) == paths(REFERENCE)
    assert paths(REFERENCE)["LegalMoves"] == ("", "/v1/games/{game}:legalMoves", "*")
