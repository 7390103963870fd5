"""Blockers besides dialogs: file choosers, downloads, breakpoints, pages that cannot go on."""

# pyright: reportDeprecated=false
# As supervisor/core/blockers.py says.

from __future__ import annotations

from typing import Any

import pytest

from cdp_typed.errors import CommandError
from cdp_typed.protocol import browser, debugger, dom, fed_cm, page, runtime, target
from supervisor import AmbiguousBlocker, NotRunning, PausedByDebugger, UnknownBlocker
from supervisor.core.observers.blocker_entries import MAX_BLOCKERS
from supervisor.core.state.observed import Blockers
from supervisor.core.state.pages import SessionSettings, Switches
from supervisor.core.vocabulary import command_tags, inputs, requests, timers
from supervisor.core.vocabulary.effects import CommandResult, Send
from tests.support.core.play import (
    PAGE,
    TOP,
    Core,
    attached,
    crashed,
    detached,
    evaluate,
    navigates,
    on,
    sent,
    told,
    with_page,
)


def chooser(node: int | None = 7, mode: Any = "selectSingle") -> inputs.EventReceived:
    number = None if node is None else dom.BackendNodeId(node)
    return on(PAGE, page.FileChooserOpened(frame_id=page.FrameId(TOP), mode=mode, backend_node_id=number))


def download(guid: str = "g", name: str = "a.zip", frame_id: str = TOP) -> inputs.EventReceived:
    event = page.DownloadWillBegin(
        frame_id=page.FrameId(frame_id), guid=guid, url="http://a.test/a", suggested_filename=name
    )
    return on(PAGE, event)


def progress(state: Any, received: float = 5, total: float = 10, guid: str = "g") -> inputs.EventReceived:
    event = page.DownloadProgress(guid=guid, total_bytes=total, received_bytes=received, state=state)
    return on(PAGE, event)


def paused() -> inputs.EventReceived:
    where = debugger.CallFrame(
        call_frame_id=debugger.CallFrameId("c"),
        function_name="f",
        location=debugger.Location(script_id=runtime.ScriptId("1"), line_number=3),
        url="http://a.test/app.js",
        scope_chain=(),
        this=runtime.RemoteObject(type="undefined"),
    )
    return on(PAGE, debugger.Paused(call_frames=(where,), reason="other"))


def account_chooser(dialog_id: str, accounts: tuple[fed_cm.Account, ...] = ()) -> inputs.EventReceived:
    return on(PAGE, fed_cm.DialogShown(dialog_id=dialog_id, dialog_type="AccountChooser", accounts=accounts, title=""))


def unblock(work: Any, blocker_id: str | None = None, call: str = "call") -> requests.UnblockRequested:
    return requests.UnblockRequested(call_id=call, blocker_id=blocker_id, work=work)


def kinds(core: Core) -> list[tuple[str, str]]:
    return [(blocker.id, blocker.kind) for blocker in core.seen.blockers]


def ends(core: Core) -> list[tuple[str, bool, bool, str]]:
    """Of each download that ended: its name, whether it is complete, whether its end is unknown, its path."""
    return [(ended.name, ended.is_complete, ended.is_unknown, ended.path) for ended in core.seen.recent_downloads]


def test_a_file_chooser_gets_its_files_and_is_over() -> None:
    core = with_page().after(chooser(mode="selectMultiple"))
    (blocker,) = core.seen.blockers
    assert (blocker.id, blocker.kind, blocker.target_id, blocker.frame_id) == ("b-1", "file_chooser", TOP, TOP)
    assert (blocker.text, blocker.ways_out) == ("several files", ("choose_files",))

    effects = core.play(unblock(requests.ChooseFiles(("/files/a", "/files/b"))))

    tag = command_tags.BlockerAnswer("call")
    command = dom.SetFileInputFiles(files=["/files/a", "/files/b"], backend_node_id=dom.BackendNodeId(7))
    assert effects == [Send(command=command, session_id=PAGE, tag=tag, timeout_s=10.0)]
    assert told(core.play(inputs.CommandSucceeded(tag, None))) == {"call": CommandResult(None)}
    assert core.seen.blockers == ()


def test_files_that_the_browser_refuses_leave_the_chooser_open() -> None:
    core = with_page().after(chooser(), unblock(requests.ChooseFiles(("relative",))))
    error = CommandError(-32000, "No such file", method="m", session=None)

    assert told(core.play(inputs.CommandFailed(command_tags.BlockerAnswer("call"), error))) == {"call": error}
    assert kinds(core) == [("b-1", "file_chooser")]


BLOCKERS: dict[str, tuple[list[inputs.Input], list[tuple[str, str]]]] = {
    "a new chooser of a frame takes the place of its old one": ([chooser(), chooser()], [("b-2", "file_chooser")]),
    "a chooser ends with its document": ([chooser(), navigates(TOP, "http://a.test/next")], []),
    "without a link nothing is there": ([chooser(), inputs.Disconnected("gone")], []),
    "a breakpoint ends with its session": ([paused(), detached(PAGE)], []),
    "a breakpoint that somebody else resumes is over": ([paused(), on(PAGE, debugger.Resumed())], []),
    "a download that is announced twice is one": ([download(), download()], [("b-1", "download")]),
    "events of sessions that are not ours are nothing": (
        [detached(PAGE), chooser(), paused(), account_chooser("1")],
        [],
    ),
}


