"""The Fetch domain: hold requests, answer them in the site's place, let them go, or make them fail."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from cdp_typed.mock.flows.network_requests import deliver, is_held_by, let_go, log_in, respond
from cdp_typed.mock.network.network_events import forget_requests
from cdp_typed.mock.network.page_cookies import keep_cookies
from cdp_typed.mock.network.redirects import is_redirect
from cdp_typed.mock.state.browser_state import CDPSession, CommandCall
from cdp_typed.mock.state.error_texts import Refusal, Text, wrong_type
from cdp_typed.mock.state.http import REASONS, Headers, HttpResponse
from cdp_typed.mock.state.network import FetchPattern, FetchSettings, NetworkRequest
from cdp_typed.mock.state.step import Step

__all__ = ["HANDLERS", "release_unheld"]


def release_unheld(step: Step) -> None:
    """Requests whose holders are gone, or hold no more, go on; those of a frame that is gone end."""
    for load in step.state.loads:
        session = step.state.sessions.get(load.holders[0])
        if load.frame not in step.state.frames:
            forget_requests(step, load.frame)
        elif not load.stuck and (session is None or session.fetch is None):
            let_go(step, load)


def _enable(step: Step, session: CDPSession, request: CommandCall) -> None:
    auth: bool = request.params.get("handleAuthRequests", False)
    wanted: list[dict[str, Any]] | None = request.params.get("patterns")
    if auth and wanted == []:
        step.refuse(request, Text.NO_PATTERNS)
        return
    patterns = [
        FetchPattern(item.get("urlPattern", "*"), item.get("resourceType", ""), item.get("requestStage", "Request"))
        for item in ([{}] if wanted is None else wanted)
    ]
    wish = FetchSettings(tuple(patterns), auth)
    step.put_session(replace(session, fetch=wish, enabled=session.enabled | {"Fetch"}))
    step.reply(request)


def _disable(step: Step, session: CDPSession, request: CommandCall) -> None:
    step.put_session(replace(session, fetch=None, enabled=session.enabled - {"Fetch"}))
    step.reply(request)
    release_unheld(step)


def _held(step: Step, session: CDPSession, request: CommandCall) -> NetworkRequest | None:
    """The load that the call means; None if the call is refused already."""
    for load in step.state.loads:
        if load.job == request.params["requestId"] and is_held_by(load, session):
            if not load.stuck:
                return load
            step.refuse(request, Text.NOT_HELD_FOR_THIS)
            return None
    step.refuse(request, Text.NO_INTERCEPTION)
    return None


def _refuse_kind(step: Step, load: NetworkRequest, request: CommandCall, text: Text) -> None:
    """An answer of the wrong kind: refused, and Chrome takes no other after it."""
    step.refuse(request, text)
    loads = tuple(replace(other, stuck=True) if other.id == load.id else other for other in step.state.loads)
    step.state = replace(step.state, loads=loads)


def _continue_request(step: Step, session: CDPSession, request: CommandCall) -> None:
    load = _held(step, session, request)
    if load is None:
        return
    if load.stage == "auth":
        _refuse_kind(step, load, request, Text.NO_AUTH_RESPONSE)
        return
    params = request.params
    changed = load.request
    body = _decoded(params["postData"]) if "postData" in params else None
    if "postData" in params and body is None:
        step.refuse(request, _bad_base64("postData"))
        return
    if "url" in params:
        changed = replace(changed, url=params["url"])
    if "method" in params:
        changed = replace(changed, method=params["method"])
    if "headers" in params:
        changed = replace(changed, headers=_headers(params["headers"]))
    if body is not None:
        changed = replace(changed, body=body)
    wants = load.wants_response | {session.key} if params.get("interceptResponse", False) else load.wants_response
    step.reply(request)
    let_go(step, replace(load, request=changed, wants_response=wants))


def _headers(entries: list[dict[str, str]]) -> Headers:
    return tuple((entry["name"], entry["value"]) for entry in entries)


def _decoded(coded: str) -> str | None:
    try:
        return base64.b64decode(coded, validate=True).decode("utf-8", "replace")
    except binascii.Error:
        return None


def _bad_base64(name: str) -> Refusal:
    return wrong_type(name, "BINDINGS: invalid base64 string")


def _fulfill(step: Step, session: CDPSession, request: CommandCall) -> None:
    load = _held(step, session, request)
    if load is None:
        return
    params = request.params
    body = _decoded(params.get("body", ""))
    if body is None:
        step.refuse(request, _bad_base64("body"))
    elif not 100 <= params["responseCode"] < 600:
        step.refuse(request, Text.BAD_STATUS)
    else:
        step.reply(request)
        headers = _headers(params.get("responseHeaders", []))
        phrase: str = params.get("responsePhrase", "")
        response = HttpResponse(params["responseCode"], headers, body, status_text=phrase)
        keep_cookies(step, load, response)
        deliver(step, replace(load, moved=None), response)


def _fail(step: Step, session: CDPSession, request: CommandCall) -> None:
    reason: str = request.params["errorReason"]
    load = _held(step, session, request)
    if load is not None:
        step.reply(request)
        deliver(step, load, HttpResponse(error=REASONS[reason]), blocked=reason == "BlockedByClient")


def _continue_response(step: Step, session: CDPSession, request: CommandCall) -> None:
    load = _held(step, session, request)
    if load is None:
        return
    # At the request stage there is nothing to change yet: the request goes on, as in Chrome.
    response, params = load.response or HttpResponse(), request.params
    if "responseCode" in params:
        response = replace(response, status=params["responseCode"], status_text=params.get("responsePhrase", ""))
    if "responseHeaders" in params:
        response = replace(response, headers=_headers(params["responseHeaders"]))
    step.reply(request)
    let_go(step, replace(load, response=response))


def _get_body(step: Step, session: CDPSession, request: CommandCall) -> None:
    load = _held(step, session, request)
    if load is None:
        return
    if load.stage != "response" or load.response is None:
        step.refuse(request, Text.NO_BODY_YET)
        return
    if is_redirect(load.response):
        step.refuse(request, Text.NO_BODY_OF_REDIRECT)
        return
    step.reply(request, {"body": base64.b64encode(load.response.body.encode()).decode(), "base64Encoded": True})


def _continue_with_auth(step: Step, session: CDPSession, request: CommandCall) -> None:
    load = _held(step, session, request)
    if load is None:
        return
    answer: dict[str, str] = request.params["authChallengeResponse"]
    if load.stage != "auth":
        _refuse_kind(step, load, request, Text.NO_AUTH_WANTED)
    elif answer["response"] == "Default":
        step.reply(request)
        let_go(step, load)
    elif answer["response"] == "CancelAuth":
        step.reply(request)
        respond(step, load, cancelled=True)
    else:
        step.reply(request)
        log_in(step, load, answer.get("username", ""), answer.get("password", ""))


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
