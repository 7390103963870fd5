"""A result as text for a model: a few lines instead of JSON. One renderer for all tools.

A page's text is inside quotes that it cannot leave, or, where it has lines, between two lines with a mark that does not
occur in it (`fence`). Nothing else begins a line with a page's words. What only programs need (times, the class of an
error, the frame tree) is left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from cdp_typed.printable import visible
from cdp_typed.wire.json_text import is_array, is_object

from .results import ResultFields
from .untrusted_text import LONG, Mark, fence, is_plain_address, marks

_FOR_PROGRAMS = frozenset(
    {
        "success", "error", "error_type", "argument", "maybe_executed", "blocked_by_dialog", "opened_dialog",
        "closed_dialog", "untrusted", "frame_tree", "opened_at", "closed_at", "timestamp", "ended_at", "since",
    }
)  # fmt: skip
"""Fields that are not shown; a separate sentence reports an error and its consequence."""

_SPEAKS_FOR_ITSELF = frozenset(
    {
        "alt", "answer", "dialog_id", "error", "hint", "id", "key", "kind", "level", "message", "method", "paths",
        "ref", "result", "src", "status", "target_id", "text", "title", "type", "url", "value", "why",
    }
)  # fmt: skip
"""Fields whose values are shown without their names."""

_ROWS = {
    "blockers": "blocker ",
    "downloads": "download ",
    "pending_dialogs": "dialog ",
    "recent_dialogs": "closed dialog ",
    "tabs": "tab ",
}
"""The first word of each row of a list; rows of other lists have none."""

_KNOWN = ("closed_by", "agent")
"""What the model did itself."""

_ADDRESSES = frozenset({"src", "url", "origin"})
"""Fields whose values need no quotes as long as they are plain addresses."""

_AT_LEAST_FENCED = 80
"""Characters of a page's text with lines from which on a fence costs less than quotes."""


def as_text(payload: Mapping[str, Any], kind: type[Struct]) -> str:
    """The result of a tool whose type is `kind`, as `Toolbox.dispatch` gives it, in lines for a model."""
    texts = _Texts({**marks(kind), **marks(ResultFields)})
    lines = [*_error(payload), *texts.lines({key: payload[key] for key in payload if key not in _FOR_PROGRAMS})]
    return "\n".join(lines) or "ok"


def _error(payload: Mapping[str, Any]) -> Iterator[str]:
    if not payload["success"]:
        more = " It may have been done all the same." if payload.get("maybe_executed") is True else ""
        yield visible(str(payload.get("error", "")), LONG) + more


class _Texts:
    """Writes values as text, each by the origin that its path has."""

    def __init__(self, origins: Mapping[str, Mark]) -> None:
        self._origins = origins

    def lines(self, fields: Mapping[str, Any]) -> Iterator[str]:
        """The fields in their order: small values side by side, rows and long texts in separate lines."""
        words: list[str] = []
        for key, value in fields.items():
            if (value is None and len(fields) > 1) or (key, value) == _KNOWN:
                continue
            if value == "" and self._origins.get(key) == "lines":
                continue
            block = self._block(key, value)
            if block is None:
                words += self._words(key, value, key)
                continue
            yield from _joined(words)
            words.clear()
            yield from block
        yield from _joined(words)

    def _block(self, key: str, value: Any) -> list[str] | None:
        """The lines of a value that needs separate lines; None for any other."""
        origin = self._origins.get(key)
        if isinstance(value, str):
            if (origin == "lines" and value) or (origin == "ours" and key == "hint"):
                return [value]
            if origin in ("page", None) and "\n" in value and len(value) >= _AT_LEAST_FENCED:
                return [*([] if key in _SPEAKS_FOR_ITSELF else [f"{visible(key)}:"]), fence(value)]
            return None
        if not is_array(value) or origin is not None or not all(is_object(row) for row in value):
            return None
        rows = [row for row in value if key != "recent_dialogs" or _KNOWN not in row.items()]
        lines = [_ROWS.get(key, "") + " ".join(self._row(row, f"{key}[]")) for row in rows]
        return lines if value else [f"no {visible(key)}"]

    def _row(self, row: Mapping[str, Any], path: str) -> Iterator[str]:
        is_here = path == "pending_dialogs[]" and row.keys().isdisjoint(("frame_id", "target_id"))
        for key, value in row.items():
            if is_here and key == "url":
                continue  # the page's own, which is known
            if key not in _FOR_PROGRAMS or key == "error":
                yield from self._words(key, value, f"{path}.{key}")

    def _words(self, key: str, value: Any, path: str) -> Iterator[str]:
        """A small value with its name, where it needs one."""
        if value is True and key not in _SPEAKS_FOR_ITSELF:
            yield key.removeprefix("is_")
        elif not _is_image(value):
            text = self._value(key, value, path)
            yield text if key in _SPEAKS_FOR_ITSELF else f"{visible(key)}={text}"

    def _value(self, key: str, value: Any, path: str) -> str:
        if isinstance(value, str):
            if self._origins.get(path, "page") == "ours" or (key in _ADDRESSES and is_plain_address(value)):
                return visible(value, LONG)
        elif isinstance(value, float):
            return f"{value:.6g}"
        elif is_array(value) and self._origins.get(f"{path}[]") == "ours":
            return " ".join(visible(str(item), LONG) for item in value)
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        return visible(text, len(text))


def _joined(words: list[str]) -> Iterator[str]:
    if words:
        yield " ".join(words)


def _is_image(value: Any) -> bool:
    return is_object(value) and set(value) == {"mime_type", "data"}
