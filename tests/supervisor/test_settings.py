"""The configuration file and the environment as typed settings."""

import dataclasses
import re
from pathlib import Path

import pytest

from deployment.settings import (
    DEFAULT_FILE,
    SERVICE_KEYS,
    Settings,
    SettingsError,
    load,
    unknown_variables,
    variable,
)
from services.chassis.settings import Settings as Service
from services.chassis.settings import load as load_service

ONE_GAME = '[games.tiny-game]\nmodule = "m"\npackage = "p.v1"\nport = 7001\nmetrics_port = 7002\n'


def load_text(folder: Path, text: str, **environ: str) -> Settings:
    file = folder / "signalbox.toml"
    file.write_text(text)
    return load({"SIGNALBOX_CONFIG": str(file), **environ})


def test_the_file_of_the_house_is_sound() -> None:
    settings = load({})
    assert settings.gateway.port == 8080
    assert settings.gateway.host == "127.0.0.1"
    assert all(game.host == "127.0.0.1" for game in settings.games)


def test_the_environment_overrides_the_file(tmp_path: Path) -> None:
    game = load_text(
        tmp_path,
        ONE_GAME,
        SIGNALBOX_TINY_GAME_WORKERS="4",
        SIGNALBOX_TINY_GAME_ADDRESSES="dns:///a:1, b:2",
        PORT="9000",
    )
    assert game.game("tiny-game").workers == 4
    assert game.game("tiny-game").targets == ("dns:///a:1", "b:2")
    assert game.gateway.port == 9000


def test_a_service_is_found_at_its_own_port_by_default(tmp_path: Path) -> None:
    assert load_text(tmp_path, ONE_GAME).game("tiny-game").targets == ("127.0.0.1:7001",)


def test_the_full_name_wins_over_the_short_one(tmp_path: Path) -> None:
    settings = load_text(tmp_path, ONE_GAME, PORT="9000", SIGNALBOX_GATEWAY_PORT="9001")
    assert settings.gateway.port == 9001


def test_only_the_named_games_are_served(tmp_path: Path) -> None:
    two = ONE_GAME + ONE_GAME.replace("tiny-game", "other").replace("700", "800")
    assert [game.name for game in load_text(tmp_path, two, SIGNALBOX_GAMES="other").games] == ["other"]


@pytest.mark.parametrize(
    ("text", "environ", "complaint"),
    [
        ("[gateway]\nprot = 1\n", {}, "gateway has the unknown key 'prot'"),
        ("[chassis]\n", {}, "unknown section 'chassis'"),
        ("[gateway", {}, "cannot be read"),
        ('[gateway]\nport = "http"\n', {}, "gateway.port must be a whole number, not 'http'"),
        ("[gateway]\nport = true\n", {}, "must be a whole number"),
        ("[gateway]\nport = 65536\n", {}, "port must be from 0 to 65535, not 65536"),
        ("[gateway]\nworkers = 0\n", {}, "workers must be from 1 to 256, not 0"),
        ("[gateway]\nhost = 7\n", {}, "gateway.host must be a text"),
        ("[games.a]\n", {}, "a needs the key 'module'"),
        (ONE_GAME.replace("tiny-game", "gateway"), {}, "'gateway' cannot be the name of a game"),
        (ONE_GAME, {"PORT": "7001"}, "SIGNALBOX_GATEWAY_PORT and SIGNALBOX_TINY_GAME_PORT are both 7001"),
        (ONE_GAME, {"PORT": "x"}, "SIGNALBOX_GATEWAY_PORT must be a whole number, not 'x'"),
        (ONE_GAME, {"SIGNALBOX_GAMES": "chess"}, "names 'chess'"),
    ],
)
def test_what_cannot_be_used_is_named(
    tmp_path: Path, text: str, environ: dict[str, str], complaint: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        load_text(tmp_path, text, **environ)
    assert complaint in str(caught.value)


def test_variables_are_named_after_section_and_key() -> None:
    assert variable("18cz", "port") == "SIGNALBOX_18CZ_PORT"


def test_variables_that_nothing_reads_are_named(tmp_path: Path) -> None:
    file = tmp_path / "signalbox.toml"
    file.write_text(ONE_GAME)
    known = {
        "SIGNALBOX_CONFIG": str(file),
        "SIGNALBOX_GAMES": "tiny-game",
        "SIGNALBOX_GATEWAY_WORKERS": "1",
        "SIGNALBOX_SUPERVISOR_STOP_SECONDS": "1",
        "SIGNALBOX_TINY_GAME_WORKERS": "1",
        "SIGNALBOX_RECORD_MOVES": "1",
        "PORT": "1",
    }
    assert unknown_variables(known) == []
    odd = {"SIGNALBOX_GATEWAY_WORKRES": "1", "SIGNALBOX_OPEN_STATE": "no", "SIGNALBOX_XYLOPHONE": "1"}
    assert unknown_variables(known | odd) == [
        "nothing reads the variable SIGNALBOX_GATEWAY_WORKRES; did you mean SIGNALBOX_GATEWAY_WORKERS?",
        "nothing reads the variable SIGNALBOX_OPEN_STATE; did you mean SIGNALBOX_OPEN_STATES?",
        "nothing reads the variable SIGNALBOX_XYLOPHONE",
    ]


def test_the_file_of_the_house_tells_all_settings_of_services() -> None:
    names = [field.name for field in dataclasses.fields(Service)]
    assert set(SERVICE_KEYS) == set(names)
    told = dict(re.findall(r"^#   (SIGNALBOX_[A-Z_]+)=(\S*)", DEFAULT_FILE.read_text(), re.MULTILINE))
    told_by_the_supervisor = ("host", "port", "metrics_port", "workers")
    assert told.keys() == {
        f"SIGNALBOX_{name.upper()}" for name in names if name not in told_by_the_supervisor
    }
    assert load_service(told) == Service()
