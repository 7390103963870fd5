"""The text field of an empty page through which the clipboard is read and written, without any permission."""

from __future__ import annotations

from cdp_typed.protocol import input as input_
from cdp_typed.protocol import runtime

MAKE = runtime.Evaluate(
    expression="document.body.replaceChildren(document.createElement('textarea')), document.body.firstChild.focus()"
)
READ = runtime.Evaluate(expression="document.body.firstChild.value", return_by_value=True)


def _editing(command: str) -> input_.DispatchKeyEvent:
    return input_.DispatchKeyEvent(type="rawKeyDown", commands=[command])


SELECT_ALL = _editing("selectAll")
COPY = _editing("copy")
PASTE = _editing("paste")
"""In place of the selection. Chromium asks no permission for what a key does."""


def insert(text: str) -> input_.InsertText:
    """Write a text in place of the selection."""
    return input_.InsertText(text=text)
