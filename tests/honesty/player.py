"""Plays a scenario as raw CDP over the client's transport, and records all traffic of all sessions."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from cdp_typed.transport import Transport, TransportClosed

Params: TypeAlias = dict[str, Any]
PATIENCE_S: Final = 20
"""The longest time that anything may take; a correct run never gets there."""

AUTO_ATTACH: Final[Params] = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}
SETUP: Final[Sequence[tuple[str, Params]]] = (
    ("Page.enable", {}),
    ("Runtime.enable", {}),
    ("Target.setAutoAttach", AUTO_ATTACH),
    ("Runtime.runIfWaitingForDebugger", {}),
)
"""The commands for every waiting target, sent as soon as it is announced."""


@dataclass(frozen=True)
class Entry:
    """A message: `sent` to the browser over the connection of this name, or received from it."""

    connection: str
    sent: bool
    message: Params


Trace: TypeAlias = list[Entry]


@dataclass(frozen=True)
class Stage:
    """A way to connect to a browser, the two sites on which it finds the pages, and an address without a server."""

    connect: Callable[[], Awaitable[Transport]]
    own: str
    other: str
    nowhere: str


@dataclass
class Call:
    """A call in flight; `await call.reply` for its whole reply, with `result` or `error`."""

    reply: asyncio.Future[Params]


class Client:
    """One connection to a browser."""

    def __init__(self, name: str, wire: Transport, trace: Trace) -> None:
        self.name = name
        self.setup: Sequence[tuple[str, Params]] = SETUP
        self.lost = asyncio.Event()
        self.was_cut = False
        self._left = False
        self._wire = wire
        self._trace = trace
        self._number = 0
        self._calls: dict[int, Call] = {}
        self._events: list[tuple[int, Params]] = []
        self._heard = 0
        self._news = asyncio.Event()
        self._reader = asyncio.create_task(self._read())

    def start(self, method: str, params: Params | None = None, *, on: str | None = None) -> Call:
        """Send a call without waiting."""
        self._number += 1
        message: Params = {"id": self._number, "method": method, "params": params or {}}
        if on is not None:
            message["sessionId"] = on
        call = self._calls[self._number] = Call(asyncio.get_running_loop().create_future())
        self._trace.append(Entry(self.name, sent=True, message=message))
        self._wire.send(json.dumps(message).encode())
        return call

    async def raw(self, *texts: str) -> None:
        """Send texts that may be no calls at all, and wait until the browser has read them all.

        What it says to each is recorded as an event of the name `envelope`.
        """
        for text in texts:
            self._wire.send(text.encode())
            await self.call("Nothing.atAll")

    async def call(self, method: str, params: Params | None = None, *, on: str | None = None) -> Params:
        """Send a call and return its result; for an error, the error."""
        reply = await self.answer(self.start(method, params, on=on))
        result: Params = reply["result"] if "result" in reply else reply["error"]
        return result

    async def answer(self, call: Call) -> Params:
        """Return the reply to a call."""
        async with self._patience("a reply"):
            return await call.reply

    async def event(
        self, method: str, *, on: str | None = None, where: Callable[[Params], bool] = lambda _: True, after: int = 0
    ) -> tuple[int, Params]:
        """Return the number and the message of the first such event that no earlier wait has taken.

        `on` None: on any session. `after`: with a higher number than this.
        """
        async with self._patience(method):
            while True:
                for at, (number, message) in enumerate(self._events):
                    wanted = message["method"] == method and (on is None or message.get("sessionId") == on)
                    if wanted and number > after and where(message["params"]):
                        return self._events.pop(at)
                self._news.clear()
                await self._news.wait()

    def forget(self) -> None:
        """Drop all events so far: later waits are for new ones."""
        self._events.clear()

    async def leave(self) -> None:
        """Close the connection, if the browser has not."""
        if not self._left:
            self.was_cut = self.lost.is_set()
        self._left = True
        await self._wire.close()
        await self._reader

    @asynccontextmanager
    async def _patience(self, what: str) -> AsyncGenerator[None]:
        try:
            async with asyncio.timeout(PATIENCE_S):
                yield
        except TimeoutError:
            seen = "\n".join(
                f"{entry.connection} {'->' if entry.sent else '<-'} {entry.message}" for entry in self._trace
            )
            raise AssertionError(f"{what} did not come to {self.name}; the whole traffic:\n{seen}") from None

    async def _read(self) -> None:
        while True:
            try:
                message: Params = json.loads(await self._wire.receive())
            except TransportClosed:
                self.lost.set()
                return
            call = self._calls.get(message.get("id", 0))
            if "method" not in message and (call is None or call.reply.done()):
                message = {"method": "envelope", "params": message}
            self._trace.append(Entry(self.name, sent=False, message=message))
            if "id" in message and call is not None:
                call.reply.set_result(message)
                continue
            self._heard += 1
            self._events.append((self._heard, message))
            self._news.set()
            params = message["params"]
            if message["method"] == "Target.attachedToTarget" and params["waitingForDebugger"]:
                for method, given in self.setup:
                    self.start(method, given, on=params["sessionId"])


@dataclass
class Tab:
    """A page and one session of it. `frames` are the sessions of its OOPIFs in the order in which they came."""

    client: Client
    target: str
    session: str
    frames: list[str] = field(default_factory=list[str])

    def start(self, method: str, params: Params | None = None) -> Call:
        return self.client.start(method, params, on=self.session)

    async def call(self, method: str, params: Params | None = None) -> Params:
        return await self.client.call(method, params, on=self.session)

    async def event(self, method: str, *, where: Callable[[Params], bool] = lambda _: True) -> Params:
        """Return the parameters of the next such event on the page's session."""
        _, message = await self.client.event(method, on=self.session, where=where)
        params: Params = message["params"]
        return params

    async def events(self, *methods: str) -> None:
        """Wait for each of these events on the page's session."""
        for method in methods:
            await self.event(method)

    def evaluate(self, expression: str, *, on: str | None = None) -> Call:
        """Start `expression`, in the page or on another session."""
        return self.client.start("Runtime.evaluate", {"expression": expression}, on=on or self.session)

    async def value(self, expression: str, *, on: str | None = None) -> Params:
        """Return the reply to evaluating `expression`."""
        return await self.client.answer(self.evaluate(expression, on=on))

    async def navigate(self, url: str, *, oopifs: int = 0) -> None:
        """Navigate, and wait until the page and so many new OOPIFs have loaded."""
        self.start("Page.navigate", {"url": url})
        await self.loaded(oopifs=oopifs)

    async def loaded(self, frame: str | None = None, *, oopifs: int = 0) -> None:
        """Wait until the frame (the page itself, for None) and so many new OOPIFs have loaded."""

        def is_it(params: Params) -> bool:
            return bool(params["frameId"] == (frame or self.target))

        # The end of loading `about:blank` may come after the tab was attached, or before: it is not the one.
        began, _ = await self.client.event("Page.frameStartedLoading", on=self.session, where=is_it)
        for _ in range(oopifs):
            await self.attached()
        await self.client.event("Page.frameStoppedLoading", on=self.session, where=is_it, after=began)

    async def attached(self) -> str:
        """Return the session of the next OOPIF, anywhere below the page, once it has loaded."""
        _, message = await self.client.event(
            "Target.attachedToTarget", where=lambda params: params["targetInfo"]["type"] == "iframe"
        )
        session: str = message["params"]["sessionId"]
        await self.client.event("Page.frameStoppedLoading", on=session)
        self.frames.append(session)
        return session

    async def answer_dialog(self, *, accept: bool = True, text: str | None = None) -> Params:
        """Answer the dialog that is open."""
        given = {} if text is None else {"promptText": text}
        return await self.call("Page.handleJavaScriptDialog", {"accept": accept, **given})

    async def opening(self) -> Params:
        """Return the next dialog."""
        return await self.event("Page.javascriptDialogOpening")

    async def closed(self) -> Params:
        """Return the end of a dialog."""
        return await self.event("Page.javascriptDialogClosed")


