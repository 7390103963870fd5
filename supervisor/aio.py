"""`AsyncSupervisor`: the API to await, over the driver on the shared loop thread."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar, Unpack, get_args

from cdp_typed._base import Command
from cdp_typed.errors import LoopThreadEnded
from cdp_typed.loop_thread import LOOP_THREAD
from cdp_typed.protocol import runtime

from .config import Config, Endpoint, Settings, check_seconds
from .core.errors import InvalidConfig, NotRunning, UnknownPage, UnsupportedByBrowser
from .core.link import NO_FLAT_SESSIONS
from .core.places import Places
from .core.rules import check as check_rule
from .core.step import State
from .core.tabs import BLANK
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
from .core.view import snapshot
from .core.wishes import (
    AnswerRequested,
    BridgeEnding,
    CallRequested,
    CancelDownload,
    CancelLogIn,
    ChooseFiles,
    ClosePage,
    Evaluate,
    LeaveRequested,
    LogIn,
    NavigatePage,
    OpenRequested,
    ReloadPage,
    ResumeScript,
    RuleArmed,
    RuleDisarmed,
    SelectRequested,
    UnblockRequested,
)
from .driver import Driver
from .listeners import Listener, Listeners, OnChange
from .status import Status, status

R = TypeVar("R")
T = TypeVar("T")


class AsyncSupervisor:
    """Keeps one long-lived connection to a browser and knows its dialogs, frames and consoles at any moment.

    The same as `CDPSupervisor`, to be awaited; usable from any event loop and any number of them. The connection lives
    on a thread of its own, shared by all supervisors of the process: a loop of yours that is busy delays no watchdog.

    `cdp_url` and the settings are those of `Config`. Raises `InvalidConfig` for one that is not allowed.
    """

    def __init__(self, cdp_url: Endpoint, **settings: Unpack[Settings]) -> None:
        self.config = Config(cdp_url=cdp_url, **settings)
        self._listeners = Listeners()
        self._places: tuple[Places, ...] = ()
        self._driver: Driver | None = None
        self._ended: Driver | None = None
        """The last one that was stopped: what it knew can still be read."""
        self._starting: asyncio.Task[None] | None = None
        self._last: tuple[State, SupervisorSnapshot] | None = None

    @classmethod
    def from_config(cls, config: Config) -> Self:
        """A supervisor with settings that were read elsewhere, for example by `Config.from_file`."""
        made = cls.__new__(cls)
        AsyncSupervisor.__init__(made, config.cdp_url)
        made.config = config
        return made

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

        What is closed and what stays in the browser: see `CDPSupervisor.stop`.
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
        return driver is not None and driver.state.world.link.is_alive

    def snapshot(self) -> SupervisorSnapshot:
        """What is known now, or was known at the end. Takes no lock, waits for nobody, works from any thread and while
        dialogs are open.

        Raises `NotRunning` when it was never started.
        """
        state = self._known().state
        last = self._last
        if last is None or last[0] is not state:
            last = self._last = (state, snapshot(state))
        return last[1]

    def status(self) -> Status:
        """How the supervisor itself is doing; as cheap as `snapshot`. Also when it is not started."""
        return status(self._driver or self._ended)

    async def respond_to_dialog(
        self, action: DialogAction, prompt_text: str | None = None, dialog_id: str | None = None
    ) -> DialogReceipt:
        """See `CDPSupervisor.respond_to_dialog`."""
        if action not in get_args(DialogAction):
            raise InvalidConfig("action", action, "one of " + ", ".join(get_args(DialogAction)))

        def make(call_id: str) -> AnswerRequested:
            return AnswerRequested(call_id=call_id, action=action, prompt_text=prompt_text, dialog_id=dialog_id)

        receipt: DialogReceipt = await self._ask(lambda driver: driver.request(make))
        return receipt

    async def arm_dialog(self, rule: DialogRule) -> str:
        """See `CDPSupervisor.arm_dialog`."""
        check_rule("rule", rule)
        armed: str = await self._ask(lambda driver: driver.request(lambda call: RuleArmed(call_id=call, rule=rule)))
        return armed

    async def disarm_dialog(self, rule_id: str) -> None:
        """See `CDPSupervisor.disarm_dialog`."""
        await self._ask(lambda driver: driver.request(lambda call: RuleDisarmed(call_id=call, rule_id=rule_id)))

    async def disarm_bridge(self) -> None:
        """See `CDPSupervisor.disarm_bridge`."""
        await self._ask(lambda driver: driver.request(lambda call: BridgeEnding(call, "a caller took it back")))

    async def reload_page(self, page_id: str | None = None, *, timeout_s: float | None = None) -> None:
        """See `CDPSupervisor.reload_page`."""
        await self._leave(ReloadPage(), page_id, timeout_s)

    async def navigate(self, url: str, page_id: str | None = None, *, timeout_s: float | None = None) -> None:
        """See `CDPSupervisor.navigate`."""
        await self._leave(NavigatePage(url), page_id, timeout_s)

    async def close_page(self, page_id: str | None = None, *, timeout_s: float | None = None) -> None:
        """See `CDPSupervisor.close_page`."""
        await self._leave(ClosePage(), page_id, timeout_s)

    async def evaluate(
        self,
        expression: str,
        frame_id: str | None = None,
        *,
        timeout_s: float | None = None,
        await_promise: bool = True,
        user_gesture: bool = False,
    ) -> Evaluation:
        """See `CDPSupervisor.evaluate`."""
        work = Evaluate(expression=expression, await_promise=await_promise, user_gesture=user_gesture)
        evaluation: Evaluation = await self._call(work, frame_id, timeout_s)
        return evaluation

    async def send(self, command: Command[R], frame_id: str | None = None, *, timeout_s: float | None = None) -> R:
        """See `CDPSupervisor.send`."""
        result: R = await self._call(command, frame_id, timeout_s)
        return result

    async def terminate(self, frame_id: str | None = None) -> None:
        """See `CDPSupervisor.terminate`."""
        await self.send(runtime.TerminateExecution(), frame_id)

    async def open_page(
        self, url: str = "about:blank", *, background: bool = True, select: bool = True, timeout_s: float | None = None
    ) -> PageInfo:
        """See `CDPSupervisor.open_page`."""
        deadline = self.seconds(timeout_s)

        def make(call_id: str) -> OpenRequested:
            return OpenRequested(call_id=call_id, background=background, select=select)

        async def open_it(driver: Driver) -> PageInfo:
            def is_there(state: State) -> bool:
                session = state.world.targets.page(target_id)
                return session is not None and session.is_settled

            async with asyncio.timeout(deadline):
                target_id: str = await driver.request(make)
                await driver.wait_for(is_there)
                if url != BLANK:
                    await driver.request(
                        lambda call_id: LeaveRequested(
                            call_id=call_id, page_id=target_id, work=NavigatePage(url), timeout_s=deadline
                        )
                    )
            for page in snapshot(driver.state).pages:
                if page.target_id == target_id:
                    return page
            raise UnknownPage(target_id)  # it was closed meanwhile

        return await self._ask(open_it)

    async def select_page(self, target_id: str) -> PageInfo:
        """See `CDPSupervisor.select_page`."""
        await self._ask(lambda driver: driver.request(lambda call_id: SelectRequested(call_id, target_id)))
        return next(page for page in self.snapshot().pages if page.target_id == target_id)

    async def wait_for(
        self, holds: Callable[[SupervisorSnapshot], bool], *, timeout_s: float | None = None
    ) -> SupervisorSnapshot:
        """See `CDPSupervisor.wait_for`."""
        deadline = self.seconds(timeout_s)

        async def wait(driver: Driver) -> State:
            async with asyncio.timeout(deadline):
                return await driver.wait_for(lambda state: holds(snapshot(state)))

        return snapshot(await self._ask(wait))

    def changes_since(self, cursor: int) -> ChangeSlice:
        """See `CDPSupervisor.changes_since`."""
        return self._known().state.feed.since(cursor)

    async def wait_for_change(
        self, *kinds: ChangeKind, since: int | None = None, timeout_s: float | None = None
    ) -> Change:
        """See `CDPSupervisor.wait_for_change`."""
        for kind in kinds:
            if kind not in get_args(ChangeKind):
                raise InvalidConfig("kind", kind, "one of " + ", ".join(get_args(ChangeKind)))
        deadline = self.seconds(timeout_s)

        async def wait(driver: Driver) -> Change:
            cursor = driver.state.feed.count if since is None else since

            def found(state: State) -> Change | None:
                changes = state.feed.since(cursor).changes
                return next((change for change in changes if not kinds or change.kind in kinds), None)

            async with asyncio.timeout(deadline):
                change = found(await driver.wait_for(lambda state: found(state) is not None))
            assert change is not None
            return change

        return await self._ask(wait)

    def on_change(self, callback: OnChange) -> Listener:
        """See `CDPSupervisor.on_change`."""
        return self._listeners.add(callback)

    async def restrict(self, places: Places) -> None:
        """See `CDPSupervisor.restrict`."""
        self._places = (*self._places, places)
        if self._driver is not None:
            with contextlib.suppress(NotRunning):  # stopped meanwhile: the next start takes it in
                await self._ask(lambda driver: driver.restrict(places))

    def console_since(self, cursor: int) -> ConsoleSlice:
        """See `CDPSupervisor.console_since`."""
        return self._known().state.world.console.since(cursor)

    async def choose_files(self, paths: Iterable[str | Path], blocker_id: str | None = None) -> None:
        """See `CDPSupervisor.choose_files`."""
        if isinstance(paths, str):
            raise InvalidConfig("paths", paths, "several paths, not one text")
        await self._unblock(ChooseFiles(tuple(str(path) for path in paths)), blocker_id)

    async def cancel_download(self, blocker_id: str | None = None) -> None:
        """See `CDPSupervisor.cancel_download`."""
        await self._unblock(CancelDownload(), blocker_id)

    async def answer_auth(self, username: str, password: str, blocker_id: str | None = None) -> None:
        """See `CDPSupervisor.answer_auth`."""
        await self._unblock(LogIn(username, password), blocker_id)

    async def cancel_auth(self, blocker_id: str | None = None) -> None:
        """See `CDPSupervisor.cancel_auth`."""
        await self._unblock(CancelLogIn(), blocker_id)

    async def resume_script(self, blocker_id: str | None = None) -> None:
        """See `CDPSupervisor.resume_script`."""
        await self._unblock(ResumeScript(), blocker_id)

    def seconds(self, timeout_s: float | None) -> float:
        """The deadline of a call: its own, or the one of the settings. Raises `InvalidConfig`."""
        deadline = self.config.call_timeout_s if timeout_s is None else timeout_s
        check_seconds("timeout_s", deadline)
        return deadline

    async def __aenter__(self) -> Self:
        return await self.start()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    def __repr__(self) -> str:
        driver = self._driver or self._ended
        return f"<{type(self).__name__} {driver.state.world.link.state if driver else 'not started'}>"

    async def _call(self, work: Evaluate | Command[Any], frame_id: str | None, timeout_s: float | None) -> Any:
        deadline = self.seconds(timeout_s)

        def make(call_id: str) -> CallRequested:
            return CallRequested(call_id=call_id, work=work, frame_id=frame_id, timeout_s=deadline)

        return await self._ask(lambda driver: driver.request(make))

    async def _leave(
        self, work: ReloadPage | NavigatePage | ClosePage, page_id: str | None, timeout_s: float | None
    ) -> None:
        deadline = self.seconds(timeout_s)

        def make(call_id: str) -> LeaveRequested:
            return LeaveRequested(call_id=call_id, page_id=page_id, work=work, timeout_s=deadline)

        await self._ask(lambda driver: driver.request(make))

    async def _unblock(
        self, work: ChooseFiles | CancelDownload | ResumeScript | LogIn | CancelLogIn, blocker_id: str | None
    ) -> None:
        def make(call_id: str) -> UnblockRequested:
            return UnblockRequested(call_id=call_id, blocker_id=blocker_id, work=work)

        await self._ask(lambda driver: driver.request(make))

    async def _ask(self, work: Callable[[Driver], Coroutine[Any, Any, T]]) -> T:
        """Have the driver do something on the loop thread."""

        async def ask() -> T:
            driver = self._started()
            if driver.loop is not asyncio.get_running_loop():
                raise NotRunning("it was started in the process that this one was forked from")
            return await work(driver)

        try:
            return await LOOP_THREAD.hop(ask())
        except LoopThreadEnded:  # not started, or stopped by somebody else a moment ago
            raise NotRunning(self._why_not()) from None

    def _started(self) -> Driver:
        driver = self._driver
        if driver is None:
            raise NotRunning(self._why_not())
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
        driver = Driver(self.config, listeners=self._listeners)
        try:
            await driver.restrict(*self._places)
            await driver.start(timeout_s)
            self._driver = driver
            await driver.restrict(*self._places)  # with those that came meanwhile
        except TimeoutError:
            is_deaf = driver.state.world.link.is_deaf
            await driver.stop()
            if is_deaf:
                raise UnsupportedByBrowser("Target.setAutoAttach", NO_FLAT_SESSIONS) from None
            raise NotRunning(f"the browser did not answer within {timeout_s:g} s") from None
        except BaseException:
            await driver.stop()
            raise
        finally:
            self._starting = None

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
