"""The safe order for commands that end pages: a dialog in an iframe first.

Measured on Chromium 156: the browser process dies when a page is closed while an iframe in it, of another process,
shows a dialog. Once the dialog is dismissed, or nobody is told of dialogs any more, it does not.
"""

from __future__ import annotations

from typing import Any

from cdp_typed._base import Command
from cdp_typed.protocol import browser, page, target

from .answers import send_answer
from .dialog_state import Answering, Dialog, Dialogs
from .effects import Effects, Send
from .targets import Targets

NOTE = "its page was about to be closed"


def pages_ended_by(command: Command[Any], page_id: str, targets: Targets) -> frozenset[str]:
    """The target ids of the pages that a command sent to this page would close."""
    match command:
        case page.Close():
            return frozenset({page_id})
        case target.CloseTarget(target_id=target_id):
            return frozenset(one.page_id for one in targets.sessions.values() if one.target_id == target_id)
        case browser.Close():
            return frozenset(one.target_id for one in targets.pages())
        case target.DisposeBrowserContext(browser_context_id=context_id):
            return frozenset(one.target_id for one in targets.pages() if one.browser_context_id == context_id)
        case _:
            return frozenset()


def dangers(dialogs: Dialogs, pages: frozenset[str]) -> tuple[Dialog, ...]:
    """The open dialogs that must be out of the way before these pages are closed."""
    return tuple(dialog for dialog in dialogs.open if dialog.info.target_id in pages and dialog.is_in_iframe)


def must_wait(dialogs: Dialogs, pages: frozenset[str]) -> bool:
    """Whether one of them is to be dismissed first, or is being answered."""
    return any(dialog.info.answerable for dialog in dangers(dialogs, pages))


def dismiss(dialogs: Dialogs, pages: frozenset[str]) -> tuple[Dialogs, Effects]:
    """Dismiss what must be out of the way and can be."""
    effects: Effects = ()
    for dialog in dangers(dialogs, pages):
        if dialog.info.answerable and dialog.answering is None:
            answering = Answering(by="auto_policy", accept=False, note=NOTE)
            dialogs, more = send_answer(dialogs, dialog, answering)
            effects = (*effects, *more)
    return dialogs, effects


def stop_watching(dialogs: Dialogs, pages: frozenset[str], targets: Targets) -> Effects:
    """Where a dialog takes no answer: have nobody told of its end."""
    endangered = {dialog.info.target_id for dialog in dangers(dialogs, pages)}
    return tuple(
        Send(command=page.Disable(), session_id=session.session_id)
        for session in targets.pages()
        if session.target_id in endangered
    )