@pytest.mark.parametrize(("received", "expected"), BLOCKERS.values(), ids=BLOCKERS)
def test_what_is_in_the_way(received: list[inputs.Input], expected: list[tuple[str, str]]) -> None:
    assert kinds(with_page().after(*received)) == expected


@pytest.mark.parametrize("blocker_id", [None, "b-9"])
def test_what_is_not_there_cannot_be_ended(blocker_id: str | None) -> None:
    effects = with_page().after(download()).play(unblock(requests.ChooseFiles(()), blocker_id))

    assert told(effects) == {"call": UnknownBlocker(blocker_id or "file_chooser", ("b-1",))}


def test_of_several_one_must_be_named() -> None:
    core = with_page().after(download("g1"), download("g2"))

    effects = core.play(unblock(requests.CancelDownload()))
    assert told(effects) == {"call": AmbiguousBlocker("download", ("b-1", "b-2"))}

    (send,) = sent(core.play(unblock(requests.CancelDownload(), "b-2")))
    assert (send.command, send.session_id) == (browser.CancelDownload(guid="g2"), None)


def test_a_download_is_there_while_it_goes_on_and_told_afterwards() -> None:
    core = with_page().after(download(), progress("inProgress"))
    assert [blocker.text for blocker in core.seen.blockers] == ["a.zip: 5 of 10 bytes"]
    core.play(progress("inProgress", received=7, total=0))
    assert [blocker.text for blocker in core.seen.blockers] == ["a.zip: 7 bytes"]

    core.play(progress("completed"))

    assert core.seen.blockers == ()
    assert core.state.world.change_log.changes[-1].kind == "blocker_closed"
    core.play(download("g2", "b.zip"), progress("canceled", guid="g2"))
    assert [(done.id, done.name, done.is_complete) for done in core.seen.recent_downloads] == [
        ("b-1", "a.zip", True),
        ("b-2", "b.zip", False),
    ]


def beyond_tabs(
    state: Any, path: str | None = None, guid: str = "g", session_id: str | None = None
) -> inputs.EventReceived:
    event = browser.DownloadProgress(guid=guid, total_bytes=10, received_bytes=5, state=state, file_path=path)
    return on(session_id, event)


ENDS: dict[str, tuple[list[inputs.Input], tuple[str, bool, bool, str]]] = {
    # Chromium closes a tab that opened only for a download, and tells nobody of its end.
    "the browser tells nothing": ([progress("inProgress"), detached(PAGE, TOP)], ("a.zip", False, True, "")),
    "the browser tells that it is complete": (
        [beyond_tabs("inProgress"), detached(PAGE, TOP), beyond_tabs("completed", "/files/a.zip")],
        ("a.zip", True, False, "/files/a.zip"),
    ),
    "the browser tells that it was cancelled": (
        [beyond_tabs("inProgress"), detached(PAGE, TOP), beyond_tabs("canceled", "/files/a.zip")],
        ("a.zip", False, False, "/files/a.zip"),
    ),
    "the browser tells it on the session of the page": (
        [beyond_tabs("inProgress", session_id=PAGE), detached(PAGE, TOP)],
        ("a.zip", False, True, ""),
    ),
}


@pytest.mark.parametrize(("received", "end"), ENDS.values(), ids=ENDS)
def test_the_end_of_a_download_whose_tab_closes_first(
    received: list[inputs.Input], end: tuple[str, bool, bool, str]
) -> None:
    core = with_page().after(download(), *received[:-1])
    assert [blocker.kind for blocker in core.seen.blockers] == ["download"]

    core.play(received[-1])

    assert (ends(core), core.seen.blockers) == ([end], ())


def test_an_end_that_browser_and_page_tell_of_is_one() -> None:
    core = with_page().after(
        *(download("g"), progress("completed"), beyond_tabs("completed", "/files/a.zip")),
        *(download("h"), beyond_tabs("completed", "/files/b.zip", "h"), progress("completed", guid="h")),
        *(download("i"), beyond_tabs("inProgress", guid="i"), progress("completed", guid="i")),
        beyond_tabs("completed", "/files/c.zip", "i"),
    )

    paths = [(each.guid, each.path) for each in core.seen.recent_downloads]
    assert paths == [("g", "/files/a.zip"), ("h", "/files/b.zip"), ("i", "/files/c.zip")]


