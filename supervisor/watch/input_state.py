"""What the person at the keyboard is doing: a value, and what a key makes of it."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from supervisor.core.vocabulary.values import DialogAction, PendingDialog

ENTER, ESCAPE, BACKSPACE, UP, DOWN = "enter", "escape", "backspace", "up", "down"


class View(Struct, frozen=True, kw_only=True):
    """Which dialog is meant, and what is being typed."""

    chosen: str | None = None
    """The id of the dialog that keys are for."""
    typing: str | None = None
    """The answer to a prompt as far as it is typed; None while nothing is."""
    notice: str = ""
    """What the last answer came to."""


class Answer(Struct, frozen=True, kw_only=True):
    """The person answers a dialog."""

    dialog_id: str
    action: DialogAction
    text: str | None = None


class Quit(Struct, frozen=True):
    """The person has seen enough."""


Wish: TypeAlias = Answer | Quit | None


def look(view: View, dialogs: tuple[PendingDialog, ...]) -> View:
    """The view when these dialogs are open: the chosen one stays chosen, else the oldest is."""
    if any(one.id == view.chosen for one in dialogs):
        return view
    return replace(view, chosen=dialogs[0].id if dialogs else None, typing=None)


def press(view: View, key: str, dialogs: tuple[PendingDialog, ...]) -> tuple[View, Wish]:
    """What a key does: a printable character, or one of the names above."""
    view = look(view, dialogs)
    dialog = next((one for one in dialogs if one.id == view.chosen), None)
    if view.typing is not None and dialog is not None:
        return _type(view, view.typing, key, dialog)
    match key:
        case "q":
            return view, Quit()
        case "down" | "j" | "up" | "k" if dialog is not None:
            step = 1 if key in (DOWN, "j") else -1
            at = (dialogs.index(dialog) + step) % len(dialogs)
            return replace(view, chosen=dialogs[at].id), None
        case "a" if dialog is not None and dialog.type == "prompt":
            return replace(view, typing=dialog.default_prompt, notice=""), None
        case "a" if dialog is not None:
            return replace(view, notice=""), Answer(dialog_id=dialog.id, action="accept")
        case "d" if dialog is not None:
            return replace(view, notice=""), Answer(dialog_id=dialog.id, action="dismiss")
        case _:
            return view, None


def _type(view: View, typed: str, key: str, dialog: PendingDialog) -> tuple[View, Wish]:
    if key == ENTER:
        return replace(view, typing=None), Answer(dialog_id=dialog.id, action="accept", text=typed)
    if key == ESCAPE:
        return replace(view, typing=None), None
    if key == BACKSPACE:
        return replace(view, typing=typed[:-1]), None
    return (replace(view, typing=typed + key) if len(key) == 1 else view), None
