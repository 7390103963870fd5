"""A page is closed whatever it shows, and the caller hears of it when the page is gone."""

from __future__ import annotations

from cdp_typed.errors import CommandError
from cdp_typed.protocol import page, target
from supervisor.core.vocabulary import command_tags, inputs, timers
from supervisor.core.vocabulary.effects import Arm, Send
from tests.support.core.navigations import CLOSE, DONE, REPLY, commands
from tests.support.core.play import (
    INNER,
    PAGE,
    TOP,
    closed,
    detached,
    frame,
    on,
    opening,
    sent,
    told,
    with_oopif,
    with_page,
)


def test_a_closed_page_is_gone_before_the_caller_hears_of_it() -> None:
    core = with_page()

    asked = sent(core.play(CLOSE))
    assert asked == [
        Send(command=target.CloseTarget(target_id=target.TargetID(TOP)), session_id=None, tag=REPLY),
    ]
    assert told(core.play(inputs.CommandSucceeded(REPLY, target.CloseTargetResult(success=True)))) == {}
    assert told(core.play(detached(PAGE))) == DONE


def test_a_page_that_the_browser_forgets_to_close_is_closed_again() -> None:
    core = with_page()
    core.play(CLOSE)
    retry = timers.NavigationRetry("leave")
    gone = CommandError(-32602, "No target with given id found", method="Target.closeTarget", session=None)

    assert core.play(inputs.CommandSucceeded(REPLY, target.CloseTargetResult(success=True))) == [Arm(retry, 0.5)]
    assert commands(core, inputs.TimerFired(retry)) == [target.CloseTarget(target_id=target.TargetID(TOP))]
    assert core.play(inputs.CommandFailed(REPLY, gone)) == []
    assert told(core.play(detached(PAGE))) == DONE


def test_a_page_that_shows_a_new_document_and_its_dialog_is_not_closed_yet() -> None:
    core = with_page()
    core.play(CLOSE, on(PAGE, page.FrameNavigated(frame=frame(TOP, "http://b.test/", loader="new"), type="Navigation")))

    asked = core.play(opening("still here"))

    assert (told(asked), [send.command for send in sent(asked)]) == ({}, [page.HandleJavaScriptDialog(accept=False)])
    assert told(core.play(detached(PAGE))) == DONE


def test_the_dialog_of_an_iframe_is_dismissed_before_its_page_is_closed() -> None:
    core = with_oopif()
    core.play(opening("inner", frame_id=INNER))

    assert commands(core, CLOSE) == [page.HandleJavaScriptDialog(accept=False)]
    confirmed = inputs.CommandSucceeded(command_tags.DialogAnswer("d-1"), None)
    assert commands(core, closed(False, frame_id=INNER), confirmed) == [
        target.CloseTarget(target_id=target.TargetID(TOP))
    ]


def test_where_it_takes_no_answer_nobody_is_told_of_its_end() -> None:
    core = with_oopif()
    core.play(opening("top"), opening("inner", frame_id=INNER), closed(False))

    assert commands(core, CLOSE) == [page.Disable(), target.CloseTarget(target_id=target.TargetID(TOP))]
