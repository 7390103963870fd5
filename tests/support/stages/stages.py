"""One set of pages on several stages: the mock and real browsers. A scenario that takes a `Stage` runs on each."""

from __future__ import annotations

import asyncio
import base64
import contextlib
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Unpack

from cdp_typed import Command, CommandTimeout, connect
from cdp_typed.mock import Frame, MockBrowser, Page, Site, ThreadedMockServer
from cdp_typed.protocol import page, runtime, target
from evals.browsers.catalogue import BROWSERS, Debian
from evals.browsers.starting import Started, started
from supervisor import CDPSupervisor, SupervisorSnapshot
from supervisor.config import Settings
from tests.support.secrets import CANARY
from tests.support.servers import sites as site_pages
from tests.support.servers.sites import Sites, iframe
from tests.support.stages.truth import assert_snapshot_is_true

ENDLESS = "console.log('begun'); new Promise(() => {})"
"""An expression that says when it runs (see `has_begun`) and never ends."""


class _TrueSupervisor(CDPSupervisor):
    def __init__(self, cdp_url: str, **settings: Unpack[Settings]) -> None:
        super().__init__(cdp_url, **settings)
        self._true_to, self._sees_all = cdp_url, settings.get("scope", "browser") == "browser"

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if error is None:
                assert_snapshot_is_true(self, self._true_to, sees_all=self._sees_all)
        finally:
            super().__exit__(kind, error, trace)


@dataclass(frozen=True)
class Stage:
    """A browser without a supervisor yet, and the two origins on which the pages are found."""

    kind: str
    cdp_url: str
    own: str
    other: str
    settings: Settings = field(default_factory=Settings)
    """The settings that a supervisor needs on this browser."""
    mock: MockBrowser | None = None
    """The mock, to be told what it answers to what it does not model; None if the browser is real."""

    def supervisor(self, **settings: Unpack[Settings]) -> CDPSupervisor:
        """One that is not started yet. When it is left without an error, its snapshot has to be what is there."""
        return _TrueSupervisor(self.cdp_url, **(self.settings | settings))

    @property
    def shows_dialogs(self) -> bool:
        """True if native dialogs appear as on a person's screen: the old headless mode of Chrome shows none, and those
        of QtWebEngine are bridged."""
        return self.kind not in BROWSERS or isinstance(BROWSERS[self.kind].source, Debian)

    @property
    def is_embedder(self) -> bool:
        """True for a program with a page of its own, in which only scripts and the program itself can open another."""
        return self.kind in BROWSERS and BROWSERS[self.kind].kind == "qt"


