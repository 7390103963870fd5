"""The same scripts run against the mock and against real Chromium, and the traffic is compared.

Both are driven by a raw websocket. Messages are read as lines (see `raw_client`), and their order is compared within
each session: messages on two sessions at the same time have no order in a browser either. A difference that is not a
race fails every time; each script here was seen to fail with the mock's rule for it broken.
"""

from __future__ import annotations

import asyncio
import contextlib
import difflib
import json
from collections.abc import AsyncGenerator, Awaitable, Callable

import pytest
from websockets.asyncio.client import ClientConnection, connect

from cdp_typed.launch import LaunchedBrowser
from cdp_typed.mock import Frame, MockServer, Page, Site
from tests.cdp_typed.mock.raw_client import Params, Transcript
from tests.support.servers.sites import Sites, iframe

DEADLINE_S = 20.0
EVERYTHING = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}
CONCURRENT = {"Page.domContentEventFired", "reply to Runtime.runIfWaitingForDebugger"}
"""Lines that a race moves often; each is compared apart from the rest of its session."""
TRIES = 6
"""The browser's process and a renderer speak on the same session, and now and then one overtakes the other. The mock
always takes one of the orders that Chromium takes, so Chromium is asked a few times until it takes the same."""
NOISE = {"Page.frameResized"}
"""The window of a headless browser may settle at any time; nothing in a script causes it."""


class Wire(Transcript):
    """A raw client whose traffic is stored as lines, by session."""

    def __init__(self, socket: ClientConnection) -> None:
        super().__init__()
        self._socket = socket
        self._number = 0
        self._step = 0
        self.lines: list[str] = []
        self.attached: list[str] = []
        self.target = ""

    async def send(self, method: str, params: Params | None = None, session: str | None = None) -> int:
        self._number += 1
        self.methods[self._number] = method
        message: Params = {"id": self._number, "method": method, "params": params or {}}
        await self._socket.send(json.dumps({**message, "sessionId": session} if session else message))
        return self._number

    async def answer(self, method: str, params: Params | None = None, session: str | None = None) -> Params:
        """Return the whole reply, a result or an error."""
        number = await self.send(method, params, session)
        while (message := await self._receive()).get("id") != number:
            pass
        return message

    async def result(self, method: str, params: Params | None = None, session: str | None = None) -> Params:
        return dict((await self.answer(method, params, session))["result"])

    async def until(self, *wanted: str) -> None:
        """Read until every wanted line has come since the last `step` or `clear`."""
        while not all(line in self.lines[self._step :] for line in wanted):
            try:
                await self._receive()
            except TimeoutError:
                raise AssertionError(f"waited for {wanted}; got {self.lines}") from None

    def step(self) -> None:
        """Let `until` count only lines that come from now on."""
        self._step = len(self.lines)

    def clear(self) -> None:
        """Forget the lines so far; they are not compared."""
        self.lines.clear()
        self._step = 0

    def by_session(self) -> dict[str, list[str]]:
        streams: dict[str, list[str]] = {}
        for line in self.lines:
            name, _, text = line.partition(" ")
            if text in CONCURRENT:
                name = f"{name}, whenever"
            streams.setdefault(name, []).append(text)
        return streams

    async def _receive(self) -> Params:
        async with asyncio.timeout(DEADLINE_S):
            message: Params = json.loads(await self._socket.recv())
        params = message.get("params", {})
        if message.get("method") == "Page.frameAttached":
            self.frames.setdefault(params["frameId"], "frame")
        if message.get("method") == "Target.attachedToTarget":
            kind = params["targetInfo"]["type"]
            self.names[params["sessionId"]] = "frame" if kind == "iframe" else kind
            self.attached.append(params["sessionId"])
        if message.get("method") not in NOISE:
            self.lines.append(self.line(message))
        return message


