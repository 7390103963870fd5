"""The files that videos by `browser_recording` leave, and what is refused."""

from __future__ import annotations

import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from cdp_typed.helpers import Video
from supervisor import SupervisorRegistry
from supervisor.tools import Policy
from tests.cdp_typed.helpers.video.decoded_videos import film
from tests.supervisor.addons.recording.video.filmed_pages import PAINTED, colours, record, stopped
from tests.supervisor.tools.conftest import Call, Tools
from tests.support.servers.sites import Sites


def test_code_and_a_video_are_recorded_at_the_same_time(call: Call) -> None:
    record(call, "start", name="both")
    record(call, "video", name="both")
    call("browser_click", ref='button "Red"')

    assert record(call, "stop")["steps"] == 2
    assert colours(stopped(call)) == ["white", "red"]


def test_a_video_is_whole_when_the_supervisor_stops(call: Call, registry: SupervisorRegistry, folder: Path) -> None:
    record(call, "video")
    film(0.5)
    registry.stop_all()

    end = time.monotonic() + 5
    while not _is_whole(folder / "run.webm") and time.monotonic() < end:
        time.sleep(0.1)  # a thread completes the file, and nothing tells when
    assert _is_whole(folder / "run.webm")


def _is_whole(path: Path) -> bool:
    av: Any = import_module("av")
    try:
        with av.open(str(path)) as container:
            return container.duration is not None and container.duration > 400_000
    except (OSError, av.FFmpegError):
        return False


def test_without_the_libraries_the_extra_is_named(call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "av", None)

    assert "pip install 'cdp-typed[video]'" in call("browser_recording", action="video")["error"]
    assert not list(folder.iterdir())


WRONG = [
    ({"action": "stop_video"}, "action", "there is no video: the action video begins one"),
    ({"action": "chapter", "text": "x"}, "action", "there is no video"),
    ({"action": "chapter"}, "text", "the title"),
    ({"action": "chapter", "text": "x", "options": "fps=1"}, "options", "chapter has no such option; seconds=2"),
    ({"action": "video", "options": "fps=0"}, "options", "expected fps=25, from 1 to 60"),
    ({"action": "video", "options": "fps=many"}, "options", "expected fps=25"),
    ({"action": "video", "options": "size=1x1"}, "options", "expected size=1280x720, each side from 16 to 4096"),
    ({"action": "video", "options": "size=big"}, "options", "expected size=1280x720"),
    ({"action": "video", "options": "color=red"}, "options", "video has no such option; fps=25"),
    ({"action": "video", "name": "../x"}, "name", "a name of letters"),
]


def test_bad_input_is_refused_in_one_sentence_and_no_file_is_written(call: Call, folder: Path) -> None:
    for arguments, argument, problem in WRONG:
        result = call("browser_recording", **arguments)

        assert result.get("argument", "") == argument, arguments
        assert problem in result["error"]
    assert not list(folder.iterdir())


def test_a_second_video_is_refused_and_the_first_goes_on(call: Call) -> None:
    record(call, "video")
    assert "a video is running: stop_video ends it" in call("browser_recording", action="video")["error"]
    call("browser_click", ref='button "Red"')

    assert colours(stopped(call)) == ["white", "red"]


def test_a_video_ends_and_the_next_one_begins(call: Call, sites: Sites, folder: Path) -> None:
    record(call, "video", name="one")
    call("browser_click", ref='button "Red"')
    call("browser_evaluate", expression=PAINTED)
    record(call, "stop_video")
    call("browser_navigate", url=sites.local("/"))
    record(call, "video", name="two", options="fps=20 cursor=off")

    assert colours(stopped(call)) == ["white"]
    assert sorted(path.name for path in folder.iterdir()) == ["one.webm", "two.webm"]


def test_names_of_steps_have_no_text_that_the_policy_hides(
    call: Call, tools: Tools, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []

    def caption(_: Video, text: str, **__: float) -> None:
        said.append(text)

    monkeypatch.setattr(Video, "caption", caption)
    hiding = tools(Policy(redact=("Re[d]",)))
    record(hiding, "video")
    hiding("browser_click", ref='button "Red"')
    record(hiding, "stop_video")

    assert said == ['click button "[redacted]"']
