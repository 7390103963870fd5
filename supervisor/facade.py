"""`CDPSupervisor`: the blocking API, over `AsyncSupervisor` on the shared loop thread."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar, Unpack

from cdp_typed._base import Command
from cdp_typed.errors import LoopThreadEnded
from cdp_typed.loop_thread import LOOP_THREAD

from .aio import AsyncSupervisor
from .config import Config, Endpoint, Settings
from .core.blockers import ANSWER_TIMEOUT_S
from .core.errors import NotRunning
from .core.places import Places
from .core.values import (
    Change,
    ChangeKind,
    ChangeSlice,
    ConsoleSlice,
    DialogAction,
    DialogReceipt,
    DialogRule,
    Evaluation,
    PageInfo,
    SupervisorSnapshot,
)
from .listeners import Listener, OnChange
from .status import Status

R = TypeVar("R")
T = TypeVar("T")

GRACE_S = 5.0
"""The core ends every call by its deadline; this much later the facade gives up on the core itself."""


class CDPSupervisor:
    """Keeps one long-lived connection to a browser and knows its dialogs, frames and consoles at any moment.

    Safe to use from several threads. `cdp_url` and the settings are those of `Config`.
    Raises `InvalidConfig` for a setting that is not allowed.
    """

    def __init__(self, cdp_url: Endpoint, **settings: Unpack[Settings]) -> None:
        self._supervisor = AsyncSupervisor(cdp_url, **settings)

    @classmethod
    def from_config(cls, config: Config) -> Self:
        """A supervisor with settings that were read elsewhere, for example by `Config.from_file`."""
        made = cls(config.cdp_url)
        made._supervisor = AsyncSupervisor.from_config(config)
        return made

    @property
    def config(self) -> Config:
        """The settings."""
        return self._supervisor.config

    @property
    def aio(self) -> AsyncSupervisor:
        """The same supervisor, to be awaited."""
        return self._supervisor

    def start(self, timeout_s: float = 15.0) -> Self:
        """Connect and take in every page that exists; returns itself. Does nothing when already started.

        Raises `EndpointError` when the browser cannot be reached, and `NotRunning` when it does not answer in time or
        when `stop` comes first.
        """
        with LOOP_THREAD.held():
            _run(self._supervisor.start(timeout_s), None)
        return self

    def stop(self) -> None:
        """End every call with `NotRunning` and disconnect; a start under way ends too. Does nothing when not started.

        The pages that the supervisor opened are closed, and a browser context of its own; nothing else is changed in
        the browser. A dialog that is open in another page stays open, and as nobody is left who could answer it, that
        page stays frozen until it is reloaded, navigated or closed.
        """
        with LOOP_THREAD.held():
            _run(self._supervisor.stop(), GRACE_S)

    @property
    def is_running(self) -> bool:
        """Started, not stopped, and the browser is still there."""
        return self._supervisor.is_running

    def snapshot(self) -> SupervisorSnapshot:
        """What is known now, or was known at the end. Takes no lock, waits for nobody, works while dialogs are open.

        Raises `NotRunning` when it was never started.
        """
        return self._supervisor.snapshot()

    def status(self) -> Status:
        """How the supervisor itself is doing; as cheap as `snapshot`. Also when it is not started."""
        return self._supervisor.status()

    def respond_to_dialog(
        self, action: DialogAction, prompt_text: str | None = None, dialog_id: str | None = None
    ) -> DialogReceipt:
        """Accept or dismiss a dialog (`Page.handleJavaScriptDialog`) and return the browser's confirmation.

        Without `dialog_id` the only open dialog is meant. Accepting a prompt without `prompt_text` sends the page's
        own default; an explicit "" sends an empty text.
        Raises `NoDialogOpen`, `UnknownDialog`, `AmbiguousDialog`, `DialogAlreadyClosed`, `DialogBeingAnswered`,
        `DialogUnanswerable`, or `InvalidConfig` for an unknown action.
        """
        answering = self._supervisor.respond_to_dialog(action, prompt_text, dialog_id)
        return _run(answering, ANSWER_TIMEOUT_S + GRACE_S)

    def arm_dialog(self, rule: DialogRule) -> str:
        """Have dialogs answered before they open, and return the rule's id.

        `DialogRule(action="accept", type="confirm", count=1)` accepts the next confirm, whichever page opens it. Rules
        that were armed earlier are asked first, and all of them before those of the settings.
        Raises `InvalidConfig` for a rule that could never do what it says.
        """
        return _run(self._supervisor.arm_dialog(rule), GRACE_S)

    def disarm_dialog(self, rule_id: str) -> None:
        """Take a rule back, also one of the settings. Raises `UnknownRule` when it does not wait (any more)."""
        _run(self._supervisor.disarm_dialog(rule_id), GRACE_S)

    def disarm_bridge(self) -> None:
        """Give all pages their own `alert`, `confirm` and `prompt` back, until the supervisor is started again.

        A page that is asking through the bridge calls its own function. Does nothing where the bridge is not armed.
        """
        _run(self._supervisor.disarm_bridge(), GRACE_S)

    def reload_page(self, page_id: str | None = None, *, timeout_s: float | None = None) -> None:
        """Load a page anew (`Page.reload`) and return when its new document is there; None: the current page.

        A way out of a dialog that takes no answer. Dialogs that the page opens meanwhile are dismissed, except the
        question whether to leave it: `BlockedByDialog`; so for any dialog of a page that did not respond before (its
        status was `unresponsive`), because that may well be the new document's. A page that shows a dialog is left by
        way of `about:blank` and then visited again, because Chromium would wait for its script.
        Raises `UnknownPage`, `NoPage`, `FrameGone`, `BlockedByDialog`, `CallTimeout` and what `send` raises.
        """
        _run(self._supervisor.reload_page(page_id, timeout_s=timeout_s), self._patience(timeout_s))

    def navigate(self, url: str, page_id: str | None = None, *, timeout_s: float | None = None) -> None:
        """Show another address (`Page.navigate`) and return when its document is there, loading or not.

        As `reload_page`, a way out of any dialog. Raises what that raises, and `NavigationFailed`.
        """
        _run(self._supervisor.navigate(url, page_id, timeout_s=timeout_s), self._patience(timeout_s))

    def close_page(self, page_id: str | None = None, *, timeout_s: float | None = None) -> None:
        """Close a page (`Target.closeTarget`) and return when it is gone, whatever it is doing; None: the current one.

        It is not asked whether it may be left. The dialogs of its iframes are dismissed first; a page with an iframe
        that has not answered since we came, and may show a dialog, is first navigated to `about:blank`.
        Raises what `reload_page` raises.
        """
        _run(self._supervisor.close_page(page_id, timeout_s=timeout_s), self._patience(timeout_s))

    def evaluate(
        self,
        expression: str,
        frame_id: str | None = None,
        *,
        timeout_s: float | None = None,
        await_promise: bool = True,
        user_gesture: bool = False,
    ) -> Evaluation:
        """Evaluate JavaScript in a frame's own document (`Runtime.evaluate`); None: the current page's top frame.

        It runs once; what JSON cannot hold has the value None, with its type and description. With `user_gesture` it
        runs as if a person had clicked: it may open windows, play sound, go fullscreen.
        The same in every kind of frame: top, same-process iframe, out-of-process iframe. Raises `BlockedByDialog` at
        once when a dialog is open there, or when the expression opens one; `UnknownFrame`, `FrameGone`,
        `NavigationInterrupted`, `EvaluationFailed`, `CallTimeout`, `TargetCrashed`, `ConnectionLost`, `NotRunning`.
        """
        calling = self._supervisor.evaluate(
            expression, frame_id, timeout_s=timeout_s, await_promise=await_promise, user_gesture=user_gesture
        )
        return _run(calling, self._patience(timeout_s))

    def send(self, command: Command[R], frame_id: str | None = None, *, timeout_s: float | None = None) -> R:
        """Send a typed command on the session of the current page, or so that it means one frame.

        With `frame_id`, a command that takes a frame or a script context gets this one's; one that means a whole page
        goes to the session of an out-of-process iframe, and raises `NotForOneFrame` for a frame that shares its
        process with others. What only the browser itself can do (`SystemInfo.*`; `Browser.*` and `Target.*` while
        there is no page) goes to it. Raises what `evaluate` raises, and `CommandError` when the browser refuses.
        """
        return _run(self._supervisor.send(command, frame_id, timeout_s=timeout_s), self._patience(timeout_s))

    def terminate(self, frame_id: str | None = None) -> None:
        """Stop the script that runs in a frame's process (`Runtime.terminateExecution`); None: the current page's.

        Whoever waits for it gets `Terminated`. Nothing happens when none runs. Raises `BlockedByDialog` when a dialog
        stops the process: Chromium would stop nothing then.
        """
        _run(self._supervisor.terminate(frame_id), self._patience(None))

    def open_page(
        self, url: str = "about:blank", *, background: bool = True, select: bool = True, timeout_s: float | None = None
    ) -> PageInfo:
        """Open a page (`Target.createTarget`, `Page.navigate`) and return it as soon as its document is there.

        It is closed when the supervisor stops. With `background` no window is brought to the front; with `select` it
        becomes the current page. A dialog that it opens while it loads is seen. Raises `NavigationFailed` when its
        document cannot be had (the page stays open, and shows what the browser shows then), `TimeoutError`,
        `NotRunning`, and `CommandError` when the browser refuses.
        """
        opening = self._supervisor.open_page(url, background=background, select=select, timeout_s=timeout_s)
        return _run(opening, self._patience(timeout_s))

    def select_page(self, target_id: str) -> PageInfo:
        """Make a page the current one: calls that name no frame go there. Nothing changes in the browser.

        Raises `UnknownPage`.
        """
        return _run(self._supervisor.select_page(target_id), GRACE_S)

    def wait_for(
        self, holds: Callable[[SupervisorSnapshot], bool], *, timeout_s: float | None = None
    ) -> SupervisorSnapshot:
        """The first snapshot, the present one included, for which `holds` is true.

        `holds` runs on the loop thread after every change: it must be quick and must not call the supervisor.
        Raises `TimeoutError`, or `NotRunning` when the supervisor stops meanwhile.
        """
        return _run(self._supervisor.wait_for(holds, timeout_s=timeout_s), self._patience(timeout_s))

    def changes_since(self, cursor: int) -> ChangeSlice:
        """The changes after the one with this number, oldest first, as far as they are still held (the last 500).

        Begin with the `cursor` of a snapshot, go on with the slice's own. As cheap as `snapshot`.
        """
        return self._supervisor.changes_since(cursor)

    def wait_for_change(self, *kinds: ChangeKind, since: int | None = None, timeout_s: float | None = None) -> Change:
        """The first change of one of these kinds (of any, without) after the cursor `since` (None: from now on).

        Raises `TimeoutError`, `InvalidConfig` for an unknown kind, `NotRunning` when the supervisor stops meanwhile.
        """
        return _run(
            self._supervisor.wait_for_change(*kinds, since=since, timeout_s=timeout_s), self._patience(timeout_s)
        )

    def on_change(self, callback: OnChange) -> Listener:
        """Have `callback` told of every change, in order, on the loop thread, until the returned listener is closed.

        It must be quick and must not call the blocking methods of a supervisor (`CalledFromLoopThread`); what it
        raises is logged once and stays with it.
        """
        return self._supervisor.on_change(callback)

    def restrict(self, places: Places) -> None:
        """Let pages and frames go only where `places` lets them, from now on and for good.

        The browser holds each request for a document, each hop of a redirect included, until it has been looked at
        (`Fetch.enable`); one for a place that is refused fails with `net::ERR_BLOCKED_BY_CLIENT`, and is a change of
        the kind `navigation_refused`. What was given before, here or elsewhere, still holds. Works without a
        connection, too, and outlives a stop. Does not look at what is there already.
        """
        with LOOP_THREAD.held():
            _run(self._supervisor.restrict(places), GRACE_S)

    def console_since(self, cursor: int) -> ConsoleSlice:
        """The console messages after the one with this number, oldest first, as far as they are still held."""
        return self._supervisor.console_since(cursor)

    def choose_files(self, paths: Iterable[str | Path], blocker_id: str | None = None) -> None:
        """Give a file chooser its files (`DOM.setFileInputFiles`): absolute paths on the browser's machine.

        Without `blocker_id` the only chooser is meant. Raises `UnknownBlocker`, `AmbiguousBlocker`, `CommandError`.
        """
        _run(self._supervisor.choose_files(paths, blocker_id), ANSWER_TIMEOUT_S + GRACE_S)

    def cancel_download(self, blocker_id: str | None = None) -> None:
        """Stop a download (`Browser.cancelDownload`). Raises what `choose_files` raises."""
        _run(self._supervisor.cancel_download(blocker_id), ANSWER_TIMEOUT_S + GRACE_S)

    def resume_script(self, blocker_id: str | None = None) -> None:
        """Let a script go on that stands at a breakpoint (`Debugger.resume`). Raises what `choose_files` raises."""
        _run(self._supervisor.resume_script(blocker_id), ANSWER_TIMEOUT_S + GRACE_S)

    def answer_auth(self, username: str, password: str, blocker_id: str | None = None) -> None:
        """Give a server, or a proxy, the name and the password that it asks for (`Fetch.continueWithAuth`).

        Needs the setting `watch_http_auth`. When they are wrong, it asks again: there is a new blocker then. The
        browser keeps what was right for the site, as if a person had typed it. Raises what `choose_files` raises.
        """
        _run(self._supervisor.answer_auth(username, password, blocker_id), ANSWER_TIMEOUT_S + GRACE_S)

    def cancel_auth(self, blocker_id: str | None = None) -> None:
        """Give none: the page gets what the server shows to strangers. Raises what `choose_files` raises."""
        _run(self._supervisor.cancel_auth(blocker_id), ANSWER_TIMEOUT_S + GRACE_S)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def __repr__(self) -> str:
        return repr(self._supervisor).replace("AsyncSupervisor", "CDPSupervisor")

    def _patience(self, timeout_s: float | None) -> float:
        return self._supervisor.seconds(timeout_s) + GRACE_S


def _run(work: Coroutine[Any, Any, T], timeout_s: float | None) -> T:
    try:
        return LOOP_THREAD.run(work, timeout_s)
    except LoopThreadEnded:  # never started, or stopped (by another thread a moment ago)
        raise NotRunning("not started, or stopped") from None
