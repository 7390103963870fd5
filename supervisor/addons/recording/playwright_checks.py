"""Checks and waits of a run as assertions of Playwright."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .literals import pattern
from .playwright_dialect import Dialect
from .steps import CannotSay, RunStep, Secret
from .targets import NAMED


def check(say: Dialect, step: RunStep) -> list[str]:
    """A call of `browser_verify`. Raises `CannotSay`."""
    given, kind = step.arguments, step.arguments["check"]
    expected, frame = given.get("expected", ""), say.frame(step.frame, inner=True)
    match kind:
        case "url":
            return [say.expect("page", "to_have_url", say.pattern(pattern(_known(expected))))]
        case "title":
            return [say.expect("page", "to_have_title", expected)]
        case "text":
            return [_shows(say, frame, expected)]
        case "console":
            return [say.check("problems == []", "problems.length === 0")]
        case "request":
            wanted = say.value(expected)
            return [
                say.check(f"any({wanted} in url for url in requests)", f"requests.some(url => url.includes({wanted}))")
            ]
        case "count":
            return [_count(say, step)]
        case _:
            return [_element(say, step, kind, expected)]


def _element(say: Dialect, step: RunStep, kind: str, expected: Any) -> str:
    target = step.targets["ref"]
    element = say.locator(target)
    if kind == "visible":
        return say.expect(element, "to_be_visible")
    if kind == "list":
        if not target.items:
            raise CannotSay("the items of its list have no common selector")
        items = say.call(element, "locator", target.items)
        wanted = [expected] if isinstance(expected, (str, Secret)) else expected
        return say.expect(items, "to_have_text", wanted, use_inner_text=True)
    if target.kind == "check":
        return say.expect(element, "to_be_checked", checked=expected == "true")
    if target.has_value:
        return say.expect(element, "to_have_value", expected)
    return say.expect(element, "to_have_text", expected, use_inner_text=True)


def _count(say: Dialect, step: RunStep) -> str:
    given: Mapping[str, Any] = step.arguments
    if step.counted != int(given["expected"]):
        raise CannotSay("its elements are in several frames, or have no role that Playwright knows")
    locator: str = given["ref"]
    if locator.startswith("css="):
        found = say.call("page", "locator", locator)
    else:
        named = NAMED.fullmatch(locator)
        assert named is not None  # otherwise they were not counted
        found = say.call("page", "get_by_role", named[1], name=re.sub(r"\\(.)", r"\1", named[2]), exact=True)
    return say.expect(found, "to_have_count", int(given["expected"]))


def wait(say: Dialect, step: RunStep) -> list[str]:
    """A call of `browser_wait`. Raises `CannotSay`."""
    kind, value = step.condition
    match kind:
        case "loaded":
            return [say.do("page", "wait_for_load_state")]
        case "networkidle":
            return [say.do("page", "wait_for_load_state", "networkidle")]
        case "text":
            return [_shows(say, say.frame(step.frame, inner=True), value)]
        case "text_gone":
            return [_shows(say, say.frame(step.frame, inner=True), value, is_gone=True)]
        case "url":
            return [say.expect("page", "to_have_url", say.pattern(pattern(_known(value))))]
        case "time":
            return [say.do("page", "wait_for_timeout", round(float(value) * 1000))]
        case "dialog" | "file_chooser":
            return []  # Playwright waits for them where they are answered
        case _:
            raise CannotSay(f"it waits for {kind}")


def _shows(say: Dialect, frame: str, text: Any, *, is_gone: bool = False) -> str:
    body = say.call(frame, "locator", "body")
    return say.expect(body, f"{'not_' if is_gone else ''}to_contain_text", text, use_inner_text=True)


def _known(text: Any) -> str:
    if isinstance(text, Secret):
        raise CannotSay("its text may be a secret")
    return str(text)
