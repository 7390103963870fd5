"""What may happen to the core around calls in a page and its iframe, as strategies of hypothesis."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any

from hypothesis import strategies as st
from msgspec import Struct

from cdp_typed.errors import ConnectionLost
from cdp_typed.protocol import debugger, inspector, network, page, runtime, target
from supervisor.core.vocabulary import command_tags, inputs, requests, timers
from supervisor.core.vocabulary.effects import Send
from tests.support.core.histories import ERRORS, READY, calls, page_navigations
from tests.support.core.play import (
    attached,
    children_announced,
    closed,
    context,
    detached,
    frame,
    frame_tree_reply,
    navigated,
    on,
    opening,
    tree,
    value,
)

OBJECT = runtime.RemoteObject(type="object", object_id=runtime.RemoteObjectId("o1"), description="Object")
FUNCTION = runtime.RemoteObject(type="function", object_id=runtime.RemoteObjectId("o2"), description="f")
RESULTS: Mapping[type, tuple[Any, ...]] = {
    runtime.Evaluate: (value(1), runtime.EvaluateResult(result=OBJECT), runtime.EvaluateResult(result=FUNCTION)),
    runtime.CallFunctionOn: (runtime.CallFunctionOnResult(result=runtime.RemoteObject(type="object", value={})),),
    page.Navigate: (navigated(), navigated(None), navigated(error="net::ERR_ABORTED"), navigated(error="net::ERR_X")),
    target.CloseTarget: (target.CloseTargetResult(success=True),),
}
"""What the browser may answer to a command; nothing to others."""


class Answered(Struct, frozen=True):
    """The browser answers a command of a caller: the newest that it was sent, or one of those before it."""

    age: int
    outcome: int | Exception
    """An error, or the number of a result of the command in `RESULTS`."""

    def of(self, sent: Send) -> inputs.Input:
        """The reply to a command."""
        assert sent.tag is not None
        if isinstance(self.outcome, Exception):
            return inputs.CommandFailed(sent.tag, self.outcome)
        results = RESULTS.get(type(sent.command), (None,))
        return inputs.CommandSucceeded(sent.tag, results[self.outcome % len(results)])


def with_iframe(names: tuple[str, str]) -> list[inputs.Input]:
    """A page and `f2`, an iframe of another process. `names` are the unique ids of their contexts, if they have any."""
    return [
        *READY,
        on("s1", page.FrameAttached(frame_id=page.FrameId("f2"), parent_frame_id=page.FrameId("f1"))),
        attached("s2", "f2", kind="iframe", parent="s1", parent_frame="f1"),
        on("s2", page.FrameNavigated(frame=frame("f2", "http://b.test/", "f1"), type="Navigation")),
        context("s1", "f1", names[0]),
        context("s2", "f2", names[1]),
        frame_tree_reply("s2", tree(frame("f2", "http://b.test/", "f1"))),
        children_announced("s2"),
    ]


NAMED = st.sampled_from([None, "f1", "f2", "f2", "f2", "f3"])
IN_BOTH = st.sampled_from([("s1", "f1", None), ("s2", "f2", "f1")])
_MOVES: tuple[tuple[Any, ...], ...] = (
    (detached("s2", "s1"),),
    (attached("s2", "f2", kind="iframe", parent="s1", parent_frame="f1"),),
    (attached("s3", "f2", kind="iframe", parent="s1", parent_frame="f1", waiting=True),),
    (on("s1", page.FrameAttached(frame_id=page.FrameId("f2"), parent_frame_id=page.FrameId("f1"))),),
    (on("s1", page.FrameDetached(frame_id=page.FrameId("f2"), reason="remove")),),
    (on("s1", page.FrameDetached(frame_id=page.FrameId("f2"), reason="swap")),),
    (inputs.Disconnected("gone"),),
    ("fire",),
)
_EVENTS: tuple[inputs.CdpEvent, ...] = (
    runtime.ExecutionContextsCleared(),
    inspector.TargetCrashed(),
    inspector.TargetReloadedAfterCrash(),
    debugger.Paused(call_frames=(), reason="other"),
    debugger.Resumed(),
)
LATE: tuple[inputs.Input, ...] = (
    *(inputs.TimerFired(late("c-90")) for late in (timers.CallDeadline, timers.HangCheck)),
    *(inputs.TimerFired(late("c-90")) for late in (timers.NavigationDeadline, timers.NavigationRetry)),
    *(inputs.TimerFired(late("d-90")) for late in (timers.DialogWatchdog, timers.AnswerRetry)),
    inputs.TimerFired(timers.HangDeadline("s90")),
    requests.CallAbandoned("c-90"),
    inputs.CommandSucceeded(command_tags.CallReply("c-90"), None),
    inputs.CommandSucceeded(command_tags.CallValue("c-90"), RESULTS[runtime.CallFunctionOn][0]),
    inputs.CommandSucceeded(command_tags.NavigationReply("c-90"), None),
    inputs.CommandSucceeded(command_tags.DialogAnswer("d-90"), None),
    inputs.CommandSucceeded(command_tags.HangProbe("s90"), None),
    *(
        inputs.CommandFailed(tag, ConnectionLost("gone"))
        for tag in (
            command_tags.CallReply("c-90"),
            command_tags.CallValue("c-90"),
            command_tags.NavigationReply("c-90"),
            command_tags.DialogAnswer("d-90"),
            command_tags.HangProbe("s90"),
        )
    ),
)
"""Timers of calls and dialogs that have ended, and answers to them."""


def _new_document(place: tuple[str, str, str | None], loader: str) -> inputs.Input:
    session_id, frame_id, parent = place
    return on(
        session_id,
        page.FrameNavigated(frame=frame(frame_id, "http://b.test/", parent, loader=loader), type="Navigation"),
    )


def _started(loader: str) -> inputs.Input:
    event = page.FrameStartedNavigating(
        frame_id=page.FrameId("f1"), url="", loader_id=network.LoaderId(loader), navigation_type="reload"
    )
    return on("s1", event)


_KINDS: st.SearchStrategy[page.DialogType] = st.sampled_from(["alert", "beforeunload"])

HAPPENINGS: st.SearchStrategy[tuple[Any, ...]] = st.one_of(
    st.sampled_from(_MOVES),
    st.sampled_from(_MOVES),
    st.tuples(IN_BOTH, st.sampled_from(_EVENTS)).map(lambda drawn: (on(drawn[0][0], drawn[1]),)),
    st.tuples(IN_BOTH, st.sampled_from(["loader", "other"])).map(lambda drawn: (_new_document(*drawn),)),
    st.sampled_from(["loader", "other"]).map(lambda loader: (_started(loader),)),
    st.tuples(IN_BOTH, st.sampled_from(["u3", ""])).map(lambda drawn: (context(*drawn[0][:2], drawn[1]),)),
    st.tuples(IN_BOTH, _KINDS, st.sampled_from(["s1", "s1", "s2"])).map(
        lambda drawn: (opening("?", drawn[1], session=drawn[2], frame_id=drawn[0][1]),)
    ),
    st.tuples(IN_BOTH, st.booleans()).map(lambda drawn: (closed(drawn[1], session="s1", frame_id=drawn[0][1]),)),
    st.sampled_from([f"c-{number}" for number in range(9)]).map(
        lambda name: (inputs.TimerFired(timers.HangCheck(name)),)
    ),
)
"""What may happen to a page and its iframe: they navigate, move, crash, are blocked, go away and come back."""
ANSWERS = st.one_of(
    st.builds(Answered, st.integers(0, 3), st.integers(0, 3)), st.builds(Answered, st.integers(0, 3), ERRORS)
)
AROUND_CALLS: st.SearchStrategy[list[Any]] = st.tuples(
    st.sampled_from([("u1", "u2"), ("", "")]),
    st.lists(
        st.tuples(
            HAPPENINGS,
            st.lists(calls(NAMED), max_size=6),
            st.lists(page_navigations(st.sampled_from([None, "f1"])), max_size=1),
            st.lists(ANSWERS, max_size=6),
        ),
        min_size=1,
        max_size=10,
    ),
).map(lambda drawn: [*with_iframe(drawn[0]), *chain.from_iterable(chain.from_iterable(drawn[1]))])
"""Something happens, calls come, and some of them are answered; then something else happens."""
