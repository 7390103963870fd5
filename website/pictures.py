"""The pictures of the documentation: `python -m website.pictures` draws those whose inputs have changed.

Each is what the program really shows, photographed by this project's client on a local Chromium. A picture states its
inputs, the files that it shows, in `docs/pictures/inputs.json`; a test fails when one of them is another by now.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import html
import io
import json
import sys
import tempfile
import warnings
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Literal

from msgspec import Struct

from cdp_typed import connect
from cdp_typed.helpers import goto, js, screenshot
from cdp_typed.launch import NoSandboxWarning, launch
from cdp_typed.protocol import emulation
from examples.demo.narrator import Narrator
from examples.demo.run import demo
from supervisor.addons.report import Report, report_html, report_of
from website import live_pictures
from website.checkout_flight import REPORT_SIZES, record
from website.live_pictures import once
from website.repository import ROOT

FOLDER = ROOT / "docs" / "pictures"


class Picture(Struct, frozen=True):
    """A picture: how it is drawn, and the files that it shows, as patterns below the root of the repository."""

    draw: Callable[[], bytes]
    inputs: tuple[str, ...]


async def photograph(
    address: str,
    *,
    width: int,
    height: int,
    scale: float = 1.25,
    drawn: str = "true",
    scheme: str = "light",
    full_page: bool = True,
    format: Literal["png", "webp"] = "png",
) -> bytes:
    """Return an image of a page, from top to bottom unless not `full_page`, in a window of this size on a new Chromium.

    It is taken when the expression `drawn` is true.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NoSandboxWarning)
        starting = launch()
    async with starting as chromium, connect(chromium) as browser, browser.new_page() as tab:
        await tab.send(
            emulation.SetDeviceMetricsOverride(width=width, height=height, device_scale_factor=scale, mobile=False)
        )
        preferred = emulation.MediaFeature(name="prefers-color-scheme", value=scheme)
        await tab.send(emulation.SetEmulatedMedia(features=[preferred]))
        await tab.send(emulation.SetScrollbarsHidden(hidden=True))
        await goto(tab, address)
        await js(tab, once(drawn))
        return await screenshot(tab, full_page=full_page, format=format, quality=85 if format == "webp" else None)


_TERMINAL = """<!doctype html><meta charset=utf-8><style>
body { margin: 0; background: #1e1e1e; color: #d4d4d4 } pre { margin: 1em; white-space: pre-wrap }
</style><pre>"""


def _demo() -> bytes:
    """The output of `make demo` before the last snapshot, as in a terminal."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        demo(_WithoutNotes(), mock=False)
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "demo.html"
        page.write_text(_TERMINAL + html.escape(printed.getvalue().strip()), encoding="utf-8")
        return asyncio.run(photograph(page.as_uri(), width=760, height=400))


class _WithoutNotes(Narrator):
    """The terminal, without the lines about the machine that it runs on."""

    def fact(self, text: str, detail: str = "") -> None:
        """One thing that was seen."""
        if text != "note:":
            super().fact(text, detail)


@cache
def _flight() -> Report:
    """A flight on which much goes wrong; all pictures of reports show this one."""
    with tempfile.TemporaryDirectory() as folder:
        recording = Path(folder) / "checkout.jsonl"
        record(recording)
        return report_of(recording)


def _report(width: int, height: int, scheme: str, format: Literal["png", "webp"] = "webp") -> bytes:
    """The first view of a report, in a window of this size."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "checkout.html"
        page.write_text(report_html(_flight()), encoding="utf-8")
        taking = photograph(
            f"{page.as_uri()}#action=6",
            width=width,
            height=height,
            scale=1,
            drawn="document.documentElement.dataset.ready",
            scheme=scheme,
            full_page=False,
            format=format,
        )
        return asyncio.run(taking)


_OF_REPORTS = ("supervisor/addons/report/viewer/*", "website/checkout_flight.py")
_REPORTS = {
    f"report-{width}-{scheme}.webp": Picture(partial(_report, width, height, scheme), _OF_REPORTS)
    for width, height in REPORT_SIZES
    for scheme in ("light", "dark")
}


_LIVE = {
    "live.png": live_pictures.prompt,
    "live-approval.png": live_pictures.approval,
}


def _live(name: str) -> bytes:
    return asyncio.run(_LIVE[name]())


PICTURES: Mapping[str, Picture] = {
    "demo.png": Picture(_demo, ("examples/demo/*.py",)),
    "report.png": Picture(partial(_report, 1180, 720, "light", "png"), _OF_REPORTS),
    **_REPORTS,
    **{
        name: Picture(partial(_live, name), ("supervisor/addons/live/page/*", "website/live_pictures.py"))
        for name in _LIVE
    },
}


def digest(picture: Picture, root: Path = ROOT) -> str:
    """Return the SHA-256 of a picture's inputs, with their names."""
    files = sorted({path for pattern in picture.inputs for path in root.glob(pattern) if path.is_file()})
    inputs = hashlib.sha256()
    for path in files:
        inputs.update(f"{path.relative_to(root).as_posix()}\n{path.read_text(encoding='utf-8')}\n".encode())
    return inputs.hexdigest()


def stated(folder: Path = FOLDER) -> dict[str, str]:
    """Return the digest that each picture was drawn from."""
    file = folder / "inputs.json"
    reported: dict[str, str] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return reported


def outdated(root: Path = ROOT, pictures: Mapping[str, Picture] = PICTURES) -> list[str]:
    """Return the names of pictures that are not there, or whose inputs are others by now."""
    folder = root / FOLDER.relative_to(ROOT)
    reported = stated(folder)
    return [
        name
        for name, picture in pictures.items()
        if not (folder / name).is_file() or reported.get(name) != digest(picture, root)
    ]


def draw(names: list[str]) -> None:
    """Draw pictures, and state their inputs."""
    FOLDER.mkdir(exist_ok=True)
    for name in names:
        (FOLDER / name).write_bytes(PICTURES[name].draw())
    reported = stated() | {name: digest(PICTURES[name]) for name in names}
    (FOLDER / "inputs.json").write_text(json.dumps(reported, indent=2, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    wanted = sys.argv[1:] or outdated()
    draw(wanted)
    print(f"{len(wanted)} pictures drawn: {', '.join(wanted) or 'all were up to date'}")
