"""What videos by `browser_recording` show, decoded again."""

from __future__ import annotations

import asyncio
from io import BytesIO
from pathlib import Path

import pytest

from cdp_typed import connect
from cdp_typed.helpers import Video, video
from cdp_typed.protocol.target import TargetID
from supervisor import SupervisorRegistry
from supervisor.addons.live.screencast import LARGE, Screencasts, TabPicture
from supervisor.addons.recording.video import run_video
from supervisor.tools import Policy
from tests.cdp_typed.helpers.video.decoded_videos import Frame, at, decoded, film, is_like, pixels
from tests.supervisor.addons.live.conftest import soon
from tests.supervisor.addons.recording.video.filmed_pages import (
    GREEN,
    PAINTED,
    RED,
    SHOP,
    WHITE,
    Filmed,
    colours,
    corner,
    first,
    record,
    stopped,
)
from tests.supervisor.tools.conftest import Call, Tools, running_in
from tests.support.secrets import CANARY
from tests.support.servers.sites import Sites, page_with_oopif


def test_the_pointer_is_where_it_clicks_when_the_page_changes_and_the_page_notices_nothing(
    call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_video, "NAME_S", 60)
    call("browser_hover", ref='link "Other"')
    before = call("browser_evaluate", expression="document.documentElement.outerHTML")["value"]
    assert record(call, "video", name="shop", options="fps=25") == {"success": True}
    assert call("browser_evaluate", expression="document.documentElement.outerHTML")["value"] == before
    call("browser_hover", ref='link "Other"')
    film(0.5)
    call("browser_click", ref='button "Red"')
    call("browser_evaluate", expression=PAINTED)

    result = record(call, "stop_video")

    path = Path(result["files"][0])
    assert result["files"] == [str(folder / "shop.webm")]
    assert path.stat().st_mode & 0o777 == 0o600
    frames = decoded(path)
    assert abs(frames[-1].at - result["seconds"]) < 0.01
    assert result["pictures"] >= 2
    assert colours(frames) == ["white", "red"]
    red = first(frames, RED)
    assert _is_dark(red, 200, 160, 214, 176)  # its tip is in the middle of the button; below the text is its end
    gliding = [frame for frame in frames if _is_dark(frame, 40, 45, 300, 95)]  # from the link to the button
    assert 0 < gliding[0].at < gliding[-1].at < red.at
    caption = at(frames, red.at).crop((0, red.image.height - 60, red.image.width, red.image.height))
    dark = [value for value in pixels(caption) if is_like(value, (24, 24, 27))]
    assert len(dark) > 500


def _is_dark(frame: Frame, left: int, top: int, right: int, bottom: int) -> bool:
    """Whether a part of the page, in which it has nothing dark, has some of the pointer."""
    return min(frame.image.crop((left, top, right, bottom)).convert("L").tobytes()) < 60


def test_a_video_has_the_size_that_is_asked_for_and_chapters(call: Call) -> None:
    record(call, "video", options="cursor=off size=400x300")
    record(call, "chapter", text="Buying\nA test", options="seconds=3")
    call("browser_click", ref='button "Red"')

    frames = stopped(call)

    assert frames[0].image.size == (400, 300)
    assert is_like(corner(frames[0]), WHITE)  # the chapter comes after the page
    chapter = next(frame for frame in frames if max(corner(frame)) < 128)
    after = next(frame for frame in frames if frame.at > chapter.at and max(corner(frame)) > 200)
    assert after.at - chapter.at == pytest.approx(3, abs=0.1)
    assert first(frames, RED)
    assert any(_has_caption(frame) for frame in frames)


def _has_caption(frame: Frame) -> bool:
    """Whether the bar of a caption is below the page."""
    return any(is_like(pixel, (229, 72, 77)) for pixel in pixels(frame.image.crop((0, 270, 400, 300))))


def test_an_open_dialog_is_in_the_video_and_does_not_stop_it(call: Call) -> None:
    record(call, "video")
    call("browser_click", ref='button "Ask"')
    film(0.5)
    record(call, "chapter", text="While it is open", options="seconds=0.5")
    call("browser_dialog", action="accept")

    frames = stopped(call)

    assert colours(frames) == ["white", "green"]
    green = first(frames, GREEN)
    during = [frame for frame in frames if frame.at < green.at and _has_dialog(frame)]
    card = next(frame for frame in frames if max(corner(frame)) < 100)
    assert during[0].at < card.at < green.at
    assert not _has_dialog(frames[-1])


