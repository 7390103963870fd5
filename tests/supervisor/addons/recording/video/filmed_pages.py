"""The page that is filmed, and what its videos show."""

from __future__ import annotations

import threading
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest

from cdp_typed.helpers import Video
from tests.cdp_typed.helpers.video.decoded_videos import Frame, decoded, is_like, pixels
from tests.supervisor.tools.conftest import Call

WHITE, RED, GREEN, BLUE, YELLOW = (255, 255, 255), (255, 0, 0), (0, 128, 0), (0, 0, 255), (255, 255, 0)
BUTTON = "position: absolute; left: 100px; top: 100px; width: 200px; height: 100px"
SHOP = f"""<!doctype html><link rel=icon href=data:,><title>Shop</title><body style="background: white; margin: 0">
<button style="{BUTTON}" onclick="document.body.style.background = 'red'">Red</button>
<button onclick="alert('Sure?'); document.body.style.background = 'green'">Ask</button>
<a href=/other target=_blank>Other</a> <label>Password <input type=password></label>"""
PAINTED = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))"


def record(call: Call, action: str, **arguments: Any) -> dict[str, Any]:
    result = call("browser_recording", action=action, **arguments)
    assert result["success"], result
    return result


def stopped(call: Call) -> list[Frame]:
    call("browser_evaluate", expression=PAINTED)
    return decoded(record(call, "stop_video")["files"][0])


def corner(frame: Frame) -> tuple[int, ...]:
    """The colour of the page, away from captions and chapters."""
    x, y = frame.image.width - 5, frame.image.height // 2
    return pixels(frame.image.crop((x, y, x + 1, y + 1)))[0]


def colours(frames: list[Frame]) -> list[str]:
    """The colours of the page in their order."""
    names = {"white": WHITE, "red": RED, "green": GREEN, "blue": BLUE, "yellow": YELLOW}
    seen: list[str] = []
    for frame in frames:
        for name, colour in names.items():
            if is_like(corner(frame), colour) and seen[-1:] != [name]:
                seen.append(name)
    return seen


class Filmed:
    """What the pictures show that have come for videos so far."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._frames: list[Frame] = []
        self._change = threading.Condition()
        monkeypatch.setattr(Video, "picture", self._noting(Video.picture))

    def until(self, *wanted: str) -> None:
        """Wait until the colours of the page have been these, in their order."""
        with self._change:
            assert self._change.wait_for(lambda: colours(self._frames) == [*wanted], 60), colours(self._frames)

    def _noting(self, picture: Callable[..., None]) -> Callable[..., None]:
        from PIL import Image

        def note(video: Video, jpeg: bytes, width: float, height: float, *, at: float | None = None) -> None:
            picture(video, jpeg, width, height, at=at)
            with self._change:
                self._frames.append(Frame(at or 0.0, Image.open(BytesIO(jpeg))))
                self._change.notify_all()

        return note


def first(frames: list[Frame], colour: tuple[int, ...]) -> Frame:
    return next(frame for frame in frames if is_like(corner(frame), colour))
