"""Laws of callers' calls: each runs where its caller meant it to, and its caller learns what became of it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from cdp_typed.errors import CommandError, ConnectionLost, SessionDetached, SessionNotFound, TargetCrashed
from cdp_typed.protocol import network, page, runtime, target
from supervisor.core.calls.frame_routing import aim
from supervisor.core.state.frames import Context
from supervisor.core.state.world import World
from supervisor.core.vocabulary.chromium import (
    ANSWERED_WHILE_BLOCKED,
    ANSWERED_WHILE_BLOCKED_PREFIXES,
    CRASHED,
    INPUT_PREFIX,
    INTERNAL_ERROR,
    NAVIGATED,
    REVIVES_CRASHED,
    TERMINATED,
)
from supervisor.core.vocabulary.command_tags import CallReply, FrameTreeReply, HangProbe, NavigationReply
from supervisor.core.vocabulary.effects import CommandResult, CompleteCall, Effect, Send
from supervisor.core.vocabulary.errors import (
    BlockedByDialog,
    BlockedByPrintPreview,
    CallError,
    PausedByDebugger,
    Terminated,
)
from supervisor.core.vocabulary.inputs import CommandFailed, CommandSucceeded, EventReceived, Input
from supervisor.core.vocabulary.requests import (
    CallRequested,
    ClosePage,
    Evaluate,
    NavigatePage,
    NavigationRequested,
    ReloadPage,
)
from supervisor.core.vocabulary.values import Evaluation

_EXPLAINED = (CRASHED, TERMINATED, *NAVIGATED)
"""Errors of the browser that say what became of a frame: a caller gets an error with a type."""


class _Sent(Struct, frozen=True):
    """A command that was sent for a call."""

    frame_id: str | None
    session_id: str | None
    context: Context | None
    document: str = ""
    """The loader id of the page's document at that time."""


