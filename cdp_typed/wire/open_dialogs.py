"""The dialogs that are open on a connection's pages, as far as the browser announced them: for texts of errors."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

from msgspec import MsgspecError, Raw, Struct, field, to_builtins

from cdp_typed.conversions import convert, decoder_of
from cdp_typed.printable import in_quotes
from cdp_typed.wire.json_text import repair
from cdp_typed.wire.session_tree import SessionTree

DIALOG_EVENTS = frozenset({"Page.javascriptDialogOpening", "Page.javascriptDialogClosed"})
MOST_EVENTS = 50
"""How many are remembered: a message may have megabytes."""
_FROZEN = frozenset({"Accessibility", "CSS", "DOM", "DOMSnapshot", "Input", "Page", "Runtime"})
"""The domains in which Chromium 156 answers nothing while a dialog is open, but for what leaves the page."""
_LEAVE = frozenset({"Page.navigate", "Page.navigateToHistoryEntry", "Page.reload"})
_NOT_TOLD = "; if the page shows a dialog, this session was not told: send Page.enable before one opens"


class _Dialog(Struct):
    frame_id: str = field(default="", name="frameId")
    type: str = ""
    message: str = ""


_dialog = decoder_of(_Dialog)


class OpenDialogs:
    """Dialogs by session and frame. The browser announces one to each session of its page on which Page is enabled."""

    def __init__(self, sessions: SessionTree) -> None:
        self._sessions = sessions
        self._told: set[str | None] = set()
        self.events: deque[tuple[str | None, str, Any]] = deque(maxlen=MOST_EVENTS)
        """The newest, with their sessions and parameters. They are read when a text is wanted, which is seldom."""

    def enabled(self, session_id: str | None, *, on: bool) -> None:
        """Note the reply to `Page.enable` or `Page.disable`. A page that a dialog freezes sends none."""
        (self._told.add if on else self._told.discard)(session_id)

    def gone(self, session_id: str | None) -> None:
        """Forget the dialogs of a session that is over, or whose page crashed."""
        self.events.append((session_id, "", None))

    def shown(self, session_id: str | None) -> str:
        """Return the end of a sentence about the dialog that the page of a session shows, or "" if none is known."""
        shown = self._open() if self.events else {}
        for home in self._of_page(session_id):
            for dialog in shown.get(home, {}).values():
                where = "" if home == session_id else f" on session {home}"
                told = f"; the page shows a dialog ({dialog.type}): {in_quotes(dialog.message)}"
                return f"{told}; answer it{where} with page.HandleJavaScriptDialog(accept=True)"
        return ""

    def _open(self) -> dict[str | None, dict[str, _Dialog]]:
        shown: dict[str | None, dict[str, _Dialog]] = {}
        for session_id, method, params in self.events:
            dialog = _read(params)
            if method == "Page.javascriptDialogOpening":
                shown.setdefault(session_id, {})[dialog.frame_id] = dialog
            elif dialog.frame_id:
                shown.get(session_id, {}).pop(dialog.frame_id, None)
            else:  # the session is over, its page crashed, or an older browser names no frame of a dialog that closed
                shown.pop(session_id, None)
        return shown

    def hint(self, session_id: str | None, method: str, *, at_page: bool) -> str:
        """Return `shown`, or for a call that a dialog would hold up, that this session is not told of dialogs.

        `at_page` says that the connection leads to one page, whose session has no id.
        """
        shown = self.shown(session_id)
        if shown or method in _LEAVE or method.partition(".")[0] not in _FROZEN:
            return shown
        known = None if session_id is None else self._sessions.get(session_id)
        is_page = at_page if known is None else known.type in {"page", "iframe"}
        return _NOT_TOLD if is_page and self._told.isdisjoint(self._of_page(session_id)) else ""

    def _of_page(self, session_id: str | None) -> Iterator[str | None]:
        """Yield the session, those that it was announced on, and the others of the same targets."""
        yield session_id
        while session_id is not None:
            known = self._sessions.get(session_id)
            yield from self._sessions.of_target(known.target_id) if known else ()
            session_id = self._sessions.parent(session_id)


def _read(params: object) -> _Dialog:
    try:
        if isinstance(params, Raw):
            return _dialog.decode(repair(bytes(params)) or b"{}")
        return _Dialog() if params is None else convert(to_builtins(params), _Dialog)
    except MsgspecError:
        return _Dialog()
