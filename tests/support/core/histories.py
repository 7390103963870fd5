"""Anything that may happen to the supervisor's core, as strategies of hypothesis."""

# pyright: reportDeprecated=false
# The supervisor follows downloads by the events of the Page domain.

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from cdp_typed.errors import CommandError, ConnectionLost, InvalidParams, SessionDetached, SessionNotFound
from cdp_typed.protocol import debugger, inspector, network, page, runtime, target
from cdp_typed.protocol import input as input_
from supervisor.core.vocabulary import bridge_protocol, command_tags, inputs, requests
from supervisor.core.vocabulary.url_rules import UrlRules
from supervisor.core.vocabulary.values import DialogRule
from tests.support.core.bridge import SECRET, asking, login_wanted, owned, paused
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

SESSIONS = st.sampled_from(["s1", "s2", "s3", "s4"])
FRAMES = st.sampled_from(["f1", "f2", "f3", "f4", "f5"])
URLS = st.sampled_from(["http://a.test/", "http://b.test/", "about:blank", ""])
PAUSED_URLS = st.sampled_from(
    ["http://a.test/", "http://b.test/", f"http://b.test{bridge_protocol.session_keys(SECRET, '').path}"]
)
DENIED = UrlRules(deny_origins=("b.test",))
DIALOGS = st.sampled_from([None, "d-1", "d-2", "d-3"])
ERRORS = st.sampled_from(
    [
        ConnectionLost("gone"),
        CommandError(-32000, "Inspected target navigated or closed", method="m", session=None),
        CommandError(-32000, "Not attached to an active page", method="m", session=None),
        CommandError(-32000, "Target crashed", method="m", session=None),
        CommandError(-32000, "Cannot find context with specified id", method="m", session=None),
        CommandError(-32000, "Execution was terminated", method="m", session=None),
        CommandError(-32603, "Internal error", method="m", session=None),
        CommandError(-32000, "Object reference chain is too long", method="m", session=None),
        SessionDetached("s1"),
        SessionNotFound(-32001, "Session with given id not found.", method="m", session="s1"),
        InvalidParams(-32602, "No target with given id found", method="m", session=None),
        InvalidParams(-32602, "No dialog is showing", method="m", session=None),
        InvalidParams(-32602, "Invalid InterceptionId.", method="m", session=None),
    ]
)

RULES = st.builds(
    DialogRule,
    action=st.sampled_from(["accept", "dismiss", "must_respond"]),
    type=st.sampled_from([None, "alert", "prompt"]),
    count=st.sampled_from([None, 1, 2]),
    expires_s=st.sampled_from([None, 1.0]),
)
CALL_IDS = st.sampled_from([f"c-{n}" for n in range(40)])
"""The ids that the calls of a history get, in the order in which they are played."""
CLOSE = target.CloseTarget(target_id=target.TargetID("f1"))
WORKS = (
    requests.Evaluate(expression="1"),
    requests.Evaluate(expression="1", await_promise=False, user_gesture=True),
    runtime.Evaluate(expression="1"),
    runtime.TerminateExecution(),
    input_.DispatchMouseEvent(type="mouseMoved", x=1, y=1),
    network.GetCookies(),
    page.CaptureScreenshot(),
    page.CreateIsolatedWorld(frame_id=page.FrameId("f2")),
    page.Navigate(url="u"),
    page.Reload(),
    page.Enable(),
    page.Close(),
    CLOSE,
    target.GetTargets(),
)
"""Calls of every kind: which frame, if any, they are for, and which dialogs and crashes stop them."""
SCRIPT = page.AddScriptToEvaluateOnNewDocumentResult(identifier=page.ScriptIdentifier("script-1"))
ISOLATED_WORLD = page.CreateIsolatedWorldResult(execution_context_id=runtime.ExecutionContextId(7))


def attaching() -> st.SearchStrategy[inputs.Input]:
    return st.builds(
        attached,
        SESSIONS,
        FRAMES,
        kind=st.sampled_from(["page", "iframe", "worker"]),
        parent=st.none() | SESSIONS,
        parent_frame=st.none() | FRAMES,
        url=URLS,
        opener=st.none() | FRAMES,
        waiting=st.booleans(),
    )


