"""SVG elements on top of the standard library's XML tree, which escapes and closes everything for us."""

import re
from typing import Final
from xml.etree.ElementTree import Element, SubElement, tostring

from services.eighteen_cz.render.geometry import Point, number

FONT: Final = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
INK: Final = "#1c1c1c"
SOFT: Final = "#5a5a5a"
LINE: Final = "#9a958a"
SMALLEST: Final = 10.0
"""No text is smaller, so that a picture printed over a sheet of A3 can be read."""

WIDE: Final = 0.65
"""How wide a letter is in a wide font, in parts of its size, on the average of a line."""

_NOT_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Attribute = str | int | float


def clean(text: str) -> str:
    """A text without the characters that XML cannot hold.

    >>> clean("a\\x00b")
    'ab'
    """
    return _NOT_XML.sub("", text)


def shortened(text: str, length: int) -> str:
    """A text cut to a number of characters."""
    text = " ".join(clean(text).split())
    return text if len(text) <= length else text[: length - 1] + "…"


def add(parent: Element, tag: str, **attributes: Attribute) -> Element:
    """A new child.  In names of attributes `_` stands for `-`; a final `_` keeps off Python's keywords."""
    return SubElement(
        parent,
        tag,
        {
            name.rstrip("_").replace("_", "-"): number(value) if isinstance(value, int | float) else value
            for name, value in attributes.items()
        },
    )


def group(parent: Element, at: Point) -> Element:
    return add(parent, "g", transform=f"translate({number(at.x)} {number(at.y)})")


def text(parent: Element, at: Point, content: str, size: float, **attributes: Attribute) -> Element:
    """A line of text whose base line starts at a point."""
    node = add(parent, "text", x=at.x, y=at.y, font_size=max(size, SMALLEST), **attributes)
    node.text = clean(content)
    return node


def centred(parent: Element, at: Point, content: str, size: float, **attributes: Attribute) -> Element:
    """A line of text around a point."""
    return text(parent, Point(at.x, at.y + size * 0.355), content, size, text_anchor="middle", **attributes)


def haloed(
    parent: Element,
    at: Point,
    content: str,
    size: float,
    halo: str,
    width: float = 3.0,
    **attributes: Attribute,
) -> None:
    """A line of text around a point, over a broad copy of itself in the colour of the ground.

    Two elements, since not every renderer knows `paint-order`, and the others draw the stroke on top.
    """
    around: dict[str, Attribute] = {"stroke": halo, "stroke_width": width, "stroke_linejoin": "round"}
    centred(parent, at, content, size, **{**attributes, "fill": halo, **around, "aria_hidden": "true"})
    centred(parent, at, content, size, **attributes)


def circle(parent: Element, at: Point, radius: float, **attributes: Attribute) -> Element:
    return add(parent, "circle", cx=at.x, cy=at.y, r=radius, **attributes)


def box(parent: Element, at: Point, width: float, height: float, **attributes: Attribute) -> Element:
    return add(parent, "rect", x=at.x, y=at.y, width=width, height=height, **attributes)


def line(parent: Element, start: Point, end: Point, **attributes: Attribute) -> Element:
    return add(parent, "line", x1=start.x, y1=start.y, x2=end.x, y2=end.y, **attributes)


def title(parent: Element, content: str) -> None:
    """What a viewer shows on hovering, and a reader reads aloud."""
    add(parent, "title").text = clean(content)


def document(heading: str) -> Element:
    """An empty picture."""
    root = Element(
        "svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img", "font-family": FONT, "fill": INK}
    )
    title(root, heading)
    return root


def finished(root: Element, width: float, height: float) -> str:
    """The picture on a white ground of that size, as text."""
    root.set("width", number(width))
    root.set("height", number(height))
    root.set("viewBox", f"0 0 {number(width)} {number(height)}")
    ground = box(root, Point(0, 0), width, height, fill="#ffffff")
    root.remove(ground)
    root.insert(1, ground)  # after the title, under everything else
    return tostring(root, encoding="unicode") + "\n"


def fitted(
    parent: Element, at: Point, content: str, size: float, width: float, **attributes: Attribute
) -> None:
    """A line of text that is smaller, and at last squeezed, where a wide font would exceed `width`.

    Not every renderer can squeeze, so that comes second.
    """
    size = min(size, max(SMALLEST, width / (WIDE * max(len(content), 1))))
    node = text(parent, at, content, size, **attributes)
    if len(content) * size * WIDE > width + 0.01:
        node.set("textLength", number(width))
        node.set("lengthAdjust", "spacingAndGlyphs")


def heading(parent: Element, at: Point, content: str, width: float) -> None:
    """The title of a panel, with a rule under it."""
    text(parent, at, content, 15, font_weight="bold")
    line(parent, Point(at.x, at.y + 6), Point(at.x + width, at.y + 6), stroke=INK, stroke_width=1.2)


_COLOUR: Final = re.compile(r"#[0-9a-fA-F]{3}(?:[0-9a-fA-F]{3})?|[a-zA-Z]{3,20}")


def safe_colour(colour: str) -> str:
    """A player's colour if it is one (never a reference to something else), otherwise gray."""
    return colour if _COLOUR.fullmatch(colour) else LINE
