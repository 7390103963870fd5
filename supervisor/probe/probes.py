"""Probes a browser for each capability, in its own page."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager, nullcontext, suppress
from urllib.parse import urlsplit

from msgspec.structs import replace

from cdp_typed import Connection, Session, connect
from cdp_typed.errors import CDPError, EndpointError
from cdp_typed.loop_thread import LOOP_THREAD
from cdp_typed.protocol import fetch, page, target
from cdp_typed.protocol.browser import GetVersion
from cdp_typed.wire.base64_fields import base64_text
from supervisor.aio import AsyncSupervisor
from supervisor.config import Config
from supervisor.core.vocabulary.chromium import LACKS
from supervisor.core.vocabulary.errors import DialogError, UnsupportedByBrowser
from supervisor.core.vocabulary.values import BridgeMode, FrameInfo, SupervisorSnapshot
from supervisor.driver.connecting import open_connection

from .matrix import CAPABILITIES, Row

TOP = "http://top.cdp-probe-one.invalid/"
INNER = "http://inner.cdp-probe-two.invalid/"
INNER_TITLE = "inner"

HTML = {
    TOP: f'<!doctype html><title>top</title><iframe name="inner" src="{INNER}"></iframe>',
    INNER: f"<!doctype html><title>{INNER_TITLE}</title>",
}


def answer_to(event: fetch.RequestPaused) -> fetch.FulfillRequest:
    """One of the two pages. Without a content type, QtWebEngine 6.8 and Chrome 83 wait for more, and never navigate."""
    return fetch.FulfillRequest(
        request_id=event.request_id,
        response_code=200,
        response_headers=[fetch.HeaderEntry(name="Content-Type", value="text/html")],
        body=base64_text(HTML.get(event.request.url, "").encode()),
    )


@asynccontextmanager
async def served(tab: Session) -> AsyncGenerator[str]:
    """Answer the tab's requests for the two pages (`Fetch.fulfillRequest`). Raises `CommandError` where that is not
    allowed. Yields the address of the top one."""
    async with tab.events(fetch.RequestPaused) as paused:

        async def answer() -> None:
            async for event in paused:
                await tab.send(answer_to(event))

        patterns = [fetch.RequestPattern(url_pattern=f"{url}*") for url in HTML]
        await tab.send(fetch.Enable(patterns=patterns))
        answering = asyncio.create_task(answer())
        try:
            yield TOP
        finally:
            answering.cancel()
            with suppress(asyncio.CancelledError, CDPError):
                await answering


STEP_S = 5.0
"""So long each answer is waited for."""
STAYS_S = 1.0
"""A dialog that is open after so long is taken for one that stays."""

QT_WEBENGINE = "qt/"
"""The product in `Browser.getVersion` of every QtWebEngine."""

_LATER = "setTimeout(() => confirm('cdp-agent doctor'), 0)"


async def probe(
    config: Config, *, page_url: str | None = None, on_consent: Callable[[str], object] | None = None
) -> tuple[Row, ...]:
    """One row for each of `CAPABILITIES`, for the browser of these settings.

    Pages are opened for it, and closed again; where none can be opened, the page that is there is used, and navigated
    back in the end. `page_url` is a page with a cross-origin iframe that the browser can reach; without it, two pages
    come through Fetch. `on_consent` is called when a person has to allow the connection. Raises `EndpointError` when
    there is no browser.
    """
    LOOP_THREAD.acquire()
    try:
        return await LOOP_THREAD.hop(_probe(config, page_url, on_consent))
    finally:
        LOOP_THREAD.release()


async def _probe(config: Config, page_url: str | None, on_consent: Callable[[str], object] | None) -> tuple[Row, ...]:
    opening = connect(
        config.cdp_url,
        command_timeout=STEP_S,
        headers=config.headers,
        proxy=config.proxy,
        ssl=config.ssl,
        on_consent=on_consent,
    )
    async with aclosing(await open_connection(opening)) as opened:
        browser, shared = opened.connection, opened.config_of_others(config)
        rows = [await _auto_attach(browser), *await _tab(browser)]
        try:
            async with _supervised_page(shared, "never") as (supervisor, target_id):
                rows += await _boxed(browser) or await _dialogs(supervisor)
                rows += await _frames(supervisor, await browser.attach(target.TargetID(target_id)), page_url)
                rows += [_learned(supervisor, name) for name in ("unique_context", "focus_emulation")]
            async with _supervised_page(shared, "always") as (supervisor, _):
                rows.append(await _bridge(supervisor))
        except EndpointError:
            raise
        except (CDPError, TimeoutError) as error:
            known = {row.capability for row in rows}
            why = f"the supervisor cannot work here: {str(error) or 'no answer'}"
            rows += [_row(name, False, why) for name in CAPABILITIES if name not in known]
    order = list(CAPABILITIES)
    return tuple(sorted(rows, key=lambda row: order.index(row.capability)))


@asynccontextmanager
async def _supervised_page(config: Config, bridge: BridgeMode) -> AsyncGenerator[tuple[AsyncSupervisor, str]]:
    settings = replace(config, scope="own", dialog_bridge=bridge, call_timeout_s=STEP_S, reconnect_attempts=0)
    try:
        supervisor = await AsyncSupervisor.from_config(settings).start()
    except UnsupportedByBrowser as error:
        if error.method != target.CreateTarget.METHOD:
            raise
        async with _borrowed_page(replace(settings, scope="browser")) as borrowed:
            yield borrowed
        return
    async with supervisor:
        ready = await supervisor.wait_for(lambda now: any(page.status == "ok" for page in now.pages))
        try:
            yield supervisor, ready.pages[0].target_id
        finally:
            with suppress(CDPError):
                await supervisor.send(page.Close())


@asynccontextmanager
async def _borrowed_page(config: Config) -> AsyncGenerator[tuple[AsyncSupervisor, str]]:
    async with AsyncSupervisor.from_config(config) as supervisor:
        ready = await supervisor.wait_for(lambda now: any(page.status == "ok" for page in now.pages))
        there = next(page for page in ready.pages if page.is_current)
        await supervisor.select_page(there.target_id)
        try:
            yield supervisor, there.target_id
        finally:
            with suppress(CDPError):
                await supervisor.navigate(there.url or "about:blank")


async def _auto_attach(browser: Connection) -> Row:
    try:
        for wanted in (True, False):
            await browser.send(target.SetAutoAttach(auto_attach=wanted, wait_for_debugger_on_start=False, flatten=True))
    except CDPError as error:
        return _row("auto_attach", False, str(error))
    return _row("auto_attach", True, "Target.setAutoAttach is accepted")


async def _tab(browser: Connection) -> list[Row]:
    """Probe whether a page can be opened, and its requests answered."""
    try:
        async with browser.new_page() as tab:
            return [_row("open_page", True, "Target.createTarget opened one"), await _fetch(tab)]
    except CDPError as error:
        opens = _row("open_page", False, str(error))
    try:
        infos = (await browser.send(target.GetTargets())).target_infos
        there = next(info for info in infos if info.type == "page")
        tab = await browser.attach(there.target_id)
    except (CDPError, StopIteration) as error:
        return [opens, _row("fetch", None, str(error) or "there is no page")]
    try:
        return [opens, await _fetch(tab)]
    finally:
        with suppress(CDPError, TimeoutError):
            await tab.send(page.Navigate(url=there.url or "about:blank"))


async def _fetch(tab: Session) -> Row:
    try:
        async with tab.expect(fetch.RequestPaused, timeout=STEP_S) as held:
            await tab.send(fetch.Enable(patterns=[fetch.RequestPattern(url_pattern=f"{INNER}*")]))
            going = tab.send_nowait(page.Navigate(url=INNER))
        event = await held
        await tab.send(answer_to(event))
        await going
        await tab.send(fetch.Disable())
    except (CDPError, TimeoutError) as error:
        return _row("fetch", False, str(error))
    return _row("fetch", True, "a request was held and answered")


async def _boxed(browser: Connection) -> list[Row]:
    """Nothing is asked where a dialog would freeze the whole program until a person closes its box."""
    product = (await browser.send(GetVersion())).product
    if not product.startswith(QT_WEBENGINE):
        return []
    why = "not tried: QtWebEngine shows its own box, and answers nothing until a person closes it"
    return [_row(name, None, why) for name in CAPABILITIES if name.startswith("dialog_")]


def _learned(supervisor: AsyncSupervisor, name: str) -> Row:
    """Return the capabilities that the supervisor saw by itself."""
    lacks = [text for text in supervisor.snapshot().lacks if text == LACKS[name]]
    return _row(name, not lacks, lacks[0] if lacks else "the supervisor saw it work")


async def _dialogs(supervisor: AsyncSupervisor) -> list[Row]:
    """One dialog that is left alone for a while, and then answered."""
    await supervisor.evaluate(_LATER)
    try:
        await supervisor.wait_for(lambda now: bool(now.pending_dialogs or now.recent_dialogs), timeout_s=STEP_S)
    except TimeoutError:
        others = ("dialog_frame", "dialog_stays", "dialog_respond")
        unknown = [_row(name, None, "no dialog was seen") for name in others]
        return [_row("dialog_detect", False, f"no dialog was reported within {STEP_S:g} s"), *unknown]
    detected = _row("dialog_detect", True, "Page.javascriptDialogOpening came")
    framed = _learned(supervisor, "dialog_frame")
    try:
        after = await supervisor.wait_for(lambda now: bool(now.recent_dialogs), timeout_s=STAYS_S)
    except TimeoutError:
        stays = _row("dialog_stays", True, f"it was open for {STAYS_S:g} s")
        return [detected, framed, stays, await _responds(supervisor)]
    closed = after.recent_dialogs[-1]
    took_ms = round((closed.closed_at - closed.opened_at) * 1000, 1)
    how = f"{'accepted' if closed.accepted else 'dismissed'} by another client after {took_ms:g} ms"
    stays = Row(capability="dialog_stays", works=False, detail=how, took_ms=took_ms)
    return [detected, framed, stays, _row("dialog_respond", False, "another client answers first")]


async def _responds(supervisor: AsyncSupervisor) -> Row:
    try:
        receipt = await supervisor.respond_to_dialog("accept")
    except CDPError as error:
        return _row("dialog_respond", False, str(error))
    return _row("dialog_respond", receipt.closed_by == "agent", f"closed by {receipt.closed_by}")


async def _bridge(supervisor: AsyncSupervisor) -> Row:
    try:
        await supervisor.navigate("about:blank")  # a document that is newer than the bridge
        await supervisor.evaluate(_LATER)
        seen = await supervisor.wait_for(lambda now: bool(now.pending_dialogs or now.recent_dialogs))
        bridged = any(dialog.bridged for dialog in seen.pending_dialogs)
        with suppress(DialogError):  # where it came natively, another client may have answered first
            await supervisor.respond_to_dialog("accept")
    except (CDPError, TimeoutError) as error:
        return _row("bridge", False, str(error) or f"no dialog was seen within {STEP_S:g} s")
    return _row("bridge", bridged, "the page asked the supervisor" if bridged else "the dialog came natively")


async def _frames(supervisor: AsyncSupervisor, tab: Session, page_url: str | None) -> list[Row]:
    try:
        async with _page_of(tab, page_url) as url:
            await supervisor.send(page.Navigate(url=url))
            reported = await supervisor.wait_for(lambda now: _foreign_frame(now) is not None, timeout_s=STEP_S)
            frame = _foreign_frame(reported)
            assert frame is not None
            kind = "an out-of-process iframe" if frame.is_oopif else "an iframe in the page's own process"
            return [_row("frame_tree", True, kind), await _evaluates(supervisor, frame)]
    except (CDPError, TimeoutError) as error:
        why = str(error) or f"no cross-origin iframe was reported within {STEP_S:g} s"
        return [_row("frame_tree", False, why), _row("oopif_evaluate", None, "no frame to ask")]


async def _evaluates(supervisor: AsyncSupervisor, frame: FrameInfo) -> Row:
    try:
        done = await supervisor.evaluate("location.href", frame.frame_id)
    except CDPError as error:
        return _row("oopif_evaluate", False, str(error))
    return _row("oopif_evaluate", frame.is_oopif and done.value == frame.url, "it ran in the frame's own document")


def _foreign_frame(now: SupervisorSnapshot) -> FrameInfo | None:
    top = now.frame_tree.top
    host = urlsplit(top.url).hostname if top else None
    foreign = (frame for frame in now.frame_tree.children if urlsplit(frame.url).hostname not in (host, None))
    return next((frame for frame in foreign if not frame.is_loading), None)


def _page_of(tab: Session, page_url: str | None) -> AbstractAsyncContextManager[str]:
    """The page to go to, for as long as it can be had."""
    return served(tab) if page_url is None else nullcontext(page_url)


def _row(capability: str, works: bool | None, detail: str) -> Row:
    return Row(capability=capability, works=works, detail=detail)
