"""One element of an accessibility tree as a line of text: its role, its name, its states, its value. Pure.

A page can put anything into a name; it cannot get out of the quotes or begin a line with anything else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any
from unicodedata import category

from msgspec import Struct
from msgspec.structs import replace

from cdp_typed.printable import in_quotes, visible
from supervisor.tools.framework.untrusted_text import is_plain_address

from .reading import Read
from .tree_nodes import TreeNode

NAME_LIMIT = 200
TEXT_LIMIT = 1_000
URL_LIMIT = 80
WHOLE_URL_LIMIT = 2_000
"""Characters of a name or a value, of a run of text, of a link's address, and of one that is shown whole."""

INTERACTIVE = frozenset(
    {
        "button", "link", "textbox", "searchbox", "combobox", "checkbox", "radio", "switch", "slider", "spinbutton",
        "option", "listbox", "menuitem", "menuitemcheckbox", "menuitemradio", "tab", "treeitem", "scrollbar",
        "DisclosureTriangle", "ColorWell", "Date", "DateTime", "InputTime", "PopUpButton",
        "ToggleButton", "Canvas",
    }
)  # fmt: skip
"""Roles that can be clicked, typed into, or drawn upon."""

_WITH_REF = frozenset({"image", "Iframe", "IframePresentational", "Video", "Audio"})
"""Roles that are not interactive, and are worth pointing at all the same."""

DATES = frozenset({"Date", "DateTime", "InputTime"})
"""Roles of form fields that have a spinbutton for each of their parts."""

_FIELDS = DATES | {
    "textbox", "searchbox", "combobox", "checkbox", "radio", "switch", "slider", "spinbutton", "listbox", "ColorWell",
}  # fmt: skip
"""Roles of form fields."""

FRAMES = frozenset({"Iframe", "IframePresentational"})

_WORDS = {
    "Iframe": "iframe",
    "IframePresentational": "iframe",
    "LabelText": "label",
    "LayoutTable": "table",
    "LayoutTableRow": "row",
    "LayoutTableCell": "cell",
}
"""Chromium's own roles -> the words that are shown."""

_NAMELESS = frozenset({"Co", "Zs", "Cc", "Cf"})
"""Categories of characters that name nothing: private ones, which fonts draw icons for, white space and joiners."""

_WITH_LEVEL = frozenset({"heading", "treeitem"})

_STATES = {"checked": "checked", "pressed": "pressed", "expanded": "expanded", "selected": "selected",
           "disabled": "disabled", "required": "required", "readonly": "readonly", "invalid": "invalid",
           "focused": "focused", "modal": "modal", "busy": "busy", "level": "level",
           "hasPopup": "popup", "multiselectable": "multiselectable"}  # fmt: skip
"""CDP property -> the word that is shown."""


class OutlineLine(Struct, frozen=True, kw_only=True, gc=False):
    """One line of a document."""

    depth: int
    before: str = ""
    """The text on the line before this element: lines around it and beside it that were merged with this one."""
    role: str
    name: str = ""
    """Its name, in quotes."""
    content: str = ""
    """The text in it, in quotes, when that is all that is in it."""
    backend_node_id: int | None = None
    """The element's."""
    has_ref: bool = False
    """It is worth pointing at."""
    is_interactive: bool = False
    is_field: bool = False
    """It is a form field. One for files is a button to Chromium 156, and the only one with a value."""
    tail: str = ""
    """Its states and its value."""
    address: str = ""
    """Where a link leads, as it is in the tail."""
    read: Read | None = None
    """The properties read from the element; None for a text, and for an element that `aria-hidden` hides."""

    @property
    def head(self) -> str:
        """The text before the ref."""
        if self.role == "text":
            return f"{self.before}{self.name}"
        return f"{self.before}{self.role} {self.name}" if self.name else f"{self.before}{self.role}"

    @property
    def rest(self) -> str:
        """The text after the ref."""
        return f"{self.tail}: {self.content}" if self.content else self.tail