@contextlib.asynccontextmanager
async def controlled(url: str, blank: str) -> AsyncGenerator[tuple[Wire, str]]:
    """Return a new tab that shows `blank`, with Page, Runtime and auto-attach enabled."""
    async with connect(url, max_size=None) as socket:
        wire = Wire(socket)
        wire.target = (await wire.result("Target.createTarget", {"url": "about:blank"}))["targetId"]
        wire.frames[wire.target] = "top"
        attached = await wire.result("Target.attachToTarget", {"targetId": wire.target, "flatten": True})
        page = str(attached["sessionId"])
        for method in ("Page.enable", "Runtime.enable"):
            await wire.result(method, {}, page)
        await wire.result("Target.setAutoAttach", EVERYTHING, page)
        wire.clear()
        await wire.send("Page.navigate", {"url": blank}, page)
        await wire.until("page Page.frameNavigated top Navigation")
        wire.clear()
        await wire.until("page Page.frameStoppedLoading top")
        wire.clear()
        try:
            yield wire, page
        finally:
            await wire.send("Target.detachFromTarget", {"sessionId": page})
            await wire.result("Target.closeTarget", {"targetId": wire.target})


async def navigate(wire: Wire, page: str, url: str) -> None:
    await wire.send("Page.navigate", {"url": url}, page)


async def evaluate(wire: Wire, session: str, expression: str, **params: object) -> None:
    await wire.send("Runtime.evaluate", {"expression": expression, "returnByValue": True, **params}, session)


async def handle(wire: Wire, session: str, **params: object) -> None:
    await wire.send("Page.handleJavaScriptDialog", params, session)


async def attach_oopif(wire: Wire, page: str, sites: Sites) -> str:
    """Show the page with an iframe of the other site, take the iframe's session and release it."""
    known = len(wire.attached)
    await navigate(wire, page, sites.local("/cross"))
    await wire.until("page Target.attachedToTarget frame True")
    frame = wire.attached[known]
    await wire.send("Target.setAutoAttach", EVERYTHING, frame)
    await wire.send("Page.enable", {}, frame)
    await wire.send("Runtime.enable", {}, frame)
    await wire.send("Runtime.runIfWaitingForDebugger", {}, frame)
    await wire.until("page Page.frameStoppedLoading top", "frame Page.frameStoppedLoading frame")
    return frame


async def oopif_attach(wire: Wire, page: str, sites: Sites) -> None:
    frame = await attach_oopif(wire, page, sites)
    await evaluate(wire, frame, "document.title")
    await wire.until("frame reply to Runtime.evaluate = child")
    await wire.send("Page.getFrameTree", {}, page)
    await wire.until("page reply to Page.getFrameTree")


async def alert_in_the_main_frame(wire: Wire, page: str, sites: Sites) -> None:
    await evaluate(wire, page, "alert('hi')")
    await wire.until("page Page.javascriptDialogOpening top alert hi")
    await evaluate(wire, page, "6*7")
    await wire.send("Page.getNavigationHistory", {}, page)
    await wire.until("page reply to Page.getNavigationHistory")
    await handle(wire, page, accept=True)
    await wire.until("page reply to Runtime.evaluate = 42")
    await handle(wire, page, accept=True)
    await wire.until("page refusal of Page.handleJavaScriptDialog: No dialog is showing")


async def prompt_and_confirm(wire: Wire, page: str, sites: Sites) -> None:
    for kind, expression, answer, value in (
        ("prompt", "prompt('sure?', 'def')", {"accept": True, "promptText": "Bob"}, "Bob"),
        ("prompt", "prompt('sure?', 'def')", {"accept": True}, ""),
        ("prompt", "prompt('sure?', 'def')", {"accept": False, "promptText": "zz"}, "None"),
        ("confirm", "confirm('sure?')", {"accept": True}, "True"),
        ("confirm", "confirm('sure?')", {"accept": False}, "False"),
    ):
        wire.step()
        await evaluate(wire, page, f"window.answer = {expression}")
        await wire.until(f"page Page.javascriptDialogOpening top {kind} sure?")
        await handle(wire, page, **answer)
        await wire.until(f"page reply to Runtime.evaluate = {value}")


async def alert_in_a_same_origin_iframe(wire: Wire, page: str, sites: Sites) -> None:
    await navigate(wire, page, sites.local("/same"))
    await wire.until("page Page.frameStoppedLoading frame", "page Page.frameStoppedLoading top")
    tree = (await wire.result("Page.getFrameTree", {}, page))["frameTree"]
    world = {"frameId": tree["childFrames"][0]["frame"]["id"], "worldName": "mine"}
    context = (await wire.result("Page.createIsolatedWorld", world, page))["executionContextId"]
    await evaluate(wire, page, "alert('inner')", contextId=context)
    await wire.until("page Page.javascriptDialogOpening frame alert inner")
    await handle(wire, page, accept=True)
    await wire.until("page reply to Runtime.evaluate = undefined")


