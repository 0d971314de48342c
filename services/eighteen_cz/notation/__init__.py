"""One line a move, as 18xx players write it.  `read` and `write` are exact inverses.

Every well-typed move has one line, also an absurd one; every line that `read` takes is the line that
`write` gives for it.  Neither needs the position.  The forms, `[...]` standing for what may be absent:

    G1 pass                             declines or ends a step or turn (CZ-8.3)
    G1 buy S1                           pre-stock round: buys a local (CZ-4.2)
    G1 buy BCB                          buys a certificate (CZ-5.4)
    G1 par BCB 60                       starts a company at 60 (CZ-5.5)
    G1 sell BCB 2                       sells 2 units (CZ-5.9)
    G1 repay                            repays the loan (CZ-5.12)
    SX home A8 r4                       lays the home tile with rotation 4 (CZ-9.10)
    ATE home city 1                     chooses city 1 of B9 (CZ-9.13)
    BCB lay 57 r1 E16 [waive S1]        lays tile 57 with rotation 1 on E16 (CZ-9)
    BCB purple 14p r1 E16 by S1         lays a purple-edged tile (CZ-16.7)
    BCB station E12.0 [slot 1]          places a station in city 0 of E12 (CZ-10.2)
    BCB run 2a E16-D17; 2b E16-D21 [= 90]   runs trains, 90 being the revenue of all (CZ-11)
    BCB run none                        runs no train (`= ?` where the revenue 0 is not stated)
    BCB pay, BCB keep                   pays or keeps the revenue (CZ-12.1)
    NWB acquire MW 58                   acquires at 58 per unit (CZ-13)
    NWB remove E12.1                    lifts the station in city 1 of E12 (CZ-13.6)
    NWB upgrade 5i, NWB scrap 2a        deals with an acquired train (CZ-13.7)
    BCB discard 2a                      discards a train (CZ-14.8)
    BCB train 2b 70                     buys a 2b from the stack for 70 (CZ-14.1)
    BCB train 3+3d 180 pool [3d]        buys the pool card discarded as 3d, as a 3+3d
    BCB train 2a 30 from MW             buys the 2a of MW for 30 (CZ-14.3)
    BCB local S1 45                     buys S1 from its owner for 45 (CZ-16.3)
    BCB sell local S1                   sells S1 to the bank (CZ-16.5)
    G2 accept, G2 reject                answers an offer (CZ-8.4)
    CHANCE vaclav BTE                   reports the draw of Vaclav's company (CZ-18.2)

The actor may be left out.  A name that is not a plain word, or is a word of the notation, stands in
double quotes as a JSON string; `buy local X` and `buy share X` say what X is where its shape does not.

A route names its stops, `E12.1` being location 1 of a hex with several.  Between two stops stands
`-` for the direct track between neighbouring hexes, `-(E18,D19)-` for track through those hexes, and,
where it is left to the rules to find the only track, `-` between hexes that are not neighbours and `~`
between neighbours.  (A route that fits none of this has its stops and then its sections in brackets.)

>>> write(read("BCB lay 57 r1 E16"))
'BCB lay 57 r1 E16'
>>> read("BCB run 2a E16-D17 = 40").routes[0].sections
(('E16', 'D17'),)
"""

from services.eighteen_cz.notation.reading import read
from services.eighteen_cz.notation.words import BadNotation
from services.eighteen_cz.notation.writing import write

__all__ = ["BadNotation", "read", "write"]