def line_of(node: TreeNode, depth: int, url: str | None, value_limit: int) -> OutlineLine:
    role, name = node.role, node.name
    is_frame = role in FRAMES
    is_interactive = role in INTERACTIVE or (node.is_touchable and not is_frame)
    word = _WORDS.get(role) or visible(role, 40)
    value = node.value or ""
    tail = "".join(_states(node))
    if value and value != name and node.properties.get("editable") != "richtext":
        tail += f" value={exact(value, value_limit)}"
    if node.description and node.description != name:
        tail += f" description={quoted(node.description)}"
    leads = _address(str(node.properties.get("url") or ""), url) if role == "link" else ""
    return OutlineLine(
        depth=depth,
        role=word,
        name=in_quotes(_once(worded(name)), NAME_LIMIT) if says(name) else "",
        backend_node_id=node.backend_dom_node_id,
        has_ref=is_interactive or role in _WITH_REF,
        is_interactive=is_interactive,
        is_field=role in _FIELDS or (role == "button" and bool(value)),
        tail=tail + leads,
        address=leads,
    )


def worded(text: str) -> str:
    """A text without the characters for which fonts draw icons, and without spaces of no width."""
    if text.isascii():  # most are
        return text
    return "".join(letter for letter in text if letter not in "\u200b\u2060\ufeff" and category(letter) != "Co")


def says(name: str) -> bool:
    return name[:1].isalnum() or any(category(letter) not in _NAMELESS for letter in name)


def _address(target: str, url: str | None) -> str:
    """Where a link leads: on the same site without that, whole if no URL is given; nothing for a script."""
    if not target or target.startswith("javascript:"):
        return ""
    if url is None:
        return f" {address(target, WHOLE_URL_LIMIT)}"
    site = re.match(r"\w+://[^/]*", url)
    short = target.removeprefix(site[0]) if site and target.startswith(f"{site[0]}/") else target
    return f" {address(short, URL_LIMIT)}"


def _once(name: str) -> str:
    """A name that was put together from the same words twice, such as those of a heading and of a picture, once."""
    words = name.split()
    half = len(words) // 2
    return " ".join(words[:half] if words[:half] == words[half:] else words)


def _states(node: TreeNode) -> Iterator[str]:
    for name, value in node.properties.items():
        word = _STATES.get(name)
        if word is None or (word == "level" and node.role not in _WITH_LEVEL):
            continue
        if name in ("checked", "expanded"):  # to be unchecked, or folded, is worth saying
            yield f" [{word}]" if _is_true(value) else f" [{word}={visible(str(value), 20).lower()}]"
        elif _is_true(value):
            yield f" [{word}]"
        elif value not in (False, "false", None, "", 0):
            yield f" [{word}={visible(str(value), 20)}]"


def _is_true(value: Any) -> bool:
    return value is True or value == "true"


def quoted(text: str, limit: int = NAME_LIMIT) -> str:
    """Page text on one line and in quotes that it cannot leave."""
    return in_quotes(" ".join(text.split()), limit)


def exact(text: str, limit: int) -> str:
    """A value in quotes, its white space included, and behind them how much of it this is when it is cut."""
    cut = f" ({limit} of {len(text)} characters)" if len(text) > limit else ""
    return f"{in_quotes(text[:limit], 2 * limit)}{cut}"


def address(url: str, limit: int = NAME_LIMIT) -> str:
    """An address, in quotes where it is more than plain characters."""
    return visible(url, limit) if is_plain_address(url) else quoted(url, limit)


def joined(lines: Iterable[OutlineLine]) -> Iterator[OutlineLine]:
    """The same, with the text of an element that has no name and holds nothing else on the element's own line."""
    held: list[OutlineLine] = []
    for line in lines:
        if len(held) == 2 and line.depth < held[1].depth:
            yield replace(held[0], content=held[1].name)
            held = []
        if line.role == "text" and len(held) == 1 and not held[0].name and line.depth == held[0].depth + 1:
            held.append(line)
            continue
        yield from held
        held = [line] if line.role != "text" else []
        if line.role == "text":
            yield line
    if len(held) == 2:
        held = [replace(held[0], content=held[1].name)]
    yield from held
