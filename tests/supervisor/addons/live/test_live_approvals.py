"""A person approves, changes or refuses what the agent's tools are about to do."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, TypeAlias

import pytest

from cdp_typed import Session, connect
from cdp_typed.helpers import click, goto, js, type_text
from cdp_typed.launch import LaunchedBrowser
from supervisor import Config, SupervisorRegistry
from supervisor.addons.live import Address, Approvals, LiveView, live_url, serve_live
from supervisor.tools import Policy, Toolbox, ToolCall
from tests.supervisor.addons.live.conftest import soon, until
from tests.support.secrets import CANARY
from tests.support.servers.sites import Sites

HTML = """<button id=pay style="position: absolute; left: 40px; top: 60px; width: 120px; height: 30px; margin: 0"
onclick="window.paid = (window.paid || 0) + 1">Pay</button><button onclick="window.left = true">Leave</button>"""
ASKING = Policy(approve=("browser_click", "browser_batch"))
ASKED = "document.querySelector('.card.approval') !== null"


class Agent:
    """An agent whose calls a person approves, and that person's page."""

    def __init__(self, toolbox: Toolbox, viewer: Session) -> None:
        self.toolbox = toolbox
        self.viewer = viewer

    def call(self, name: str, **arguments: Any) -> asyncio.Task[dict[str, Any]]:
        async def work() -> dict[str, Any]:
            result: dict[str, Any] = json.loads(await self.toolbox.adispatch(name, arguments))
            return result

        return asyncio.create_task(work())

    async def value(self, expression: str) -> Any:
        result = await self.call("browser_evaluate", expression=expression)
        return result["value"]


AgentOn: TypeAlias = Callable[..., AbstractAsyncContextManager[Agent]]


@pytest.fixture
def approvals() -> Approvals:
    return Approvals()


@pytest.fixture
def agent_on(supervised: LaunchedBrowser, chromium: LaunchedBrowser, sites: Sites, approvals: Approvals) -> AgentOn:
    """A call of it begins an agent on the page, with this policy."""

    @asynccontextmanager
    async def beginning(policy: Policy = ASKING) -> AsyncGenerator[Agent]:
        sites.pages["/"] = HTML
        registry = SupervisorRegistry()
        config = Config(cdp_url=supervised.ws_url, scope="own")

        def running() -> Any:
            supervisor = registry.get("default")
            return supervisor.aio if supervisor is not None else None

        view, address = LiveView(running, approvals=approvals), Address(token=CANARY)
        with Toolbox(config, toolsets="*", registry=registry) as own:
            opened = json.loads(await own.adispatch("browser_tabs", {"action": "open", "url": sites.local("/")}))
            assert opened["success"]
            toolbox = Toolbox(config, toolsets="*", registry=registry, policy=policy, hooks=[approvals])
            async with (
                serve_live(view, address) as url,
                connect(chromium.ws_url) as viewers,
                viewers.new_page() as viewer,
            ):
                await goto(viewer, live_url(url, address))
                await until(viewer, "Number(document.getElementById('picture').dataset.pictures) > 0")
                yield Agent(toolbox, viewer)

    return beginning


async def test_a_call_waits_until_a_person_approves_it_and_its_aim_is_marked(agent_on: AgentOn) -> None:
    async with agent_on() as agent:
        call = agent.call("browser_click", ref='button "Pay"')
        await until(agent.viewer, ASKED)
        await until(agent.viewer, "document.querySelector('.aim') !== null")
        mark, picture = await js(
            agent.viewer,
            "[document.querySelector('.aim'), picture].map(node => { const box = node.getBoundingClientRect(); "
            "return [box.left, box.top, box.width] })",
        )
        assert await agent.value("window.paid") is None

        await click(agent.viewer, ".approval button.primary")

        result = await call
        assert (result["success"], "changed_by_person" in result) == (True, False)
        assert await agent.value("paid") == 1
        await until(agent.viewer, f"!({ASKED}) && document.querySelector('.aim') === null")
    scale = mark[2] / 120
    assert abs((mark[1] - picture[1]) / scale - 60) < 4


