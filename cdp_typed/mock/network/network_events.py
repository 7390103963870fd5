"""The Network and Log domains: events of requests, and the response bodies that sessions may read afterwards."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from cdp_typed.mock.network.security_policy import LogEntry
from cdp_typed.mock.runtime.console import keep
from cdp_typed.mock.site import site_of
from cdp_typed.mock.state.browser_state import CDPSession, CommandCall, FrameNode, ScriptRun
from cdp_typed.mock.state.error_texts import Text
from cdp_typed.mock.state.http import Headers, HttpResponse, header, is_requested, phrase
from cdp_typed.mock.state.network import NetworkRequest, ResponseBody
from cdp_typed.mock.state.step import Step, home_of

__all__ = [
    "HANDLERS",
    "abandon_scripts",
    "complain",
    "describe_request",
    "forget_requests",
    "is_same_site",
    "tell_arrival",
    "tell_body",
    "tell_end",
    "tell_failed",
    "tell_request",
    "tell_response",
    "tell_stored",
]

_PRIORITY: Final = {"Document": "VeryHigh", "XHR": "VeryHigh", "Stylesheet": "VeryHigh", "Image": "Low"}
_REFERRER: Final = "strict-origin-when-cross-origin"


def describe_request(load: NetworkRequest) -> dict[str, Any]:
    """`Network.Request`."""
    request = load.request
    posted: dict[str, Any] = {}
    if request.body is not None:
        coded = base64.b64encode(request.body.encode()).decode()
        posted = {"postData": request.body, "hasPostData": True, "postDataEntries": [{"bytes": coded}]}
    url, mark, fragment = request.url.partition("#")
    return {
        "url": url,
        **({"urlFragment": mark + fragment} if mark else {}),
        "method": request.method,
        "headers": dict(request.headers),
        **posted,
        "initialPriority": _PRIORITY.get(load.type, "High"),
        "referrerPolicy": _REFERRER,
    }


def tell_request(step: Step, load: NetworkRequest, redirected: tuple[str, HttpResponse] | None = None) -> None:
    """`Network.requestWillBeSent`; with the address that `redirected` here, and its answer."""
    frame = step.state.frames[load.frame]
    document = (load.request.url if load.type == "Document" else frame.url).partition("#")[0]
    before = {} if redirected is None else {"redirectResponse": _shown(step, *redirected)}
    params: dict[str, Any] = {
        "requestId": load.id,
        "loaderId": load.loader,
        "documentURL": document,
        "request": {
            **describe_request(load),
            "mixedContentType": "none",
            "isSameSite": is_same_site(step, load, frame),
        },
        "timestamp": step.now,
        "wallTime": step.now,
        "initiator": _initiator(load, frame),
        "redirectHasExtraInfo": False,
        **before,
        "type": load.type,
        "frameId": load.frame,
        "hasUserGesture": False,
    }
    step.emit_if_enabled(load.target, "Network.requestWillBeSent", params)


def is_same_site(step: Step, load: NetworkRequest, frame: FrameNode) -> bool:
    """Whether the request is of one site with all the documents around it: one of another site is a third party."""
    above: FrameNode | None = frame
    if load.type == "Document":
        above = step.state.frames.get(frame.parent or "")
    while above is not None:
        if site_of(home_of(above)) != site_of(load.request.url):
            return False
        above = step.state.frames.get(above.parent or "")
    return True


def _initiator(load: NetworkRequest, frame: FrameNode) -> dict[str, Any]:
    match load.type:
        case "Document":
            return {"type": "other"}
        case "Fetch" if load.redirects:
            return {"type": "other"}
        case "XHR" | "Fetch":
            place = {"functionName": "", "scriptId": "1", "url": "", "lineNumber": 0, "columnNumber": load.column}
            return {"type": "script", "stack": {"callFrames": [place]}}
        case _:
            return {"type": "parser", "url": frame.url, "lineNumber": 0, "columnNumber": 0}


def tell_response(step: Step, load: NetworkRequest, response: HttpResponse) -> None:
    """`Network.responseReceived`."""
    params = {
        "requestId": load.id,
        "loaderId": load.loader,
        "timestamp": step.now,
        "type": load.type,
        "response": _shown(step, load.request.url, response),
        "hasExtraInfo": False,
        "frameId": load.frame,
    }
    step.emit_if_enabled(load.target, "Network.responseReceived", params)


def _shown(step: Step, url: str, response: HttpResponse) -> dict[str, Any]:
    return {
        "url": url.partition("#")[0],
        "status": response.status,
        "statusText": phrase(response),
        "headers": dict(response.headers),
        "mimeType": _mime(response.headers),
        "charset": "",
        "connectionReused": False,
        "connectionId": 0,
        "fromDiskCache": False,
        "fromServiceWorker": False,
        "fromPrefetchCache": False,
        "encodedDataLength": 0,
        "responseTime": step.now * 1000,
        "protocol": "http/1.1",
        "alternateProtocolUsage": "unspecifiedReason",
        "securityState": "secure" if url.startswith("https:") else "neutral",
    }


def _mime(headers: Headers) -> str:
    return header(headers, "Content-Type").partition(";")[0].strip()


def tell_body(step: Step, target: str, request: str, text: str) -> None:
    """`Network.dataReceived`."""
    size = len(text.encode())
    params = {"requestId": request, "timestamp": step.now, "dataLength": size, "encodedDataLength": 0}
    step.emit_if_enabled(target, "Network.dataReceived", params)


def tell_end(step: Step, target: str, request: str, text: str) -> None:
    """`Network.loadingFinished`."""
    params = {"requestId": request, "timestamp": step.now, "encodedDataLength": len(text.encode())}
    step.emit_if_enabled(target, "Network.loadingFinished", params)


def tell_stored(step: Step, load: NetworkRequest, response: HttpResponse) -> None:
    """Keep the body for those who ask, if anybody has the Network domain enabled."""
    if step.enabled(load.target, "Network"):
        body = ResponseBody(load.target, load.frame, load.loader, response.body, _mime(response.headers))
        step.state = replace(step.state, bodies={**step.state.bodies, load.id: body})


def tell_failed(step: Step, load: NetworkRequest, error: str, *, cors: bool = False, blocked: bool = False) -> None:
    """`Network.loadingFailed`."""
    reason: dict[str, Any] = {"blockedReason": "inspector"} if blocked else {}
    if cors:
        reason["corsErrorStatus"] = {"corsError": "MissingAllowOriginHeader", "failedParameter": ""}
    params = {
        "requestId": load.id,
        "timestamp": step.now,
        "type": load.type,
        "errorText": error,
        "canceled": error == "net::ERR_ABORTED",
        **reason,
    }
    step.emit_if_enabled(load.target, "Network.loadingFailed", params)


def tell_arrival(step: Step, frame: FrameNode) -> None:
    """A document has been committed: its body comes, and what belonged to the one before is forgotten."""
    bodies = {
        key: body
        for key, body in step.state.bodies.items()
        if body.target != frame.target or body.loader == frame.loader or frame.id not in (body.target, body.frame)
    }
    step.state = replace(step.state, bodies=bodies)
    step.emit_if_enabled(frame.target, "Network.policyUpdated")
    document = frame.document
    if frame.unreachable or not is_requested(frame.url):
        return
    if document.status >= 400:
        text = f"Failed to load resource: the server responded with a status of {document.status}"
        words = phrase(HttpResponse(document.status))
        complain(step, frame.target, LogEntry("network", f"{text} ({words})"), url=frame.url, request=frame.loader)
    if document.body:
        tell_body(step, frame.target, frame.loader, document.body)


def forget_requests(step: Step, frame: str) -> None:
    """The frame's document is replaced: what it asked for is of no interest any more."""
    gone = {load.id for load in step.state.loads if load.frame == frame}
    loads = tuple(load for load in step.state.loads if load.id not in gone)
    suspended = {key: works for key, works in step.state.suspended.items() if key not in gone}
    pledges = {key: pledge for key, pledge in step.state.pledges.items() if pledge.frame != frame}
    step.state = replace(step.state, loads=loads, suspended=suspended, pledges=pledges)


