"""Which fields of an event say what it is about: an event without them is of no use to anybody.

A field that a browser leaves out, or sends as something else, arrives as a neutral value (`cdp_typed.wire.decoding`).
"""

# pyright: reportDeprecated=false
# As inputs.py says.

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any

from cdp_typed.protocol import fetch, network, page, runtime, target

from .inputs import EventReceived

_IDENTITY: Mapping[type, tuple[Callable[[Any], object], ...]] = {
    kind: tuple(map(attrgetter, fields))
    for kind, fields in {
        target.AttachedToTarget: ("session_id", "target_info.target_id", "target_info.type"),
        target.DetachedFromTarget: ("session_id",),
        page.FrameAttached: ("frame_id", "parent_frame_id"),
        page.FrameNavigated: ("frame.id", "frame.loader_id"),
        page.NavigatedWithinDocument: ("frame_id",),
        page.FrameDetached: ("frame_id",),
        page.FrameStartedLoading: ("frame_id",),
        page.FrameStoppedLoading: ("frame_id",),
        page.FileChooserOpened: ("frame_id",),
        page.DownloadWillBegin: ("guid",),
        page.DownloadProgress: ("guid",),
        fetch.RequestPaused: ("request_id",),
        fetch.AuthRequired: ("request_id",),
        network.RequestWillBeSent: ("request_id",),
        network.ResponseReceived: ("request_id",),
        network.LoadingFinished: ("request_id",),
        network.LoadingFailed: ("request_id",),
        runtime.ExecutionContextCreated: ("context.id",),
        runtime.ExecutionContextDestroyed: ("execution_context_id",),
    }.items()
}


def is_about_something(received: EventReceived) -> bool:
    """False for an event whose identity is missing. A dialog and its end may be without the frame's id: some browsers
    do not tell it, and a dialog is known by its session."""
    return all(field(received.event) for field in _IDENTITY.get(type(received.event), ()))
