"""The tools of this project, as tasks use them: over MCP or by a toolbox."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

from cdp_typed.wire.json_text import is_array, is_object
from evals.tasks.hands import Hands, NotOnPage, NoTool, ToolFailed, View, has_locator, is_at
from evals.tasks.raw_cdp import RawBrowser

__all__ = ["OurHands", "clear_up", "elements"]

Call = Callable[[str, Mapping[str, object]], tuple[str, bool]]
"""`call(tool, arguments)` -> the result's text, and whether it is marked as an error."""

_TOKEN = re.compile(r'[\w-]+="(?:[^"\\]|\\.)*"|"(?:[^"\\]|\\.)*"|\[[^\]]*\]|\S+')
"""A word, a text in quotes, also with a word and `=` before it, or what is in brackets."""
_OPENED = re.compile(r'"?opened"?(?:=|:\s*)\[?"?([0-9A-F]{32}|t\d+)')
_TARGET = re.compile(r"\b[0-9A-F]{32}\b|(?<=\btab )t\d+\b|(?<=\bopened=)t\d+\b")
"""A tab's id: Chromium's, or the short one of a command line."""
_SHOWING = frozenset(
    {
        "browser_back", "browser_click", "browser_dialog", "browser_drag", "browser_fill_form", "browser_hover",
        "browser_navigate", "browser_press", "browser_tabs", "browser_type", "browser_wait",
    }
)  # fmt: skip
"""The tools that show the page in their result when they are asked to."""
_NOT_LOCATED = re.compile("NotLocated|AmbiguousLocator")
_CURSOR = re.compile(r'cursor[=: "]+([\w:.-]+)')


