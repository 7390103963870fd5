"""Words for elements without a name: the icon that is drawn in them, by its class or its file. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

LIMIT = 24
"""Characters of a hint."""
PARTS = 8
"""Elements in a nameless one that are looked at."""

_SETS = re.compile(
    r"^(?:fa[bsrl]?|bi|pi|mdi|ri|ti|glyphicon|icon|icofont|material-icons|jp|ql"
    r"|[a-z]{1,3}-icon|lucide|tabler-icon|feather|codicon|octicon|dashicons|anticon|ph|bxs?|las|la|k-i)-+"
)
_SIZES = re.compile(r"^(?:solid|regular|brands|light|thin|fw|lg|sm|xs|\d+x\d*|spin|rounded|outlined|sharp)$")

_LIGATURES = re.compile(r"^material-(?:icons|symbols)")
_LIGATURE = re.compile(r"^[a-z0-9_]+$")
"""Fonts that draw an icon for a word, and such a word."""

_NAMES = ("name", "icon", "fonticon", "svgicon")
"""Attributes that name the icon of an element such as `<ion-icon>`."""

_HINTS = re.compile(r"^data-(?:action$|tip$|tippy-content$|(?:[a-z-]+-)?(?:title|tooltip)$)")
"""Attributes that describe a control without text."""

_SVG = frozenset({"g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text"})


def hint(elements: Iterator[tuple[str, Mapping[str, str]]]) -> str:
    """Name the icon in an element, by the tag names and attributes of the element and of those in it; may be empty."""
    is_ligature = False
    for number, (tag, attributes) in zip(range(PARTS), elements, strict=False):
        classes = attributes.get("class", "").split()
        found = _from_address(tag, attributes) or _from_classes(classes) or _of_material_ui(attributes)
        found = found or (next(filter(None, map(attributes.get, _NAMES)), "") if tag.endswith("-ICON") else "")
        if not found and is_ligature and tag == "#text" and _LIGATURE.match(attributes["value"].strip()):
            found = attributes["value"].strip()
        if not found and tag in _SVG and number == 0:  # a class of a part says how it looks, not what it is for
            found = attributes.get("id") or (classes[-1] if classes else "")
        if found:
            return found[:LIMIT]
        is_ligature = any(map(_LIGATURES.match, classes))
    return ""


def said(attributes: Mapping[str, str]) -> str:
    """The description of a control in an attribute that scripts read; may be empty."""
    return next((value for name, value in attributes.items() if value and _HINTS.match(name)), "")[:LIMIT]


def _from_address(tag: str, attributes: Mapping[str, str]) -> str:
    if tag not in ("IMG", "use"):
        return ""
    address = attributes.get("src", "") if tag == "IMG" else attributes.get("href", attributes.get("xlink:href", ""))
    name = re.split(r"[/#]", address.partition("?")[0])[-1]
    return "" if name.startswith("data:") or ";" in name else name.partition(".")[0]


def _of_material_ui(attributes: Mapping[str, str]) -> str:
    name = attributes.get("data-testid", "")
    return (
        name.removesuffix("Icon") if name.endswith("Icon") and "MuiSvgIcon-root" in attributes.get("class", "") else ""
    )


def _from_classes(classes: Sequence[str]) -> str:
    names = (_SETS.sub("", word) for word in classes if _SETS.match(word))
    return next((name for name in names if name and not _SIZES.match(name)), "")
