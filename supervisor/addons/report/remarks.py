"""The lines between the inputs of a recording: pictures and calls of tools."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from cdp_typed.conversions import convert

from .model import Picture, ToolSpan
from .report_events import Spans, cut

LONGEST = 20_000
"""Characters of the result of a tool; that of a snapshot is a page as the agent read it."""

Mime: TypeAlias = Literal["image/jpeg", "image/png", "image/webp"]


class RecordedPicture(Struct, frozen=True, kw_only=True):
    """A line `picture` of a recording."""

    at: float
    page: str
    reason: str
    mime: Mime
    data: str
    view: list[float]


class ToolBegan(Struct, frozen=True, kw_only=True):
    """A line `tool_began` of a recording."""

    at: float
    id: int
    name: str
    arguments: str
    page: str = ""


class ToolEnded(Struct, frozen=True, kw_only=True):
    """A line `tool_ended` of a recording."""

    at: float
    id: int
    is_error: bool
    text: str


class Pictures:
    """Collects pictures."""

    def __init__(self) -> None:
        self.all: list[Picture] = []

    def take(self, entry: Mapping[str, Any], index: int, time: float) -> None:
        """A line of a recording. Raises `msgspec.ValidationError`, or `ValueError` for what is no base64."""
        recorded = convert(entry["picture"], RecordedPicture)
        base64.b64decode(recorded.data, validate=True)
        picture = Picture(
            input=index,
            time=time,
            page=recorded.page,
            reason=recorded.reason,
            mime=recorded.mime,
            data=recorded.data,
            view=recorded.view,
        )
        self.all.append(picture)


class Tools:
    """Collects calls of tools."""

    def __init__(self) -> None:
        self._spans = Spans[ToolSpan]()

    def begin(self, entry: Mapping[str, Any], index: int, time: float, page: str) -> None:
        """A line of a recording, and the current page. Raises `msgspec.ValidationError`."""
        began = convert(entry["tool_began"], ToolBegan)
        span = ToolSpan(
            name=began.name,
            arguments=cut(began.arguments),
            page=began.page or page,
            input=index,
            time=time,
            end=None,
            end_input=None,
            is_error=False,
            text="",
        )
        self._spans.begin(str(began.id), span)

    def end(self, entry: Mapping[str, Any], index: int, time: float) -> None:
        """A line of a recording. Raises `msgspec.ValidationError`."""
        ended = convert(entry["tool_ended"], ToolEnded)
        began = self._spans.current(str(ended.id))
        if began is not None:
            when = {"end": max(time, began.time), "end_input": max(index, began.input)}
            self._spans.end(str(ended.id), is_error=ended.is_error, text=cut(ended.text, LONGEST), **when)

    def spans(self) -> list[ToolSpan]:
        """All that was collected."""
        return self._spans.all
