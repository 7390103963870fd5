"""Starts and stops a driver on the shared loop thread, and puts requests to it from any event loop."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Literal, TypeVar, get_args

from cdp_typed._base import Command
from cdp_typed.errors import LoopThreadEnded
from cdp_typed.loop_thread import LOOP_THREAD
from cdp_typed.redaction import Redaction
from supervisor.config import Config
from supervisor.core.connection.lifecycle import NO_FLAT_SESSIONS
from supervisor.core.snapshot import snapshot
from supervisor.core.state.pages import BLANK
from supervisor.core.state.world import State
from supervisor.core.vocabulary.errors import InvalidConfig, NotRunning, UnknownPage, UnsupportedByBrowser
from supervisor.core.vocabulary.requests import (
    AnswerRequested,
    CallRequested,
    CancelDownload,
    CancelLogIn,
    CancelPrint,
    ChooseFiles,
    ClosePage,
    Evaluate,
    LogIn,
    NavigatePage,
    NavigationRequested,
    OpenRequested,
    ReloadPage,
    Request,
    ResumeScript,
    UnblockRequested,
)
from supervisor.core.vocabulary.url_rules import UrlRules
from supervisor.core.vocabulary.values import DialogAction, DialogReceipt, PageInfo
from supervisor.setting_values import check_seconds

from .change_listeners import Listeners
from .driver import Driver
from .takeover import Takeover, allowed

T = TypeVar("T")

_NAMES = {
    ReloadPage: "reload_page",
    NavigatePage: "navigate",
    ClosePage: "close_page",
    ChooseFiles: "choose_files",
    CancelDownload: "cancel_download",
    ResumeScript: "resume_script",
    LogIn: "answer_auth",
    CancelLogIn: "cancel_auth",
    CancelPrint: "cancel_print",
}
"""The methods whose work these are."""


class DriverHost:
    """The base of `AsyncSupervisor`: at most one driver at a time, used on the loop thread alone."""

    def __init__(self, config: Config) -> None:
        self.config: Config = config
        self.redaction: Redaction = Redaction(keeps_secrets=config.record_secrets)
        """Hides secrets in recordings and the live view; `redaction.hide(text)` adds one."""
        self.takeover: Takeover = Takeover()
        """Says whether a person controls the browser, and holds callers back meanwhile."""
        self._listeners = Listeners()
        self._url_rules: tuple[UrlRules, ...] = ()
        self._driver: Driver | None = None
        self._ended: Driver | None = None
        """The last driver that was stopped; its last state can still be read."""
        self._starting: asyncio.Task[None] | None = None
        self._opening: Driver | None = None
        """The driver that starts."""

    def seconds(self, timeout_s: float | None) -> float:
        """Return the deadline of a call: its own, or the one of the settings. Raises `InvalidConfig`."""
        deadline = self.config.call_timeout_s if timeout_s is None else timeout_s
        check_seconds("timeout_s", deadline)
        return deadline

    async def _call(self, work: Evaluate | Command[Any], frame_id: str | None, timeout_s: float | None) -> Any:
        what = "evaluate" if isinstance(work, Evaluate) else work.METHOD
        deadline = await self.takeover.wait_until_allowed(what, self.seconds(timeout_s))

        def make(call_id: str) -> CallRequested:
            return CallRequested(call_id=call_id, work=work, frame_id=frame_id, timeout_s=deadline)

        return await self._request(make)

    async def _navigate(
        self, work: ReloadPage | NavigatePage | ClosePage, page_id: str | None, timeout_s: float | None
    ) -> None:
        deadline = await self.takeover.wait_until_allowed(_NAMES[type(work)], self.seconds(timeout_s))

        def make(call_id: str) -> NavigationRequested:
            return NavigationRequested(call_id=call_id, page_id=page_id, work=work, timeout_s=deadline)

        await self._request(make)

    async def _open_page(
        self, url: str, *, background: bool, select: bool, context: str | None, timeout_s: float | None
    ) -> PageInfo:
        deadline = await self.takeover.wait_until_allowed("open_page", self.seconds(timeout_s))

        def make(call_id: str) -> OpenRequested:
            return OpenRequested(call_id=call_id, background=background, select=select, context=context)

        async def open_it(driver: Driver) -> PageInfo:
            def is_there(state: State) -> bool:
                session = state.world.targets.page(target_id)
                return session is not None and session.is_settled

            async with asyncio.timeout(deadline):
                target_id: str = await driver.request(make)
                await driver.wait_for(is_there)
                if url != BLANK:
                    await driver.request(
                        lambda call_id: NavigationRequested(
                            call_id=call_id, page_id=target_id, work=NavigatePage(url), timeout_s=deadline
                        )
                    )
            for page in snapshot(driver.state).pages:
                if page.target_id == target_id:
                    return page
            raise UnknownPage(target_id)  # it was closed meanwhile

        return await self._ask(open_it)

    async def _unblock(
        self,
        work: ChooseFiles | CancelDownload | ResumeScript | LogIn | CancelLogIn | CancelPrint,
        blocker_id: str | None,
    ) -> None:
        def make(call_id: str) -> UnblockRequested:
            return UnblockRequested(call_id=call_id, blocker_id=blocker_id, work=work)

        await self._act(_NAMES[type(work)], make)

    async def answer_for_person(self, action: DialogAction, prompt_text: str | None, dialog_id: str) -> DialogReceipt:
        """As `respond_to_dialog`, for a person: also while one controls the browser, and recorded as a person's."""
        with allowed():
            return await self._answer(action, prompt_text, dialog_id, by="person")

    async def _answer(
        self, action: DialogAction, prompt_text: str | None, dialog_id: str | None, *, by: Literal["agent", "person"]
    ) -> DialogReceipt:
        if action not in get_args(DialogAction):
            raise InvalidConfig.not_one_of("action", action, get_args(DialogAction))

        def make(call_id: str) -> AnswerRequested:
            return AnswerRequested(call_id=call_id, action=action, prompt_text=prompt_text, dialog_id=dialog_id, by=by)

        receipt: DialogReceipt = await self._act("respond_to_dialog", make)
        return receipt

    async def _act(self, what: str, make: Callable[[str], Request]) -> Any:
        """Have the driver make a request that acts on the browser, unless a person controls it."""
        await self.takeover.wait_until_allowed(what, self.config.call_timeout_s)
        return await self._request(make)

    async def _request(self, make: Callable[[str], Request]) -> Any:
        """Have the driver make a request; `make` gets its id."""
        return await self._ask(lambda driver: driver.request(make))

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

    async def with_driver(self, work: Callable[[Driver], Coroutine[Any, Any, T]]) -> T:
        """Have something done with the driver on the loop thread, for other parts of this package."""
        return await self._ask(work)

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
