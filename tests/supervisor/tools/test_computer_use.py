"""Computer-use actions in the form of both services' public documentation, done on real Chromium."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from supervisor import Config, SupervisorRegistry
from supervisor.tools import Toolbox
from tests.support.stages.stages import Stage

sys.path.insert(0, str(Path(__file__).parents[3] / "examples" / "agents"))

from computer_use import Computer

from tests.supervisor.tools.conftest import running_in

pytestmark = pytest.mark.parametrize("shared_stage", ["chromium"], indirect=True)

PAGE = """<!doctype html><body style='margin:0; height:3000px'><input style='position:absolute; left:0; top:0'><script>
window.seen = [];
const note = event => {
    const held = (event.ctrlKey ? ' ctrl' : '') + (event.buttons ? ' held' : '');
    seen.push(`${event.type} ${event.clientX},${event.clientY} ${event.button}${held}`);
};
for (const type of ['click', 'dblclick', 'auxclick', 'mousedown', 'mouseup', 'mousemove']) addEventListener(type, note);
onwheel = event => seen.push(`wheel ${event.clientX},${event.clientY} ${event.deltaX},${event.deltaY}`);
</script>"""

ANTHROPIC: list[tuple[Mapping[str, Any], list[str]]] = [
    ({"action": "mouse_move", "coordinate": [40, 50]}, ["mousemove 40,50 0"]),
    ({"action": "left_click", "coordinate": [300, 40], "text": "ctrl"}, ["click 300,40 0 ctrl"]),
    ({"action": "double_click", "coordinate": [300, 40]}, ["dblclick 300,40 0"]),
    ({"action": "middle_click", "coordinate": [300, 40]}, ["auxclick 300,40 1"]),
    (
        {"action": "left_click_drag", "start_coordinate": [300, 40], "coordinate": [320, 90]},
        ["mousedown 300,40 0 held", "mousemove 320,90 0 held", "mouseup 320,90 0"],
    ),
    (
        {"action": "left_click_drag", "coordinate": [310, 80]},
        ["mousedown 320,90 0 held", "mousemove 310,80 0 held", "mouseup 310,80 0"],
    ),
    ({"action": "left_mouse_down"}, ["mousedown 310,80 0 held"]),
    ({"action": "mouse_move", "coordinate": [330, 95]}, ["mousemove 330,95 0 held"]),
    ({"action": "left_mouse_up"}, ["mouseup 330,95 0"]),
    (
        {"action": "scroll", "coordinate": [300, 40], "scroll_direction": "down", "scroll_amount": 1},
        ["wheel 300,40 0,100"],
    ),
    ({"action": "wait", "duration": 0}, []),
]

OPENAI: list[tuple[Mapping[str, Any], list[str]]] = [
    ({"type": "move", "x": 40, "y": 50}, ["mousemove 40,50 0"]),
    ({"type": "click", "x": 300, "y": 40, "button": "left"}, ["click 300,40 0"]),
    ({"type": "click", "x": 300, "y": 40, "button": "wheel"}, ["auxclick 300,40 1"]),
    ({"type": "double_click", "x": 300, "y": 40}, ["dblclick 300,40 0"]),
    (
        {"type": "drag", "path": [{"x": 300, "y": 40}, {"x": 310, "y": 60}, {"x": 320, "y": 90}]},
        ["mousedown 300,40 0 held", "mousemove 310,60 0 held", "mousemove 320,90 0 held", "mouseup 320,90 0"],
    ),
    ({"type": "scroll", "x": 300, "y": 40, "scroll_x": 0, "scroll_y": 120}, ["wheel 300,40 0,120"]),
]


class Desk:
    """A computer on the page of the test, and what the page noted."""

    def __init__(self, toolbox: Toolbox, registry: SupervisorRegistry) -> None:
        self.computer = Computer(toolbox)
        toolbox.dispatch("browser_navigate", {"url": f"data:text/html,{quote(PAGE)}"})
        running = running_in(registry)
        self._supervisor = running

    def value(self, expression: str) -> Any:
        return self._supervisor.evaluate(expression).value


@pytest.fixture
def desk(stage: Stage) -> Iterator[Desk]:
    registry = SupervisorRegistry()
    config = Config(cdp_url=stage.cdp_url, call_timeout_s=20)
    with Toolbox(config, registry=registry, toolsets=["browser", "browser-pixels"]) as toolbox:
        yield Desk(toolbox, registry)
    registry.stop_all()


@pytest.mark.parametrize("form", ["anthropic", "openai"])
def test_actions_reach_the_page(desk: Desk, form: str) -> None:
    for action, expected in ANTHROPIC if form == "anthropic" else OPENAI:
        desk.value("seen = []")
        assert getattr(desk.computer, form)(action)["success"], action
        assert [line for line in expected if line not in desk.value("seen")] == [], action
    if form == "anthropic":
        assert desk.computer.anthropic({"action": "cursor_position"}) == {"success": True, "x": 300, "y": 40}


def test_both_type_and_press_keys(desk: Desk) -> None:
    desk.computer.anthropic({"action": "left_click", "coordinate": [20, 10]})
    desk.computer.anthropic({"action": "type", "text": "Old b"})
    desk.computer.anthropic({"action": "key", "text": "ctrl+a"})
    desk.computer.openai({"type": "type", "text": "New x"})
    desk.computer.openai({"type": "keypress", "keys": ["BACKSPACE"]})

    assert desk.value("document.querySelector('input').value") == "New "


def test_a_screenshot_has_the_picture_of_the_viewport(desk: Desk) -> None:
    for result in (desk.computer.anthropic({"action": "screenshot"}), desk.computer.openai({"type": "screenshot"})):
        assert result["image"]["mime_type"] == "image/png"
        assert result["height"] == desk.value("innerHeight")


def test_an_action_that_a_page_does_not_have_is_refused(desk: Desk) -> None:
    with pytest.raises(ValueError, match="zoom"):
        desk.computer.anthropic({"action": "zoom"})
    with pytest.raises(ValueError, match="dance"):
        desk.computer.openai({"type": "dance"})
