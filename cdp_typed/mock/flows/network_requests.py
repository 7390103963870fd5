"""Requests in flight: the sessions that intercept one at each stage, its end, and what follows."""

from __future__ import annotations

from msgspec.structs import replace

from cdp_typed.mock.js.effects import ScriptRequest, SyncResponse
from cdp_typed.mock.js.values import ErrorObject, FetchResponse
from cdp_typed.mock.network.interception import interceptors, show_to_holder
from cdp_typed.mock.network.network_events import (
    complain,
    tell_body,
    tell_end,
    tell_failed,
    tell_request,
    tell_response,
    tell_stored,
)
from cdp_typed.mock.network.page_cookies import keep_cookies
from cdp_typed.mock.network.redirects import follow, is_redirect
from cdp_typed.mock.network.request_headers import asked_by, headers_of
from cdp_typed.mock.network.security_policy import LogEntry, cors_violation, request_violations
from cdp_typed.mock.page.downloads import begin_download, is_download
from cdp_typed.mock.page.history import find_entry
from cdp_typed.mock.runtime.expressions import program_of
from cdp_typed.mock.runtime.promises import settle
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
from cdp_typed.mock.state.http import UNAUTHORIZED, HttpRequest, HttpResponse, answer, is_requested, phrase, with_login
from cdp_typed.mock.state.network import NetworkRequest
from cdp_typed.mock.state.step import Step, base_of

__all__ = [
    "abort_navigation",
    "deliver",
    "is_held_by",
    "let_go",
    "load_of_navigation",
    "log_in",
    "needs_request",
    "request_document",
    "request_fetch",
    "request_resources",
    "request_sync",
    "respond",
    "still_loads",
    "wait_for_document",
]

INVALID_LOGIN = "net::ERR_INVALID_AUTH_CREDENTIALS"


def needs_request(step: Step, navigation: Navigation) -> bool:
    """Whether the document of a navigation is yet to come over the network."""
    if navigation.answer is not None or navigation.same_document or not is_requested(navigation.url):
        return False
    if navigation.frame not in step.state.frames:
        return False
    if navigation.entry is None:
        return True
    entry = find_entry(step, navigation.frame, navigation.entry)
    return entry is None or entry.loader not in step.state.parked


def request_document(step: Step, navigation: Navigation) -> None:
    """A navigation asks for its document."""
    frame = step.state.frames[navigation.frame]
    request = HttpRequest("GET", navigation.url, (("Upgrade-Insecure-Requests", "1"),))
    load = _load(step, frame, request, "Document", identifier=navigation.loader)
    _begin(step, load, navigation)


def request_resources(step: Step, frame: FrameNode) -> None:
    """A document asks for what belongs to it."""
    for resource in frame.document.resources:
        request = HttpRequest("GET", resolve(base_of(frame), resource.url), (("Referer", base_of(frame)),))
        _begin(step, _load(step, frame, request, resource.type))
    step.put_frame(replace(step.state.frames[frame.id], resources_asked=True))


def still_loads(step: Step, frame: FrameNode, *, scripts_only: bool = False) -> bool:
    """Whether somebody holds what belongs to the document, or a script of it."""
    mine = [load.type for load in step.state.loads if load.loader == frame.loader]
    return any(kind == "Script" if scripts_only else kind not in ("Document", "XHR", "Fetch") for kind in mine)


def request_sync(step: Step, job: ScriptRun, asked: ScriptRequest, column: int) -> None:
    """A script stops at `XMLHttpRequest.send()`, and its renderer with it."""
    frame = step.state.frames[job.frame]
    key = step.frame_process(frame)
    step.put_process(key, replace(step.process(key), blocked="request"))
    load = replace(_load(step, frame, asked_by(frame, asked), "XHR"), column=column)
    if _refused(step, load, frame):
        _resume(step, load, [job], HttpResponse(error="net::ERR_FAILED"))
    else:
        _begin(step, load, job)


def request_fetch(step: Step, frame: FrameNode, key: str, asked: ScriptRequest, column: int) -> None:
    """A script calls `fetch`; the promise of that key is settled when there is an answer."""
    load = replace(_load(step, frame, asked_by(frame, asked), "Fetch"), promise=key, column=column)
    if _refused(step, load, frame):
        _settle(step, load, HttpResponse(error="net::ERR_FAILED"))
    else:
        _begin(step, load)


def _load(step: Step, frame: FrameNode, request: HttpRequest, kind: str, *, identifier: str = "") -> NetworkRequest:
    number = step.number()
    return NetworkRequest(
        id=identifier or f"1000.{number}",
        number=number,
        frame=frame.id,
        target=frame.target,
        loader=identifier or frame.loader,
        type=kind,
        request=request,
    )


def _refused(step: Step, load: NetworkRequest, frame: FrameNode) -> bool:
    complaints = request_violations(frame, load.request, load.type)
    for complaint in complaints:
        complain(step, load.target, complaint, column=load.column)
    return bool(complaints)


