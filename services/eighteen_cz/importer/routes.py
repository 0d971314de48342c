"""Recorded routes as routes of our moves: the direction of each section, and which city or town is meant."""

from collections.abc import Sequence
from itertools import pairwise

from services.eighteen_cz.importer.reading import Run
from services.eighteen_cz.rules import hexmap, tiles
from services.eighteen_cz.rules.moves import Route
from services.eighteen_cz.rules.state import State

Section = tuple[str, ...]


def routes_of(runs: Sequence[Run], trains: Sequence[str], state: State) -> tuple[Route, ...]:
    """One route a run; `trains` are the versions of the trains that run them."""
    return tuple(_route(run, train, state) for run, train in zip(runs, trains, strict=True))


def _route(run: Run, train: str, state: State) -> Route:
    sections = [section for section in run.connections if section]
    numbers: list[str] = []
    nodes = [node.rpartition("-") for node in run.nodes]
    if len(nodes) == len(sections) + 1:
        sections = [
            section if (section[0], section[-1]) == (first[0], second[0]) else section[::-1]
            for section, (first, second) in zip(sections, pairwise(nodes), strict=True)
        ]
        numbers = [number for _, _, number in nodes]
    else:
        sections = _chained(sections)
    stops = [section[0] for section in sections[:1]] + [section[-1] for section in sections]
    named = []
    for n, hex_name in enumerate(stops):
        if numbers and nodes[n][0] == hex_name:
            number = numbers[n]
        elif n < len(sections):
            number = _location(state, hex_name, sections[n][1:2])
        else:
            number = _location(state, hex_name, sections[n - 1][-2:-1])
        named.append(f"{hex_name}.{number}" if _several(state, hex_name) else hex_name)
    return Route(train, tuple(named), tuple(sections))


def _chained(sections: list[Section]) -> list[Section]:
    """The sections each turned so that it begins where the one before it ended, as far as they join."""
    if len(sections) > 1 and sections[0][-1] not in (sections[1][0], sections[1][-1]):
        sections = [sections[0][::-1], *sections[1:]]
    chained = sections[:1]
    for section in sections[1:]:
        turned = section[0] != chained[-1][-1] and section[-1] == chained[-1][-1]
        chained.append(section[::-1] if turned else section)
    return chained


def _several(state: State, hex_name: str) -> bool:
    return hex_name in tiles.PRINTED and len(tiles.layout(state, hex_name).locations) > 1


def _location(state: State, hex_name: str, beyond: Sequence[str]) -> str:
    """The number of the city or town that track from the next hex leads to; 0 where there is none."""
    if hex_name in tiles.PRINTED:
        for edge in hexmap.EDGES:
            if beyond and hexmap.step(hex_name, edge) == beyond[0]:
                ends = [end - 6 for end in tiles.layout(state, hex_name).links[edge] if end >= 6]
                return str(ends[0]) if ends else "0"
    return "0"
