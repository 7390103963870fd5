"""The page that is filmed, and what its videos show."""

from __future__ import annotations

from typing import Any

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


def first(frames: list[Frame], colour: tuple[int, ...]) -> Frame:
    return next(frame for frame in frames if is_like(corner(frame), colour))
