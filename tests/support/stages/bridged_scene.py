"""A browser whose dialogs a proxy answers at once, and a supervisor whose bridge is armed because of that."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import pytest

from evals.browsers.starting import started
from supervisor import BlockedByDialog, CDPSupervisor, DialogRecord, PendingDialog, SupervisorSnapshot
from supervisor.config import Settings
from tests.support.servers.dismissing import DismissingProxy
from tests.support.servers.gateways import server_tls
from tests.support.servers.sites import Page, Request, Response, Sites, iframe
from tests.support.stages.stages import settings_for

EMPTY = "<!doctype html><link rel=icon href=data:,>"
BRIDGE = "/.well-known/"
LEAVING = """
  const kinds = {beforeunload: window, pagehide: window, visibilitychange: document, unload: window};
  for (const [kind, where] of Object.entries(kinds)) where.addEventListener(kind, () => {
    sessionStorage[kind] = JSON.stringify([alert(kind), confirm(kind), prompt(kind, "preset")]);
  });
"""
HIDING = "onpagehide = () => { sessionStorage.hidden = confirm('bye?') }"


@dataclass(frozen=True)
class Scene:
    """A browser behind such a proxy, a supervisor whose bridge is armed, and pages over http and https."""

    kind: str
    proxy: DismissingProxy
    browser_url: str
    supervisor: CDPSupervisor
    sites: Sites
    safe: Sites

    @property
    def left_the_browser(self) -> list[Request]:
        """The bridge's requests that came to a server."""
        return [request for request in (*self.sites.requests, *self.safe.requests) if BRIDGE in request.path]


def pages(sites: Sites) -> dict[str, Page]:
    frames = (
        iframe(sites.remote("/"), "oopif"),
        iframe("/", "local"),
        '<iframe name=srcdoc srcdoc="<p>inside"></iframe>',
        '<iframe name=data src="data:text/html,inside"></iframe>',
        '<iframe name=box sandbox="allow-scripts allow-modals" src=/></iframe>',
        '<iframe name=boxdoc sandbox="allow-scripts allow-modals" srcdoc="<p>inside"></iframe>',
        '<iframe name=mute sandbox="allow-scripts" src=/></iframe>',
        '<iframe name=mutelocal sandbox="allow-scripts allow-same-origin" src=/></iframe>',
    )
    return {
        "/": EMPTY,
        "/csp": Response(EMPTY, headers={"Content-Security-Policy": "default-src 'self'"}),
        "/csp-none": Response(EMPTY, headers={"Content-Security-Policy": "connect-src 'none'"}),
        "/no-sync-xhr": Response(EMPTY, headers={"Permissions-Policy": "sync-xhr=()"}),
        "/boxed": Response(EMPTY, headers={"Content-Security-Policy": "sandbox allow-scripts allow-modals"}),
        "/frames": EMPTY + "".join(frames),
        "/early": EMPTY + "<script>window.early = confirm('early?')</script>",
        "/leaving": EMPTY + f"<script>{LEAVING}</script>",
        "/hiding": EMPTY + f"<script>{HIDING}</script>",
    }


def arm(supervisor: CDPSupervisor) -> SupervisorSnapshot:
    """Open native dialogs until it is armed: two, unless the machine is so busy that their end is seen late."""
    now = supervisor.snapshot()
    while now.bridge.state == "off":
        before = now.recent_dialogs[-1:]
        supervisor.evaluate("setTimeout(() => alert('native'), 0)")
        now = supervisor.wait_for(_other_than(before), timeout_s=20)
    return now


def _other_than(last: tuple[DialogRecord, ...]) -> Callable[[SupervisorSnapshot], bool]:
    return lambda now: now.recent_dialogs[-1:] != last


def blocked_by(supervisor: CDPSupervisor, expression: str, frame_id: str | None = None) -> PendingDialog:
    with pytest.raises(BlockedByDialog) as caught:
        supervisor.evaluate(expression, frame_id)
    return caught.value.dialog


def frame_named(supervisor: CDPSupervisor, name: str) -> str:
    def frame_ids(now: SupervisorSnapshot) -> list[str]:
        return [frame.frame_id for frame in now.frame_tree.children if frame.name == name and not frame.is_loading]

    return frame_ids(supervisor.wait_for(lambda now: bool(frame_ids(now)), timeout_s=20))[0]


@contextmanager
def raise_scene(kind: str) -> Generator[Scene]:
    """All of it, for the length of the block, on a browser of this kind."""
    with ExitStack() as stack:
        sites, safe = stack.enter_context(Sites()), stack.enter_context(Sites(tls=server_tls()))
        sites.pages.update(pages(sites))
        safe.pages.update(pages(safe))
        browser = stack.enter_context(started(kind, args=("--ignore-certificate-errors",)))
        proxy = stack.enter_context(DismissingProxy(browser.ws_url))
        quick = Settings(call_timeout_s=20, dialog_storm_limit=1000)  # so many tests are no storm
        supervisor = stack.enter_context(CDPSupervisor(proxy.url, **(quick | settings_for(kind))))
        arm(supervisor)
        yield Scene(kind, proxy, browser.ws_url, supervisor, sites, safe)
