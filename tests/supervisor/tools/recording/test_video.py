"""Videos by `browser_recording` on Chromium, decoded again."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from cdp_typed import connect
from cdp_typed.helpers import Video, video
from cdp_typed.protocol.target import TargetID
from supervisor import Config, SupervisorRegistry
from supervisor.live.screencast import LARGE, Screencasts, TabPicture
from supervisor.tools import Policy, Toolbox
from tests.cdp_typed.helpers.video.decoded_videos import Frame, at, decoded, is_like, pixels
from tests.supervisor.tools.conftest import Call, calls
from tests.support.secrets import CANARY
from tests.support.servers.sites import Sites, page_with_oopif
from tests.support.stages.shared_browser import SharedBrowser

WHITE, RED, GREEN, BLUE, YELLOW = (255, 255, 255), (255, 0, 0), (0, 128, 0), (0, 0, 255), (255, 255, 0)
BUTTON = "position: absolute; left: 100px; top: 100px; width: 200px; height: 100px"
PAGE = f"""<!doctype html><link rel=icon href=data:,><title>Shop</title><body style="background: white; margin: 0">
<button style="{BUTTON}" onclick="document.body.style.background = 'red'">Red</button>
<button onclick="alert('Sure?'); document.body.style.background = 'green'">Ask</button>
<a href=/other target=_blank>Other</a> <label>Password <input type=password></label>"""
PAINTED = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CDP_RECORDING_FOLDER", str(tmp_path))
    return tmp_path


@pytest.fixture
def registry() -> Iterator[SupervisorRegistry]:
    registry = SupervisorRegistry()
    yield registry
    registry.stop_all()


@pytest.fixture
def config(shared_chromium: SharedBrowser) -> Config:
    return Config(cdp_url=shared_chromium.empty().ws_url, call_timeout_s=20)


@pytest.fixture
def call(config: Config, registry: SupervisorRegistry, sites: Sites, folder: Path) -> Call:
    sites.pages |= {
        "/": PAGE,
        "/other": "<link rel=icon href=data:,><body style='background: blue'><button>In the other tab</button>",
        "/yellow": "<link rel=icon href=data:,><body style='background: yellow'>",
    }
    call = calls(Toolbox(config, registry=registry, toolsets="all"))
    call("browser_navigate", url=sites.local("/"))
    return call


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


def test_the_pointer_is_where_it_clicks_when_the_page_changes_and_the_page_notices_nothing(
    call: Call, folder: Path
) -> None:
    call("browser_hover", ref='link "Other"')
    before = call("browser_evaluate", expression="document.documentElement.outerHTML")["value"]
    assert record(call, "video", name="shop", options="fps=25") == {"success": True}
    assert call("browser_evaluate", expression="document.documentElement.outerHTML")["value"] == before
    call("browser_hover", ref='link "Other"')
    time.sleep(0.5)  # of the video
    call("browser_click", ref='button "Red"')
    time.sleep(1)
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
    middle = red.image.crop((180, 135, 225, 180)).convert(
        "L"
    )  # the button's middle is (200, 150); the tip points there
    assert min(middle.tobytes()) < 60
    still_gliding = [frame for frame in frames if 0 < red.at - frame.at < 0.4]
    assert len(still_gliding) > 4
    caption = at(frames, red.at).crop((0, red.image.height - 60, red.image.width, red.image.height))
    dark = [value for value in pixels(caption) if is_like(value, (24, 24, 27))]
    assert len(dark) > 500


def test_chapters_and_marks_are_drawn_until_they_are_hidden(call: Call) -> None:
    record(call, "video", options="cursor=off size=400x300")
    record(call, "chapter", text="Buying\nA test", options="seconds=3")
    record(call, "hide_actions")
    call("browser_click", ref='button "Red"')
    time.sleep(0.3)
    record(call, "show_actions", options="seconds=5 position=top color=blue")
    call("browser_hover", ref='button "Red"')
    time.sleep(0.4)

    frames = stopped(call)

    assert frames[0].image.size == (400, 300)
    assert is_like(corner(frames[0]), WHITE)  # the chapter comes after the page
    chapter = next(frame for frame in frames if max(corner(frame)) < 128)
    after = next(frame for frame in frames if frame.at > chapter.at and max(corner(frame)) > 200)
    assert after.at - chapter.at == pytest.approx(3, abs=0.1)
    red = first(frames, RED)
    bars = [_is_blue_bar(frame) for frame in frames]
    assert not _is_blue_bar(red)
    assert any(bars)


def _is_blue_bar(frame: Frame) -> bool:
    top = frame.image.crop((0, 0, 400, 40))
    return any(pixel[2] - pixel[0] > 100 and pixel[2] > 150 for pixel in pixels(top))


def test_an_open_dialog_is_in_the_video_and_does_not_stop_it(call: Call) -> None:
    record(call, "video")
    call("browser_click", ref='button "Ask"')
    time.sleep(0.5)
    record(call, "chapter", text="While it is open", options="seconds=0.5")
    call("browser_dialog", action="accept")

    frames = stopped(call)

    assert colours(frames) == ["white", "green"]
    green = first(frames, GREEN)
    during = [frame for frame in frames if frame.at < green.at and _has_dialog(frame)]
    assert during[-1].at - during[0].at > 0.4
    assert not _has_dialog(frames[-1])


def _has_dialog(frame: Frame) -> bool:
    """A box with a black border in the middle of the top."""
    column = frame.image.crop((frame.image.width // 2, 5, frame.image.width // 2 + 1, 60)).convert("L")
    greys: bytes = column.tobytes()
    return min(greys) < 80 and max(greys) > 240


def test_it_can_begin_and_end_while_a_dialog_is_open(call: Call) -> None:
    call("browser_click", ref='button "Ask"')

    record(call, "video")
    time.sleep(0.5)
    frames = decoded(record(call, "stop_video")["files"][0])

    assert is_like(corner(frames[0]), WHITE)
    assert call("browser_dialog", action="accept")["success"]


def test_it_follows_the_agent_into_another_tab_and_back_when_that_closes(call: Call) -> None:
    record(call, "video")
    opened = call("browser_click", ref='link "Other"')["opened"][0]
    time.sleep(0.3)
    call("browser_tabs", action="select", target_id=opened)
    call("browser_evaluate", expression=PAINTED)
    time.sleep(0.3)
    call("browser_tabs", action="close")
    time.sleep(0.8)  # the first tab is drawn again

    assert colours(stopped(call)) == ["white", "blue", "white"]


def test_it_goes_on_after_a_crash(call: Call, sites: Sites) -> None:
    record(call, "video")
    time.sleep(0.3)
    call("browser_navigate", url="chrome://crash")
    call("browser_navigate", url=sites.local("/yellow"))
    time.sleep(1.5)  # it attaches anew

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
    time.sleep(0.6)

    frames = stopped(call)

    x, y = (round(edge) + 2 for edge in frame)  # the border of the iframe
    x, y = x + 50, y + 30  # the middle of the button
    pointer = frames[-1].image.crop((x, y, x + 16, y + 22)).convert("L")
    assert min(pointer.tobytes()) < 60


def test_a_page_that_the_policy_refuses_is_not_in_the_video(
    config: Config, registry: SupervisorRegistry, sites: Sites, folder: Path
) -> None:
    sites.pages |= {"/": PAGE, "/yellow": "<body style='background: yellow'>"}
    calls(Toolbox(config, registry=registry, toolsets="all"))("browser_navigate", url=sites.local("/yellow"))
    policy = Policy(deny_origins=(sites.local("").removesuffix("/"),))
    call = calls(Toolbox(config, registry=registry, toolsets="all", policy=policy))
    refused = call("browser_recording", action="video")
    assert refused["error_type"] == "Refused", refused
    sites.pages["/red"] = "<body style='background: red'>"
    assert call("browser_tabs", action="open", url=sites.remote("/red"))["success"]
    denied = calls(
        Toolbox(config, registry=registry, toolsets="all", policy=Policy(deny_methods=("Page.startScreencast",)))
    )
    assert denied("browser_recording", action="video")["error_type"] == "Refused"
    record(call, "video")
    time.sleep(0.5)
    supervisor = registry.get("default")
    assert supervisor is not None
    other = next(page.target_id for page in supervisor.snapshot().pages if not page.is_current)
    supervisor.select_page(other)
    time.sleep(0.7)

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
    call: Call, config: Config, registry: SupervisorRegistry, tmp_path: Path
) -> None:
    running = registry.get("default")
    assert running is not None
    page_id = next(page.target_id for page in running.snapshot().pages if page.is_current)

    async def seen_by_others() -> tuple[Path, bytes]:
        pictures: list[TabPicture] = []
        live = Screencasts(pictures.append)
        async with connect(str(config.cdp_url)) as other:
            tab = await other.attach(TargetID(page_id))
            async with video(tab, tmp_path / "other.webm") as film:
                await live.want(config, {page_id: LARGE})
                clicked = await asyncio.to_thread(call, "browser_click", ref='button "Red"')
                assert clicked["success"]
                await asyncio.sleep(1)
        await live.close()
        return film.path, next(picture.jpeg for picture in reversed(pictures) if picture.jpeg)

    from PIL import Image

    record(call, "video", name="ours")
    path, jpeg = asyncio.run(seen_by_others())

    assert colours(stopped(call)) == ["white", "red"]
    assert colours(decoded(path)) == ["white", "red"]
    with Image.open(BytesIO(jpeg)) as shown:
        assert is_like(shown.convert("RGB").getpixel((shown.width - 5, shown.height // 2)), RED)


def test_the_contact_sheet_is_beside_the_video(call: Call, folder: Path) -> None:
    from PIL import Image

    record(call, "video", name="run", options="sheet=0.3")
    call("browser_click", ref='button "Red"')
    call("browser_evaluate", expression=PAINTED)

    assert record(call, "stop_video")["files"] == [str(folder / "run.webm"), str(folder / "run.png")]
    assert (folder / "run.png").stat().st_mode & 0o777 == 0o600
    with Image.open(folder / "run.png") as sheet:
        assert sheet.width == 640  # two moments


def test_code_and_a_video_are_recorded_at_the_same_time(call: Call) -> None:
    record(call, "start", name="both")
    record(call, "video", name="both")
    call("browser_click", ref='button "Red"')

    assert record(call, "stop")["steps"] == 2
    assert colours(stopped(call)) == ["white", "red"]


def test_a_video_is_whole_when_the_supervisor_stops(call: Call, registry: SupervisorRegistry, folder: Path) -> None:
    record(call, "video")
    time.sleep(0.5)
    registry.stop_all()
    end = time.monotonic() + 5
    while time.monotonic() < end and not _is_whole(folder / "run.webm"):
        time.sleep(0.1)

    assert _is_whole(folder / "run.webm")


def _is_whole(path: Path) -> bool:
    av: Any = import_module("av")
    try:
        with av.open(str(path)) as container:
            return container.duration is not None and container.duration > 400_000
    except (OSError, av.FFmpegError):
        return False


def test_without_the_libraries_there_is_a_picture_of_each_step(
    call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from PIL import Image

    monkeypatch.setitem(sys.modules, "av", None)
    hint = record(call, "video", name="steps")["hint"]
    assert "pip install 'cdp-typed[video]'" in hint
    assert "a picture is written after each step" in hint
    record(call, "chapter", text="Not drawn")
    call("browser_click", ref='button "Red"')
    call("browser_click", ref='button "No such"')

    result = record(call, "stop_video")

    paths = [Path(path) for path in result["files"]]
    assert [path.name for path in paths] == ["001-click-button-Red.jpg", "002-click-button-No-such-NotLocated.jpg"]
    assert {path.parent.parent for path in paths} == {folder}
    assert {path.stat().st_mode & 0o777 for path in paths} == {0o600}
    assert (result["pictures"], result["left_out"]) == (2, [hint])
    with Image.open(paths[1]) as shown:
        assert is_like(shown.convert("RGB").getpixel((shown.width - 5, shown.height // 2)), RED)


@pytest.mark.parametrize(
    ("arguments", "argument", "problem"),
    [
        ({"action": "stop_video"}, "action", "there is no video: the action video begins one"),
        ({"action": "chapter", "text": "x"}, "action", "there is no video"),
        ({"action": "chapter"}, "text", "the title"),
        ({"action": "show_actions"}, "action", "there is no video"),
        ({"action": "hide_actions", "options": "fps=1"}, "options", "hide_actions has no options"),
        ({"action": "video", "options": "fps=0"}, "options", "expected fps=25, from 1 to 60"),
        ({"action": "video", "options": "fps=many"}, "options", "expected fps=25"),
        ({"action": "video", "options": "size=1x1"}, "options", "expected size=1280x720, each side from 16 to 4096"),
        ({"action": "video", "options": "size=big"}, "options", "expected size=1280x720"),
        ({"action": "video", "options": "sheet=2"}, "options", "expected sheet=0.05, from 0 to 1"),
        ({"action": "video", "options": "color=red"}, "options", "video has no such option; fps=25"),
        ({"action": "show_actions", "options": "position=left"}, "options", "expected position=top-left, top,"),
        ({"action": "show_actions", "options": "color=url(x)"}, "options", "expected color=red or"),
        ({"action": "video", "name": "../x"}, "", "a name of letters"),
    ],
)
def test_bad_input_is_refused_in_one_sentence_and_no_file_is_written(
    call: Call, folder: Path, arguments: dict[str, Any], argument: str, problem: str
) -> None:
    result = call("browser_recording", **arguments)

    assert result.get("argument", "") == argument
    assert problem in result["error"]
    assert not list(folder.iterdir())


def test_a_second_video_and_an_unknown_colour_are_refused_and_the_first_goes_on(call: Call) -> None:
    record(call, "video")
    assert "a video is running: stop_video ends it" in call("browser_recording", action="video")["error"]
    wrong = call("browser_recording", action="show_actions", options="color=reddish")
    assert "unknown color" in wrong["error"]
    call("browser_click", ref='button "Red"')

    assert colours(stopped(call)) == ["white", "red"]


def test_a_video_ends_and_the_next_one_begins(call: Call, folder: Path) -> None:
    record(call, "video", name="one")
    call("browser_click", ref='button "Red"')
    call("browser_evaluate", expression=PAINTED)
    record(call, "stop_video")
    record(call, "video", name="two")

    assert colours(stopped(call)) == ["red"]
    assert sorted(path.name for path in folder.iterdir()) == ["one.webm", "two.webm"]


def test_names_of_steps_and_pictures_have_no_text_that_the_policy_hides(
    call: Call, config: Config, registry: SupervisorRegistry, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    hiding = calls(Toolbox(config, registry=registry, toolsets="all", policy=Policy(redact=("Re[d]",))))
    record(hiding, "video")
    hiding("browser_click", ref='button "Red"')

    (path,) = record(hiding, "stop_video")["files"]

    assert Path(path).name == "001-click-button-redacted.jpg"
