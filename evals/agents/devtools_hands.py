"""The tools of chrome-devtools-mcp, as tasks use them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter, sleep

from evals.agents.stdio_client import StdioClient
from evals.tasks.hands import PAUSE_S, TRIES, Hands, NotOnPage, NoTool, ToolFailed, View, is_at

_PAGE = re.compile(r"^(\d+): (.*)$", re.MULTILINE)
_SNAPSHOT = "## Latest page snapshot"
_SHOWING = frozenset({"click", "drag", "fill", "fill_form", "hover", "press_key", "upload_file"})
"""The tools that show the page in their result when they are asked to."""
_FAILED = re.compile(r"^(?:Error|Failed|Could not|Unable|Timed out)", re.MULTILINE)


class DevToolsHands(Hands):
    """A server of `chrome-devtools-mcp`, whose tools all want the number of a page."""

    name = "chrome-devtools-mcp"

    def __init__(self, client: StdioClient) -> None:
        super().__init__()
        self._client = client
        self._page = 1

    def fresh(self) -> None:
        for page, _ in self._pages(self._client.call("list_pages", {})[0]):
            for _ in range(10):
                text, is_error = self._client.call("handle_dialog", {"pageId": page, "action": "accept"})
                if is_error or "No open dialog" in text:
                    break
        self._client.call("new_page", {"url": "about:blank"})
        pages = [page for page, _ in self._pages(self._client.call("list_pages", {})[0])]
        self._page = max(pages)
        for page in pages:
            if page != self._page:
                self._client.call("close_page", {"pageId": page})

    def navigate(self, url: str) -> str:
        return self._call("navigate", "navigate_page", type="url", url=url)

    def back(self) -> str:
        return self._call("back", "navigate_page", type="back")

    def snapshot(self) -> View:
        self._shown = View(self._call("snapshot", "take_snapshot"))
        return self._shown

    def click(self, ref: str, *, count: int = 1, button: str = "left") -> str:
        if button != "left":
            raise NoTool("there is none for other buttons of the mouse")
        if count > 2:
            raise NoTool("there is none for a triple click")
        options: dict[str, object] = {"dblClick": True} if count == 2 else {}
        return self._call("click", "click", uid=ref, **options)

    def type(self, ref: str, text: str, *, submit: bool = False) -> str:
        if not submit:
            return self._call("type", "fill", uid=ref, value=text)
        wants, self._wants_page = self._wants_page, False
        self._call("type", "fill", uid=ref, value=text)
        self._wants_page = wants
        return self.press("Enter")

    def set(self, ref: str, value: str) -> str:
        return self._call("set", "fill", uid=ref, value=value)

    def write(self, text: str) -> str:
        return self._call("write", "type_text", text=text)

    def press(self, key: str) -> str:
        return self._call("press", "press_key", key=key)

    def select(self, ref: str, *labels: str) -> str:
        if len(labels) != 1:
            raise NoTool("there is none for several options")
        return self._call("select", "fill", uid=ref, value=labels[0])

    def check(self, ref: str, *, on: bool = True) -> str:
        return self._call("check", "fill", uid=ref, value="true" if on else "false")

    def fill(self, values: Mapping[str, tuple[str, str]]) -> str:
        elements = [
            {"uid": ref, "value": "true" if kind == "check" and value != "false" else value}
            for ref, (kind, value) in values.items()
        ]
        return self._call("fill", "fill_form", elements=elements)

    def hover(self, ref: str) -> str:
        return self._call("hover", "hover", uid=ref)

    def drag(self, start: str, end: str) -> str:
        return self._call("drag", "drag", from_uid=start, to_uid=end)

    def scroll_to(self, ref: str) -> str:
        return self.hover(ref)  # which scrolls; there is no tool for it

    def paste(self, ref: str, text: str) -> str:
        raise NoTool("there is none that pastes")

    def upload(self, ref: str, paths: Sequence[Path]) -> str:
        return self._call("upload", "upload_file", uid=ref, filePaths=[str(path) for path in paths])

    def upload_by_chooser(self, ref: str, paths: Sequence[Path]) -> str:
        return self.upload(ref, paths)

    def answer(self, *, accept: bool, text: str | None = None) -> str:
        options: dict[str, object] = {} if text is None else {"promptText": text}
        return self._call("answer", "handle_dialog", action="accept" if accept else "dismiss", **options)

    def wait_text(self, text: str) -> str:
        return self._call("wait", "wait_for", text=[text])

    def wait_gone(self, text: str) -> str:
        for _ in range(4 * TRIES):
            if text not in self.snapshot():
                return ""
            sleep(PAUSE_S)
        raise ToolFailed(f"{text!r} does not go")

    def open_tab(self, url: str) -> str:
        text = self._call("tabs", "new_page", url=url, pageId=None)
        self._page = max(page for page, _ in self._pages(text))
        return text

    def switch_tab(self, part: str) -> str:
        self._page = self._tab(part)  # every call names its page
        self._shown, self._wants_page = None, False
        return ""

    def switch_to_opened(self, part: str) -> str:
        opened = self._pages(self._texts[-1]) if "## Opened pages" in self._texts[-1] else []
        if len(opened) != 1:
            return self.switch_tab(part)
        self._page = opened[0][0]
        self._shown, self._wants_page = None, False
        return ""

    def close_tab(self, part: str) -> str:
        return self._call("tabs", "close_page", pageId=self._tab(part))

    def _tab(self, part: str) -> int:
        known = [entry for text in reversed(self._texts) if "pages\n" in text.lower() for entry in self._pages(text)]
        for page, words in known:
            if is_at(words, part):
                return page
        listed = self._call("tabs", "list_pages", pageId=None)
        for page, words in self._pages(listed):
            if is_at(words, part):
                return page
        raise NotOnPage(f"no tab {part!r} in {listed}")

    def _pages(self, text: str) -> list[tuple[int, str]]:
        return [(int(page), words) for page, words in _PAGE.findall(text)]

    def _call(self, kind: str, tool: str, **arguments: object) -> str:
        named = {"pageId": self._page, **arguments}
        if self._wants_page and tool in _SHOWING:
            named["includeSnapshot"] = True
        started = perf_counter()
        text, is_error = self._client.call(tool, {key: value for key, value in named.items() if value is not None})
        self.counted(kind, started, text)
        if is_error or (kind != "snapshot" and _FAILED.search(text)):
            self.usage.failed += 1
            raise ToolFailed(f"{tool}: {text}")
        _, found, page = text.partition(_SNAPSHOT)  # `wait_for` has one always
        if found:
            self._shown, self._was_shown = View(page), True
        return text