class OurHands(Hands):
    """Our server. `tools` are the names of those that it has."""

    name = "cdp-typed"

    def __init__(self, call: Call, tools: frozenset[str]) -> None:
        super().__init__()
        self._call_tool = call
        self._tools = tools
        self._steps: list[dict[str, object]] | None = None
        """Those of a batch that is being put together."""

    @contextmanager
    def together(self) -> Generator[None]:
        self._steps = []
        try:
            yield
            steps = self._steps
        finally:
            self._steps = None
        if len(steps) == 1:
            raise ValueError("one action is no batch")
        self._send("together", "browser_batch", {"steps": steps})

    def fresh(self) -> None:
        text, _ = self._call_tool("browser_tabs", {"action": "open"})
        opened = _opened(text)
        listed, _ = self._call_tool("browser_tabs", {"action": "list"})
        for target_id in _target_ids(listed):
            if target_id != opened:
                self._call_tool("browser_tabs", {"action": "close", "target_id": target_id})

    def navigate(self, url: str) -> str:
        return self._call("navigate", "browser_navigate", url=url)

    def back(self) -> str:
        return self._call("back", "browser_back")

    def snapshot(self) -> View:
        self._shown = self._view(self._call("snapshot", "browser_snapshot"))
        return self._shown

    def snapshot_ref(self, name: str, *roles: str, nth: int = 0, after: str = "") -> str:
        text = self._call("snapshot", "browser_snapshot")
        while True:
            try:
                self._shown = self._view(text)
                return self._shown.ref(name, *roles, nth=nth, after=after)
            except NotOnPage:
                cursor = _cursor(text)
                if cursor is None:
                    raise
                text = self._call("find", "browser_snapshot", cursor=cursor)

    def locator(self, name: str, role: str) -> str | None:
        return f'{role} "{name}"'

    def find(self, name: str, *roles: str) -> str:
        known = self._shown is not None or len(roles) != 1
        return self._search(name).ref(name, *roles) if known else self.ref(name, *roles)

    def whole(self, ref: str) -> View:
        return View(_page(self._call("find", "browser_snapshot", ref=ref)))

    def seek(self, words: str, pattern: str) -> str:
        return self._search(words).match(pattern)

    def click(self, ref: str, *, count: int = 1, button: str = "left") -> str:
        options: dict[str, object] = {} if count == 1 else {"count": count}
        if button != "left":
            options["button"] = button
        return self._call("click", "browser_click", ref=ref, **options)

    def type(self, ref: str, text: str, *, submit: bool = False) -> str:
        options: dict[str, object] = {"submit": True} if submit else {}
        return self._call("type", "browser_type", ref=ref, text=text, **options)

    def set(self, ref: str, value: str) -> str:
        return self._call("set", "browser_type", ref=ref, text=value)

    def write(self, text: str) -> str:
        return self._call("write", "browser_type", text=text)

    def press(self, key: str) -> str:
        return self._call("press", "browser_press", key=key)

    def select(self, ref: str, *labels: str) -> str:
        value = labels[0] if len(labels) == 1 else list(labels)
        return self._call("select", "browser_fill_form", fields=[{"ref": ref, "value": value}])

    def check(self, ref: str, *, on: bool = True) -> str:
        return self._call("check", "browser_fill_form", fields=[{"ref": ref, "value": "true" if on else "false"}])

    def fill(self, values: Mapping[str, tuple[str, str]]) -> str:
        fields = [{"ref": ref, "value": value} for ref, (_, value) in values.items()]
        return self._call("fill", "browser_fill_form", fields=fields)

    def hover(self, ref: str) -> str:
        return self._call("hover", "browser_hover", ref=ref)

    def drag(self, start: str, end: str) -> str:
        return self._call("drag", "browser_drag", ref=start, to_ref=end)

    def drag_by(self, ref: str, right: int, down: int) -> str:
        return self._call("drag", "browser_drag", ref=ref, by=f"{right},{down}")

    def scroll_to(self, ref: str) -> str:
        return self._call("scroll", "browser_scroll", ref=ref, direction="into_view")

    def scroll_down(self, ref: str) -> str:
        return self._call("scroll", "browser_scroll", ref=ref, direction="down", amount=100_000)

    def paste(self, ref: str, text: str) -> str:
        return self._call("paste", "browser_type", ref=ref, text=text, paste=True)

    def upload(self, ref: str, paths: Sequence[Path]) -> str:
        return self._call("upload", "browser_file", paths=[str(path) for path in paths], ref=ref)

    def upload_by_chooser(self, ref: str, paths: Sequence[Path]) -> str:
        return self.upload(ref, paths)

    def answer(self, *, accept: bool, text: str | None = None) -> str:
        options: dict[str, object] = {} if text is None else {"prompt_text": text}
        return self._call("answer", "browser_dialog", action="accept" if accept else "dismiss", **options)

    def wait_text(self, text: str) -> str:
        return self._call("wait", "browser_wait", until="text", value=text)

    def wait_gone(self, text: str) -> str:
        return self._call("wait", "browser_wait", until="text_gone", value=text)

    def open_tab(self, url: str) -> str:
        return self._call("tabs", "browser_tabs", action="open", url=url)

    def switch_tab(self, part: str) -> str:
        return self._call("tabs", "browser_tabs", action="select", target_id=self._tab(part))

    def switch_to_opened(self, part: str) -> str:
        opened = _OPENED.search(self._texts[-1])
        target_id = self._tab(part) if opened is None else opened.group(1)
        return self._call("tabs", "browser_tabs", action="select", target_id=target_id)

    def close_tab(self, part: str) -> str:
        return self._call("tabs", "browser_tabs", action="close", target_id=self._tab(part))

    def _search(self, text: str) -> View:
        return View(_page(self._call("find", "browser_snapshot", find=text)))

    def _tab(self, part: str) -> str:
        known = [entry for text in reversed(self._texts) for entry in _entries(text)]
        if not any(is_at(entry, part) for entry in known):
            wants, self._wants_page = self._wants_page, False
            known = _entries(self._send("tabs", "browser_tabs", {}))
            self._wants_page = wants
        for entry in known:
            if is_at(entry, part):
                return _target_ids(entry)[0]
        raise NotOnPage(f"no tab {part!r} in {known}")

    def _call(self, kind: str, tool: str, **arguments: object) -> str:
        shows = self._wants_page and tool in _SHOWING
        if shows:
            arguments["snapshot"] = True
        if self._steps is None or kind in ("snapshot", "find"):
            return self._send(kind, tool, arguments)
        self._steps.append({"tool": tool, "arguments": arguments})
        self._wants_page = False
        return ""

    def _send(self, kind: str, tool: str, arguments: Mapping[str, object]) -> str:
        if tool not in self._tools:
            raise NoTool(tool)
        shows = _shows(arguments)
        started = perf_counter()
        text, is_error = self._call_tool(tool, arguments)
        self.counted(kind, started, text)
        if shows and not is_error:
            self._shown, self._was_shown = self._view(text), True
        if is_error and tool != "browser_batch" and _NOT_LOCATED.search(text) and has_locator(arguments):
            return self._send(kind, tool, self.with_refs(arguments))
        # A call that a dialog stopped has done its work, whatever it says.
        if is_error and "blocked_by_dialog" not in text:
            self.usage.failed += 1
            raise ToolFailed(f"{tool}: {text}")
        return text

    def _view(self, text: str) -> View:
        return View(_page(text), self._search, takes_texts=True)


