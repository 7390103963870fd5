"""Requests in flight: interception at each stage, the response, and the work that follows."""

from __future__ import annotations

from msgspec.structs import replace

from cdp_typed.mock.document_html import place_of
from cdp_typed.mock.js.effects import ScriptRequest, SyncResponse
from cdp_typed.mock.js.values import Failure, FetchResponse
from cdp_typed.mock.network.extra_info import emit_exchange
from cdp_typed.mock.network.interception import emit_request_paused, intercepting_sessions
from cdp_typed.mock.network.network_events import (
    add_log_entry,
    emit_loading_failed,
    emit_request_will_be_sent,
    emit_response_received,
)
from cdp_typed.mock.network.page_cookies import browser_context_of, logins_of, store_response_cookies
from cdp_typed.mock.network.redirects import is_redirect, redirected_request
from cdp_typed.mock.network.request_end import report_end
from cdp_typed.mock.network.request_headers import http_request_of, with_headers
from cdp_typed.mock.network.security_policy import cors_violation, needs_preflight, request_violations
from cdp_typed.mock.page.downloads import begin_download, is_download
from cdp_typed.mock.page.history import find_entry
from cdp_typed.mock.runtime.expressions import program_of
from cdp_typed.mock.runtime.promises import settle_promise
from cdp_typed.mock.site import resolve
from cdp_typed.mock.state.browser_state import (
    CDPSession,
    CommandCall,
    FrameNode,
    LoadStage,
    Navigation,
    ScriptRun,
    Work,
)
from cdp_typed.mock.state.http import (
    UNAUTHORIZED,
    HttpRequest,
    HttpResponse,
    is_reported,
    is_requested,
    phrase,
    site_response,
    with_login,
)
from cdp_typed.mock.state.network import Initiator, NetworkRequest
from cdp_typed.mock.state.step import Step, base_url_of, initiator_of

_OF_THE_BODY = ("Image", "Media")
"""The resources whose elements end the head of a document."""
INVALID_LOGIN = "net::ERR_INVALID_AUTH_CREDENTIALS"


def needs_request(step: Step, navigation: Navigation) -> bool:
    """Return whether the document of a navigation is still to be requested."""
    if navigation.response is not None or navigation.same_document or not is_reported(navigation.url):
        return False
    if navigation.frame not in step.state.frames:
        return False
    if navigation.entry is None:
        return True
    entry = find_entry(step, navigation.frame, navigation.entry)
    return entry is None or entry.loader not in step.state.bfcache


def request_document(step: Step, navigation: Navigation) -> None:
    """Request the document of a navigation."""
    frame = step.state.frames[navigation.frame]
    http = HttpRequest("GET", navigation.url)
    request = _new_request(step, frame, http, "Document", navigation.initiator, identifier=navigation.loader)
    _begin(step, replace(request, cache=navigation.cache), navigation)


def request_resources(step: Step, frame: FrameNode) -> None:
    """Request the subresources of a document."""
    requests: list[NetworkRequest] = []
    in_body = False
    for resource in frame.document.resources:
        http = HttpRequest("GET", resolve(base_url_of(frame), resource.url))
        line, column = place_of(frame.document, resource)
        cause = initiator_of(frame, "parser", url=frame.url, lineNumber=line, columnNumber=column)
        in_body = in_body or resource.type in _OF_THE_BODY
        requests.append(replace(_new_request(step, frame, http, resource.type, cause), in_body=in_body))
        emit_request_will_be_sent(step, requests[-1])
    for request in requests:
        _follow(step, request)
    step.put_frame(replace(step.state.frames[frame.id], resources_requested=True))


def is_loading(step: Step, frame: FrameNode, *, scripts_only: bool = False) -> bool:
    """Return whether subresources of the document, or its scripts only, are still in flight."""
    types = [request.type for request in step.state.network_requests if request.loader == frame.loader]
    return any(kind == "Script" if scripts_only else kind not in ("Document", "XHR", "Fetch") for kind in types)


