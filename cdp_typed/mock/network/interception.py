"""Fetch interception: the sessions that may pause a request, and the `Fetch.requestPaused` that they get."""

from __future__ import annotations

import re
from typing import Any

from cdp_typed.mock.network.network_events import describe_request
from cdp_typed.mock.network.page_cookies import cookies_for
from cdp_typed.mock.site import origin_of
from cdp_typed.mock.state.http import REASONS, HttpResponse, phrase
from cdp_typed.mock.state.network import FetchPattern, NetworkRequest
from cdp_typed.mock.state.step import Step

__all__ = ["interceptors", "show_to_holder"]


def interceptors(step: Step, load: NetworkRequest, stage: str) -> tuple[str, ...]:
    """The sessions that want to hold the load at this stage: `Request` or `Response`."""
    found: list[str] = []
    for session in (*step.sessions_of(load.target), *step.sessions_of(None)):
        patterns = () if session.fetch is None else session.fetch.patterns
        asked = any(_matches(pattern, load, stage) for pattern in patterns)
        if asked or (stage == "Response" and session.key in load.wants_response):
            found.append(session.key)
    return tuple(found)


def _matches(pattern: FetchPattern, load: NetworkRequest, stage: str) -> bool:
    if pattern.stage != stage or pattern.type not in ("", load.type, _interception_type(load)):
        return False
    return re.fullmatch(_regex(pattern.url), load.request.url, re.DOTALL) is not None


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


def _interception_type(load: NetworkRequest) -> str:
    # Chrome's interception knows no Fetch: it takes it for an XHR.
    return "XHR" if load.type == "Fetch" else load.type


def show_to_holder(step: Step, load: NetworkRequest) -> None:
    """`Fetch.requestPaused` or `Fetch.authRequired`, for the one that has the load now."""
    request = describe_request(load)
    cookies = cookies_for(step, load)
    if cookies and load.stage == "request":
        request["headers"]["Cookie"] = cookies
    params: dict[str, Any] = {
        "requestId": load.job,
        "request": request,
        "frameId": load.frame,
        "resourceType": _interception_type(load),
    }
    if load.redirects:
        params["redirectedRequestId"] = load.redirected_job
    holder = step.state.sessions[load.holders[0]]
    if load.stage == "auth":
        step.emit([holder], "Fetch.authRequired", {**params, "authChallenge": _challenge(load)})
    else:
        shown = {} if load.response is None else _describe_response(load.response)
        # It names the request of the Network domain where that is enabled.
        network = {"networkId": load.id} if "Network" in holder.enabled else {}
        step.emit([holder], "Fetch.requestPaused", {**params, **shown, **network})


def _challenge(load: NetworkRequest) -> dict[str, Any]:
    origin = origin_of(load.request.url)
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