def test_a_browser_of_our_own_tells_the_end_of_a_download_in_each_context_whatever_becomes_of_its_tab() -> None:
    core = Core().having(blockers=Blockers(owns_browser=True))
    made = target.CreateBrowserContextResult(browser_context_id=browser.BrowserContextID("c"))

    begun = core.play(inputs.Connected(), inputs.CommandSucceeded(command_tags.BrowserAutoAttach(), None))
    more = core.play(inputs.CommandSucceeded(command_tags.OwnContext(), made))
    core.play(attached(PAGE, TOP), download(), detached(PAGE, TOP))
    assert [blocker.kind for blocker in core.seen.blockers] == ["download"]
    core.play(beyond_tabs("completed", "/files/a.zip"))

    asked = [send.command for send in sent([*begun, *more]) if isinstance(send.tag, command_tags.DownloadsAsked)]
    assert asked == [
        browser.SetDownloadBehavior(behavior="default", browser_context_id=context, events_enabled=True)
        for context in (None, made.browser_context_id)
    ]
    assert [(each.path, each.is_unknown) for each in core.seen.recent_downloads] == [("/files/a.zip", False)]


def test_a_browser_that_refuses_to_tell_of_downloads_is_not_waited_for() -> None:
    core = Core().having(blockers=Blockers(owns_browser=True))
    core.play(inputs.Connected(), inputs.CommandFailed(command_tags.DownloadsAsked(), NotRunning("no such method")))

    core.play(attached(PAGE, TOP), download(), detached(PAGE, TOP))

    assert [each.is_unknown for each in core.seen.recent_downloads] == [True]


def test_a_download_that_another_session_announced_too_outlives_one_of_them() -> None:
    core = with_page().after(
        attached("s-2", "second"), download(), on("s-2", download().event), detached("s-2", "second")
    )
    assert [blocker.kind for blocker in core.seen.blockers] == ["download"]

    core.play(detached(PAGE, TOP))

    assert core.seen.blockers == ()


def test_a_download_of_a_page_that_is_not_supervised_is_known_without_one() -> None:
    core = with_page().after(download(frame_id="elsewhere"))

    assert [(blocker.target_id, blocker.session_id) for blocker in core.seen.blockers] == [("", None)]


def test_downloads_without_end_are_bounded_and_the_dropped_ones_counted() -> None:
    core = with_page().after(*(download(str(number)) for number in range(MAX_BLOCKERS + 5)))

    assert (len(core.seen.blockers), core.state.world.blockers.dropped) == (MAX_BLOCKERS, 5)


def test_a_breakpoint_ends_calls_at_once_and_says_where_it_is() -> None:
    core = with_page().after(evaluate("f()", call="first"))

    effects = core.play(paused(), paused())

    (blocker,) = core.seen.blockers
    assert (blocker.kind, blocker.url, blocker.text) == ("debugger", "http://a.test/app.js", "other, line 4")
    assert told(effects) == {"first": PausedByDebugger(blocker, maybe_executed=True)}
    assert told(core.play(evaluate("1", call="next"))) == {"next": PausedByDebugger(blocker, maybe_executed=False)}


def test_a_page_that_crashed_or_does_not_answer_is_a_blocker() -> None:
    core = with_page()
    core.now = 1500.0
    core.play(crashed(), attached("s-2", "page-2"), inputs.TimerFired(timers.SetupDeadline("s-2")))

    assert [(blocker.id, blocker.kind, blocker.since) for blocker in core.seen.blockers] == [
        (f"crash-{TOP}", "crash", 1500.0),
        ("unresponsive-page-2", "unresponsive", 1500.0),
    ]


def test_without_a_link_nothing_can_be_done() -> None:
    core = with_page().after(chooser(), inputs.Disconnected("gone"))

    assert told(core.play(unblock(requests.ChooseFiles(())))) == {"call": NotRunning("gone")}


def test_what_is_not_to_be_watched_is_not() -> None:
    core = Core().having(session_settings=SessionSettings(wanted=Switches(debugger=True)))

    commands = {type(send.command) for send in sent(core.play(inputs.Connected(), attached(PAGE, TOP)))}

    assert debugger.Enable in commands
    assert page.SetInterceptFileChooserDialog not in commands


def test_an_account_chooser_is_there_until_it_is_closed_or_its_page_is_gone() -> None:
    core = with_page()
    ada = fed_cm.Account(
        account_id="1",
        email="ada@a.test",
        name="Ada",
        given_name="Ada",
        picture_url="",
        idp_config_url="http://idp.test/config",
        idp_login_url="http://idp.test/",
        login_state="SignUp",
    )
    core.play(evaluate("login()"), account_chooser("7", (ada,)), account_chooser("8"))
    shown = [(blocker.kind, blocker.url, blocker.text) for blocker in core.seen.blockers]
    assert shown == [
        ("account_chooser", "http://idp.test/config", "dialogId 7, AccountChooser: Ada <ada@a.test>"),
        ("account_chooser", "", "dialogId 8, AccountChooser: no accounts"),
    ]

    (late,) = told(core.play(inputs.TimerFired(timers.CallDeadline("call")))).values()
    assert "open account choosers: b-1, b-2" in str(late)
    core.play(on(PAGE, fed_cm.DialogClosed(dialog_id="7")))
    assert [blocker.id for blocker in core.seen.blockers] == ["b-2"]
    core.play(detached(PAGE))
    assert core.seen.blockers == ()
