"""Fetch interception: the sessions that may pause a request, and their `Fetch.requestPaused` events."""

from __future__ import annotations

from typing import Any

from cdp_typed.mock.network.network_events import describe_request
from cdp_typed.mock.network.page_cookies import cookie_header
from cdp_typed.mock.network.request_headers import HINTS
from cdp_typed.mock.site import origin_of
from cdp_typed.mock.state.http import REASONS, HttpResponse, is_requested, phrase
from cdp_typed.mock.state.network import FetchPattern, NetworkRequest
from cdp_typed.mock.state.step import Step
from cdp_typed.url_patterns import matches


def intercepting_sessions(step: Step, request: NetworkRequest, stage: str) -> tuple[str, ...]:
    """Return the sessions that intercept the request at this stage: `Request` or `Response`."""
    keys: list[str] = []
    if not is_requested(request.http.url):
        return ()
    for session in (*step.sessions_of(request.target), *step.sessions_of(None)):
        patterns = () if session.fetch is None else session.fetch.patterns
        wants = any(_matches(pattern, request, stage) for pattern in patterns)
        if wants or (stage == "Response" and session.key in request.wants_response):
            keys.append(session.key)
    return tuple(keys)


def _matches(pattern: FetchPattern, request: NetworkRequest, stage: str) -> bool:
    if pattern.stage != stage or pattern.type not in ("", request.type, _interception_type(request)):
        return False
    return matches(pattern.url, request.http.url)


def _interception_type(request: NetworkRequest) -> str:
    # In Chrome's Fetch domain the resource type of a fetch is XHR.
    return "XHR" if request.type == "Fetch" else request.type


def emit_request_paused(step: Step, request: NetworkRequest) -> None:
    """Emit `Fetch.requestPaused` or `Fetch.authRequired` on the request's first interceptor."""
    http = describe_request(request)
    cookies = cookie_header(step, request)
    if request.redirect_response is not None:
        http["headers"] = {name: text for name, text in http["headers"].items() if name not in HINTS}
    if cookies and request.stage == "request":
        http["headers"]["Cookie"] = cookies
    params: dict[str, Any] = {
        "requestId": request.interception_id,
        "request": http,
        "frameId": request.frame,
        "resourceType": _interception_type(request),
    }
    if request.redirects:
        params["redirectedRequestId"] = request.redirected_interception_id
    holder = step.state.sessions[request.interceptors[0]]
    if request.stage == "auth":
        step.emit([holder], "Fetch.authRequired", {**params, "authChallenge": _challenge(request)})
    else:
        shown = {} if request.response is None else _describe_response(request.response)
        # `networkId` is there only while the session has enabled Network.
        network = {"networkId": request.id} if "Network" in holder.enabled else {}
        step.emit([holder], "Fetch.requestPaused", {**params, **shown, **network})


def _challenge(request: NetworkRequest) -> dict[str, Any]:
    origin = origin_of(request.http.url)
    return {"source": "Server", "origin": origin, "scheme": "basic", "realm": origin}


def _describe_response(response: HttpResponse) -> dict[str, Any]:
    if response.error:
        reasons = {error: reason for reason, error in REASONS.items()}
        return {"responseErrorReason": reasons.get(response.error, "Failed")}
    return {
        "responseStatusCode": response.status,
        "responseStatusText": phrase(response),
        "responseHeaders": [{"name": name, "value": value} for name, value in response.headers],
    }
