"""Browser contexts besides the default one, and the pages that are closed with them."""

from __future__ import annotations

from msgspec.structs import replace

from cdp_typed.mock.flows.close_page import close_page
from cdp_typed.mock.network.page_cookies import delete_cookies
from cdp_typed.mock.state.browser_state import DEFAULT_CONTEXT, CDPSession, CommandCall, IncognitoContext
from cdp_typed.mock.state.error_texts import Refusal, Text, unknown_context
from cdp_typed.mock.state.step import Step
from cdp_typed.mock.target.workers import end_worker


def browser_context_error(step: Step, context: str) -> Refusal | None:
    """Return Chrome's error if there is no such browser context."""
    known = context == DEFAULT_CONTEXT or any(item.id == context for item in step.state.browser_contexts)
    return None if known else unknown_context(context)


def create_context(step: Step, session: CDPSession, call: CommandCall) -> None:
    """`Target.createBrowserContext`."""
    owner = session.key if call.params.get("disposeOnDetach", False) else None
    context = IncognitoContext(step.new_id(), owner)
    step.state = replace(step.state, browser_contexts=(*step.state.browser_contexts, context))
    step.reply(call, {"browserContextId": context.id})


def list_contexts(step: Step, session: CDPSession, call: CommandCall) -> None:
    """`Target.getBrowserContexts`: the created contexts, of all connections."""
    context_ids = [context.id for context in step.state.browser_contexts]
    step.reply(call, {"browserContextIds": context_ids, "defaultBrowserContextId": DEFAULT_CONTEXT})


def dispose_context(step: Step, session: CDPSession, call: CommandCall) -> None:
    """`Target.disposeBrowserContext`: closes its pages without `beforeunload`, and then replies."""
    context: str = call.params["browserContextId"]
    if context == DEFAULT_CONTEXT:
        step.refuse(call, Text.DEFAULT_CONTEXT)
    elif browser_context_error(step, context) is not None:
        step.refuse(call, unknown_context(context, disposing=True))
    else:
        _dispose(step, context)
        step.reply(call)


def dispose_owned(step: Step) -> None:
    """Dispose of the contexts that were created with `disposeOnDetach` in sessions that have ended."""
    sessions = step.state.sessions
    for context in step.state.browser_contexts:
        if context.owner is not None and context.owner not in sessions:
            _dispose(step, context.id)


def _dispose(step: Step, context: str) -> None:
    kept = tuple(item for item in step.state.browser_contexts if item.id != context)
    logins = frozenset(login for login in step.state.logins if login[0] != context)
    step.state = replace(step.state, browser_contexts=kept, logins=logins)
    delete_cookies(step, context)
    pages = [target for target in step.state.targets.values() if target.type == "page" and target.context == context]
    # The newest page is closed first.
    for page in reversed(pages):
        close_page(step, page.id)
    for worker in [target for target in step.state.targets.values() if target.context == context]:
        end_worker(step, worker.id)
