"""The bindings against a real Chromium on a page that has nearly everything: each result and each event decodes."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from typing import Any, TypeVar

import pytest
from msgspec.structs import fields
from websockets.asyncio.server import ServerConnection, serve

from cdp_typed import Command, CommandError, Connection, Event, SchemaDrift, Session, connect
from cdp_typed.client.channel import Channel
from cdp_typed.endpoint.discovery import fetch_protocol
from cdp_typed.protocol import (
    accessibility,
    animation,
    bluetooth_emulation,
    browser,
    cache_storage,
    css,
    debugger,
    dom,
    dom_debugger,
    dom_snapshot,
    dom_storage,
    emulation,
    fetch,
    indexed_db,
    io,
    network,
    overlay,
    page,
    performance_timeline,
    profiler,
    registry,
    runtime,
    storage,
    target,
    tracing,
)
from cdp_typed.schema import load_schema, parse_schema
from cdp_typed.schema.diff import compare
from tests.cdp_typed.protocol.rich_page import furnish
from tests.support.browsers import LaunchBrowser
from tests.support.servers.sites import Sites

pytestmark = pytest.mark.timeout(120)

R = TypeVar("R")

NOT_IN_THIS_BUILD = {"HeadlessExperimental": "of the old headless mode", "SmartCardEmulation": "of ChromeOS"}
"""Domains whose `enable` this Chromium does not have."""

ENABLED_WITH_PARAMETERS: tuple[Command[Any], ...] = (
    fetch.Enable(patterns=[fetch.RequestPattern(url_pattern="*/fetched")]),
    performance_timeline.Enable(event_types=["largest-contentful-paint", "layout-shift"]),
    bluetooth_emulation.Enable(state="powered-on", le_supported=True),
)

UNSUITABLE = {
    "Browser.close": "ends the browser",
    "Browser.crash": "ends the browser",
    "Browser.crashGpuProcess": "makes screenshots fail for a while",
    "Debugger.pause": "stops the page",
    "Fetch.enable": "without patterns it stops every request",
    "Memory.getDOMCountersForLeakDetection": "waits for prepareForLeakDetection",
    "Memory.prepareForLeakDetection": "never answered, and nothing is after it",
    "Page.close": "ends the page",
    "Page.crash": "ends the page",
    "Page.reload": "ends the document",
    "Page.waitForDebugger": "stops the page",
    "Runtime.terminateExecution": "ends whatever runs next",
    "Tracing.end": "is sent in its place, after Tracing.start",
    "Tracing.start": "is sent with parameters",
}
"""Commands without required parameters that the sweep leaves out."""


async def echo(socket: ServerConnection) -> None:
    async for message in socket:
        await socket.send(message)


class Conversation:
    """Commands sent, answers counted, and every event of every session heard and decoded."""

    def __init__(self, connection: Connection, tab: Session, http_url: str) -> None:
        self.connection = connection
        self.http_url = http_url
        self.tab = tab
        self.answered: set[str] = set()
        self.events: set[str] = set()
        connection.listen(self._hear)

    async def ask(self, command: Command[R], on: Channel | None = None) -> R:
        """Send a command that has to succeed."""
        result = await (on or self.tab).send(command, timeout=30)
        self.answered.add(command.METHOD)
        return result

    async def offer(self, command: Command[Any]) -> bool:
        """Send a command to the page, or else to the browser; whether one of them could do it."""
        for channel in (self.tab, self.connection.root):
            try:
                await self.ask(command, channel)
            except CommandError:
                continue
            return True
        return False

    def _hear(self, session_id: str | None, event: Event) -> None:
        self.events.add(event.METHOD)
        match event:
            case target.AttachedToTarget():
                for command in (runtime.Enable(), network.Enable(), page.Enable()):
                    _ = self.connection.send_nowait(command, session_id=event.session_id)
            case page.JavascriptDialogOpening():
                answer = page.HandleJavaScriptDialog(accept=True)
                _ = self.connection.send_nowait(answer, session_id=session_id)
            case fetch.RequestPaused():
                proceed = fetch.ContinueRequest(request_id=event.request_id)
                _ = self.connection.send_nowait(proceed, session_id=session_id)
            case _:
                pass


@pytest.fixture
async def conversation(no_leaks: None, chromium_factory: LaunchBrowser) -> AsyncGenerator[Conversation]:
    http_url = chromium_factory().http_url
    async with connect(http_url) as connection, connection.new_page() as tab:
        yield Conversation(connection, tab, http_url)


async def enable_everything(talk: Conversation) -> set[str]:
    """Enable every domain; return those that could not be enabled."""
    with_parameters = {command.METHOD: command for command in ENABLED_WITH_PARAMETERS}
    enables = [method for method in registry.COMMANDS if method.endswith(".enable")]
    missing: set[str] = set()
    # CSS and Overlay require that DOM is enabled first.
    for method in sorted(enables, key=lambda method: not method.startswith("DOM.")):
        command = with_parameters[method] if method in with_parameters else registry.command_class(method)()
        if not await talk.offer(command):
            missing.add(method.partition(".")[0])
    return missing


async def sweep(talk: Conversation) -> None:
    """Every command that needs no parameters, those that end something last; a refusal is an answer, too."""
    bare = [
        method
        for method in registry.COMMANDS
        if method not in UNSUITABLE
        and not method.endswith(".enable")
        and not any(field.required for field in fields(registry.command_class(method)))
    ]
    for method in sorted(bare, key=lambda method: method.endswith((".disable", ".stop"))):
        await talk.offer(registry.command_class(method)())


async def ask_about_the_document(talk: Conversation) -> None:
    root = (await talk.ask(dom.GetDocument(depth=-1, pierce=True))).root
    heading = await talk.ask(dom.QuerySelector(node_id=root.node_id, selector="#title"))
    node = heading.node_id
    await talk.ask(dom.QuerySelectorAll(node_id=root.node_id, selector="li"))
    await talk.ask(dom.DescribeNode(node_id=node, depth=-1))
    await talk.ask(dom.GetAttributes(node_id=node))
    await talk.ask(dom.SetAttributeValue(node_id=node, name="data-seen", value="yes"))
    await talk.ask(dom.GetBoxModel(node_id=node))
    await talk.ask(dom.GetContentQuads(node_id=node))
    await talk.ask(dom.GetOuterHTML(node_id=node))
    await talk.ask(dom.ScrollIntoViewIfNeeded(node_id=node))
    await talk.ask(dom.GetNodeForLocation(x=20, y=20))
    search = await talk.ask(dom.PerformSearch(query="li"))
    await talk.ask(dom.GetSearchResults(search_id=search.search_id, from_index=0, to_index=search.result_count))
    await talk.ask(dom.DiscardSearchResults(search_id=search.search_id))
    resolved = await talk.ask(dom.ResolveNode(node_id=node))
    assert resolved.object.object_id is not None
    await talk.ask(dom_debugger.GetEventListeners(object_id=resolved.object.object_id))
    await talk.ask(css.GetComputedStyleForNode(node_id=node))
    await talk.ask(css.GetMatchedStylesForNode(node_id=node))
    await talk.ask(css.GetInlineStylesForNode(node_id=node))
    await talk.ask(css.GetPlatformFontsForNode(node_id=node))
    await talk.ask(css.GetBackgroundColors(node_id=node))
    await talk.ask(css.ForcePseudoState(node_id=node, forced_pseudo_classes=["hover"]))
    await talk.ask(accessibility.GetPartialAXTree(node_id=node))
    await talk.ask(accessibility.QueryAXTree(node_id=node, role="heading"))
    await talk.ask(dom_snapshot.CaptureSnapshot(computed_styles=["color"], include_paint_order=True))
    await talk.ask(overlay.HighlightNode(highlight_config=overlay.HighlightConfig(show_info=True), node_id=node))
    await talk.ask(dom.SetInspectedNode(node_id=node))
    await talk.ask(dom.RequestChildNodes(node_id=root.node_id, depth=2))


async def ask_about_the_script(talk: Conversation) -> None:
    evaluated = await talk.ask(runtime.Evaluate(expression="({a: 1, f: window.named})", generate_preview=True))
    object_id = evaluated.result.object_id
    assert object_id is not None
    await talk.ask(runtime.GetProperties(object_id=object_id, own_properties=True))
    await talk.ask(runtime.CallFunctionOn(function_declaration="function() { return this.a }", object_id=object_id))
    failed = await talk.ask(runtime.Evaluate(expression="throw new RangeError('no')"))
    assert failed.exception_details is not None
    compiled = await talk.ask(runtime.CompileScript(expression="1+1", source_url="own.js", persist_script=True))
    assert compiled.script_id is not None
    await talk.ask(runtime.RunScript(script_id=compiled.script_id))
    await talk.ask(runtime.AddBinding(name="tell"))
    await talk.ask(runtime.Evaluate(expression="tell('it')"))
    await talk.ask(debugger.GetScriptSource(script_id=compiled.script_id))
    await talk.ask(debugger.SearchInContent(script_id=compiled.script_id, query="1"))
    await talk.ask(debugger.SetBreakpointsActive(active=True))
    await talk.ask(debugger.SetPauseOnExceptions(state="none"))
    async with talk.tab.expect(debugger.Paused, timeout=10) as paused:
        stopped = talk.tab.send_nowait(
            runtime.Evaluate(expression="(() => { const inside = 1; debugger; return 7 })()")
        )
    frame = paused.value.call_frames[0]
    await talk.ask(debugger.EvaluateOnCallFrame(call_frame_id=frame.call_frame_id, expression="inside"))
    await talk.ask(debugger.Resume())
    assert (await stopped).result.value == 7
    await talk.ask(runtime.ReleaseObject(object_id=object_id))
    await talk.ask(runtime.ReleaseObjectGroup(object_group="console"))
    await talk.ask(profiler.SetSamplingInterval(interval=1000))
    await talk.ask(profiler.StartPreciseCoverage(call_count=True, detailed=True))


async def ask_about_storage(talk: Conversation, origin: str) -> None:
    await talk.ask(network.SetCookie(name="made", value="here", url=origin))
    await talk.ask(network.GetCookies(urls=[origin]))
    await talk.ask(storage.GetUsageAndQuota(origin=origin))
    frame = (await talk.ask(page.GetFrameTree())).frame_tree.frame
    key = (await talk.ask(storage.GetStorageKey(frame_id=frame.id))).storage_key
    local = dom_storage.StorageId(storage_key=dom_storage.SerializedStorageKey(key), is_local_storage=True)
    await talk.ask(dom_storage.GetDOMStorageItems(storage_id=local))
    await talk.ask(dom_storage.SetDOMStorageItem(storage_id=local, key="new", value="3"))
    names = await talk.ask(indexed_db.RequestDatabaseNames(security_origin=origin))
    assert names.database_names == ("books",)
    await talk.ask(indexed_db.RequestDatabase(security_origin=origin, database_name="books"))
    rows = indexed_db.RequestData(
        security_origin=origin, database_name="books", object_store_name="pages", skip_count=0, page_size=10
    )
    assert len((await talk.ask(rows)).object_store_data_entries) == 1
    (cache,) = (await talk.ask(cache_storage.RequestCacheNames(security_origin=origin))).caches
    await talk.ask(cache_storage.RequestEntries(cache_id=cache.cache_id))
    await talk.ask(
        cache_storage.RequestCachedResponse(cache_id=cache.cache_id, request_url="/kept", request_headers=[])
    )


async def ask_about_the_page(talk: Conversation) -> None:
    tree = (await talk.ask(page.GetFrameTree())).frame_tree
    await talk.ask(page.GetPermissionsPolicyState(frame_id=tree.frame.id))
    await talk.ask(page.CreateIsolatedWorld(frame_id=tree.frame.id, world_name="apart"))
    await talk.ask(page.AddScriptToEvaluateOnNewDocument(source="window.early = 1"))
    await talk.ask(page.CaptureScreenshot(format="jpeg", quality=10))
    await talk.ask(page.CaptureSnapshot())
    await talk.ask(page.SetLifecycleEventsEnabled(enabled=True))
    await talk.ask(emulation.SetDeviceMetricsOverride(width=400, height=300, device_scale_factor=1, mobile=False))
    await talk.ask(emulation.SetUserAgentOverride(user_agent="conformance"))
    await talk.ask(emulation.SetTimezoneOverride(timezone_id="Europe/Zurich"))
    await talk.ask(animation.SetPlaybackRate(playback_rate=1))
    await talk.ask(target.GetTargetInfo(target_id=talk.tab.target_id))
    await talk.ask(target.SetDiscoverTargets(discover=True), talk.connection.root)
    await talk.ask(browser.GetHistograms(query="Net."), talk.connection.root)
    config = tracing.TraceConfig(included_categories=["v8"])
    await talk.ask(tracing.Start(trace_config=config, transfer_mode="ReturnAsStream"), talk.connection.root)
    async with talk.connection.root.expect(tracing.TracingComplete, timeout=10) as complete:
        await talk.ask(tracing.End(), talk.connection.root)
    stream = complete.value.stream
    assert stream is not None
    await talk.ask(io.Read(handle=stream, size=1000), talk.connection.root)
    await talk.ask(io.Close(handle=stream), talk.connection.root)


async def drift_by_age(http_url: str, drifts: Iterable[SchemaDrift]) -> list[SchemaDrift]:
    """The drifts that the browser's own schema foretells, because it is older than ours: fields and enum values."""
    differences = compare(load_schema(), parse_schema(await fetch_protocol(http_url)))
    lacking = {
        (difference.name.partition(".")[0], difference.name.rpartition(".")[2])
        for difference in differences
        if difference.change == "removed" and difference.level in ("parameter", "result", "property")
    }
    dropped = {
        (difference.name.partition(".")[0], repr(difference.detail))
        for difference in differences
        if difference.change == "added" and difference.level == "value"
    }

    def is_foretold(drift: SchemaDrift) -> bool:
        domain, name = drift.method.partition(".")[0], drift.path.rpartition(".")[2]
        if drift.got == "nothing":
            return (domain, name) in lacking
        return drift.expected.startswith("one of ") and (domain, drift.got) in dropped

    return [drift for drift in drifts if is_foretold(drift)]


