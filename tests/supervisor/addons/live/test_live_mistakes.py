"""A mistake, ours or of a function that the caller gave, freezes no live view."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from starlette.websockets import WebSocket
from websockets import ClientConnection
from websockets.exceptions import ConnectionClosed

from supervisor.addons.live import Address, Approvals, LiveView, serve_live
from supervisor.addons.live import view as view_module
from supervisor.addons.live.approvals import Approval
from tests.supervisor.addons.live.conftest import PATIENCE_S, soon
from tests.supervisor.addons.live.test_live_door import feed, section
from tests.support.secrets import CANARY


@asynccontextmanager
async def viewer_of(view: LiveView) -> AsyncGenerator[ClientConnection]:
    async with (
        serve_live(view, Address(token=CANARY)) as url,
        feed(url) as viewer,
    ):
        yield viewer


async def test_a_view_that_failed_goes_on(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(view_module, "RETRY_S", 0.01)
    reads = itertools.count()

    class Failing(Approvals):
        @property
        def waiting(self) -> tuple[Approval, ...]:
            number = next(reads)
            if number == 1:
                raise ZeroDivisionError
            return (Approval("a-1", "browser_click", "{}", None, 0),) if number else ()

    async with viewer_of(LiveView(lambda: None, approvals=Failing())) as viewer:
        while not (asked := await section(viewer, "approvals")):
            pass

    assert [each["id"] for each in asked] == ["a-1"]
    assert "ZeroDivisionError" in caplog.text


async def test_a_viewer_to_whom_the_state_cannot_be_shown_leaves_the_view() -> None:
    class Failing(Approvals):
        @property
        def waiting(self) -> tuple[Approval, ...]:
            raise ZeroDivisionError

    view = LiveView(lambda: None, approvals=Failing())
    async with viewer_of(view) as viewer:
        await asyncio.wait_for(viewer.wait_closed(), PATIENCE_S)
        await soon(lambda: view.viewers == 0)


async def test_a_wish_that_fails_ends_no_viewer() -> None:
    class Failing(Approvals):
        def refuse(self, approval_id: str, words: str = "") -> None:
            raise ZeroDivisionError

    async with viewer_of(LiveView(lambda: None, approvals=Failing())) as viewer:
        for _ in range(2):
            await viewer.send('{"do": "refuse", "approvalId": "a-1"}')
            assert (await section(viewer, "notices"))[0]["text"] == "It failed (ZeroDivisionError)."


async def test_a_viewer_to_whom_nothing_can_be_sent_is_disconnected(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(self: WebSocket, text: str) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(WebSocket, "send_text", fail)
    async with viewer_of(LiveView(lambda: None)) as viewer:
        with pytest.raises(ConnectionClosed):
            await asyncio.wait_for(viewer.recv(), PATIENCE_S)
