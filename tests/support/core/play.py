"""The supervisor's core under test: a browser's events as one-liners, and a state to play them to."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from cdp_typed.protocol import browser, inspector, network, page, runtime, target
from supervisor.core.snapshot import snapshot
from supervisor.core.state.connection import DEFAULT_RECONNECT_POLICY, ConnectionState, ReconnectPolicy
from supervisor.core.state.dialogs import Dialogs
from supervisor.core.state.world import State, World
from supervisor.core.step import NO_IDENTITY, step
from supervisor.core.vocabulary import command_tags, inputs, requests, timers
from supervisor.core.vocabulary.effects import CompleteCall, Effect, Send
from supervisor.core.vocabulary.values import DialogAction, DialogPolicy, SupervisorSnapshot

PAGE, TOP = "session-page", "frame-top"
"""The first page: its session, and its target id, which is also the id of its top frame."""
BROWSER = "this-browser"
"""The id of the browser in its websocket address."""
OOPIF, INNER = "session-oopif", "frame-inner"
"""An out-of-process iframe in it."""
ALL_ANNOUNCED = inputs.CommandSucceeded(command_tags.BrowserAutoAttach(), None)
"""The browser has announced all its pages."""


class Core:
    """Plays inputs to `step` and keeps what came of them. Time stands still unless `now` is set."""

    def __init__(
        self,
        policy: DialogPolicy = "must_respond",
        dialog_timeout_s: float = 300.0,
        reconnect_policy: ReconnectPolicy = DEFAULT_RECONNECT_POLICY,
    ) -> None:
        self.state = State(
            World(
                connection=ConnectionState(reconnect_policy=reconnect_policy),
                dialogs=Dialogs(policy=policy, timeout_s=dialog_timeout_s),
            )
        )
        self.now = 1000.0

    def play(self, *received: inputs.Input, fails: bool = False) -> list[Effect]:
        """All effects of these inputs, in order. No slice may raise on them, unless this `fails`."""
        effects: list[Effect] = []
        for new_input in received:
            self.state, new = step(self.state, new_input, self.now)
            effects += new
        assert fails == any(left.reason != NO_IDENTITY for left in self.state.rejected.values()), self.state.rejected
        return effects

    def after(self, *received: inputs.Input) -> Core:
        """The same core, once it has had these inputs."""
        self.play(*received)
        return self

    def having(self, **slices: Any) -> Core:
        """The same core, with these parts of its world. One is changed by a mapping of its fields."""
        world = self.state.world
        parts = {name: replace(getattr(world, name), **p) if isinstance(p, dict) else p for name, p in slices.items()}
        self.state = replace(self.state, world=replace(world, **parts))
        return self

    @property
    def seen(self) -> SupervisorSnapshot:
        return snapshot(self.state)


def with_page(
    policy: DialogPolicy = "must_respond",
    url: str = "http://a.test/",
    reconnect_policy: ReconnectPolicy = DEFAULT_RECONNECT_POLICY,
) -> Core:
    """A core that is ready, with one page whose document can run scripts."""
    core = Core(policy, reconnect_policy=reconnect_policy)
    core.play(
        inputs.Connected(BROWSER),
        attached(PAGE, TOP, url=url),
        ALL_ANNOUNCED,
        context(PAGE, TOP, "context-top"),
        frame_tree_reply(PAGE, tree(frame(TOP, url))),
        children_announced(PAGE),
    )
    return core


def unresponsive() -> Core:
    """A core with a page that something from before us has frozen."""
    silence = inputs.TimerFired(timers.SetupDeadline(PAGE))
    return Core().after(inputs.Connected(BROWSER), attached(PAGE, TOP, url="http://a.test/"), ALL_ANNOUNCED, silence)


def with_oopif(policy: DialogPolicy = "must_respond") -> Core:
    """The same with an out-of-process iframe in the page."""
    return with_page(policy).after(*oopif_comes())


def oopif_comes() -> tuple[inputs.Input, ...]:
    """What makes an out-of-process iframe of the page ready."""
    return (
        on(PAGE, page.FrameAttached(frame_id=page.FrameId(INNER), parent_frame_id=page.FrameId(TOP))),
        attached(OOPIF, INNER, kind="iframe", parent=PAGE, parent_frame=TOP),
        on(OOPIF, page.FrameNavigated(frame=frame(INNER, "http://b.test/", TOP), type="Navigation")),
        context(OOPIF, INNER, "context-inner"),
        frame_tree_reply(OOPIF, tree(frame(INNER, "http://b.test/", TOP))),
        children_announced(OOPIF),
    )


def on(session_id: str | None, event: inputs.CdpEvent) -> inputs.EventReceived:
    return inputs.EventReceived(session_id, event)


def attached(
    session_id: str,
    target_id: str,
    *,
    kind: str = "page",
    parent: str | None = None,
    parent_frame: str | None = None,
    url: str = "",
    opener: str | None = None,
    waiting: bool = False,
    browser_context: str = "context-a",
) -> inputs.EventReceived:
    info = target.TargetInfo(
        target_id=target.TargetID(target_id),
        type=kind,
        title="",
        url=url,
        attached=True,
        can_access_opener=opener is not None,
        opener_id=target.TargetID(opener) if opener else None,
        parent_frame_id=page.FrameId(parent_frame) if parent_frame else None,
        browser_context_id=browser.BrowserContextID(browser_context),
    )
    event = target.AttachedToTarget(
        session_id=target.SessionID(session_id), target_info=info, waiting_for_debugger=waiting
    )
    return on(parent, event)


def detached(session_id: str, parent: str | None = None) -> inputs.EventReceived:
    return on(parent, target.DetachedFromTarget(session_id=target.SessionID(session_id)))


def frame(
    frame_id: str, url: str, parent: str | None = None, name: str | None = None, loader: str = "loader"
) -> page.Frame:
    return page.Frame(
        id=page.FrameId(frame_id),
        parent_id=page.FrameId(parent) if parent else None,
        loader_id=network.LoaderId(loader),
        name=name,
        url=url,
        domain_and_registry="",
        security_origin=url.rstrip("/"),
        mime_type="text/html",
        secure_context_type="Secure",
        cross_origin_isolated_context_type="NotIsolated",
        gated_api_features=(),
    )


def tree(top: page.Frame, *children: page.FrameTree) -> page.FrameTree:
    return page.FrameTree(frame=top, child_frames=children or None)


def frame_tree_reply(session_id: str, frames: page.FrameTree) -> inputs.CommandSucceeded:
    return inputs.CommandSucceeded(command_tags.FrameTreeReply(session_id), page.GetFrameTreeResult(frame_tree=frames))


def children_announced(session_id: str) -> inputs.CommandSucceeded:
    """The session has announced all sessions directly below it."""
    return inputs.CommandSucceeded(command_tags.ChildAutoAttach(session_id), None)


def attach_frame(frame_id: str, parent: str, session: str = PAGE) -> inputs.EventReceived:
    return on(session, page.FrameAttached(frame_id=page.FrameId(frame_id), parent_frame_id=page.FrameId(parent)))


def shown(core: Core) -> list[tuple[str, str | None, str, bool]]:
    """Every frame below the top: id, parent, session, is it an OOPIF."""
    return [
        (child.frame_id, child.parent_id, child.session_id, child.is_oopif) for child in core.seen.frame_tree.children
    ]


def context(session_id: str, frame_id: str, unique_id: str, origin: str = "", number: int = 1) -> inputs.EventReceived:
    description = runtime.ExecutionContextDescription(
        id=runtime.ExecutionContextId(number),
        origin=origin,
        name="",
        unique_id=unique_id,
        aux_data={"isDefault": True, "type": "default", "frameId": frame_id},
    )
    return on(session_id, runtime.ExecutionContextCreated(context=description))


def destroyed(session_id: str, unique_id: str, number: int = 1) -> inputs.EventReceived:
    """The end of a script context."""
    event = runtime.ExecutionContextDestroyed(
        execution_context_id=runtime.ExecutionContextId(number), execution_context_unique_id=unique_id
    )
    return on(session_id, event)


def opening(
    message: str = "hello",
    kind: page.DialogType = "alert",
    *,
    session: str = PAGE,
    frame_id: str = TOP,
    default: str = "",
    shown: bool = True,
) -> inputs.EventReceived:
    event = page.JavascriptDialogOpening(
        url="http://a.test/",
        frame_id=page.FrameId(frame_id),
        message=message,
        type=kind,
        has_browser_handler=shown,
        default_prompt=default,
    )
    return on(session, event)


def closed(
    result: bool = True, user_input: str = "", *, session: str = PAGE, frame_id: str = TOP
) -> inputs.EventReceived:
    event = page.JavascriptDialogClosed(frame_id=page.FrameId(frame_id), result=result, user_input=user_input)
    return on(session, event)


def answer(
    action: DialogAction = "accept", text: str | None = None, dialog: str | None = None, call: str = "answer"
) -> requests.AnswerRequested:
    return requests.AnswerRequested(call_id=call, action=action, prompt_text=text, dialog_id=dialog)


def evaluate(expression: str = "1+1", frame_id: str | None = None, call: str = "call") -> requests.CallRequested:
    return requests.CallRequested(
        call_id=call, work=requests.Evaluate(expression=expression), frame_id=frame_id, timeout_s=30.0
    )


def value(result: Any) -> runtime.EvaluateResult:
    return runtime.EvaluateResult(result=runtime.RemoteObject(type="number", value=result, description=str(result)))


def navigated(loader: str | None = "loader", error: str | None = None) -> page.NavigateResult:
    return page.NavigateResult(
        frame_id=page.FrameId(TOP), loader_id=network.LoaderId(loader) if loader else None, error_text=error
    )


def told(effects: list[Effect]) -> dict[str, object]:
    """The outcomes of completed calls by call id."""
    return {effect.call_id: effect.outcome for effect in effects if isinstance(effect, CompleteCall)}


def sent(effects: list[Effect]) -> list[Send]:
    return [effect for effect in effects if isinstance(effect, Send)]


def confirmed(dialog_id: str = "d-1") -> inputs.CommandSucceeded:
    """The browser has taken the answer to a dialog."""
    return inputs.CommandSucceeded(command_tags.DialogAnswer(dialog_id), None)


def navigates(
    frame_id: str = TOP,
    url: str = "http://a.test/",
    parent: str | None = None,
    *,
    session: str = PAGE,
    loader: str = "loader",
) -> inputs.EventReceived:
    """A frame shows another document."""
    return on(session, page.FrameNavigated(frame=frame(frame_id, url, parent, loader=loader), type="Navigation"))


def removed(frame_id: str = INNER, session: str = PAGE) -> inputs.EventReceived:
    """A frame is taken out of its document."""
    return on(session, page.FrameDetached(frame_id=page.FrameId(frame_id), reason="remove"))


def crashed(session: str = PAGE) -> inputs.EventReceived:
    return on(session, inspector.TargetCrashed())
