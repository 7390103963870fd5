"""Downloads: responses that become one, and their events. No file is written."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import urlsplit

from msgspec.structs import replace

from cdp_typed.mock.state.browser_state import CDPSession, CommandCall
from cdp_typed.mock.state.error_texts import Text
from cdp_typed.mock.state.http import HttpResponse, header
from cdp_typed.mock.state.network import DownloadSettings
from cdp_typed.mock.state.step import Step

_FILENAME: Final = re.compile(r'filename="?([^";]+)"?')
_SAVES: Final = ("allow", "allowAndName")


def is_download(response: HttpResponse) -> bool:
    """Return whether a navigation to this response is a download."""
    return header(response.headers, "Content-Disposition").lower().startswith("attachment")


def begin_download(step: Step, frame_id: str, url: str, response: HttpResponse, name: str = "") -> None:
    """Emit the events of a download, from its beginning to its end."""
    frame = step.state.frames[frame_id]
    disposition = _FILENAME.search(header(response.headers, "Content-Disposition"))
    suggested = name or (disposition[1] if disposition else urlsplit(url).path.rpartition("/")[2] or "download")
    identifier = step.new_id().lower()
    guid = "-".join(identifier[start:end] for start, end in ((0, 8), (8, 12), (12, 16), (16, 20), (20, 32)))
    _tell(
        step,
        frame.page,
        "downloadWillBegin",
        {"frameId": frame_id, "guid": guid, "url": url, "suggestedFilename": suggested},
    )
    settings = step.state.downloads
    size = len(response.body.encode())
    progress = {"guid": guid, "totalBytes": size, "receivedBytes": 0, "state": "inProgress"}
    _tell(step, frame.page, "downloadProgress", progress)
    if settings.behavior == "deny":
        _tell(step, frame.page, "downloadProgress", {**progress, "state": "canceled"})
        return
    received = {**progress, "receivedBytes": size}
    _tell(step, frame.page, "downloadProgress", received)
    saved: dict[str, Any] = {}
    if settings.behavior in _SAVES:
        saved["filePath"] = f"{settings.path}/{guid if settings.behavior == 'allowAndName' else suggested}"
    _tell(step, frame.page, "downloadProgress", {**received, "state": "completed"}, browser=saved)


def _tell(step: Step, page: str, event: str, params: dict[str, Any], browser: dict[str, Any] | None = None) -> None:
    step.emit_if_enabled(page, f"Page.{event}", params)
    listeners = [session for session in step.state.sessions.values() if session.key in step.state.downloads.listeners]
    step.emit(listeners, f"Browser.{event}", {**params, **(browser or {})})


def _set_behavior(step: Step, session: CDPSession, call: CommandCall) -> None:
    params = call.params
    if params["behavior"] in _SAVES and not params.get("downloadPath"):
        step.refuse(call, Text.NO_DOWNLOAD_PATH)
        return
    old = step.state.downloads.listeners
    listeners = old | {session.key} if params.get("eventsEnabled", False) else old - {session.key}
    path = params.get("downloadPath", "").rstrip("/")
    step.state = replace(step.state, downloads=DownloadSettings(params["behavior"], path, listeners))
    step.reply(call)


def _cancel(step: Step, session: CDPSession, call: CommandCall) -> None:
    # A download of the mock ends in the step in which it begins, so that none can be cancelled.
    step.refuse(call, Text.NO_DOWNLOAD)


HANDLERS: Final[dict[str, Callable[[Step, CDPSession, CommandCall], None]]] = {
    "Browser.cancelDownload": _cancel,
    "Browser.setDownloadBehavior": _set_behavior,
    "Page.setDownloadBehavior": _set_behavior,
}
