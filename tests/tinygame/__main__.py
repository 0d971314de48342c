"""`python -m tests.tinygame`: the service of the tiny game."""

from services.chassis.main import run
from tests.tinygame.game import GAME

if __name__ == "__main__":
    run(GAME)