class CallLaws:
    """Follows the calls of a history and judges what the core does for each."""

    def __init__(self) -> None:
        self._asked: dict[str, CallRequested | NavigationRequested] = {}
        self._open_dialogs: dict[str, frozenset[str]] = {}
        """By call id: the dialogs that were open when the call came."""
        self._sent: dict[str, _Sent] = {}
        self._stopped: set[str] = set()
        """The calls that were under way when a caller stopped the scripts of their session."""
        self._loaded: set[str] = set()
        """The navigations whose page has shown a new document since."""

    def check(self, before: World, world: World, received: Input, effects: Sequence[Effect]) -> None:
        """Judge the effects of an input. `before` and `world` are the states around it."""
        if isinstance(received, CallRequested | NavigationRequested):
            self._asked[received.call_id] = received
            self._open_dialogs[received.call_id] = frozenset(before.dialogs.ids())
        self._note_document(before, world, received)
        for effect in effects:
            match effect:
                case Send(tag=CallReply(call_id)):
                    self._check_send(world, call_id, effect)
                case Send(tag=NavigationReply(call_id)):
                    self._check_navigation(world, call_id, effect)
                case Send(tag=HangProbe(session_id)):
                    probed = world.targets.sessions[session_id]
                    assert (probed.has_frame_tree, probed.stale) == (True, False), "a page that cannot answer was asked"
                case CompleteCall(call_id, outcome) if call_id in self._asked:
                    self._check_outcome(before, world, received, call_id, outcome)
                case _:
                    pass
        match received:
            case CommandFailed(CallReply(call_id)):
                self._sent.pop(call_id, None)
            case _:
                pass

    def _check_send(self, world: World, call_id: str, send: Send) -> None:
        """A call for a frame that is not settled sends nothing, and what is sent reaches that frame alone."""
        asked, call = self._asked[call_id], world.calls.pending[call_id]
        assert isinstance(asked, CallRequested)
        if call.frame is None:
            assert (asked.frame_id, send.session_id, send.command) == (None, None, asked.work), "not for the browser"
            self._sent[call_id] = _Sent(None, None, None)
            return
        frame = world.frames.nodes[call.frame.frame_id]
        session, context = world.targets.sessions[frame.session_id], world.frames.context(frame)
        is_meant = frame.frame_id == asked.frame_id or (asked.frame_id is None and frame.parent_id is None)
        assert (is_meant, send.session_id) == (True, frame.session_id), "a call went to another frame"
        is_settled = not (frame.is_moving or frame.stale)
        assert is_settled, "a call for a frame that is not settled was sent"
        assert not session.crashed or send.command.METHOD in REVIVES_CRASHED, "a call went to a crashed page"
        has_no_effect = send.command.METHOD.startswith(INPUT_PREFIX) and any(world.dialogs_over(frame))
        assert not has_no_effect, "input was sent under a dialog"
        if isinstance(asked.work, Evaluate):
            assert context is not None, "an expression was sent to a frame without a document"
            assert send.command == runtime.Evaluate(
                expression=asked.work.expression,
                unique_context_id=context.unique_id,
                context_id=runtime.ExecutionContextId(context.number) if context.unique_id is None else None,
                await_promise=asked.work.await_promise,
                user_gesture=asked.work.user_gesture or None,
            ), "an expression does not name its document"
        else:
            meant = asked.work if asked.frame_id is None else aim(asked.work, frame, context)
            assert send.command == meant, "a command does not name its frame"
        if isinstance(send.command, runtime.TerminateExecution):
            self._stopped |= {key for key, sent in self._sent.items() if sent.session_id == send.session_id}
        is_bound = asked.frame_id is not None or isinstance(asked.work, Evaluate)
        self._sent[call_id] = _Sent(frame.frame_id, frame.session_id, context if is_bound else None)

    def _check_navigation(self, world: World, call_id: str, send: Send) -> None:
        """A page is navigated, reloaded or closed as its caller asked, perhaps by way of `about:blank`."""
        asked, navigation = self._asked[call_id], world.navigations.pending[call_id]
        assert isinstance(asked, NavigationRequested)
        assert asked.page_id in (None, navigation.page_id), "another page"
        session = world.targets.page(navigation.page_id)
        assert session is not None
        assert not session.stale, "a page that is not there"
        match asked.work:
            case ClosePage():
                assert send.command == target.CloseTarget(target_id=target.TargetID(navigation.page_id))
                assert send.session_id is None
            case NavigatePage(url):
                assert send.command in (page.Navigate(url=url), page.Navigate(url="about:blank"))
                assert send.session_id == session.session_id
            case ReloadPage(ignore_cache):
                top = world.frames.root(navigation.page_id)
                shown = network.LoaderId(top.loader_id) if top is not None else None
                reloads = [page.Reload(ignore_cache=ignore_cache or None, loader_id=named) for named in (shown, None)]
                assert send.command in reloads or isinstance(send.command, page.Navigate)
                assert send.session_id == session.session_id
        top = world.frames.root(navigation.page_id)
        self._sent[call_id] = _Sent(None, session.session_id, None, top.loader_id if top else "")
        self._loaded.discard(call_id)

    def _note_document(self, before: World, world: World, received: Input) -> None:
        """Note a new top document of a page that is being navigated."""
        match received:
            case EventReceived(str() as session_id, page.FrameNavigated(frame=document)):
                pass
            case CommandSucceeded(FrameTreeReply(session_id), page.GetFrameTreeResult(frame_tree=tree)):
                document = tree.frame
            case _:
                return
        session = world.targets.sessions.get(session_id)
        for call_id, navigation in before.navigations.pending.items():
            is_top = session is not None and session.target_id == navigation.page_id and document.parent_id is None
            if is_top and call_id in self._sent and document.loader_id != self._sent[call_id].document:
                self._loaded.add(call_id)

    def _check_outcome(self, before: World, world: World, received: Input, call_id: str, outcome: object) -> None:
        """An error says whether the browser may have run the call, and no value comes from another document."""
        asked, sent = self._asked[call_id], self._sent.get(call_id)
        is_refusal = isinstance(received, CommandFailed) and getattr(received.tag, "call_id", None) == call_id
        if isinstance(outcome, CallError) and not is_refusal:
            assert outcome.maybe_executed == (sent is not None), f"not true: {outcome!r}"
        if isinstance(outcome, Terminated):
            is_named = isinstance(received, CommandFailed) and getattr(received.error, "message", "") == TERMINATED
            assert is_named or call_id in self._stopped, "nobody has stopped it"
        if isinstance(outcome, BlockedByDialog | PausedByDebugger | BlockedByPrintPreview) and (
            isinstance(asked, CallRequested) and _is_answered_while_blocked(asked)
        ):
            assert isinstance(outcome, BlockedByDialog), "a command that the browser answers at a breakpoint"
            assert outcome.dialog.id not in self._open_dialogs[call_id], "a command that the browser answers"
        if not isinstance(asked, CallRequested):
            self._check_end_of_navigation(world, received, asked, before, outcome)
            return
        if isinstance(received, CommandFailed) and is_refusal and not isinstance(asked.work, Evaluate):
            refusal = received.error
            if type(refusal) is CommandError and refusal.message not in _EXPLAINED and refusal.code != INTERNAL_ERROR:
                assert outcome is refusal, "a refusal that says nothing about a frame was changed"
        if isinstance(outcome, Evaluation | CommandResult):
            assert sent is not None
            assert isinstance(outcome, Evaluation) == isinstance(asked.work, Evaluate)
        if isinstance(outcome, Evaluation):
            assert sent is not None
            assert (outcome.frame_id, outcome.session_id) == (sent.frame_id, sent.session_id), "another frame's value"
        if isinstance(received, CommandSucceeded) and isinstance(received.tag, CallReply) and sent is not None:
            _check_document(world, sent, outcome)
        if sent is not None and sent.frame_id is not None:
            assert type(outcome) not in (ConnectionLost, SessionDetached, SessionNotFound), f"not typed: {outcome!r}"
            text = outcome.message if isinstance(outcome, CommandError) else ""
            assert text not in _EXPLAINED, f"not typed: {outcome!r}"

    def _check_end_of_navigation(
        self, world: World, received: Input, asked: NavigationRequested, before: World, outcome: object
    ) -> None:
        """A navigation is done when the page shows a new document, and a close when the page is gone."""
        navigation = before.navigations.pending.get(asked.call_id)
        if navigation is None:
            return
        is_close = isinstance(asked.work, ClosePage)
        if isinstance(outcome, CommandResult) and is_close:
            assert world.targets.page(navigation.page_id) is None, "a page was closed that is still there"
        elif isinstance(outcome, CommandResult):
            is_within = isinstance(received, CommandSucceeded) and isinstance(received.result, page.NavigateResult)
            assert is_within or asked.call_id in self._loaded, "a navigation without a new document was done"
        elif isinstance(outcome, TargetCrashed):
            assert isinstance(received, EventReceived)
            session = world.targets.page(navigation.page_id)
            assert session is not None
            assert received.session_id == session.session_id, "another page has crashed"


def _check_document(world: World, sent: _Sent, outcome: object) -> None:
    """Without unique ids, the number of a context may mean another document meanwhile."""
    has_value = isinstance(outcome, Evaluation | CommandResult)
    if has_value and sent.context is not None and sent.context.unique_id is None:
        assert world.frames.context_in(sent.context.session_id, sent.frame_id or "") == sent.context, (
            "a value of another document"
        )


def _is_answered_while_blocked(asked: CallRequested) -> bool:
    if isinstance(asked.work, Evaluate):
        return False
    return asked.work.METHOD in ANSWERED_WHILE_BLOCKED or asked.work.METHOD.startswith(ANSWERED_WHILE_BLOCKED_PREFIXES)
