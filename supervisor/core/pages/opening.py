"""Pages that the supervisor opens: the first one, and those of callers, with browser contexts that have a name."""

from __future__ import annotations

from msgspec.structs import replace

from cdp_typed.errors import CommandError
from cdp_typed.protocol import browser, target
from supervisor.core.state.connection import ConnectionState
from supervisor.core.state.pages import BLANK, PageOwnership, Targets
from supervisor.core.vocabulary.chromium import is_refusal_for_good
from supervisor.core.vocabulary.command_tags import ContextMade, FirstPage, OwnContext, PageClosed, PageCreated
from supervisor.core.vocabulary.effects import CommandResult, CompleteCall, Effects, Send
from supervisor.core.vocabulary.errors import NO_PAGES, NotRunning, UnknownPage, UnsupportedByBrowser
from supervisor.core.vocabulary.inputs import CommandFailed, CommandSucceeded, Input
from supervisor.core.vocabulary.requests import OpenRequested

from .giving import Step


def advance(ownership: PageOwnership, received: Input, targets: Targets, connection: ConnectionState) -> Step:
    """Open a caller's page. `targets` is the slice after this input."""
    match received:
        case OpenRequested() if not connection.is_up:
            return ownership, targets, (CompleteCall(received.call_id, connection.end or NotRunning(connection.state)),)
        case OpenRequested():
            opening = {**ownership.opening, received.call_id: received}
            return replace(ownership, opening=opening), targets, (_create(ownership, received),)
        case CommandSucceeded(ContextMade(call_id), target.CreateBrowserContextResult(browser_context_id=made_id)) if (
            call_id in ownership.opening
        ):
            return _open_in_context(ownership, ownership.opening[call_id], made_id, targets)
        case CommandSucceeded(PageCreated(call_id), target.CreateTargetResult(target_id=opened_id)) if (
            call_id in ownership.opening
        ):
            selected = replace(targets, current=opened_id) if ownership.opening[call_id].select else targets
            completing = (CompleteCall(call_id, CommandResult(str(opened_id))),)
            return _without_opening(ownership, call_id), selected, completing
        case CommandFailed(ContextMade(call_id), error) if call_id in ownership.opening:
            return _without_opening(ownership, call_id), targets, (CompleteCall(call_id, error),)
        case CommandFailed(PageCreated(call_id), error) if call_id in ownership.opening:
            ownership = _without_lost_context(ownership, ownership.opening[call_id].context, targets)
            if isinstance(error, CommandError) and is_refusal_for_good(error):
                error = UnsupportedByBrowser(error.method, f"{NO_PAGES} ({error.message})")
            return _without_opening(ownership, call_id), targets, (CompleteCall(call_id, error),)
        case _:
            return ownership, targets, ()


def _open_in_context(
    ownership: PageOwnership, request: OpenRequested, made_id: browser.BrowserContextID, targets: Targets
) -> Step:
    """Open the page of a call whose browser context was made, or in the one that another call made first."""
    if request.context in ownership.contexts:
        dispose = target.DisposeBrowserContext(browser_context_id=made_id)
        disposing = Send(command=dispose, session_id=None, tag=PageClosed(made_id))
        return ownership, targets, (disposing, _create(ownership, request))
    ownership = replace(ownership, contexts={**ownership.contexts, request.context or "": made_id})
    return ownership, targets, (_create(ownership, request),)


def open_first(ownership: PageOwnership) -> Effects | UnknownPage:
    """Return the commands that open a page if none is within the scope, or the error if none can be opened."""
    if ownership.scope == "tab":
        return UnknownPage(ownership.target_id or "")
    if ownership.wants_context and ownership.context_id is None:
        create = target.CreateBrowserContext(proxy_server=ownership.context_proxy)
        return (Send(command=create, session_id=None, tag=OwnContext()),)
    return (first(ownership),)


def first(ownership: PageOwnership) -> Send:
    """Return the command that opens the first page."""
    return Send(command=_new_page(ownership, background=True), session_id=None, tag=FirstPage())


def _create(ownership: PageOwnership, request: OpenRequested) -> Send:
    """Return the command that opens a caller's page, or the one that first makes the browser context for it."""
    if request.context is not None and request.context not in ownership.contexts:
        make = target.CreateBrowserContext(proxy_server=ownership.context_proxy)
        return Send(command=make, session_id=None, tag=ContextMade(request.call_id))
    create = _new_page(ownership, background=request.background, context=request.context)
    return Send(command=create, session_id=None, tag=PageCreated(request.call_id))


def _new_page(ownership: PageOwnership, *, background: bool, context: str | None = None) -> target.CreateTarget:
    new_window = True if ownership.own_windows else None
    context_id = ownership.context_id if context is None else ownership.contexts[context]
    return target.CreateTarget(url=BLANK, browser_context_id=context_id, background=background, new_window=new_window)


def _without_lost_context(ownership: PageOwnership, name: str | None, targets: Targets) -> PageOwnership:
    """Forget a context in which no page can be opened and none is: a browser that was started anew does not know it."""
    if any(session.browser_context_id == ownership.contexts.get(name or "") for session in targets.pages()):
        return ownership
    return replace(ownership, contexts={key: each for key, each in ownership.contexts.items() if key != name})


def _without_opening(ownership: PageOwnership, call_id: str) -> PageOwnership:
    return replace(ownership, opening={key: request for key, request in ownership.opening.items() if key != call_id})
