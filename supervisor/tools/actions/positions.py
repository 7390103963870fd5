"""Places of an element and keys, by the names that a model gives them."""

from __future__ import annotations

import re
from weakref import WeakKeyDictionary

from cdp_typed.helpers.shared.key_definitions import MODIFIERS, Key, known_keys, parse_key
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.errors import EvaluationFailed
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.page.element_errors import UnknownKey
from supervisor.tools.page.geometry import Point, Position
from supervisor.tools.page.page_frames import run_on
from supervisor.tools.page.refs import Element

INSIDE = 2.0
"""The distance from an edge, in pixels, of a place that is named by its sides."""

_SIDES = {
    "left": (0.0, None, INSIDE, 0.0),
    "right": (1.0, None, -INSIDE, 0.0),
    "top": (None, 0.0, 0.0, INSIDE),
    "bottom": (None, 1.0, 0.0, -INSIDE),
    "middle": (None, None, 0.0, 0.0),
}

_IS_ROW = """function() {
    const other = this.nextElementSibling || this.previousElementSibling;
    if (!other) return false;
    const one = this.getBoundingClientRect(), two = other.getBoundingClientRect();
    return Math.abs(one.top - two.top) < Math.min(one.height, two.height) / 2;
}"""
"""A function: true when the element and its neighbour lie side by side."""

_NEAR = 0.15
"""The share of an element that counts as before or after it."""


def position_at(argument: str, text: str | None) -> Position | None:
    """Read `10,20`, in pixels from the upper left corner, or sides, as `right bottom`. Raises `InvalidArgument`."""
    if text is None:
        return None
    if (offset := _numbers(text)) is not None:
        return Position(x=offset.x, y=offset.y)
    words = text.lower().split()
    if not words or any(word not in _SIDES for word in words):
        raise InvalidArgument(argument, 'expected pixels such as "10,20", or sides such as "right bottom"')
    sides = [_SIDES[word] for word in words]
    return Position(
        share_x=next((side[0] for side in sides if side[0] is not None), 0.5),
        share_y=next((side[1] for side in sides if side[1] is not None), 0.5),
        x=sum(side[2] for side in sides),
        y=sum(side[3] for side in sides),
    )


async def drop_position(supervisor: AsyncSupervisor, element: Element, text: str | None) -> Position | None:
    """Read what `position_at` reads, and `before` or `after`: the edge of an item, in the direction of its list."""
    if text not in ("before", "after"):
        return position_at("to_at", text)
    share = _NEAR if text == "before" else 1 - _NEAR
    try:
        is_row = bool(await run_on(supervisor, element, _IS_ROW))
    except EvaluationFailed:
        is_row = False
    return Position(share_x=share, share_y=0.5) if is_row else Position(share_x=0.5, share_y=share)


def distance(text: str) -> Point:
    """Read `120,0`: pixels to the right and down. Raises `InvalidArgument`."""
    by = _numbers(text)
    if by is None:
        raise InvalidArgument("by", 'expected pixels such as "120,0"')
    return by


def modifiers(keys: str | None) -> int:
    """The bits of keys that are held, such as `Control+Shift`. Raises `UnknownKey` and `InvalidArgument`."""
    if not keys:
        return 0
    key = parse(keys)
    if key.key not in ("Alt", "Control", "Meta", "Shift"):
        raise InvalidArgument("modifiers", "expected Alt, Control, Meta, Shift, or several: Control+Shift")
    return key.modifiers


_HELD: WeakKeyDictionary[AsyncSupervisor, dict[str, list[Key]]] = WeakKeyDictionary()
"""The keys that are held in each page."""


def held_keys(supervisor: AsyncSupervisor, page_id: str) -> list[Key]:
    """The keys that are held in a page, the first one first; to be changed in place."""
    return _HELD.setdefault(supervisor, {}).setdefault(page_id, [])


def held_modifiers(supervisor: AsyncSupervisor, page_id: str) -> int:
    """The bits of the modifier keys that are held in a page."""
    return sum({MODIFIERS.get(key.key, 0) for key in held_keys(supervisor, page_id)})


def _numbers(text: str) -> Point | None:
    match = re.fullmatch(r"\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*", text)
    return Point(float(match[1]), float(match[2])) if match else None


def parse(keys: str) -> Key:
    """Return the key with this name, see `parse_key`. Raises `UnknownKey`."""
    try:
        return parse_key(keys)
    except ValueError:
        raise UnknownKey(keys, known_keys()) from None
