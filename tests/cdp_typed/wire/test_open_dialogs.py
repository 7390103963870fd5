"""A call without a reply names the dialog that its page shows, or says that its session was not told of one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cdp_typed.protocol import page, runtime
from cdp_typed.wire.router import Router

NOT_TOLD = "; if the page shows a dialog, this session was not told: send Page.enable before one opens"
SHOWN = '; the page shows a dialog (confirm): "Sure?"'
ANSWER = "; answer it{} with page.HandleJavaScriptDialog(accept=True)"


def hear(router: Router, method: str, session: str | None = None, **params: Any) -> None:
    router.receive(json.dumps({"method": method, "params": params, "sessionId": session}).encode())


def attach(router: Router, session: str, kind: str, at: str, parent: str | None = None) -> None:
    info = {"targetId": at, "type": kind}
    hear(router, "Target.attachedToTarget", parent, sessionId=session, targetInfo=info, waitingForDebugger=False)


def opens(router: Router, session: str | None = "P", frame: str = "F", message: str = "Sure?") -> None:
    hear(router, "Page.javascriptDialogOpening", session, frameId=frame, type="confirm", message=message)


def closes(router: Router, **params: Any) -> None:
    hear(router, "Page.javascriptDialogClosed", "P", result=True, **params)


def enable(router: Router, session: str | None, command: page.Enable | page.Disable | None = None) -> None:
    call, _ = router.send(command or page.Enable(), session)
    router.receive(json.dumps({"id": call.id, "result": {}, "sessionId": session}).encode())


def late(router: Router, session: str | None = "P", method: str = "Runtime.evaluate") -> str:
    """What the error of a call without a reply says in the end."""
    call, _ = router.open(method, {}, session, None)
    return router.timeout(call, 1.0).hint


@pytest.fixture
def router() -> Router:
    router = Router(at_browser=True)
    attach(router, "P", "page", "T")
    return router


def test_the_error_ends_with_the_dialog_and_its_answer(router: Router) -> None:
    opens(router, message='"Sure"\n?')
    call, _ = router.send(runtime.Evaluate(expression="1"), "P")

    assert str(router.timeout(call, 2.0)) == (
        'Runtime.evaluate: no reply from session P within 2 s; the page shows a dialog (confirm): "\\"Sure\\"\\n?"'
        "; answer it with page.HandleJavaScriptDialog(accept=True)"
    )


def test_a_dialog_that_was_closed_is_not_named(router: Router) -> None:
    enable(router, "P")
    opens(router)
    opens(router, frame="G", message="second")  # as in Chromium: the second one opens, and then the first is closed
    closes(router, frameId="F")

    assert late(router) == '; the page shows a dialog (confirm): "second"' + ANSWER.format("")

    closes(router)  # an older browser names no frame

    assert late(router) == ""


@pytest.mark.parametrize("end", ["Inspector.targetCrashed", "Target.detachedFromTarget"])
def test_a_crash_and_the_end_of_a_session_end_its_dialogs(router: Router, end: str) -> None:
    opens(router)
    hear(router, end, "P" if "Crashed" in end else None, sessionId="P")

    assert router.dialogs.shown("P") == ""


def test_an_iframe_and_another_session_of_the_page_know_where_it_is_answered(router: Router) -> None:
    attach(router, "I", "iframe", "U", "P")
    attach(router, "Q", "page", "T")
    attach(router, "other", "page", "V")
    opens(router)

    assert late(router, "I") == late(router, "Q") == SHOWN + ANSWER.format(" on session P")
    assert late(router, "other") == NOT_TOLD


def test_a_session_that_was_told_of_no_dialog_says_whether_it_would_have_been(router: Router) -> None:
    attach(router, "I", "iframe", "U", "P")
    attach(router, "W", "worker", "X", "P")

    assert {late(router, session) for session in ("P", "I")} == {NOT_TOLD}
    assert late(router, "P", "Page.captureScreenshot") == late(router, "P", "Page.enable") == NOT_TOLD
    assert {late(router, session) for session in ("W", None, "nobody")} == {""}
    assert late(router, "P", "Page.navigate") == late(router, "P", "Network.getCookies") == ""

    enable(router, "P")

    assert {late(router, session) for session in ("P", "I")} == {""}

    enable(router, "P", page.Disable())

    assert late(router) == NOT_TOLD


def test_a_page_of_its_own_websocket_has_a_session_without_an_id() -> None:
    router = Router(at_browser=False)
    assert late(router, None) == NOT_TOLD
    opens(router, None)

    assert late(router, None) == SHOWN + ANSWER.format("")


def test_a_dialog_that_cannot_be_read_is_one(router: Router) -> None:
    hear(router, "Page.javascriptDialogOpening", "P", type=5)

    assert late(router) == '; the page shows a dialog (): ""' + ANSWER.format("")
