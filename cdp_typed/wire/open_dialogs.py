"""The dialogs that are open on a connection's pages, as far as the browser announced them: for texts of errors."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import Raw, Struct, field

from cdp_typed.conversions import decoder_of
from cdp_typed.printable import in_quotes
from cdp_typed.wire.json_text import repair
from cdp_typed.wire.session_tree import SessionTree

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
        self._open: dict[str | None, dict[str, str]] = {}

    def enabled(self, session_id: str | None, *, on: bool) -> None:
        """Note the reply to `Page.enable` or `Page.disable`. A page that a dialog freezes sends none."""
        (self._told.add if on else self._told.discard)(session_id)

    def opened(self, session_id: str | None, raw: Raw) -> None:
        """Note `Page.javascriptDialogOpening`."""
        dialog = _read(raw)
        shown = f"; the page shows a dialog ({dialog.type}): {in_quotes(dialog.message)}"
        self._open.setdefault(session_id, {})[dialog.frame_id] = shown

    def closed(self, session_id: str | None, raw: Raw) -> None:
        """Note `Page.javascriptDialogClosed`. Before Chrome 134 it names no frame."""
        frame_id = _read(raw).frame_id
        if frame_id:
            self._open.get(session_id, {}).pop(frame_id, None)
        else:
            self.gone(session_id)

    def gone(self, session_id: str | None) -> None:
        """Forget the dialogs of a session that is over, or whose page crashed."""
        self._open.pop(session_id, None)

    def shown(self, session_id: str | None) -> str:
        """Return the end of a sentence about the dialog that the page of a session shows, or "" if none is known."""
        for home in self._of_page(session_id):
            for shown in self._open.get(home, {}).values():
                where = "" if home == session_id else f" on session {home}"
                return f"{shown}; answer it{where} with page.HandleJavaScriptDialog(accept=True)"
        return ""

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


def _read(raw: Raw) -> _Dialog:
    try:
        return _dialog.decode(repair(bytes(raw)) or b"{}")
    except msgspec.MsgspecError:
        return _Dialog()
