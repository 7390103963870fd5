"""The commands of cdp-agent, as tasks use them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping
from typing import Any

from evals.agents.command_lines.program import Program
from evals.tasks.hands import NotOnPage, NoTool
from evals.tasks.our_hands import OurHands

_DIALOG = 3
_NOT_DONE = "blocks the page"
"""In the answer of a command that an open dialog kept from being done."""
_REF = re.compile(r"\[ref=(\w+)\]")
_CUT = re.compile(r"^\.\.\. \d+ more characters", re.MULTILINE)
_PAGES = frozenset({"open", "look", "back", "tab"})
"""Commands that print a whole page. The others print what has changed."""


class CdpAgentHands(OurHands):
    """A session of `cdp-agent`.

    Every command prints what has changed, so what the last ones printed is the page.
    """

    name = "cdp-agent"

    def __init__(self, program: Program) -> None:
        super().__init__(self._run, frozenset(_COMMANDS) | {"browser_batch"})
        self._program = program
        self._known = ""
        program.has_run = lambda printed: self.usage.add_command(printed.processor_s)

    def begin(self) -> None:
        super().begin()
        self._known = ""

    def snapshot_ref(self, name: str, *roles: str, nth: int = 0, after: str = "") -> str:
        view = self.snapshot()
        try:
            return view.ref(name, *roles, nth=nth, after=after)
        except NotOnPage:
            if not view.has(_CUT.pattern):
                raise
            return self._search(name).ref(name, *roles)

    def _run(self, tool: str, arguments: Mapping[str, Any]) -> tuple[str, bool]:
        """Run the commands of a call. Returns what was printed, and whether the last one failed."""
        if tool == "browser_batch":
            lines = [line for step in arguments["steps"] for line in _commands(step["tool"], step["arguments"])]
            return self._printed(["run", "-"], "\n".join(map(shlex.join, lines)))
        texts: list[str] = []
        for words in _commands(tool, arguments):
            text, failed = self._printed(words)
            texts.append(text)
            if failed:
                return "".join(texts), True
        return "".join(texts), False

    def _printed(self, words: list[str], script: str = "") -> tuple[str, bool]:
        printed = self._program.run(*words, standard_input=script)
        failed = printed.code not in (0, _DIALOG) or (printed.code == _DIALOG and _NOT_DONE in printed.text)
        if not failed:
            self._known = printed.text if words[0] in _PAGES else _joined(printed.text, self._known)
        return printed.text, failed

    def _send(self, kind: str, tool: str, arguments: Mapping[str, object]) -> str:
        seen = self._shown
        text = super()._send(kind, tool, arguments)
        if tool != "browser_scroll":  # which prints how far it scrolled, and no changes
            self._shown = seen if kind == "find" else self._view(self._known)
        return text


def _joined(changed: str, known: str) -> str:
    """The changed lines, and those known lines that name none of their elements."""
    shown = set(_REF.findall(changed))
    return "\n".join([changed, *(line for line in known.splitlines() if shown.isdisjoint(_REF.findall(line)))])


def _options(arguments: Mapping[str, Any], *names: str) -> list[str]:
    return [f"--{name.replace('_', '-')}={arguments[name]}" for name in names if name in arguments]


def _navigate(arguments: Mapping[str, Any]) -> list[list[str]]:
    return [["open", arguments["url"], *([] if arguments.get("snapshot") else ["--max=200"])]]


def _words(arguments: Mapping[str, Any], *names: str) -> list[str]:
    return [arguments[name] for name in names if name in arguments]


def _drag(arguments: Mapping[str, Any]) -> list[list[str]]:
    return [["drag", *_words(arguments, "ref", "to_ref"), *_options(arguments, "by")]]


def _look(arguments: Mapping[str, Any]) -> list[list[str]]:
    return [["look", *_words(arguments, "ref"), *_options(arguments, "find", "cursor")]]


def _type(arguments: Mapping[str, Any]) -> list[list[str]]:
    match arguments:
        case {"paste": True, "ref": ref, "text": text}:
            return [["type", text, f"--ref={ref}", "--paste"]]
        case {"ref": ref, "text": text, "submit": True}:
            return [["fill", ref, text], ["press", "Enter"]]
        case {"ref": ref, "text": text}:
            return [["fill", ref, text]]
        case _:
            return [["type", arguments["text"]]]


def _fill(arguments: Mapping[str, Any]) -> list[list[str]]:
    values = [(field["ref"], field["value"]) for field in arguments["fields"]]
    return [["fill", ref, *(value if isinstance(value, list) else [value])] for ref, value in values]


def _scroll(arguments: Mapping[str, Any]) -> list[list[str]]:
    if arguments["direction"] == "into_view":
        return [["scroll", arguments["ref"]]]
    return [["scroll", arguments["direction"], str(arguments["amount"]), f"--ref={arguments['ref']}"]]


def _tab(arguments: Mapping[str, Any]) -> list[list[str]]:
    match arguments:
        case {"action": "open", **options}:
            return [["tab", "open", options.get("url", "about:blank")]]
        case {"action": "select", "target_id": target_id}:
            return [["tab", target_id]]
        case {"action": "close", "target_id": target_id}:
            return [["tab", "close", target_id]]
        case _:
            return [["tab"]]


_COMMANDS: dict[str, Callable[[Mapping[str, Any]], list[list[str]]]] = {
    "browser_navigate": _navigate,
    "browser_back": lambda arguments: [["back"]],
    "browser_snapshot": _look,
    "browser_click": lambda arguments: [["click", arguments["ref"], *_options(arguments, "count", "button")]],
    "browser_type": _type,
    "browser_press": lambda arguments: [["press", arguments["key"]]],
    "browser_fill_form": _fill,
    "browser_hover": lambda arguments: [["hover", arguments["ref"]]],
    "browser_drag": _drag,
    "browser_scroll": _scroll,
    "browser_file": lambda arguments: [["upload", arguments["ref"], *arguments["paths"]]],
    "browser_dialog": lambda arguments: [["dialog", arguments["action"], *_words(arguments, "prompt_text")]],
    "browser_wait": lambda arguments: [["wait", f"{arguments['until']}:{arguments['value']}"]],
    "browser_tabs": _tab,
}  # fmt: skip


def _commands(tool: str, arguments: Mapping[str, Any]) -> list[list[str]]:
    if tool not in _COMMANDS:
        raise NoTool(tool)
    return _COMMANDS[tool](arguments)