def _begin(step: Step, load: NetworkRequest, then: Work | None = None) -> None:
    step.state = replace(step.state, suspended={**step.state.suspended, load.id: () if then is None else (then,)})
    tell_request(step, load)
    _ask(step, replace(load, holders=interceptors(step, load, "Request")))


# -- holding ---------------------------------------------------------------------------------------------------------


def _ask(step: Step, load: NetworkRequest) -> None:
    """Give the load to the next that may hold it; if there is none, it goes on."""
    if not load.holders:
        _go_on(step, load)
        return
    others = tuple(other for other in step.state.loads if other.id != load.id)
    step.state = replace(step.state, loads=(*others, load))
    show_to_holder(step, load)


def let_go(step: Step, load: NetworkRequest) -> None:
    """The one that holds the load is done with it at this stage."""
    _drop(step, load)
    _ask(step, replace(load, holders=load.holders[1:]))


def _drop(step: Step, load: NetworkRequest) -> None:
    step.state = replace(step.state, loads=tuple(other for other in step.state.loads if other.id != load.id))


def is_held_by(load: NetworkRequest, session: CDPSession) -> bool:
    """Whether it is this session's turn to say what becomes of the load."""
    return load.holders[0] == session.key


# -- going on --------------------------------------------------------------------------------------------------------


def _go_on(step: Step, load: NetworkRequest) -> None:
    if load.stage == "request":
        respond(step, load)
    elif load.stage == "auth":
        _refuse_login(step, load)
    else:
        deliver(step, load, load.response or HttpResponse(error="net::ERR_FAILED"))


def respond(step: Step, load: NetworkRequest, *, cancelled: bool = False) -> None:
    """Let the site answer; it may want a login first, which a client may have `cancelled`."""
    _drop(step, load)
    response = answer(step.state.site, load.request, step.state.logins)
    keep_cookies(step, load, response)
    load = replace(load, response=response, moved=response if is_redirect(response) else None)
    if response.status == UNAUTHORIZED and not cancelled:
        holders = [key for key in interceptors(step, load, "Request") if _logs_in(step, key)]
        _ask(step, replace(load, stage="auth", holders=tuple(holders)))
    else:
        _to_response_stage(step, load)


def _logs_in(step: Step, key: str) -> bool:
    wish = step.state.sessions[key].fetch
    return wish is not None and wish.auth


def _to_response_stage(step: Step, load: NetworkRequest) -> None:
    """The answer's headers are there."""
    load = replace(load, stage="response")
    _ask(step, replace(load, holders=interceptors(step, load, "Response")))


def log_in(step: Step, load: NetworkRequest, user: str, password: str) -> None:
    """Ask again with credentials, which the browser keeps if they are right."""
    page = step.state.site.page(load.request.url)
    if page is not None and page.login == f"{user}:{password}":
        step.state = replace(step.state, logins=step.state.logins | {with_login(load.request.url, page.login)})
    respond(step, load)


def _refuse_login(step: Step, load: NetworkRequest) -> None:
    # A headless browser has no window to ask for a password: a page is not shown, a script gets the answer.
    if load.type == "Document":
        tell_response(step, load, load.response or HttpResponse())
        deliver(step, load, HttpResponse(error=INVALID_LOGIN))
    else:
        _to_response_stage(step, load)


def deliver(step: Step, load: NetworkRequest, response: HttpResponse, *, blocked: bool = False) -> None:
    """The load has its answer: go where that redirects it, or tell the end and let what waited go on."""
    _drop(step, load)
    moved = load.moved or response
    if is_redirect(moved) and not response.error:
        _redirect(step, load, response, moved)
    else:
        _end(step, load, response, blocked=blocked)


def _redirect(step: Step, load: NetworkRequest, response: HttpResponse, moved: HttpResponse) -> None:
    frame = step.state.frames[load.frame]
    unreadable = load.type in ("XHR", "Fetch") and cors_violation(frame, load.request, response, load.type) is not None
    following = follow(load, moved)
    if unreadable:
        _end(step, load, response)
    elif isinstance(following, str):
        _end(step, load, HttpResponse(error=following))
    else:
        works = [_sent_on(work, following.request.url) for work in step.state.suspended[load.id]]
        step.state = replace(step.state, suspended={**step.state.suspended, load.id: tuple(works)})
        if load.type in ("XHR", "Fetch"):
            request = replace(following.request, headers=headers_of(frame, following.request))
            following = replace(following, request=request)
        tell_request(step, following, (load.request.url, response))
        _ask(step, replace(following, holders=interceptors(step, following, "Request")))


def _sent_on(work: Work, url: str) -> Work:
    return replace(work, url=url, asked=work.asked or work.url) if isinstance(work, Navigation) else work


def _end(step: Step, load: NetworkRequest, response: HttpResponse, *, blocked: bool = False) -> None:
    works = list(step.state.suspended.get(load.id, ()))
    step.state = replace(
        step.state, suspended={key: value for key, value in step.state.suspended.items() if key != load.id}
    )
    frame = step.state.frames[load.frame]
    response = _tell(step, load, frame, response, blocked=blocked)
    match works:
        case [Navigation() as navigation, *waiting]:
            _arrive(step, load, navigation, waiting, response)
        case [ScriptRun(), *_]:
            _resume(step, load, works, response)
        case _ if load.promise:
            _settle(step, load, response)
        case _:
            _resource_arrived(step, load, frame, response)


