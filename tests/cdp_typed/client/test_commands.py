"""The other ways to send: many at once, raw, and generators, over a wire in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from cdp_typed import Connection, Session
from cdp_typed.errors import (
    CommandTimeout,
    ConnectionLost,
    InvalidParams,
    MessageTooBig,
    SchemaMismatch,
    SessionDetached,
)
from cdp_typed.protocol import page, runtime
from tests.cdp_typed.client.conftest import begun
from tests.support.wires.memory_wire import MemoryWire

NUMBER = {"result": {"type": "number", "value": 7, "description": "7"}}


class BatchWire(MemoryWire):
    """Remembers what was written in one go."""

    def __init__(self) -> None:
        super().__init__()
        self.batches: list[int] = []

    def send_many(self, messages: Sequence[bytes]) -> None:
        self.batches.append(len(messages))
        for data in messages:
            self.send(data)


async def test_many_commands_are_one_write_and_their_results_come_in_order(no_leaks: None) -> None:
    wire = BatchWire()
    async with Connection(wire) as browser:
        sending = await begun(browser.send_many((page.Enable(), page.Navigate(url="x"), runtime.Disable())))
        assert wire.batches == [3]

        wire.reply(to=2)
        wire.reply({"frameId": "F"}, to=1)
        wire.reply(to=0)

        assert await sending == (None, page.NavigateResult(frame_id=page.FrameId("F")), None)
        assert await browser.send_many([]) == ()
        assert len(wire.sent) == 3


async def test_a_wire_that_cannot_write_many_at_once_gets_them_one_by_one(tab: Session, wire: MemoryWire) -> None:
    sending = await begun(tab.send_many([page.Enable(), page.Disable()]))
    wire.reply(to=0)
    wire.reply(to=1)

    assert await sending == (None, None)
    assert [(message["method"], message["sessionId"]) for message in wire.sent] == [
        ("Page.enable", "P"),
        ("Page.disable", "P"),
    ]


async def test_the_first_to_fail_is_raised_and_nobody_waits_for_the_others(tab: Session, wire: MemoryWire) -> None:
    sending = await begun(tab.send_many((page.Enable(), page.Navigate(url="x"), page.Disable())))
    wire.feed({"id": 2, "sessionId": "P", "error": {"code": -32602, "message": "Invalid parameters"}})

    with pytest.raises(InvalidParams, match=r"^Page\.navigate: "):
        await sending


async def test_a_cancelled_batch_leaves_nothing_pending(browser: Connection, tab: Session) -> None:
    sending = await begun(tab.send_many((page.Enable(), page.Disable())))
    assert browser.pending == 2
    sending.cancel()

    with pytest.raises(asyncio.CancelledError):
        await sending
    await asyncio.sleep(0)
    assert browser.pending == 0


async def test_of_a_batch_only_what_is_too_big_fails_and_all_where_json_cannot_say_one(
    browser: Connection, tab: Session, wire: MemoryWire, monkeypatch: pytest.MonkeyPatch
) -> None:
    unsayable = runtime.Evaluate(expression=object())  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]  # the mistake that is tested
    with pytest.raises(TypeError, match="object"):
        await tab.send_many((page.Enable(), unsayable))
    await asyncio.sleep(0)
    assert (wire.sent, browser.pending) == ([], 0)

    monkeypatch.setattr("cdp_typed.wire.router.MAX_OUTGOING", 100)
    sending = asyncio.create_task(tab.send_many((page.Enable(), page.Navigate(url="x" * 100))))
    with pytest.raises(MessageTooBig):
        await sending
    assert [message["method"] for message in wire.sent] == ["Page.enable"]


async def test_a_raw_command_returns_plain_json(browser: Connection, tab: Session, wire: MemoryWire) -> None:
    sending = await begun(browser.send_raw("New.method", {"a": [1, None]}, session_id="S"))
    wire.reply({"b": {"c": 1.5}})
    assert await sending == {"b": {"c": 1.5}}
    sending = await begun(tab.send_raw("New.method"))
    wire.feed(b'{"id":2,"result":{"text":"a\\ud800b"}}')  # which strict JSON refuses
    assert await sending == {"text": "a\\ud800b"}
    sending = await begun(tab.send_raw("New.method"))
    wire.feed(b'{"id":3,"sessionId":"P"}')
    assert await sending == {}

    assert wire.sent[:2] == [
        {"id": 1, "method": "New.method", "params": {"a": [1, None]}, "sessionId": "S"},
        {"id": 2, "method": "New.method", "params": {}, "sessionId": "P"},
    ]


@pytest.mark.parametrize(
    ("result", "explained"),
    [(b"5", r"expected an object, got 5"), (b"[]", r"expected an object, got array"), (b"[" * 100_000, "unreadable")],
)
async def test_a_raw_result_must_be_an_object(tab: Session, wire: MemoryWire, result: bytes, explained: str) -> None:
    sending = await begun(tab.send_raw("New.method"))
    wire.feed(b'{"id":1,"result":' + result + b"}")

    with pytest.raises(SchemaMismatch, match=rf"^New\.method: .*{explained}"):
        await sending


async def test_a_raw_command_fails_as_a_typed_one_does(browser: Connection, tab: Session, wire: MemoryWire) -> None:
    with pytest.raises(CommandTimeout, match=r"^New\.method: no reply from session P within 0\.01 s$"):
        await tab.send_raw("New.method", timeout=0.01)
    with pytest.raises(TypeError):
        await tab.send_raw("New.method", {"a": object()})
    wire.detach("P")
    await wire.drained()
    with pytest.raises(SessionDetached, match=r"^New\.method: "):
        await tab.send_raw("New.method")
    await browser.close()
    with pytest.raises(ConnectionLost, match=r"^New\.method: "):
        await browser.send_raw("New.method")
