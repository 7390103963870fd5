"""The tools of Playwright MCP, as tasks use them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol

from evals.tasks.hands import Hands, NotOnPage, NoTool, ToolFailed, View, has_locator, is_at

_TABS = re.compile(r"^- (\d+): .*$", re.MULTILINE)
_HEADING = re.compile(r"^Found \d+ match.*\n", re.MULTILINE)
"""Of what was searched for."""
_KINDS = {"text": "textbox", "date": "textbox", "check": "checkbox", "select": "combobox"}


class Caller(Protocol):
    """The caller of the tools."""

    def call(self, name: str, arguments: Mapping[str, Any]) -> tuple[str, bool]:
        """Call a tool. Returns the text of its result, and whether it is an error."""
        ...


class PlaywrightHands(Hands):
    """A server of `@playwright/mcp`."""

    name = "Playwright MCP"

    def __init__(self, client: Caller) -> None:
        super().__init__()
        self._client = client

    def fresh(self) -> None:
        while "dialog with message" in (listed := self._client.call("browser_tabs", {"action": "list"})[0]):
            self._client.call("browser_handle_dialog", {"accept": True})
        if "File chooser" in listed:
            self._client.call("browser_file_upload", {})
        self._client.call("browser_tabs", {"action": "new"})
        listed, _ = self._client.call("browser_tabs", {"action": "list"})
        for _ in range(len(re.findall(r"^- \d+:", listed, re.MULTILINE)) - 1):
            self._client.call("browser_tabs", {"action": "close", "index": 0})

    def navigate(self, url: str) -> str:
        return self._call("navigate", "browser_navigate", url=url)

    def back(self) -> str:
        return self._call("back", "browser_navigate_back")

    def snapshot(self) -> View:
        self._shown = View(self._call("snapshot", "browser_snapshot"))
        return self._shown

    def locator(self, name: str, role: str) -> str | None:
        return f'role={role}[name="{name}"]'

    def find(self, name: str, *roles: str) -> str:
        found = self._call("find", "browser_find", text=name)
        return View(_HEADING.sub("", found)).ref(name, *roles)

    def seek(self, words: str, pattern: str) -> str:
        return View(self._call("find", "browser_find", text=words)).match(pattern)

    def click(self, ref: str, *, count: int = 1, button: str = "left") -> str:
        options: dict[str, object] = {"doubleClick": True} if count == 2 else {}
        if count > 2:
            raise NoTool("there is none for a triple click")
        if button != "left":
            options["button"] = button
        return self._call("click", "browser_click", target=ref, **options)

    def type(self, ref: str, text: str, *, submit: bool = False) -> str:
        options: dict[str, object] = {"submit": True} if submit else {}
        return self._call("type", "browser_type", target=ref, text=text, **options)

    def set(self, ref: str, value: str) -> str:
        return self._call("set", "browser_type", target=ref, text=value)

    def write(self, text: str) -> str:
        return "\n".join(self._call("write", "browser_press_key", key=character) for character in text)

    def press(self, key: str) -> str:
        return self._call("press", "browser_press_key", key=key)

    def select(self, ref: str, *labels: str) -> str:
        return self._call("select", "browser_select_option", target=ref, values=list(labels))

    def check(self, ref: str, *, on: bool = True) -> str:
        field = {"target": ref, "name": "field", "type": "checkbox", "value": "true" if on else "false"}
        return self._call("check", "browser_fill_form", fields=[field])

    def fill(self, values: Mapping[str, tuple[str, str]]) -> str:
        fields = [
            {"target": ref, "name": "field", "type": _KINDS[kind], "value": value}
            for ref, (kind, value) in values.items()
        ]
        return self._call("fill", "browser_fill_form", fields=fields)

    def hover(self, ref: str) -> str:
        return self._call("hover", "browser_hover", target=ref)

    def drag(self, start: str, end: str) -> str:
        return self._call("drag", "browser_drag", startTarget=start, endTarget=end)

    def scroll_to(self, ref: str) -> str:
        return self.hover(ref)  # which scrolls; there is no tool for it

    def paste(self, ref: str, text: str) -> str:
        raise NoTool("there is none that pastes")

    def upload(self, ref: str, paths: Sequence[Path]) -> str:
        self.click(ref)
        return self._call("upload", "browser_file_upload", paths=[str(path) for path in paths])

    def upload_by_chooser(self, ref: str, paths: Sequence[Path]) -> str:
        return self.upload(ref, paths)

    def answer(self, *, accept: bool, text: str | None = None) -> str:
        options: dict[str, object] = {} if text is None else {"promptText": text}
        return self._call("answer", "browser_handle_dialog", accept=accept, **options)

    def wait_text(self, text: str) -> str:
        return self._call("wait", "browser_wait_for", text=text)

    def wait_gone(self, text: str) -> str:
        return self._call("wait", "browser_wait_for", textGone=text)

    def open_tab(self, url: str) -> str:
        return self._call("tabs", "browser_tabs", action="new", url=url)

    def switch_tab(self, part: str) -> str:
        return self._call("tabs", "browser_tabs", action="select", index=self._tab(part))

    def switch_to_opened(self, part: str) -> str:
        return self.switch_tab(part)  # which the result has in its list

    def close_tab(self, part: str) -> str:
        return self._call("tabs", "browser_tabs", action="close", index=self._tab(part))

    def _tab(self, part: str) -> int:
        known = next((text for text in reversed(self._texts) if _TABS.search(text)), "")
        found = _index(known, part)
        if found is None:
            known = self._call("tabs", "browser_tabs", action="list")
            found = _index(known, part)
        if found is None:
            raise NotOnPage(f"no tab {part!r} in {known}")
        return found

    def _call(self, kind: str, tool: str, **arguments: object) -> str:
        started = perf_counter()
        text, is_error = self._client.call(tool, arguments)
        self.counted(kind, started, text)
        if is_error and has_locator(arguments) and re.search("strict mode violation|does not match any", text):
            return self._call(kind, tool, **self.with_refs(arguments))
        if is_error:
            self.usage.failed += 1
            raise ToolFailed(f"{tool}: {text}")
        return text


def _index(listed: str, part: str) -> int | None:
    return next((int(entry.group(1)) for entry in _TABS.finditer(listed) if is_at(entry.group(), part)), None)