async def alert_in_an_oopif(wire: Wire, page: str, sites: Sites) -> None:
    frame = await attach_oopif(wire, page, sites)
    await evaluate(wire, frame, "confirm('in oopif')")
    await wire.until("page Page.javascriptDialogOpening frame confirm in oopif")
    await evaluate(wire, page, "6*7")
    await wire.until("page reply to Runtime.evaluate = 42")
    await evaluate(wire, frame, "1+1")
    await handle(wire, frame, accept=True)
    await wire.until("frame refusal of Page.handleJavaScriptDialog: Command can only be executed on top-level targets")
    await handle(wire, page, accept=True)
    await wire.until("frame reply to Runtime.evaluate = 2", "page reply to Page.handleJavaScriptDialog")


async def a_second_dialog(wire: Wire, page: str, sites: Sites) -> None:
    frame = await attach_oopif(wire, page, sites)
    await evaluate(wire, page, "confirm('one')")
    await wire.until("page Page.javascriptDialogOpening top confirm one")
    await evaluate(wire, frame, "confirm('two')")
    await wire.until("page Page.javascriptDialogClosed top False ", "page reply to Runtime.evaluate = False")
    await handle(wire, page, accept=True)
    await wire.until("page refusal of Page.handleJavaScriptDialog: No dialog is showing")


async def navigate_while_a_dialog_is_open(wire: Wire, page: str, sites: Sites) -> None:
    await evaluate(wire, page, "confirm('leave?')")
    await wire.until("page Page.javascriptDialogOpening top confirm leave?")
    await navigate(wire, page, sites.local("/child"))
    await wire.until("page Page.frameStoppedLoading top")


async def reload_while_an_oopif_asks(wire: Wire, page: str, sites: Sites) -> None:
    frame = await attach_oopif(wire, page, sites)
    await evaluate(wire, frame, "confirm('x')")
    await wire.until("page Page.javascriptDialogOpening frame confirm x")
    wire.clear()
    await wire.send("Page.reload", {}, page)
    await wire.until("page Page.domContentEventFired", "page Target.attachedToTarget frame True")


async def an_oopif_becomes_local_and_leaves_again(wire: Wire, page: str, sites: Sites) -> None:
    await attach_oopif(wire, page, sites)
    wire.clear()
    await evaluate(wire, page, "document.getElementById('f').src = '/child'; 1")
    await wire.until("page Page.frameStoppedLoading frame")
    known = len(wire.attached)
    await evaluate(wire, page, f"document.getElementById('f').src = '{sites.remote('/child')}'; 1")
    await wire.until("page Target.attachedToTarget frame True")
    frame = wire.attached[known]
    await wire.send("Page.enable", {}, frame)
    await wire.send("Runtime.enable", {}, frame)
    await wire.send("Runtime.runIfWaitingForDebugger", {}, frame)
    wire.step()
    await wire.until("page Runtime.executionContextDestroyed", "frame Page.frameStoppedLoading frame")


async def an_oopif_is_removed(wire: Wire, page: str, sites: Sites) -> None:
    await attach_oopif(wire, page, sites)
    wire.clear()
    await evaluate(wire, page, "document.getElementById('f').remove(); 1")
    await wire.until("page reply to Runtime.evaluate = 1")


async def leaving_a_page_with_an_oopif(wire: Wire, page: str, sites: Sites) -> None:
    await attach_oopif(wire, page, sites)
    wire.clear()
    await navigate(wire, page, sites.local("/blank"))
    await wire.until("page Page.frameStoppedLoading top")


async def ask_before_leaving(wire: Wire, page: str, sites: Sites) -> None:
    await navigate(wire, page, sites.local("/asks"))
    await wire.until("page Page.frameStoppedLoading top")
    for kind in ("mousePressed", "mouseReleased"):
        press = {"type": kind, "x": 5, "y": 5, "button": "left", "clickCount": 1}
        await wire.result("Input.dispatchMouseEvent", press, page)
    wire.clear()
    await navigate(wire, page, sites.local("/blank"))
    await wire.until("page Page.javascriptDialogOpening top beforeunload ")


async def staying_on_a_page_that_asks(wire: Wire, page: str, sites: Sites) -> None:
    await ask_before_leaving(wire, page, sites)
    await handle(wire, page, accept=False)
    await wire.until("page reply to Page.handleJavaScriptDialog")


