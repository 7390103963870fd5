"""The text of the browser's clipboard, read and written through an empty tab."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from typing import Any

from cdp_typed._base import Command
from cdp_typed.errors import CDPError
from cdp_typed.helpers.shared.clipboard_field import COPY, MAKE, PASTE, READ, SELECT_ALL, insert
from cdp_typed.protocol import target
from supervisor.aio import AsyncSupervisor
from supervisor.tools.framework.tool import ToolContext


async def read(context: ToolContext) -> str:
    """Return the text on the clipboard; "" where it has no text. Raises `PolicyRefused`."""
    async with _field(context) as page_id:
        return await _pasted(context.supervisor, page_id)


async def write(context: ToolContext, text: str) -> str:
    """Put a text on the clipboard, and return the text that the clipboard then has. Raises `PolicyRefused`."""
    async with _field(context) as page_id:
        await _send(context.supervisor, page_id, (insert(text), SELECT_ALL, COPY, SELECT_ALL))
        return await _pasted(context.supervisor, page_id)


@asynccontextmanager
async def _field(context: ToolContext) -> AsyncGenerator[str]:
    """The id of an empty tab with a text field, which neither becomes the current page nor comes to the front."""
    for method in (target.CreateTarget.METHOD, PASTE.METHOD):
        context.policy.check_method(method)
    supervisor = context.supervisor
    page_id = (await supervisor.open_page(select=False)).target_id
    try:
        await _send(supervisor, page_id, (MAKE,))
        yield page_id
    finally:
        with contextlib.suppress(CDPError):  # the connection is lost, and the tab ends with it
            await supervisor.close_page(page_id)


async def _pasted(supervisor: AsyncSupervisor, page_id: str) -> str:
    await supervisor.send(PASTE, page_id)
    return str((await supervisor.send(READ, page_id)).result.value)


async def _send(supervisor: AsyncSupervisor, page_id: str, commands: Iterable[Command[Any]]) -> None:
    for command in commands:
        await supervisor.send(command, page_id)
