"""The identity of an event: the ids without which it cannot be used.

A field that a browser leaves out, or sends as something else, arrives as a neutral value (`cdp_typed.wire.decoding`).
"""

# pyright: reportDeprecated=false
# As inputs.py says.

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any

from cdp_typed.protocol import fed_cm, fetch, network, page, runtime, target

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
        page.FrameStartedNavigating: ("frame_id", "loader_id"),
        page.FrameStartedLoading: ("frame_id",),
        page.FrameStoppedLoading: ("frame_id",),
        page.LifecycleEvent: ("frame_id", "loader_id"),
        page.FileChooserOpened: ("frame_id",),
        page.DownloadWillBegin: ("guid",),
        page.DownloadProgress: ("guid",),
        fetch.RequestPaused: ("request_id",),
        fetch.AuthRequired: ("request_id",),
        fed_cm.DialogShown: ("dialog_id",),
        fed_cm.DialogClosed: ("dialog_id",),
        network.RequestWillBeSent: ("request_id",),
        network.ResponseReceived: ("request_id",),
        network.LoadingFinished: ("request_id",),
        network.LoadingFailed: ("request_id",),
        runtime.ExecutionContextCreated: ("context.id",),
        runtime.ExecutionContextDestroyed: ("execution_context_id",),
    }.items()
}


def has_identity(received: EventReceived) -> bool:
    """Return False for an event without its ids. Dialog events may lack the frame id: older browsers leave it out, and
    the session identifies the dialog."""
    return all(field(received.event) for field in _IDENTITY.get(type(received.event), ()))
