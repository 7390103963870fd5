"""Scripts that loop: they freeze their renderer as a dialog does, and a client can end them."""

from __future__ import annotations

from msgspec.structs import replace

from cdp_typed.mock.site import site_of
from cdp_typed.mock.state.browser import Frame, Job, Navigation, Promise, Request, Session
from cdp_typed.mock.state.error_texts import Text
from cdp_typed.mock.state.step import Turn, home_of

__all__ = ["begin_loop", "ends_loop", "escapes", "terminate"]


def begin_loop(turn: Turn, frame: Frame, job: Job) -> None:
    """The script of `job` will never end by itself."""
    key = turn.frame_process(frame)
    turn.put_process(key, replace(turn.process(key), blocked="busy", then=job.stage))
    if job.reply is not None:
        turn.state = replace(turn.state, promises=(*turn.state.promises, Promise(frame.id, job.reply, loops=True)))


def ends_loop(turn: Turn, key: str, method: str) -> bool:
    """Whether the call reaches a renderer that is not free: it ends a loop, unless a navigation waits behind that."""
    process = turn.process(key)
    leaving = any(isinstance(work, Navigation) for work in process.queue)
    return method == "Runtime.terminateExecution" and process.blocked == "busy" and not leaving


def escapes(turn: Turn, navigation: Navigation, key: str) -> bool:
    """Whether a page leaves a loop behind: another site's document does not need the renderer that loops.

    The renderer of `about:blank` is any site's, and so its loop holds up every document.
    """
    frame = turn.state.frames.get(navigation.frame)
    if frame is None or frame.parent is not None or turn.process(key).blocked != "busy":
        return False
    return bool(site_of(home_of(frame))) and turn.renderer(frame.page, navigation.url) != key


def terminate(turn: Turn, session: Session, request: Request) -> None:
    """`Runtime.terminateExecution`: the call that looped fails, and the calls behind it are answered."""
    turn.reply(request)
    frame = turn.state.frames.get(session.target or "")
    if frame is None or turn.process(turn.frame_process(frame)).blocked != "busy":
        return
    key = turn.frame_process(frame)
    process = turn.process(key)
    turn.put_process(key, replace(process, blocked="", queue=(), then=None))
    for promise in turn.state.promises:
        if promise.loops and _is_in(turn, promise.frame, key):
            turn.refuse(promise.reply, Text.TERMINATED)
    kept = tuple(item for item in turn.state.promises if not (item.loops and _is_in(turn, item.frame, key)))
    turn.state = replace(turn.state, promises=kept)
    if process.then is not None:
        turn.then(process.then)
    for work in process.queue:
        turn.then(work)


def _is_in(turn: Turn, frame_id: str, key: str) -> bool:
    frame = turn.state.frames.get(frame_id)
    return frame is not None and turn.frame_process(frame) == key
