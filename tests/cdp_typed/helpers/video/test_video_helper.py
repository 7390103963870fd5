"""`video` on Chromium: what a page shows, at the times at which it shows it."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, suppress
from pathlib import Path

from cdp_typed import Session, SyncSession, connect, connect_sync
from cdp_typed.helpers import blocking, goto, js, video
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.protocol import page
from tests.cdp_typed.helpers.video.decoded_videos import decoded, is_like
from tests.support.servers.sites import Sites

RED, WHITE, GREEN = (255, 0, 0), (255, 255, 255), (0, 128, 0)
PAINTED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


async def turn(tab: Session, colour: str) -> None:
    await js(tab, f"() => {{ document.body.style.background = '{colour}' }}")
    await js(tab, PAINTED)


async def test_each_colour_of_the_page_lasts_as_long_as_the_page_had_it(tab: Session, tmp_path: Path) -> None:
    loop = asyncio.get_running_loop()
    async with video(tab, tmp_path / "run.webm") as recording:
        await turn(tab, "white")
        await asyncio.sleep(0.3)  # measured below
        times = [loop.time()]
        await turn(tab, "red")
        times.append(loop.time())
        await asyncio.sleep(0.7)
        times.append(loop.time())
        await turn(tab, "green")
        times.append(loop.time())

    assert recording.written is not None
    frames = decoded(recording.written.path)
    colours = [(frame.at, frame.image.getpixel((10, frame.image.height - 10))) for frame in frames]
    red = next(at for at, colour in colours if is_like(colour, RED))
    green = next(at for at, colour in colours if is_like(colour, GREEN))
    assert times[2] - times[1] - 0.2 < green - red < times[3] - times[0] + 0.2
    assert is_like(colours[-1][1], GREEN)


async def test_the_video_goes_on_in_a_document_from_another_site(tab: Session, sites: Sites, tmp_path: Path) -> None:
    sites.pages["/one"] = "<body style='background: red'>"
    sites.pages["/two"] = "<body style='background: green'>"
    await goto(tab, sites.local("/one"))

    async with AsyncExitStack() as stack:
        async with tab.expect(page.ScreencastFrame):  # of the first page, which a busy browser sends a moment later
            recording = await stack.enter_async_context(video(tab, tmp_path / "run.webm"))
        await goto(tab, sites.remote("/two"))
        await js(tab, PAINTED)

    frames = decoded(recording.path)
    assert is_like(frames[0].image.getpixel((10, 10)), RED)
    assert is_like(frames[-1].image.getpixel((10, 10)), GREEN)


async def test_two_clients_record_the_same_page_at_once(
    tab: Session, chromium: LaunchedBrowser, tmp_path: Path
) -> None:
    async with connect(chromium.http_url) as other, video(tab, tmp_path / "first.webm") as first:
        async with video(await other.attach(tab.target_id), tmp_path / "second.webm", size=(160, 100)) as second:
            await turn(tab, "red")
        await turn(tab, "green")

    assert is_like(decoded(second.path)[-1].image.getpixel((80, 50)), RED)
    assert is_like(decoded(first.path)[-1].image.getpixel((80, 50)), GREEN)


async def test_an_error_of_the_block_leaves_a_whole_video_and_no_thread(tab: Session, tmp_path: Path) -> None:
    with suppress(ZeroDivisionError):
        async with video(tab, tmp_path / "run.webm"):
            await turn(tab, "red")
            await asyncio.sleep(0.2)
            raise ZeroDivisionError

    assert is_like(decoded(tmp_path / "run.webm")[-1].image.getpixel((10, 10)), RED)


def test_the_blocking_twin(chromium: LaunchedBrowser, tmp_path: Path) -> None:
    def turn_red(of: SyncSession) -> None:
        blocking.js(of, "() => { document.body.style.background = 'red' }")

    with (
        connect_sync(chromium.http_url) as connection,
        connection.new_page() as of,
        blocking.video(of, tmp_path / "run.webm", fps=5) as recording,
    ):
        turn_red(of)

    assert recording.written is not None
    assert is_like(decoded(recording.path)[-1].image.getpixel((10, 10)), RED)
