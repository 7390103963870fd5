"""Requests on their way: who may hold them at which stage, how they end, and what goes on then."""

from __future__ import annotations

from msgspec.structs import replace

from cdp_typed.mock.js.effects import Answered, Asked
from cdp_typed.mock.js.values import Failure, Reply
from cdp_typed.mock.network.events import (
    complain,
    tell_body,
    tell_end,
    tell_failed,
    tell_request,
    tell_response,
    tell_stored,
)
from cdp_typed.mock.network.interception import interceptors, show_to_holder
from cdp_typed.mock.network.page_cookies import keep_cookies
from cdp_typed.mock.network.redirects import follow, is_redirect
from cdp_typed.mock.network.request_headers import asked_by, headers_of
from cdp_typed.mock.network.security_policy import Complaint, cross_origin, forbidden
from cdp_typed.mock.page.downloads import begin_download, is_download
from cdp_typed.mock.page.history import find_entry
from cdp_typed.mock.runtime.expressions import program_of
from cdp_typed.mock.runtime.promises import settle
from cdp_typed.mock.site import resolve
from cdp_typed.mock.state.browser import Frame, Job, Navigation, Request, Session, Stage, Work
from cdp_typed.mock.state.http import UNAUTHORIZED, HttpRequest, HttpResponse, answer, is_requested, phrase, with_login
from cdp_typed.mock.state.requests import Load
from cdp_typed.mock.state.step import Turn, base_of

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


def needs_request(turn: Turn, navigation: Navigation) -> bool:
    """Whether the document of a navigation is yet to come over the network."""
    if navigation.answer is not None or navigation.same_document or not is_requested(navigation.url):
        return False
    if navigation.frame not in turn.state.frames:
        return False
    if navigation.entry is None:
        return True
    entry = find_entry(turn, navigation.frame, navigation.entry)
    return entry is None or entry.loader not in turn.state.parked


def request_document(turn: Turn, navigation: Navigation) -> None:
    """A navigation asks for its document."""
    frame = turn.state.frames[navigation.frame]
    request = HttpRequest("GET", navigation.url, (("Upgrade-Insecure-Requests", "1"),))
    load = _load(turn, frame, request, "Document", identifier=navigation.loader)
    _begin(turn, load, navigation)


def request_resources(turn: Turn, frame: Frame) -> None:
    """A document asks for what belongs to it."""
    for resource in frame.document.resources:
        request = HttpRequest("GET", resolve(base_of(frame), resource.url), (("Referer", base_of(frame)),))
        _begin(turn, _load(turn, frame, request, resource.type))
    turn.put_frame(replace(turn.state.frames[frame.id], resources_asked=True))


def still_loads(turn: Turn, frame: Frame, *, scripts_only: bool = False) -> bool:
    """Whether somebody holds what belongs to the document, or a script of it."""
    mine = [load.type for load in turn.state.loads if load.loader == frame.loader]
    return any(kind == "Script" if scripts_only else kind not in ("Document", "XHR", "Fetch") for kind in mine)


def request_sync(turn: Turn, job: Job, asked: Asked, column: int) -> None:
    """A script stops at `XMLHttpRequest.send()`, and its renderer with it."""
    frame = turn.state.frames[job.frame]
    key = turn.frame_process(frame)
    turn.put_process(key, replace(turn.process(key), blocked="request"))
    load = replace(_load(turn, frame, asked_by(frame, asked), "XHR"), column=column)
    if _refused(turn, load, frame):
        _resume(turn, load, [job], HttpResponse(error="net::ERR_FAILED"))
    else:
        _begin(turn, load, job)


def request_fetch(turn: Turn, frame: Frame, key: str, asked: Asked, column: int) -> None:
    """A script calls `fetch`; the promise of that key is settled when there is an answer."""
    load = replace(_load(turn, frame, asked_by(frame, asked), "Fetch"), promise=key, column=column)
    if _refused(turn, load, frame):
        _settle(turn, load, HttpResponse(error="net::ERR_FAILED"))
    else:
        _begin(turn, load)


def _load(turn: Turn, frame: Frame, request: HttpRequest, kind: str, *, identifier: str = "") -> Load:
    number = turn.number()
    return Load(
        id=identifier or f"1000.{number}",
        number=number,
        frame=frame.id,
        target=frame.target,
        loader=identifier or frame.loader,
        type=kind,
        request=request,
    )


def _refused(turn: Turn, load: Load, frame: Frame) -> bool:
    complaints = forbidden(frame, load.request, load.type)
    for complaint in complaints:
        complain(turn, load.target, complaint, column=load.column)
    return bool(complaints)


def _begin(turn: Turn, load: Load, then: Work | None = None) -> None:
    turn.state = replace(turn.state, suspended={**turn.state.suspended, load.id: () if then is None else (then,)})
    tell_request(turn, load)
    _ask(turn, replace(load, holders=interceptors(turn, load, "Request")))


# -- holding ---------------------------------------------------------------------------------------------------------


