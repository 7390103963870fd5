"""The Fetch domain: hold requests, answer them in the site's place, let them go, or make them fail."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from cdp_typed.mock.flows.requests import deliver, is_held_by, let_go, log_in, respond
from cdp_typed.mock.network.events import forget_requests
from cdp_typed.mock.network.page_cookies import keep_cookies
from cdp_typed.mock.network.redirects import is_redirect
from cdp_typed.mock.state.browser import Request, Session
from cdp_typed.mock.state.error_texts import Refusal, Text, wrong_type
from cdp_typed.mock.state.http import REASONS, Headers, HttpResponse
from cdp_typed.mock.state.requests import FetchPattern, FetchWish, Load
from cdp_typed.mock.state.step import Turn

__all__ = ["HANDLERS", "release_unheld"]


def release_unheld(turn: Turn) -> None:
    """Requests whose holders are gone, or hold no more, go on; those of a frame that is gone end."""
    for load in turn.state.loads:
        session = turn.state.sessions.get(load.holders[0])
        if load.frame not in turn.state.frames:
            forget_requests(turn, load.frame)
        elif not load.stuck and (session is None or session.fetch is None):
            let_go(turn, load)


def _enable(turn: Turn, session: Session, request: Request) -> None:
    auth: bool = request.params.get("handleAuthRequests", False)
    wanted: list[dict[str, Any]] | None = request.params.get("patterns")
    if auth and wanted == []:
        turn.refuse(request, Text.NO_PATTERNS)
        return
    patterns = [
        FetchPattern(item.get("urlPattern", "*"), item.get("resourceType", ""), item.get("requestStage", "Request"))
        for item in ([{}] if wanted is None else wanted)
    ]
    wish = FetchWish(tuple(patterns), auth)
    turn.put_session(replace(session, fetch=wish, enabled=session.enabled | {"Fetch"}))
    turn.reply(request)


def _disable(turn: Turn, session: Session, request: Request) -> None:
    turn.put_session(replace(session, fetch=None, enabled=session.enabled - {"Fetch"}))
    turn.reply(request)
    release_unheld(turn)


def _held(turn: Turn, session: Session, request: Request) -> Load | None:
    """The load that the call means; None if the call is refused already."""
    for load in turn.state.loads:
        if load.job == request.params["requestId"] and is_held_by(load, session):
            if not load.stuck:
                return load
            turn.refuse(request, Text.NOT_HELD_FOR_THIS)
            return None
    turn.refuse(request, Text.NO_INTERCEPTION)
    return None


def _refuse_kind(turn: Turn, load: Load, request: Request, text: Text) -> None:
    """An answer of the wrong kind: refused, and Chrome takes no other after it."""
    turn.refuse(request, text)
    loads = tuple(replace(other, stuck=True) if other.id == load.id else other for other in turn.state.loads)
    turn.state = replace(turn.state, loads=loads)


def _continue_request(turn: Turn, session: Session, request: Request) -> None:
    load = _held(turn, session, request)
    if load is None:
        return
    if load.stage == "auth":
        _refuse_kind(turn, load, request, Text.NO_AUTH_RESPONSE)
        return
    params = request.params
    changed = load.request
    body = _decoded(params["postData"]) if "postData" in params else None
    if "postData" in params and body is None:
        turn.refuse(request, _bad_base64("postData"))
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
    turn.reply(request)
    let_go(turn, replace(load, request=changed, wants_response=wants))


def _headers(entries: list[dict[str, str]]) -> Headers:
    return tuple((entry["name"], entry["value"]) for entry in entries)


def _decoded(coded: str) -> str | None:
    try:
        return base64.b64decode(coded, validate=True).decode("utf-8", "replace")
    except binascii.Error:
        return None


def _bad_base64(name: str) -> Refusal:
    return wrong_type(name, "BINDINGS: invalid base64 string")


def _fulfill(turn: Turn, session: Session, request: Request) -> None:
    load = _held(turn, session, request)
    if load is None:
        return
    params = request.params
    body = _decoded(params.get("body", ""))
    if body is None:
        turn.refuse(request, _bad_base64("body"))
    elif not 100 <= params["responseCode"] < 600:
        turn.refuse(request, Text.BAD_STATUS)
    else:
        turn.reply(request)
        headers = _headers(params.get("responseHeaders", []))
        phrase: str = params.get("responsePhrase", "")
        response = HttpResponse(params["responseCode"], headers, body, status_text=phrase)
        keep_cookies(turn, load, response)
        deliver(turn, replace(load, moved=None), response)


def _fail(turn: Turn, session: Session, request: Request) -> None:
    reason: str = request.params["errorReason"]
    load = _held(turn, session, request)
    if load is not None:
        turn.reply(request)
        deliver(turn, load, HttpResponse(error=REASONS[reason]), blocked=reason == "BlockedByClient")


def _continue_response(turn: Turn, session: Session, request: Request) -> None:
    load = _held(turn, session, request)
    if load is None:
        return
    # At the request stage there is nothing to change yet: the request goes on, as in Chrome.
    response, params = load.response or HttpResponse(), request.params
    if "responseCode" in params:
        response = replace(response, status=params["responseCode"], status_text=params.get("responsePhrase", ""))
    if "responseHeaders" in params:
        response = replace(response, headers=_headers(params["responseHeaders"]))
    turn.reply(request)
    let_go(turn, replace(load, response=response))


def _get_body(turn: Turn, session: Session, request: Request) -> None:
    load = _held(turn, session, request)
    if load is None:
        return
    if load.stage != "response" or load.response is None:
        turn.refuse(request, Text.NO_BODY_YET)
        return
    if is_redirect(load.response):
        turn.refuse(request, Text.NO_BODY_OF_REDIRECT)
        return
    turn.reply(request, {"body": base64.b64encode(load.response.body.encode()).decode(), "base64Encoded": True})


def _continue_with_auth(turn: Turn, session: Session, request: Request) -> None:
    load = _held(turn, session, request)
    if load is None:
        return
    answer: dict[str, str] = request.params["authChallengeResponse"]
    if load.stage != "auth":
        _refuse_kind(turn, load, request, Text.NO_AUTH_WANTED)
    elif answer["response"] == "Default":
        turn.reply(request)
        let_go(turn, load)
    elif answer["response"] == "CancelAuth":
        turn.reply(request)
        respond(turn, load, cancelled=True)
    else:
        turn.reply(request)
        log_in(turn, load, answer.get("username", ""), answer.get("password", ""))


HANDLERS: Final[dict[str, Callable[[Turn, Session, Request], None]]] = {
    "Fetch.continueRequest": _continue_request,
    "Fetch.continueResponse": _continue_response,
    "Fetch.continueWithAuth": _continue_with_auth,
    "Fetch.disable": _disable,
    "Fetch.enable": _enable,
    "Fetch.failRequest": _fail,
    "Fetch.fulfillRequest": _fulfill,
    "Fetch.getResponseBody": _get_body,
}