class Play:
    """One scenario on one stage: its clients, its tabs, and all their traffic."""

    def __init__(self, stage: Stage) -> None:
        self.connect = stage.connect
        self.own = stage.own
        self.other = stage.other
        self.nowhere = stage.nowhere
        self.trace: Trace = []
        self.tabs: list[Tab] = []
        self.clients: list[Client] = []

    async def client(self) -> Client:
        """Connect to the browser."""
        client = Client(chr(ord("A") + len(self.clients)), await self.connect(), self.trace)
        self.clients.append(client)
        return client

    async def tab(
        self, path: str = "", *, oopifs: int = 0, client: Client | None = None, context: str | None = None
    ) -> Tab:
        """Open a tab with Page, Runtime and auto-attach, at this path of the own site (none: `about:blank`)."""
        client = client or await self.client()
        in_context = {} if context is None else {"browserContextId": context}
        created = await client.call("Target.createTarget", {"url": "about:blank", **in_context})
        tab = await self.attach(client, created["targetId"])
        for method, params in SETUP[:3]:
            await tab.call(method, params)
        if path:
            await tab.navigate(self.own + path, oopifs=oopifs)
        client.forget()
        return tab

    async def attach(self, client: Client, target: str) -> Tab:
        """Attach a session to a page on this connection, with nothing enabled."""
        attached = await client.call("Target.attachToTarget", {"targetId": target, "flatten": True})
        tab = Tab(client, target, attached["sessionId"])
        self.tabs.append(tab)
        return tab

    async def until_true(self, tab: Tab, expression: str) -> None:
        """Wait until `expression` is true in the page; what this asks is no part of the traffic."""
        unseen = Client("unseen", await self.connect(), [])
        try:
            attached = await unseen.call("Target.attachToTarget", {"targetId": tab.target, "flatten": True})
            async with asyncio.timeout(PATIENCE_S):
                while not await _is_true(unseen, attached["sessionId"], expression):
                    pass  # each question is a round trip to the browser
        finally:
            await unseen.leave()


async def _is_true(client: Client, session: str, expression: str) -> bool:
    said = await client.call("Runtime.evaluate", {"expression": expression}, on=session)
    return said["result"].get("value") is True


@asynccontextmanager
async def playing(stage: Stage) -> AsyncGenerator[Play]:
    """Open a play, and close its connections and tabs at the end."""
    play = Play(stage)
    try:
        yield play
    finally:
        for client in play.clients:
            await client.leave()
        if not any(client.was_cut for client in play.clients):
            await _close_tabs(play)


async def _close_tabs(play: Play) -> None:
    client = Client("close", await play.connect(), [])
    for target in dict.fromkeys(tab.target for tab in play.tabs):
        await client.call("Target.closeTarget", {"targetId": target})
    await client.leave()
