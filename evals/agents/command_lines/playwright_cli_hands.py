"""The commands of playwright-cli, as tasks use them: the tools of Playwright MCP as commands, with pages in files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from time import perf_counter
from typing import Any

from evals.agents.command_lines.program import Program
from evals.agents.playwright_hands import PlaywrightHands
from evals.agents.stdio_client import ServerEnded
from evals.tasks.hands import Located, NotOnPage, NoTool, View

_FILE = re.compile(r"\[Snapshot\]\((.+?)\)")
_BOX = re.compile(r"\[box=([\d.-]+),([\d.-]+),([\d.-]+),([\d.-]+)\]")


class PlaywrightCommands:
    """The tools of Playwright MCP, each by its command."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def call(self, name: str, arguments: Mapping[str, Any]) -> tuple[str, bool]:
        """Call a tool: its command, or the commands of a line. Returns what was printed, and whether one failed."""
        texts: list[str] = []
        for words in _commands(name, arguments):
            printed = self.program.run(*words)
            texts.append(printed.text)
            if printed.code != 0:
                return "".join(texts), True
        return "".join(texts), False


class PlaywrightCliHands(PlaywrightHands):
    """A session of `@playwright/cli`.

    After an action it names a file with the page, which is read where the outcome is to be seen.
    """

    name = "playwright-cli"

    def __init__(self, program: Program) -> None:
        super().__init__(PlaywrightCommands(program))
        self._program = program
        program.has_run = lambda printed: self.usage.add_command(printed.processor_s)

    def snapshot(self) -> View:
        page = self._page_file()
        if page is None:
            return super().snapshot()
        self.counted("snapshot", perf_counter(), page)
        self._shown = View(page)
        return self._shown

    def write(self, text: str) -> str:
        return self._call("write", "type", text=text)

    def drag_by(self, ref: str, right: int, down: int) -> str:
        x, y = self._center(ref)
        self._call("drag", "mousemove", x=x, y=y)
        self._call("drag", "mousedown")
        self._call("drag", "mousemove", x=x + right, y=y + down)
        return self._call("drag", "mouseup")

    def scroll_down(self, ref: str) -> str:
        x, y = self._center(ref)
        self._call("scroll", "mousemove", x=x, y=y)
        return self._call("scroll", "mousewheel", dx=0, dy=100_000)

    def _center(self, ref: str) -> tuple[float, float]:
        target = self._shown_ref(ref.name, ref.role) if isinstance(ref, Located) else ref
        found = _BOX.search(self._call("find", "boxes", target=target))
        if found is None:
            raise NotOnPage(f"no box of {ref}")
        x, y, width, height = map(float, found.groups())
        return x + width / 2, y + height / 2

    def _call(self, kind: str, tool: str, **arguments: object) -> str:
        wants = self._wants_page
        text = super()._call(kind, tool, **arguments)
        if wants and kind not in ("snapshot", "find"):
            self._show()
        return text

    def _show(self) -> None:
        """Read the page in the same line of the shell: the file that the action named, or else by a command."""
        page = self._page_file()
        started = perf_counter()
        if page is None:
            printed = self._program.run("snapshot")
            page = printed.text
            if printed.code != 0:
                self.counted("snapshot", started, page, is_chained=True)
                return
        self.counted("snapshot", started, page, is_chained=True)
        self._shown = View(page)

    def _page_file(self) -> str | None:
        named = _FILE.search(self._texts[-1]) if self._texts else None
        file = self._program.folder / named.group(1) if named else None
        return file.read_text() if file is not None and file.is_file() else None


_PLAIN = {
    "browser_navigate_back": "go-back",
    "browser_snapshot": "snapshot",
    "browser_find": "find",
    "browser_press_key": "press",
    "browser_hover": "hover",
}
"""The commands that take the arguments of the tool in their order."""


def _commands(name: str, arguments: Mapping[str, Any]) -> list[list[str]]:
    match name, arguments:
        case "browser_navigate", {"url": url}:
            return [["goto", url]]
        case "browser_click", {"target": target, **options}:
            verb = "dblclick" if options.get("doubleClick") else "click"
            return [[verb, target, *([options["button"]] if "button" in options else [])]]
        case "browser_type", {"target": target, "text": text, **options}:
            return [["fill", target, text, *(["--submit"] if options.get("submit") else [])]]
        case "browser_select_option", {"target": target, "values": [value]}:
            return [["select", target, value]]
        case "browser_fill_form", {"fields": fields}:
            return [_fill(field) for field in fields]
        case "browser_drag", {"startTarget": start, "endTarget": end}:
            return [["drag", start, end]]
        case "browser_file_upload", {"paths": paths}:
            return [["upload", *paths]]
        case "browser_file_upload", _:
            raise ServerEnded("no command dismisses a file chooser")
        case "browser_handle_dialog", {"accept": True, **options}:
            return [["dialog-accept", *([options["promptText"]] if "promptText" in options else [])]]
        case "browser_handle_dialog", _:
            return [["dialog-dismiss"]]
        case "browser_wait_for", {"text": text}:
            return [_waits(text, "visible")]
        case "browser_wait_for", {"textGone": text}:
            return [_waits(text, "hidden")]
        case "browser_tabs", {"action": "new", **options}:
            return [["tab-new", *([options["url"]] if "url" in options else [])]]
        case "browser_tabs", {"action": "list"}:
            return [["tab-list"]]
        case "browser_tabs", {"action": action, "index": index}:
            return [[f"tab-{action}", str(index)]]
        case "boxes", {"target": target}:
            return [["snapshot", target, "--boxes"]]
        case _:
            if name.startswith("browser_") and name not in _PLAIN:
                raise NoTool(f"there is none for {name} with {dict(arguments)}")
            return [[_PLAIN.get(name, name), *map(str, arguments.values())]]


def _fill(field: Mapping[str, str]) -> list[str]:
    match field:
        case {"type": "checkbox", "target": target, "value": value}:
            return ["check" if value == "true" else "uncheck", target]
        case {"type": "combobox", "target": target, "value": value}:
            return ["select", target, value]
        case _:
            return ["fill", field["target"], field["value"]]


def _waits(text: str, state: str) -> list[str]:
    """There is no command that waits; its skill runs a line of Playwright for that."""
    return ["run-code", f"async page => await page.getByText({text!r}).first().waitFor({{ state: '{state}' }})"]