def request_sync(step: Step, script_run: ScriptRun, script_request: ScriptRequest, column: int) -> None:
    """Send the synchronous `XMLHttpRequest` of a script; its renderer is blocked meanwhile."""
    frame = step.state.frames[script_run.frame]
    key = step.process_key(frame)
    step.put_process(key, replace(step.process(key), blocked="request"))
    request = _request_of_script(step, frame, script_request, "XHR", column)
    if _refused(step, request, frame):
        _resume(step, request, [script_run], HttpResponse(error="net::ERR_FAILED"))
    else:
        _begin(step, request, script_run)


def request_fetch(step: Step, frame: FrameNode, key: str, script_request: ScriptRequest, column: int) -> None:
    """Send a `fetch` of a script; the response settles the promise of that key."""
    request = replace(_request_of_script(step, frame, script_request, "Fetch", column), promise=key)
    if _refused(step, request, frame):
        _settle(step, request, HttpResponse(error="net::ERR_FAILED"))
    else:
        _begin(step, request)


def _request_of_script(
    step: Step, frame: FrameNode, script_request: ScriptRequest, kind: str, column: int
) -> NetworkRequest:
    place = {"functionName": "", "scriptId": "1", "url": "", "lineNumber": 0, "columnNumber": column}
    cause = initiator_of(frame, "script", stack={"callFrames": [place]})
    request = _new_request(step, frame, http_request_of(frame, script_request), kind, cause)
    return replace(request, column=column)


def _new_request(
    step: Step, frame: FrameNode, http: HttpRequest, kind: str, initiator: Initiator, *, identifier: str = ""
) -> NetworkRequest:
    number = step.number()
    request = NetworkRequest(
        id=identifier or f"1000.{number}",
        number=number,
        frame=frame.id,
        target=frame.target,
        loader=identifier or frame.loader,
        type=kind,
        http=http,
        initiator=initiator,
    )
    return with_headers(frame, request)


def _refused(step: Step, request: NetworkRequest, frame: FrameNode) -> bool:
    if needs_preflight(frame, request.http):
        step.note_refusal(
            f"cdp_typed.mock sends no preflight requests, and so not this request: {request.http.url}", None
        )
        return True
    violations = request_violations(frame, request.http, request.type)
    for violation in violations:
        add_log_entry(step, request.target, violation, column=request.column)
    return bool(violations)


def _begin(step: Step, request: NetworkRequest, then: Work | None = None) -> None:
    emit_request_will_be_sent(step, request)
    _follow(step, request, then)


def _follow(step: Step, request: NetworkRequest, then: Work | None = None) -> None:
    step.state = replace(step.state, suspended={**step.state.suspended, request.id: () if then is None else (then,)})
    _pause_or_go_on(step, replace(request, interceptors=intercepting_sessions(step, request, "Request")))


# -- interception ----------------------------------------------------------------------------------------------------


def _pause_or_go_on(step: Step, request: NetworkRequest) -> None:
    """Pause the request for its next interceptor; without one, go on."""
    if not request.interceptors:
        _go_on(step, request)
        return
    others = tuple(other for other in step.state.network_requests if other.id != request.id)
    step.state = replace(step.state, network_requests=(*others, request))
    emit_request_paused(step, request)


def continue_request(step: Step, request: NetworkRequest) -> None:
    """Continue a request after one of its interceptors."""
    _drop(step, request)
    _pause_or_go_on(step, replace(request, interceptors=request.interceptors[1:]))


def _drop(step: Step, request: NetworkRequest) -> None:
    step.state = replace(
        step.state, network_requests=tuple(other for other in step.state.network_requests if other.id != request.id)
    )


def is_paused_by(request: NetworkRequest, session: CDPSession) -> bool:
    """Return whether the request is paused for this session."""
    return request.interceptors[0] == session.key


# -- responses -------------------------------------------------------------------------------------------------------


def _go_on(step: Step, request: NetworkRequest) -> None:
    if request.stage == "request":
        respond(step, request)
    elif request.stage == "auth":
        _refuse_login(step, request)
    else:
        deliver_response(step, request, request.response or HttpResponse(error="net::ERR_FAILED"))