def pages(own: str, other: str) -> Mapping[str, Page]:
    """Path -> page. `own` and `other` are two sites, so that a frame from the other one is an OOPIF."""
    return {
        "/plain": Page(title="Plain"),
        "/inner": Page(title="Inner"),
        "/local": Page(title="Local"),
        "/frames": Page(title="Frames", frames=[Frame(f"{other}/inner", "inner"), Frame(f"{own}/local", "local")]),
        "/nested": Page(title="Nested", frames=[Frame(f"{other}/middle", "middle")]),
        "/middle": Page(title="Middle", frames=[Frame(f"{own}/inner", "inner")]),
        "/many": Page(title="Many", frames=[Frame(f"{own}/local", f"local-{number}") for number in range(35)]),
        "/deep": Page(title="Deep", frames=[Frame(f"{other}/second", "second")]),
        "/second": Page(title="Second", frames=[Frame(f"{own}/third", "third")]),
        "/third": Page(title="Third", frames=[Frame(f"{other}/inner", "inner")]),
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
def raise_stage(kind: str, *, omnibox: bool = False, browser: Started | None = None) -> Generator[Stage]:
    """A browser of the test's own; or one for many tests, with the pages of its address bar (see `launched`).

    With `browser`, one that runs already. The sites are new ones in any case.
    """
    if kind == "mock":
        own, other = "http://localhost", "http://127.0.0.1"
        site = Site({origin + path: page for path, page in pages(own, other).items() for origin in (own, other)})
        with ThreadedMockServer(site) as server:
            yield Stage(kind, server.url, own, other, mock=server.browser)
        return
    with Sites() as sites, ExitStack() as stack:
        running = browser or stack.enter_context(started(kind, omnibox=omnibox))
        own, other = sites.local(""), sites.remote("")
        sites.pages.update({path: _served(page) for path, page in pages(own, other).items()})
        yield Stage(kind, running.ws_url, own, other, settings_for(kind))


def settings_for(kind: str) -> Settings:
    """The settings that a supervisor needs on a browser: a native dialog of QtWebEngine stops all of CDP."""
    return Settings(dialog_bridge="always") if kind in BROWSERS and BROWSERS[kind].kind == "qt" else Settings()


def open_page(supervisor: CDPSupervisor, url: str) -> SupervisorSnapshot:
    """Navigate the current page and wait until it and all its frames have loaded."""
    supervisor.send(page.Navigate(url=url))
    return supervisor.wait_for(lambda now: is_loaded(now) and _current_url(now) == url, timeout_s=10)


def _current_url(now: SupervisorSnapshot) -> str:
    return next(info.url for info in now.pages if info.is_current)


def is_loaded(now: SupervisorSnapshot) -> bool:
    """True if the current page has a top frame, and none of its frames is loading."""
    top = now.frame_tree.top
    return top is not None and not any(frame.is_loading for frame in (top, *now.frame_tree.children))


def send_as_another_client(stage: Stage, *commands: Command[Any]) -> list[Any]:
    """The results of browser-level commands over a connection of their own, which then ends."""

    async def send() -> list[Any]:
        async with connect(stage.cdp_url) as browser:
            return [await browser.send(command) for command in commands]

    return asyncio.run(send())


def open_as_another_client(stage: Stage, *urls: str) -> list[str]:
    """Pages (their target ids) that another client opens: by a script where clients cannot."""
    if not stage.is_embedder:
        results = send_as_another_client(stage, *(target.CreateTarget(url=url) for url in urls))
        return [str(created.target_id) for created in results]

    async def open_by_script() -> list[str]:
        async with connect(stage.cdp_url) as browser:
            infos = (await browser.send(target.GetTargets())).target_infos
            *_, oldest = (info.target_id for info in infos if info.type == "page")
            first = await browser.attach(oldest)
            await browser.send(target.SetDiscoverTargets(discover=True))
            opened: list[str] = []
            for url in urls:
                async with browser.expect(target.TargetCreated, timeout=10) as creating:
                    await first.send(runtime.Evaluate(expression=f"open('{url}', '', 'noopener')", user_gesture=True))
                opened.append(creating.value.target_info.target_id)
            return opened

    return asyncio.run(open_by_script())


def has_begun(now: SupervisorSnapshot) -> bool:
    """True if the script `ENDLESS` runs."""
    return bool(now.console)


def freeze_unseen(stage: Stage) -> str:
    """A page (its target id) frozen by an alert that opened while no client had Page enabled: it cannot be answered."""

    (target_id,) = open_as_another_client(stage, "about:blank")

    async def freeze() -> None:
        async with connect(stage.cdp_url) as browser:
            session = await browser.attach(target_id)
            await session.send(runtime.Enable())  # and not Page: then nobody could answer
            async with session.expect(runtime.ConsoleAPICalled, timeout=10):
                _ = session.send_nowait(page.Navigate(url=f"{stage.own}/late"))
            with contextlib.suppress(CommandTimeout):
                for _ in range(20):
                    await session.send(runtime.Evaluate(expression="1"), timeout=0.5)
                raise AssertionError("a dialog that nobody hears of stops nothing here")

    asyncio.run(freeze())
    return target_id


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
