"""The downloads of the agent's pages, and the folder that they go to."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path, PurePosixPath, PureWindowsPath

from msgspec import Struct

from cdp_typed.protocol import browser
from supervisor.driver.browser_contexts import accepted_context
from supervisor.driver.driver import Driver
from supervisor.tools.framework.tool import ToolContext
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.framework.untrusted_text import PageText
from supervisor.tools.page.page_frames import top_frame
from supervisor.tools.raw_commands.checks import check_command

_KIND = "download"


class DownloadedFile(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A download."""

    name: PageText
    """The file's name, as the page or the server suggested it. While it runs, with the bytes that have come."""
    url: PageText
    path: str = ""
    """The complete file, on the browser's machine. Known after `download_to`, and with `Config.owns_browser`."""
    is_complete: bool = False
    """False while it runs, and when it was canceled or failed."""
    is_unknown: bool = False
    """Its tab closed before its end, and the browser tells no more of it."""
    is_running: bool = False


async def save_to(context: ToolContext, folder: str) -> str:
    """Have downloads of the page's browser context saved in a folder (`Browser.setDownloadBehavior`), and return why a
    browser on this machine could not write them, or `""`.

    A file is named after the browser's id for the download: with its own name it would replace an earlier one. Raises
    `InvalidArgument` for a relative path, and while a download runs, because the browser would cancel it;
    `PolicyRefused`, and what `send` raises.
    """
    if not (PurePosixPath(folder).is_absolute() or PureWindowsPath(folder).is_absolute()):
        raise InvalidArgument("text", "expected the absolute path of a folder")
    if any(blocker.kind == _KIND for blocker in context.supervisor.snapshot().blockers):
        raise InvalidArgument("action", "a download runs, which the browser would cancel; wait for it")
    top = top_frame(context.supervisor)

    async def context_of_page(driver: Driver) -> browser.BrowserContextID | None:
        session = driver.state.world.targets.sessions.get(top.session_id)
        own = session.browser_context_id if session else None
        return await accepted_context(driver, browser.BrowserContextID(own)) if own else None

    command = browser.SetDownloadBehavior(
        behavior="allowAndName",
        browser_context_id=await context.supervisor.with_driver(context_of_page),
        download_path=folder,
        events_enabled=True,
    )
    await check_command(context.supervisor, context.policy, command)
    await context.supervisor.send(command)
    return await asyncio.to_thread(_doubt, folder)


def _doubt(folder: str) -> str:
    """Why this machine cannot have files there. The browser makes a missing folder, and may be on another machine."""
    path = Path(folder)
    # `Path.exists` raises where a folder may not be searched.
    there = next((each for each in (path, *path.parents) if os.path.exists(each)), None)  # noqa: PTH110
    if there is None or not path.is_absolute() or (there.is_dir() and os.access(there, os.W_OK)):
        return ""
    why = "cannot be written" if there.is_dir() else "is no folder"
    return f"{there} {why}: a browser on this machine will cancel each download."


def downloads(context: ToolContext) -> list[DownloadedFile]:
    """Return the last downloads that ended, oldest first, and those that run."""
    now = context.supervisor.snapshot()
    ended = [
        DownloadedFile(
            name=each.name, url=each.url, path=each.path, is_complete=each.is_complete, is_unknown=each.is_unknown
        )
        for each in now.recent_downloads
    ]
    running = [
        DownloadedFile(name=each.text, url=each.url, is_running=True) for each in now.blockers if each.kind == _KIND
    ]
    return [*ended, *running]
