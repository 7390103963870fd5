"""The commands that foreign clients rely on, compared with real Chromium as in `test_against_chromium`."""

from __future__ import annotations

import pytest

from cdp_typed.launch import LaunchedBrowser
from tests.cdp_typed.mock.test_against_chromium import Script, Wire, attach_oopif, compare, evaluate, navigate
from tests.support.servers.sites import Sites


async def functions_on_objects(wire: Wire, page: str, sites: Sites) -> None:
    shown = await wire.result("Runtime.evaluate", {"expression": "({a: 1, b: [2]})"}, page)
    held = shown["result"]["objectId"]
    for params in (
        {"functionDeclaration": "function(){ return this.a }", "objectId": held},
        {"functionDeclaration": "(x, y) => x + y", "objectId": held, "arguments": [{"value": 1}, {"value": 2}]},
        {"functionDeclaration": "(x) => x.a", "objectId": held, "arguments": [{"objectId": held}]},
        {"functionDeclaration": "(x) => typeof x", "objectId": held, "arguments": [{"unserializableValue": "NaN"}]},
        {"functionDeclaration": "() => { return }", "objectId": held},
        {"functionDeclaration": "(x) => x", "objectId": "zz"},
        {"functionDeclaration": "(x) => x", "objectId": "1.77777.3"},
        {"functionDeclaration": "1", "objectId": held},
    ):
        await wire.answer("Runtime.callFunctionOn", {**params, "returnByValue": True}, page)
    for _ in range(2):
        await wire.answer("Runtime.releaseObject", {"objectId": held}, page)
    await wire.answer("Runtime.callFunctionOn", {"functionDeclaration": "() => 1", "objectId": held}, page)


async def scripts_in_new_documents(wire: Wire, page: str, sites: Sites) -> None:
    add = "Page.addScriptToEvaluateOnNewDocument"
    await wire.result(add, {"source": "console.log('new')", "worldName": "mine"}, page)
    await wire.result(add, {"source": "window.early = 1"}, page)
    await navigate(wire, page, sites.local("/child"))
    await wire.until("page Page.frameStoppedLoading top")
    await evaluate(wire, page, "early")
    await wire.until("page reply to Runtime.evaluate = 1")
    for identifier in ("1", "1"):
        await wire.answer("Page.removeScriptToEvaluateOnNewDocument", {"identifier": identifier}, page)


async def owners_of_frames(wire: Wire, page: str, sites: Sites) -> None:
    session = await attach_oopif(wire, page, sites)
    wire.clear()
    far = next(frame for frame, name in wire.frames.items() if name == "frame")
    for frame, asked in ((wire.target, page), ("NOPE", page), (far, session), (wire.target, session)):
        await wire.answer("DOM.getFrameOwner", {"frameId": frame}, asked)
    reply = await wire.answer("DOM.getFrameOwner", {"frameId": far}, page)
    node = (await wire.result("DOM.describeNode", reply["result"], page))["node"]
    assert (node.pop("backendNodeId"), node.pop("frameId")) == (reply["result"]["backendNodeId"], far)
    given = node.pop("attributes")
    attributes = {"id": "", **dict(zip(given[::2], given[1::2], strict=True))}
    del attributes["id"]  # The mock's iframes have none.
    wire.lines.append(f"page {sorted(node.items())} {sorted(attributes.items())}")


async def discarded_entries(wire: Wire, page: str, sites: Sites) -> None:
    await evaluate(wire, page, "console.log('before')")
    await wire.until("page reply to Runtime.evaluate = undefined")
    for method in ("Runtime.discardConsoleEntries", "Runtime.disable", "Runtime.enable"):
        await wire.answer(method, {}, page)


@pytest.mark.parametrize(
    "script",
    [functions_on_objects, scripts_in_new_documents, owners_of_frames, discarded_entries],
    ids=lambda script: script.__name__,
)
async def test_the_mock_does_for_clients_what_chromium_does(
    script: Script, chromium: LaunchedBrowser, sites: Sites
) -> None:
    await compare(script, chromium, sites)
