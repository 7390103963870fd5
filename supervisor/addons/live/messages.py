"""The messages from the web page to the server. A closed union; anything else ends the connection."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

Text = Annotated[str, Meta(max_length=100_000)]
Id = Annotated[str, Meta(max_length=200)]
Count = Annotated[int, Meta(ge=0, le=255)]
Side = Annotated[int, Meta(ge=100, le=8_000)]
Pixels = Annotated[float, Meta(ge=-100_000, le=100_000)]


class ViewerMessage(Struct, frozen=True, kw_only=True, tag_field="do", rename="camel"):
    """The base of all messages."""


class WatchTab(ViewerMessage, frozen=True, tag="look"):
    """The tab to show; None: no picture, because the web page is hidden."""

    target_id: Id | None
    others: bool = True
    """Small pictures of the other tabs, too."""
    small: bool = False
    """A picture of the size that a grid of views has, unless another viewer needs the large one."""


class AnswerDialog(ViewerMessage, frozen=True, tag="answer"):
    """Answer a dialog."""

    dialog_id: Id
    accept: bool
    text: Text | None = None


class TakeOver(ViewerMessage, frozen=True, tag="take"):
    """Take the browser over."""


class GiveBack(ViewerMessage, frozen=True, tag="give_back"):
    """Give it back to the agent."""


class MouseEvent(ViewerMessage, frozen=True, tag="mouse"):
    """Something that the mouse does, in CSS pixels of the page."""

    type: Literal["mousePressed", "mouseReleased", "mouseMoved", "mouseWheel"]
    x: Pixels
    y: Pixels
    button: Literal["none", "left", "middle", "right", "back", "forward"] = "none"
    buttons: Count = 0
    clicks: Count = 0
    modifiers: Count = 0
    delta_x: Pixels = 0
    delta_y: Pixels = 0


class KeyEvent(ViewerMessage, frozen=True, tag="key"):
    """Something that a key does, as `KeyboardEvent` has it."""

    type: Literal["keyDown", "keyUp"]
    key: Annotated[str, Meta(max_length=40)]
    code: Annotated[str, Meta(max_length=40)] = ""
    key_code: Count = 0
    location: Annotated[int, Meta(ge=0, le=3)] = 0
    modifiers: Count = 0
    repeat: bool = False


class TypeText(ViewerMessage, frozen=True, tag="text"):
    """Text that was pasted, or that an input method made."""

    text: Text


class Compose(ViewerMessage, frozen=True, tag="compose"):
    """Text that an input method is still making. `TypeText` ends it."""

    text: Text


class ScreenTouch(Struct, frozen=True):
    """One finger on the screen, in CSS pixels of the page."""

    id: Count
    x: Pixels
    y: Pixels


class TouchEvent(ViewerMessage, frozen=True, tag="touch"):
    """Something that fingers do. A finger that was lifted is no longer among them."""

    type: Literal["touchStart", "touchMove", "touchEnd", "touchCancel"]
    fingers: Annotated[tuple[ScreenTouch, ...], Meta(max_length=10)] = ()
    modifiers: Count = 0


class NavigateTab(ViewerMessage, frozen=True, tag="go"):
    """Navigate the tab, or close it."""

    way: Literal["address", "reload", "back", "forward", "stop", "close"]
    url: Annotated[str, Meta(max_length=20_000)] = ""
    """Of the way `address`."""


class NewTab(ViewerMessage, frozen=True, tag="new_tab"):
    """Open a tab and look at it."""


class Copy(ViewerMessage, frozen=True, tag="copy"):
    """Send the text that is selected in the tab."""


class Choose(ViewerMessage, frozen=True, tag="choose"):
    """Choose an option of the list that is open in the tab."""

    index: Annotated[int, Meta(ge=0, le=100_000)]


class GiveTab(ViewerMessage, frozen=True, tag="give_tab"):
    """Give a tab of the browser to the agent."""

    target_id: Id


class TakeTabBack(ViewerMessage, frozen=True, tag="take_tab_back"):
    """Take such a tab back from the agent."""

    target_id: Id


class SetSize(ViewerMessage, frozen=True, tag="fit"):
    """The size that the viewer has for the page, in CSS pixels."""

    width: Side
    height: Side


class EndBlocker(ViewerMessage, frozen=True, tag="blocker"):
    """End a blocker."""

    blocker_id: Id
    way: Literal["files", "log_in", "cancel_log_in", "cancel_download", "cancel_print", "resume", "reload"]
    paths: tuple[Text, ...] = ()
    username: Text = ""
    password: Text = ""

    def __repr__(self) -> str:
        return f"<EndBlocker {self.way}>"


class ApproveCall(ViewerMessage, frozen=True, tag="approve"):
    """Approve a tool call, with other arguments (JSON) if there are any."""

    approval_id: Id
    arguments: Text | None = None


class RefuseCall(ViewerMessage, frozen=True, tag="refuse"):
    """Refuse a tool call, with words for the agent."""

    approval_id: Id
    words: Annotated[str, Meta(max_length=2_000)] = ""


Input: TypeAlias = MouseEvent | KeyEvent | TypeText | Compose | TouchEvent
Action: TypeAlias = AnswerDialog | NavigateTab | NewTab | Copy | Choose | EndBlocker | GiveTab | TakeTabBack
"""Messages that the supervisor carries out."""
Message: TypeAlias = WatchTab | TakeOver | GiveBack | SetSize | ApproveCall | RefuseCall | Input | Action
