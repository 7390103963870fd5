"""Events of the Network and Log domains, and the response bodies that sessions may read later."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from cdp_typed.mock.network.request_headers import shown_headers
from cdp_typed.mock.network.security_policy import LogEntry
from cdp_typed.mock.runtime.console import add_console_entry
from cdp_typed.mock.site import site_of
from cdp_typed.mock.state.browser_state import CDPSession, CommandCall, FrameNode, ScriptRun
from cdp_typed.mock.state.error_texts import Text
from cdp_typed.mock.state.http import HttpResponse, charset_of, is_reported, mime_type, phrase
from cdp_typed.mock.state.network import NetworkRequest, ResponseBody
from cdp_typed.mock.state.step import Step, origin_url_of
from cdp_typed.mock.urls import ERROR_URL, is_trustworthy, scheme_of

_PRIORITY: Final = {
    "Document": "VeryHigh",
    "XHR": "VeryHigh",
    "Image": "Medium",
    "Media": "Low",
    "Stylesheet": "VeryHigh",
}
_BLOCKING: Final = ("Stylesheet", "Script")
_REFERRER: Final = "strict-origin-when-cross-origin"


def describe_request(request: NetworkRequest) -> dict[str, Any]:
    """Return the `Network.Request`."""
    http = request.http
    posted: dict[str, Any] = {}
    if http.body is not None:
        coded = base64.b64encode(http.body.encode()).decode()
        posted = {"postData": http.body, "hasPostData": True, "postDataEntries": [{"bytes": coded}]}
    url, mark, fragment = http.url.partition("#")
    return {
        "url": url,
        **({"urlFragment": mark + fragment} if mark else {}),
        "method": http.method,
        "headers": dict(http.headers),
        **posted,
        "initialPriority": _priority(request),
        "referrerPolicy": request.initiator.policy or _REFERRER,
    }


def _priority(request: NetworkRequest) -> str:
    in_body = request.in_body and request.type in _BLOCKING
    return "Medium" if in_body else _PRIORITY.get(request.type, "High")


def emit_request_will_be_sent(
    step: Step,
    request: NetworkRequest,
    redirected: tuple[str, HttpResponse, HttpResponse] | None = None,
    *,
    has_extra: bool = False,
) -> None:
    """Emit `Network.requestWillBeSent`; `redirected` are the previous URL, its response, and what the site said, which
    `has_extra` info."""
    frame = step.state.frames[request.frame]
    document = (request.http.url if request.type == "Document" else frame.url).partition("#")[0]
    before = {} if redirected is None else {"redirectResponse": _describe_response(step, request, *redirected)}
    where = "InBodyParserBlocking" if request.in_body else "Blocking"
    blocking = {"renderBlockingBehavior": where} if request.type in _BLOCKING else {}
    preload: dict[str, Any] = {}
    if request.type == "Font":
        blocking, preload = {"renderBlockingBehavior": "NonBlocking"}, {"isLinkPreload": True}
    params: dict[str, Any] = {
        "requestId": request.id,
        "loaderId": request.loader,
        "documentURL": document,
        "request": {
            **describe_request(request),
            "headers": shown_headers(request),
            **preload,
            "mixedContentType": "none",
            "isSameSite": is_same_site(step, request, frame),
        },
        "timestamp": step.now,
        "wallTime": step.now,
        "initiator": _initiator(request),
        "redirectHasExtraInfo": has_extra,
        **before,
        "type": request.type,
        "frameId": request.frame,
        "hasUserGesture": request.initiator.gesture,
        **blocking,
    }
    step.emit_if_enabled(request.target, "Network.requestWillBeSent", params)


def is_same_site(step: Step, request: NetworkRequest, frame: FrameNode) -> bool:
    """Return whether the request is same-site with all the documents around it; otherwise it is third-party."""
    above: FrameNode | None = frame
    if request.type == "Document":
        above = step.state.frames.get(frame.parent or "")
    while above is not None:
        if site_of(origin_url_of(above)) != site_of(request.http.url):
            return False
        above = step.state.frames.get(above.parent or "")
    return True


def _initiator(request: NetworkRequest) -> Mapping[str, Any]:
    return {"type": "other"} if request.type == "Fetch" and request.redirects else request.initiator.described


def emit_response_received(step: Step, request: NetworkRequest, response: HttpResponse) -> None:
    """Emit `Network.responseReceived`."""
    original = request.from_site or response
    params = {
        "requestId": request.id,
        "loaderId": request.loader,
        "timestamp": step.now,
        "type": request.type,
        "response": _describe_response(step, request, request.http.url, response, original),
        "hasExtraInfo": request.from_site is not None,
        "frameId": request.frame,
    }
    step.emit_if_enabled(request.target, "Network.responseReceived", params)


def _describe_response(
    step: Step, request: NetworkRequest, url: str, response: HttpResponse, original: HttpResponse
) -> dict[str, Any]:
    secure = "secure" if is_trustworthy(url) or scheme_of(url) == "data" else "insecure"
    return {
        "url": url.partition("#")[0],
        "status": response.status,
        "statusText": phrase(response),
        "headers": {name: text for name, text in response.headers if name.lower() != "set-cookie"},
        "mimeType": mime_type(original.headers),
        "charset": charset_of(original.headers),
        "connectionReused": False,
        "connectionId": 0,
        "fromDiskCache": False,
        "fromServiceWorker": False,
        "fromPrefetchCache": False,
        "encodedDataLength": 0,
        "responseTime": step.now * 1000,
        "protocol": "http/1.1",
        "alternateProtocolUsage": "unspecifiedReason",
        "securityState": "unknown"
        if request.redirects and request.type == "Fetch" and url == request.http.url
        else secure,
    }


def emit_data_received(step: Step, target: str, request_id: str, text: str) -> None:
    """Emit `Network.dataReceived`."""
    size = len(text.encode())
    params = {"requestId": request_id, "timestamp": step.now, "dataLength": size, "encodedDataLength": 0}
    step.emit_if_enabled(target, "Network.dataReceived", params)


def emit_loading_finished(step: Step, target: str, request_id: str, text: str) -> None:
    """Emit `Network.loadingFinished`."""
    params = {"requestId": request_id, "timestamp": step.now, "encodedDataLength": len(text.encode())}
    step.emit_if_enabled(target, "Network.loadingFinished", params)


def store_response_body(step: Step, request: NetworkRequest, response: HttpResponse) -> None:
    """Store the body for `Network.getResponseBody`, if a session of the target has enabled Network."""
    if step.enabled(request.target, "Network"):
        body = ResponseBody(request.target, request.frame, request.loader, response.body, mime_type(response.headers))
        step.state = replace(step.state, response_bodies={**step.state.response_bodies, request.id: body})


def emit_loading_failed(
    step: Step, request: NetworkRequest, error: str, *, cors: Mapping[str, str] | None = None, blocked: bool = False
) -> None:
    """Emit `Network.loadingFailed`."""
    reason: dict[str, Any] = {"blockedReason": "inspector"} if blocked else {}
    if cors is not None:
        reason["corsErrorStatus"] = cors
    params = {
        "requestId": request.id,
        "timestamp": step.now,
        "type": request.type,
        "errorText": f"{error}.Inspector" if blocked else error,
        "canceled": error == "net::ERR_ABORTED",
        **reason,
    }
    step.emit_if_enabled(request.target, "Network.loadingFailed", params)


def emit_committed_document(step: Step, frame: FrameNode) -> None:
    """Emit the network events of a committed document, and drop the bodies of the one before it."""
    bodies = {
        key: body
        for key, body in step.state.response_bodies.items()
        if body.target != frame.target or body.loader == frame.loader or frame.id not in (body.target, body.frame)
    }
    step.state = replace(step.state, response_bodies=bodies)
    step.emit_if_enabled(frame.target, "Network.policyUpdated")
    document = frame.document
    if not is_reported(frame.url):
        return
    if document.status >= 400:
        text = f"Failed to load resource: the server responded with a status of {document.status}"
        words, url = ("", ERROR_URL) if frame.unreachable else (phrase(HttpResponse(document.status)), frame.url)
        add_log_entry(step, frame.target, LogEntry("network", f"{text} ({words})"), url=url, request_id=frame.loader)
    if document.body:
        emit_data_received(step, frame.target, frame.loader, document.body)


def drop_requests_of_frame(step: Step, frame: str) -> None:
    """Drop the requests and promises of the frame's old document."""
    gone = {request.id for request in step.state.network_requests if request.frame == frame}
    network_requests = tuple(request for request in step.state.network_requests if request.id not in gone)
    suspended = {key: works for key, works in step.state.suspended.items() if key not in gone}
    promises = {key: promise for key, promise in step.state.promises.items() if promise.frame != frame}
    step.state = replace(step.state, network_requests=network_requests, suspended=suspended, promises=promises)


