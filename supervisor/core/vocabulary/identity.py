"""Which fields of an event say what it is about: an event without them is of no use to anybody.

A field that a browser leaves out, or sends as something else, arrives as a neutral value (`cdp_typed.wire.decoding`).
"""

# pyright: reportDeprecated=false
# As inputs.py says.

from __future__ import annotations

from cdp_typed.protocol import fetch, network, page, runtime, target

from .inputs import EventReceived


def is_about_something(received: EventReceived) -> bool:
    """False for an event whose identity is missing. A dialog and its end may be without the frame's id: some browsers
    do not tell it, and a dialog is known by its session."""
    match received.event:
        case target.AttachedToTarget(session_id=session_id, target_info=info):
            return bool(session_id and info.target_id and info.type)
        case target.DetachedFromTarget(session_id=session_id):
            return bool(session_id)
        case page.FrameAttached(frame_id=frame_id, parent_frame_id=parent_id):
            return bool(frame_id and parent_id)
        case page.FrameNavigated(frame=frame):
            return bool(frame.id and frame.loader_id)
        case (
            page.NavigatedWithinDocument(frame_id=name)
            | page.FrameDetached(frame_id=name)
            | page.FrameStartedLoading(frame_id=name)
            | page.FrameStoppedLoading(frame_id=name)
            | page.FileChooserOpened(frame_id=name)
            | page.DownloadWillBegin(guid=name)
            | page.DownloadProgress(guid=name)
            | fetch.RequestPaused(request_id=name)
            | fetch.AuthRequired(request_id=name)
            | network.RequestWillBeSent(request_id=name)
            | network.ResponseReceived(request_id=name)
            | network.LoadingFinished(request_id=name)
            | network.LoadingFailed(request_id=name)
        ):
            return bool(name)
        case runtime.ExecutionContextCreated(context=context):
            return bool(context.id)
        case runtime.ExecutionContextDestroyed(execution_context_id=number):
            return bool(number)
        case _:
            return True
