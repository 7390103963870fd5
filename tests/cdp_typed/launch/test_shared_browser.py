"""One piped browser for many connections, each as if it had the browser for itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import pytest

from cdp_typed import CommandError, Connection, ConnectionLost, EndpointError, connect
from cdp_typed.launch import SharedBrowser
from cdp_typed.loop_thread import LOOP_THREAD
from cdp_typed.mock import MockPipe, Page, Refusal
from cdp_typed.protocol import browser, page, runtime, target
from cdp_typed.transport import Transport
from cdp_typed.transport.pipe import open_pipe
from tests.support.processes import assert_gone
from tests.support.wires.memory_wire import MemoryWire
from tests.support.wires.wires import piped

T = TypeVar("T")
LARGE = "'" + "x" * 100_000 + "'"


@asynccontextmanager
async def real() -> AsyncGenerator[SharedBrowser]:
    async with piped() as launched, await SharedBrowser.open(launched) as shared:
        yield shared


@asynccontextmanager
async def mocked() -> AsyncGenerator[SharedBrowser]:
    async with MockPipe({"http://x/": Page(title="X")}) as mock, await SharedBrowser.open(MockEnd(mock)) as shared:
        yield shared


class MemoryEnd(MemoryWire):
    """A pipe in memory, whose browser opens sessions."""

    def send(self, data: bytes) -> None:
        super().send(data)
        if self.sent[-1]["method"] == "Target.attachToBrowserTarget":
            self.reply({"sessionId": "S"})

    async def open_transport(self, *, max_size: int) -> Transport:
        return self


class MockEnd:
    """The client's end of a mock's pipe, as `launch(pipe=True)` gives that of a browser."""

    def __init__(self, mock: MockPipe) -> None:
        self._mock = mock

    async def open_transport(self, *, max_size: int) -> Transport:
        return await open_pipe(self._mock.sock.dup(), max_size=max_size)


@pytest.fixture(params=[pytest.param(real, marks=pytest.mark.thorough), mocked], ids=["chromium", "mock"])
async def shared(no_leaks: None, request: pytest.FixtureRequest) -> AsyncIterator[SharedBrowser]:
    async with request.param() as opened:
        yield opened


async def page_in_context(connection: Connection, url: str) -> tuple[browser.BrowserContextID, target.TargetID]:
    context = await connection.send(target.CreateBrowserContext(dispose_on_detach=True))
    created = await connection.send(target.CreateTarget(url=url, browser_context_id=context.browser_context_id))
    return context.browser_context_id, created.target_id


async def in_a_thread(work: Coroutine[Any, Any, T]) -> T:
    with ThreadPoolExecutor(1) as pool:
        return await asyncio.get_running_loop().run_in_executor(pool, asyncio.run, work)


async def contexts(connection: Connection) -> set[str]:
    return {str(id_) for id_ in (await connection.send(target.GetBrowserContexts())).browser_context_ids}


async def test_a_connection_looks_like_one_of_its_own(shared: SharedBrowser) -> None:
    async with connect(shared) as connection:
        assert await connection.kind() == "browser"
        assert (await connection.send(browser.GetVersion())).protocol_version == "1.3"
        assert (await connection.send(target.GetTargetInfo())).target_info.type == "browser"
        with pytest.raises(CommandError, match="wasn't found"):
            await connection.send_raw("No.such", {})
        async with connection.new_page() as tab:
            told = await tab.send(runtime.Evaluate(expression="'\\ud800' + 6 * 7", return_by_value=True))
            assert str(told.result.value).endswith("42")
        assert shared.connections == 1
    assert (shared.connections, shared.has_ended) == (0, False)


async def test_connections_learn_nothing_of_each_other(shared: SharedBrowser) -> None:
    async with connect(shared) as one, connect(shared) as other:
        seen: list[tuple[str | None, str]] = []
        other.listen(lambda session_id, event: seen.append((session_id, event.METHOD)), target.AttachedToTarget)
        other.listen(lambda session_id, event: seen.append((session_id, event.METHOD)), target.TargetCreated)
        await one.send(target.SetDiscoverTargets(discover=True))
        _, target_id = await page_in_context(one, "about:blank")
        session = await one.attach(target_id)
        await session.send(page.Enable())
        with pytest.raises(CommandError, match=r"Session with given id not found"):
            await other.send(page.Enable(), session_id=session.session_id)
        await other.send(browser.GetVersion())

        assert seen == []


async def test_one_that_is_closed_takes_its_contexts_along_and_no_others(
    shared: SharedBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cdp_typed.launch.shared_browser._CLOSE_S", 3600.0)
    async with connect(shared) as other:
        theirs, target_id = await page_in_context(other, "about:blank")
        session = await other.attach(target_id)
        async with connect(shared) as one:
            ours, _ = await page_in_context(one, "about:blank")
            assert {ours, theirs} <= await contexts(other)

        assert ours not in await contexts(other)
        assert theirs in await contexts(other)
        assert (await session.send(runtime.Evaluate(expression="1 + 1"))).result.value == 2
        with pytest.raises(ConnectionLost, match="closed by this side"):
            await one.send(browser.GetVersion())


async def test_calls_and_floods_of_several_connections_reach_their_own(shared: SharedBrowser) -> None:
    async def count(connection: Connection, start: int) -> list[object]:
        async with connection.new_page() as tab:
            calls = [tab.send(runtime.Evaluate(expression=f"{start} + {index}")) for index in range(200)]
            return [reply.result.value for reply in await asyncio.gather(*calls)]

    async with connect(shared) as one, connect(shared) as two, connect(shared) as three:
        told = await asyncio.gather(count(one, 0), count(two, 1000), count(three, 2000))

    assert list(told) == [list(range(start, start + 200)) for start in (0, 1000, 2000)]


async def test_browser_close_ends_every_connection(shared: SharedBrowser) -> None:
    one, other = await connect(shared), await connect(shared)
    await one.send(browser.Close())

    reason = await asyncio.wait_for(shared.wait_ended(), 20)
    assert reason == "the browser is gone: the pipe closed"
    assert (await other.lost).reason == (await one.lost).reason == reason
    assert shared.has_ended
    with pytest.raises(EndpointError, match="shared browser: the browser is gone: the pipe closed"):
        await connect(shared)


async def test_it_serves_several_event_loops_and_a_callable_may_give_it(shared: SharedBrowser) -> None:
    async def elsewhere() -> str:
        async with connect(shared) as connection, connection.new_page() as tab:
            return str((await tab.send(runtime.Evaluate(expression="'there'"))).result.value)

    async def later() -> SharedBrowser:
        return shared

    async with connect(lambda: shared) as one, connect(later) as other:
        for connection in (one, other):
            assert (await connection.send(browser.GetVersion())).protocol_version == "1.3"
    async with connect(shared) as here:
        assert await in_a_thread(elsewhere()) == "there"
        assert await LOOP_THREAD.hop(elsewhere()) == "there"
        assert (await here.send(browser.GetVersion())).protocol_version == "1.3"
        assert shared.connections == 1


async def test_a_loop_that_was_closed_ends_its_connection_only(shared: SharedBrowser) -> None:
    async def leave_open() -> None:
        connection = await connect(shared)
        await connection.send(target.SetDiscoverTargets(discover=True))

    await in_a_thread(leave_open())
    async with connect(shared) as here:
        await page_in_context(here, "about:blank")
        while shared.connections > 1:  # noqa: ASYNC110 - the other one is told by no event
            await asyncio.sleep(0.01)
        assert (await here.send(browser.GetVersion())).protocol_version == "1.3"


async def test_a_large_message_ends_only_the_connection_that_does_not_want_it(shared: SharedBrowser) -> None:
    async with connect(shared) as other, connect(shared, max_size=50_000) as one:
        with pytest.raises(ConnectionLost, match=r"a message has \d+ bytes, and max_size is 50000 bytes"):
            async with one.new_page() as tab:
                await tab.send(runtime.Evaluate(expression=LARGE))
        async with other.new_page() as tab:
            told = await tab.send(runtime.Evaluate(expression=LARGE))
            assert told.result.value == "x" * 100_000


async def test_an_opening_that_is_given_up_leaves_no_session(shared: SharedBrowser) -> None:
    for delay in (0, 0, 0.001, 0.002, 0.004):
        opening = asyncio.ensure_future(shared.open_transport(max_size=1000))
        await asyncio.sleep(delay)
        opening.cancel()
        for transport in await asyncio.gather(opening, return_exceptions=True):
            if not isinstance(transport, BaseException):  # it was there already
                await transport.close()
    async with connect(shared) as connection:
        await connection.send(browser.GetVersion())
        await connection.send(browser.GetVersion())

        assert shared.connections == 1


async def test_a_browser_that_opens_no_session_with_itself_or_answers_nothing_is_told(no_leaks: None) -> None:
    async with MockPipe() as mock, await SharedBrowser.open(MockEnd(mock)) as shared:
        mock.browser.on("Target.attachToBrowserTarget", Refusal(-32000, "Not allowed"))
        with pytest.raises(EndpointError, match="shared browser: it opens no session with itself: Not allowed"):
            await connect(shared)
        mock.browser.hang("Target.attachToBrowserTarget")
        with pytest.raises(EndpointError, match=r"pipe: no answer within 0\.2 s"):
            await connect(shared, open_timeout=0.2)


@pytest.mark.parametrize("run", [LOOP_THREAD.hop, in_a_thread])
async def test_the_cause_of_the_end_reaches_connections_of_every_loop(
    no_leaks: None, run: Callable[[Coroutine[Any, Any, BaseException | None]], Awaitable[BaseException | None]]
) -> None:
    wire, cause = MemoryEnd(), ConnectionResetError("reset")

    async def end() -> None:
        wire.end("the browser is gone", cause)

    async def loses() -> BaseException | None:
        async with connect(shared) as connection:
            await LOOP_THREAD.hop(end())
            return (await connection.lost).__cause__

    async with await SharedBrowser.open(wire) as shared:
        assert await run(loses()) is cause


@pytest.mark.thorough
async def test_the_pipe_ends_with_the_shared_browser(no_leaks: None) -> None:
    async with piped() as launched:
        shared = await SharedBrowser.open(launched)
        connection = await connect(shared)
        with pytest.raises(EndpointError, match="a pipe serves one connection"):
            await SharedBrowser.open(launched)
        await shared.close()
        await shared.close()

        assert await shared.wait_ended() == "closed by this side"
        assert (await connection.lost).reason == "closed by this side"
        with pytest.raises(EndpointError, match="shared browser: closed by this side"):
            await connect(shared)
    assert_gone(launched.pid, launched.profile)
