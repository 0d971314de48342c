"""One line of notation for each kind of move, as Describe shows it."""

from collections.abc import Mapping
from typing import Final

EXAMPLES: Final[Mapping[str, str]] = {
    "pass": "G2 pass",
    "draft_buy": "G1 buy S1",
    "sell_shares": "G1 sell BCB 2",
    "buy_share": "G1 buy BCB",
    "start_company": "G1 par BCB 60",
    "repay_loan": "G1 repay",
    "lay_home_tile": "SX home A8 r4",
    "choose_home_city": "ATE home city 1",
    "lay_tile": "BCB lay 57 r1 E16",
    "lay_purple_tile": "BCB purple 14p r1 E16 by S1",
    "place_station": "BCB station E12.0",
    "run_trains": "BCB run 2a E16-D17; 2b E16-(E18,D19)-D21 = 80",
    "dividend": "BCB pay",
    "acquire_company": "NWB acquire MW 58",
    "remove_station": "NWB remove E12.1",
    "acquired_train": "NWB upgrade 3d",
    "discard_train": "BCB discard 2a",
    "buy_train": "BCB train 2b 70",
    "buy_local": "BCB local S1 45",
    "sell_local": "BCB sell local S1",
    "answer_offer": "G2 accept",
    "vaclav_company": "CHANCE vaclav BTE",
}
