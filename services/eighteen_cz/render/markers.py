"""Company markers: discs in the company's colour with its symbol, filled or only reserved."""

from xml.etree.ElementTree import Element

from services.eighteen_cz.render.geometry import Point
from services.eighteen_cz.render.svg import INK, centred, circle
from services.eighteen_cz.rules import facts


def ink_on(colour: str) -> str:
    """Black or white, whichever can be read on a colour (`#RRGGBB`).

    >>> ink_on("#FFD700"), ink_on("#2B2A29")
    ('#1c1c1c', '#ffffff')
    """
    red, green, blue = bytes.fromhex(colour[1:])
    return INK if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else "#ffffff"


def company_marker(parent: Element, at: Point, radius: float, symbol: str) -> None:
    colour = facts.COMPANIES[symbol].colour
    circle(parent, at, radius, fill=colour, stroke=INK, stroke_width=1.5)
    _symbol(parent, at, radius, symbol, ink_on(colour))


def reserved_marker(parent: Element, at: Point, radius: float, symbol: str) -> None:
    """A place that waits for a company's home station: pale, with a broken outline."""
    pale = tint(facts.COMPANIES[symbol].colour)
    circle(parent, at, radius, fill=pale, stroke=INK, stroke_width=1.2, stroke_dasharray="3 2.4")
    _symbol(parent, at, radius, symbol, INK)


def tint(colour: str) -> str:
    """A colour mixed with white, light enough for dark text.

    >>> tint("#000000")
    '#c0c0c0'
    """
    return "#" + "".join(f"{255 - (255 - part) // 4:02x}" for part in bytes.fromhex(colour[1:]))


def _symbol(parent: Element, at: Point, radius: float, symbol: str, ink: str) -> None:
    size = radius * 0.82
    node = centred(parent, at, symbol, size, fill=ink, font_weight="bold")
    if len(symbol) > 2:  # whatever the font, three letters stay inside the disc
        node.set("textLength", f"{radius * 1.5:g}")
        node.set("lengthAdjust", "spacingAndGlyphs")
