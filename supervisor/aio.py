"""`AsyncSupervisor`: the API to await, over the driver on the shared loop thread."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self, TypeVar, Unpack, get_args

from cdp_typed._base import Command
from cdp_typed.errors import LoopThreadEnded
from cdp_typed.loop_thread import LOOP_THREAD
from cdp_typed.protocol import runtime
from cdp_typed.redaction import Redaction

from .config import Config, Endpoint, Settings, config_of
from .core.connection.lifecycle import NO_FLAT_SESSIONS
from .core.dialogs.rules import check as check_rule
from .core.snapshot import calls, frames, snapshot
from .core.state.world import State
from .core.vocabulary import requests
from .core.vocabulary.console_values import ConsoleSlice
from .core.vocabulary.errors import InvalidConfig, NotRunning, UnknownPage, UnsupportedByBrowser
from .core.vocabulary.setting_values import check_seconds
from .core.vocabulary.url_rules import UrlRules
from .core.vocabulary.values import (
    CallInfo,
    Change,
    ChangeKind,
    ChangeSlice,
    DialogAction,
    DialogReceipt,
    DialogRule,
    Evaluation,
    FrameInfo,
    PageInfo,
    SupervisorSnapshot,
)
from .driver.change_listeners import Listener, Listeners, OnChange
from .driver.driver import Driver
from .driver.takeover import Takeover, allowed
from .status import Status, status

R = TypeVar("R")
T = TypeVar("T")


class AsyncSupervisor:
    """Keeps one long-lived connection to a browser and knows its dialogs, frames and consoles at any moment.

    `CDPSupervisor` is the same, blocking, and generated from this class (`python -m codegen.blocking`). Usable from any
    event loop and any number of them. The connection lives on a separate thread, shared by all supervisors of the
    process: when your event loop is busy, no watchdog is late.

    `cdp_url` and the settings are those of `Config`. Raises `InvalidConfig` for one that is not allowed.
    """

    def __init__(self, cdp_url: Endpoint, **settings: Unpack[Settings]) -> None:
        self.config: Config = config_of(cdp_url, settings)
        self.redaction: Redaction = Redaction(keeps_secrets=self.config.record_secrets)
        """Hides secrets in recordings and the live view; `redaction.hide(text)` adds one."""
        self.takeover: Takeover = Takeover()
        """Says whether a person controls the browser, and holds callers back meanwhile."""
        self._listeners = Listeners()
        self._url_rules: tuple[UrlRules, ...] = ()
        self._driver: Driver | None = None
        """Used on the loop thread alone."""
        self._ended: Driver | None = None
        """The last driver that was stopped; its last state can still be read."""
        self._starting: asyncio.Task[None] | None = None
        self._opening: Driver | None = None
        """The driver that starts."""
        self._last: tuple[State, SupervisorSnapshot] | None = None

    @classmethod
    def from_config(cls, config: Config) -> Self:
        """Make a supervisor with settings that were read elsewhere, for example by `Config.from_file`."""
        supervisor = cls.__new__(cls)
        AsyncSupervisor.__init__(supervisor, config.cdp_url)
        supervisor.config = config
        supervisor.redaction = Redaction(keeps_secrets=config.record_secrets)
        return supervisor

    async def start(self, timeout_s: float = 15.0) -> Self:
        """Connect and take in every page that exists; returns itself. Does nothing when already started.

        Raises `EndpointError` when the browser cannot be reached, and `NotRunning` when it does not answer in time or
        when `stop` comes first.
        """
        check_seconds("timeout_s", timeout_s)
        LOOP_THREAD.acquire()
        is_first = False
        try:
            is_first = await LOOP_THREAD.hop(self._start(timeout_s))
        finally:
            if not is_first:
                LOOP_THREAD.release()
        return self

    async def stop(self) -> None:
        """End every call with `NotRunning` and disconnect; a start under way ends too. Does nothing when not started.

        The pages that the supervisor opened are closed, and its own browser context; nothing else is changed in
        the browser. A dialog that is open in another page stays open, and as no client is left that could answer it,
        that page stays frozen until it is reloaded, navigated or closed.
        """
        try:
            driver = await LOOP_THREAD.hop(self._take_driver())
        except LoopThreadEnded:
            return
        if driver is None:
            return
        try:
            await LOOP_THREAD.hop(driver.stop())
        finally:
            LOOP_THREAD.release()

    @property
    def is_running(self) -> bool:
        """Started, not stopped, and the browser is still there."""
        driver = self._driver
        return driver is not None and driver.state.world.connection.is_alive

    def snapshot(self) -> SupervisorSnapshot:
        """Return what is known now, or was known at the end. Takes no lock, waits for nothing, works from any
        thread and while dialogs are open.

        Raises `NotRunning` when it was never started.
        """
        state = self._known().state
        last = self._last
        if last is None or last[0] is not state:
            last = self._last = (state, snapshot(state, last))
        return last[1]

    def frames(self) -> tuple[FrameInfo, ...]:
        """Return the frames of every page, those that the tree of a snapshot leaves out included.

        Raises `NotRunning` when it was never started.
        """
        return frames(self._known().state)

    def calls(self) -> tuple[CallInfo, ...]:
        """Return the calls that have not ended, the oldest first. Raises `NotRunning` when it was never started."""
        return calls(self._known().state)

    def status(self) -> Status:
        """Return the state of the supervisor itself; as cheap as `snapshot`. Also when it starts or is not started."""
        return status(self._driver or self._opening or self._ended)

    async def respond_to_dialog(
        self, action: DialogAction, prompt_text: str | None = None, dialog_id: str | None = None
    ) -> DialogReceipt:
        """Accept or dismiss a dialog (`Page.handleJavaScriptDialog`) and return the browser's confirmation.

        Without `dialog_id` the only open dialog is meant. Accepting a prompt without `prompt_text` sends the page's
        own default; an explicit "" sends an empty text.
        Raises `NoDialogOpen`, `UnknownDialog`, `AmbiguousDialog`, `DialogAlreadyClosed`, `DialogBeingAnswered`,
        `DialogUnanswerable`, or `InvalidConfig` for an unknown action.
        """
        return await self._answer(action, prompt_text, dialog_id, by="agent")

    async def arm_dialog(self, rule: DialogRule) -> str:
        """Have dialogs answered before they open, and return the rule's id.

        `DialogRule(action="accept", type="confirm", count=1)` accepts the next confirm, whichever page opens it. Rules
        that were armed earlier are asked first, and all of them before those of the settings.
        Raises `InvalidConfig` for a rule that could never do what it says.
        """
        check_rule("rule", rule)
        armed: str = await self._request(lambda call: requests.RuleArmed(call_id=call, rule=rule))
        return armed

    async def disarm_dialog(self, rule_id: str) -> None:
        """Take a rule back, also one of the settings. Raises `UnknownRule` when it does not wait (any more)."""
        await self._request(lambda call: requests.RuleDisarmed(call_id=call, rule_id=rule_id))

    async def disarm_bridge(self) -> None:
        """Give all pages their own `alert`, `confirm` and `prompt` back, until the supervisor is started again.

        A page that is asking through the bridge calls its own function. Does nothing where the bridge is not armed.
        """
        await self._request(lambda call: requests.BridgeEnding(call, "a caller took it back"))

    async def reload_page(
        self, page_id: str | None = None, *, ignore_cache: bool = False, timeout_s: float | None = None
    ) -> None:
        """Load a page anew (`Page.reload`) and return when its new document exists; None: the current page.

        With `ignore_cache` nothing comes from the browser's cache, unless the page shows a dialog.

        A way out of a dialog that takes no answer. Dialogs that the page opens meanwhile are dismissed, except the
        question whether to leave it: `BlockedByDialog`; so for any dialog of a page that did not respond before (its
        status was `unresponsive`), because that may well be the new document's. A page that shows a dialog is left by
        way of `about:blank` and then visited again, because Chromium would wait for its script.
        Raises `UnknownPage`, `NoPage`, `FrameGone`, `BlockedByDialog`, `CallTimeout` and what `send` raises.
        """
        await self._navigate("reload_page", requests.ReloadPage(ignore_cache), page_id, timeout_s)

    async def navigate(self, url: str, page_id: str | None = None, *, timeout_s: float | None = None) -> None:
        """Show another address (`Page.navigate`) and return when its document exists, loading or not.

        As `reload_page`, a way out of any dialog. Raises what that raises, and `NavigationFailed`. With the setting
        `watch_http_auth` it raises `LoginRequired` when a server asks for a password: it goes on after `answer_auth`.
        """
        await self._navigate("navigate", requests.NavigatePage(url), page_id, timeout_s)

    async def close_page(self, page_id: str | None = None, *, timeout_s: float | None = None) -> None:
        """Close a page (`Target.closeTarget`) and return when it is gone, whatever it is doing; None: the current one.

        It is not asked whether it may be left. The dialogs of its iframes are dismissed first; a page with an iframe
        that has not answered since we came, and may show a dialog, is first navigated to `about:blank`.
        Raises what `reload_page` raises.
        """
        await self._navigate("close_page", requests.ClosePage(), page_id, timeout_s)

    async def evaluate(
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
        work = requests.Evaluate(expression=expression, await_promise=await_promise, user_gesture=user_gesture)
        evaluation: Evaluation = await self._call("evaluate", work, frame_id, timeout_s)
        return evaluation

    async def send(self, command: Command[R], frame_id: str | None = None, *, timeout_s: float | None = None) -> R:
        """Send a typed command on the session of the current page, or so that it means one frame.

        With `frame_id`, a command that takes a frame or a script context gets this one's; one that means a whole page
        goes to the session of an out-of-process iframe, and raises `NotForOneFrame` for a frame that shares its
        process with others. What only the browser itself can do (`SystemInfo.*`; `Browser.*` and `Target.*` while
        there is no page) goes to it. Raises what `evaluate` raises, and `CommandError` when the browser refuses.
        """
        result: R = await self._call(command.METHOD, command, frame_id, timeout_s)
        return result

    async def terminate(self, frame_id: str | None = None) -> None:
        """Stop the script that runs in a frame's process (`Runtime.terminateExecution`); None: the current page's.

        A call that waits for it raises `Terminated`. Nothing happens when none runs. Raises `BlockedByDialog` when a
        dialog stops the process: Chromium would stop nothing then.
        """
        await self.send(runtime.TerminateExecution(), frame_id)

    async def open_page(
        self,
        url: str = "about:blank",
        *,
        background: bool = True,
        select: bool = True,
        context: str | None = None,
        timeout_s: float | None = None,
    ) -> PageInfo:
        """Open a page (`Target.createTarget`, `Page.navigate`) and return it as soon as its document exists.

        It is closed when the supervisor stops. With `background` no window is brought to the front; with `select` it
        becomes the current page. With `context`, a name, it is in a separate browser context, which has no cookies, no
        storage and no cache of the others: pages of the same name share one (`Target.createBrowserContext`). It ends
        with the supervisor. A dialog that the page opens while it loads is seen. Raises `NavigationFailed` when its
        document cannot be had (the page stays open, and shows what the browser shows then), `TimeoutError`,
        `NotRunning`, and `CommandError` when the browser refuses.
        """
        deadline = await self.takeover.wait_until_allowed("open_page", self.seconds(timeout_s))
        state, target_id = await self.with_driver(
            lambda driver: driver.open_page(
                url, background=background, select=select, context=context, timeout_s=deadline
            )
        )
        for page in snapshot(state).pages:
            if page.target_id == target_id:
                return page
        raise UnknownPage(target_id)  # it was closed meanwhile

    async def select_page(self, target_id: str) -> PageInfo:
        """Make a page the current one: calls that name no frame go there. Nothing changes in the browser.

        Raises `UnknownPage`.
        """
        await self._act("select_page", lambda call_id: requests.SelectRequested(call_id, target_id))
        return next(page for page in self.snapshot().pages if page.target_id == target_id)

    async def give_page(self, target_id: str) -> PageInfo:
        """Give a person's page to the agent until `take_page_back`: it is within the scope, and managed.

        For the person, so also while one controls the browser. With the scopes `own` and `tab` the supervisor attaches
        to it (`Target.attachToTarget`). It is neither selected, nor closed when the supervisor stops. Raises
        `UnknownPage` for another target, `ConnectionLost`, `NotRunning`.
        """
        await self._request(lambda call: requests.GiveRequested(call, target_id))
        given = (page for page in self.snapshot().pages if page.target_id == target_id)
        if (page := next(given, None)) is None:
            raise UnknownPage(target_id)
        return page

    async def take_page_back(self, target_id: str) -> None:
        """Take a given page back from the agent. Popups that it opened meanwhile stay with the agent.

        With the scopes `own` and `tab` its sessions end (`Target.detachFromTarget`), and calls that run in it fail.
        With others it is watched, not managed, and no longer the current page. Raises `UnknownPage` for a page that was
        not given, `NotRunning`.
        """
        await self._request(lambda call: requests.TakeBackRequested(call, target_id))

    async def wait_for(
        self, holds: Callable[[SupervisorSnapshot], bool], *, timeout_s: float | None = None
    ) -> SupervisorSnapshot:
        """The first snapshot, the present one included, for which `holds` is true.

        `holds` runs on the loop thread after every change: it must be quick and must not call the supervisor.
        Raises `TimeoutError`, or `NotRunning` when the supervisor stops meanwhile.
        """
        deadline = self.seconds(timeout_s)

        async def wait(driver: Driver) -> State:
            async with asyncio.timeout(deadline):
                return await driver.wait_for(lambda state: holds(snapshot(state)))

        return snapshot(await self.with_driver(wait))

    def changes_since(self, cursor: int) -> ChangeSlice:
        """The changes after the one with this number, oldest first, as far as they are still held (the last 500).

        Begin with the `cursor` of a snapshot, go on with the slice's own. As cheap as `snapshot`.
        """
        return self._known().state.world.change_log.since(cursor)

    async def wait_for_change(
        self, *kinds: ChangeKind, since: int | None = None, timeout_s: float | None = None
    ) -> Change:
        """The first change of one of these kinds (of any, without) after the cursor `since` (None: from now on).

        Raises `TimeoutError`, `InvalidConfig` for an unknown kind, `NotRunning` when the supervisor stops meanwhile.
        """
        for kind in kinds:
            if kind not in get_args(ChangeKind):
                raise InvalidConfig.not_one_of("kind", kind, get_args(ChangeKind))
        deadline = self.seconds(timeout_s)

        async def wait(driver: Driver) -> Change:
            cursor = driver.state.world.change_log.count if since is None else since

            def found(state: State) -> Change | None:
                changes = state.world.change_log.since(cursor).changes
                return next((change for change in changes if not kinds or change.kind in kinds), None)

            async with asyncio.timeout(deadline):
                change = found(await driver.wait_for(lambda state: found(state) is not None))
            assert change is not None
            return change

        return await self.with_driver(wait)

    def on_change(self, callback: OnChange) -> Listener:
        """Have `callback` told of every change, in order, on the loop thread, until the returned listener is closed.

        It must be quick and must not call the blocking methods of a supervisor (`CalledFromLoopThread`); what it
        raises is logged once and stays with it.
        """
        return self._listeners.add(callback)

    async def restrict(self, url_rules: UrlRules) -> None:
        """Let pages and frames go only where `url_rules` allow it, from now on and for good.

        The browser holds each request for a document, each hop of a redirect included, until it has been looked at
        (`Fetch.enable`); a request that the rules refuse fails with `net::ERR_BLOCKED_BY_CLIENT`, and is a change of
        the kind `navigation_refused`. What was given before, here or elsewhere, still holds. Works without a
        connection, too, and outlives a stop. Does not look at what is there already.
        """
        self._url_rules = (*self._url_rules, url_rules)
        if self._driver is not None:
            with contextlib.suppress(NotRunning):  # stopped meanwhile: the next start takes it in
                await self.with_driver(lambda driver: driver.restrict(url_rules))

    def console_since(self, cursor: int) -> ConsoleSlice:
        """The console messages after the one with this number, oldest first, as far as they are still held."""
        world = self._known().state.world
        return world.console.since(cursor, world.targets.current)

    async def choose_files(self, paths: Iterable[str | Path], blocker_id: str | None = None) -> None:
        """Give a file chooser its files (`DOM.setFileInputFiles`): absolute paths on the browser's machine.

        Without `blocker_id` the only chooser is meant. Raises `UnknownBlocker`, `AmbiguousBlocker`, `CommandError`.
        """
        if isinstance(paths, str):
            raise InvalidConfig("paths", paths, "several paths, not one text")
        await self._unblock("choose_files", requests.ChooseFiles(tuple(str(path) for path in paths)), blocker_id)

    async def cancel_download(self, blocker_id: str | None = None) -> None:
        """Stop a download (`Browser.cancelDownload`). Raises what `choose_files` raises."""
        await self._unblock("cancel_download", requests.CancelDownload(), blocker_id)

    async def answer_auth(self, username: str, password: str, blocker_id: str | None = None) -> None:
        """Give a server, or a proxy, the name and the password that it asks for (`Fetch.continueWithAuth`).

        Needs the setting `watch_http_auth`. When they are wrong, it asks again: there is a new blocker then. The
        browser keeps what was right for the site, as if a person had typed it. Raises what `choose_files` raises.
        """
        await self._unblock("answer_auth", requests.LogIn(username, password), blocker_id)

    async def cancel_auth(self, blocker_id: str | None = None) -> None:
        """Give none: the page gets what the server shows to strangers. Raises what `choose_files` raises."""
        await self._unblock("cancel_auth", requests.CancelLogIn(), blocker_id)

    async def cancel_print(self, blocker_id: str | None = None) -> None:
        """Close the print preview of `window.print()`, which returns then. Raises what `choose_files` raises."""
        await self._unblock("cancel_print", requests.CancelPrint(), blocker_id)

    async def resume_script(self, blocker_id: str | None = None) -> None:
        """Resume a script that is paused at a breakpoint (`Debugger.resume`). Raises what `choose_files` raises."""
        await self._unblock("resume_script", requests.ResumeScript(), blocker_id)

    # -- for other parts of this package: not in the blocking supervisor ------------------------------------------

    def seconds(self, timeout_s: float | None) -> float:
        """Return the deadline of a call: its own, or the one of the settings. Raises `InvalidConfig`."""
        if timeout_s is None:
            return self.config.call_timeout_s
        check_seconds("timeout_s", timeout_s)
        return timeout_s

    @property
    def config_of_others(self) -> Config:
        """The settings with which further connections to the browser ask no person."""
        return self.config if self._driver is None else self._driver.config_of_others

    @property
    def is_recording(self) -> bool:
        """It runs, and there is a flight recording."""
        return self._driver is not None and self._driver.is_recording

    def record(self, kind: str, fields: Mapping[str, Any]) -> None:
        """A separate line in the flight recording (`TOOL_BEGAN`, `TOOL_ENDED`), where one is made. On any thread."""
        driver = self._driver
        if driver is not None and driver.is_recording:
            with contextlib.suppress(RuntimeError):  # its loop has ended
                driver.loop.call_soon_threadsafe(driver.record, kind, fields)

    async def answer_for_person(self, action: DialogAction, prompt_text: str | None, dialog_id: str) -> DialogReceipt:
        """As `respond_to_dialog`, for a person: also while one controls the browser, and recorded as a person's."""
        with allowed():
            return await self._answer(action, prompt_text, dialog_id, by="person")

    async def with_driver(self, work: Callable[[Driver], Coroutine[Any, Any, T]]) -> T:
        """Have something done with the driver on the loop thread."""
        if LOOP_THREAD.is_current:
            return await work(self._started())
        try:
            return await LOOP_THREAD.hop(self.with_driver(work))
        except LoopThreadEnded:  # not started, or stopped by somebody else a moment ago
            raise NotRunning(self._why_not()) from None

    # -- requests to the core -------------------------------------------------------------------------------------

    async def _call(
        self, what: str, work: requests.Evaluate | Command[Any], frame_id: str | None, timeout_s: float | None
    ) -> Any:
        left_s = await self.takeover.wait_until_allowed(what, self.seconds(timeout_s))
        return await self._request(
            lambda call_id: requests.CallRequested(call_id=call_id, work=work, frame_id=frame_id, timeout_s=left_s)
        )

    async def _navigate(
        self,
        what: str,
        work: requests.ReloadPage | requests.NavigatePage | requests.ClosePage,
        page_id: str | None,
        timeout_s: float | None,
    ) -> None:
        left_s = await self.takeover.wait_until_allowed(what, self.seconds(timeout_s))
        await self._request(
            lambda call_id: requests.NavigationRequested(call_id=call_id, page_id=page_id, work=work, timeout_s=left_s)
        )

    async def _unblock(self, what: str, work: requests.UnblockWork, blocker_id: str | None) -> None:
        await self._act(
            what, lambda call_id: requests.UnblockRequested(call_id=call_id, blocker_id=blocker_id, work=work)
        )

    async def _answer(
        self, action: DialogAction, prompt_text: str | None, dialog_id: str | None, *, by: Literal["agent", "person"]
    ) -> DialogReceipt:
        if action not in get_args(DialogAction):
            raise InvalidConfig.not_one_of("action", action, get_args(DialogAction))
        receipt: DialogReceipt = await self._act(
            "respond_to_dialog",
            lambda call_id: requests.AnswerRequested(
                call_id=call_id, action=action, prompt_text=prompt_text, dialog_id=dialog_id, by=by
            ),
        )
        return receipt

    async def _act(self, what: str, make: Callable[[str], requests.Request]) -> Any:
        """Have the driver make a request that acts on the browser, unless a person controls it."""
        await self.takeover.wait_until_allowed(what, self.config.call_timeout_s)
        return await self._request(make)

    def _request(self, make: Callable[[str], requests.Request]) -> Coroutine[Any, Any, Any]:
        """Have the driver make a request; `make` gets its id."""
        return self.with_driver(lambda driver: driver.request(make))

    # -- start and stop, on the loop thread -----------------------------------------------------------------------

    def _started(self) -> Driver:
        driver = self._driver
        if driver is None:
            raise NotRunning(self._why_not())
        if driver.loop is not asyncio.get_running_loop():
            raise NotRunning("it was started in the process that this one was forked from")
        return driver

    def _known(self) -> Driver:
        driver = self._driver or self._ended
        if driver is None:
            raise NotRunning("not started")
        return driver

    def _why_not(self) -> str:
        return "not started" if self._ended is None else "stopped"

    async def _start(self, timeout_s: float) -> bool:
        """On the loop thread: whether this is the call that started it."""
        is_first = self._driver is None and self._starting is None
        if is_first:
            self._starting = asyncio.create_task(self._open(timeout_s))
        starting = self._starting
        if starting is None:
            return False
        try:
            await asyncio.shield(starting)
        except asyncio.CancelledError:
            if starting.cancelled():
                raise NotRunning("stopped while it was starting") from None
            if is_first:  # the caller gave up, and with it the hold on the loop thread
                starting.cancel()
                await asyncio.wait([starting])
            raise
        return is_first

    async def _open(self, timeout_s: float) -> None:
        driver = self._opening = Driver(self.config, listeners=self._listeners, redaction=self.redaction)
        try:
            await driver.restrict(*self._url_rules)
            await driver.start(timeout_s)
            self._driver = driver
            await driver.restrict(*self._url_rules)  # with those that came meanwhile
        except TimeoutError:
            is_deaf = driver.state.world.connection.announces_nothing
            await driver.stop()
            if is_deaf:
                raise UnsupportedByBrowser("Target.setAutoAttach", NO_FLAT_SESSIONS) from None
            raise NotRunning(f"the browser did not answer within {timeout_s:g} s") from None
        except BaseException:
            await driver.stop()
            raise
        finally:
            self._starting = self._opening = None

    async def _take_driver(self) -> Driver | None:
        """On the loop thread: end a start under way; the driver that is to be stopped, if any."""
        starting = self._starting
        if starting is not None:
            starting.cancel()
            await asyncio.wait([starting])
        driver, self._driver = self._driver, None
        if driver is not None and driver.loop is not asyncio.get_running_loop():
            return None  # left behind by a fork: the connection is the parent's
        self._ended = driver or self._ended
        return driver

    async def __aenter__(self) -> Self:
        return await self.start()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    def __repr__(self) -> str:
        driver = self._driver or self._ended
        return f"<{type(self).__name__} {driver.state.world.connection.state if driver else 'not started'}>"
