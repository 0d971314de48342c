"""The example picture of the README; `python -m tests.eighteen_cz.render.example` draws it again."""

from pathlib import Path
from typing import Any

from services.eighteen_cz.render import render_state
from services.eighteen_cz.rulebook import summary
from services.eighteen_cz.rules.moves import Route, RunTrains
from tests.eighteen_cz.snapshots import record, state_at

FILE = Path(__file__).resolve().parents[3] / "docs" / "18cz-position.svg"
GAME, ACTION = "g2401_4p", 713
NAMES = ("Anna", "Bedřich", "Cecylia", "Dominik")
COLOURS = ("#c8102e", "#1d5fae", "#2e8b57", "#d99a00")


def recorded_run(action: dict[str, Any], versions: list[str]) -> RunTrains:
    """A run as recorded; `versions` are those of the company's trains, in the order of the routes."""
    routes = tuple(
        Route(
            train=version,
            stops=tuple(node.replace("-", ".") for node in route["nodes"]),
            sections=tuple(map(tuple, route["connections"])),
        )
        for route, version in zip(action["routes"], versions, strict=False)
    )
    return RunTrains(action["entity"], routes, sum(route["revenue"] for route in action["routes"]))


def draw_example() -> str:
    """A late position in which a company with two trains is about to run them."""
    game = record(GAME)
    state = state_at(game, ACTION)
    for player, name, colour in zip(state.players.values(), NAMES, COLOURS, strict=True):
        player.name, player.colour = name, colour
    action = game.actions[ACTION]
    run = recorded_run(action, state.companies[action["entity"]].trains)
    return render_state(state, mark_route=run.routes, caption=summary(run, "en"), language="en")


if __name__ == "__main__":
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(draw_example(), encoding="utf-8")
