"""The pages of the scenarios."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cdp_typed.mock import FileInput, Frame, Link, Page, Resource


def pages(own: str, other: str) -> Mapping[str, Page]:
    """Return the pages by path. `own` and `other` are two sites: a frame from the other one is an OOPIF."""
    return _documents() | _documents_with_frames(own, other) | _redirects(other) | _with_resources(own)


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


_BAD_COOKIES: Final = ("a=b; Domain=elsewhere.test", "__Host-a=b", "=", "a=b; SameSite=None", "", "a=b; Domain=test")


def _with_resources(own: str) -> dict[str, Page]:
    bad = {f"/baking-badly/{at}": Page(headers={"Set-Cookie": text}) for at, text in enumerate(_BAD_COOKIES)}
    return bad | {
        "/image": Page(body="x", headers={"Content-Type": "image/png", "Set-Cookie": "image=1; SameSite=None; Secure"}),
        "/style": Page(body="a {}", headers={"Content-Type": "text/css"}),
        "/script": Page(body="window.a = 1", headers={"Content-Type": "text/javascript; charset=utf-8"}),
        "/picture": Page(body="x", headers={"Content-Type": "image/png"}),
        "/with-image": Page(resources=[Resource("/picture")]),
        "/with-own-image": Page(resources=[Resource(f"{own}/image")]),
        "/throwing": Page(script="null.x"),
        "/with-relative": Page(frames=[Frame("/local", "near")]),
        "/with-style": Page(resources=[Resource("/style", "Stylesheet")]),
        "/with-script": Page(resources=[Resource("/script", "Script")]),
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
