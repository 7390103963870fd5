"""MCP sessions as tasks of a fleet: servers in processes of their own, real clients, real Chromium."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, ExitStack
from subprocess import Popen
from typing import Any, TypeAlias

import anyio
import httpx2
import pytest
from mcp import Client
from mcp_types import ElicitResult

from supervisor.addons.fleet import Fleet, TaskStatus
from tests.supervisor.addons.mcp.conftest import TOKEN, client_at, http_server, over_stdio
from tests.support.servers.sites import Sites

pytestmark = [pytest.mark.thorough, pytest.mark.chromium]

PATIENCE_S = 60.0
NAME = f"mcp-{secrets.token_hex(4)}"
WORDS = ("fleet", "mcp")

Servers: TypeAlias = list[tuple[Popen[str], str]]
"""Their processes and URLs."""


@pytest.fixture(scope="module")
def arguments(ray_address: str) -> list[str]:
    """What every server of the fleet is started with."""
    joins = ["--address", ray_address, "--name", NAME, "--max-hosts", "1"]
    return [*joins, "--toolsets", "all", "--structured", "--ask-user", "--allow-private"]


@pytest.fixture(scope="module")
def servers(arguments: list[str]) -> Iterator[Servers]:
    """Two replicas on one fleet, which the first of them has begun."""
    with ExitStack() as stack:
        yield [stack.enter_context(http_server(*arguments, words=WORDS)) for _ in range(2)]


@pytest.fixture(scope="module")
def fleet(servers: Servers, ray_address: str) -> Iterator[Fleet]:
    with Fleet.attach(NAME, address=ray_address) as joined:
        yield joined


async def until(fleet: Fleet, holds: Callable[[tuple[TaskStatus, ...]], object]) -> tuple[TaskStatus, ...]:
    """The tasks of the fleet, when this holds for them."""
    ends = time.monotonic() + PATIENCE_S
    while not holds(tasks := await asyncio.to_thread(fleet.tasks)):
        assert time.monotonic() < ends, tasks
        await asyncio.sleep(0.05)
    return tasks


async def evaluate(client: Client, expression: str) -> Any:
    told: dict[str, Any] = (await client.call_tool("browser_evaluate", {"expression": expression})).structured_content
    assert told["success"], told
    return told["value"]


async def test_a_session_is_a_task_with_all_that_a_client_gets_and_ends_with_it(fleet: Fleet, servers: Servers) -> None:
    async with client_at(servers[0][1]) as client:
        assert "browser_evaluate" in {tool.name for tool in (await client.list_tools()).tools}
        assert await asyncio.to_thread(fleet.tasks) == ()

        told = await client.call_tool("browser_evaluate", {"expression": "alert('here')"})
        assert told.structured_content["pending_dialogs"][0]["message"] == "here"
        await client.call_tool("browser_dialog", {"action": "accept"})
        shot = await client.call_tool("browser_vision", {})
        assert [block.type for block in shot.content] == ["text", "image"]
        assert len(await asyncio.to_thread(fleet.tasks)) == 1

    assert await until(fleet, lambda tasks: not tasks) == ()


async def test_a_request_that_is_cancelled_ends_its_call_on_the_host(fleet: Fleet, servers: Servers) -> None:
    told: list[str | None] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        told.append(message)
        await until(fleet, lambda tasks: [task for task in tasks if task.load and task.load.calls == 1])
        scope.cancel()

    async with client_at(servers[0][1]) as client:
        with anyio.CancelScope() as scope:
            await client.call_tool("browser_evaluate", {"expression": "new Promise(() => {})"}, progress_callback=hear)
        assert scope.cancelled_caught
        assert told[0] == "browser_evaluate has been running for 1 s"
        tasks = await until(fleet, lambda tasks: all(task.load and task.load.calls == 0 for task in tasks))
        assert len(tasks) == 1
        assert await evaluate(client, "6 * 7") == 42


async def test_a_person_at_the_client_answers_a_dialog_of_the_session_s_own_task(servers: Servers) -> None:
    async def person(context: Any, params: Any) -> ElicitResult:
        return ElicitResult(action="accept", content={"answer": "accept", "text": "Ada"})

    async with client_at(servers[1][1], elicitation_callback=person) as client:
        told = await client.call_tool("browser_evaluate", {"expression": "window.answer = prompt('who?')"})
        assert told.structured_content["user_answer"] == "accept"
        assert await evaluate(client, "window.answer") == "Ada"


async def test_stdio_is_one_session_which_ends_its_task(fleet: Fleet, arguments: list[str]) -> None:
    before = {task.task_id for task in await asyncio.to_thread(fleet.tasks)}
    async with Client(over_stdio(*arguments, words=WORDS)) as client:
        assert await evaluate(client, "6 * 7") == 42
        (task_id,) = {task.task_id for task in await asyncio.to_thread(fleet.tasks)} - before

    await until(fleet, lambda tasks: task_id not in {task.task_id for task in tasks})


async def test_two_replicas_keep_sessions_apart_and_when_one_is_killed_the_other_goes_on(
    fleet: Fleet, servers: Servers, sites: Sites
) -> None:
    sites.pages["/"] = "<title>Home</title>"
    (doomed, first_url), (_, second_url) = servers
    tasks: tuple[TaskStatus, ...] = ()
    async with AsyncExitStack() as stack:
        second = await stack.enter_async_context(client_at(second_url))
        with pytest.RaisesGroup(httpx2.ConnectError, allow_unwrapped=True, flatten_subgroups=True):
            async with client_at(first_url) as first:
                for client, name in ((first, "first"), (second, "second")):
                    await client.call_tool("browser_navigate", {"url": sites.local("/")})
                    await evaluate(client, f"document.cookie = '{name}=1'")
                assert [await evaluate(client, "document.cookie") for client in (first, second)] == [
                    "first=1", "second=1",
                ]  # fmt: skip
                tasks = await asyncio.to_thread(fleet.tasks)
                assert (len(tasks), len({task.host_id for task in tasks})) == (2, 1)

                doomed.kill()
                await asyncio.to_thread(doomed.wait)
                await evaluate(first, "1")

        assert await evaluate(second, "document.cookie") == "second=1"
        assert {task.task_id for task in await asyncio.to_thread(fleet.tasks)} == {task.task_id for task in tasks}
        async with client_at(second_url) as anew:
            await anew.call_tool("browser_navigate", {"url": sites.local("/")})
            assert await evaluate(anew, "document.cookie") == ""


async def test_a_replica_answers_404_for_a_session_that_it_does_not_know(servers: Servers) -> None:
    headers = {
        "Authorization": f"Bearer {TOKEN}",
        "Accept": "application/json, text/event-stream",
        "Mcp-Session-Id": "of-another-replica",
        "MCP-Protocol-Version": "2025-11-25",
    }
    ask = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}

    async with httpx2.AsyncClient(headers=headers, timeout=PATIENCE_S) as http:
        answer = await http.post(servers[1][1], json=ask)

    assert answer.status_code == 404