async def test_a_refusal_reaches_the_agent_with_the_persons_words(agent_on: AgentOn) -> None:
    async with agent_on() as agent:
        call = agent.call("browser_click", ref='button "Pay"')
        await until(agent.viewer, ASKED)
        await type_text(agent.viewer, ".approval input", "Not this one: it is too dear.")
        await click(agent.viewer, ".approval button:not(.primary)")

        result = await call
        assert (result["success"], result["error_type"], result["maybe_executed"]) == (False, "NotApproved", False)
        assert "Not this one: it is too dear." in result["error"]
        assert await agent.value("window.paid") is None


async def test_changed_arguments_are_carried_out_and_told(agent_on: AgentOn) -> None:
    async with agent_on() as agent:
        call = agent.call("browser_click", ref='button "Pay"')
        await until(agent.viewer, ASKED)
        await js(agent.viewer, "document.querySelector('.arguments').value = '[1]'")
        await click(agent.viewer, ".approval button.primary")
        await until(agent.viewer, "notices.textContent.includes('not a JSON object')")
        changed = json.dumps({"ref": 'button "Leave"'})
        await js(agent.viewer, f"document.querySelector('.arguments').value = {json.dumps(changed)}")
        await click(agent.viewer, ".approval button.primary")

        result = await call
        assert (result["success"], json.loads(result["changed_by_person"])) == (True, {"ref": 'button "Leave"'})
        assert "changed_by_person" in agent.toolbox.as_text("browser_click", result)
        assert await agent.value("[window.paid ?? null, left]") == [None, True]


CHANGES = {
    "another document": "location.reload()",
    "another origin": "location = location.href.replace('localhost', '127.0.0.1')",
    "another label": "pay.textContent = 'Pay 1000'",
    "another element": "pay.replaceWith(pay.cloneNode(true))",
    "another address": "pay.formAction = 'http://evil.test/'",
    "another address of a form whose field is named action": "pay.parentElement.setAttribute('action', '/evil')",
    "a page that answers nothing": "setTimeout(() => { for (const end = Date.now() + 9000; Date.now() < end;); }); 1",
    "another route": "history.pushState(null, '', '/other')",
    "a dialog": "setTimeout(() => confirm('Sure?'))",
}


@pytest.mark.parametrize("change", CHANGES)
async def test_what_became_something_else_while_the_question_stood_is_asked_anew(
    agent_on: AgentOn, approvals: Approvals, change: str
) -> None:
    async with agent_on(Policy(approve=("browser_click",))) as agent:
        await agent.value("pay.outerHTML = `<form><input name=action>${pay.outerHTML}</form>`")
        call = agent.call("browser_click", ref="css=#pay")
        await until(agent.viewer, ASKED)
        await agent.value(CHANGES[change])
        if change in ("another document", "another origin"):
            await asyncio.sleep(0.5)  # until it is there
        await click(agent.viewer, ".approval button.primary")
        await until(agent.viewer, "document.querySelector('.approval')?.textContent.includes('has changed since')")

        (asked,) = approvals.waiting
        assert (asked.id, asked.is_again) == ("a-2", True)
        approvals.refuse(asked.id)
        assert (await call)["error_type"] == "NotApproved"


async def test_a_tab_that_came_to_the_front_and_a_focus_that_moved_are_asked_for_anew(
    agent_on: AgentOn, approvals: Approvals
) -> None:
    async with agent_on(Policy(approve=("browser_press",))) as agent:
        await agent.value("document.querySelectorAll('button')[1].focus()")
        call = agent.call("browser_press", key="Enter")
        await until(agent.viewer, ASKED)
        await agent.value("pay.focus()")
        approvals.approve("a-1")
        await until(agent.viewer, "document.querySelector('.approval')?.textContent.includes('has changed since')")
        assert (await agent.call("browser_tabs", action="open", url="about:blank"))["success"]
        approvals.approve("a-2")
        await soon(lambda: [asked.id for asked in approvals.waiting] == ["a-3"])
        approvals.approve("a-3")

        assert (await call)["success"]


