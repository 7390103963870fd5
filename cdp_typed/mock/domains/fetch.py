"""The Fetch domain: pause requests, fulfill, continue or fail them."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from cdp_typed.mock.flows.network_requests import continue_request, deliver_response, is_paused_by, log_in, respond
from cdp_typed.mock.network.network_events import drop_requests_of_frame
from cdp_typed.mock.network.page_cookies import store_response_cookies
from cdp_typed.mock.network.redirects import is_redirect
from cdp_typed.mock.state.browser_state import CDPSession, CommandCall
from cdp_typed.mock.state.error_texts import Refusal, Text, wrong_type
from cdp_typed.mock.state.http import REASONS, Headers, HttpResponse
from cdp_typed.mock.state.network import FetchPattern, FetchSettings, NetworkRequest
from cdp_typed.mock.state.step import Step


def continue_unintercepted(step: Step) -> None:
    """Continue requests whose sessions no longer intercept; drop those of removed frames."""
    for request in step.state.network_requests:
        session = step.state.sessions.get(request.interceptors[0])
        if request.frame not in step.state.frames:
            drop_requests_of_frame(step, request.frame)
        elif not request.invalid_state and (session is None or session.fetch is None):
            continue_request(step, request)


def _enable(step: Step, session: CDPSession, call: CommandCall) -> None:
    auth: bool = call.params.get("handleAuthRequests", False)
    wanted: list[dict[str, Any]] | None = call.params.get("patterns")
    if auth and wanted == []:
        step.refuse(call, Text.NO_PATTERNS)
        return
    patterns = [
        FetchPattern(item.get("urlPattern", "*"), item.get("resourceType", ""), item.get("requestStage", "Request"))
        for item in ([{}] if wanted is None else wanted)
    ]
    settings = FetchSettings(tuple(patterns), auth)
    step.put_session(replace(session, fetch=settings, enabled=session.enabled | {"Fetch"}))
    step.reply(call)


def _disable(step: Step, session: CDPSession, call: CommandCall) -> None:
    step.put_session(replace(session, fetch=None, enabled=session.enabled - {"Fetch"}))
    step.reply(call)
    continue_unintercepted(step)


def _paused_request(step: Step, session: CDPSession, call: CommandCall) -> NetworkRequest | None:
    """Return the request that the call names; None if the call was refused."""
    for request in step.state.network_requests:
        if request.interception_id == call.params["requestId"] and is_paused_by(request, session):
            if not request.invalid_state:
                return request
            step.refuse(call, Text.NOT_HELD_FOR_THIS)
            return None
    step.refuse(call, Text.NO_INTERCEPTION)
    return None


def _refuse_wrong_reply(step: Step, request: NetworkRequest, call: CommandCall, text: Text) -> None:
    """Refuse a reply of the wrong kind; Chrome accepts no other one for this request afterwards."""
    step.refuse(call, text)
    network_requests = tuple(
        replace(other, invalid_state=True) if other.id == request.id else other for other in step.state.network_requests
    )
    step.state = replace(step.state, network_requests=network_requests)


def _continue_request(step: Step, session: CDPSession, call: CommandCall) -> None:
    request = _paused_request(step, session, call)
    if request is None:
        return
    if request.stage == "auth":
        _refuse_wrong_reply(step, request, call, Text.NO_AUTH_RESPONSE)
        return
    params = call.params
    changed = request.http
    body = _decoded(params["postData"]) if "postData" in params else None
    if "postData" in params and body is None:
        step.refuse(call, _bad_base64("postData"))
        return
    if "url" in params:
        changed = replace(changed, url=params["url"])
    if "method" in params:
        changed = replace(changed, method=params["method"])
    if "headers" in params:
        kept = tuple(pair for pair in changed.headers if pair[0] == "Referer")
        changed = replace(changed, headers=(*_headers(params["headers"]), *kept))
    if body is not None:
        changed = replace(changed, body=body)
    wants = request.wants_response | {session.key} if params.get("interceptResponse", False) else request.wants_response
    step.reply(call)
    continue_request(step, replace(request, http=changed, wants_response=wants))


def _headers(entries: list[dict[str, str]]) -> Headers:
    return tuple((entry["name"], entry["value"]) for entry in entries)


def _decoded(coded: str) -> str | None:
    try:
        return base64.b64decode(coded, validate=True).decode("utf-8", "replace")
    except binascii.Error:
        return None


def _bad_base64(name: str) -> Refusal:
    return wrong_type(name, "BINDINGS: invalid base64 string")


def _fulfill(step: Step, session: CDPSession, call: CommandCall) -> None:
    request = _paused_request(step, session, call)
    if request is None:
        return
    params = call.params
    body = _decoded(params.get("body", ""))
    if body is None:
        step.refuse(call, _bad_base64("body"))
    elif not 100 <= params["responseCode"] < 600:
        step.refuse(call, Text.BAD_STATUS)
    else:
        step.reply(call)
        headers = _headers(params.get("responseHeaders", []))
        phrase: str = params.get("responsePhrase", "")
        if "body" not in params and request.response is not None and request.stage == "response":
            body = request.response.body  # only the head of the response is another
        else:
            request = replace(request, from_site=None)
        response = HttpResponse(params["responseCode"], headers, body, status_text=phrase)
        store_response_cookies(step, request, response)
        deliver_response(step, replace(request, redirect_response=None), response)


def _fail(step: Step, session: CDPSession, call: CommandCall) -> None:
    reason: str = call.params["errorReason"]
    request = _paused_request(step, session, call)
    if request is not None:
        step.reply(call)
        deliver_response(step, request, HttpResponse(error=REASONS[reason]), blocked=reason == "BlockedByClient")


def _continue_response(step: Step, session: CDPSession, call: CommandCall) -> None:
    request = _paused_request(step, session, call)
    if request is None:
        return
    # At the request stage there is no response to change: the request continues, as in Chrome.
    response, params = request.response or HttpResponse(), call.params
    if "responseCode" in params:
        response = replace(response, status=params["responseCode"], status_text=params.get("responsePhrase", ""))
    if "responseHeaders" in params:
        response = replace(response, headers=_headers(params["responseHeaders"]))
    step.reply(call)
    continue_request(step, replace(request, response=response))


def _get_body(step: Step, session: CDPSession, call: CommandCall) -> None:
    request = _paused_request(step, session, call)
    if request is None:
        return
    if request.stage != "response" or request.response is None:
        step.refuse(call, Text.NO_BODY_YET)
        return
    if is_redirect(request.response):
        step.refuse(call, Text.NO_BODY_OF_REDIRECT)
        return
    step.reply(call, {"body": base64.b64encode(request.response.body.encode()).decode(), "base64Encoded": True})


def _continue_with_auth(step: Step, session: CDPSession, call: CommandCall) -> None:
    request = _paused_request(step, session, call)
    if request is None:
        return
    answer: dict[str, str] = call.params["authChallengeResponse"]
    if request.stage != "auth":
        _refuse_wrong_reply(step, request, call, Text.NO_AUTH_WANTED)
    elif answer["response"] == "Default":
        step.reply(call)
        continue_request(step, request)
    elif answer["response"] == "CancelAuth":
        step.reply(call)
        respond(step, request, cancelled=True)
    else:
        step.reply(call)
        log_in(step, request, answer.get("username", ""), answer.get("password", ""))


HANDLERS: Final[dict[str, Callable[[Step, CDPSession, CommandCall], None]]] = {
    "Fetch.continueRequest": _continue_request,
    "Fetch.continueResponse": _continue_response,
    "Fetch.continueWithAuth": _continue_with_auth,
    "Fetch.disable": _disable,
    "Fetch.enable": _enable,
    "Fetch.failRequest": _fail,
    "Fetch.fulfillRequest": _fulfill,
    "Fetch.getResponseBody": _get_body,
}
