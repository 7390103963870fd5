"""The computer-use actions of Anthropic's and OpenAI's models, done in a page by the tools.

    toolbox = Toolbox(config, toolsets=["browser", "browser-pixels"])
    computer = Computer(toolbox)
    computer.anthropic(block.input)        # of a `tool_use` block of the tool `computer_20250124`
    computer.openai(item.action)           # of a `computer_call` item, as a dictionary; or of each of its `actions`

Both return the JSON of the last tool call. The only action that a page lacks is Anthropic's `hold_key`. A screenshot
has its picture in `image`. Report the size of that picture as the size of the display.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable, Mapping
from typing import Any

from supervisor.tools import Toolbox

LINE = 100
"""CSS pixels that one step of Anthropic's `scroll` moves."""

BUTTONS = {"left_click": "left", "right_click": "right", "middle_click": "middle"}
COUNTS = {"double_click": 2, "triple_click": 3}
PRESSES = {"left_mouse_down": "down", "left_mouse_up": "up"}
DIRECTIONS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}

KEYS = {
    "alt": "Alt", "arrowdown": "ArrowDown", "arrowleft": "ArrowLeft", "arrowright": "ArrowRight", "arrowup": "ArrowUp",
    "backspace": "Backspace", "cmd": "Meta", "control": "Control", "ctrl": "Control", "delete": "Delete",
    "down": "ArrowDown", "end": "End", "enter": "Enter", "esc": "Escape", "escape": "Escape", "home": "Home",
    "left": "ArrowLeft", "meta": "Meta", "option": "Alt", "page_down": "PageDown", "page_up": "PageUp",
    "pagedown": "PageDown", "pageup": "PageUp", "return": "Enter", "right": "ArrowRight", "shift": "Shift",
    "space": "Space", "super": "Meta", "tab": "Tab", "up": "ArrowUp",
}  # fmt: skip
"""The names that both services use, in lower case, and those of `browser_press`."""


class Computer:
    """A display with a mouse and a keyboard: the current page."""

    def __init__(self, toolbox: Toolbox) -> None:
        self._toolbox = toolbox
        self._at = (0.0, 0.0)
        self._is_down = False
        self._scale = 1.0

    def anthropic(self, action: Mapping[str, Any]) -> dict[str, Any]:
        """Do an action of the tool `computer_20250124`. Raises `ValueError` for one that a page does not have."""
        name, text = action["action"], action.get("text")
        if (coordinate := action.get("coordinate")) is not None and name != "left_click_drag":
            self._at = coordinate[0], coordinate[1]
        if name in BUTTONS or name in COUNTS:
            return self._mouse("click", button=BUTTONS.get(name), count=COUNTS.get(name, 1), **_held(text))
        match name:
            case "screenshot":
                return self._screenshot()
            case "cursor_position":
                return {"success": True, "x": self._at[0], "y": self._at[1]}
            case "mouse_move":
                return self._move()
            case "left_mouse_down" | "left_mouse_up":
                self._is_down = name == "left_mouse_down"
                return self._mouse(PRESSES[name])
            case "left_click_drag":
                return self._drag([action.get("start_coordinate", self._at), action["coordinate"]])
            case "scroll":
                across, down = (
                    side * action["scroll_amount"] * LINE for side in DIRECTIONS[action["scroll_direction"]]
                )
                return self._mouse("wheel", delta_x=across, delta_y=down, **_held(text))
            case "key":
                return self._call("browser_press", key=[_chord(part.split("+")) for part in str(text).split()])
            case "type":
                return self._type(str(text))
            case "wait":
                return _rest(action["duration"])
            case _:
                raise ValueError(f"a page has no action {name!r}")

    def openai(self, action: Mapping[str, Any]) -> dict[str, Any]:
        """Do the action of a `computer_call`. Raises `ValueError` for one that a page does not have."""
        kind = action["type"]
        if "x" in action:
            self._at = action["x"], action["y"]
        match kind:
            case "screenshot":
                return self._screenshot()
            case "click" if action["button"] in ("back", "forward"):
                return self._call(
                    "browser_press", key="Alt+ArrowLeft" if action["button"] == "back" else "Alt+ArrowRight"
                )
            case "click":
                button = {"wheel": "middle"}.get(action["button"], action["button"])
                return self._mouse("click", button=button, **_held("+".join(action.get("keys") or ())))
            case "double_click":
                return self._mouse("click", count=2, **_held("+".join(action.get("keys") or ())))
            case "move":
                return self._move()
            case "drag":
                return self._drag([(point["x"], point["y"]) for point in action["path"]])
            case "scroll":
                return self._mouse("wheel", delta_x=action["scroll_x"], delta_y=action["scroll_y"])
            case "keypress":
                return self._call("browser_press", key=_chord(action["keys"]))
            case "type":
                return self._type(action["text"])
            case "wait":
                return _rest(2)
            case _:
                raise ValueError(f"a page has no action {kind!r}")

    def _call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        result: dict[str, Any] = json.loads(self._toolbox.dispatch(tool, arguments))
        return result

    def _screenshot(self) -> dict[str, Any]:
        result = self._call("browser_vision", format="png")
        self._scale = result.get("scale", 1.0)
        return result

    def _mouse(self, action: str, **arguments: Any) -> dict[str, Any]:
        x, y = (place / self._scale for place in self._at)
        return self._call("browser_mouse", action=action, x=x, y=y, **arguments)

    def _move(self) -> dict[str, Any]:
        return self._mouse("move", **({"button": "left"} if self._is_down else {}))

    def _drag(self, path: Iterable[Any]) -> dict[str, Any]:
        first, *others = path
        self._at = first[0], first[1]
        result = self._mouse("down")
        for point in others:
            if not result["success"]:
                return result
            self._at = point[0], point[1]
            result = self._mouse("move", button="left")
        return self._mouse("up")

    def _type(self, text: str) -> dict[str, Any]:
        names = {"\n": "Enter", "\t": "Tab", " ": "Space"}
        return self._call("browser_press", key=[names.get(character, character) for character in text])


def _held(text: str | None) -> dict[str, Any]:
    return {"modifiers": _chord(text.split("+"))} if text else {}


def _chord(keys: Iterable[str]) -> str:
    """`ctrl`, `s` -> `Control+s`."""
    return "+".join(_key(key) for key in keys)


def _key(key: str) -> str:
    if re.fullmatch(r"[fF]\d{1,2}", key):
        return key.upper()
    return KEYS.get(key.lower(), key.lower() if len(key) == 1 else key)


def _rest(seconds: float) -> dict[str, Any]:
    time.sleep(seconds)
    return {"success": True}
