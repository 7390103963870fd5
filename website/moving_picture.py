"""The moving picture of the README: the same click, sent by a plain CDP client and by this project, on two Chromiums.

Both programs really run, and the picture shows what they printed and when. It is an SVG whose lines appear one after
the other, so it is small and needs no player.
"""

from __future__ import annotations

import asyncio
import time
import warnings
from collections.abc import Awaitable, Callable
from html import escape
from importlib.metadata import version
from urllib.parse import quote

from cdp_use.client import CDPClient
from msgspec import Struct

from cdp_typed.launch import NoSandboxWarning, launch
from supervisor import AsyncSupervisor, BlockedByDialog

__all__ = ["confirm_picture"]

_PAGE = "data:text/html," + quote(
    "<button onclick=\"document.title = confirm('Delete 3 files?') ? '3 files deleted' : 'kept'\">Delete</button>"
)
_CLICK = "document.querySelector('button').click()"
_PATIENCE_S = 10.0
_WIDTH, _PANE, _HEIGHT, _LINE = 920, 440, 236, 22


class Shown(Struct, frozen=True):
    """A line of a pane: when it appears, in seconds, and its class in the style."""

    at_s: float
    text: str
    kind: str = ""


class Pane(Struct):
    """The output of one of the two programs."""

    title: str
    lines: list[Shown]

    def show(self, began: float, text: str, kind: str = "") -> None:
        """Add a line that appears now."""
        self.lines.append(Shown(time.monotonic() - began, text, kind))


def confirm_picture() -> bytes:
    """Play both programs, and return the picture as an SVG."""
    panes = [asyncio.run(_on_chromium(play)) for play in (_with_cdp_use, _with_supervisor)]
    return _svg(panes).encode()


async def _on_chromium(play: Callable[[str], Awaitable[Pane]]) -> Pane:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NoSandboxWarning)
        starting = launch()
    async with starting as chromium:
        return await play(chromium.ws_url)


async def _with_cdp_use(address: str) -> Pane:
    pane = Pane(f"cdp-use {version('cdp-use')}", [])
    async with CDPClient(address) as client:
        target = (await client.send.Target.createTarget({"url": _PAGE}))["targetId"]
        session = (await client.send.Target.attachToTarget({"targetId": target, "flatten": True}))["sessionId"]
        await client.send.Page.enable(session_id=session)
        began = time.monotonic()
        pane.show(began, "await client.send.Runtime.evaluate(")
        pane.show(began, "    {'expression': click}, session)")
        call = asyncio.ensure_future(client.send.Runtime.evaluate({"expression": _CLICK}, session))
        while time.monotonic() - began < _PATIENCE_S:
            done, _ = await asyncio.wait([call], timeout=1.0)
            if done:
                raise RuntimeError(f"the call ended: {call.result()}; the picture says that it does not")
            pane.show(began, f"waiting for a reply ... {time.monotonic() - began:.0f} s", "clock")
        pane.show(began, "still no reply: confirm() blocks the page", "bad")
        pane.show(began, "(until the program handles dialogs itself)", "note")
        call.cancel()
    return pane


async def _with_supervisor(address: str) -> Pane:
    pane = Pane(f"supervisor (cdp-typed {version('cdp-typed')})", [])
    async with AsyncSupervisor(address) as supervisor:
        await supervisor.navigate(_PAGE)
        began = time.monotonic()
        pane.show(began, "supervisor.evaluate(click)")
        try:
            await supervisor.evaluate(_CLICK)
            raise RuntimeError("no dialog stopped the call; the picture says that one does")
        except BlockedByDialog as blocked:
            dialog = blocked.dialog
        pane.show(began, f"BlockedByDialog, {_ms(began)}: {dialog.type} {dialog.message!r}", "good")
        pane.show(began, "supervisor.respond_to_dialog('accept')")
        receipt = await supervisor.respond_to_dialog("accept")
        pane.show(began, f"answered by {receipt.closed_by}", "good")
        pane.show(began, "supervisor.evaluate('document.title')")
        title = (await supervisor.evaluate("document.title")).value
        pane.show(began, f"{title!r} after {_ms(began)}", "good")
    return pane


def _ms(began: float) -> str:
    return f"{(time.monotonic() - began) * 1000:.0f} ms"


_STYLE = """
text { font: 13px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #d6deeb; white-space: pre }
.title { font: 600 13px system-ui, sans-serif; fill: #8fa3bf } .bad { fill: #ff8c82 } .good { fill: #7ee2a8 }
.clock { fill: #ffcf70 } .note { fill: #8fa3bf }
"""
_REPEAT_S = _PATIENCE_S + 5
_PACE_S = 0.7
"""A person cannot read lines that come within 10 ms: the lines of one moment appear this far apart."""


def _svg(panes: list[Pane]) -> str:
    style, drawn = [_STYLE], list[str]()
    for number, pane in enumerate(panes):
        left = number * (_PANE + 20) + 10
        drawn.append(f'<rect x="{left}" y="10" width="{_PANE}" height="{_HEIGHT - 20}" rx="8" fill="#0f1b2d"/>')
        drawn.append(f'<text class="title" x="{left + 16}" y="36">{escape(pane.title)}</text>')
        row = 0
        for at, line in enumerate(pane.lines):
            same_row = line.kind == "clock" and at > 0 and pane.lines[at - 1].kind == "clock"
            row += not same_row
            appears = max(line.at_s, (row - 1) * _PACE_S)
            following = pane.lines[at + 1] if at + 1 < len(pane.lines) else None
            leaves = following.at_s if following and line.kind == following.kind == "clock" else _REPEAT_S
            name = f"l{number}-{at}"
            style.append(_keyframes(name, appears, leaves))
            text = f'x="{left + 16}" y="{44 + row * _LINE}">{escape(line.text)}</text>'
            drawn.append(f'<text id="{name}" class="{line.kind}" {text}')
    label = "Two clients click a button that opens confirm(): the first waits without end, the second learns of it"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}" '
        f'role="img" aria-label="{label}"><style>{"".join(style)}</style>{"".join(drawn)}</svg>\n'
    )


def _keyframes(name: str, appears: float, leaves: float) -> str:
    """Show a line from `appears` to `leaves`, again and again. Who wants no motion sees every line but the clock's."""
    start, end = (min(100.0, 100 * at / _REPEAT_S) for at in (appears, leaves))
    is_for_a_moment = leaves < _REPEAT_S
    steps = [f"0%,{max(0.0, start - 0.01):.2f}%{{opacity:0}}"] if appears > 0 else []
    steps += [f"{start:.2f}%,{end - 0.01:.2f}%{{opacity:1}}"]
    steps += [f"{end:.2f}%,100%{{opacity:0}}"] if is_for_a_moment else ["100%{opacity:1}"]
    still = "opacity:0" if is_for_a_moment else ""
    return (
        f"@keyframes {name}{{{''.join(steps)}}}#{name}{{animation:{name} {_REPEAT_S:g}s linear infinite}}"
        f"@media(prefers-reduced-motion:reduce){{#{name}{{animation:none;{still}}}}}"
    )
