"""`screenshot`, `pdf` and `video`: a page as an image, a document or a video."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Literal

from msgspec.structs import replace

from cdp_typed.client.blocks import async_block
from cdp_typed.client.channel import Channel
from cdp_typed.client.dispatcher import DEFAULT, Timeout
from cdp_typed.client.session import Session
from cdp_typed.errors import CDPError
from cdp_typed.helpers.shared.paper import PaperFormat, Side, margins, on_paper
from cdp_typed.helpers.shared.video.video import LAST_S, Video
from cdp_typed.protocol import page
from cdp_typed.wire.base64_fields import base64_bytes


async def screenshot(
    tab: Channel,
    *,
    format: Literal["png", "jpeg", "webp"] = "png",
    quality: int | None = None,
    full_page: bool = False,
    timeout: Timeout = DEFAULT,
) -> bytes:
    """Return an image of the visible part of the page, or of the whole page (`Page.captureScreenshot`).

    `quality` is for JPEG and WebP, up to 100. Raises as `Session.send` does.
    """
    clip: page.Viewport | None = None
    if full_page:
        size = (await tab.send(page.GetLayoutMetrics(), timeout=timeout)).css_content_size
        clip = page.Viewport(x=0, y=0, width=size.width, height=size.height, scale=1)
    command = page.CaptureScreenshot(
        format=format,
        quality=quality,
        clip=clip,
        capture_beyond_viewport=full_page,
    )
    return base64_bytes((await tab.send(command, timeout=timeout)).data)


async def pdf(
    tab: Channel,
    options: page.PrintToPDF | None = None,
    *,
    format: PaperFormat | None = None,
    landscape: bool | None = None,
    margin: str | Mapping[Side, str] | None = None,
    print_background: bool | None = None,
    scale: float | None = None,
    timeout: Timeout = DEFAULT,
) -> bytes:
    """Print the page (`Page.printToPDF`), with its backgrounds unless the options say otherwise.

    `await pdf(tab, format="A4", landscape=True, margin="1cm")`. `margin` is a length with its unit (cm, mm, in, px,
    pt), or a length for each side, `{"top": "2cm"}`; the other sides keep the browser's margin, 1 cm. `scale` is from
    0.1 to 2. `options` is for everything else, `page.PrintToPDF(page_ranges="1-2")`; the arguments replace its fields.
    Without `format`, the paper size is that of `options`, or Letter if it has none. Read a large document as a stream
    instead: see `read_stream`. Raises `ValueError` for an unknown format or margin, or if both `format` and `options`
    set a paper size; otherwise as `Session.send` does.
    """
    command = options or page.PrintToPDF(print_background=True)
    given = {"landscape": landscape, "print_background": print_background, "scale": scale, **margins(margin)}
    command = replace(command, **{name: value for name, value in given.items() if value is not None})
    if format is not None:
        command = on_paper(command, format)
    return base64_bytes((await tab.send(command, timeout=timeout)).data)


@async_block
async def video(
    tab: Session,
    path: str | Path,
    *,
    fps: int = 25,
    size: tuple[int, int] | None = None,
    timeout: Timeout = DEFAULT,
) -> AsyncGenerator[Video]:
    """Record a video of a page during a block, as WebM (VP9): `async with video(tab, "run.webm") as recording:`.

    `recording.chapter("Login")` adds a card with a title, `caption` a line of text, and `pointer(x, y, pressed=True)`
    draws the pointer. All of these appear in the video and never in the page. After the block, `recording.written` has
    the duration, the size and what is missing. See `Video` for `fps` and `size`. Uses `Page.startScreencast`,
    which sends a picture when the page is painted. Raises as `send` does; `VideoLibrariesMissing` without the extra
    `video`, `VideoNotWritten` if the page was never painted or the disk is full, `ValueError` and `OSError`.
    """
    recording = Video(path, fps=fps, size=size)
    largest = max(size or (1280, 1280))
    start = page.StartScreencast(format="jpeg", quality=90, max_width=largest, max_height=largest)

    def take(_: str | None, frame: page.ScreencastFrame) -> None:
        recording.frame(frame)
        with suppress(CDPError):
            _ignored = tab.send_nowait(page.ScreencastFrameAck(session_id=frame.session_id))

    listening = tab.listen(take, page.ScreencastFrame)
    try:
        await tab.send(start, timeout=timeout)
        yield recording
        with suppress(CDPError, TimeoutError):  # what was painted last may still be on its way
            await tab.send(page.StopScreencast(), timeout=timeout)
            # A screencast begins with the last paint, which a screenshot brings up to date.
            await tab.send(page.CaptureScreenshot(format="jpeg", quality=1, optimize_for_speed=True), timeout=LAST_S)
            async with tab.expect(page.ScreencastFrame, timeout=LAST_S) as last:
                await tab.send(start, timeout=timeout)
            recording.frame(last.value)
    finally:
        listening.close()
        with suppress(CDPError):
            _stop = tab.send_nowait(page.StopScreencast())
        recording.end()
        await _completed(recording)
    recording.result()


async def _completed(recording: Video) -> None:
    while True:  # a thread writes it
        if recording.is_over:
            return
        await asyncio.sleep(0.01)