def respond(step: Step, request: NetworkRequest, *, cancelled: bool = False) -> None:
    """Get the site's response; on a 401, intercept authentication unless a client has `cancelled` it."""
    _drop(step, request)
    response = site_response(step.state.site, request.http, logins_of(step, request.target))
    if not response.error and is_requested(request.http.url):
        emit_exchange(step, request, response)
        store_response_cookies(step, request, response)
        request = replace(request, from_site=response)
    request = replace(request, response=response, redirect_response=response if is_redirect(response) else None)
    if response.status == UNAUTHORIZED and not cancelled:
        interceptors = [key for key in intercepting_sessions(step, request, "Request") if _logs_in(step, key)]
        _pause_or_go_on(step, replace(request, stage="auth", interceptors=tuple(interceptors)))
    else:
        _to_response_stage(step, request)


def _logs_in(step: Step, key: str) -> bool:
    settings = step.state.sessions[key].fetch
    return settings is not None and settings.auth


def _to_response_stage(step: Step, request: NetworkRequest) -> None:
    """Enter the response stage, with the headers received."""
    request = replace(request, stage="response")
    _pause_or_go_on(step, replace(request, interceptors=intercepting_sessions(step, request, "Response")))


def log_in(step: Step, request: NetworkRequest, user: str, password: str) -> None:
    """Repeat the request with credentials, which the browser remembers if they are right."""
    page = step.state.site.page(request.http.url)
    if page is not None and page.login == f"{user}:{password}":
        login = browser_context_of(step, request.target), with_login(request.http.url, page.login)
        step.state = replace(step.state, logins=step.state.logins | {login})
    respond(step, request)


def _refuse_login(step: Step, request: NetworkRequest) -> None:
    # A headless browser has no login window: a navigation fails, a script gets the 401.
    if request.type == "Document":
        emit_response_received(step, request, request.response or HttpResponse())
        deliver_response(step, request, HttpResponse(UNAUTHORIZED, error=INVALID_LOGIN))
    else:
        _to_response_stage(step, request)


def deliver_response(step: Step, request: NetworkRequest, response: HttpResponse, *, blocked: bool = False) -> None:
    """Deliver the response: follow its redirect, or finish the request."""
    _drop(step, request)
    redirect = request.redirect_response or response
    if is_redirect(redirect) and not response.error:
        _redirect(step, request, response, redirect)
    else:
        _end(step, request, response, blocked=blocked)


def _redirect(step: Step, request: NetworkRequest, response: HttpResponse, redirect: HttpResponse) -> None:
    frame = step.state.frames[request.frame]
    unreadable = (
        request.type in ("XHR", "Fetch") and cors_violation(frame, request.http, response, request.type) is not None
    )
    following = redirected_request(request, redirect)
    if unreadable:
        _end(step, request, response)
    elif isinstance(following, str):
        _end(step, request, HttpResponse(error=following))
    else:
        works = [_redirected_work(work, following.http.url) for work in step.state.suspended[request.id]]
        step.state = replace(step.state, suspended={**step.state.suspended, request.id: tuple(works)})
        following = with_headers(frame, following)
        came = (request.http.url, response, redirect)
        emit_request_will_be_sent(step, following, came, has_extra=request.from_site is not None)
        _pause_or_go_on(step, replace(following, interceptors=intercepting_sessions(step, following, "Request")))


def _redirected_work(work: Work, url: str) -> Work:
    return replace(work, url=url, original_url=work.original_url or work.url) if isinstance(work, Navigation) else work


def _end(step: Step, request: NetworkRequest, response: HttpResponse, *, blocked: bool = False) -> None:
    works = list(step.state.suspended.get(request.id, ()))
    step.state = replace(
        step.state, suspended={key: value for key, value in step.state.suspended.items() if key != request.id}
    )
    frame = step.state.frames[request.frame]
    response = report_end(step, request, frame, response, blocked=blocked)
    match works:
        case [Navigation() as navigation, *waiting]:
            _document_arrived(step, request, navigation, waiting, response)
        case [ScriptRun(), *_]:
            _resume(step, request, works, response)
        case _ if request.promise:
            _settle(step, request, response)
        case _:
            _resource_arrived(step, request, frame, response)


