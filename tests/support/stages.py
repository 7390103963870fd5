"""One set of pages on two stages: real Chromium and the mock. A scenario that takes a `Stage` runs on both."""

from __future__ import annotations

import asyncio
import base64
import contextlib
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

from cdp_typed import Command, CommandTimeout, connect
from cdp_typed.mock import Frame, Page, Site, ThreadedMockServer
from cdp_typed.protocol import page, runtime, target
from supervisor import CDPSupervisor, SupervisorSnapshot
from tests.support import sites as site_pages
from tests.support.browsers import launched
from tests.support.secrets import CANARY
from tests.support.sites import Sites, iframe

__all__ = [
    "ENDLESS",
    "Stage",
    "freeze_unseen",
    "has_begun",
    "is_loaded",
    "open_page",
    "raise_stage",
    "send_as_another_client",
]


ENDLESS = "console.log('begun'); new Promise(() => {})"
"""An expression that says when it runs (see `has_begun`) and never ends."""


@dataclass(frozen=True)
class Stage:
    """A browser without a supervisor yet, and the two origins on which the pages are found."""

    kind: Literal["mock", "chromium"]
    cdp_url: str
    own: str
    other: str


def pages(own: str, other: str) -> Mapping[str, Page]:
    """Path -> page. `own` and `other` are two sites, so that a frame from the other one is an OOPIF."""
    return {
        "/plain": Page(title="Plain"),
        "/inner": Page(title="Inner"),
        "/local": Page(title="Local"),
        "/frames": Page(title="Frames", frames=[Frame(f"{other}/inner", "inner"), Frame(f"{own}/local", "local")]),
        "/nested": Page(title="Nested", frames=[Frame(f"{other}/middle", "middle")]),
        "/middle": Page(title="Middle", frames=[Frame(f"{own}/inner", "inner")]),
        "/early": Page(title="Early", script="window.answer = confirm('early?')"),
        "/late": Page(title="Late", on_load="console.log('about to alert'); alert('late')"),
        "/members": Page(title="Members", login=f"ada:{CANARY}"),
        "/staying": Page(title="Staying", beforeunload=True),
        "/moved": Page(status=302, headers={"Location": f"{other}/plain"}),
        "/worker.js": Page(
            script="self.answer = 42", body="self.answer = 42", headers={"Content-Type": "text/javascript"}
        ),
    }


@contextmanager
def raise_stage(kind: Literal["mock", "chromium"]) -> Generator[Stage]:
    """A browser of the test's own."""
    if kind == "mock":
        own, other = "http://localhost", "http://127.0.0.1"
        site = Site({origin + path: page for path, page in pages(own, other).items() for origin in (own, other)})
        with ThreadedMockServer(site) as server:
            yield Stage(kind, server.url, own, other)
        return
    with Sites() as sites, launched() as browser:
        own, other = sites.local(""), sites.remote("")
        sites.pages.update({path: _served(page) for path, page in pages(own, other).items()})
        yield Stage(kind, browser.ws_url, own, other)


def open_page(supervisor: CDPSupervisor, url: str) -> SupervisorSnapshot:
    """Navigate the current page and wait until it and all its frames have loaded."""
    supervisor.send(page.Navigate(url=url))
    return supervisor.wait_for(lambda now: is_loaded(now) and _current_url(now) == url, timeout_s=10)


def _current_url(now: SupervisorSnapshot) -> str:
    return next(one.url for one in now.pages if one.is_current)


def is_loaded(now: SupervisorSnapshot) -> bool:
    """Whether the current page has a top frame, and none of its frames is loading."""
    top = now.frame_tree.top
    return top is not None and not any(frame.is_loading for frame in (top, *now.frame_tree.children))


def send_as_another_client(stage: Stage, *commands: Command[Any]) -> list[Any]:
    """The results of browser-level commands over a connection of their own, which then ends."""

    async def send() -> list[Any]:
        async with connect(stage.cdp_url) as browser:
            return [await browser.send(command) for command in commands]

    return asyncio.run(send())


def has_begun(now: SupervisorSnapshot) -> bool:
    """Whether `ENDLESS` runs."""
    return bool(now.console)


def freeze_unseen(stage: Stage) -> str:
    """A page (its target id) frozen by an alert that opened while nobody had Page enabled: it cannot be answered."""

    async def freeze() -> str:
        async with connect(stage.cdp_url) as browser:
            created = await browser.send(target.CreateTarget(url="about:blank"))
            session = await browser.attach(created.target_id)
            await session.send(runtime.Enable())  # and not Page: then nobody could answer
            async with session.expect(runtime.ConsoleAPICalled, timeout=10):
                _ = session.send_nowait(page.Navigate(url=f"{stage.own}/late"))
            with contextlib.suppress(CommandTimeout):
                while True:
                    await session.send(runtime.Evaluate(expression="1"), timeout=0.5)
            return created.target_id

    return asyncio.run(freeze())


def _served(described: Page) -> site_pages.Page:
    if not described.login:
        return site_pages.Response(described.body or _html(described), described.status, described.headers)
    right = "Basic " + base64.b64encode(described.login.encode()).decode()
    challenge = site_pages.Response("who are you?", 401, {"WWW-Authenticate": 'Basic realm="members"'})
    return lambda request: _html(described) if request.authorization == right else challenge


def _html(described: Page) -> str:
    parts = ["<!doctype html><link rel=icon href=data:,>", f"<title>{described.title}</title>"]
    if described.beforeunload:
        parts.append("<script>addEventListener('beforeunload', event => event.preventDefault())</script>")
    if described.script:
        parts.append(f"<script>{described.script}</script>")
    parts += [iframe(frame.url, frame.name) for frame in described.frames]
    if described.on_load:
        parts.append(f"<script>addEventListener('load', () => {{ {described.on_load} }})</script>")
    return "\n".join(parts)