def frame_events() -> st.SearchStrategy[inputs.Input]:
    frame_ids = FRAMES.map(page.FrameId)
    documents = st.builds(frame, FRAMES, URLS, st.none() | FRAMES)
    events: st.SearchStrategy[Any] = st.one_of(
        st.builds(page.FrameAttached, frame_id=frame_ids, parent_frame_id=frame_ids),
        st.builds(page.FrameDetached, frame_id=frame_ids, reason=st.sampled_from(["remove", "swap"])),
        st.builds(
            page.FrameNavigated, frame=documents, type=st.sampled_from(["Navigation", "BackForwardCacheRestore"])
        ),
        st.builds(page.FrameStartedLoading, frame_id=frame_ids),
        st.builds(
            page.FrameStartedNavigating,
            frame_id=frame_ids,
            loader_id=st.just(network.LoaderId("loader")),
            url=URLS,
            navigation_type=st.just("reload"),
        ),
        st.just(runtime.ExecutionContextsCleared()),
        st.just(inspector.TargetCrashed()),
        st.builds(page.FileChooserOpened, frame_id=frame_ids, mode=st.just("selectSingle")),
        st.just(debugger.Paused(call_frames=(), reason="other")),
        st.just(debugger.Resumed()),
        st.just(inspector.TargetReloadedAfterCrash()),
        st.builds(page.NavigatedWithinDocument, frame_id=frame_ids, url=URLS, navigation_type=st.just("historyApi")),
        st.builds(
            page.DownloadWillBegin,
            frame_id=frame_ids,
            guid=st.sampled_from(["g1", "g2"]),
            url=URLS,
            suggested_filename=st.just("file"),
        ),
        st.builds(
            page.DownloadProgress,
            guid=st.sampled_from(["g1", "g2"]),
            total_bytes=st.just(9.0),
            received_bytes=st.just(1.0),
            state=st.sampled_from(["inProgress", "completed", "canceled"]),
        ),
        st.builds(
            network.LoadingFailed,
            request_id=st.just(network.RequestId("q1")),
            timestamp=st.just(network.MonotonicTime(1.0)),
            type=st.just("Document"),
            error_text=st.just("net::ERR_FAILED"),
        ),
    )
    return st.builds(on, SESSIONS, events)


def tags() -> st.SearchStrategy[command_tags.Tag]:
    """Return the tags of commands whose replies carry no value that matters."""
    return st.one_of(
        st.just(command_tags.BrowserAutoAttach()),
        st.just(command_tags.FirstPage()),
        st.just(command_tags.BrowserIdentity()),
        st.builds(command_tags.FrameTreeReply, SESSIONS),
        st.builds(command_tags.ChildAutoAttach, SESSIONS),
        st.builds(command_tags.LogEnabled, SESSIONS),
        st.builds(command_tags.DialogAnswer, st.sampled_from(["d-1", "d-2", "d-3"])),
        st.builds(command_tags.HangProbe, SESSIONS),
        st.builds(command_tags.BridgeInstalled, SESSIONS),
        st.builds(command_tags.BridgeRemoved, SESSIONS),
        st.builds(command_tags.BridgeOwner, SESSIONS),
        st.builds(command_tags.BridgeProbed, st.sampled_from(["d-1", "d-2", "d-3"])),
        st.builds(command_tags.BlockerAnswer, CALL_IDS),
        st.builds(command_tags.CallReply, CALL_IDS),
        st.builds(command_tags.PageDisabled, SESSIONS),
        st.builds(command_tags.NavigationReply, CALL_IDS),
        st.builds(command_tags.DetachedDialogWorld, FRAMES),
        st.builds(command_tags.DetachedDialogEnded, FRAMES),
        st.builds(command_tags.BlankBeforeClose, FRAMES),
    )


def replies() -> st.SearchStrategy[inputs.Input]:
    documents = st.builds(frame, FRAMES, URLS, st.none() | FRAMES)
    trees = st.builds(tree, documents, st.builds(tree, documents))
    return st.one_of(
        st.builds(inputs.CommandSucceeded, tags(), st.none()),
        st.builds(inputs.CommandFailed, tags(), ERRORS),
        st.builds(frame_tree_reply, SESSIONS, trees),
        st.builds(
            inputs.CommandSucceeded,
            st.builds(command_tags.NavigationReply, CALL_IDS),
            st.sampled_from([navigated(), navigated(None), navigated(error="net::ERR_ABORTED")]),
        ),
        st.builds(
            inputs.CommandSucceeded, st.builds(command_tags.DetachedDialogWorld, FRAMES), st.just(ISOLATED_WORLD)
        ),
        st.builds(
            inputs.CommandSucceeded,
            st.builds(command_tags.DetachedDialogEnded, FRAMES),
            st.builds(value, st.booleans()),
        ),
        st.builds(inputs.CommandSucceeded, st.builds(command_tags.BridgeInstalled, SESSIONS), st.just(SCRIPT)),
        st.builds(census, st.lists(FRAMES, max_size=3)),
    )


