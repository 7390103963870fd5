"""Figures of `browser_vitals` beside those of chrome-devtools-mcp, for the same visits.

chrome-devtools-mcp loads each page and traces it. Ours then reads the same visit in the same browser. Both describe one
load, so the figures have to agree, however busy the machine is.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from cdp_typed import connect_sync
from cdp_typed.helpers.blocking import web_vitals
from cdp_typed.protocol import target
from evals.agents.devtools_hands import DevToolsHands
from evals.agents.mcp_servers import devtools
from evals.agents.stdio_client import StdioClient
from tests.support.servers.sites import Page, Request, Response, Sites

_SHIFT = """<div id=banner></div><h1 style="height: 300px; margin: 0">A heading</h1>
<script>setTimeout(() => { document.getElementById('banner').style.height = '90px' }, 400)</script>"""
_PICTURE = (
    "<svg xmlns='http://www.w3.org/2000/svg' width='600' height='400'><rect width='600' height='400'/><!--"
    + "x" * 9000
    + "--></svg>"
)
"""An image of few bytes is no candidate for the largest paint."""


def _slow(body: str, kind: str) -> Page:
    def answer(request: Request) -> Response:
        time.sleep(0.3)  # the delay is what is measured
        return Response(body, headers={"Content-Type": kind})

    return answer


PAGES: Mapping[str, str] = {
    "text": "<h1>A heading</h1><p>text",
    "slow picture": "<h1>x</h1><img src=/picture.svg width=600 height=400>",
    "blocking style and script": "<link rel=stylesheet href=/slow.css><script src=/slow.js></script><h1>Late</h1>",
    "layout shift": _SHIFT,
    "long task": "<h1>x</h1><script>const end = performance.now() + 300; while (performance.now() < end);</script>",
}


@dataclass(frozen=True)
class VisitFigures:
    """The figures of one visit by one program."""

    lcp_ms: float | None
    ttfb_ms: float | None
    cls: float | None

    def __str__(self) -> str:
        def shown(value: float | None, digits: int) -> str:
            return "none" if value is None else f"{value:.{digits}f}"

        return f"{shown(self.lcp_ms, 0)} / {shown(self.ttfb_ms, 0)} / {shown(self.cls, 2)}"


def report() -> str:
    """Return the table."""
    pages = enumerate(PAGES.values())
    served: dict[str, Page] = {
        "/picture.svg": _slow(_PICTURE, "image/svg+xml"),
        "/slow.css": _slow("h1 { color: red }", "text/css"),
        "/slow.js": _slow("1", "text/javascript"),
        **{f"/{number}": f"<!doctype html><link rel=icon href=data:,>{html}" for number, html in pages},
    }
    clients: list[StdioClient] = []

    def make(client: StdioClient) -> DevToolsHands:
        clients.append(client)
        return DevToolsHands(client)

    columns = ["page (LCP ms / TTFB ms / CLS)", "chrome-devtools-mcp", "`browser_vitals`"]
    lines = [f"| {' | '.join(columns)} |", "|---|---|---|"]
    with TemporaryDirectory() as folder, Sites(served) as sites, devtools(Path(folder), make) as running:
        for number, name in enumerate(PAGES):
            figures = _figures(clients[0], running.browser_url, sites.local(f"/{number}"))
            lines.append(f"| {name} | {' | '.join(map(str, figures))} |")
    return "\n".join(lines)


def _figures(client: StdioClient, browser: str, url: str) -> tuple[VisitFigures, VisitFigures]:
    page = int(re.findall(r"^(\d+):", client.call("list_pages", {})[0], re.MULTILINE)[-1])
    client.call("navigate_page", {"pageId": page, "url": url})
    text, _ = client.call("performance_start_trace", {"pageId": page})
    with connect_sync(browser) as connection:
        found = connection.send(target.GetTargets()).target_infos
        vitals = web_vitals(connection.attach(next(each.target_id for each in found if each.url == url)))
    return _theirs(text), VisitFigures(vitals.lcp_ms, vitals.ttfb_ms, vitals.cls)


def _theirs(text: str) -> VisitFigures:
    def number(pattern: str) -> float | None:
        found = re.search(pattern, text)
        return float(found[1].replace(",", "")) if found else None

    return VisitFigures(number(r"LCP:\s([\d.,]+)\sms"), number(r"TTFB:\s([\d.,]+)\sms"), number(r"CLS:\s([\d.]+)"))
