"""A run as a test for Playwright, in Python and in TypeScript."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import takewhile
from typing import Any

from .literals import INDENT
from .playwright_checks import check, wait
from .playwright_dialect import PYTHON, TYPESCRIPT, Dialect
from .steps import CannotSay, Code, Run, RunStep
from .targets import ElementTarget

_PYTHON = '''"""A recorded run, as a test for pytest. It needs pytest-playwright."""

import os
import re

from playwright.sync_api import Page, expect


def test_NAME(page: Page) -> None:
STEPS
'''
_TYPESCRIPT = """import { expect, test } from "@playwright/test";

test(NAME, async ({ page: first }) => {
    let page = first;
STEPS
});
"""
_COLLECTORS = {
    "console": (
        ("problems = []",
         'page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)',
         'page.on("pageerror", lambda error: problems.append(str(error)))'),
        ("const problems: string[] = [];",
         'page.on("console", message => { if (message.type() === "error") problems.push(message.text()); });',
         'page.on("pageerror", error => { problems.push(String(error)); });'),
    ),
    "request": (
        ("requests = []", 'page.on("request", lambda request: requests.append(request.url))'),
        ("const requests: string[] = [];", 'page.on("request", request => { requests.push(request.url()); });'),
    ),
}  # fmt: skip


def playwright_python(run: Run) -> Code:
    """The code for pytest-playwright."""
    lines, left_out = _PlaywrightWriter(run, PYTHON).written()
    body = "\n".join(f"{INDENT}{line}" for line in lines or ["pass"])
    text = _PYTHON.replace("NAME", run.name.translate(str.maketrans("-.", "__")), 1).replace("STEPS", body, 1)
    return Code(text=text, left_out=tuple(left_out))


def playwright_typescript(run: Run) -> Code:
    """The code for `@playwright/test`."""
    lines, left_out = _PlaywrightWriter(run, TYPESCRIPT).written()
    body = "\n".join(f"{INDENT}{line}" for line in lines)
    text = _TYPESCRIPT.replace("NAME", TYPESCRIPT.value(run.name), 1).replace("STEPS", body, 1)
    return Code(text=text, left_out=tuple(left_out))


class _PlaywrightWriter:
    def __init__(self, run: Run, dialect: Dialect) -> None:
        self._run = run
        self._say = dialect
        first = run.steps[0].page_id if run.steps else ""
        self._tabs = {first: "tab0"}
        self._uploads = 0
        self._writers: Mapping[str, Callable[[RunStep], list[str]]] = {
            "browser_navigate": lambda step: [self._say.do("page", "goto", step.arguments["url"])],
            "browser_back": lambda _: [self._say.do("page", "go_back")],
            "browser_click": self._click,
            "browser_hover": lambda step: [self._say.do(self._element(step), "hover")],
            "browser_type": self._type,
            "browser_fill_form": self._fill_form,
            "browser_press": self._press,
            "browser_scroll": self._scroll,
            "browser_drag": self._drag,
            "browser_dialog": lambda _: [],
            "browser_file": self._file,
            "browser_wait": lambda step: wait(self._say, step),
            "browser_tabs": self._tab,
            "browser_verify": lambda step: check(self._say, step),
        }

    def written(self) -> tuple[list[str], list[str]]:
        """The statements, and a sentence for each step without any."""
        checks = {step.arguments["check"] for step in self._run.steps if step.tool == "browser_verify"}
        collectors = [_COLLECTORS[kind][not self._say.is_python] for kind in _COLLECTORS if kind in checks]
        lines: list[str] = [line for collector in collectors for line in collector]
        left_out: list[str] = []
        if any(step.page_after != step.page_id for step in self._run.steps):
            lines.append(self._say.assign("tab0", "page"))
        for index, step in enumerate(self._run.steps):
            try:
                lines += self._step(index, step)
            except CannotSay as why:
                left_out.append(f"step {index + 1} ({step.tool}): {why}")
        return lines, left_out

    def _step(self, index: int, step: RunStep) -> list[str]:
        """The step, with what it sets off: dialogs, a file chooser, a tab."""
        if step.tool not in self._writers:
            raise CannotSay("Playwright has no form for it")
        later = self._run.steps[index + 1 :]
        lines = self._writers[step.tool](step)
        if step.tool == "browser_dialog" and index == 0:
            raise CannotSay("its dialog was open before the recording")
        dialogs = (
            [] if step.tool == "browser_dialog" else list(takewhile(lambda each: each.tool == "browser_dialog", later))
        )
        if later and later[0].uses_chooser:
            lines = self._say.during(lines, "page", "filechooser", f"chooser{index + 1}")
            lines.append(self._say.do(f"chooser{index + 1}", "set_files", later[0].arguments["paths"]))
        if step.opened and step.tool != "browser_tabs":
            self._tabs[step.opened[0]] = name = f"tab{len(self._tabs)}"
            lines = self._say.during(lines, "page", "popup", name)
        if dialogs:
            lines = [self._say.answers("page", [_answer(each.arguments) for each in dialogs]), *lines]
        if step.page_after != step.page_id and step.page_after in self._tabs:
            lines.append(self._say.assign("page", self._tabs[step.page_after], is_new=False))
        return lines

    def _element(self, step: RunStep, name: str = "ref") -> str:
        return self._say.locator(step.targets[name])

    def _click(self, step: RunStep) -> list[str]:
        given, target = step.arguments, step.targets["ref"]
        if target.option is not None:
            return [self._say.do(self._element(step), "select_option", target.option)]
        options = {
            "button": given.get("button"),
            "click_count": given.get("count"),
            "modifiers": step.held or None,
            "position": _position(given.get("at")),
            "force": given.get("force"),
        }
        return [self._say.do(self._element(step), "click", **options)]

    def _type(self, step: RunStep) -> list[str]:
        given, target = step.arguments, step.targets.get("ref")
        if target is None:
            lines = [self._say.do("page.keyboard", "type", given["text"])]
            return lines + ([self._say.do("page.keyboard", "press", "Enter")] if given.get("submit") else [])
        element = self._say.locator(target)
        if target.kind == "slider":
            raise CannotSay("it moved a slider that is no form field")
        if given.get("clear", True) and target.kind != "keys":
            is_filled = not given.get("keystrokes")
            lines = [self._say.do(element, "fill", given["text"] if is_filled else "")]
        else:
            lines, is_filled = [self._say.do(element, "press", "Control+End")], False
        if not is_filled:
            lines.append(self._say.do(element, "press_sequentially", given["text"]))
        return lines + ([self._say.do(element, "press", "Enter")] if given.get("submit") else [])

    def _fill_form(self, step: RunStep) -> list[str]:
        return [
            self._fill(step.targets[f"fields.{number}"], field["value"])
            for number, field in enumerate(step.arguments["fields"])
        ]

    def _fill(self, target: ElementTarget, value: Any) -> str:
        element = self._say.locator(target)
        if target.kind == "check":
            return self._say.do(element, "set_checked", str(value).lower() == "true")
        return self._say.do(element, "select_option" if target.kind == "select" else "fill", value)

    def _press(self, step: RunStep) -> list[str]:
        receiver = self._element(step) if "ref" in step.targets else "page.keyboard"
        return [self._say.do(receiver, "press", key) for key in step.keys]

    def _scroll(self, step: RunStep) -> list[str]:
        direction, amount = step.arguments.get("direction", "down"), step.arguments.get("amount", 500)
        if direction == "into_view":
            return [self._say.do(self._element(step), "scroll_into_view_if_needed")]
        over = [self._say.do(self._element(step), "hover")] if "ref" in step.targets else []
        across = {"left": -amount, "right": amount}.get(direction, 0)
        down = {"up": -amount, "down": amount}.get(direction, 0)
        return [*over, self._say.do("page.mouse", "wheel", across, down)]

    def _drag(self, step: RunStep) -> list[str]:
        if "to_ref" not in step.targets:
            raise CannotSay("it dragged by a distance")
        places = {
            "source_position": _position(step.arguments.get("at")),
            "target_position": _position(step.arguments.get("to_at")),
        }
        return [self._say.do(self._element(step), "drag_to", self._say.locator(step.targets["to_ref"]), **places)]

    def _file(self, step: RunStep) -> list[str]:
        if step.uses_chooser:
            return []  # the step that opened the chooser has it
        paths, element = step.arguments["paths"], self._element(step)
        if step.targets["ref"].kind == "file":
            return [self._say.do(element, "set_input_files", paths)]
        self._uploads += 1  # TypeScript takes a name once
        name = f"upload{self._uploads}"
        lines = self._say.during([self._say.do(element, "click")], "page", "filechooser", name)
        return [*lines, self._say.do(name, "set_files", paths)]

    def _tab(self, step: RunStep) -> list[str]:
        given = step.arguments
        if given["action"] == "open":
            self._tabs[step.opened[0]] = name = f"tab{len(self._tabs)}"
            made: str = self._say.call("page.context" if self._say.is_python else "page.context()", "new_page")
            lines = [self._say.assign(name, made if self._say.is_python else f"await {made}")]
            url = given.get("url")
            return lines if url is None else [*lines, self._say.do(name, "goto", url)]
        if given["target_id"] not in self._tabs:
            raise CannotSay("its tab was open before the recording")
        return [self._say.do(self._tabs[given["target_id"]], "close")] if given["action"] == "close" else []


def _answer(given: Mapping[str, Any]) -> tuple[str, tuple[Any, ...]]:
    """The method of a dialog, and its arguments."""
    return given["action"], (given["prompt_text"],) if "prompt_text" in given else ()


def _position(place: str | None) -> dict[str, float] | None:
    if place is None:
        return None
    x, _, y = place.partition(",")
    try:
        return {"x": float(x), "y": float(y)}
    except ValueError:
        raise CannotSay("its place on the element is named by sides") from None
