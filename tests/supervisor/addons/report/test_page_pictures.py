"""Pictures in a flight recording: when they are taken, and that nothing but the report sees them."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from supervisor import BlockedByDialog, InvalidConfig
from supervisor.addons.report import report_of
from supervisor.config import Config
from supervisor.journal import replay
from supervisor.registry import SupervisorRegistry
from supervisor.tools import Toolbox
from tests.support.stages.stages import Stage, open_page

pytestmark = pytest.mark.parametrize("stage", ["chromium"], indirect=True)

EVENTS = "window.seen = 0; onresize = document.onvisibilitychange = onblur = onfocus = () => seen++; devicePixelRatio"


def pictures_in(path: Path) -> list[Mapping[str, Any]]:
    """The pictures of a recording that is being written, without a line that is not complete yet."""
    *lines, _ = path.read_text("ascii").split("\n")
    return [json.loads(line)["picture"] for line in lines if '"picture"' in line]


def wait_for_pictures(path: Path, count: int) -> list[Mapping[str, Any]]:
    deadline = time.monotonic() + 60
    while len(found := pictures_in(path)) < count:
        assert time.monotonic() < deadline, f"{len(found)} pictures"
        time.sleep(0.01)  # a file has no event
    return found


def test_a_picture_is_taken_of_each_document_and_after_each_tool(stage: Stage, path: Path) -> None:
    config = Config(cdp_url=stage.cdp_url, record_to=str(path), record_screenshots=True, call_timeout_s=20)
    registry = SupervisorRegistry()
    with Toolbox(config, registry=registry) as toolbox:
        toolbox.dispatch("browser_navigate", {"url": f"{stage.own}/plain"})
        supervisor = registry.get("default")
        assert supervisor is not None
        before = len(wait_for_pictures(path, 1))
        ratio = supervisor.evaluate(EVENTS).value
        toolbox.dispatch("browser_dialog", {"action": "accept", "prompt_text": "a secret word"})
        taken = wait_for_pictures(path, before + 1)
        assert supervisor.evaluate("[seen, devicePixelRatio]").value == [0, ratio]

    report = report_of(path)
    assert [picture["data"] for picture in taken] == [picture.data for picture in report.pictures[: len(taken)]]
    assert {picture.reason for picture in report.pictures} == {"document", "tool"}
    (page,) = {picture.page for picture in report.pictures}
    assert page in [lane.page for lane in report.pages]
    for picture in report.pictures:
        jpeg = base64.b64decode(picture.data)
        assert (jpeg[:2], picture.mime, len(picture.data) < 50_000) == (b"\xff\xd8", "image/jpeg", True)
    assert [(tool.name, tool.is_error) for tool in report.tools] == [
        ("browser_navigate", False),
        ("browser_dialog", True),
    ]
    assert json.loads(report.tools[0].arguments) == {"url": f"{stage.own}/plain"}
    assert "a secret word" not in path.read_text("ascii")
    assert report.tools[1].end is not None
    methods = {json.loads(line).get("method") for line in path.read_text().splitlines()}
    assert not {"Page.captureScreenshot", "Page.getLayoutMetrics"} & methods
    assert "Page.navigate" in methods
    assert len(list(replay(path))) == report.summary.inputs + 1
    assert [item.kind for item in report.summary.items if "dialog failed" in item.text] == ["failed"]


def test_no_picture_is_taken_while_a_dialog_is_open(stage: Stage, path: Path) -> None:
    """A call during one neither waits for a picture nor for its end; its end has one again, and the next document.

    The pictures have the size of the page.
    """
    with stage.supervisor(record_to=str(path), record_screenshots=True, record_screenshot_quality=10) as supervisor:
        open_page(supervisor, f"{stage.own}/plain")
        before, width = len(wait_for_pictures(path, 1)), supervisor.evaluate("innerWidth").value
        with pytest.raises(BlockedByDialog):
            supervisor.evaluate("confirm('now?')")
        supervisor.wait_for(lambda now: bool(now.pending_dialogs))
        supervisor.aio.record("tool_ended", {"id": 0, "is_error": False, "text": ""})
        supervisor.respond_to_dialog("accept")
        wait_for_pictures(path, before + 1)
        open_page(supervisor, f"{stage.own}/local")
        taken = wait_for_pictures(path, before + 2)

    assert [picture["reason"] for picture in taken[before:]] == ["dialog", "document"]
    jpeg = base64.b64decode(taken[before]["data"])
    at = jpeg.index(b"\xff\xc0")
    assert int.from_bytes(jpeg[at + 7 : at + 9], "big") == width


def test_pictures_need_a_recording_and_are_off_by_default(stage: Stage, path: Path) -> None:
    with pytest.raises(InvalidConfig, match="record_to"):
        stage.supervisor(record_screenshots=True)

    with stage.supervisor(record_to=str(path), call_timeout_s=20) as supervisor:
        open_page(supervisor, f"{stage.own}/plain")
    assert pictures_in(path) == []