def _has_dialog(frame: Frame) -> bool:
    """A box with a black border in the middle of the top."""
    column = frame.image.crop((frame.image.width // 2, 5, frame.image.width // 2 + 1, 60)).convert("L")
    greys: bytes = column.tobytes()
    return min(greys) < 80 and max(greys) > 240


def test_it_can_begin_and_end_while_a_dialog_is_open(call: Call) -> None:
    call("browser_click", ref='button "Ask"')

    record(call, "video")
    film(0.5)
    frames = decoded(record(call, "stop_video")["files"][0])

    assert is_like(corner(frames[0]), WHITE)
    assert call("browser_dialog", action="accept")["success"]


def test_it_follows_the_agent_into_another_tab_and_back_when_that_closes(call: Call, filmed: Filmed) -> None:
    record(call, "video")
    filmed.until("white")
    opened = call("browser_click", ref='link "Other"')["opened"][0]
    call("browser_tabs", action="select", target_id=opened)
    filmed.until("white", "blue")
    film(0.5)  # what is shown for less than a picture of the video is not in it
    call("browser_tabs", action="close")
    filmed.until("white", "blue", "white")

    assert colours(stopped(call)) == ["white", "blue", "white"]


def test_it_goes_on_after_a_crash(call: Call, sites: Sites, filmed: Filmed) -> None:
    record(call, "video")
    filmed.until("white")
    call("browser_navigate", url="chrome://crash")
    call("browser_navigate", url=sites.local("/yellow"))
    filmed.until("white", "yellow")

    assert colours(stopped(call)) == ["white", "yellow"]


def test_a_click_in_an_iframe_of_another_process_is_drawn_at_its_place(call: Call, sites: Sites) -> None:
    small = "position: absolute; left: 10px; top: 10px; width: 80px; height: 40px"
    sites.pages["/inner"] = f"<body><button style='{small}' aria-label=In></button>"
    sites.pages["/outer"] = page_with_oopif(sites, "/inner")
    call("browser_navigate", url=sites.local("/outer"))
    box = "(box => [box.left, box.top])(document.querySelector('iframe').getBoundingClientRect())"
    frame = call("browser_evaluate", expression=box)["value"]
    record(call, "video")
    assert call("browser_click", ref='button "In"')["success"]

    frames = stopped(call)

    x, y = (round(edge) + 2 for edge in frame)  # the border of the iframe
    x, y = x + 50, y + 30  # the middle of the button
    assert _is_dark(frames[-1], x, y, x + 16, y + 22)


def test_a_page_that_the_policy_refuses_is_not_in_the_video(
    tools: Tools, registry: SupervisorRegistry, sites: Sites, folder: Path, filmed: Filmed
) -> None:
    sites.pages |= {"/": SHOP, "/yellow": "<body style='background: yellow'>"}
    tools()("browser_navigate", url=sites.local("/yellow"))
    call = tools(Policy(deny_origins=(sites.local("").removesuffix("/"),)))
    refused = call("browser_recording", action="video")
    assert refused["error_type"] == "Refused", refused
    sites.pages["/red"] = "<body style='background: red'>"
    assert call("browser_tabs", action="open", url=sites.remote("/red"))["success"]
    denied = tools(Policy(deny_methods=("Page.startScreencast",)))
    assert denied("browser_recording", action="video")["error_type"] == "Refused"
    record(call, "video")
    filmed.until("red")
    supervisor = running_in(registry)
    other = next(page.target_id for page in supervisor.snapshot().pages if not page.is_current)
    supervisor.select_page(other)
    film(0.7)

    assert call("browser_recording", action="stop_video")["error_type"] == "Refused"
    supervisor.select_page(next(page.target_id for page in supervisor.snapshot().pages if not page.is_current))

    assert colours(stopped(call)) == ["red"]


def test_neither_the_video_nor_its_captions_have_what_is_typed(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []

    def caption(_: Video, text: str, **__: float) -> None:
        said.append(text)

    def chapter(_: Video, title: str, text: str, **__: float) -> None:
        said.append(f"{title} {text}")

    monkeypatch.setattr(Video, "caption", caption)
    monkeypatch.setattr(Video, "chapter", chapter)
    record(call, "video")
    call("browser_type", ref='textbox "Password"', text=CANARY)
    call("browser_press", key=[*CANARY[:3], "Enter"])
    call("browser_fill_form", fields=[{"ref": 'textbox "Password"', "value": CANARY}])
    call("browser_navigate", url="http://localhost:9/?token=abcdefgh12345678")
    record(call, "chapter", text="Go to http://localhost/?token=abcdefgh12345678")
    record(call, "stop_video")

    assert said[:3] == ['type textbox "Password"', "press Enter", 'fill textbox "Password"']
    assert "open http://localhost:9/?token=" in said[3]
    assert not [text for text in said if "abcdefgh12345678" in text or CANARY in text]
    assert said[4].endswith(": NavigationFailed")


def test_the_live_view_and_another_client_see_the_page_meanwhile(
    call: Call, endpoint: str, registry: SupervisorRegistry, tmp_path: Path
) -> None:
    running = running_in(registry)
    page_id = next(page.target_id for page in running.snapshot().pages if page.is_current)

    async def seen_by_others() -> Path:
        pictures: list[TabPicture] = []
        live = Screencasts(pictures.append)
        async with connect(endpoint) as other:
            tab = await other.attach(TargetID(page_id))
            async with video(tab, tmp_path / "other.webm") as film:
                await live.want(running.config, {page_id: LARGE})
                clicked = await asyncio.to_thread(call, "browser_click", ref='button "Red"')
                assert clicked["success"]
                await soon(lambda: is_like(seen_last(pictures), RED))
        await live.close()
        return film.path

    def seen_last(pictures: list[TabPicture]) -> tuple[int, ...]:
        jpeg = next((picture.jpeg for picture in reversed(pictures) if picture.jpeg), None)
        return WHITE if jpeg is None else corner(Frame(0.0, Image.open(BytesIO(jpeg))))

    from PIL import Image

    record(call, "video", name="ours")
    path = asyncio.run(seen_by_others())

    assert colours(stopped(call)) == ["white", "red"]
    assert colours(decoded(path)) == ["white", "red"]
