"""A command's answer: an exit code, and a few lines for a model."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct

from cdp_agent import DIALOG, DONE, LOST, UNSURE
from cdp_typed.printable import visible
from supervisor.cli.caller_files import FOLDER, free_path
from supervisor.cli.exit_codes import code_of_kind
from supervisor.saved_state.private_files import write
from supervisor.tools.framework.result_text import as_text
from supervisor.tools.page.outline import NO_TEXT_CHANGED, NOTHING_CHANGED

from .aliases import ToolCommand, with_commands

MAX_CHARS = 4000

_OURS = ("error", "hint", "note")
_NEW_TAB = "If the page stays unresponsive: `cdp-agent tab open URL`, then `cdp-agent tab close ID` for this one."
_LATER = ("title", "url", "page", "cursor", "pending_dialogs", "blockers", "downloads")
"""Fields that come after the outcome."""


class CommandOutput(Struct, frozen=True):
    """The output of a command, and its exit code."""

    code: int
    text: str
    """For a model."""
    facts: Mapping[str, Any] = {}
    """The same for a program."""

    def printed(self, *, as_json: bool) -> str:
        """The answer in the form that standard output gets."""
        if as_json:
            return json.dumps({"exit": self.code, **(self.facts or {"message": self.text})}) + "\n"
        return self.text.rstrip("\n") + "\n"


def code_of(payload: Mapping[str, Any]) -> int:
    """The exit code for the result of a tool."""
    kind = payload.get("error_type", "")
    if kind != "Refused":
        if payload.get("pending_dialogs"):
            return DIALOG
        if _is_blocked(payload, "crash"):
            return LOST
        if payload["success"]:
            is_doubted = payload.get("maybe_executed") or _is_blocked(payload, "unresponsive")
            return UNSURE if is_doubted else DONE
    return code_of_kind(kind, maybe_executed=bool(payload.get("maybe_executed")))


def _is_blocked(payload: Mapping[str, Any], kind: str) -> bool:
    """Whether the current page has this blocker; that of another page names its page."""
    return any(blocker["kind"] == kind and "target_id" not in blocker for blocker in payload.get("blockers", ()))


def lines_of(command: ToolCommand, payload: Mapping[str, Any], known: Mapping[str, ToolCommand]) -> list[str]:
    """The outcome first, then what changed."""
    ours = {key: with_commands(payload[key], known) for key in _OURS if isinstance(payload.get(key), str)}
    told: dict[str, Any] = {**payload, **ours}
    quiet = told.pop("page") if told.get("page") in (NOTHING_CHANGED, NO_TEXT_CHANGED) else ""
    if quiet == NOTHING_CHANGED and command.name == "wait":
        told.pop("url", None)  # the same as before
    is_loading = told.pop("loaded", True) is False and "opened_dialog" not in told
    first = {key: value for key, value in told.items() if key not in _LATER}
    later = {"success": True, **{key: told[key] for key in _LATER if key in told and key != "cursor"}}
    outcome = as_text(first, command.tool.result)
    rest = as_text(later, command.tool.result) if len(later) > 1 else ""
    if payload["success"] and command.word.done and outcome == "ok":
        outcome = command.word.done + ("; still loading" if is_loading else "")
    if quiet:
        outcome = quiet if outcome == "ok" else f"{outcome}; {quiet}"
    way_out = _NEW_TAB if code_of(payload) == UNSURE and _is_blocked(payload, "unresponsive") else ""
    return [part for part in ("" if outcome == "ok" and rest else outcome, rest, way_out) if part]


_ICON = re.compile(r"favicon|apple-touch-icon|\.ico\b")


def likeliest(messages: Sequence[Mapping[str, Any]], page_url: str) -> Mapping[str, Any] | None:
    """The error of the console that most likely names a cause; None without messages.

    In this order: no icons; the page's own site before others; exceptions before logs; logs before resources that did
    not load; then the newest.
    """

    def weight(message: Mapping[str, Any]) -> tuple[bool, bool, bool, bool]:
        url, is_load = message.get("url", page_url), message["text"].startswith("Failed to load resource")
        is_own = not url.startswith("http") or site(url) == site(page_url)  # also a blob, or a module of a bundler
        return not (is_load and _ICON.search(url)), is_own, message["level"] == "exception", not is_load

    def site(url: str) -> str:
        try:
            return ".".join((urlsplit(url).hostname or "").split(".")[-2:])
        except ValueError:  # a page names its scripts as it likes
            return url

    return max(reversed(messages), key=weight, default=None)


def lines_of_errors(facts: Mapping[str, Any]) -> list[str]:
    """How many errors the console has since the last command, and one of them with its place and its source."""
    if not facts:
        return []
    told = facts["error"]
    place = ":".join(str(told[key]) for key in ("line", "column") if key in told)
    where = f"{visible(told['url'], 200)}{place and f':{place}'}"
    text = visible(json.dumps(told["text"], ensure_ascii=False), 300)
    count = "1 new error" if facts["new_errors"] == 1 else f"{facts['new_errors']} new errors, among them"
    line = f"console: {count}: {text if where in text else f'{text} at {where}'}"  # a stack has it
    return [line, f"its source: {visible(told['source'], 300)}"] if "source" in told else [line]


def truncated(output: CommandOutput, name: str, folder: str, most: int) -> CommandOutput:
    """The same, or the part of it that fits and the file that holds all of it."""
    text = output.text
    if len(text) <= most:
        return output
    kept = text[:most].rpartition("\n")[0] or text[:most]
    more = f"... {len(text) - len(kept)} more characters"
    try:
        path = save(name, "txt", text.encode(), folder)
    except OSError as error:
        return CommandOutput(output.code, f"{kept}\n{more}; no file could be written: {error.strerror}", output.facts)
    facts = {**_with_short_pages(output.facts, most), "file": path, "chars": len(text)}
    return CommandOutput(output.code, f"{kept}\n{more}; all {len(text)} are in {path}", facts)


def _with_short_pages(facts: Mapping[str, Any], most: int) -> dict[str, Any]:
    """The same, also in the outcomes of a script, with no more than this many characters of pages."""
    page, outcomes = facts.get("page", ""), facts.get("outcomes", ())
    cut = {"page": page[:most]} if len(page) > most else {}
    short = {"outcomes": [_with_short_pages(each, most // len(outcomes)) for each in outcomes]} if outcomes else {}
    return {**facts, **cut, **short}


def save(name: str, suffix: str, data: bytes, folder: str) -> str:
    """Write a file that nobody else can read; returns its path relative to the caller's folder."""
    path = free_path(name, suffix, folder)
    write(path, data)
    return f"{FOLDER}/{path.name}"
