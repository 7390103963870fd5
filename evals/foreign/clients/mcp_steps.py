"""An MCP server that drives a browser over CDP; usage: HTTP_ADDRESS ORIGIN SERVER NODE_MODULES."""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from steps import Step, play

from evals.agents.stdio_client import StdioClient


async def main(http: str, origin: str, server: str, modules: str) -> None:
    devtools = server == "chrome-devtools-mcp"
    program = f"{modules}/chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js"
    command = ["node", program, "--browserUrl", http, "--no-usage-statistics", "--no-performance-crux"]
    if not devtools:
        command = ["node", f"{modules}/@playwright/mcp/cli.js", "--cdp-endpoint", http]
        command += ["--timeout-action", "2000", "--timeout-navigation", "4000"]
    with tempfile.TemporaryDirectory() as folder:
        quiet = {"CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS": "1"}
        with StdioClient(command, Path(folder), quiet) as client:
            await play(_of_devtools(client, origin) if devtools else _of_playwright(client, origin))


def _tool(client: StdioClient, name: str, **arguments: Any) -> Step:
    async def call() -> Any:
        text, failed = await asyncio.to_thread(client.call, name, arguments)
        if failed:
            raise RuntimeError(" ".join(text.split())[:300])
        # What pages, elements and runs are numbered by is no part of it.
        text = re.sub(r"\(\.playwright-mcp/[^)]*\)", "(#)", text)
        return re.sub(r"\b(ref=|uid=|reqid=|msgid=)\w+|\[\w*\d+\w*\]|\d+(\.\d+)?\s?m?s\b", "#", text).strip()

    return call


def _of_playwright(client: StdioClient, origin: str) -> dict[str, Step]:
    def tool(name: str, **arguments: Any) -> Step:
        return _tool(client, f"browser_{name}", **arguments)

    def both(first: Step, second: Step) -> Step:
        async def play_both() -> Any:
            return [await first(), await second()]

        return play_both

    return {
        "navigate": tool("navigate", url=f"{origin}/"),
        "evaluate": tool("evaluate", function="() => 6 * 7"),
        "evaluate what throws": tool("evaluate", function="() => { throw new Error('no') }"),
        "snapshot": tool("snapshot"),
        "console_messages": tool("console_messages", level="info"),
        "network_requests": tool("network_requests", static=False),
        "press_key": tool("press_key", key="a"),
        "resize": tool("resize", width=800, height=600),
        "take_screenshot": _short(tool("take_screenshot")),
        "handle_dialog": both(
            tool("evaluate", function="() => prompt('Name?')"), tool("handle_dialog", accept=True, promptText="Ada")
        ),
        "navigate_back": tool("navigate_back"),
        "tabs": tool("tabs", action="list"),
        "navigate to another page": tool("navigate", url=f"{origin}/second"),
        "wait_for": tool("wait_for", time=0.1),
        "close": tool("close"),
    }


def _of_devtools(client: StdioClient, origin: str) -> dict[str, Step]:
    def tool(name: str, **arguments: Any) -> Step:
        page = {} if name in ("new_page", "list_pages") else {"pageId": 2}  # the first one is empty
        return _tool(client, name, **page, **arguments)

    return {
        "new_page": tool("new_page", url=f"{origin}/"),
        "list_pages": tool("list_pages"),
        "evaluate_script": tool("evaluate_script", function="() => 6 * 7"),
        "evaluate_script that throws": tool("evaluate_script", function="() => { throw new Error('no') }"),
        "take_snapshot": tool("take_snapshot"),
        "list_console_messages": tool("list_console_messages"),
        "list_network_requests": tool("list_network_requests"),
        "press_key": tool("press_key", key="a"),
        "resize_page": tool("resize_page", width=800, height=600),
        "take_screenshot": _short(tool("take_screenshot")),
        "emulate": tool("emulate", networkConditions="Slow 3G"),
        "navigate_page": tool("navigate_page", type="url", url=f"{origin}/second"),
        "navigate_page, back": tool("navigate_page", type="back"),
        "wait_for": tool("wait_for", text=["nowhere"], timeout=1000),
    }


def _short(step: Step) -> Step:
    async def call() -> Any:
        return (await step())[:12]

    return call


asyncio.run(main(*sys.argv[1:]))
