"""Two supervisors side by side on one piped browser, each with pages of its own."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from cdp_typed import EndpointError, connect
from cdp_typed.launch import NoSandboxWarning, SharedBrowser, launch
from cdp_typed.protocol import target
from supervisor import AsyncSupervisor, Config
from supervisor.addons.live.screencast import SMALL, Screencasts, TabPicture
from supervisor.core.vocabulary.values import SupervisorSnapshot
from tests.support.servers.sites import Response, Sites

pytestmark = pytest.mark.thorough

PAGE = """<title>{name}</title><h1>{name}</h1>
<script>
  console.log("console of {name}");
  worker = new Worker(URL.createObjectURL(new Blob(["onmessage = event => postMessage('worker of {name}')"])));
</script>
<iframe src="{other}"></iframe>"""


@pytest.fixture
async def shared(no_leaks: None) -> AsyncIterator[SharedBrowser]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NoSandboxWarning)
        launching = launch(pipe=True, args=["--disable-gpu", "--site-per-process"])
    async with launching as browser, await SharedBrowser.open(browser) as opened:
        yield opened


def own(shared: SharedBrowser) -> AsyncSupervisor:
    async def current() -> SharedBrowser:
        return shared

    return AsyncSupervisor(current, scope="own", own_context=True, call_timeout_s=20)


async def show(supervisor: AsyncSupervisor, sites: Sites, name: str) -> None:
    """Show a page with an iframe of another site in it, a worker, and a line on the console."""
    sites.pages[f"/{name}"] = PAGE.format(name=name, other=sites.remote(f"/{name}-inner"))
    sites.pages[f"/{name}-inner"] = f"<p>inner {name}</p>"
    sites.pages[f"/{name}.bin"] = Response(b"x", headers={"Content-Disposition": f"attachment; filename={name}.bin"})
    await supervisor.open_page(sites.local(f"/{name}"))
    await supervisor.wait_for(lambda seen: inner(seen, name) is not None, timeout_s=20)


def inner(seen: SupervisorSnapshot, name: str) -> str | None:
    """The id of the page's frame in another process."""
    frames = seen.frame_tree.children
    return next((frame.frame_id for frame in frames if frame.url.endswith(f"/{name}-inner") and frame.is_oopif), None)


async def try_everything(supervisor: AsyncSupervisor, name: str) -> None:
    """Evaluate in the page, its other process and its worker, and answer a dialog."""
    assert (await supervisor.evaluate("document.title")).value == name
    assert (await supervisor.evaluate("document.body.innerText", inner(supervisor.snapshot(), name))).value == (
        f"inner {name}"
    )
    ask = "new Promise(done => { worker.onmessage = event => done(event.data); worker.postMessage(1); })"
    assert (await supervisor.evaluate(ask)).value == f"worker of {name}"
    await supervisor.evaluate(f"void setTimeout(() => {{ answer = prompt('prompt of {name}'); }})")
    await supervisor.wait_for(lambda seen: len(seen.pending_dialogs) == 1)
    await supervisor.respond_to_dialog("accept", f"answer of {name}")
    assert (await supervisor.evaluate("answer")).value == f"answer of {name}"


async def download(supervisor: AsyncSupervisor, name: str) -> None:
    """See one download. Chromium lets a page have no second one by itself, and says nothing of it."""
    await supervisor.evaluate(f"void Object.assign(document.createElement('a'), {{href: '/{name}.bin'}}).click()")
    await supervisor.wait_for(lambda seen: len(seen.recent_downloads) == 1)


def known_to(supervisor: AsyncSupervisor) -> str:
    return repr((supervisor.snapshot(), supervisor.frames(), supervisor.changes_since(0)))


async def test_two_supervisors_share_a_browser_and_see_nothing_of_each_other(
    shared: SharedBrowser, sites: Sites
) -> None:
    async with own(shared) as two:
        async with own(shared) as one:
            await asyncio.gather(show(one, sites, "one"), show(two, sites, "two"))
            await asyncio.gather(try_everything(one, "one"), try_everything(two, "two"))
            await asyncio.gather(download(one, "one"), download(two, "two"))
            for supervisor, name, other in ((one, "one", "two"), (two, "two", "one")):
                known = known_to(supervisor)
                assert f"console of {name}" in known
                assert f"{name}.bin" in known
                assert f"prompt of {name}" in known
                assert f"/{other}" not in known
                assert f" of {other}" not in known
        await try_everything(two, "two")
        assert shared.connections == 1

    async with connect(shared) as connection:
        assert (await connection.send(target.GetBrowserContexts())).browser_context_ids == ()


async def test_what_is_told_of_a_supervisor_works_over_a_shared_browser(
    shared: SharedBrowser, sites: Sites, tmp_path: Path
) -> None:
    """The recorder, its pictures, and the live view, which connects once more."""
    sites.pages["/"] = "<title>seen</title><body style='background: red'>"
    config = Config(
        cdp_url=lambda: shared,
        scope="own",
        own_context=True,
        record_to=str(tmp_path / "flight.jsonl"),
        record_screenshots=True,
    )
    pictures: list[TabPicture] = []
    async with AsyncSupervisor.from_config(config) as supervisor:
        tab = await supervisor.open_page(sites.local("/"))
        screencasts = Screencasts(pictures.append)
        await screencasts.want(config, {tab.target_id: SMALL})
        assert shared.connections == 2
        async with asyncio.timeout(20):
            while not pictures:  # noqa: ASYNC110 - told by a callback
                await asyncio.sleep(0.01)
        assert {str(info.target_id): info.title for info in await screencasts.tabs()}[tab.target_id] == "seen"
        await screencasts.close()
        async with asyncio.timeout(20):
            while '"picture": ' not in (tmp_path / "flight.jsonl").read_text():  # noqa: ASYNC110 - a file has no event
                await asyncio.sleep(0.05)
    assert shared.connections == 0
    assert repr(config) == "<Config a callable>"


async def test_a_supervisor_of_a_shared_browser_that_ends_says_so(shared: SharedBrowser) -> None:
    supervisor = await AsyncSupervisor(lambda: shared, scope="own", reconnect_attempts=0).start()
    await shared.close()
    await supervisor.stop()

    again = AsyncSupervisor(lambda: shared, scope="own")
    with pytest.raises(EndpointError, match="shared browser: closed by this side"):
        await again.start()
