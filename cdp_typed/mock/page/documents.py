"""Documents: the events of a commit, and the clean-up of the previous document."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from msgspec.structs import replace

from cdp_typed.mock.network.network_events import (
    drop_requests_of_frame,
    emit_committed_document,
    emit_loading_finished,
    fail_stopped_scripts,
)
from cdp_typed.mock.page.new_document_scripts import emit_lifecycle, run_scripts
from cdp_typed.mock.page.security_state import emit_security_state
from cdp_typed.mock.runtime.execution_contexts import add_context, clear_contexts
from cdp_typed.mock.runtime.remote_objects import release_objects_of_frame
from cdp_typed.mock.site import BLANK, origin_of
from cdp_typed.mock.state.browser_state import FrameNode, LoadStage, Navigation, Target
from cdp_typed.mock.state.dom_state import DomState
from cdp_typed.mock.state.error_texts import Text
from cdp_typed.mock.state.http import document_at, is_reported, mime_type, page_of
from cdp_typed.mock.state.step import Step, origin_url_of
from cdp_typed.mock.urls import ERROR_URL, is_local, registrable_domain, scheme_of

_NOT_ISOLATED = "NotIsolatedFeatureDisabled"


def describe_frame(frame: FrameNode) -> dict[str, Any]:
    """Return the `Page.Frame` of a frame and its document."""
    url, mark, fragment = (ERROR_URL if frame.unreachable else frame.url).partition("#")
    home = origin_url_of(frame)
    secure = "Secure" if home.startswith("https:") else "InsecureScheme"
    if is_local(urlsplit(home).hostname):
        secure = "SecureLocalhost"
    child: dict[str, Any] = {} if frame.parent is None else {"name": frame.name}
    remote = frame.parent is not None and frame.target != frame.page
    return {
        "id": frame.id,
        **({} if frame.parent is None else {"parentId": frame.parent}),
        "loaderId": frame.loader,
        **child,
        "url": url,
        **({"urlFragment": mark + fragment} if mark else {}),
        **({"unreachableUrl": frame.unreachable} if frame.unreachable else {}),
        "domainAndRegistry": registrable_domain(urlsplit(url).hostname),
        "securityOrigin": origin_of(url),
        "securityOriginDetails": {"isLocalhost": is_local(urlsplit(url).hostname)},
        "mimeType": mime_type(frame.document.headers) or "text/html",
        "adFrameStatus": {"adFrameType": "none", **({} if frame.parent is None else {"explanations": []})},
        "secureContextType": secure,
        "crossOriginIsolatedContextType": _NOT_ISOLATED if remote else "NotIsolated",
        "gatedAPIFeatures": [],
    }


def frame_tree(step: Step, target: Target) -> dict[str, Any] | None:
    """Return the `Page.FrameTree` on sessions of the target, without frames of other targets."""
    root = step.state.frames.get(target.id)
    if root is None:
        return None
    return _tree(step, root) if root.target == target.id else {"frame": _initial_document(root)}


def _initial_document(frame: FrameNode) -> dict[str, Any]:
    """Return the `Page.Frame` of an OOPIF that a session holds: an empty document with its own loader."""
    shown = describe_frame(replace(frame, url="", unreachable="", inherited_url="", loader=frame.loader[::-1]))
    # Its parent's renderer would add these.
    return {**shown, "adFrameStatus": {"adFrameType": "none"}, "crossOriginIsolatedContextType": _NOT_ISOLATED}


def _tree(step: Step, frame: FrameNode) -> dict[str, Any]:
    children = [_tree(step, child) for child in step.children(frame.id) if child.target == frame.target]
    return {"frame": describe_frame(frame), **({"childFrames": children} if children else {})}


def install_document(step: Step, frame: FrameNode, navigation: Navigation) -> FrameNode:
    """Set the frame's document to that of `navigation`; it has no execution context yet."""
    made = navigation.response
    page = document_at(step.state.site, navigation.url) if made is None else page_of(made)
    frame = replace(
        frame,
        url=navigation.url,
        loader=navigation.loader,
        document=page or replace(BLANK, status=BLANK.status if made is None else made.status or BLANK.status),
        # The title of Chrome's error page.
        title=page.title if page is not None else urlsplit(navigation.url).hostname or navigation.url,
        unreachable=navigation.url if page is None else "",
        contexts=(),
        loading="script",
        user_activated=False,
        was_activated=False,
        resources_requested=False,
        bypasses_csp=any(session.bypass_csp for session in step.sessions_of(frame.target)),
        backend_node_ids={},
        files={},
        dom=DomState(started=step.now),
        # `about:blank` and `about:srcdoc` keep the inherited origin; any other document has its own.
        inherited_url=frame.inherited_url if navigation.url.startswith("about:") else "",
    )
    step.put_frame(frame)
    release_objects_of_frame(step, frame.id)
    drop_requests_of_frame(step, frame.id)
    return frame


def announce_document(step: Step, frame: FrameNode, *, clears: int, missed: bool = False) -> None:
    """Emit the events of a committed document, add its execution context and queue its script.

    `missed`: it is an entry of the session history that the back/forward cache did not have.
    """
    for _ in range(clears - 1):
        clear_contexts(step, frame.target)
    if clears:
        step.emit_if_enabled(frame.target, "HeapProfiler.resetProfiles")
    emit_lifecycle(step, frame, "init")
    if clears:
        clear_contexts(step, frame.target)
    params = {"frame": describe_frame(frame), "type": "Navigation"}
    step.emit_if_enabled(frame.target, "Page.frameNavigated", params)
    if missed:
        step.emit_if_enabled(frame.target, "Page.backForwardCacheNotUsed", _not_cached(frame))
    emit_security_state(step, frame)
    emit_committed_document(step, frame)
    if not frame.contexts:
        add_context(step, frame)
    if is_reported(frame.url) and not frame.unreachable:
        emit_loading_finished(step, frame.target, frame.loader, frame.document.body)
    run_scripts(step, frame)
    step.enqueue(LoadStage(frame.id, frame.loader, "script"))


def _not_cached(frame: FrameNode) -> dict[str, Any]:
    empty = ("HTTPStatusNotOK", "SchemeNotHTTPOrHTTPS", "BrowsingInstanceNotSwapped")
    reasons = {"about": empty, "data": ("SchemeNotHTTPOrHTTPS",)}.get(scheme_of(frame.url), ("Unknown",))
    explanations = [{"type": "Circumstantial", "reason": reason} for reason in reasons]
    told = {"loaderId": frame.loader, "frameId": frame.id, "notRestoredExplanations": explanations}
    if reasons == ("Unknown",):
        return told
    return told | {"notRestoredExplanationsTree": {"url": frame.url, "explanations": explanations, "children": []}}


def fail_promises(step: Step, frame: str) -> None:
    """Fail the calls that await promises of the old document."""
    fail_stopped_scripts(step, frame)
    for awaiting in step.state.awaiting_calls:
        if awaiting.frame == frame:
            step.refuse(awaiting.reply, Text.NAVIGATED)
    kept = tuple(awaiting for awaiting in step.state.awaiting_calls if awaiting.frame != frame)
    step.state = replace(step.state, awaiting_calls=kept)


def forget_processes(step: Step, page: str) -> None:
    """End renderers without a frame; the next document of their site gets a new one."""
    cached = [frame for item in step.state.bfcache.values() for frame in item.frames]
    used = {step.process_key(frame) for frame in (*step.state.frames.values(), *cached)}
    kept = {
        key: process
        for key, process in step.state.processes.items()
        if key in used or not key.startswith(f"{step.group(page)}|")
    }
    step.state = replace(step.state, processes=kept)
