"""Which of a game's languages a request is answered in."""

from collections.abc import Sequence

LONGEST_HEADER = 500


def negotiate(accepted: str, languages: Sequence[str]) -> str:
    """The one of `languages` that an Accept-Language header prefers; the first one where it prefers none.

    >>> negotiate("de, pl-PL;q=0.8, en;q=0.5", ["en", "pl"]), negotiate("*", ["en", "pl"])
    ('pl', 'en')
    """
    best, best_quality = languages[0], 0.0
    for part in accepted[:LONGEST_HEADER].split(","):
        tag, _, parameter = part.partition(";")
        primary = tag.strip().lower().split("-")[0]
        if primary not in languages:
            continue
        try:
            quality = float(parameter.strip().removeprefix("q=")) if parameter.strip() else 1.0
        except ValueError:
            continue
        if best_quality < quality <= 1.0:
            best, best_quality = primary, quality
    return best
