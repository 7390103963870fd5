"""A command that is meant for a frame reaches that frame, or none."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_typed import Command
from cdp_typed.protocol import accessibility, browser, dom, emulation, page, runtime, system_info, target
from supervisor import NotForOneFrame
from supervisor.core.calls.frame_routing import aim, is_for_the_browser
from supervisor.core.state.frames import Context, Frame

TOP = Frame(frame_id="top", parent_id=None, page_id="top", session_id="s")
OOPIF = Frame(frame_id="oopif", parent_id="top", page_id="top", session_id="s-2", is_oopif=True)
CHILD = Frame(frame_id="child", parent_id="top", page_id="top", session_id="s")
CONTEXT = Context(unique_id="unique", session_id="s", number=7)


@pytest.mark.parametrize("frame", [TOP, OOPIF, CHILD], ids=lambda frame: frame.frame_id)
def test_a_script_runs_in_the_frame_s_own_context_or_waits_for_it(frame: Frame) -> None:
    script, names = runtime.Evaluate(expression="1"), runtime.GlobalLexicalScopeNames()
    number = runtime.ExecutionContextId(7)

    assert aim(script, frame, CONTEXT) == runtime.Evaluate(expression="1", unique_context_id="unique")
    assert aim(names, frame, CONTEXT) == runtime.GlobalLexicalScopeNames(execution_context_id=number)
    assert aim(script, frame, None) is None
    assert aim(names, frame, None) is None


def test_a_command_that_takes_a_frame_gets_it() -> None:
    tree_of_oopif = accessibility.GetFullAXTree(frame_id=page.FrameId("oopif"))

    assert aim(page.Navigate(url="u"), CHILD, CONTEXT) == page.Navigate(url="u", frame_id=page.FrameId("child"))
    assert aim(accessibility.GetFullAXTree(), OOPIF, None) == tree_of_oopif


@pytest.mark.parametrize(
    "command",
    [
        runtime.Evaluate(expression="1", unique_context_id="mine"),
        runtime.Evaluate(expression="1", context_id=runtime.ExecutionContextId(3)),
        runtime.CallFunctionOn(function_declaration="f", object_id=runtime.RemoteObjectId("o")),
        runtime.CallFunctionOn(function_declaration="f", execution_context_id=runtime.ExecutionContextId(3)),
        dom.DescribeNode(backend_node_id=dom.BackendNodeId(1)),
        page.Navigate(url="u", frame_id=page.FrameId("other")),
        runtime.TerminateExecution(),
    ],
    ids=lambda command: command.METHOD,
)
def test_a_command_that_says_itself_what_it_means_is_left_as_it_is(command: Any) -> None:
    assert aim(command, CHILD, CONTEXT) is command


@pytest.mark.parametrize(
    "command",
    [dom.GetDocument(), emulation.SetUserAgentOverride(user_agent="x"), page.Reload()],
    ids=lambda command: command.METHOD,
)
def test_a_command_for_a_whole_page_is_refused_for_a_part_of_it(command: Command[Any]) -> None:
    assert aim(command, TOP, CONTEXT) is command
    assert aim(command, OOPIF, CONTEXT) is command

    with pytest.raises(NotForOneFrame, match=f"{command.METHOD} means the whole page .* 'child' alone"):
        aim(command, CHILD, CONTEXT)


def test_what_the_browser_alone_can_do_goes_to_it() -> None:
    assert is_for_the_browser(system_info.GetInfo(), has_page=True)
    assert is_for_the_browser(target.CloseTarget(target_id=target.TargetID("T")), has_page=True)
    assert not is_for_the_browser(browser.GetVersion(), has_page=True)
    assert is_for_the_browser(browser.GetVersion(), has_page=False)
    assert is_for_the_browser(target.CreateTarget(url="u"), has_page=False)
    assert not is_for_the_browser(page.Reload(), has_page=False)
