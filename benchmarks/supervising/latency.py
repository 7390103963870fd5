"""Latency of a supervisor next to a bare websocket client: until a dialog is seen, and until the page runs again."""

from __future__ import annotations

import asyncio
import itertools
import json
import statistics
import threading
import time
from collections.abc import Callable
from typing import Any, Protocol

from websockets.asyncio.client import ClientConnection, connect

from benchmarks.supervising import scaling
from benchmarks.supervising.delayed_relay import relay
from benchmarks.table import render, seconds_per_call
from cdp_typed import LaunchError
from cdp_typed.launch import launch
from cdp_typed.loop_thread import LoopThread
from cdp_typed.mock import Page, ThreadedMockServer
from supervisor import CDPSupervisor, Change

ROUNDS, WARM_UP, READS = 40, 5, 200_000
GOAL = "1.3x"
ROUND_TRIP_S = 0.1


class Wire:
    """A bare websocket on its own thread: calls and their replies, and a callback for the rest."""

    def __init__(self, url: str, on_event: Callable[[str], object] = lambda _: None) -> None:
        self.session = ""
        self._on_event = on_event
        self._ids = itertools.count(1)
        self._replies: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._loop = LoopThread()
        self._loop.acquire()
        self._loop.run(self._open(url))

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a call and return its result."""
        return self._loop.run(self._call(method, params), 10.0)

    def begin(self, method: str, **params: Any) -> Callable[[], float]:
        """Send a call; return a function that waits for its reply and returns the time when it came."""

        async def timed() -> float:
            await self._call(method, params)
            return time.perf_counter()

        return self._loop.start(timed()).result

    def close(self) -> None:
        """Disconnect."""
        self._loop.run(self._close())
        self._loop.release()

    async def _open(self, url: str) -> None:
        self._socket: ClientConnection = await connect(url, max_size=None, compression=None)
        self._reading = asyncio.create_task(self._read())

    async def _close(self) -> None:
        self._reading.cancel()
        await self._socket.close()

    async def _call(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        call_id = next(self._ids)
        future = self._replies[call_id] = asyncio.get_running_loop().create_future()
        message: dict[str, Any] = {"id": call_id, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        await self._socket.send(json.dumps(message))
        result: dict[str, Any] = (await future)["result"]
        return result

    async def _read(self) -> None:
        async for text in self._socket:
            message: dict[str, Any] = json.loads(text)
            if "id" in message:
                self._replies.pop(message["id"]).set_result(message)
            else:
                self._on_event(message["method"])


class Watcher(Protocol):
    """Sees the dialogs of a page and answers them."""

    target_id: str
    seen: threading.Event
    seen_at: float

    def accept(self) -> None: ...
    def close(self) -> None: ...


class Bare:
    """A watcher that is only a websocket."""

    def __init__(self, url: str) -> None:
        self.seen, self.seen_at = threading.Event(), 0.0
        self._wire = Wire(url, self._see)
        self.target_id: str = self._wire.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self._wire.call("Target.attachToTarget", targetId=self.target_id, flatten=True)
        self._wire.session = attached["sessionId"]
        self._wire.call("Page.enable")

    def _see(self, method: str) -> None:
        if method == "Page.javascriptDialogOpening":
            self.seen_at = time.perf_counter()
            self.seen.set()

    def accept(self) -> None:
        """Answer the dialog."""
        self._wire.call("Page.handleJavaScriptDialog", accept=True)

    def close(self) -> None:
        """Close the page and disconnect."""
        self._wire.session = ""
        self._wire.call("Target.closeTarget", targetId=self.target_id)
        self._wire.close()


class Supervised:
    """A watcher that is a supervisor."""

    def __init__(self, url: str) -> None:
        self.seen, self.seen_at = threading.Event(), 0.0
        self._supervisor = CDPSupervisor(url, dialog_storm_limit=10**9).start()
        self._listener = self._supervisor.on_change(self._see)
        self.target_id = next(page.target_id for page in self._supervisor.snapshot().pages if page.is_current)

    def _see(self, change: Change) -> None:
        if change.kind == "dialog_opened":
            self.seen_at = time.perf_counter()
            self.seen.set()

    def accept(self) -> None:
        """Answer the dialog."""
        self._supervisor.respond_to_dialog("accept")

    def close(self) -> None:
        """Stop the supervisor."""
        self._listener.close()
        self._supervisor.stop()


def report() -> str:
    """Return the tables."""
    try:
        with launch() as browser:
            dialogs = "\n\n".join([_dialogs(browser.ws_url), _attaching(browser.ws_url)])
    except LaunchError as error:
        dialogs = f"Dialogs: not measured, there is no browser ({error})"
    return "\n\n".join([dialogs, _reading(), scaling.report()])


def _dialogs(url: str) -> str:
    kinds: list[Callable[[str], Watcher]] = [Bare, Supervised]
    times: list[tuple[list[float], list[float]]] = [([], []) for _ in kinds]
    for _ in range(3):
        for slot, kind in zip(times, kinds, strict=True):
            seen, answered = _watch(url, kind(url))
            slot[0].extend(seen)
            slot[1].extend(answered)
    bare, ours = ([statistics.median(seconds) for seconds in slot] for slot in times)
    rows = [
        [name, f"{b * 1e3:.2f} ms", f"{o * 1e3:.2f} ms", f"{o / b:.2f}x", GOAL]
        for name, b, o in zip(("alert() until it is seen", "answer until the page runs again"), bare, ours, strict=True)
    ]
    return render(
        "Dialogs on real Chromium (smaller is better)",
        ["", "bare websocket", "supervisor", "ratio", "goal, below"],
        rows,
    )


def _watch(url: str, watcher: Watcher) -> tuple[list[float], list[float]]:
    """Return the seconds until each dialog is seen, and from each answer until the page runs again.

    A third client opens the dialogs.
    """
    seen: list[float] = []
    answered: list[float] = []
    trigger = Wire(url)
    attached = trigger.call("Target.attachToTarget", targetId=watcher.target_id, flatten=True)
    trigger.session = attached["sessionId"]
    for _ in range(WARM_UP + ROUNDS):
        watcher.seen.clear()
        opened_at = time.perf_counter()
        goes_on = trigger.begin("Runtime.evaluate", expression="alert(1)")
        assert watcher.seen.wait(10)
        seen.append(watcher.seen_at - opened_at)
        answered_at = time.perf_counter()
        watcher.accept()
        answered.append(goes_on() - answered_at)
    trigger.close()
    watcher.close()
    return seen[WARM_UP:], answered[WARM_UP:]


def _attaching(url: str) -> str:
    """Measure from the dial until every page is in the snapshot, behind a relay with a delay."""
    rows: list[list[str]] = []
    control = Wire(url)
    for pages in (1, 4):
        while len(_pages(control)) < pages:
            control.call("Target.createTarget", url="about:blank")
        times: list[float] = []
        with relay(url, ROUND_TRIP_S / 2) as slow:
            for _ in range(5):
                began = time.perf_counter()
                with CDPSupervisor(slow) as supervisor:
                    times.append(time.perf_counter() - began)
                    assert len(supervisor.snapshot().pages) == pages
        seconds = statistics.median(times)
        # TCP and the websocket's handshake take one round trip each, before the supervisor can send anything.
        rows.append(
            [
                f"{pages} pages",
                f"{seconds * 1e3:.0f} ms",
                f"{seconds / ROUND_TRIP_S:.1f}",
                "4: 2 to connect, 2 to attach",
            ]
        )
    for target_id in _pages(control)[1:]:
        control.call("Target.closeTarget", targetId=target_id)
    control.close()
    title = f"Attaching to Chromium behind a relay with a round trip of {ROUND_TRIP_S * 1e3:.0f} ms"
    return render(title, ["", "until the snapshot is complete", "round trips", "goal, about"], rows)


def _pages(control: Wire) -> list[str]:
    infos = control.call("Target.getTargets")["targetInfos"]
    return [info["targetId"] for info in infos if info["type"] == "page"]


def _reading() -> str:
    with ThreadedMockServer({"http://a.test/": Page(title="A")}) as server, CDPSupervisor(server.url) as supervisor:
        seconds = seconds_per_call(supervisor.snapshot, READS)
    return render(
        "Reading what is known", ["", "time", "goal, below"], [["snapshot()", f"{seconds * 1e6:.2f} us", "1 us"]]
    )
