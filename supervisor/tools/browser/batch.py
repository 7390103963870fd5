"""The tool `browser_batch`: several calls in one."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET, Struct

from supervisor.tools.framework.results import ResultFields
from supervisor.tools.framework.tool import ToolContext, ToolInvoker, tool
from supervisor.tools.framework.tool_errors import InvalidArgument, ToolUnavailable, UnknownTool
from supervisor.tools.framework.untrusted_text import QuotedLines

from .showing import one_change

PREFIX = "browser_"
STEPS = frozenset(
    {"back", "click", "dialog", "drag", "fill_form", "hover", "navigate", "press", "scroll", "tabs", "type", "wait"}
)
"""The tools that may be steps, without their prefix. Scripts, raw commands and files are calls that a host may want to
see, and to refuse, one by one."""
_CHANGING = frozenset(
    f"{PREFIX}{name}" for name in ("click", "dialog", "drag", "fill_form", "hover", "press", "scroll", "type")
)
"""Those that can show what they change."""
MOST = 20

_OF_THE_WHOLE = ("pending_dialogs", "blockers", "controlled_by_person", "untrusted")
"""Fields that the result of the batch has itself."""
_OF_A_FAILURE = ("error_type", "maybe_executed", "page_error", "blocked_by_dialog")


class BatchStep(Struct, frozen=True, kw_only=True):
    """One step of a batch."""

    tool: str
    """Such as click, type, press, fill_form or wait."""
    arguments: dict[str, Any] = {}


class BatchArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_batch`: the steps, in order."""

    steps: tuple[BatchStep, ...]


class BatchDone(ResultFields, frozen=True, kw_only=True, omit_defaults=True):
    """The results of the steps. If one failed, the error is that of the step, and the later ones were not done.

    A step fails, too, when its element may not have got it.
    """

    done: int
    """The number of steps that succeeded."""
    results: QuotedLines = ""
    """For each of these its number, its tool and its result."""


@tool(toolset="browser", destructive=True, calls_tools=True)
async def browser_batch(context: ToolContext, arguments: BatchArguments) -> BatchDone:
    """Do several steps in one call. It stops at the first that fails."""
    if context.others is None:
        raise ToolUnavailable("browser_batch", "its caller has no other tools")
    calls = _checked(context.others, arguments.steps)
    shows = any(given.get("snapshot") and name in _CHANGING for name, given in calls[1:])
    async with one_change(context.supervisor) if shows else contextlib.nullcontext():
        return await _done(context.others, calls)


async def _done(others: ToolInvoker, calls: Sequence[tuple[str, dict[str, Any]]]) -> BatchDone:
    lines: list[str] = []
    for number, (name, given) in enumerate(calls, 1):
        result = await others.call(name, given)
        if not result["success"]:
            return _failed(result, number, calls, lines)
        if result.get("maybe_executed"):
            return _failed({"error": result["hint"], "maybe_executed": True}, number, calls, lines)
        lines.append(_line(others, number, name, result))
    return BatchDone(success=True, done=len(calls), results="\n".join(lines))


def _checked(others: ToolInvoker, steps: Sequence[BatchStep]) -> list[tuple[str, dict[str, Any]]]:
    """The calls, if each of them would pass its check. Raises `InvalidArgument`."""
    if not 0 < len(steps) <= MOST:
        raise InvalidArgument("steps", f"expected 1 to {MOST} steps, got {len(steps)}")
    calls: list[tuple[str, dict[str, Any]]] = []
    for number, step in enumerate(steps, 1):
        where = f"step {number}"
        short = step.tool.removeprefix(PREFIX)
        if short not in STEPS:
            raise InvalidArgument(where, f"its tool can be {', '.join(sorted(STEPS))}; call others by themselves")
        try:
            others.check(PREFIX + short, step.arguments)
        except InvalidArgument as wrong:
            raise InvalidArgument(f"{where}, {wrong.argument}", wrong.problem) from None
        except (UnknownTool, ToolUnavailable) as missing:
            raise InvalidArgument(where, str(missing)) from None
        calls.append((PREFIX + short, step.arguments))
    return calls


def _failed(
    result: Mapping[str, Any], number: int, calls: Sequence[tuple[str, object]], lines: Sequence[str]
) -> BatchDone:
    undone = len(calls) - number
    error = str(result.get("error", "")).rstrip(".")
    rest = (
        f" The {undone} later steps were not done." if undone > 1 else " The last step was not done." if undone else ""
    )
    return BatchDone(
        success=False,
        error=f"Step {number} ({calls[number - 1][0]}): {error}.{rest}",
        **{name: result.get(name, UNSET) for name in _OF_A_FAILURE},
        done=number - 1,
        results="\n".join(lines),
    )


def _line(others: ToolInvoker, number: int, name: str, result: Mapping[str, Any]) -> str:
    own = {field: value for field, value in result.items() if field not in _OF_THE_WHOLE}
    text = others.as_text(name, own)
    space = "\n" if "\n" in text else " "
    return f"{number} {name}:{space}{text}"
