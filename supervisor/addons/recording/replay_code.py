"""A run in the format of Puppeteer's replay, which Chrome's Recorder opens."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from .literals import javascript
from .steps import CannotSay, Code, Run, RunStep, Secret
from .targets import ElementTarget

_BUTTONS = {"left": "primary", "middle": "auxiliary", "right": "secondary"}
_SHOWS = "document.body.innerText.replace(/\\s+/g, ' ').includes({})"


def replay_code(run: Run) -> Code:
    """The file's text. A secret is a name in braces, which a person replaces: the format has no variables."""
    steps: list[dict[str, Any]] = []
    left_out: list[str] = [f"put the value of {name} in place of ${{{name}}} in the file" for name in run.secrets]
    for number, step in enumerate(run.steps, 1):
        try:
            if step.tool not in _WRITERS:
                raise CannotSay("the format has no step for it")
            target = "main" if step.page_id == run.steps[0].page_id else step.url
            steps += [{**written, "target": target} for written in _WRITERS[step.tool](step)]
        except CannotSay as why:
            left_out.append(f"step {number} ({step.tool}): {why}")
    return Code(text=json.dumps({"title": run.name, "steps": steps}, indent=2) + "\n", left_out=tuple(left_out))


def _text(value: Any) -> str:
    return f"${{{value.variable}}}" if isinstance(value, Secret) else str(value)


def _place(target: ElementTarget) -> dict[str, Any]:
    """The selectors of an element, the best first, and its frame."""
    role = "image" if target.role == "img" else target.role
    css = list(target.css)
    by_role = [[f'aria/{target.name}[role="{role}"]']] if _is_plain(target) else []
    place: dict[str, Any] = {"selectors": [*by_role, css]}
    return {**place, "frame": [frame.index for frame in target.frames]} if target.frames else place


def _is_plain(target: ElementTarget) -> bool:
    """Whether `aria/` finds exactly this element, wherever shadow roots are."""
    is_alone = target.is_found_by_role and target.position is None
    return is_alone and not set('[]"\\') & set(target.name) and target.name == " ".join(target.name.split())


def _click(step: RunStep) -> list[dict[str, Any]]:
    given, target = step.arguments, step.targets["ref"]
    if target.option is not None:
        return [{"type": "change", **_place(target), "value": target.option_value}]
    if given.get("count", 1) > 2 or "at" in given:
        raise CannotSay("the format has no such click")
    click = {
        "type": "doubleClick" if given.get("count") == 2 else "click",
        **_place(target),
        "offsetX": target.middle[0],
        "offsetY": target.middle[1],
        "button": _BUTTONS[given.get("button", "left")],
    }
    return [*_keys("keyDown", step.held), click, *_keys("keyUp", step.held[::-1])]


def _keys(kind: str, keys: list[str]) -> list[dict[str, Any]]:
    return [{"type": kind, "key": key} for key in keys]


def _pressed(key: str) -> list[dict[str, Any]]:
    parts = ["+"] if key == "+" else key.split("+")
    return [*_keys("keyDown", parts), *_keys("keyUp", parts[::-1])]


def _press(step: RunStep) -> list[dict[str, Any]]:
    if "ref" in step.targets:
        raise CannotSay("the format presses keys only where the focus is")
    return [pressed for key in step.keys for pressed in _pressed(_text(key))]


def _type(step: RunStep) -> list[dict[str, Any]]:
    given, target = step.arguments, step.targets.get("ref")
    enter = _pressed("Enter") if given.get("submit") else []
    text = _text(given["text"])
    if target is None:
        if isinstance(given["text"], Secret) or not (text.isascii() and text.isprintable()):
            raise CannotSay("the format has no keys for its text")
        return [*(pressed for letter in text for pressed in _pressed(letter)), *enter]
    if not given.get("clear", True) or target.kind in ("keys", "slider"):
        raise CannotSay("the format only sets whole values")
    return [{"type": "change", **_place(target), "value": text}, *enter]


def _fill_form(step: RunStep) -> list[dict[str, Any]]:
    written: list[dict[str, Any]] = []
    for number, field in enumerate(step.arguments["fields"]):
        target, value = step.targets[f"fields.{number}"], field["value"]
        if target.kind == "check":
            if target.is_checked != (str(value).lower() == "true"):
                written.append(
                    {"type": "click", **_place(target), "offsetX": target.middle[0], "offsetY": target.middle[1]}
                )
            continue
        if target.kind == "select":
            values = dict(target.options)
            wanted = [value] if isinstance(value, str) else value
            if len(wanted) != 1:
                raise CannotSay("the format selects one option")
            value = values.get(wanted[0], wanted[0])
        written.append({"type": "change", **_place(target), "value": _text(value)})
    return written


def _wait(step: RunStep) -> list[dict[str, Any]]:
    kind, value = step.condition
    return _expression(step, kind, value)


def _expression(step: RunStep, kind: str, value: Any) -> list[dict[str, Any]]:
    if isinstance(value, Secret):
        raise CannotSay("its text may be a secret")
    conditions = {
        "loaded": "document.readyState === 'complete'",
        "text": _SHOWS.format(javascript(" ".join(str(value).split()))),
        "text_gone": "!" + _SHOWS.format(javascript(" ".join(str(value).split()))),
        "url": f"location.href.includes({javascript(value)})",
        "title": f"document.title === {javascript(value)}",
    }
    if kind not in conditions:
        raise CannotSay(f"the format has no step for {kind}")
    frame = [] if step.frame is None else [place.index for place in step.frame.frames] + [step.frame.frame_index]
    where = {"frame": frame} if frame else {}
    return [{"type": "waitForExpression", "expression": conditions[kind], **where}]


def _verify(step: RunStep) -> list[dict[str, Any]]:
    given, kind = step.arguments, step.arguments["check"]
    if kind not in ("visible", "value", "count", "list"):
        return _expression(step, kind, given.get("expected", ""))
    if kind == "list" or isinstance(given.get("expected"), Secret):
        raise CannotSay(f"the format has no step for {kind}")
    if kind == "count":
        number = int(given["expected"])
        if step.counted != number or not given["ref"].startswith("css="):
            raise CannotSay("its elements are in several frames, or have no CSS selector")
        selectors = {"selectors": [[f"pierce/{given['ref'].removeprefix('css=')}"]]}
        return [{"type": "waitForElement", **selectors, "operator": "==", "count": number}]
    target = step.targets["ref"]
    element: dict[str, Any] = {"type": "waitForElement", **_place(target), "operator": "==", "count": 1}
    if kind == "visible":
        return [{**element, "visible": True}]
    expected = given.get("expected", "")
    if target.kind == "check":
        return [{**element, "properties": {"checked": expected == "true"}}]
    return [{**element, "properties": {"value" if target.has_value else "innerText": expected}}]


_WRITERS: Mapping[str, Callable[[RunStep], list[dict[str, Any]]]] = {
    "browser_navigate": lambda step: [{"type": "navigate", "url": _text(step.arguments["url"])}],
    "browser_click": _click,
    "browser_hover": lambda step: [{"type": "hover", **_place(step.targets["ref"])}],
    "browser_type": _type,
    "browser_fill_form": _fill_form,
    "browser_press": _press,
    "browser_wait": _wait,
    "browser_verify": _verify,
}
