"""The pages of the scenarios, once as values for the mock and once as HTML for Chromium."""

from __future__ import annotations

import base64
import html
from collections.abc import Mapping

from cdp_typed.mock import FileInput, Frame, Link, Page
from cdp_typed.mock.page.links_and_inputs import ROW_HEIGHT
from tests.support.servers.sites import Page as ServedPage
from tests.support.servers.sites import Response, iframe

__all__ = ["pages", "served"]


def pages(own: str, other: str) -> Mapping[str, Page]:
    """Return the pages by path. `own` and `other` are two sites: a frame from the other one is an OOPIF."""
    return _documents() | _documents_with_frames(own, other) | _redirects(other)


def _documents() -> dict[str, Page]:
    return {
        "/plain": Page(title="Plain"),
        "/second": Page(title="Second"),
        "/inner": Page(title="Inner"),
        "/local": Page(title="Local"),
        "/early": Page(title="Early", script="alert('early')"),
        "/late": Page(title="Late", on_load="alert('late')"),
        "/staying": Page(title="Staying", beforeunload=True),
        "/data": Page(body="data", headers={"Content-Type": "text/plain"}),
        "/baking": Page(title="Baking", headers={"Set-Cookie": "from=server; HttpOnly; SameSite=Lax"}),
        "/deep/baking": Page(title="Deep", headers={"Set-Cookie": "deep=1; Max-Age=100"}),
        "/closed": Page(title="Closed", headers={"Content-Security-Policy": "connect-src 'none'"}),
        "/numbers": Page(body="[1]", headers={"Content-Type": "application/json"}),
        "/unsynchronous": Page(title="Unsynchronous", headers={"Permissions-Policy": "sync-xhr=()"}),
        "/open": Page(body="public", headers={"Access-Control-Allow-Origin": "*"}),
        "/theirs": Page(body="theirs", headers={"Access-Control-Allow-Origin": "http://x.test"}),
        "/no-content": Page(status=204),
        "/no-content-either": Page(status=205),
        "/form": Page(title="Form", elements=[FileInput("one"), FileInput("many", multiple=True)]),
        "/login": Page(title="Inside", login="user:secret", body="log in"),
        "/saved": Page(body="12345", headers={"Content-Disposition": "attachment; filename=x.bin"}),
        "/worker.js": Page(
            body="self.answer = 42", script="self.answer = 42", headers={"Content-Type": "text/javascript"}
        ),
        "/links": Page(title="Links", elements=[Link("near", "/second"), Link("below", "#below")]),
        "/logging": Page(title="Logging", script="console.log('in the head', 1)"),
    }


def _documents_with_frames(own: str, other: str) -> dict[str, Page]:
    return {
        "/with-local": Page(title="With local", frames=[Frame(f"{own}/local", "local")]),
        "/with-oopif": Page(title="With OOPIF", frames=[Frame(f"{other}/inner", "inner")]),
        "/nested": Page(title="Nested", frames=[Frame(f"{other}/middle", "middle")]),
        "/middle": Page(title="Middle", frames=[Frame(f"{own}/inner", "inner")]),
        "/with-srcdoc": Page(
            title="With srcdoc", frames=[Frame(name="f", srcdoc=Page(title="Inside", script="window.a = 1"))]
        ),
        "/srcdoc-around": Page(
            title="Around",
            frames=[Frame(name="f", srcdoc=Page(frames=[Frame("/local", "g"), Frame(f"{other}/inner", "h")]))],
        ),
        "/srcdoc-asking": Page(title="Asking", frames=[Frame(name="f", srcdoc=Page(script="alert('from inside')"))]),
        "/with-srcdoc-oopif": Page(title="Outer", frames=[Frame(f"{other}/with-srcdoc", "outer")]),
        "/with-moved": Page(title="With moved", frames=[Frame(f"{own}/moved-away", "inner")]),
    }


def _redirects(other: str) -> dict[str, Page]:
    return {
        "/baking-and-moving": Page(status=302, headers={"Location": "/second", "Set-Cookie": "on=way; Path=/"}),
        "/moved": Page(status=302, headers={"Location": "/second"}),
        "/moved-twice": Page(status=301, headers={"Location": "/moved"}),
        "/moved-away": Page(status=302, headers={"Location": f"{other}/second"}),
        "/moved-data": Page(status=307, headers={"Location": "/data"}),
        "/moved-data-away": Page(status=302, headers={"Location": f"{other}/data"}),
        "/moved-in-circles": Page(status=302, headers={"Location": "/moved-in-circles"}),
        "/moved-to-a-file": Page(status=302, headers={"Location": "file:///"}),
        "/moved-nowhere": Page(title="Stays", status=302),
        "/moved-download": Page(status=302, headers={"Location": "/saved"}),
    }


def served(described: Page, own: str) -> ServedPage:
    """Return the page as a server answers with it; without the required login, with 401."""
    answer = Response(described.body or _html(described), described.status, described.headers)
    if not described.login:
        return answer
    wanted = "Basic " + base64.b64encode(described.login.encode()).decode()
    challenge = Response("<link rel=icon href=data:,>log in", 401, {"WWW-Authenticate": f'Basic realm="{own}"'})
    return lambda request: answer if request.authorization == wanted else challenge


def _iframe(frame: Frame) -> str:
    if frame.srcdoc is None:
        return iframe(frame.url, frame.name)
    return f'<iframe id="{frame.name}" name="{frame.name}" srcdoc="{html.escape(_html(frame.srcdoc))}"></iframe>'


def _html(described: Page) -> str:
    """Return the page as HTML. Its icon keeps Chromium from requesting one."""
    parts = ["<!doctype html><link rel=icon href=data:,>", f"<title>{described.title}</title>"]
    if described.beforeunload:
        parts.append("<script>addEventListener('beforeunload', event => event.preventDefault())</script>")
    if described.script:
        parts.append(f"<script>{described.script}</script>")
    parts += [_iframe(frame) for frame in described.frames]
    for number, element in enumerate(described.elements):
        style = f"position: absolute; left: 0; top: {ROW_HEIGHT * number}px; height: {ROW_HEIGHT}px"
        if isinstance(element, FileInput):
            several = " multiple" if element.multiple else ""
            parts.append(f'<input type="file" id="{element.name}"{several} style="{style}">')
        else:
            parts.append(
                f'<a id="{element.name}" href="{element.url}" style="{style}; width: 200px">{element.name}</a>'
            )
    if described.on_load:
        parts.append(f"<script>addEventListener('load', () => {{ {described.on_load} }})</script>")
    return "\n".join(parts)
