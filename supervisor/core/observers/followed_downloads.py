"""Downloads as blockers, from the first event to the last.

They are followed by the events of the Page domain, which come without `Browser.setDownloadBehavior`: measured on
Chromium 156, that command of one client overrides the setting of another, and cancels its downloads.

The events of the Page domain end with the tab. Chromium closes a tab that opened only for a download (a link with
`target=_blank`) as soon as the download begins, and nobody hears of its end who has not asked for the browser's events.
The supervisor asks for those in a browser of its own, where no other client is.
"""

# pyright: reportDeprecated=false
# The download events of the Browser domain need `Browser.setDownloadBehavior`, which overrides other clients.

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from cdp_typed.protocol import browser, page, target
from supervisor.core.state.frames import Frames
from supervisor.core.state.observed import BlockerEntry, Blockers
from supervisor.core.state.pages import Targets
from supervisor.core.state.world import World
from supervisor.core.vocabulary.command_tags import BrowserAutoAttach, ContextMade, DownloadsAsked, OwnContext
from supervisor.core.vocabulary.effects import Effects, Send
from supervisor.core.vocabulary.inputs import CommandFailed, CommandSucceeded, Input
from supervisor.core.vocabulary.values import Blocker, EndedDownload

from .blocker_entries import close_entries, open_entry

MAX_ENDED_DOWNLOADS = 20


def open_download(
    blockers: Blockers, session_id: str, event: page.DownloadWillBegin, frames: Frames, now: float
) -> Blockers:
    """Add a download; several sessions may announce the same one."""
    if any(entry.guid == event.guid for entry in blockers.entries):
        return _changed(blockers, event.guid, lambda entry: replace(entry, told_by=(*entry.told_by, session_id)))
    frame = frames.nodes.get(event.frame_id)
    info = Blocker(
        id=f"b-{blockers.count + 1}",
        kind="download",
        target_id=frame.page_id if frame else "",
        frame_id=event.frame_id,
        session_id=frame.session_id if frame else None,
        url=event.url,
        text=event.suggested_filename,
        since=now,
        ways_out=("wait", "cancel_download"),
    )
    entry = BlockerEntry(info=info, guid=event.guid, told_by=(session_id,), outlives_tab=blockers.owns_browser)
    return open_entry(blockers, entry)


def ask_browser(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Ask a browser of our own for its events of downloads, in each browser context that there is."""
    if not world.blockers.owns_browser:
        return world, ()
    match received:
        case CommandSucceeded(BrowserAutoAttach()):
            ownership = world.page_ownership
            made = (ownership.context_id, *ownership.contexts.values())
            return world, tuple(map(_ask, (None, *filter(None, made))))
        case CommandSucceeded(OwnContext() | ContextMade(), target.CreateBrowserContextResult() as result):
            return world, (_ask(result.browser_context_id),)
        case CommandFailed(DownloadsAsked()):
            return replace(world, blockers=replace(world.blockers, owns_browser=False)), ()
        case _:
            return world, ()


def _ask(context_id: browser.BrowserContextID | None) -> Send:
    command = browser.SetDownloadBehavior(behavior="default", browser_context_id=context_id, events_enabled=True)
    return Send(command=command, session_id=None, tag=DownloadsAsked())


def follow(blockers: Blockers, event: page.DownloadProgress, now: float) -> Blockers:
    """Note how far a download has come, or its end; where the browser tells of it, that event brings the file."""

    def ends(entry: BlockerEntry) -> bool:
        return entry.guid == event.guid and not entry.outlives_tab

    if event.state != "inProgress":
        return _end(blockers, ends, now, is_complete=event.state == "completed")
    total = f" of {event.total_bytes:.0f}" if event.total_bytes else ""
    progress = f"{event.received_bytes:.0f}{total} bytes"

    def come_further(entry: BlockerEntry) -> BlockerEntry:
        return replace(entry, info=replace(entry.info, text=f"{entry.info.text.partition(': ')[0]}: {progress}"))

    return _changed(blockers, event.guid, come_further)


def follow_beyond_tabs(
    blockers: Blockers, session_id: str | None, event: browser.DownloadProgress, now: float
) -> Blockers:
    """Note the file and the end of a download by an event of the browser: before that of the page, or after it.

    On the session of a page it comes until that page closes.
    """
    path = event.file_path or ""

    def known_better(entry: BlockerEntry) -> BlockerEntry:
        if session_id is None:
            return replace(entry, path=path, outlives_tab=True)
        return replace(entry, path=path, told_by=(*{*entry.told_by, session_id},))

    known = replace(
        _changed(blockers, event.guid, known_better),
        ended_downloads=tuple(
            replace(each, path=path) if path and each.guid == event.guid else each for each in blockers.ended_downloads
        ),
    )
    if event.state == "inProgress":
        return known
    return _end(known, lambda entry: entry.guid == event.guid, now, is_complete=event.state == "completed")


def leave_closed_tabs(blockers: Blockers, targets: Targets, now: float) -> Blockers:
    """End the downloads of which nobody will tell any more."""

    def is_left(entry: BlockerEntry) -> bool:
        return bool(entry.told_by) and not entry.outlives_tab and targets.sessions.keys().isdisjoint(entry.told_by)

    return _end(blockers, is_left, now, is_unknown=True) if any(map(is_left, blockers.entries)) else blockers


def _changed(blockers: Blockers, guid: str, change: Callable[[BlockerEntry], BlockerEntry]) -> Blockers:
    return replace(
        blockers, entries=tuple(change(entry) if entry.guid == guid else entry for entry in blockers.entries)
    )


def _end(
    blockers: Blockers,
    ends: Callable[[BlockerEntry], bool],
    now: float,
    *,
    is_complete: bool = False,
    is_unknown: bool = False,
) -> Blockers:
    ended = [
        EndedDownload(
            id=entry.info.id,
            target_id=entry.info.target_id,
            url=entry.info.url,
            name=entry.info.text.partition(": ")[0],
            is_complete=is_complete,
            is_unknown=is_unknown,
            ended_at=now,
            guid=entry.guid,
            path=entry.path,
        )
        for entry in blockers.entries
        if ends(entry)
    ]
    kept = (*blockers.ended_downloads, *ended)[-MAX_ENDED_DOWNLOADS:]
    return replace(close_entries(blockers, ends), ended_downloads=kept)
