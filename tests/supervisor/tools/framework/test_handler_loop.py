"""Handlers run on one event loop, need no browser unless they say so, and end with their toolbox."""

from __future__ import annotations

import asyncio
import contextvars
import json
import logging
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest
from msgspec import Struct

from supervisor import Config, SupervisorRegistry
from supervisor.tools import Catalogue, GateContext, Toolbox, ToolContext, tool
from tests.support.stages.stages import Stage

NOWHERE = Config(cdp_url="ws://127.0.0.1:9")
SPAN: contextvars.ContextVar[str] = contextvars.ContextVar("SPAN", default="none")


class Nothing(Struct, frozen=True, kw_only=True):
    """No arguments."""


class Answer(Struct, frozen=True, kw_only=True):
    """A text."""

    text: str


class Client:
    """As clients of HTTP and databases: it belongs to the event loop on which it was first used."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = asyncio.Lock()

    async def fetch(self) -> str:
        loop = asyncio.get_running_loop()
        self._loop = self._loop or loop
        if self._loop.is_closed():
            raise RuntimeError("Event loop is closed")
        async with self._lock:
            future = self._loop.create_future()
            self._loop.call_soon(future.set_result, "fetched")
            return str(await future)


def anywhere(context: GateContext) -> bool:
    return True


def box_of(*handlers: Callable[..., Any], config: Config | None = None, **settings: Any) -> Toolbox:
    catalogue = Catalogue()
    for handler in handlers:
        tool(toolset="own", gate=anywhere, catalogue=catalogue)(handler)
    return Toolbox(config, catalogue=catalogue, toolsets="*", registry=SupervisorRegistry(), **settings)


def played(box: Toolbox, name: str) -> dict[str, Any]:
    payload: dict[str, Any] = json.loads(box.dispatch(name))
    return payload


async def note(context: ToolContext, arguments: Nothing) -> Answer:
    """Note."""
    return Answer(text="noted")


async def look(context: ToolContext, arguments: Nothing) -> Answer:
    """Look."""
    return Answer(text=context.supervisor.snapshot().state)


class Waiting:
    """A handler that waits for ever, and who called it and ended it."""

    def __init__(self) -> None:
        self.started, self.ended = threading.Event(), threading.Event()

    async def wait(self, context: ToolContext, arguments: Nothing) -> Answer:
        """Wait."""
        self.started.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.ended.set()
        return Answer(text="never")


def test_a_client_that_a_handler_keeps_works_in_every_call_from_anywhere() -> None:
    client = Client()

    async def fetch(context: ToolContext, arguments: Nothing) -> Answer:
        """Fetch."""
        return Answer(text=await client.fetch())

    one, other = box_of(fetch), box_of(fetch)
    told: list[str] = []

    async def call() -> None:
        told.append(await one.adispatch("fetch"))
        told.append(await other.adispatch("fetch"))

    told.append(one.dispatch("fetch"))
    told.append(other.dispatch("fetch"))
    asyncio.run(call())
    asyncio.run(call())
    thread = threading.Thread(target=lambda: told.append(one.dispatch("fetch")))
    thread.start()
    thread.join()

    assert [json.loads(text) for text in told] == [{"success": True, "text": "fetched"}] * 7


def test_a_tool_with_a_gate_of_its_own_needs_no_browser_unless_it_says_so(mock_stage: Stage) -> None:
    without, with_dead_endpoint = box_of(note, look), box_of(note, config=NOWHERE)

    assert [known.name for known in without.available()] == ["note", "look"]
    assert played(without, "note") == played(with_dead_endpoint, "note") == {"success": True, "text": "noted"}
    assert played(without, "look") == {
        "success": False,
        "error": "the supervisor is not running: the tool does not say that it needs a browser",
        "error_type": "NotRunning",
    }
    catalogue, config = Catalogue(), Config(cdp_url=mock_stage.cdp_url)
    assert tool(toolset="own", gate=anywhere, needs_browser=True, catalogue=catalogue)(look).uses_browser
    assert Toolbox(catalogue=catalogue, toolsets="own", registry=SupervisorRegistry()).available() == ()
    with Toolbox(config, catalogue=catalogue, toolsets="own", registry=SupervisorRegistry()) as box:
        assert played(box, "look") == {"success": True, "text": "ready"}


def test_what_would_end_a_task_or_the_process_is_a_failed_call(caplog: pytest.LogCaptureFixture) -> None:
    async def cancelled(context: ToolContext, arguments: Nothing) -> Answer:
        """Give up."""
        raise asyncio.CancelledError

    async def cancels_itself(context: ToolContext, arguments: Nothing) -> Answer:
        """Give up by its own task."""
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        await asyncio.sleep(0)
        return Answer(text="never")

    async def exits(context: ToolContext, arguments: Nothing) -> Answer:
        """Exit."""
        sys.exit(3)

    def exits_in_a_thread(context: ToolContext, arguments: Nothing) -> Answer:
        """Exit."""
        sys.exit(3)

    async def exits_later(context: ToolContext, arguments: Nothing) -> Answer:
        """Exit in another task."""
        asyncio.get_running_loop().call_soon(sys.exit, 3)
        await asyncio.sleep(0)
        return Answer(text="still here")

    def stops(context: ToolContext, arguments: Nothing) -> Answer:
        """Ask an iterator that is at its end."""
        return next(iter(()))

    box = box_of(cancelled, cancels_itself, exits, exits_in_a_thread, exits_later, stops)

    async def call(name: str) -> dict[str, Any]:
        payload: dict[str, Any] = json.loads(await box.adispatch(name))
        return payload

    with caplog.at_level(logging.ERROR):
        for name, what in [
            ("cancelled", "CancelledError"),
            ("cancels_itself", "CancelledError"),
            ("exits", "SystemExit"),
            ("exits_in_a_thread", "SystemExit"),
        ]:
            told = {"success": False, "error": f"{name}: its handler raised {what}", "error_type": "HandlerAborted"}
            assert (played(box, name), asyncio.run(call(name))) == (told, told)
        assert played(box, "exits_later") == {"success": True, "text": "still here"}
        assert played(box, "stops")["error_type"] == "RuntimeError"

    assert "cancelled: its handler raised CancelledError" in caplog.messages


async def test_cancelling_a_call_cancels_its_handler() -> None:
    waiting = Waiting()
    task = asyncio.create_task(box_of(waiting.wait).adispatch("wait"))
    assert await asyncio.to_thread(waiting.started.wait, 20)
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(waiting.ended.wait, 20)


def test_handlers_see_the_caller_s_context() -> None:
    async def in_loop(context: ToolContext, arguments: Nothing) -> Answer:
        """Say it."""
        return Answer(text=SPAN.get())

    def in_thread(context: ToolContext, arguments: Nothing) -> Answer:
        """Say it."""
        return Answer(text=SPAN.get())

    box = box_of(in_loop, in_thread)

    def call() -> list[str]:
        SPAN.set("span 7")
        return [played(box, name)["text"] for name in ("in_loop", "in_thread")]

    assert contextvars.copy_context().run(call) == ["span 7", "span 7"]


def test_a_handler_calls_other_tools_by_awaiting_them() -> None:
    boxes: list[Toolbox] = []

    async def awaits(context: ToolContext, arguments: Nothing) -> Answer:
        """Call another."""
        return Answer(text=json.loads(await boxes[0].adispatch("note"))["text"])

    def waits(context: ToolContext, arguments: Nothing) -> Answer:
        """Call another, on a thread of its own."""
        return Answer(text=played(boxes[0], "note")["text"])

    async def blocks(context: ToolContext, arguments: Nothing) -> Answer:
        """Call another in a way that would stop all handlers."""
        return Answer(text=played(boxes[0], "note")["error_type"])

    boxes.append(box_of(note, awaits, waits, blocks))

    told = [played(boxes[0], name)["text"] for name in ("awaits", "waits", "blocks")]
    assert told == ["noted", "noted", "CalledFromLoopThread"]


def test_closing_ends_calls_and_refuses_later_ones() -> None:
    waiting, told = Waiting(), list[dict[str, Any]]()
    with box_of(waiting.wait) as box:
        thread = threading.Thread(target=lambda: told.append(played(box, "wait")))
        thread.start()
        assert waiting.started.wait(20)
    thread.join(20)

    told.append(played(box, "wait"))
    box.close()
    error = "wait is not available: the toolbox is closed"
    assert told == [{"success": False, "error": error, "error_type": "ToolUnavailable"}] * 2


def test_closing_stops_the_supervisors_that_it_started_and_no_others(mock_stage: Stage) -> None:
    registry = SupervisorRegistry()
    config = Config(cdp_url=mock_stage.cdp_url)
    others = registry.get_or_start("others", mock_stage.cdp_url)

    async def play() -> None:
        async with Toolbox(config, registry=registry) as box, Toolbox(config, registry=registry) as guest:
            for task_id in ("own", "others"):
                assert json.loads(await box.adispatch("browser_tabs", {}, task_id))["success"]
            assert json.loads(await guest.adispatch("browser_tabs", {}, "own"))["success"]
            guest.close()
            assert registry.get("own") is not None

    asyncio.run(play())

    assert (registry.get("own"), registry.get("others")) == (None, others)
    registry.stop_all()


def test_a_gate_that_tools_share_is_asked_once_for_a_listing() -> None:
    asked: list[GateContext] = []

    def gate(context: GateContext) -> bool:
        asked.append(context)
        return True

    catalogue = Catalogue()
    for number in range(5):

        async def handler(context: ToolContext, arguments: Nothing) -> Answer:
            """Answer."""
            return Answer(text="")

        handler.__name__ = f"tool_{number}"
        tool(toolset="own", gate=gate, catalogue=catalogue)(handler)
    box = Toolbox(catalogue=catalogue, toolsets="*", registry=SupervisorRegistry())

    assert (len(box.definitions()), len(asked)) == (5, 1)
    box.dispatch("tool_3")
    assert len(asked) == 2


def test_an_async_handler_that_blocks_its_loop_cannot_hold_its_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("supervisor.tools.framework.base_toolbox.GRACE_S", 0.1)
    released = threading.Event()

    async def block(context: ToolContext, arguments: Nothing) -> Answer:
        """Block."""
        released.wait(30)
        return Answer(text="late")

    box = box_of(block, timeout_s=0.1)

    async def call() -> str:
        return str(json.loads(await box.adispatch("block"))["error_type"])

    assert (played(box, "block")["error_type"], asyncio.run(call())) == ("TimeoutError", "TimeoutError")
    released.set()


def test_an_endpoint_may_be_asked_for_at_each_call(mock_stage: Stage) -> None:
    answers: list[Config | None] = [None]
    registry = SupervisorRegistry()

    def config() -> Config | None:
        return answers[-1] if answers else 1 // 0  # type: ignore[return-value]  # it raises

    with Toolbox(config, registry=registry, toolsets="browser_tabs") as box:
        assert (box.definitions(), played(box, "browser_tabs")["error_type"]) == ([], "ToolUnavailable")
        answers.clear()
        assert (box.definitions(), played(box, "browser_tabs")["error_type"]) == ([], "ZeroDivisionError")
        answers.append(Config(cdp_url=mock_stage.cdp_url))
        assert (len(box.definitions()), played(box, "browser_tabs")["success"]) == (1, True)