async def test_every_result_and_event_of_a_rich_page_decodes(conversation: Conversation, sites: Sites) -> None:
    talk = conversation
    async with serve(echo, "127.0.0.1", 0, compression=None) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        url = furnish(sites, f"ws://localhost:{port}/")
        missing = await enable_everything(talk)
        await talk.ask(target.SetAutoAttach(auto_attach=True, wait_for_debugger_on_start=False, flatten=True))
        async with talk.tab.expect(page.LoadEventFired, timeout=20):
            await talk.ask(page.Navigate(url=url))
        loaded = await talk.ask(
            runtime.Evaluate(expression="window.finished", await_promise=True, return_by_value=True)
        )
        await ask_about_the_document(talk)
        await ask_about_the_script(talk)
        await ask_about_storage(talk, url.rstrip("/"))
        await ask_about_the_page(talk)
        await sweep(talk)

        foretold = await drift_by_age(talk.http_url, talk.connection.drift)

    steps = ["worker", "shared worker", "service worker", "socket", "frames", "fetch", "missing", "cache", "database"]
    counters = talk.connection.counters
    assert loaded.result.value == steps
    assert missing == set(NOT_IN_THIS_BUILD)
    assert len(talk.answered) >= 120
    assert (counters.malformed, counters.unknown_events, counters.handler_errors, counters.warnings) == (0, 0, 0, 0)
    assert len(talk.events) >= 60
    assert talk.connection.drift == tuple(foretold)
