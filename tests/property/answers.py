"""Print a hash of every answer along a played game: `python -m tests.property.answers <seed> <number>`.

Run twice, in any two processes, it prints the same.
"""

import sys
from hashlib import sha256
from random import Random

from services.chassis.errors import Refused
from services.eighteen_cz.game import GAME
from tests.fuzz.asking import any_request
from tests.fuzz.corpus import Sample, play
from tests.fuzz.oracle import CALLS, Oracle

RARE = {"Render": 0.03, "Describe": 0.03, "Start": 0.1}
"""How often calls are asked that take long or hardly depend on the position; others always."""


def print_answers(seed: str, number: int) -> None:
    rng = Random(f"answers/{seed}/{number}")
    game, oracle = play(seed, number), Oracle()
    for step, (state, option) in enumerate(game.steps):
        print(step, "move", GAME.print_move(state, option.move))
        sample = Sample(GAME.state_to_plain(state), GAME.move_to_plain(option.move))
        for call in CALLS:
            if rng.random() > RARE.get(call, 0.2):
                continue
            request = any_request(rng, call, {"state": sample.state}, sample)
            answer = oracle.ask(call, request, rng.choice(["en", "pl"]))
            told = str(answer) if isinstance(answer, Refused) else repr(answer)
            print(step, call, sha256(told.encode(errors="backslashreplace")).hexdigest())


if __name__ == "__main__":
    print_answers(sys.argv[1], int(sys.argv[2]))
