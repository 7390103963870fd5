"""`screenshot` and `pdf`: a page as an image or a document, in bytes."""

from __future__ import annotations

from typing import Literal

from cdp_typed.client.channel import Channel
from cdp_typed.client.dispatcher import DEFAULT, Timeout
from cdp_typed.helpers.shared.paper import PaperFormat, on_paper
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
    """Return an image of what the window shows, or of the whole page (`Page.captureScreenshot`).

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
    timeout: Timeout = DEFAULT,
) -> bytes:
    """Print the page (`Page.printToPDF`), with its backgrounds unless the options say otherwise.

    `await pdf(tab, format="A4")`, or `await pdf(tab, page.PrintToPDF(landscape=True), format="A4")`. Without a `format`
    the paper is that of the options, and otherwise Letter. A big document is better read as a stream: see
    `read_stream`. Raises `ValueError` for an unknown format, or where the options have a paper size, too; otherwise as
    `Session.send` does.
    """
    command = options or page.PrintToPDF(print_background=True)
    if format is not None:
        command = on_paper(command, format)
    return base64_bytes((await tab.send(command, timeout=timeout)).data)