def _ask(turn: Turn, load: Load) -> None:
    """Give the load to the next that may hold it; if there is none, it goes on."""
    if not load.holders:
        _go_on(turn, load)
        return
    others = tuple(other for other in turn.state.loads if other.id != load.id)
    turn.state = replace(turn.state, loads=(*others, load))
    show_to_holder(turn, load)


def let_go(turn: Turn, load: Load) -> None:
    """The one that holds the load is done with it at this stage."""
    _drop(turn, load)
    _ask(turn, replace(load, holders=load.holders[1:]))


def _drop(turn: Turn, load: Load) -> None:
    turn.state = replace(turn.state, loads=tuple(other for other in turn.state.loads if other.id != load.id))


def is_held_by(load: Load, session: Session) -> bool:
    """Whether it is this session's turn to say what becomes of the load."""
    return load.holders[0] == session.key


# -- going on --------------------------------------------------------------------------------------------------------


def _go_on(turn: Turn, load: Load) -> None:
    if load.stage == "request":
        respond(turn, load)
    elif load.stage == "auth":
        _refuse_login(turn, load)
    else:
        deliver(turn, load, load.response or HttpResponse(error="net::ERR_FAILED"))


def respond(turn: Turn, load: Load, *, cancelled: bool = False) -> None:
    """Let the site answer; it may want a login first, which a client may have `cancelled`."""
    _drop(turn, load)
    response = answer(turn.state.site, load.request, turn.state.logins)
    keep_cookies(turn, load, response)
    load = replace(load, response=response, moved=response if is_redirect(response) else None)
    if response.status == UNAUTHORIZED and not cancelled:
        holders = [key for key in interceptors(turn, load, "Request") if _logs_in(turn, key)]
        _ask(turn, replace(load, stage="auth", holders=tuple(holders)))
    else:
        _to_response_stage(turn, load)


def _logs_in(turn: Turn, key: str) -> bool:
    wish = turn.state.sessions[key].fetch
    return wish is not None and wish.auth


def _to_response_stage(turn: Turn, load: Load) -> None:
    """The answer's headers are there."""
    load = replace(load, stage="response")
    _ask(turn, replace(load, holders=interceptors(turn, load, "Response")))


def log_in(turn: Turn, load: Load, user: str, password: str) -> None:
    """Ask again with credentials, which the browser keeps if they are right."""
    page = turn.state.site.page(load.request.url)
    if page is not None and page.login == f"{user}:{password}":
        turn.state = replace(turn.state, logins=turn.state.logins | {with_login(load.request.url, page.login)})
    respond(turn, load)


def _refuse_login(turn: Turn, load: Load) -> None:
    # A headless browser has no window to ask for a password: a page is not shown, a script gets the answer.
    if load.type == "Document":
        tell_response(turn, load, load.response or HttpResponse())
        deliver(turn, load, HttpResponse(error=INVALID_LOGIN))
    else:
        _to_response_stage(turn, load)


def deliver(turn: Turn, load: Load, response: HttpResponse, *, blocked: bool = False) -> None:
    """The load has its answer: go where that redirects it, or tell the end and let what waited go on."""
    _drop(turn, load)
    moved = load.moved or response
    if is_redirect(moved) and not response.error:
        _redirect(turn, load, response, moved)
    else:
        _end(turn, load, response, blocked=blocked)


def _redirect(turn: Turn, load: Load, response: HttpResponse, moved: HttpResponse) -> None:
    frame = turn.state.frames[load.frame]
    unreadable = load.type in ("XHR", "Fetch") and cross_origin(frame, load.request, response, load.type) is not None
    following = follow(load, moved)
    if unreadable:
        _end(turn, load, response)
    elif isinstance(following, str):
        _end(turn, load, HttpResponse(error=following))
    else:
        works = [_sent_on(work, following.request.url) for work in turn.state.suspended[load.id]]
        turn.state = replace(turn.state, suspended={**turn.state.suspended, load.id: tuple(works)})
        if load.type in ("XHR", "Fetch"):
            request = replace(following.request, headers=headers_of(frame, following.request))
            following = replace(following, request=request)
        tell_request(turn, following, (load.request.url, response))
        _ask(turn, replace(following, holders=interceptors(turn, following, "Request")))


def _sent_on(work: Work, url: str) -> Work:
    return replace(work, url=url, asked=work.asked or work.url) if isinstance(work, Navigation) else work


def _end(turn: Turn, load: Load, response: HttpResponse, *, blocked: bool = False) -> None:
    works = list(turn.state.suspended.get(load.id, ()))
    turn.state = replace(
        turn.state, suspended={key: value for key, value in turn.state.suspended.items() if key != load.id}
    )
    frame = turn.state.frames[load.frame]
    response = _tell(turn, load, frame, response, blocked=blocked)
    match works:
        case [Navigation() as navigation, *waiting]:
            _arrive(turn, load, navigation, waiting, response)
        case [Job(), *_]:
            _resume(turn, load, works, response)
        case _ if load.promise:
            _settle(turn, load, response)
        case _:
            _resource_arrived(turn, load, frame, response)


