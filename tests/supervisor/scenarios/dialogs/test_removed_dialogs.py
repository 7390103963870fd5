"""Pages that pull the iframe from under its dialog, and tabs that are closed under one: real Chromium survives."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cdp_typed import Command, Connection, ConnectionLost, Session, connect
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.protocol import page, runtime, target
from supervisor import CDPSupervisor, PendingDialog, SupervisorSnapshot
from tests.support.browsers import launched
from tests.support.servers.sites import Response, Sites, iframe
from tests.support.stages.stages import is_loaded

TIMES = 20
REMOVED = "its iframe was removed while it was open"

HOSTILE = """<!doctype html><link rel=icon href=data:,><title>hostile</title><script>
let removed = 0, timer;
function embed() {
  const frame = document.createElement("iframe");
  frame.src = "%s";
  document.body.append(frame);
  timer = setTimeout(remove, 500);
}
function remove() {
  document.querySelector("iframe").remove();
  removed += 1;
  if (removed < %d) embed(); else console.log("done");
}
addEventListener("message", () => { clearTimeout(timer); timer = setTimeout(remove, 80); });
addEventListener("load", embed);
</script><body>"""

ALERTING = (
    "<!doctype html><script>parent.postMessage('soon', '*'); setTimeout(() => alert('from the iframe'), 10)</script>"
)


@pytest.fixture
def browser(no_leaks: None) -> Iterator[LaunchedBrowser]:
    with launched(omnibox=False) as running:
        yield running


@pytest.fixture
def sites(no_leaks: None) -> Iterator[Sites]:
    with Sites({"/alerting": ALERTING, "/plain": "<title>plain</title>"}) as serving:
        serving.pages["/hostile"] = HOSTILE % (serving.remote("/alerting"), TIMES)
        serving.pages["/top"] = f"<!doctype html><title>top</title>{iframe(serving.remote('/alerting'))}"
        yield serving


def is_open(now: SupervisorSnapshot) -> bool:
    return bool(now.pending_dialogs)


def is_calm(now: SupervisorSnapshot) -> bool:
    """No dialog is open, and the page is watched."""
    return not now.pending_dialogs and [info.status for info in now.pages] == ["ok"]


def is_done(now: SupervisorSnapshot) -> bool:
    """The hostile page says so."""
    return any(line.text == "done" for line in now.console)


def meet_dialog(supervisor: CDPSupervisor, sites: Sites) -> PendingDialog:
    """Open the page whose iframe alerts."""
    supervisor.send(page.Navigate(url=sites.local("/top")))
    (dialog,) = supervisor.wait_for(is_open, timeout_s=20).pending_dialogs
    assert dialog.frame_id != dialog.target_id
    return dialog


def remove_iframe(supervisor: CDPSupervisor) -> SupervisorSnapshot:
    supervisor.evaluate("document.getElementById('frame').remove()")
    return supervisor.wait_for(is_calm, timeout_s=20)


def test_a_page_that_removes_the_iframe_under_its_dialog_over_and_over(browser: LaunchedBrowser, sites: Sites) -> None:
    """After each round the next iframe's dialog is announced as ever, and the page's own scripts run on."""
    with CDPSupervisor(browser.ws_url, call_timeout_s=20) as supervisor:
        for _ in range(TIMES):
            dialog = meet_dialog(supervisor, sites)
            (*_, record) = remove_iframe(supervisor).recent_dialogs
            assert (record.id, record.closed_by, record.accepted, record.note) == (dialog.id, "remote", False, REMOVED)

        assert supervisor.evaluate("confirm").type == "function"


def test_a_page_that_does_so_on_its_own(browser: LaunchedBrowser, sites: Sites) -> None:
    """The number of its dialogs that are seen depends on the load of the machine: none while the page is not watched,
    and none that opens after its iframe was removed."""
    with CDPSupervisor(browser.ws_url, call_timeout_s=20) as supervisor:
        supervisor.send(page.Navigate(url=sites.local("/hostile")))

        now = supervisor.wait_for(lambda now: is_done(now) and is_calm(now), timeout_s=40)

        assert now.epoch == 1, "the browser died, or the connection was lost"
        assert {(record.closed_by, record.accepted, record.note) for record in now.recent_dialogs} <= {
            ("remote", False, REMOVED)
        }
        assert supervisor.evaluate("removed").value == TIMES


def test_a_navigation_does_no_harm_afterwards(browser: LaunchedBrowser, sites: Sites) -> None:
    with CDPSupervisor(browser.ws_url, call_timeout_s=20) as supervisor:
        meet_dialog(supervisor, sites)
        remove_iframe(supervisor)

        supervisor.send(page.Navigate(url=sites.local("/plain")))

        supervisor.wait_for(lambda now: now.pages[0].url == sites.local("/plain") and is_loaded(now), timeout_s=20)
        assert supervisor.evaluate("document.title").value == "plain"


@pytest.mark.parametrize("opens", ["location.reload()", "alert('of the page itself')"])
def test_another_dialog_does_no_harm_afterwards(browser: LaunchedBrowser, sites: Sites, opens: str) -> None:
    with CDPSupervisor(browser.ws_url, call_timeout_s=20) as supervisor:
        meet_dialog(supervisor, sites)
        remove_iframe(supervisor)

        supervisor.evaluate(f"setTimeout(() => {opens}, 0)")

        supervisor.wait_for(is_open, timeout_s=20)
        supervisor.respond_to_dialog("dismiss")
        assert supervisor.evaluate("1+1").value == 2


@pytest.mark.parametrize("by_target", [True, False])
def test_a_tab_is_closed_only_when_the_dialog_of_its_iframe_is_out_of_the_way(
    browser: LaunchedBrowser, sites: Sites, by_target: bool
) -> None:
    with CDPSupervisor(browser.ws_url, call_timeout_s=20) as supervisor:
        created = supervisor.send(target.CreateTarget(url="about:blank"))
        dialog = meet_dialog(supervisor, sites)

        closing: Command[object] = (
            target.CloseTarget(target_id=target.TargetID(dialog.target_id)) if by_target else page.Close()
        )
        supervisor.send(closing)

        now = supervisor.wait_for(lambda now: len(now.pages) == 1, timeout_s=20)
        assert [(info.target_id, info.status) for info in now.pages] == [(created.target_id, "ok")]
        (record,) = now.recent_dialogs
        assert (record.closed_by, record.accepted) == ("auto_policy", False)
        assert record.note == "its page was about to be closed"
        assert supervisor.evaluate("1+1").value == 2


def test_a_page_without_an_origin_is_rid_of_the_dialog_too(browser: LaunchedBrowser, sites: Sites) -> None:
    """Its history entries have no ids by which the navigation could be verified."""
    sandbox = {"Content-Security-Policy": "sandbox allow-scripts allow-modals"}
    sites.pages["/top"] = Response(iframe(sites.remote("/alerting")), headers=sandbox)
    with CDPSupervisor(browser.ws_url, call_timeout_s=20) as supervisor:
        meet_dialog(supervisor, sites)
        assert supervisor.evaluate("navigation.currentEntry").value is None

        remove_iframe(supervisor)

        supervisor.evaluate("setTimeout(() => alert('of the page itself'), 0)")
        supervisor.wait_for(is_open, timeout_s=20)
        supervisor.respond_to_dialog("dismiss")
        assert supervisor.evaluate("1+1").value == 2


def test_a_page_that_keeps_its_dialog_is_left_unwatched_until_it_is_navigated(
    browser: LaunchedBrowser, sites: Sites
) -> None:
    """It cancels the navigation that would end the dialog. Its scripts run on, and nothing harms the browser."""
    with CDPSupervisor(browser.ws_url, call_timeout_s=20) as supervisor:
        meet_dialog(supervisor, sites)
        supervisor.evaluate("navigation.addEventListener('navigate', event => event.preventDefault())")
        supervisor.evaluate("document.getElementById('frame').remove()")
        now = supervisor.wait_for(lambda now: not now.pending_dialogs, timeout_s=20)
        assert [info.status for info in now.pages] == ["unwatched"]
        assert supervisor.evaluate("document.title").value == "top"

        supervisor.send(page.Navigate(url=sites.local("/plain")))

        supervisor.wait_for(
            lambda now: is_calm(now) and now.pages[0].url == sites.local("/plain") and is_loaded(now), timeout_s=20
        )
        assert supervisor.evaluate("document.title").value == "plain"


async def test_without_the_safe_order_the_browser_dies(browser: LaunchedBrowser, sites: Sites) -> None:
    """So that a Chromium that has been mended is noticed: then `supervisor/core/rescue.py` can go."""
    async with connect(browser.ws_url) as connection:
        tab = await _naive_dialog(connection, sites)
        await tab.send(runtime.Evaluate(expression="document.getElementById('frame').remove()"))

        with pytest.raises(ConnectionLost):
            await tab.send(page.HandleJavaScriptDialog(accept=True))


async def test_without_the_safe_order_closing_the_tab_kills_the_browser(browser: LaunchedBrowser, sites: Sites) -> None:
    """As above, for `supervisor/core/closing.py`."""
    async with connect(browser.ws_url) as connection:
        tab = await _naive_dialog(connection, sites)

        with pytest.raises(ConnectionLost):
            await connection.send(target.CloseTarget(target_id=tab.target_id))


async def _naive_dialog(connection: Connection, sites: Sites) -> Session:
    """A page with a dialog in an out-of-process iframe, as any client would meet it."""
    created = await connection.send(target.CreateTarget(url="about:blank"))
    tab = await connection.attach(created.target_id)
    await tab.send(page.Enable())
    async with tab.expect(page.JavascriptDialogOpening, timeout=20):
        _ = tab.send_nowait(page.Navigate(url=sites.local("/top")))
    return tab
