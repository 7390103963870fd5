"""Hooks around every call of a toolbox."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from msgspec.structs import replace

from supervisor import InvalidConfig, SupervisorRegistry
from supervisor.tools import CallNext, Catalogue, Policy, PolicyRefused, Tool, Toolbox, ToolCall

SCHEMA = {"type": "object", "properties": {"left": {"type": "integer"}}, "required": ["left"]}


def doubled(left: int) -> int:
    return 2 * left


def box_with(*hooks: Any, policy: Policy | None = None) -> Toolbox:
    double = Tool.from_schema("double", "Double a number.", SCHEMA, doubled, toolset="sums")
    registry = SupervisorRegistry()
    return Toolbox(catalogue=Catalogue([double]), toolsets="*", hooks=hooks, registry=registry, policy=policy)


def test_hooks_see_each_call_and_its_result_the_first_one_outermost() -> None:
    seen: list[Any] = []

    async def outer(call: ToolCall, call_next: CallNext) -> dict[str, Any]:
        seen.append(("outer", call))
        result = await call_next(call)
        seen.append(result)
        return {**result, "seen": True}

    async def inner(call: ToolCall, call_next: CallNext) -> dict[str, Any]:
        seen.append("inner")
        return await call_next(replace(call, arguments={"left": 4}))

    text = box_with(outer, inner).dispatch("double", '{"left": 3}', "t1")

    assert json.loads(text) == {"success": True, "result": 8, "seen": True}
    assert seen == [
        ("outer", ToolCall(name="double", arguments='{"left": 3}', task_id="t1")),
        "inner",
        {"success": True, "result": 8},
    ]


def test_a_failed_call_is_a_result_for_hooks_too() -> None:
    seen: list[dict[str, Any]] = []

    async def watch(call: ToolCall, call_next: CallNext) -> dict[str, Any]:
        seen.append(await call_next(call))
        return seen[-1]

    text = box_with(watch).dispatch("double", {})

    assert json.loads(text) == seen[0]
    assert seen[0]["error"] == "argument 'left': missing; expected a whole number"


def test_a_hook_refuses_by_raising_and_answers_without_the_tool() -> None:
    async def ask(call: ToolCall, call_next: CallNext) -> dict[str, Any]:
        if call.arguments == {"left": 1}:
            raise PolicyRefused("double", "nobody has allowed it")
        if call.arguments == {"left": 2}:
            return {"success": True, "result": "cached token-7"}
        raise SystemExit(1)

    box = box_with(ask, policy=Policy(redact=("token-[0-9]",)))

    assert [json.loads(box.dispatch("double", {"left": left})) for left in (1, 2, 3)] == [
        {"success": False, "error": "double is refused by the policy: nobody has allowed it", "error_type": "Refused"},
        {"success": True, "result": "cached [redacted]"},
        {"success": False, "error": "double: its handler raised SystemExit", "error_type": "HandlerAborted"},
    ]


def test_hooks_see_which_calls_need_approval_and_cannot_change_that() -> None:
    seen: list[bool] = []

    async def free(call: ToolCall, call_next: CallNext) -> dict[str, Any]:
        seen.append(call.needs_approval)
        return await call_next(replace(call, needs_approval=False))

    held, let = (
        json.loads(box_with(free, policy=policy).dispatch("double", {"left": 3}))
        for policy in (Policy(approve=("doub*",)), Policy())
    )

    why = "a person has to approve its calls, and nobody is asked here"
    assert held == {"success": False, "error": f"double is refused by the policy: {why}", "error_type": "Refused"}
    assert (seen, let["success"]) == ([True, False], True)


def test_a_pattern_means_only_tools_that_act_and_a_name_any_tool() -> None:
    for pattern, reads, acts in (("browser_*", False, True), ("browser_snapshot", True, False), ("*", False, True)):
        policy = Policy(approve=(pattern,))

        assert policy.asks_person("browser_snapshot", acts=False) is reads
        assert policy.asks_person("browser_click", acts=True) is acts


@pytest.mark.parametrize("pattern", ["doubel", "sums", "no_*"])
def test_an_entry_that_means_no_tool_is_refused(pattern: str) -> None:
    with pytest.raises(InvalidConfig, match=rf"^approve='{re.escape(pattern)}' is not allowed; expected the name of a"):
        box_with(policy=Policy(approve=(pattern,)))
