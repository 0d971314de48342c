"""`python -m services.eighteen_cz`: the service of 18CZ."""

from services.chassis.main import run
from services.eighteen_cz.game import GAME

if __name__ == "__main__":
    run(GAME)
