"""`Connection.new_page`, over a wire in memory that answers like a browser."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cdp_typed import Connection
from cdp_typed.errors import CommandError, CommandTimeout, ConnectionLost
from tests.cdp_typed.client.conftest import begun
from tests.support.wires.memory_wire import MemoryWire

pytestmark = pytest.mark.usefixtures("no_leaks")


class _Browser(MemoryWire):
    """Answers what `new_page` sends, but for the methods in `mute`; those in `refuse` with an error.

    A page that is closed is there for `looks` more looks.
    """

    def __init__(
        self, *, mute: frozenset[str] = frozenset(), refuse: frozenset[str] = frozenset(), looks: int = 0
    ) -> None:
        super().__init__()
        self.looks = looks
        self.mute = mute
        self.refuse = refuse

    def send(self, data: bytes) -> None:
        super().send(data)
        command: dict[str, Any] = self.sent[-1]
        match command["method"]:
            case method if method in self.mute:
                pass
            case method if method in self.refuse:
                self.feed({"id": command["id"], "error": {"code": -32602, "message": "No target with given id found"}})
            case "Target.createTarget":
                self.reply({"targetId": "T"})
            case "Target.attachToTarget":
                self.attach("P", target="T")
                self.reply({"sessionId": "P"})
            case "Target.detachFromTarget":
                self.detach("P")
                self.reply()
            case "Target.getTargetInfo" if self.looks > 0:
                self.looks -= 1
                self.reply({"targetInfo": {}})
            case "Target.getTargetInfo":
                self.feed({"id": command["id"], "error": {"code": -32602, "message": "No target with given id found"}})
            case _:
                self.reply({"success": True})

    @property
    def methods(self) -> list[str]:
        return [message["method"].removeprefix("Target.") for message in self.sent]


CLOSED = ["createTarget", "attachToTarget", "Page.getFrameTree", "detachFromTarget", "closeTarget"]


async def test_a_page_is_detached_closed_and_gone_at_the_end_of_its_block() -> None:
    wire = _Browser(looks=3)
    async with Connection(wire) as browser, browser.new_page("http://a/") as tab:
        assert (tab.session_id, tab.target_id) == ("P", "T")
        assert wire.sent[0]["params"] == {"url": "http://a/"}

    closed = ["createTarget", "attachToTarget", "detachFromTarget", "closeTarget"]
    assert wire.methods == [*closed, *["getTargetInfo"] * 4]


@pytest.mark.parametrize("wire", [_Browser(looks=1_000_000), _Browser(mute=frozenset({"Page.getFrameTree"}))])
async def test_a_page_that_never_goes_or_whose_document_never_comes_does_not_hold_the_block(
    monkeypatch: pytest.MonkeyPatch, wire: _Browser
) -> None:
    monkeypatch.setattr("cdp_typed.client.session._CLOSE_S", 0.05)
    monkeypatch.setattr("cdp_typed.client.connection._NEW_PAGE_TIMEOUT", 0.01)
    async with Connection(wire) as browser, asyncio.timeout(5), browser.new_page() as tab:
        assert tab.session_id == "P"


@pytest.mark.parametrize(
    ("refused", "before"), [("Target.attachToTarget", []), ("Page.getFrameTree", ["Page.getFrameTree"])]
)
async def test_a_page_that_cannot_be_attached_or_tell_of_its_document_is_closed(
    refused: str, before: list[str]
) -> None:
    wire = _Browser(refuse=frozenset({refused}))
    async with Connection(wire) as browser:
        with pytest.raises(CommandError, match=f"^{refused}: "):
            async with browser.new_page():
                raise AssertionError("there is no page")
        await wire.drained()

    assert wire.methods == ["createTarget", "attachToTarget", *before, "closeTarget"]


async def test_an_exception_of_the_block_closes_the_page_and_is_not_masked() -> None:
    wire = _Browser(refuse=frozenset({"Target.closeTarget"}))
    with pytest.raises(KeyError):
        async with Connection(wire) as browser, browser.new_page():
            raise KeyError

    assert wire.methods == CLOSED


async def test_a_page_that_is_gone_already_is_closed_enough() -> None:
    wire = _Browser(refuse=frozenset({"Target.closeTarget", "Target.detachFromTarget"}))
    async with Connection(wire) as browser, browser.new_page():
        pass

    assert wire.methods == CLOSED


async def test_a_browser_that_is_gone_at_the_end_of_the_block_is_no_error() -> None:
    wire = _Browser()
    async with Connection(wire) as browser, browser.new_page():
        wire.end("the browser is gone")
        await browser.wait_closed()


async def test_a_browser_that_never_closes_a_page_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cdp_typed.client.session._CLOSE_S", 0.01)
    async with Connection(_Browser(mute=frozenset({"Target.closeTarget"}))) as browser:
        with pytest.raises(CommandTimeout, match=r"^Target\.closeTarget: "):
            async with browser.new_page():
                pass
    async with Connection(_Browser(mute=frozenset({"Target.closeTarget"}))) as browser:
        with pytest.raises(KeyError):
            async with browser.new_page():
                raise KeyError


@pytest.mark.parametrize(
    ("answer", "closing"),
    [
        ({"result": {"targetId": "T"}}, ["closeTarget"]),
        ({"error": {"code": -32000, "message": "Failed to open a new tab"}}, []),
    ],
)
async def test_a_page_that_comes_too_late_is_closed(answer: dict[str, Any], closing: list[str]) -> None:
    wire = _Browser(mute=frozenset({"Target.createTarget"}))
    async with Connection(wire) as browser:
        opening = await begun(browser.new_page().__aenter__())
        opening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await opening
        wire.feed({"id": 1} | answer)
        await wire.drained()
        await asyncio.sleep(0)
        await wire.drained()

        assert wire.methods == ["createTarget", *closing]
        assert browser.pending == 0


async def test_a_page_that_never_comes_needs_no_closing() -> None:
    wire = _Browser(mute=frozenset({"Target.createTarget"}))
    async with Connection(wire) as browser:
        opening = await begun(browser.new_page().__aenter__())
        wire.end("the browser is gone")
        with pytest.raises(ConnectionLost):
            await opening

    assert wire.methods == ["createTarget"]
