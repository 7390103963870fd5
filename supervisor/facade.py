"""`CDPSupervisor`: the blocking API, over the driver on the shared loop thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Any, Self, TypeVar, get_args

from cdp_typed._base import Command
from cdp_typed.errors import LoopThreadEnded
from cdp_typed.loop_thread import LOOP_THREAD

from .config import Config, check_seconds
from .core.dialogs import ANSWER_TIMEOUT_S
from .core.errors import InvalidConfig, NotRunning
from .core.inputs import AnswerRequested, CallRequested, Evaluate
from .core.step import State
from .core.values import (
    DialogAction,
    DialogPolicy,
    DialogReceipt,
    Evaluation,
    SupervisorSnapshot,
)
from .core.view import snapshot
from .driver import Driver

R = TypeVar("R")
T = TypeVar("T")

GRACE_S = 5.0
"""The core ends every call by its deadline; this much later the facade gives up on the core itself."""


class CDPSupervisor:
    """Keeps one long-lived connection to a browser and knows its dialogs, frames and consoles at any moment.

    Safe to use from several threads. `cdp_url` is `ws://`, `wss://`, `http://host:port` or `host:port`.
    Raises `InvalidConfig` for a setting that is not allowed.
    """

    def __init__(
        self,
        cdp_url: str,
        *,
        dialog_policy: DialogPolicy = "must_respond",
        dialog_timeout_s: float = 300.0,
        call_timeout_s: float = 30.0,
    ) -> None:
        self.config = Config(
            cdp_url=cdp_url,
            dialog_policy=dialog_policy,
            dialog_timeout_s=dialog_timeout_s,
            call_timeout_s=call_timeout_s,
        )
        self._lock = threading.Lock()
        self._driver: Driver | None = None
        self._last: tuple[State, SupervisorSnapshot] | None = None

    def start(self, timeout_s: float = 15.0) -> Self:
        """Connect and take in every page that exists; returns itself. Does nothing when already started.

        Raises `EndpointError` when the browser cannot be reached, `NotRunning` when it does not answer in time.
        """
        check_seconds("timeout_s", timeout_s)
        with self._lock:
            if self._driver is not None:
                return self
            driver = Driver(self.config)
            LOOP_THREAD.acquire()
            try:
                _run(_start(driver, timeout_s), timeout_s + GRACE_S)
            except BaseException:
                LOOP_THREAD.release()
                raise
            self._driver = driver
        return self

    def stop(self) -> None:
        """End every call with `NotRunning` and disconnect. Does nothing when not started.

        Nothing in the browser is changed on the way out: a dialog that is open stays open, and as nobody is left who
        could answer it, its page stays frozen until it is reloaded, navigated or closed.
        """
        with self._lock:
            driver, self._driver = self._driver, None
            if driver is None:
                return
            self._last = None
            try:
                _run(driver.stop(), GRACE_S)
            finally:
                LOOP_THREAD.release()

    @property
    def is_running(self) -> bool:
        """Started, not stopped, and the browser is still there."""
        driver = self._driver
        return driver is not None and driver.state.world.link.is_up

    def snapshot(self) -> SupervisorSnapshot:
        """What is known now. Takes no lock, waits for nobody, works while dialogs are open."""
        state = self._running().state
        last = self._last
        if last is None or last[0] is not state:
            last = self._last = (state, snapshot(state))
        return last[1]

    def respond_to_dialog(
        self, action: DialogAction, prompt_text: str | None = None, dialog_id: str | None = None
    ) -> DialogReceipt:
        """Accept or dismiss a dialog (`Page.handleJavaScriptDialog`) and return the browser's confirmation.

        Without `dialog_id` the only open dialog is meant. Accepting a prompt without `prompt_text` sends the page's
        own default; an explicit "" sends an empty text.
        Raises `NoDialogOpen`, `UnknownDialog`, `AmbiguousDialog`, `DialogAlreadyClosed`, `DialogBeingAnswered`,
        `DialogUnanswerable`, or `InvalidConfig` for an unknown action.
        """
        if action not in get_args(DialogAction):
            raise InvalidConfig("action", action, "one of " + ", ".join(get_args(DialogAction)))

        def make(call_id: str) -> AnswerRequested:
            return AnswerRequested(call_id=call_id, action=action, prompt_text=prompt_text, dialog_id=dialog_id)

        receipt: DialogReceipt = _run(self._running().request(make), ANSWER_TIMEOUT_S + GRACE_S)
        return receipt

    def evaluate(
        self,
        expression: str,
        frame_id: str | None = None,
        *,
        timeout_s: float | None = None,
        await_promise: bool = True,
    ) -> Evaluation:
        """Evaluate JavaScript in a frame's own document (`Runtime.evaluate`); None: the current page's top frame.

        The same in every kind of frame: top, same-process iframe, out-of-process iframe. Raises `BlockedByDialog` at
        once when a dialog is open there, or when the expression opens one; `UnknownFrame`, `FrameGone`,
        `NavigationInterrupted`, `EvaluationFailed`, `CallTimeout`, `TargetCrashed`, `ConnectionLost`, `NotRunning`.
        """
        work = Evaluate(expression=expression, await_promise=await_promise)
        evaluation: Evaluation = self._request(work, frame_id, timeout_s)
        return evaluation

    def send(self, command: Command[R], frame_id: str | None = None, *, timeout_s: float | None = None) -> R:
        """Send a typed command on the session of a frame's document; None: the current page's session.

        Raises what `evaluate` raises, and `CommandError` when the browser refuses.
        """
        result: R = self._request(command, frame_id, timeout_s)
        return result

    def wait_for(
        self, holds: Callable[[SupervisorSnapshot], bool], *, timeout_s: float | None = None
    ) -> SupervisorSnapshot:
        """The first snapshot, the present one included, for which `holds` is true.

        `holds` runs on the loop thread after every change: it must be quick and must not call the supervisor.
        Raises `TimeoutError`, or `NotRunning` when the supervisor stops meanwhile.
        """
        deadline = self.config.call_timeout_s if timeout_s is None else timeout_s
        check_seconds("timeout_s", deadline)
        driver = self._running()
        state = _run(driver.wait_for(lambda state: holds(snapshot(state))), deadline)
        return snapshot(state)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def __repr__(self) -> str:
        driver = self._driver
        return f"<CDPSupervisor {driver.state.world.link.state if driver else 'not started'}>"

    def _running(self) -> Driver:
        driver = self._driver
        if driver is None:
            raise NotRunning("not started")
        return driver

    def _request(self, work: Evaluate | Command[Any], frame_id: str | None, timeout_s: float | None) -> Any:
        deadline = self.config.call_timeout_s if timeout_s is None else timeout_s
        check_seconds("timeout_s", deadline)

        def make(call_id: str) -> CallRequested:
            return CallRequested(call_id=call_id, work=work, frame_id=frame_id, timeout_s=deadline)

        return _run(self._running().request(make), deadline + GRACE_S)


async def _start(driver: Driver, timeout_s: float) -> None:
    """Start a driver, or leave nothing of it behind."""
    try:
        await driver.start(timeout_s)
    except TimeoutError:
        await driver.stop()
        raise NotRunning(f"the browser did not answer within {timeout_s:g} s") from None
    except BaseException:
        await driver.stop()
        raise


def _run(work: Coroutine[Any, Any, T], timeout_s: float) -> T:
    try:
        return LOOP_THREAD.run(work, timeout_s)
    except LoopThreadEnded:  # stopped by another thread a moment ago
        raise NotRunning("its loop thread has ended") from None
