"""The commands of agent-browser, as tasks use them."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

from cdp_typed.wire.json_text import is_object
from evals.agents.command_lines.program import Program
from evals.tasks.hands import Hands, Located, NotOnPage, NoTool, ToolFailed, View, is_at

_TAB = re.compile(r"^[→ ] *\[(t\d+)\] .*$", re.MULTILINE)
_BOX = re.compile(r"^\s*\"?(x|y|width|height)\"?: *(-?[\d.]+)", re.MULTILINE)
_INTERACTIVE = ("snapshot", "-i", "--delta")
_LABELLED = re.compile(r"- (?:Date|DateTime|InputTime|Month|Week|ColorWell)\b")
"""Fields that have no ref, and are found by their label."""
_FOUND = {"click": "click", "fill": "fill", "check": "check", "hover": "hover"}
"""The actions of `find`."""


class AgentBrowserHands(Hands):
    """A session of `agent-browser`.

    It reads the interactive elements, as its skill proposes, and after an action only their changes. It reads the whole
    page where those lack something.
    """

    name = "agent-browser"

    def __init__(self, program: Program, *, closes_alerts: bool) -> None:
        """`closes_alerts` says that it accepts alerts by itself, as it does by default."""
        super().__init__()
        self._program = program
        self._closes_alerts = closes_alerts
        self._steps: list[list[str]] | None = None
        self._tree: list[str] = []
        self._is_behind = True
        self.known: dict[str, Located] = {}
        """How to find an element again whose ref another tab has made unknown."""
        program.has_run = lambda printed: self.usage.add_command(printed.processor_s)

    def begin(self) -> None:
        super().begin()
        self._is_behind = True
        self.known.clear()

    def fresh(self) -> None:
        self._program.run("dialog", "dismiss")
        self._program.run("tab", "new", "about:blank")
        tabs = [entry.group() for entry in _TAB.finditer(self._program.run("tab").text)]
        for entry in tabs:
            if "→" not in entry:
                self._program.run("tab", "close", _number(entry))

    @contextmanager
    def together(self) -> Generator[None]:
        self._steps = []
        try:
            yield
            steps = self._steps
        finally:
            self._steps = None
        wants = self._wants_page
        self._run("together", "batch", "--bail", standard_input=json.dumps(steps))
        if wants:
            self._read(is_chained=True)

    def navigate(self, url: str) -> str:
        return self._do("navigate", "open", url)

    def back(self) -> str:
        return self._do("back", "back")

    def snapshot(self) -> View:
        self._read()
        assert self._shown is not None
        return self._shown

    def locator(self, name: str, role: str) -> str | None:
        return f"find role {role} --name {name}"

    def ref(self, name: str, *roles: str, nth: int = 0, after: str = "") -> str:
        try:
            return super().ref(name, *roles, nth=nth, after=after)
        except NotOnPage:
            if self._steps is None or len(roles) != 1:
                raise
            return Located(f"find role {roles[0]} --name {name}", name, roles[0])  # a step of the batch brings it back

    def by_locator(self, name: str, role: str) -> str:
        return self._do("click", "find", "role", role, "click", "--name", name, "--exact")

    def find(self, name: str, *roles: str) -> str:
        return self.ref(name, *roles)

    def click(self, ref: str, *, count: int = 1, button: str = "left") -> str:
        if button != "left":
            x, y = self._center(ref)
            self._do("click", "mouse", "move", x, y)
            self._do("click", "mouse", "down", button)
            return self._do("click", "mouse", "up", button)
        if count > 2:
            raise NoTool("there is none for a triple click")
        return self._on("click", "dblclick" if count == 2 else "click", ref)

    def type(self, ref: str, text: str, *, submit: bool = False) -> str:
        wants = self._wants_page
        self._wants_page = wants and not submit
        done = self._on("type", "fill", ref, text)
        if not submit:
            return done
        self._wants_page = wants
        return self.press("Enter")

    def set(self, ref: str, value: str) -> str:
        return self._on("set", "fill", ref, value)

    def write(self, text: str) -> str:
        return self._do("write", "keyboard", "type", text)

    def press(self, key: str) -> str:
        return self._do("press", "press", key)

    def select(self, ref: str, *labels: str) -> str:
        return self._on("select", "select", ref, *labels)

    def check(self, ref: str, *, on: bool = True) -> str:
        return self._on("check", "check" if on else "uncheck", ref)

    def fill(self, values: Mapping[str, tuple[str, str]]) -> str:
        verbs = {"text": "fill", "date": "fill", "select": "select"}
        steps = [
            self._words(("check" if value != "false" else "uncheck") if kind == "check" else verbs[kind], ref,
                        *(() if kind == "check" else (value,)))
            for ref, (kind, value) in values.items()
        ]  # fmt: skip
        if self._steps is not None:
            self._steps += steps
            return ""
        return self._do("fill", "batch", "--bail", standard_input=json.dumps(steps))

    def hover(self, ref: str) -> str:
        return self._on("hover", "hover", ref)

    def drag(self, start: str, end: str) -> str:
        return self._do("drag", "drag", self._at(start), self._at(end))

    def drag_by(self, ref: str, right: int, down: int) -> str:
        x, y = self._center(ref)
        self._do("drag", "mouse", "move", x, y)
        self._do("drag", "mouse", "down")
        self._do("drag", "mouse", "move", str(int(x) + right), str(int(y) + down), "--steps", "10")
        return self._do("drag", "mouse", "up")

    def scroll_to(self, ref: str) -> str:
        return self._on("scroll", "scrollintoview", ref)

    def scroll_down(self, ref: str) -> str:
        self._do("scroll", "mouse", "move", *self._center(ref))
        return self._do("scroll", "mouse", "wheel", "100000")

    def paste(self, ref: str, text: str) -> str:
        self._on("paste", "click", ref)
        self._do("paste", "clipboard", "write", text)
        return self._do("paste", "clipboard", "paste")

    def upload(self, ref: str, paths: Sequence[Path]) -> str:
        return self._on("upload", "upload", ref, *(str(path) for path in paths))

    def upload_by_chooser(self, ref: str, paths: Sequence[Path]) -> str:
        try:
            return self.upload(ref, paths)
        except ToolFailed:
            return self._do("upload", "upload", "input[type=file]", *(str(path) for path in paths))

    def answer(self, *, accept: bool, text: str | None = None) -> str:
        given = () if text is None else (text,)
        return self._do("answer", "dialog", *(("accept", *given) if accept else ("dismiss",)))

    def close_alert(self) -> str:
        return "" if self._closes_alerts else self.answer(accept=True)

    def wait_text(self, text: str) -> str:
        return self._do("wait", "wait", "--text", text)

    def wait_gone(self, text: str) -> str:
        return self._do("wait", "wait", "--fn", f"!document.body.innerText.includes({json.dumps(text)})")

    def open_tab(self, url: str) -> str:
        self._is_behind = True
        return self._do("tabs", "tab", "new", url)

    def switch_tab(self, part: str) -> str:
        wants = self._wants_page
        tab = self._tab(part)
        self._wants_page, self._is_behind = wants, True
        return self._do("tabs", "tab", tab)

    def switch_to_opened(self, part: str) -> str:
        return self.switch_tab(part)

    def close_tab(self, part: str) -> str:
        self._is_behind = True
        return self._do("tabs", "tab", "close", self._tab(part))

    def _tab(self, part: str) -> str:
        steps, self._steps = self._steps, None
        listed = self._do("find", "tab")
        self._steps = steps
        for entry in _TAB.finditer(listed):
            if is_at(entry.group(), part):
                return entry.group(1)
        raise NotOnPage(f"no tab {part!r} in {listed}")

    def _center(self, ref: str) -> tuple[str, str]:
        box = {side: float(pixels) for side, pixels in _BOX.findall(self._do("find", "get", "box", self._at(ref)))}
        return str(round(box["x"] + box["width"] / 2)), str(round(box["y"] + box["height"] / 2))

    def _at(self, ref: str) -> str:
        """A ref of a snapshot, or an XPath for what has none, for a command that takes no locator."""
        if ref.startswith("find text ") and not isinstance(ref, Located):
            return f"xpath=//*[normalize-space(text())={json.dumps(ref.removeprefix('find text '))}]"
        return f"@{self._shown_ref(ref.name, ref.role) if isinstance(ref, Located) else ref}"

    def _words(self, verb: str, ref: str, *values: str) -> list[str]:
        """The words of a command for an element: by its role and name, by its text or label, or by its ref."""
        if self._is_behind:
            ref = self.known.get(ref, ref)
        if ref.startswith("find ") and not isinstance(ref, Located) and verb in _FOUND:
            _, kind, name = ref.split(" ", 2)
            return ["find", kind, name, verb, *values, "--exact"]
        if isinstance(ref, Located) and verb in _FOUND:
            return ["find", "role", ref.role, verb, *values, "--name", ref.name, "--exact"]
        return [verb, self._at(ref), *values]

    def _on(self, kind: str, verb: str, ref: str, *values: str) -> str:
        try:
            return self._do(kind, *self._words(verb, ref, *values))
        except ToolFailed as error:
            known = ref if isinstance(ref, Located) else self.known.get(ref) if "Unknown ref" in str(error) else None
            if known is None:
                raise
            self._is_behind = self._is_behind or known is not ref
            return self._do(kind, verb, f"@{self.snapshot_ref(known.name, known.role)}", *values)

    def _do(self, kind: str, *words: str, standard_input: str = "") -> str:
        """Run a command, or add it to a batch, and show the page if that is wanted."""
        if self._steps is not None and kind not in ("snapshot", "find"):
            self._steps.append(list(words))
            return ""
        wants = self._wants_page
        text = self._run(kind, *words, standard_input=standard_input)
        if wants and kind not in ("snapshot", "find"):
            self._read(is_chained=True)
        return text

    def _run(self, kind: str, *words: str, standard_input: str = "", is_chained: bool = False) -> str:
        started = perf_counter()
        printed = self._program.run(*words, standard_input=standard_input)
        self.counted(kind, started, printed.text, is_chained=is_chained)
        if printed.code != 0 and not is_chained:
            self.usage.failed += 1
            raise ToolFailed(f"{' '.join(words)}: {printed.text}")
        return printed.text

    def _read(self, *, is_chained: bool = False) -> None:
        """Read the interactive elements, or what has changed of them since they were read last."""
        text = self._run("snapshot", *_INTERACTIVE, *(["--full"] if self._is_behind else []), is_chained=is_chained)
        if text.startswith("✗"):
            return
        if text.startswith("{"):
            _splice(self._tree, json.loads(text))
        elif not text.startswith("unchanged"):
            self._tree = text.splitlines()
        self._is_behind = False
        self._shown = _Interactive("\n".join(self._tree), self)

    def whole_page(self) -> str:
        """The whole page as text, which has what is not interactive, too."""
        shown = self._shown
        text = self._run("find", "snapshot", "-c", "-u")
        self._shown = shown
        return text


class _Interactive(View):
    """The interactive elements of a page, and all others once one is missed."""

    def __init__(self, text: str, hands: AgentBrowserHands) -> None:
        super().__init__(text)
        self._hands = hands
        self._whole: _Whole | None = None

    def __contains__(self, text: str) -> bool:
        return super().__contains__(text) or text in self._all()

    def ref(self, name: str, *roles: str, nth: int = 0, after: str = "") -> str:
        try:
            if after and not super().__contains__(after):
                raise NotOnPage(after)
            if not super().has(f'"{re.escape(name)}"'):  # a row of a table is no element whose name a part matches
                raise NotOnPage(name)
            ref = super().ref(name, *roles, nth=nth, after=after)
            if len(roles) == 1:
                self._hands.known[ref] = Located(f"find role {roles[0]} --name {name}", name, roles[0])
            return ref
        except NotOnPage:
            return self._all().ref(name, *roles, nth=nth, after=after)

    def match(self, pattern: str) -> str:
        return super().match(pattern) if super().has(pattern) else self._all().match(pattern)

    def has(self, pattern: str) -> bool:
        return super().has(pattern) or self._all().has(pattern)

    def _all(self) -> View:
        if self._whole is None:
            self._whole = _Whole(self._hands.whole_page())
        return self._whole


class _Whole(View):
    """The whole page, in which a text or a field without a ref is found by a locator."""

    def ref(self, name: str, *roles: str, nth: int = 0, after: str = "") -> str:
        labelled = [line for line in self.text.splitlines() if f'"{name}"' in line and _LABELLED.search(line)]
        if labelled:
            return f"find label {name}"
        try:
            return super().ref(name, *roles, nth=nth, after=after)
        except NotOnPage:
            if name in self.text and not (nth or after):
                return f"find text {name}"
            raise


def _splice(tree: list[str], delta: object) -> None:
    assert is_object(delta)
    change = delta.get("treeChange")
    if is_object(change):
        start = change["startLine"]
        tree[start : start + change["deleteCount"]] = change["lines"]


def _number(entry: str) -> str:
    found = _TAB.match(entry)
    assert found is not None
    return found.group(1)