def census(target_ids: list[str]) -> inputs.CommandSucceeded:
    infos = tuple(
        target.TargetInfo(
            target_id=target.TargetID(target_id), type="page", title="", url="", attached=False, can_access_opener=False
        )
        for target_id in target_ids
    )
    return inputs.CommandSucceeded(command_tags.BrowserIdentity(), target.GetTargetsResult(target_infos=infos))


def link_changes() -> st.SearchStrategy[inputs.Input]:
    return st.one_of(
        st.just(inputs.UrlRulesAdded(DENIED)),
        st.builds(requests.CallAbandoned, CALL_IDS),
        st.builds(inputs.Connected, st.sampled_from([None, "this", "that"])),
        st.builds(inputs.Disconnected, st.just("gone")),
        st.builds(inputs.ConnectFailed, st.just("refused"), st.booleans(), st.sampled_from([None, 1.0, 1e6])),
    )


def calls(frame_ids: st.SearchStrategy[str | None]) -> st.SearchStrategy[inputs.Input]:
    """Their ids are made unique when they are played."""
    return st.builds(
        requests.CallRequested,
        call_id=st.just("?"),
        work=st.sampled_from(WORKS),
        frame_id=frame_ids,
        timeout_s=st.just(30.0),
    )


def page_navigations(page_ids: st.SearchStrategy[str | None]) -> st.SearchStrategy[inputs.Input]:
    return st.builds(
        requests.NavigationRequested,
        call_id=st.just("?"),
        page_id=page_ids,
        work=st.sampled_from(
            [
                requests.ReloadPage(),
                requests.ReloadPage(ignore_cache=True),
                requests.NavigatePage("http://b.test/"),
                requests.ClosePage(),
            ]
        ),
        timeout_s=st.just(30.0),
    )


def caller_requests() -> st.SearchStrategy[inputs.Input]:
    return st.one_of(
        calls(st.none() | FRAMES),
        page_navigations(st.none() | FRAMES),
        st.builds(
            requests.AnswerRequested,
            call_id=st.just("?"),
            action=st.sampled_from(["accept", "dismiss"]),
            prompt_text=st.none() | st.just("text"),
            dialog_id=DIALOGS,
        ),
        st.builds(requests.RuleArmed, call_id=st.just("?"), rule=RULES),
        st.builds(requests.RuleDisarmed, call_id=st.just("?"), rule_id=st.sampled_from(["r-1", "r-2"])),
        st.builds(
            requests.UnblockRequested,
            call_id=st.just("?"),
            blocker_id=st.none() | st.sampled_from(["b-1", "b-2"]),
            work=st.sampled_from([requests.ChooseFiles(("/f",)), requests.CancelDownload(), requests.CancelLogIn()]),
        ),
    )


def bridge_events() -> st.SearchStrategy[inputs.Input]:
    owners = st.builds(owned, SESSIONS, st.just("sandbox"), st.sampled_from(["allow-modals", ""]))
    return st.one_of(
        st.builds(asking, st.just("?"), st.sampled_from(["alert", "prompt"]), session=SESSIONS, frame_id=FRAMES),
        st.builds(
            paused,
            PAUSED_URLS,
            session=SESSIONS,
            frame_id=FRAMES,
            type=st.sampled_from(["Document", "Document", "XHR"]),
        ),
        st.builds(login_wanted, st.just("r-1"), session=SESSIONS, frame_id=FRAMES),
        owners.map(lambda both: both[0]),
        owners.map(lambda both: both[1]),
        st.just(requests.BridgeEnding("?")),
    )


INPUTS = st.one_of(
    link_changes(),
    attaching(),
    attaching(),
    st.builds(detached, SESSIONS),
    frame_events(),
    frame_events(),
    st.builds(context, SESSIONS, FRAMES, st.sampled_from(["u1", "u2", "u3", ""])),
    st.builds(opening, st.just("?"), st.sampled_from(["alert", "prompt"]), session=SESSIONS, frame_id=FRAMES),
    st.builds(closed, st.booleans(), session=SESSIONS, frame_id=FRAMES),
    bridge_events(),
    replies(),
    caller_requests(),
    st.just("fire"),
)
ATTACHED: list[inputs.Input] = [inputs.Connected("this"), attached("s1", "f1"), context("s1", "f1", "u1")]
READY: list[inputs.Input] = [
    *ATTACHED,
    inputs.CommandSucceeded(command_tags.BrowserAutoAttach(), None),
    frame_tree_reply("s1", tree(frame("f1", "http://a.test/"))),
    children_announced("s1"),
]
BEGINNINGS = st.sampled_from([[], ATTACHED, READY])
ENDS = st.sampled_from([[], [inputs.Disconnected("gone")], [inputs.StopRequested()]])
MODES = st.sampled_from(["auto", "always", "never"])
POLICIES = st.sampled_from(["must_respond", "auto_dismiss", "auto_accept"])
