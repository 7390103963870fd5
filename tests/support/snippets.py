"""Snippets of the documentation, run as they are printed."""

from __future__ import annotations

import asyncio
import re
import textwrap
from collections.abc import Mapping
from typing import Any

from cdp_typed import connect
from cdp_typed.launch import LaunchedBrowser

SITE = "https://example.com"
"""Stands for the server of a test."""


def sections(document: str, language: str = "python") -> dict[str, list[str]]:
    """The snippets below each heading of the third level."""
    found: dict[str, list[str]] = {}
    for section in re.split(r"^### ", document, flags=re.MULTILINE)[1:]:
        title, _, text = section.partition("\n")
        own = re.split(r"^## ", text, flags=re.MULTILINE)[0]
        found[title] = re.findall(rf"```{language}\n(.*?)```", own, flags=re.DOTALL)
    return found


def replaced(snippet: str, here: Mapping[str, str]) -> str:
    """The snippet with addresses of this machine in place of its own."""
    for there, own in here.items():
        snippet = snippet.replace(there, own)
    return snippet


async def run_snippet(snippet: str, chromium: LaunchedBrowser) -> dict[str, Any]:
    """The names that a snippet leaves, run with `browser` and `tab`, or on a thread if it is without async."""
    names: dict[str, Any] = {}
    if "connect_sync(" in snippet:
        await asyncio.to_thread(exec, compile(snippet, "snippet", "exec"), names)
        return names
    body = textwrap.indent(snippet, "    ")
    exec(compile(f"async def run(browser, tab):\n{body}    return locals()\n", "snippet", "exec"), names)
    async with connect(chromium) as browser, browser.new_page() as tab:
        return {**names, **await names["run"](browser, tab)}