def fail_stopped_scripts(step: Step, frame: str) -> None:
    """Fail the calls whose scripts wait or are paused in the document that the frame leaves."""
    left_pauses = [pause for pause in step.state.pauses if pause.frame == frame]
    keys = {request.id for request in step.state.network_requests if request.frame == frame} | {
        pause.key for pause in left_pauses
    }
    suspended = dict(step.state.suspended)
    for key in keys & suspended.keys():
        for work in suspended[key]:
            if isinstance(work, ScriptRun) and work.reply is not None:
                step.refuse(work.reply, Text.NAVIGATED)
        suspended[key] = tuple(
            replace(work, reply=None) if isinstance(work, ScriptRun) else work for work in suspended[key]
        )
    for pause in left_pauses:
        suspended.pop(pause.key)
        step.put_process(pause.process, replace(step.process(pause.process), blocked=""))
    pauses = tuple(pause for pause in step.state.pauses if pause.frame != frame)
    step.state = replace(step.state, suspended=suspended, pauses=pauses)


def add_log_entry(
    step: Step,
    target: str,
    entry: LogEntry,
    *,
    url: str = "",
    request_id: str = "",
    level: str = "error",
    column: int | None = None,
) -> None:
    """Emit `Log.entryAdded`, and store it for sessions that enable Log later; `column` is the script's."""
    shown: dict[str, Any] = {"source": entry.source, "level": level, "text": entry.text}
    if entry.category:
        shown["category"] = entry.category
    shown["timestamp"] = step.now * 1000
    if url:
        shown["url"] = url
    if column is not None:
        call_frame = {"functionName": "", "scriptId": "1", "url": "", "lineNumber": 0, "columnNumber": column}
        shown |= {"lineNumber": 0, "stackTrace": {"callFrames": [call_frame]}}
    if request_id:
        shown["networkRequestId"] = request_id
    add_console_entry(step, target, "Log.entryAdded", {"entry": shown})


