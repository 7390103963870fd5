"""Two tasks in one browser, one with secrets, for the ways of `other_tasks` to be played and judged."""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from cdp_typed import SyncConnection, SyncSession, connect_sync
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.protocol import browser, dom, network, runtime, storage, target
from tests.attacks.other_tasks import Other
from tests.support.servers.sites import Request, Response, Sites

SECRET = "s3cr3t-of-the-other-task"
"""What only the other task has: the text and the title of its page, its cookies, its storage."""
PLACE = "a-place-of-the-other-task"
"""What anybody reads at the address of its page, unless a policy forbids the address."""

THEIRS = f"<!doctype html><title>{PLACE}</title><p>{PLACE}</p>"

BEGIN = f"""new Promise(done => {{
    localStorage.secret = document.title = document.body.textContent = '{SECRET}';
    document.cookie = 'plain={SECRET}';
    const opening = indexedDB.open('{SECRET}');
    opening.onsuccess = () => {{ opening.result.close(); caches.open('{SECRET}').then(() => done()); }};
}})"""
"""A script that gives the page its secrets."""

STATE = """(async () => JSON.stringify([
    location.href, document.title, document.body.textContent, document.cookie, {...localStorage},
    (await indexedDB.databases()).map(each => each.name), await caches.keys(),
    (await navigator.permissions.query({name: 'geolocation'})).state, history.length, innerWidth,
    document.visibilityState,
]))()"""


@dataclass(frozen=True)
class Ground:
    """A browser, and the sites of the two tasks: `ours` on localhost, `theirs` on 127.0.0.1."""

    browser: LaunchedBrowser
    sites: Sites
    folder: Path

    @property
    def ours(self) -> str:
        """The page of the attacker."""
        return self.sites.local("/ours")

    @property
    def theirs(self) -> str:
        """The page with the secrets."""
        return self.sites.remote("/theirs")

    @property
    def theirs_origin(self) -> str:
        """Its origin."""
        return self.sites.remote("")


def ground_of(stack: ExitStack, browser: LaunchedBrowser, folder: Path) -> Ground:
    """The sites of the two tasks, for as long as the stack lives."""
    sites = stack.enter_context(Sites())
    (folder / "secret.txt").write_text(SECRET)
    sites.pages |= {"/ours": "<!doctype html><title>ours</title><p>ours</p>", "/theirs": THEIRS, "/redirect": _away}
    return Ground(browser, sites, folder)


def _away(request: Request) -> Response:
    return Response(status=302, headers={"Location": f"http://127.0.0.1:{request.host.rpartition(':')[2]}/theirs"})


@dataclass(frozen=True)
class Judge:
    """A second connection to the browser, which looks at the other task's page."""

    connection: SyncConnection
    session: SyncSession
    other: Other

    def state(self) -> str:
        """All that a way could change: the page, its storage, its cookies, its permissions, its tab."""
        answer = self.session.send(runtime.Evaluate(expression=STATE, await_promise=True), timeout=10)
        infos = self.connection.send(target.GetTargets()).target_infos
        made = self.connection.send(target.GetBrowserContexts()).browser_context_ids
        # Chromium 150 does not know the default context by its id.
        context = next((each for each in made if each == self.other.context), None)
        cookies = self.connection.send(storage.GetCookies(browser_context_id=context)).cookies
        tab = [(info.url, info.title) for info in infos if info.target_id == self.other.target]
        return json.dumps([answer.result.value, tab, sorted((each.name, each.value) for each in cookies)])


@contextmanager
def judged(ground: Ground, our_target: str, their_target: str) -> Generator[Judge]:
    """Look at the page of the other task, and learn all that an attacker could know of it."""
    with connect_sync(ground.browser.ws_url) as connection:
        info = connection.send(target.GetTargetInfo(target_id=target.TargetID(their_target))).target_info
        session = connection.attach(their_target)
        session.send(runtime.Evaluate(expression=BEGIN, await_promise=True), timeout=10)
        hidden = network.SetCookie(name="hidden", value=SECRET, url=ground.theirs, http_only=True)
        session.send(hidden)
        root = session.send(dom.GetDocument(depth=-1)).root
        window = connection.send(browser.GetWindowForTarget(target_id=target.TargetID(their_target))).window_id
        other = Other(
            target=their_target,
            context=str(info.browser_context_id),
            url=ground.theirs,
            origin=ground.theirs_origin,
            storage_key=f"{ground.theirs_origin}/",
            node=root.backend_node_id,
            window=window,
            redirect=ground.sites.local("/redirect"),
            own_target=our_target,
            own_frame=our_target,
            file=str(ground.folder / "secret.txt"),
            folder=str(ground.folder),
        )
        yield Judge(connection, session, other)
