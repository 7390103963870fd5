"""Visit a page and note its title and dialogs; dialogs are dismissed."""

from __future__ import annotations

from dataclasses import dataclass

from cdp_typed import connect_sync
from cdp_typed.protocol import page, runtime

__all__ = ["PageNotLoaded", "Visit", "note", "visit"]


class PageNotLoaded(Exception):
    """The page could not be loaded; the message is the browser's, for example `net::ERR_CONNECTION_REFUSED`."""


@dataclass(frozen=True)
class Visit:
    """The title of a page, and its dialogs in the order of their opening."""

    title: str
    dialogs: tuple[str, ...]


def note(dialog: page.JavascriptDialogOpening) -> str:
    """Return a dialog as one line."""
    return f"{dialog.type}: {' '.join(dialog.message.split())}"


def visit(browser_address: str, url: str, *, timeout: float = 10.0) -> Visit:
    """Open `url` in its own tab. `timeout` is in seconds, for each step.

    Raises `PageNotLoaded`, and `cdp_typed.CDPError` for failures of the browser or the connection.
    """
    dialogs: list[str] = []
    with connect_sync(browser_address, command_timeout=timeout) as browser, browser.new_page() as tab:
        with tab.events(page.JavascriptDialogOpening, page.LoadEventFired) as events:
            tab.send(page.Enable())
            started = tab.send(page.Navigate(url=url))
            if started.error_text is not None:
                raise PageNotLoaded(started.error_text)
            while isinstance(event := events.take(timeout), page.JavascriptDialogOpening):
                dialogs.append(note(event))
                tab.send(page.HandleJavaScriptDialog(accept=False))
        title = tab.send(runtime.Evaluate(expression="document.title"))
    return Visit(str(title.result.value), tuple(dialogs))