def _tell(turn: Turn, load: Load, frame: Frame, response: HttpResponse, *, blocked: bool) -> HttpResponse:
    """What sessions hear of the end; what remains of an answer that the script may not read."""
    complaint = None
    if load.type in ("XHR", "Fetch") and not response.error:
        complaint = cross_origin(frame, load.request, response, load.type, load.asked)
    if complaint is not None:
        _complain(turn, load, complaint, url=frame.url)
        response = HttpResponse(error="net::ERR_FAILED")
    if response.error:
        tell_failed(turn, load, response.error, cors=complaint is not None, blocked=blocked)
        if load.type != "Document":
            text = f"Failed to load resource: {response.error}"
            found = Complaint("network", text, "" if complaint is None else "cors")
            _complain(turn, load, found, url=load.request.url, request=load.id)
        return response
    tell_response(turn, load, response)
    tell_stored(turn, load, response)
    if load.type != "Document":
        _complain_of_status(turn, load, response)
        if response.body:
            tell_body(turn, load.target, load.id, response.body)
        tell_end(turn, load.target, load.id, response.body)
    return response


def _complain(turn: Turn, load: Load, complaint: Complaint, *, url: str, request: str = "") -> None:
    """A synchronous request is complained of where it stands, any other by an address."""
    if load.type == "XHR":
        complain(turn, load.target, complaint, request=request, column=load.column)
    else:
        complain(turn, load.target, complaint, url=url, request=request)


def _complain_of_status(turn: Turn, load: Load, response: HttpResponse) -> None:
    if response.status >= 400:
        text = f"Failed to load resource: the server responded with a status of {response.status} ({phrase(response)})"
        complain(turn, load.target, Complaint("network", text), url=load.request.url, request=load.id)


def _resume(turn: Turn, load: Load, works: list[Work], response: HttpResponse) -> None:
    """The renderer goes on: first the script that asked, then what waited for it."""
    frame = turn.state.frames[load.frame]
    key = turn.frame_process(frame)
    process = turn.process(key)
    turn.put_process(key, replace(process, blocked="", queue=()))
    told = Answered(load.asked or load.request.url)
    if not response.error:
        told = Answered(load.request.url, response.status, phrase(response), response.headers, response.body)
    for work in works:
        turn.then(replace(work, answers=(*work.answers, told)) if isinstance(work, Job) else work)
    for work in process.queue:
        turn.then(work)


def _settle(turn: Turn, load: Load, response: HttpResponse) -> None:
    context = load.promise.partition(" ")[0]
    if response.error:
        failure = Failure("TypeError", "Failed to fetch", load.column)
        settle(turn, load.frame, context, load.promise, failure, failed=True)
    else:
        value = Reply(load.request.url, response.status, phrase(response), response.body, bool(load.redirects))
        settle(turn, load.frame, context, load.promise, value)


def _resource_arrived(turn: Turn, load: Load, frame: Frame, response: HttpResponse) -> None:
    if load.type == "Script" and not response.error and response.status < 400 and frame.contexts:
        program = program_of(turn.state.expressions, response.body)
        turn.then(Job(frame.id, frame.contexts[0].unique_id, program, url=load.request.url))
    if frame.resources_asked:
        turn.then(Stage(frame.id, frame.loader, "frames" if frame.loading == "script" else "settling"))


# -- documents -------------------------------------------------------------------------------------------------------


def _arrive(turn: Turn, load: Load, navigation: Navigation, waiting: list[Work], response: HttpResponse) -> None:
    if is_download(response):
        tell_failed(turn, load, "net::ERR_ABORTED")
        _abort(turn, navigation, is_download=True)
        begin_download(turn, load.frame, load.request.url, response)
    elif response.error == "net::ERR_ABORTED":
        _abort(turn, navigation)
    else:
        empty = response.status >= 400 and response.page is None and not response.body
        if empty:
            response = HttpResponse(error="net::ERR_HTTP_RESPONSE_CODE_FAILURE")
            tell_failed(turn, load, response.error)
        turn.next(replace(navigation, answer=response))
    for work in waiting:
        turn.then(work)


def _abort(turn: Turn, navigation: Navigation, *, is_download: bool = False) -> None:
    frame = turn.state.frames[navigation.frame]
    if navigation.reply is not None:
        result = {
            "frameId": navigation.frame,
            "loaderId": navigation.loader,
            "errorText": "net::ERR_ABORTED",
            "isDownload": is_download,
        }
        turn.reply(navigation.reply, result, method="Page.navigate")
    turn.tell(frame.target, "Page.frameStoppedLoading", {"frameId": frame.id})


def load_of_navigation(turn: Turn, frame: str | None) -> Load | None:
    """The held request for the next document of the frame."""
    return next((load for load in turn.state.loads if load.type == "Document" and load.frame == frame), None)


def wait_for_document(turn: Turn, load: Load, request: Request) -> None:
    """While the document of a target is asked for, its renderer is not."""
    works = (*turn.state.suspended[load.id], request)
    turn.state = replace(turn.state, suspended={**turn.state.suspended, load.id: works})


def abort_navigation(turn: Turn, frame: str) -> None:
    """Something else takes the place of the frame's navigation."""
    load = load_of_navigation(turn, frame)
    if load is not None:
        deliver(turn, load, HttpResponse(error="net::ERR_ABORTED"))