async def test_a_page_that_never_stays_as_it_is_ends_the_questions(agent_on: AgentOn, approvals: Approvals) -> None:
    async with agent_on(Policy(approve=("browser_click",))) as agent:
        await agent.value("setInterval(() => { pay.textContent = Math.random() }, 5); 1")
        call = agent.call("browser_click", ref="css=#pay")
        while not call.done():
            for asked in approvals.waiting:
                approvals.approve(asked.id)
            await asyncio.sleep(0.02)

        result = await call
        assert (result["error_type"], result["maybe_executed"]) == ("NotApproved", False)
        assert "approved it 5 times" in result["error"]


def asked_for(approvals: Approvals, name: str, arguments: dict[str, Any]) -> asyncio.Task[Any]:
    """A call that is approved or not; its result is what is carried out."""

    async def carry_out(call: ToolCall) -> dict[str, Any]:
        return {"arguments": call.arguments}

    asking = ToolCall(name=name, arguments=arguments, task_id="t", needs_approval=True)
    return asyncio.create_task(approvals(asking, carry_out))


async def test_arguments_that_the_caller_changes_meanwhile_are_those_that_were_shown(approvals: Approvals) -> None:
    given = {"ref": "e1", "steps": [{"ref": "e2"}]}
    call = asked_for(approvals, "browser_click", given)
    await soon(lambda: bool(approvals.waiting))
    given.update(ref="e3", steps=[])
    approvals.approve("a-1")

    assert await call == {"arguments": {"ref": "e1", "steps": [{"ref": "e2"}]}}


async def test_a_batch_is_approved_as_a_whole_and_what_only_reads_asks_nobody(agent_on: AgentOn) -> None:
    async with agent_on() as agent:
        assert (await agent.call("browser_snapshot"))["success"]
        steps = [{"tool": "click", "arguments": {"ref": f'button "{name}"'}} for name in ("Pay", "Leave", "Pay")]
        call = agent.call("browser_batch", steps=steps)
        await until(agent.viewer, ASKED)
        await click(agent.viewer, ".approval button.primary")

        assert (await call)["done"] == 3
        assert await agent.value("[paid, left]") == [2, True]


async def test_steps_of_a_batch_are_asked_for_where_the_policy_names_only_their_tool(agent_on: AgentOn) -> None:
    policy = Policy(approve=("browser_click",))
    async with agent_on(policy) as agent:
        call = agent.call("browser_batch", steps=[{"tool": "click", "arguments": {"ref": 'button "Pay"'}}])
        await until(agent.viewer, ASKED)
        await click(agent.viewer, ".approval button:not(.primary)")

        assert (await call)["success"] is False
        assert await agent.value("window.paid") is None


@pytest.mark.parametrize("approvals", [Approvals(wait_s=0.3)])
async def test_a_call_that_nobody_approves_fails_and_one_that_ended_waits_no_more(
    agent_on: AgentOn, approvals: Approvals
) -> None:
    async with agent_on(Policy(approve=("*",))) as agent:
        result = await agent.call("browser_press", key="Tab")

        assert result["error_type"] == "NotApproved"
        assert "no person approved it within 0.3 s" in result["error"]
        assert approvals.waiting == ()
        approvals.approve("a-1")
        approvals.refuse("a-1")


async def test_a_person_sees_all_of_the_arguments_and_hidden_characters_as_escapes(approvals: Approvals) -> None:
    given = {"text": "h\u00e9 \u202e\U000e0041" + "x" * 30_000}
    call = asked_for(approvals, "browser_type", given)
    await soon(lambda: bool(approvals.waiting))
    (asked,) = approvals.waiting
    approvals.approve(asked.id, asked.arguments)

    assert (await call)["arguments"] == given == json.loads(asked.arguments)
    assert "h\u00e9 \\u202e\\udb40\\udc41x" in asked.arguments
