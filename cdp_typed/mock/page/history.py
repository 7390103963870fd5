"""The session history of pages: the entry that a navigation adds, replaces or traverses to."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from cdp_typed.mock.page.bfcache import evict_documents
from cdp_typed.mock.state.browser_state import FrameNode, Navigation, NavigationEntry, NavigationHistory
from cdp_typed.mock.state.step import Step
from cdp_typed.mock.urls import visible_url


def begin_history(step: Step, frame: FrameNode) -> None:
    """Begin the history of a new page with its first document."""
    entry = NavigationEntry(step.number(), frame.url, frame.url, frame.title, "auto_toplevel", frame.loader)
    _put(step, frame.page, NavigationHistory((entry,), 0))


def current_entry(step: Step, page: str) -> NavigationEntry:
    history = step.state.histories[page]
    return history.entries[history.index]


def entry_at(step: Step, page: str, delta: int) -> NavigationEntry | None:
    """Return the entry at that distance from the current one; None outside of the history."""
    history = step.state.histories[page]
    index = history.index + delta
    return history.entries[index] if 0 <= index < len(history.entries) else None


def find_entry(step: Step, page: str, number: int) -> NavigationEntry | None:
    """Return the entry of that id, or None."""
    return next((entry for entry in step.state.histories[page].entries if entry.id == number), None)


def save_title(step: Step, frame: FrameNode) -> None:
    """Save the title in the current entry, before the document goes."""
    _put_current(step, frame.page, replace(current_entry(step, frame.page), title=frame.title))


def will_replace(step: Step, navigation: Navigation) -> bool:
    """Return whether the navigation replaces the current entry."""
    here = current_entry(step, navigation.frame).url
    same = navigation.entry is None and (navigation.original_url or navigation.url) == here and not navigation.pushes
    return navigation.reload or navigation.replaces or same


def record_navigation(step: Step, frame: FrameNode, navigation: Navigation) -> None:
    """Record a committed navigation of the main frame, and evict documents without an entry."""
    history = step.state.histories[frame.page]
    now = history.entries[history.index]
    if navigation.entry is not None:
        numbers = [entry.id for entry in history.entries]
        # Another client may have reset the history meanwhile; then the index stays.
        index = numbers.index(navigation.entry) if navigation.entry in numbers else history.index
        _put(step, frame.page, replace(history, index=index))
        _put_current(step, frame.page, replace(history.entries[index], loader=frame.loader))
    elif navigation.reload:
        _put_current(step, frame.page, replace(now, loader=frame.loader, transition=navigation.transition))
    else:
        typed = now.typed_url if navigation.same_document else navigation.original_url or navigation.url
        typed = "" if frame.unreachable else typed
        url = visible_url(navigation.url)
        entry = NavigationEntry(step.number(), url, typed, frame.title, navigation.transition, frame.loader)
        if will_replace(step, navigation):
            _put_current(step, frame.page, entry)
        else:
            entries = (*history.entries[: history.index + 1], entry)
            _put(step, frame.page, NavigationHistory(entries, len(entries) - 1))
    evict_documents(step, frame.page, {entry.loader for entry in step.state.histories[frame.page].entries})


def reset_history(step: Step, page: str) -> None:
    """Remove all entries but the current one, for `Page.resetNavigationHistory`."""
    entry = current_entry(step, page)
    _put(step, page, NavigationHistory((entry,), 0))
    evict_documents(step, page, {entry.loader})


def describe_history(step: Step, page: str) -> dict[str, Any]:
    """Return the result of `Page.getNavigationHistory`."""
    history = step.state.histories[page]
    titles = {history.index: step.state.frames[page].title}
    entries = [
        {
            "id": entry.id,
            "url": entry.url,
            "userTypedURL": entry.typed_url,
            "title": titles.get(index, entry.title),
            "transitionType": entry.transition,
        }
        for index, entry in enumerate(history.entries)
    ]
    return {"currentIndex": history.index, "entries": entries}


def _put_current(step: Step, page: str, entry: NavigationEntry) -> None:
    history = step.state.histories[page]
    entries = (*history.entries[: history.index], entry, *history.entries[history.index + 1 :])
    _put(step, page, replace(history, entries=entries))


def _put(step: Step, page: str, history: NavigationHistory) -> None:
    step.state = replace(step.state, histories={**step.state.histories, page: history})
