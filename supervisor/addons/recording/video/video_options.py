"""Options of a video, from a text such as `fps=10 size=1280x720`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from cdp_typed.conversions import convert
from supervisor.tools.framework.tool_errors import InvalidArgument

_KNOWN: Mapping[str, tuple[str, ...]] = {
    "video": ("fps", "size", "cursor"),
    "show_actions": ("cursor", "seconds", "position", "color"),
    "chapter": ("seconds",),
}
"""By action."""
_WANTED: Mapping[str, str] = {
    "fps": "fps=25, from 1 to 60",
    "size": "size=1280x720, each side from 16 to 4096",
    "cursor": "cursor=on or cursor=off",
    "seconds": "seconds=2, from 0.1 to 60",
    "position": "position=top-left, top, top-right, bottom-left, bottom or bottom-right",
    "color": "color=red or color=#e5484d",
}
_SIZE = re.compile(r"(\d+)x(\d+)", re.ASCII)


class VideoOptions(Struct, frozen=True, kw_only=True):
    """The options that a caller chose; None for the others."""

    fps: Annotated[int, Meta(ge=1, le=60)] | None = None
    size: tuple[Annotated[int, Meta(ge=16, le=4096)], Annotated[int, Meta(ge=16, le=4096)]] | None = None
    cursor: Literal["on", "off"] | None = None
    seconds: Annotated[float, Meta(ge=0.1, le=60)] | None = None
    position: Literal["top-left", "top", "top-right", "bottom-left", "bottom", "bottom-right"] | None = None
    color: Annotated[str, Meta(pattern="^([A-Za-z]+|#[0-9A-Fa-f]{6})$")] | None = None


def options_of(action: str, text: str) -> VideoOptions:
    """Read the options of an action. Raises `InvalidArgument`, which names the options that the action has."""
    known = _KNOWN.get(action, ())
    given: dict[str, object] = {}
    for word in text.split():
        name, _, value = word.partition("=")
        if name not in known:
            what = f"{action} has no such option" if known else f"{action} has no options"
            raise InvalidArgument("options", "; ".join([what, *(_WANTED[each] for each in known)]))
        size = _SIZE.fullmatch(value) if name == "size" else None
        try:
            read = convert({name: size.groups() if size else value}, VideoOptions, strict=False)
        except msgspec.ValidationError:
            raise InvalidArgument("options", f"expected {_WANTED[name]}") from None
        given[name] = getattr(read, name)
    return VideoOptions(**given)  # type: ignore[arg-type]  # each was read as what it is