async def leaving_a_page_that_asks(wire: Wire, page: str, sites: Sites) -> None:
    await ask_before_leaving(wire, page, sites)
    await handle(wire, page, accept=True)
    await wire.until("page Page.frameStoppedLoading top")


async def an_alert_while_loading(wire: Wire, page: str, sites: Sites) -> None:
    await navigate(wire, page, sites.local("/alerts"))
    await wire.until("page Page.javascriptDialogOpening top alert inline")
    await handle(wire, page, accept=True)
    await wire.until("page Page.frameStoppedLoading top")


async def errors(wire: Wire, page: str, sites: Sites) -> None:
    for method, params in (
        ("Foo.bar", {}),
        ("Runtime.evaluate", {"expression": "1", "contextId": 99999}),
        ("Runtime.evaluate", {"expression": "1", "uniqueContextId": "1.2"}),
        ("Page.navigate", {"url": "::bad"}),
        ("Page.navigate", {}),
        ("Page.createIsolatedWorld", {"frameId": "nope"}),
        ("Target.detachFromTarget", {"sessionId": "nope"}),
        ("Fetch.continueRequest", {"requestId": "x"}),
        ("Runtime.evaluate", {"expression": "throw new TypeError('no')"}),
        ("Runtime.evaluate", {"expression": "nothing"}),
    ):
        await wire.answer(method, params, page)


Streams = dict[str, list[str]]
Script = Callable[[Wire, str, Sites], Awaitable[None]]
SCRIPTS: list[Script] = [
    alert_in_the_main_frame,
    prompt_and_confirm,
    alert_in_a_same_origin_iframe,
    alert_in_an_oopif,
    a_second_dialog,
    navigate_while_a_dialog_is_open,
    reload_while_an_oopif_asks,
    oopif_attach,
    an_oopif_becomes_local_and_leaves_again,
    an_oopif_is_removed,
    leaving_a_page_with_an_oopif,
    staying_on_a_page_that_asks,
    leaving_a_page_that_asks,
    an_alert_while_loading,
    errors,
]


def html(page: Page, sites: Sites) -> str:
    """Return the page as HTML for Chromium."""
    frames = "".join(iframe(frame.url, frame.name) for frame in page.frames)
    asks = "<script>onbeforeunload = event => event.preventDefault()</script>" if page.beforeunload else ""
    script = f"<script>{page.script}</script>" if page.script else ""
    return f"<!doctype html><title>{page.title}</title><link rel=icon href=data:,>{script}{frames}{asks}"


def world(sites: Sites) -> dict[str, Page]:
    """Return the pages that both browsers visit, by path."""
    return {
        "/blank": Page(title="blank"),
        "/child": Page(title="child"),
        "/same": Page(title="same", frames=[Frame(sites.local("/child"), "f")]),
        "/cross": Page(title="cross", frames=[Frame(sites.remote("/child"), "f")]),
        "/asks": Page(title="asks", beforeunload=True),
        "/alerts": Page(title="alerts", script="alert('inline')"),
    }


async def play(script: Script, url: str, sites: Sites) -> dict[str, list[str]]:
    async with controlled(url, sites.local("/blank")) as (wire, page):
        await script(wire, page, sites)
        return wire.by_session()


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.__name__)
async def test_the_mock_says_what_chromium_says(script: Script, chromium: LaunchedBrowser, sites: Sites) -> None:
    await compare(script, chromium, sites)


async def compare(script: Script, chromium: LaunchedBrowser, sites: Sites) -> None:
    """Play the script on both, and fail with the difference."""
    pages = world(sites)
    sites.pages = {path: html(page, sites) for path, page in pages.items()}
    both = (sites.local, sites.remote)
    async with MockServer(Site({at(path): page for path, page in pages.items() for at in both})) as mock:
        ours = await play(script, mock.url, sites)
    real: Streams = {}
    for _ in range(TRIES):
        real = await play(script, chromium.ws_url, sites)
        if ours == real:
            return

    pytest.fail(difference(ours, real))


def difference(ours: Streams, real: Streams) -> str:
    """Return the two transcripts side by side."""
    return "\n".join(difflib.unified_diff(_flat(real), _flat(ours), "chromium", "mock", lineterm="", n=4))


def _flat(streams: Streams) -> list[str]:
    return [f"{name} {line}" for name, lines in sorted(streams.items()) for line in lines]
