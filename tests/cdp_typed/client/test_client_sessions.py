"""Sessions: found, told apart, and ended with all that waits on them."""

from __future__ import annotations

import asyncio

import pytest

from cdp_typed import Connection, Session
from cdp_typed.errors import CommandError, SessionDetached, TargetCrashed
from cdp_typed.protocol import page
from tests.cdp_typed.client.conftest import NAVIGATE, NAVIGATED, attached, begun
from tests.support.wires.memory_wire import MemoryWire


async def test_attaching_gives_a_session_with_its_target(browser: Connection, wire: MemoryWire) -> None:
    attaching = await begun(browser.attach("T"))
    wire.attach("P", target="T")
    wire.reply({"sessionId": "P"})

    tab = await attaching

    assert wire.sent[0]["params"] == {"targetId": "T", "flatten": True}
    assert (tab.session_id, tab.target_id, tab.target_info.type) == ("P", "T", "page")
    assert repr(tab) == "<Session P of page T>"
    assert browser.sessions == (tab,)
    assert hash(tab) == hash(browser.session("P"))


async def test_a_session_that_was_not_announced_is_looked_up(browser: Connection, wire: MemoryWire) -> None:
    attaching = await begun(browser.attach("T"))
    wire.reply({"sessionId": "P"})
    while len(wire.sent) < 2:
        await wire.drained()
        await asyncio.sleep(0)
    info = {"targetId": "T", "type": "tab", "title": "", "url": "", "attached": True, "canAccessOpener": False}
    wire.reply({"targetInfo": info})

    assert (await attaching).target_info.type == "tab"
    assert wire.sent[1]["method"] == "Target.getTargetInfo"


async def test_unknown_and_ended_sessions_are_told_apart(browser: Connection, tab: Session, wire: MemoryWire) -> None:
    wire.detach(tab.session_id)
    await wire.drained()

    with pytest.raises(SessionDetached, match="session P was detached"):
        browser.session("P")
    with pytest.raises(LookupError, match="session Q was never announced"):
        browser.session("Q")


async def test_a_detach_fails_all_of_the_session_at_once(browser: Connection, tab: Session, wire: MemoryWire) -> None:
    frame = await attached(browser, wire, "C", target="F", parent="P", kind="iframe")
    calls = [tab.send_nowait(NAVIGATE), frame.send_nowait(NAVIGATE)]
    survivor = browser.send_nowait(NAVIGATE)
    listening = frame.listen(lambda _, __: None, page.FrameResized)
    wire.detach("P")
    wire.reply(NAVIGATED, to=2)
    assert [message.get("sessionId") for message in wire.sent] == ["P", "C", None]

    for call, session in zip(calls, ("P", "C"), strict=True):
        with pytest.raises(SessionDetached, match=rf"^Page\.navigate: session {session} was detached$"):
            await call
    assert (await survivor).frame_id == "F"
    assert (tab.is_over, frame.is_over, listening.closed) == (True, True, True)
    for use in (tab.send(NAVIGATE), tab.events(page.FrameResized).__aenter__()):
        with pytest.raises(SessionDetached):
            await use
    with pytest.raises(SessionDetached):
        tab.listen(lambda _, __: None, page.FrameResized)


async def test_a_crash_fails_calls_but_the_session_goes_on(tab: Session, wire: MemoryWire) -> None:
    call = tab.send_nowait(NAVIGATE)
    wire.event("Inspector.targetCrashed", session="P")

    with pytest.raises(TargetCrashed, match=r"^Page\.navigate: the target of session P crashed$"):
        await call
    reload = tab.send_nowait(page.Reload())
    wire.event("Target.targetCrashed", {"targetId": "T", "status": "crashed", "errorCode": 0})
    wire.reply()
    await reload
    assert not tab.is_over


async def test_detaching_is_sent_to_the_parent_and_may_be_done_twice(
    browser: Connection, tab: Session, wire: MemoryWire
) -> None:
    frame = await attached(browser, wire, "C", target="F", parent="P", kind="iframe")
    assert (tab.parent, tab.children, frame.parent, frame.children) == (None, (frame,), tab, ())
    detaching = await begun(frame.detach())
    wire.detach("C", parent="P")
    wire.reply()
    await detaching
    again = await begun(frame.detach())
    wire.feed({"id": 2, "error": {"code": -32602, "message": "No session with given id"}})
    await again

    assert [(message["sessionId"], message["params"]) for message in wire.sent] == [("P", {"sessionId": "C"})] * 2
    detaching = await begun(tab.detach())
    wire.feed({"id": 3, "error": {"code": -32000, "message": "no"}})
    with pytest.raises(CommandError, match="no"):
        await detaching