def abandon_scripts(step: Step, frame: str) -> None:
    """The frame leaves its document: scripts that wait in it or are paused in it have nobody to answer any more."""
    stopped = [stop for stop in step.state.pauses if stop.frame == frame]
    keys = {load.id for load in step.state.loads if load.frame == frame} | {stop.key for stop in stopped}
    suspended = dict(step.state.suspended)
    for key in keys & suspended.keys():
        for work in suspended[key]:
            if isinstance(work, ScriptRun) and work.reply is not None:
                step.refuse(work.reply, Text.NAVIGATED)
        suspended[key] = tuple(
            replace(work, reply=None) if isinstance(work, ScriptRun) else work for work in suspended[key]
        )
    for stop in stopped:
        suspended.pop(stop.key)
        step.put_process(stop.process, replace(step.process(stop.process), blocked=""))
    pauses = tuple(stop for stop in step.state.pauses if stop.frame != frame)
    step.state = replace(step.state, suspended=suspended, pauses=pauses)


def complain(
    step: Step,
    target: str,
    complaint: LogEntry,
    *,
    url: str = "",
    request: str = "",
    level: str = "error",
    column: int | None = None,
) -> None:
    """`Log.entryAdded`, kept for those who enable Log later; `column` is the place in the script that it is about."""
    entry: dict[str, Any] = {"source": complaint.source, "level": level, "text": complaint.text}
    if complaint.category:
        entry["category"] = complaint.category
    entry["timestamp"] = step.now * 1000
    if url:
        entry["url"] = url
    if column is not None:
        place = {"functionName": "", "scriptId": "1", "url": "", "lineNumber": 0, "columnNumber": column}
        entry |= {"lineNumber": 0, "stackTrace": {"callFrames": [place]}}
    if request:
        entry["networkRequestId"] = request
    keep(step, target, "Log.entryAdded", {"entry": entry})


def _enable_log(step: Step, session: CDPSession, request: CommandCall) -> None:
    if "Log" not in session.enabled:
        session = replace(session, enabled=session.enabled | {"Log"})
        step.put_session(session)
        for kept in step.state.console:
            if kept.target == session.target and kept.method == "Log.entryAdded":
                step.emit([session], kept.method, kept.params)
    step.reply(request)


def _get_body(step: Step, session: CDPSession, request: CommandCall) -> None:
    body = step.state.bodies.get(request.params["requestId"])
    if body is None or body.target != session.target:
        step.refuse(request, Text.NO_RESOURCE)
        return
    if body.mime.startswith(("image/", "font/", "audio/", "video/")) or body.mime == "application/octet-stream":
        coded = base64.b64encode(body.text.encode()).decode()
        step.reply(request, {"body": coded, "base64Encoded": True})
    else:
        step.reply(request, {"body": body.text, "base64Encoded": False})


def _bypass_csp(step: Step, session: CDPSession, request: CommandCall) -> None:
    step.put_session(replace(session, bypass_csp=request.params["enabled"]))
    step.reply(request)


HANDLERS: Final[dict[str, Callable[[Step, CDPSession, CommandCall], None]]] = {
    "Log.enable": _enable_log,
    "Network.getResponseBody": _get_body,
    "Page.setBypassCSP": _bypass_csp,
}
