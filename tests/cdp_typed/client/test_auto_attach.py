"""Recursive auto-attach, over a wire in memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import Any

import pytest

from cdp_typed import AutoAttach, Command, Connection, Session, SetupFailure
from cdp_typed.errors import CommandTimeout, ConnectionLost, InvalidParams, MethodNotFound
from cdp_typed.protocol import page, runtime
from tests.cdp_typed.client.conftest import begun
from tests.support.wires.memory_wire import MemoryWire


@pytest.fixture
async def browser(no_leaks: None, wire: MemoryWire) -> AsyncIterator[Connection]:
    async with Connection(wire, command_timeout=5) as connection:
        yield connection
        assert connection.closed or connection.listeners == 0


async def _started(attaching: AutoAttach, wire: MemoryWire) -> AutoAttach:
    position = len(wire.sent)
    starting = await begun(attaching.start())
    wire.reply(to=position)
    return await starting


async def _stopped(attaching: AutoAttach, wire: MemoryWire) -> None:
    stopping = await begun(attaching.stop())
    wire.reply()
    await stopping


def _appear(wire: MemoryWire, session: str, *, above: str | None = None, waiting: bool = True) -> None:
    info = {"targetId": f"T{session}", "type": "page", "title": "", "url": "", "attached": True}
    params = {"sessionId": session, "targetInfo": info | {"canAccessOpener": False}, "waitingForDebugger": waiting}
    wire.event("Target.attachedToTarget", params, session=above)


def _refuse(wire: MemoryWire, call_id: int, code: int = -32601) -> None:
    wire.feed({"id": call_id, "error": {"code": code, "message": "refused"}})


def _sent(wire: MemoryWire, start: int = 0) -> list[tuple[str | None, str]]:
    return [(message.get("sessionId"), message["method"]) for message in wire.sent[start:]]


async def test_every_target_and_all_below_it_is_set_up_before_it_runs(browser: Connection, wire: MemoryWire) -> None:
    attaching = await _started(browser.auto_attach(enable=[page.Enable(), runtime.Enable()]), wire)
    _appear(wire, "P")
    _appear(wire, "C", above="P", waiting=False)
    await wire.drained()

    order = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}
    excluded = [{"exclude": True, "type": kind} for kind in ("browser", "tab", "browser_ui")]
    assert wire.sent[0]["params"] == order | {"filter": [*excluded, {}]}
    assert _sent(wire) == [
        (None, "Target.setAutoAttach"),
        ("P", "Page.enable"),
        ("P", "Runtime.enable"),
        ("P", "Target.setAutoAttach"),
        ("P", "Runtime.runIfWaitingForDebugger"),
        ("C", "Page.enable"),
        ("C", "Runtime.enable"),
        ("C", "Target.setAutoAttach"),
    ]
    assert attaching.sessions == (browser.session("P"), browser.session("C"))
    await _stopped(attaching, wire)
    assert wire.sent[-1]["params"] == {"autoAttach": False, "waitForDebuggerOnStart": False, "flatten": True}
    assert len(attaching.sessions) == 0


async def test_a_session_starts_with_what_is_below_it_and_ends_with_its_session(
    browser: Connection, tab: Session, wire: MemoryWire
) -> None:
    attaching = await _started(tab.auto_attach(), wire)
    _appear(wire, "other")
    _appear(wire, "C", above="P")
    _appear(wire, "G", above="C")
    await wire.drained()
    assert [session.session_id for session in attaching.sessions] == ["C", "G"]
    assert browser.listeners == 3

    wire.detach("C", parent="P")
    await wire.drained()
    assert (attaching.sessions, browser.listeners) == ((), 1)

    wire.detach("P")
    await wire.drained()
    assert browser.listeners == 0
    sent = len(wire.sent)
    await attaching.stop()
    assert len(wire.sent) == sent


async def test_a_target_that_moves_to_another_process_is_set_up_again(browser: Connection, wire: MemoryWire) -> None:
    attaching = await _started(browser.auto_attach(enable=[page.Enable()], recursive=False), wire)
    wire.attach("first", target="T")
    wire.detach("first")
    wire.attach("second", target="T")
    await wire.drained()

    assert _sent(wire, 1) == [("first", "Page.enable"), ("second", "Page.enable")]
    assert attaching.sessions == (browser.session("second"),)
    await _stopped(attaching, wire)


async def test_commands_may_depend_on_the_session_and_one_level_may_do(browser: Connection, wire: MemoryWire) -> None:
    def commands(session: Session) -> Iterable[Command[Any]]:
        return [page.Enable()] if session.target_info.type == "page" else [runtime.Enable()]

    attaching = await _started(browser.auto_attach(enable=commands, recursive=False, wait_for_debugger=False), wire)
    wire.attach("P", kind="page")
    wire.attach("W", kind="worker")
    await wire.drained()

    assert _sent(wire) == [(None, "Target.setAutoAttach"), ("P", "Page.enable"), ("W", "Runtime.enable")]
    assert wire.sent[0]["params"]["waitForDebuggerOnStart"] is False
    await _stopped(attaching, wire)


@pytest.mark.parametrize("recursive", [True, False])
async def test_a_target_keeps_the_session_that_it_has(browser: Connection, wire: MemoryWire, recursive: bool) -> None:
    wire.attach("P", target="TP2")
    wire.attach("C", target="TC", parent="P")
    await wire.drained()
    starting = await begun(browser.auto_attach(enable=[page.Enable()], recursive=recursive).start())
    for _ in range(2):  # as where an auto-attach of raw commands is on, too
        _appear(wire, "P2", waiting=False)
        await wire.drained()
    wire.reply(to=0)
    attaching = await starting

    detach = (None, "Target.detachFromTarget")
    all_of_page = [
        ("P", "Page.enable"),
        ("P", "Target.setAutoAttach"),
        ("C", "Page.enable"),
        ("C", "Target.setAutoAttach"),
    ]
    assert _sent(wire, 1) == [detach, *(all_of_page if recursive else all_of_page[:1]), detach]
    assert {message["params"].get("sessionId") for message in wire.sent[1:]} == {"P2", None}
    assert attaching.sessions == tuple(map(browser.session, ["P", "C"] if recursive else ["P"]))

    start = len(wire.sent)
    await _stopped(attaching, wire)
    off = [("C", "Target.setAutoAttach"), ("P", "Target.setAutoAttach")] if recursive else []
    assert sorted(_sent(wire, start)[:-1], key=str) == off
    assert wire.sent[-1].get("sessionId") is None


async def test_a_session_announced_twice_is_set_up_once_and_a_later_one_of_its_target_is_another(
    browser: Connection, wire: MemoryWire
) -> None:
    attaching = await _started(browser.auto_attach(), wire)
    for session in ("A", "A", "B"):
        wire.attach(session)
    await wire.drained()

    assert _sent(wire, 1) == [("A", "Target.setAutoAttach"), ("B", "Target.setAutoAttach")]
    assert attaching.sessions == (browser.session("A"), browser.session("B"))
    await _stopped(attaching, wire)


async def test_an_auto_attach_begins_with_sessions_that_another_made(browser: Connection, wire: MemoryWire) -> None:
    outer = await _started(browser.auto_attach(), wire)
    _appear(wire, "P")
    _appear(wire, "C", above="P")
    await wire.drained()
    start = len(wire.sent)
    inner = await _started(browser.session("P").auto_attach(enable=[page.Enable()]), wire)

    assert inner.sessions == (browser.session("C"),)
    assert _sent(wire, start) == [("P", "Target.setAutoAttach"), ("C", "Page.enable")]
    await _stopped(inner, wire)
    assert outer.sessions == (browser.session("P"), browser.session("C"))
    await _stopped(outer, wire)


async def test_refusals_are_told_and_what_a_kind_of_target_lacks_is_not(browser: Connection, wire: MemoryWire) -> None:
    attaching = await _started(browser.auto_attach(enable=[page.Enable(), runtime.Enable()]), wire)
    _appear(wire, "W")
    await wire.drained()
    worker = browser.session("W")
    for at in (1, 3, 4):
        _refuse(wire, wire.sent[at]["id"])
    wire.reply(to=2)
    await wire.drained()
    await asyncio.sleep(0)

    (failure,) = attaching.failures
    assert (failure.session, failure.command) == (worker, page.Enable())
    assert isinstance(failure.error, MethodNotFound)
    await _stopped(attaching, wire)


async def test_a_frozen_page_is_told_and_a_page_that_goes_is_not(browser: Connection, wire: MemoryWire) -> None:
    attaching = await _started(browser.auto_attach(enable=[page.Enable()], recursive=False, timeout=0.01), wire)
    _appear(wire, "gone", waiting=False)
    wire.detach("gone")
    _appear(wire, "frozen", waiting=False)
    await wire.drained()
    frozen = browser.session("frozen")
    while not attaching.failures:  # noqa: ASYNC110 - nobody announces it
        await asyncio.sleep(0.01)

    (failure,) = attaching.failures
    assert failure == SetupFailure(frozen, page.Enable(), failure.error)
    assert isinstance(failure.error, CommandTimeout)
    await _stopped(attaching, wire)


async def test_a_callers_mistake_is_told_and_leaves_no_target_paused(browser: Connection, wire: MemoryWire) -> None:
    def fails(session: Session) -> Iterable[Command[Any]]:
        raise KeyError(session.session_id)

    attaching = await _started(browser.auto_attach(enable=fails), wire)
    _appear(wire, "P")
    await wire.drained()

    assert [(failure.command, repr(failure.error)) for failure in attaching.failures] == [(None, "KeyError('P')")]
    assert _sent(wire, 1) == [("P", "Target.setAutoAttach"), ("P", "Runtime.runIfWaitingForDebugger")]
    await _stopped(attaching, wire)


async def test_it_starts_once_and_may_be_stopped_twice_or_never_started(browser: Connection, wire: MemoryWire) -> None:
    never = browser.auto_attach()
    await never.stop()
    attaching = await _started(browser.auto_attach(), wire)
    with pytest.raises(RuntimeError, match="only once"):
        _ = await attaching

    await _stopped(attaching, wire)
    await attaching.stop()
    assert len(wire.sent) == 2


async def test_refused_starts_and_stops_are_errors_unless_all_is_gone(browser: Connection, wire: MemoryWire) -> None:
    starting = await begun(browser.auto_attach().start())
    _refuse(wire, 1, -32602)
    with pytest.raises(InvalidParams):
        _ = await starting
    assert browser.listeners == 0

    attaching = await _started(browser.auto_attach(), wire)
    stopping = await begun(attaching.stop())
    _refuse(wire, 3, -32602)
    with pytest.raises(InvalidParams):
        await stopping

    stopping = await begun((await _started(browser.auto_attach(), wire)).stop())
    wire.end("the browser is gone")
    await stopping
    with pytest.raises(ConnectionLost):
        _ = await browser.auto_attach()


async def test_a_page_that_ends_during_the_stop_is_stopped_enough(tab: Session, wire: MemoryWire) -> None:
    attaching = await _started(tab.auto_attach(), wire)
    stopping = await begun(attaching.stop())
    wire.detach("P")

    await stopping


@pytest.mark.parametrize("refused", [False, True])
async def test_attach_enables_at_once_or_detaches_again(browser: Connection, wire: MemoryWire, refused: bool) -> None:
    attaching = await begun(browser.attach("T", enable=[page.Enable(), runtime.Enable()]))
    wire.attach("P")
    wire.reply({"sessionId": "P"})
    await wire.drained()
    await asyncio.sleep(0)
    assert _sent(wire, 1) == [("P", "Page.enable"), ("P", "Runtime.enable")]
    wire.reply(to=1)
    if not refused:
        wire.reply(to=2)
        assert await attaching == browser.session("P")
        return

    _refuse(wire, 3)
    with pytest.raises(MethodNotFound):
        await attaching
    assert _sent(wire, 3) == [(None, "Target.detachFromTarget")]
    wire.reply()
    await wire.drained()