def _tell(step: Step, load: NetworkRequest, frame: FrameNode, response: HttpResponse, *, blocked: bool) -> HttpResponse:
    """What sessions hear of the end; what remains of an answer that the script may not read."""
    complaint = None
    if load.type in ("XHR", "Fetch") and not response.error:
        complaint = cors_violation(frame, load.request, response, load.type, load.asked)
    if complaint is not None:
        _complain(step, load, complaint, url=frame.url)
        response = HttpResponse(error="net::ERR_FAILED")
    if response.error:
        tell_failed(step, load, response.error, cors=complaint is not None, blocked=blocked)
        if load.type != "Document":
            text = f"Failed to load resource: {response.error}"
            found = LogEntry("network", text, "" if complaint is None else "cors")
            _complain(step, load, found, url=load.request.url, request=load.id)
        return response
    tell_response(step, load, response)
    tell_stored(step, load, response)
    if load.type != "Document":
        _complain_of_status(step, load, response)
        if response.body:
            tell_body(step, load.target, load.id, response.body)
        tell_end(step, load.target, load.id, response.body)
    return response


def _complain(step: Step, load: NetworkRequest, complaint: LogEntry, *, url: str, request: str = "") -> None:
    """A synchronous request is complained of where it stands, any other by an address."""
    if load.type == "XHR":
        complain(step, load.target, complaint, request=request, column=load.column)
    else:
        complain(step, load.target, complaint, url=url, request=request)


def _complain_of_status(step: Step, load: NetworkRequest, response: HttpResponse) -> None:
    if response.status >= 400:
        text = f"Failed to load resource: the server responded with a status of {response.status} ({phrase(response)})"
        complain(step, load.target, LogEntry("network", text), url=load.request.url, request=load.id)


def _resume(step: Step, load: NetworkRequest, works: list[Work], response: HttpResponse) -> None:
    """The renderer goes on: first the script that asked, then what waited for it."""
    frame = step.state.frames[load.frame]
    key = step.frame_process(frame)
    process = step.process(key)
    step.put_process(key, replace(process, blocked="", queue=()))
    told = SyncResponse(load.asked or load.request.url)
    if not response.error:
        told = SyncResponse(load.request.url, response.status, phrase(response), response.headers, response.body)
    for work in works:
        step.enqueue(replace(work, answers=(*work.answers, told)) if isinstance(work, ScriptRun) else work)
    for work in process.queue:
        step.enqueue(work)


def _settle(step: Step, load: NetworkRequest, response: HttpResponse) -> None:
    context = load.promise.partition(" ")[0]
    if response.error:
        failure = ErrorObject("TypeError", "Failed to fetch", load.column)
        settle(step, load.frame, context, load.promise, failure, failed=True)
    else:
        value = FetchResponse(load.request.url, response.status, phrase(response), response.body, bool(load.redirects))
        settle(step, load.frame, context, load.promise, value)


def _resource_arrived(step: Step, load: NetworkRequest, frame: FrameNode, response: HttpResponse) -> None:
    if load.type == "Script" and not response.error and response.status < 400 and frame.contexts:
        program = program_of(step.state.expressions, response.body)
        step.enqueue(ScriptRun(frame.id, frame.contexts[0].unique_id, program, url=load.request.url))
    if frame.resources_asked:
        step.enqueue(LoadStage(frame.id, frame.loader, "frames" if frame.loading == "script" else "settling"))


# -- documents -------------------------------------------------------------------------------------------------------


def _arrive(
    step: Step, load: NetworkRequest, navigation: Navigation, waiting: list[Work], response: HttpResponse
) -> None:
    if is_download(response):
        tell_failed(step, load, "net::ERR_ABORTED")
        _abort(step, navigation, is_download=True)
        begin_download(step, load.frame, load.request.url, response)
    elif response.error == "net::ERR_ABORTED":
        _abort(step, navigation)
    else:
        empty = response.status >= 400 and response.page is None and not response.body
        if empty:
            response = HttpResponse(error="net::ERR_HTTP_RESPONSE_CODE_FAILURE")
            tell_failed(step, load, response.error)
        step.enqueue_first(replace(navigation, answer=response))
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


def load_of_navigation(step: Step, frame: str | None) -> NetworkRequest | None:
    """The held request for the next document of the frame."""
    return next((load for load in step.state.loads if load.type == "Document" and load.frame == frame), None)


def wait_for_document(step: Step, load: NetworkRequest, request: CommandCall) -> None:
    """While the document of a target is asked for, its renderer is not."""
    works = (*step.state.suspended[load.id], request)
    step.state = replace(step.state, suspended={**step.state.suspended, load.id: works})


def abort_navigation(step: Step, frame: str) -> None:
    """Something else takes the place of the frame's navigation."""
    load = load_of_navigation(step, frame)
    if load is not None:
        deliver(step, load, HttpResponse(error="net::ERR_ABORTED"))