def _enable_log(step: Step, session: CDPSession, call: CommandCall) -> None:
    if "Log" not in session.enabled:
        session = replace(session, enabled=session.enabled | {"Log"})
        step.put_session(session)
        for kept in step.state.console_entries:
            if kept.target == session.target and kept.method == "Log.entryAdded":
                step.emit([session], kept.method, kept.params)
    step.reply(call)


def _get_body(step: Step, session: CDPSession, call: CommandCall) -> None:
    body = step.state.response_bodies.get(call.params["requestId"])
    if body is None or body.target != session.target:
        step.refuse(call, Text.NO_RESOURCE)
        return
    if body.mime.startswith(("image/", "font/", "audio/", "video/")) or body.mime == "application/octet-stream":
        coded = base64.b64encode(body.text.encode()).decode()
        step.reply(call, {"body": coded, "base64Encoded": True})
    else:
        step.reply(call, {"body": body.text, "base64Encoded": False})


def _bypass_csp(step: Step, session: CDPSession, call: CommandCall) -> None:
    step.put_session(replace(session, bypass_csp=call.params["enabled"]))
    step.reply(call)


def _disable_cache(step: Step, session: CDPSession, call: CommandCall) -> None:
    step.put_session(replace(session, cache_disabled=call.params["cacheDisabled"]))
    step.reply(call)


HANDLERS: Final[dict[str, Callable[[Step, CDPSession, CommandCall], None]]] = {
    "Log.enable": _enable_log,
    "Network.getResponseBody": _get_body,
    "Network.setCacheDisabled": _disable_cache,
    "Page.setBypassCSP": _bypass_csp,
}
