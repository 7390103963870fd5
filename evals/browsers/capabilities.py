"""The capabilities of a browser that a supervisor needs, asked in plain CDP."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from websockets.asyncio.client import connect as connect_websocket
from websockets.exceptions import ConnectionClosed

from cdp_typed import CDPError, Connection, Session, connect
from cdp_typed.protocol import accessibility, browser, dom, emulation, fetch, page, runtime, target
from tests.support.servers.sites import Sites, page_with_oopif

__all__ = ["CAPABILITIES", "measure"]

PATIENCE_S = 5

_LINK = "const link = document.createElement('a'); link.download = 'a.txt'; link.href = 'data:,a'; link.click()"
_CHOOSER = "document.body.innerHTML = '<input type=file id=pick>'; pick.click()"


class Listening(Protocol):
    """A browser that was started."""

    @property
    def ws_url(self) -> str: ...


@dataclass(frozen=True)
class Place:
    """A browser and pages for it."""

    client: Connection
    sites: Sites
    ws_url: str

    async def first_page(self) -> Session:
        """A session of the page that is there; `LookupError` if there is none."""
        infos = (await self.client.send(target.GetTargets())).target_infos
        pages = [info.target_id for info in infos if info.type == "page"]
        return await self.client.attach(pages[0], enable=[page.Enable(), runtime.Enable()])

    async def shown(self, path: str) -> Session:
        """The same, at an address."""
        session = await self.first_page()
        async with session.expect(page.LoadEventFired, timeout=PATIENCE_S):
            await session.send(page.Navigate(url=self.sites.local(path)))
        return session


def _yes(truth: bool) -> str:
    return "yes" if truth else "no"


async def evaluates(place: Place) -> str:
    """`Runtime.evaluate`"""
    try:
        where: Session | Connection = await place.first_page()
    except (CDPError, LookupError):
        where = place.client
    return _yes((await where.send(runtime.Evaluate(expression="6 * 7"))).result.value == 42)


async def has_pages(place: Place) -> str:
    """`Target.getTargets` lists pages"""
    infos = (await place.client.send(target.GetTargets())).target_infos
    return _yes(any(info.type == "page" for info in infos))


async def opens_pages(place: Place) -> str:
    """`Target.createTarget`"""
    created = await place.client.send(target.CreateTarget(url="about:blank"))
    await place.client.send(target.CloseTarget(target_id=created.target_id))
    return "yes"


async def makes_contexts(place: Place) -> str:
    """`Target.createBrowserContext`"""
    created = await place.client.send(target.CreateBrowserContext())
    await place.client.send(target.DisposeBrowserContext(browser_context_id=created.browser_context_id))
    return "yes"


async def attaches_by_itself(place: Place) -> str:
    """Pages are announced to `Target.setAutoAttach` of the browser: before its reply, or after"""
    order: list[str] = []
    place.client.root.listen(lambda _session, _event: order.append("before"), target.AttachedToTarget)
    attach = target.SetAutoAttach(auto_attach=True, wait_for_debugger_on_start=True, flatten=True)
    await place.client.send(attach)
    order.append("after")
    async with asyncio.timeout(PATIENCE_S):
        while "before" not in order:  # noqa: ASYNC110  it was there, or comes soon
            await asyncio.sleep(0.05)
    return order[0]


async def isolates_frames(place: Place) -> str:
    """An iframe of another site is a target of its own"""
    session = await place.first_page()
    async with session.auto_attach() as attached:
        async with session.expect(page.LoadEventFired, timeout=PATIENCE_S):
            await session.send(page.Navigate(url=place.sites.local("/frames")))
        return _yes([session_of_frame.target_info.type for session_of_frame in attached.sessions] == ["iframe"])


async def names_contexts(place: Place) -> str:
    """`uniqueContextId` of `Runtime.evaluate`: known, or ignored"""
    session = await place.first_page()
    try:
        await session.send(runtime.Evaluate(expression="1", unique_context_id="0.0"))
    except CDPError:
        return "known"
    return "ignored"


async def navigates_before_it_is_there(place: Place) -> str:
    """The reply to `Page.navigate` comes before `Page.frameNavigated`, after it, or either (of five)"""
    session = await place.first_page()
    order: list[str] = []
    session.listen(lambda _session, _event: order.append("event"), page.FrameNavigated)
    for _ in range(5):
        async with session.expect(page.LoadEventFired, timeout=PATIENCE_S):
            await session.send(page.Navigate(url=place.sites.local("/plain")))
            order.append("reply")
    before = sum(first == "reply" for first in order[::2])
    return {5: "before", 0: "after"}.get(before, "either")


async def holds_requests(place: Place) -> str:
    """`Fetch.requestPaused`"""
    session = await place.first_page()
    await session.send(fetch.Enable())
    async with session.expect(fetch.RequestPaused, timeout=PATIENCE_S) as pausing:
        going = session.send_nowait(page.Navigate(url=place.sites.local("/plain")))
    await session.send(fetch.ContinueRequest(request_id=pausing.value.request_id))
    await going
    return "yes"


async def shows_background_pages(place: Place) -> str:
    """`Emulation.setFocusEmulationEnabled` makes a page in the background visible"""
    try:
        created = await place.client.send(target.CreateTarget(url="about:blank", background=True))
    except CDPError:
        return "none can be opened"
    session = await place.client.attach(created.target_id)
    await session.send(emulation.SetFocusEmulationEnabled(enabled=True))
    state = await session.send(runtime.Evaluate(expression="document.visibilityState"))
    await place.client.send(target.CloseTarget(target_id=created.target_id))
    return _yes(state.result.value == "visible")


async def intercepts_choosers(place: Place) -> str:
    """`Page.fileChooserOpened` with its element"""
    session = await place.shown("/plain")
    await session.send(page.SetInterceptFileChooserDialog(enabled=True))
    async with session.expect(page.FileChooserOpened, timeout=PATIENCE_S) as opening:
        await session.send(runtime.Evaluate(expression=_CHOOSER, user_gesture=True))
    node = opening.value.backend_node_id
    return _yes(node is not None and bool(await session.send(dom.DescribeNode(backend_node_id=node))))


async def announces_downloads(place: Place) -> str:
    """`Browser.downloadWillBegin`"""
    session = await place.shown("/plain")
    await place.client.send(browser.SetDownloadBehavior(behavior="default", events_enabled=True))
    async with place.client.root.expect(browser.DownloadWillBegin, timeout=PATIENCE_S):
        await session.send(runtime.Evaluate(expression=_LINK, user_gesture=True))
    return "yes"


async def shows_accessibility(place: Place) -> str:
    """`Accessibility.getFullAXTree`"""
    session = await place.first_page()
    return _yes(bool((await session.send(accessibility.GetFullAXTree())).nodes))


async def answers_pings(place: Place) -> str:
    """A websocket's ping is answered, or ends the connection"""
    async with connect_websocket(place.ws_url, ping_interval=None, proxy=None, compression=None) as websocket:
        try:
            await asyncio.wait_for(await websocket.ping(), PATIENCE_S)
        except ConnectionClosed:
            return "ends the connection"
    return "yes"


