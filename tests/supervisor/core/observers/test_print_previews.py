"""Print previews: found by a call that takes long, and closed by a script of their own page."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from cdp_typed.errors import CommandError, CommandTimeout, SessionDetached
from cdp_typed.protocol import browser, page, runtime, target
from cdp_typed.protocol import input as input_
from supervisor import BlockedByPrintPreview
from supervisor.core.vocabulary import command_tags, errors, inputs, requests, timers
from supervisor.core.vocabulary.effects import CommandResult, Send
from tests.support.core.play import PAGE, TOP, Core, attached, detached, evaluate, sent, told, value, with_page

PREVIEW = "session-preview"
SEARCH = command_tags.PrintPreviewSearch(PAGE)
PROBE = command_tags.PromiseProbe(PAGE, PREVIEW)
CLOSING = command_tags.BlockerAnswer("close")
CANCEL = requests.UnblockRequested(call_id="close", blocker_id=None, work=requests.CancelPrint())
LATE = CommandTimeout("Runtime.evaluate", session=PAGE, timeout=1.0)


def listed(url: str = "chrome://print/", context: str = "context-a") -> inputs.CommandSucceeded:
    info = target.TargetInfo(
        target_id=target.TargetID("preview"),
        type="page",
        title="",
        url=url,
        attached=False,
        can_access_opener=False,
        browser_context_id=browser.BrowserContextID(context),
    )
    return inputs.CommandSucceeded(SEARCH, target.GetTargetsResult(target_infos=(info,)))


def attached_to_it() -> inputs.CommandSucceeded:
    result = target.AttachToTargetResult(session_id=target.SessionID(PREVIEW))
    return inputs.CommandSucceeded(command_tags.PrintPreviewAttached(PAGE), result)


def searching() -> Core:
    """A core whose call takes long, with a page that answers a plain probe."""
    core = with_page().after(evaluate("print()"), inputs.TimerFired(timers.HangCheck("call")))
    (search,) = sent(core.play(inputs.CommandSucceeded(command_tags.HangProbe(PAGE), value(1))))
    assert search == Send(command=target.GetTargets(), session_id=None, tag=SEARCH)
    return core


def printing() -> Core:
    core = searching().after(listed(), attached(PREVIEW, "preview", url="chrome://print/"), attached_to_it())
    core.play(inputs.CommandFailed(PROBE, LATE))
    return core


def moving() -> requests.CallRequested:
    work = input_.DispatchMouseEvent(type="mouseMoved", x=1, y=1)
    return requests.CallRequested(call_id="input", work=work, frame_id=None, timeout_s=5.0)


def going(work: Any) -> requests.NavigationRequested:
    return requests.NavigationRequested(call_id="go", page_id=None, work=work, timeout_s=5.0)


def test_a_call_that_takes_long_ends_when_its_page_shows_a_print_preview() -> None:
    core = searching()
    assert [send.command.METHOD for send in sent(core.play(listed()))] == ["Target.attachToTarget"]
    assert not sent(core.play(attached(PREVIEW, "preview", url="chrome://print/"))), "no page of the caller's"
    (probe,) = sent(core.play(attached_to_it()))
    assert probe == Send(
        command=runtime.Evaluate(expression="1", await_promise=True), session_id=PAGE, tag=PROBE, timeout_s=1.0
    )

    effects = core.play(inputs.CommandFailed(PROBE, LATE))

    (blocker,) = core.seen.blockers
    assert (blocker.kind, blocker.target_id, blocker.ways_out[0]) == ("print", TOP, "cancel_print")
    assert told(effects) == {"call": BlockedByPrintPreview(blocker, maybe_executed=True)}
    assert [info.target_id for info in core.seen.pages] == [TOP]


def test_while_it_is_open_only_calls_that_the_page_answers_are_sent() -> None:
    core = printing()
    (blocker,) = core.seen.blockers

    refused = BlockedByPrintPreview(blocker, maybe_executed=False)
    assert told(core.play(evaluate("1", call="next"))) == {"next": refused}
    assert told(core.play(moving())) == {"input": refused}, "input would succeed without an effect"
    at_once = requests.Evaluate(expression="1", await_promise=False)
    assert len(sent(core.play(replace(evaluate(call="at once"), work=at_once)))) == 1


def test_it_is_closed_by_a_script_of_its_own() -> None:
    core = printing()

    (send,) = sent(core.play(CANCEL))
    assert (send.command, send.session_id) == (runtime.Evaluate(expression="chrome.send('dialogClose')"), PREVIEW)
    assert told(core.play(inputs.CommandSucceeded(CLOSING, value(None)))) == {"close": CommandResult(None)}
    assert core.seen.blockers == ()


@pytest.mark.parametrize("first", [inputs.CommandFailed(CLOSING, SessionDetached(PREVIEW)), detached(PREVIEW)])
def test_it_may_be_gone_before_its_script_is_answered(first: inputs.Input) -> None:
    core = printing().after(CANCEL)

    assert told(core.play(first)) == {"close": CommandResult(None)}
    assert core.seen.blockers == ()
    assert not told(core.play(inputs.CommandFailed(CLOSING, SessionDetached(PREVIEW)), detached(PREVIEW)))


def test_a_script_that_throws_has_closed_nothing() -> None:
    core = printing().after(CANCEL)
    thrown = runtime.EvaluateResult(
        result=runtime.RemoteObject(type="undefined"),
        exception_details=runtime.ExceptionDetails(exception_id=1, text="TypeError", line_number=0, column_number=0),
    )

    assert told(core.play(inputs.CommandSucceeded(CLOSING, thrown))) == {"close": errors.EvaluationFailed("TypeError")}
    assert len(core.seen.blockers) == 1


@pytest.mark.parametrize("gone", [PREVIEW, PAGE])
def test_it_ends_with_its_session_or_that_of_its_page(gone: str) -> None:
    core = printing().after(detached(gone))

    assert core.seen.blockers == ()


@pytest.mark.parametrize(
    ("work", "url"),
    [(requests.NavigatePage("http://c.test/"), "http://c.test/"), (requests.ReloadPage(), "http://a.test/")],
)
def test_a_page_is_left_through_blank_when_its_preview_has_closed(work: Any, url: str) -> None:
    """A reload under it crashes the page, and so may a navigation."""
    core = printing()

    (close,) = sent(core.play(going(work)))
    assert (close.command, close.session_id) == (runtime.Evaluate(expression="chrome.send('dialogClose')"), PREVIEW)
    assert not sent(core.play(moving())), "it is closed once"

    assert [send.command for send in sent(core.play(detached(PREVIEW)))] == [page.Navigate(url="about:blank")]
    assert core.state.world.navigations.pending["go"].work == requests.NavigatePage(url)


REFUSED = CommandError(-32000, "no", method="Runtime.evaluate", session=PAGE)


@pytest.mark.parametrize(
    "rest",
    [
        pytest.param([listed(url="http://b.test/")], id="no preview"),
        pytest.param([listed(context="context-b")], id="of another browser context"),
        pytest.param([listed(), attached_to_it(), inputs.CommandSucceeded(PROBE, value(1))], id="it settles promises"),
        pytest.param([listed(), attached_to_it(), inputs.CommandFailed(PROBE, REFUSED)], id="it refuses"),
        pytest.param([listed(), attached_to_it(), detached(PAGE), inputs.CommandFailed(PROBE, LATE)], id="it is gone"),
    ],
)
def test_a_page_that_is_slow_for_another_reason_has_none(rest: list[inputs.Input]) -> None:
    core = searching()
    effects = core.play(*rest)

    assert core.seen.blockers == ()
    attaches = any(isinstance(send.command, target.AttachToTarget) for send in sent(effects))
    detaches = any(isinstance(send.command, target.DetachFromTarget) for send in sent(effects))
    assert attaches == detaches


def test_a_page_that_answers_nothing_at_all_is_not_searched_for_one() -> None:
    effects = with_page().play(evaluate("for (;;);"), inputs.TimerFired(timers.HangCheck("call")))

    assert target.GetTargets() not in [send.command for send in sent(effects)]
