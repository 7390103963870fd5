"""A site with workers, and helpers for their tests."""

from __future__ import annotations

from cdp_typed.mock import Frame, MockBrowser, Page
from tests.cdp_typed.mock.raw_client import LOCAL, REMOTE, Client

EVALUATE = "Runtime.evaluate"
PAGES_ONLY = [{"type": "browser", "exclude": True}, {"type": "tab", "exclude": True}, {}]
MAKES = {
    "worker": "window.k = new Worker('/w.js'); 1",
    "shared_worker": "window.k = new SharedWorker('/w.js'); 1",
    "service_worker": "navigator.serviceWorker.register('/w.js'); 1",
}
SITE = {
    f"{LOCAL}/": Page(title="top"),
    f"{LOCAL}/other": Page(title="other"),
    f"{LOCAL}/w.js": Page(script="console.log('hi')"),
    f"{LOCAL}/cross": Page(frames=[Frame(f"{REMOTE}/child", "f")]),
    f"{REMOTE}/child": Page(title="child"),
    f"{REMOTE}/w.js": Page(),
}


def run(client: Client, session: str, expression: str) -> list[str]:
    return client.lines(EVALUATE, {"expression": expression, "returnByValue": True}, session)


def let_go(client: Client, session: str) -> list[str]:
    return client.lines("Runtime.runIfWaitingForDebugger", {}, session)


def count_of(browser: MockBrowser, kind: str) -> int:
    return sum(target.type == kind for target in browser.state.targets.values())