async def names_frames_of_dialogs(place: Place) -> str:
    """`frameId` of `Page.javascriptDialogOpening`"""
    session = await place.shown("/plain")
    return _yes(bool((await _opened(session)).frame_id))


async def lets_dialogs_be_answered(place: Place) -> str:
    """A dialog of the browser's own is answered by `Page.handleJavaScriptDialog`"""
    session = await place.shown("/plain")
    await _opened(session)
    async with session.expect(page.JavascriptDialogClosed, timeout=PATIENCE_S):
        await session.send(page.HandleJavaScriptDialog(accept=True))
    return "yes"


async def _opened(session: Session) -> page.JavascriptDialogOpening:
    async with session.expect(page.JavascriptDialogOpening, timeout=PATIENCE_S) as opening:
        _ = session.send_nowait(runtime.Evaluate(expression="alert('asked')"))
    return opening.value


CAPABILITIES: Mapping[str, Callable[[Place], Awaitable[str]]] = {
    ask.__doc__ or "": ask
    for ask in (
        evaluates,
        has_pages,
        opens_pages,
        makes_contexts,
        attaches_by_itself,
        isolates_frames,
        names_contexts,
        navigates_before_it_is_there,
        holds_requests,
        shows_background_pages,
        intercepts_choosers,
        announces_downloads,
        shows_accessibility,
        answers_pings,
        names_frames_of_dialogs,
        lets_dialogs_be_answered,
    )
}
"""The questions, by their sentence in the table. Each answers in a word, or fails: then it is `no`."""


async def measure(start: Callable[[], AbstractContextManager[Listening]]) -> dict[str, str]:
    """The answers of a browser, which is started anew for each question: some of them it does not survive."""
    answers: dict[str, str] = {}
    for sentence, ask in CAPABILITIES.items():
        with Sites() as sites, start() as running:
            sites.pages["/plain"] = "<!doctype html><link rel=icon href=data:,>"
            sites.pages["/frames"] = page_with_oopif(sites, "/plain")
            try:
                async with connect(running.ws_url, command_timeout=PATIENCE_S) as client:
                    answers[sentence] = await ask(Place(client, sites, running.ws_url))
            except (CDPError, TimeoutError, LookupError):
                answers[sentence] = "no"
    return answers
