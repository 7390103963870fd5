"""The capability matrix: what is asked, and what was found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

CAPABILITIES: Final[Mapping[str, str]] = {
    "auto_attach": "tells of pages and iframes by itself",
    "open_page": "opens pages by command",
    "fetch": "lets requests be answered",
    "dialog_detect": "tells of a dialog that opens",
    "dialog_frame": "tells in which frame a dialog opened",
    "dialog_stays": "leaves a dialog open until it is answered",
    "dialog_respond": "lets a dialog be answered",
    "frame_tree": "tells of a cross-origin iframe",
    "oopif_evaluate": "runs a script in an out-of-process iframe",
    "unique_context": "names script contexts so that none is taken for another",
    "focus_emulation": "lets hidden pages behave as visible ones",
    "bridge": "has dialogs asked of the supervisor instead",
}
"""By name, in the order in which they are asked for."""


class Row(Struct, frozen=True, kw_only=True):
    """One answer."""

    capability: str
    works: bool | None
    """None: it could not be asked."""
    detail: str
    took_ms: float | None = None
    """For `dialog_stays`: the time until another client closed the dialog."""

    @property
    def answer(self) -> str:
        """In a word."""
        return {True: "yes", False: "no", None: "unknown"}[self.works]
