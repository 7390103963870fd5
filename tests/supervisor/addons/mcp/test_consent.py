"""A supervisor, its tools and its live view in a browser that asks its person at each connection."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cdp_typed import NotAllowed, connect
from cdp_typed.client import consent
from cdp_typed.endpoint.consent_lock import ConsentLock
from supervisor import AsyncSupervisor, CDPSupervisor, Config, SupervisorRegistry, blocking
from supervisor.addons.mcp import Agent
from supervisor.probe import probe
from supervisor.status import Status
from supervisor.tools import Toolbox
from supervisor.tools.framework import toolbox as toolbox_module
from tests.support.servers.asking import AskingBrowser


def wait_for(is_true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not is_true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.fixture
def registry() -> SupervisorRegistry:
    return SupervisorRegistry()


@pytest.fixture
def toolbox(asking: AskingBrowser, registry: SupervisorRegistry) -> Iterator[Toolbox]:
    with Toolbox(Config(cdp_url=asking.url), registry=registry) as toolbox:
        yield toolbox


def agent_of(toolbox: Toolbox, asking: AskingBrowser, registry: SupervisorRegistry, **how: bool) -> Agent:
    return Agent(toolbox, Config(cdp_url=asking.url), registry, **how)


async def look(toolbox: Toolbox) -> dict[str, Any]:
    """The result of a tool that needs the browser."""
    result: dict[str, Any] = json.loads(await toolbox.adispatch("browser_snapshot", {}, "task"))
    return result


def wait_for_state(status: Callable[[], Status], state: str) -> None:
    wait_for(lambda: status().state == state)


def test_waiting_for_the_person_is_a_state_and_the_start_goes_on_after_it(
    asking: AskingBrowser, caplog: pytest.LogCaptureFixture
) -> None:
    supervisor = CDPSupervisor(asking.url)
    starting = threading.Thread(target=supervisor.start, args=(1.0,))
    starting.start()
    wait_for_state(supervisor.status, "waiting_for_person")
    assert supervisor.status().reason == "a person has to allow the connection: click Allow in Chrome"
    assert "click Allow in Chrome" in caplog.text

    starting.join(1.5)
    assert starting.is_alive(), "the start ended while the person was asked"
    asking.answer("allow")
    starting.join(10)

    assert (supervisor.status().state, supervisor.status().reason) == ("ready", "")
    assert supervisor.evaluate("1 + 1").value == 2
    supervisor.stop()


def test_a_program_that_asks_first_is_told_and_the_start_goes_on_after_it(
    asking: AskingBrowser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocking, "GRACE_S", 0.1)
    monkeypatch.setattr(blocking, "ANSWER_TIMEOUT_S", 0.1)
    port_file = tmp_path / "DevToolsActivePort"
    port_file.write_text(f"{asking.port}\n{asking.path}")
    other = ConsentLock(port_file)
    assert other.take()
    supervisor = CDPSupervisor(str(tmp_path))
    starting = threading.Thread(target=supervisor.start, args=(0.3,))
    starting.start()
    wait_for_state(supervisor.status, "waiting_for_person")
    assert supervisor.status().reason == "another program asks first: click Allow in Chrome"
    assert asking.questions == 0

    other.give_back()
    asking.asked.get(timeout=10)
    wait_for(lambda: supervisor.status().reason == "a person has to allow the connection: click Allow in Chrome")
    asking.answer("allow")
    starting.join(10)

    assert supervisor.status().state == "ready"
    supervisor.stop()


def test_a_refusal_is_final(asking: AskingBrowser) -> None:
    asking.answer("cancel")

    with pytest.raises(NotAllowed, match="refused by the person"):
        CDPSupervisor(asking.url).start()

    assert asking.questions == 1


def test_a_connection_that_was_lost_is_not_opened_again_without_being_asked_to(asking: AskingBrowser) -> None:
    asking.allow_later()
    with CDPSupervisor(asking.url) as supervisor:
        asking.cut()
        wait_for_state(supervisor.status, "lost")

        assert "asks a person at each new one: start again to ask" in supervisor.status().reason
    assert asking.questions == 1


def test_at_a_new_connection_the_program_that_asks_first_is_waited_for(
    asking: AskingBrowser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(consent, "CHECK_AFTER_S", 60)  # the first connection is allowed before anybody is told
    (tmp_path / "DevToolsActivePort").write_text(f"{asking.port}\n{asking.path}")
    asking.answer("allow")
    with CDPSupervisor(str(tmp_path), reconnect_attempts=1) as supervisor:
        other = ConsentLock(tmp_path / "DevToolsActivePort")
        assert other.take()
        asking.cut()
        wait_for(lambda: consent.OTHER_FIRST in caplog.text)

        other.give_back()
        asking.answer("allow")
        wait_for_state(supervisor.status, "ready")


async def test_further_connections_share_the_one_that_was_allowed(asking: AskingBrowser) -> None:
    asking.allow_later()
    async with AsyncSupervisor(asking.url) as supervisor:
        async with connect(supervisor.config_of_others.cdp_url) as other:
            assert await other.kind() == "browser"
        assert (await supervisor.evaluate("1 + 1")).value == 2

    assert asking.questions == 1


@pytest.mark.thorough
async def test_a_probe_asks_once(asking: AskingBrowser) -> None:
    asking.allow_later()

    rows = await probe(Config(cdp_url=asking.url))

    assert {row.capability for row in rows if row.works} >= {"auto_attach", "open_page", "dialog_respond"}
    assert asking.questions == 1


async def test_a_call_of_a_tool_ends_while_the_person_is_asked_and_the_next_one_joins_the_question(
    asking: AskingBrowser, registry: SupervisorRegistry, toolbox: Toolbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(toolbox_module, "PERSON_S", 0.3)

    waiting = await look(toolbox)
    assert "click Allow in Chrome, and call again" in waiting["error"]
    assert registry.status("task").state == "waiting_for_person"
    asking.answer("allow")
    done = await look(toolbox)

    assert done["success"], done
    assert asking.questions == 1


async def test_a_call_that_comes_after_a_refusal_is_told_and_asks_nobody(
    asking: AskingBrowser, registry: SupervisorRegistry, toolbox: Toolbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(toolbox_module, "PERSON_S", 0.3)
    waiting = await look(toolbox)
    asking.answer("cancel")
    await asyncio.to_thread(wait_for_state, lambda: registry.status("task"), "not started")

    refused = await look(toolbox)
    assert (waiting["error_type"], refused["error_type"]) == ("WaitingForPerson", "NotAllowed")
    assert "refused by the person" in refused["error"]
    assert asking.questions == 1

    asking.allow_later()
    assert (await look(toolbox))["success"]
    assert asking.questions == 2


async def test_an_mcp_server_that_connects_late_asks_at_the_first_call_that_needs_the_browser(
    asking: AskingBrowser, registry: SupervisorRegistry, toolbox: Toolbox
) -> None:
    agent = agent_of(toolbox, asking, registry, connects_at_start=False)
    await agent.start()
    assert (registry.status("mcp").state, asking.questions) == ("not started", 0)

    asking.allow_later()
    assert (await agent.call("browser_snapshot", {}))["success"]

    assert (registry.status("mcp").state, asking.questions) == ("ready", 1)
    await agent.stop()


async def test_an_mcp_server_starts_while_the_person_is_asked(
    asking: AskingBrowser, registry: SupervisorRegistry, toolbox: Toolbox
) -> None:
    agent = agent_of(toolbox, asking, registry)

    async with asyncio.timeout(10):
        await agent.start()
        await asyncio.to_thread(wait_for_state, lambda: registry.status("mcp"), "waiting_for_person")
    asking.answer("allow")
    assert (await agent.call("browser_snapshot", {}))["success"]

    assert asking.questions == 1
    await agent.stop()


async def test_an_mcp_server_ends_while_the_person_is_asked(
    asking: AskingBrowser, registry: SupervisorRegistry, toolbox: Toolbox
) -> None:
    agent = agent_of(toolbox, asking, registry)
    await agent.start()

    async with asyncio.timeout(10):
        await agent.stop()

    assert registry.status("mcp").state == "not started"
