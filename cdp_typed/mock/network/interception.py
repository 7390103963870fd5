"""Fetch interception: the sessions that may pause a request, and the `Fetch.requestPaused` that they get."""

from __future__ import annotations

import re
from typing import Any

from cdp_typed.mock.network.network_events import describe_request
from cdp_typed.mock.network.page_cookies import cookie_header
from cdp_typed.mock.site import origin_of
from cdp_typed.mock.state.http import REASONS, HttpResponse, phrase
from cdp_typed.mock.state.network import FetchPattern, NetworkRequest
from cdp_typed.mock.state.step import Step

__all__ = ["emit_request_paused", "intercepting_sessions"]


def intercepting_sessions(step: Step, request: NetworkRequest, stage: str) -> tuple[str, ...]:
    """The sessions that want to hold the load at this stage: `Request` or `Response`."""
    keys: list[str] = []
    for session in (*step.sessions_of(request.target), *step.sessions_of(None)):
        patterns = () if session.fetch is None else session.fetch.patterns
        wants = any(_matches(pattern, request, stage) for pattern in patterns)
        if wants or (stage == "Response" and session.key in request.wants_response):
            keys.append(session.key)
    return tuple(keys)


def _matches(pattern: FetchPattern, request: NetworkRequest, stage: str) -> bool:
    if pattern.stage != stage or pattern.type not in ("", request.type, _interception_type(request)):
        return False
    return re.fullmatch(_regex(pattern.url), request.http.url, re.DOTALL) is not None


def _regex(pattern: str) -> str:
    """A pattern with `*` for anything, `?` for a character and `\\` before either, as a regular expression."""
    texts = [""]
    for part in re.split(r"(\\.|[*?])", pattern):
        if part == "*":
            texts.append("")
        else:
            texts[-1] += "." if part == "?" else re.escape(part.removeprefix("\\"))
    if len(texts) == 1:
        return texts[0]
    # What is between two stars is where it first is: nothing better can be found by looking further.
    first, *between, last = texts
    return f"{first}{''.join(f'(?>.*?{text})' for text in between)}.*{last}"


def _interception_type(request: NetworkRequest) -> str:
    # Chrome's interception knows no Fetch: it takes it for an XHR.
    return "XHR" if request.type == "Fetch" else request.type


def emit_request_paused(step: Step, request: NetworkRequest) -> None:
    """`Fetch.requestPaused` or `Fetch.authRequired`, for the one that has the load now."""
    http = describe_request(request)
    cookies = cookie_header(step, request)
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
        # It names the request of the Network domain where that is enabled.
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
