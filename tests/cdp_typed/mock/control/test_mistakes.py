"""Errors of the test author that show only while the mock serves are raised when it ends."""

from __future__ import annotations

import json
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from cdp_typed.mock import PERSONALITIES, Missing, MockServer, NoSuchThing
from cdp_typed.protocol import browser, page, runtime, target

NOWHERE = Missing("params.nowhere")


async def call(socket: ClientConnection, number: int, method: str, **params: Any) -> None:
    """Send a call and wait for its answer."""
    await socket.send(json.dumps({"id": number, "method": method, "params": params}))
    while json.loads(await socket.recv()).get("id") != number:
        pass


async def test_a_reply_that_raises_is_told_with_the_call(no_leaks: None) -> None:
    def fail(params: dict[str, Any]) -> dict[str, Any]:
        raise ZeroDivisionError("never")

    mock = await MockServer().__aenter__()
    mock.browser.on(browser.GetVersion, fail)
    async with connect(mock.url) as socket:
        with pytest.raises(ConnectionClosed, match="1008"):
            await call(socket, 7, "Browser.getVersion")

    with pytest.raises(ZeroDivisionError, match="never") as caught:
        await mock.__aexit__(None, None, None)
    call_text = '{"id": 7, "method": "Browser.getVersion", "params": {}}'
    assert caught.value.__notes__ == [f"cdp_typed.mock: while it handled {call_text}"]


async def test_an_error_of_the_test_itself_goes_first(no_leaks: None) -> None:
    mock = await MockServer().__aenter__()
    mock.browser.fault(browser.GetVersion, Missing("result.nowhere"))
    async with connect(mock.url) as socket:
        with pytest.raises(ConnectionClosed):
            await call(socket, 1, "Browser.getVersion")

    await mock.__aexit__(AssertionError, AssertionError(), None)


async def test_a_timer_that_goes_wrong_is_told(no_leaks: None) -> None:
    mock = await MockServer().__aenter__()
    mock.browser.fault(runtime.ConsoleAPICalled, NOWHERE)
    async with connect(f"ws://{mock.address}/devtools/page/{mock.browser.pages[0].id}") as socket:
        await call(socket, 1, "Runtime.enable")
        await call(socket, 2, "Page.enable")
        # The second timer begins with the first one's end. No call meanwhile: it would let a timer fire that is due.
        script = "setTimeout(() => { console.log('late'); setTimeout(() => alert('later'), 1) }, 1)"
        await socket.send(json.dumps({"id": 3, "method": "Runtime.evaluate", "params": {"expression": script}}))
        while json.loads(await socket.recv()).get("method") != "Page.javascriptDialogOpening":
            pass

    with pytest.raises(NoSuchThing) as caught:
        await mock.__aexit__(None, None, None)
    assert caught.value.__notes__ == ["cdp_typed.mock: while a timer of a page fired"]


async def test_a_farewell_that_goes_wrong_is_told(no_leaks: None) -> None:
    mock = await MockServer().__aenter__()
    async with connect(mock.url) as watching:
        await call(watching, 1, "Target.setDiscoverTargets", discover=True)
        async with connect(mock.url) as leaving:
            await call(leaving, 1, "Target.attachToTarget", targetId=mock.browser.pages[0].id, flatten=True)
            mock.browser.fault(target.TargetInfoChanged, NOWHERE)

    with pytest.raises(NoSuchThing) as caught:
        await mock.__aexit__(None, None, None)
    assert caught.value.__notes__ == ["cdp_typed.mock: while a client left"]


async def test_a_dismissal_that_goes_wrong_is_told(no_leaks: None) -> None:
    mock = await MockServer(personality=PERSONALITIES["proxy_answers_dialogs"]).__aenter__()
    mock.browser.fault(page.JavascriptDialogClosed, NOWHERE)
    async with connect(f"ws://{mock.address}/devtools/page/{mock.browser.pages[0].id}") as socket:
        await call(socket, 1, "Page.enable")
        await socket.send('{"id": 2, "method": "Runtime.evaluate", "params": {"expression": "alert()"}}')
        await call(socket, 3, "Target.getTargets")
        while mock.browser.dialogs:
            await call(socket, 4, "Target.getTargets")

    with pytest.raises(NoSuchThing) as caught:
        await mock.__aexit__(None, None, None)
    assert caught.value.__notes__ == ["cdp_typed.mock: while it dismissed a dialog"]
