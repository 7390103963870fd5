"""Errors of elements that could not be used. Nothing was done to them; no message holds text of the page.

ElementError
|-- UnknownRef       no element has that ref
|-- NotLocated       no element is what a locator says
|-- AmbiguousLocator several elements are
|-- StaleRef         the element, its document or its frame is gone
|-- ElementChanged   it is not what it was when it was read
|-- NotShown         there is no place on the screen where it could be touched
|-- StillMoving      it does not come to rest
|-- Disabled         it is disabled
|-- Covered          something else lies over it; has the ref of that
|-- NotEditable      it takes no text
|-- WrongField       it is no field of the kind that was asked for
`-- WrongValue       the field does not take that value
UnknownCursor        the snapshot that the cursor continues is not held any more
UnknownKey           no key of a keyboard is called so
"""

from __future__ import annotations

from collections.abc import Sequence

from cdp_typed.errors import CDPError, TargetCrashed
from cdp_typed.printable import visible
from supervisor.core.vocabulary.errors import (
    BlockedByDialog,
    BlockedByPrintPreview,
    CallTimeout,
    FrameGone,
    NavigationInterrupted,
    PausedByDebugger,
    SupervisorError,
)
from supervisor.tools.framework.tool_errors import PageTextError, was_sent


class ElementError(PageTextError):
    """An element could not be used. Nothing was done to it, unless `maybe_executed` says so."""

    def __init__(self, ref: str, problem: str) -> None:
        super().__init__(f"element {ref!r}: {problem}", maybe_executed=was_sent())
        self.ref = ref
        self.problem = problem


class UnknownRef(ElementError):
    """No element was ever given that ref."""

    def __init__(self, ref: str) -> None:
        super().__init__(ref, "no such ref; take a snapshot and use one of its refs")


class NotLocated(ElementError):
    """No element is what a locator says. `page_text` lists others with their refs, as lines of a snapshot, and the
    frames that could not be read."""

    def __init__(self, locator: str, others: str, unread: Sequence[str] = ()) -> None:
        listed = "page_error lists others, with refs" if others else "the page shows none that can be used"
        missing = f"nothing that could be read is called so; page_error lists what was not read ({len(unread)})"
        super().__init__(visible(locator), missing if unread else f"nothing on the page is called so; {listed}")
        self.page_text = "\n".join([*unread, *filter(None, [others])])


class AmbiguousLocator(ElementError):
    """A locator means several elements. `page_text` lists them with their refs, as lines of a snapshot."""

    def __init__(self, locator: str, count: int, candidates: str) -> None:
        super().__init__(visible(locator), f"{count} elements are called so; use a ref of those in page_error")
        self.count = count
        self.page_text = candidates


class StaleRef(ElementError):
    """The ref was given for an element that is there no more, or so long ago that it is forgotten."""

    def __init__(self, ref: str, why: str) -> None:
        super().__init__(ref, f"{why}; take a new snapshot")
        self.why = why


class ElementChanged(ElementError):
    """The element is not what it was when it was read: its role, its name or its row has changed.

    `page_text` says what it is now, as a snapshot would. With that it counts as read.
    """

    def __init__(self, ref: str, now: str) -> None:
        super().__init__(ref, "it has changed since it was read; page_error says what it is now")
        self.page_text = now


class NotShown(ElementError):
    """The element has no place on the screen: it is hidden, has no size, or cannot be scrolled into view. Or it is in a
    canvas, which draws what it says; then `canvas` is the ref of that."""

    def __init__(self, ref: str, canvas: str = "") -> None:
        drawn = (
            f"it is a text for the canvas {canvas!r}, which draws it: take a picture, and click the canvas at a place"
        )
        super().__init__(ref, drawn if canvas else "it is hidden, has no size, or cannot be scrolled into view")
        self.canvas = canvas


class StillMoving(ElementError):
    """The element was somewhere else each time it was looked at."""

    def __init__(self, ref: str) -> None:
        super().__init__(ref, "it does not stop moving")


class Disabled(ElementError):
    """The element, or the part of the page around it, is disabled: a person could do nothing with it, either."""

    def __init__(self, ref: str) -> None:
        super().__init__(ref, "it is disabled")


class Covered(ElementError):
    """Something else lies over the element and would get what is meant for it.

    `cover` is the ref of that, or of the innermost element around it that a snapshot shows, and `role` what it is.
    """

    def __init__(self, ref: str, cover: str, role: str) -> None:
        super().__init__(ref, f"element {cover!r} ({role}) covers it; close that one, or scroll, or click with force")
        self.cover = cover
        self.role = role


class NotEditable(ElementError):
    """The element takes no text."""

    def __init__(self, ref: str, why: str) -> None:
        super().__init__(ref, f"it takes no text: {why}")
        self.why = why


class WrongField(ElementError):
    """The element is no field of the kind that was asked for."""


class WrongValue(ElementError):
    """The field does not take the value, or did not keep it."""


class UnknownCursor(SupervisorError):
    """The snapshot that the cursor continues is not held any more: another one was taken since."""

    def __init__(self, cursor: str) -> None:
        super().__init__(f"cursor {cursor!r}: that snapshot is not held any more; take a new one")
        self.cursor = cursor


class UnknownKey(SupervisorError):
    """No key is called so."""

    def __init__(self, key: str, known: tuple[str, ...]) -> None:
        super().__init__(f"there is no key {key!r}; a key is one character or one of {', '.join(known)}")
        self.key = key
        self.known = known


REPLACED = "its document was replaced while it was read"


def say(error: CDPError) -> str:
    """Return the reason why a frame was not read, without text of the page."""
    match error:
        case BlockedByDialog(dialog=dialog):
            return f"blocked by dialog {dialog.id}"
        case PausedByDebugger(blocker=blocker):
            return f"a script is paused, {blocker.id}"
        case BlockedByPrintPreview(blocker=blocker):
            return f"a print preview is open, {blocker.id}"
        case CallTimeout(timeout_s=timeout_s, cause=cause):
            return f"no answer within {timeout_s:g} s, {cause}"
        case NavigationInterrupted():
            return REPLACED
        case FrameGone():
            return "it went away"
        case TargetCrashed():
            return "it crashed"
        case _:
            return f"the browser refused it, {type(error).__name__}"