def _resume(step: Step, request: NetworkRequest, works: list[Work], response: HttpResponse) -> None:
    """Unblock the renderer: first the script that sent the request, then the queued work."""
    frame = step.state.frames[request.frame]
    key = step.process_key(frame)
    process = step.process(key)
    step.put_process(key, replace(process, blocked="", queue=()))
    sync_response = SyncResponse(request.original_url or request.http.url)
    if not response.error:
        sync_response = SyncResponse(
            request.http.url, response.status, phrase(response), response.headers, response.body
        )
    for work in works:
        step.enqueue(replace(work, answers=(*work.answers, sync_response)) if isinstance(work, ScriptRun) else work)
    for work in process.queue:
        step.enqueue(work)


def _settle(step: Step, request: NetworkRequest, response: HttpResponse) -> None:
    context = request.promise.partition(" ")[0]
    if response.error:
        failure = Failure("TypeError", "Failed to fetch", request.column)
        settle_promise(step, request.frame, context, request.promise, failure, failed=True)
    else:
        value = FetchResponse(
            request.http.url, response.status, phrase(response), response.body, bool(request.redirects)
        )
        settle_promise(step, request.frame, context, request.promise, value)


def _resource_arrived(step: Step, request: NetworkRequest, frame: FrameNode, response: HttpResponse) -> None:
    if request.type == "Script" and not response.error and response.status < 400 and frame.contexts:
        program = program_of(step.state.expressions, response.body)
        step.enqueue(ScriptRun(frame.id, frame.contexts[0].unique_id, program, url=request.http.url))
    if frame.resources_requested:
        step.enqueue(LoadStage(frame.id, frame.loader, "frames" if frame.loading == "script" else "settling"))


# -- documents -------------------------------------------------------------------------------------------------------


def _document_arrived(
    step: Step, request: NetworkRequest, navigation: Navigation, waiting: list[Work], response: HttpResponse
) -> None:
    if is_download(response):
        emit_loading_failed(step, request, "net::ERR_ABORTED")
        _abort(step, navigation, is_download=True)
        begin_download(step, request.frame, request.http.url, response)
    elif response.error == "net::ERR_ABORTED":
        _abort(step, navigation)
    elif response.status in (204, 205):  # the page stays as it was
        emit_loading_failed(step, request, "net::ERR_ABORTED")
        _abort(step, navigation)
    else:
        empty = not response.error and response.status >= 400 and response.page is None and not response.body
        if empty:
            response = HttpResponse(response.status, error="net::ERR_HTTP_RESPONSE_CODE_FAILURE")
            emit_loading_failed(step, request, response.error)
        step.enqueue_first(replace(navigation, response=response))
    for work in waiting:
        step.enqueue(work)


def _abort(step: Step, navigation: Navigation, *, is_download: bool = False) -> None:
    frame = step.state.frames[navigation.frame]
    if navigation.reply is not None:
        result = {
            "frameId": navigation.frame,
            "loaderId": navigation.loader,
            "errorText": "net::ERR_ABORTED",
            "isDownload": is_download,
        }
        step.reply(navigation.reply, result, method="Page.navigate")
    step.emit_if_enabled(frame.target, "Page.frameStoppedLoading", {"frameId": frame.id})


def abort_external(step: Step, navigation: Navigation) -> None:
    """Abort a navigation to an address for which another program is responsible."""
    _abort(step, navigation)


def document_request_of(step: Step, frame: str | None) -> NetworkRequest | None:
    """Return the request in flight for the frame's next document, or None."""
    return next(
        (request for request in step.state.network_requests if request.type == "Document" and request.frame == frame),
        None,
    )


def wait_for_document(step: Step, request: NetworkRequest, call: CommandCall) -> None:
    """Queue a call behind the request for its target's document."""
    works = (*step.state.suspended[request.id], call)
    step.state = replace(step.state, suspended={**step.state.suspended, request.id: works})


def abort_navigation(step: Step, frame: str) -> None:
    """Abort the frame's navigation that is in flight."""
    request = document_request_of(step, frame)
    if request is not None:
        deliver_response(step, request, HttpResponse(error="net::ERR_ABORTED"))