def clear_up(hands: Hands, judge: RawBrowser) -> None:
    """Leave one tab and no dialog after a task.

    The tab is a new one only where another is left, or a dialog, or a page that asks whether to leave: a tab's process
    takes a quarter of a second of processor time.
    """
    pages = [info for info in judge.targets() if info["type"] == "page"]
    heard = hands.heard.text
    if len(pages) != 1 or "beforeunload" in heard or "pending_dialogs" in heard.rpartition("\n")[2]:
        hands.fresh()


def _shows(arguments: Mapping[str, object]) -> bool:
    """Whether a call, or a step of a batch, shows the page in its result."""
    steps = arguments.get("steps")
    given = [step["arguments"] for step in steps if is_object(step)] if is_array(steps) else [arguments]
    return any(is_object(one) and one.get("snapshot") is True for one in given)


def _object(text: str) -> dict[str, Any] | None:
    try:
        value: Any = json.loads(text)
    except ValueError:
        return None
    return value if is_object(value) else None


def _page(text: str) -> str:
    """A snapshot with a line for each element, whether the result is JSON or text."""
    payload = _object(text)
    lines = "\n".join(elements(text if payload is None else str(payload.get("page") or payload.get("results", ""))))
    if payload is None:
        return lines
    rest = {key: value for key, value in payload.items() if key not in ("page", "results")}
    return f"{lines}\n{json.dumps(rest)}"


def elements(text: str) -> Iterator[str]:
    """The lines of a snapshot, where several elements stand in one line each in a line of its own."""
    for line in text.splitlines():
        indent = line[: len(line) - len(line.lstrip(" "))]
        element: list[str] = []
        for token in _TOKEN.findall(line):
            if element and _is_last(element[-1]) and (token[0] == '"' or token.isalpha()):
                yield indent + " ".join(element)
                element = []
            element.append(token)
        yield indent + " ".join(element)


def _is_last(token: str) -> bool:
    """Whether an element may end with this, which is no role, and announces nothing."""
    return not token.isalpha() and not token.endswith(":")


def _cursor(text: str) -> str | None:
    payload = _object(text)
    if payload is not None:
        return payload.get("cursor")
    cursor = _CURSOR.search(text)
    return cursor.group(1) if cursor else None


def _entries(text: str) -> list[str]:
    payload = _object(text)
    lines = text.splitlines() if payload is None else [json.dumps(tab) for tab in payload.get("tabs", ())]
    return [line for line in lines if _target_ids(line)]


def _target_ids(text: str) -> list[str]:
    return _TARGET.findall(text)


def _opened(text: str) -> str:
    payload = _object(text)
    if payload is not None:
        return str(payload["opened"])
    return next((_target_ids(line)[0] for line in text.splitlines() if "opened" in line), _target_ids(text)[-1])
