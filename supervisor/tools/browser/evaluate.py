"""The tool `browser_evaluate`."""

from __future__ import annotations

import asyncio
import errno
import re
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeAlias, TypeVar
from urllib.parse import urlsplit
from urllib.request import url2pathname

from msgspec import Meta, Struct

from cdp_typed._base import Command
from cdp_typed.errors import CommandError
from cdp_typed.printable import visible
from cdp_typed.protocol import runtime
from supervisor.aio import AsyncSupervisor
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.tool_errors import InvalidArgument, PolicyRefused
from supervisor.tools.framework.untrusted_text import PageText, PageValue
from supervisor.tools.page.locators import frame_meant, refs_for
from supervisor.tools.page.page_frames import find, top_frame
from supervisor.tools.page.scripts.script_values import ScriptValue, call_with, value_of
from supervisor.tools.page.scripts.second_session import named_worker, worker_named
from supervisor.tools.raw_commands.bounds import bounds_of

from .showing import owe_changes

Timeout: TypeAlias = Annotated[float, Meta(gt=0, le=300)]
"""Seconds."""

R = TypeVar("R")

LONGEST_FILE = 1_000_000
"""Bytes of a file with a script."""
_FILE = "file://"
_FUNCTION = re.compile(r"\s*\(?\s*(?:async\b\s*)?(?:function\b|(?:\w+|\([^()]*\))\s*=>)")
"""The start of an expression that only makes a function."""


class EvaluateArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_evaluate`: the script and its frame."""

    expression: str
    """JavaScript, or file:///script.js. Functions are called, promises awaited. The value must be JSON."""
    refs: list[str] = []
    """Elements for the function."""
    frame_id: str | None = None
    """An iframe's ref, an id, or worker=part of a worker's URL."""
    timeout: Timeout = 30.0
    """Seconds."""


class Evaluated(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The value of the script."""

    value: PageValue
    type: str = ""
    """Of what is not JSON: `undefined`, `function`, `node`, ..."""
    description: PageText = ""
    """The same, as a developer reads it."""


@tool(toolset="browser-cdp", destructive=True)
async def browser_evaluate(context: ToolContext, arguments: EvaluateArguments) -> Evaluated:
    """Evaluate JavaScript in any frame or worker of the page."""
    script, worker = arguments.expression, named_worker(arguments.frame_id)
    owe_changes(context.supervisor, "all")
    if script.startswith(_FILE):
        script = await _read(context, script)
    if arguments.refs:
        if arguments.frame_id is not None:
            raise InvalidArgument("frame_id", "leave it out: the script runs in the frame of the elements")
        done = await _with_elements(context.supervisor, script, arguments.refs, arguments.timeout)
    elif worker is not None:
        done = await _in_worker(context, worker, script, arguments.timeout)
    else:
        done = await _in_frame(context.supervisor, script, arguments)
    if done.value is not None or done.type == "null":
        return Evaluated(value=done.value)
    description = "" if done.description == done.type else done.description
    return Evaluated(value=None, type=done.type, description=description)


async def _in_frame(supervisor: AsyncSupervisor, script: str, arguments: EvaluateArguments) -> ScriptValue:
    frame_id = await frame_meant(supervisor, arguments.frame_id) or top_frame(supervisor).frame_id

    async def send(command: Command[R]) -> R:
        return await supervisor.send(command, frame_id, timeout_s=arguments.timeout)

    return await _value(script, send)


async def _in_worker(context: ToolContext, named: str, script: str, timeout_s: float) -> ScriptValue:
    async with worker_named(context.supervisor, context.policy, named) as worker:

        async def send(command: Command[R]) -> R:
            return await worker.send(command, timeout_s)

        await send(runtime.Enable())  # without it there is no compileScript
        return await _value(script, send)


async def _value(script: str, send: Callable[[Command[Any]], Awaitable[Any]]) -> ScriptValue:
    """The value of a script, or that of the function which it makes. It runs once, as in the console of DevTools."""

    async def run(text: str) -> ScriptValue:
        return await value_of(send, await send(runtime.Evaluate(expression=text, await_promise=True, repl_mode=True)))

    if not _FUNCTION.match(script):
        return await run(script)
    inside = f"({_plain(script)}\n)"
    check = runtime.CompileScript(expression=inside, source_url="", persist_script=False)
    try:
        is_one = (await send(check)).exception_details is None
    except CommandError:  # a browser that cannot compile
        is_one = False
    if not is_one:  # a function, and statements after it
        return await run(script)
    done = await run(inside)
    return await run(f"{inside}()") if done.type == "function" else done


def _plain(script: str) -> str:
    return script.strip().removesuffix(";")


async def _with_elements(
    supervisor: AsyncSupervisor, script: str, named: Sequence[str], timeout_s: float
) -> ScriptValue:
    elements = [find(supervisor, ref) for ref in await refs_for(supervisor, named)]
    if len({element.frame.frame_id for element in elements}) > 1:
        raise InvalidArgument("refs", "the elements are in several frames; give those of one frame")
    if not _FUNCTION.match(script):
        raise InvalidArgument("expression", "with refs, write a function of the elements, such as (e) => e.id")
    return await call_with(supervisor, elements, f"({_plain(script)}\n)", timeout_s)


async def _read(context: ToolContext, url: str) -> str:
    """The script in a file of this machine. Raises `InvalidArgument`, and `PolicyRefused`."""
    path, bounds = url2pathname(urlsplit(url).path), await bounds_of(context.supervisor, None)
    for rules in (context.policy.url_rules, *bounds.url_rules):
        if why := rules.why_not(url):
            raise PolicyRefused(visible(path), why)
    if bounds.hold and context.policy.allow_files is None:
        raise PolicyRefused(visible(path), "it names no files that scripts may come from")
    context.policy.check_file(path)
    try:
        data = await asyncio.to_thread(_bytes_of, path)
        return data.decode("utf-8-sig")
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or "it is not UTF-8 text"
        raise InvalidArgument("expression", f"the file cannot be read: {reason}") from None


def _bytes_of(path: str) -> bytes:
    with Path(path).open("rb") as file:
        data = file.read(LONGEST_FILE + 1)
    if len(data) > LONGEST_FILE:
        raise OSError(errno.EFBIG, f"it has more than {LONGEST_FILE:,} bytes")
    return data
