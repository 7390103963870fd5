"""The dialog bridge on real Chromium, behind a proxy that answers every dialog before anybody can."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from supervisor import BlockedByDialog, CDPSupervisor, DialogAction, PendingDialog, SupervisorSnapshot
from tests.support.browsers import launched
from tests.support.dismissing import DismissingProxy
from tests.support.sites import Sites
from tests.support.stages import open_page


@pytest.fixture
def proxy(no_leaks: None) -> Iterator[DismissingProxy]:
    """A browser behind it."""
    with launched(args=("--ignore-certificate-errors",)) as browser, DismissingProxy(browser.ws_url) as running:
        yield running


@pytest.fixture
def supervisor(proxy: DismissingProxy) -> Iterator[CDPSupervisor]:
    """One that has seen by two dialogs that it needs the bridge."""
    with CDPSupervisor(proxy.url, call_timeout_s=20) as running:
        arm(running)
        yield running


def arm(supervisor: CDPSupervisor) -> SupervisorSnapshot:
    supervisor.evaluate("setTimeout(() => { alert('one'); alert('two') }, 0)")
    return supervisor.wait_for(lambda now: now.bridge.state == "armed", timeout_s=20)


def blocked_by(supervisor: CDPSupervisor, expression: str, frame_id: str | None = None) -> PendingDialog:
    with pytest.raises(BlockedByDialog) as caught:
        supervisor.evaluate(expression, frame_id)
    return caught.value.dialog


def test_two_dialogs_that_somebody_else_answers_at_once_arm_the_bridge(proxy: DismissingProxy) -> None:
    with CDPSupervisor(proxy.url, call_timeout_s=20) as supervisor:
        assert supervisor.snapshot().bridge.state == "off"
        armed = arm(supervisor)

        assert [(one.message, one.closed_by, one.bridged) for one in armed.recent_dialogs] == [
            ("one", "remote", False),
            ("two", "remote", False),
        ]
        assert "answered by somebody else" in armed.bridge.reason
        told = [one for one in supervisor.changes_since(0).changes if one.kind == "bridge"]
        assert [(one.subject, one.text) for one in told] == [("armed", armed.bridge.reason)]


@pytest.mark.parametrize(
    ("opens", "action", "text", "value"),
    [
        ("(alert('hello'), 'went on')", "accept", None, "went on"),
        ("confirm('sure?')", "accept", None, True),
        ("confirm('sure?')", "dismiss", None, False),
        ("prompt('name?', 'nobody')", "accept", "Ada \u2603", "Ada \u2603"),
        ("prompt('name?', 'nobody')", "accept", None, "nobody"),
        ("prompt('name?', 'nobody')", "dismiss", None, None),
    ],
)
def test_the_page_gets_back_what_was_answered(
    supervisor: CDPSupervisor,
    proxy: DismissingProxy,
    sites: Sites,
    opens: str,
    action: DialogAction,
    text: str | None,
    value: object,
) -> None:
    sites.pages["/"] = "<title>Plain</title>"
    open_page(supervisor, sites.local("/"))

    dialog = blocked_by(supervisor, f"window.answer = {opens}")
    assert (dialog.bridged, dialog.answerable, dialog.url) == (True, True, sites.local("/"))
    receipt = supervisor.respond_to_dialog(action, text, dialog.id)

    assert (receipt.closed_by, receipt.accepted) == ("agent", action == "accept")
    assert supervisor.evaluate("window.answer").value == value
    assert proxy.answered == 2, "the browser itself showed more than the two dialogs that armed the bridge"
    assert [one.path for one in sites.requests if one.method == "POST"] == [], "a request left the browser"
