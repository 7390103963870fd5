"""The dialog bridge on real Chromium, behind a proxy that answers every dialog before any other client can."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

import pytest

from cdp_typed import connect_sync
from cdp_typed.mock import PERSONALITIES, ThreadedMockServer
from cdp_typed.protocol import page, runtime, target
from cdp_typed.redaction import REDACTED
from supervisor import BlockedByDialog, CDPSupervisor, DialogAction
from supervisor.core.bridge.bridge import ALWAYS
from supervisor.core.snapshot import snapshot
from supervisor.journal import replay
from tests.support.browsers import launched
from tests.support.secrets import CANARY
from tests.support.servers.cutting import CuttingProxy
from tests.support.servers.dismissing import DismissingProxy
from tests.support.servers.sites import Sites
from tests.support.stages.bridged_scene import BRIDGE, EMPTY, Scene, arm, blocked_by, frame_named, pages
from tests.support.stages.stages import open_page


@pytest.mark.parametrize("is_left_open", [True, False])
def test_two_dialogs_that_somebody_else_answers_at_once_arm_the_bridge_until_the_end(
    no_leaks: None, is_left_open: bool
) -> None:
    with launched(omnibox=False) as browser, DismissingProxy(browser.ws_url) as proxy, Sites({"/": EMPTY}) as sites:
        with CDPSupervisor(proxy.url, call_timeout_s=20) as supervisor:
            open_page(supervisor, sites.local("/"))
            native = supervisor.evaluate("String(alert) + Object.keys(window).indexOf('alert')").value
            assert supervisor.snapshot().bridge.state == "off"
            armed = arm(supervisor)

            shown = [(record.message, record.closed_by, record.bridged) for record in armed.recent_dialogs[-2:]]
            assert shown == [("native", "remote", False)] * 2
            answered = proxy.answered
            assert "answered by another client" in armed.bridge.reason
            changes = [change for change in supervisor.changes_since(0).changes if change.kind == "bridge"]
            assert [(change.subject, change.text) for change in changes] == [("armed", armed.bridge.reason)]
            assert supervisor.evaluate("String(alert) + Object.keys(window).indexOf('alert')").value == native
            if is_left_open:
                blocked_by(supervisor, "confirm('left open')")
            assert proxy.answered == answered

        # The page that waited was handed over to its own function, and every page has its own functions back.
        with connect_sync(browser.ws_url) as other:
            tab = next(info for info in other.send(target.GetTargets()).target_infos if info.type == "page")
            session = other.attach(tab.target_id)
            # What was left open may still be, if the proxy was slow: then only a navigation helps.
            for url in (sites.local("/"),) if is_left_open else (None, sites.local("/")):
                if url is not None:
                    session.send(page.Navigate(url=url))
                session.send(page.Enable())
                with session.expect(page.JavascriptDialogOpening, timeout=20) as opening:
                    answer = session.send_nowait(runtime.Evaluate(expression="confirm('its own')"))
                assert opening.value.message == "its own"
                session.send(page.HandleJavaScriptDialog(accept=True))
                assert answer.result(20).result.value is True
        assert [request for request in sites.requests if BRIDGE in request.path] == []


@pytest.mark.parametrize("path", ["https", "/csp"])
def test_it_works_over_https_and_under_a_strict_policy(scene: Scene, path: str) -> None:
    supervisor = scene.supervisor
    open_page(supervisor, scene.safe.local("/") if path == "https" else scene.sites.local(path))

    blocked_by(supervisor, "window.answers = [alert('a') === undefined, confirm('b'), confirm('c'), prompt('d')]")
    supervisor.respond_to_dialog("accept")
    steps: list[tuple[str, DialogAction, str | None]] = [
        ("b", "accept", None),
        ("c", "dismiss", None),
        ("d", "accept", "text"),
    ]
    for message, action, text in steps:
        now = supervisor.wait_for(lambda now: bool(now.pending_dialogs), timeout_s=20)
        assert [(dialog.message, dialog.bridged) for dialog in now.pending_dialogs] == [(message, True)]
        supervisor.respond_to_dialog(action, text)

    assert supervisor.evaluate("window.answers").value == [True, True, False, "text"]
    assert (scene.proxy.answered, scene.left_the_browser) == (0, [])


KINDS = [("http", name) for name in ("oopif", "local", "srcdoc", "data", "box", "boxdoc")]


@pytest.mark.parametrize(("scheme", "name"), [*KINDS, ("https", "oopif"), ("https", "srcdoc"), ("https", "box")])
def test_it_works_in_every_kind_of_frame(scene: Scene, scheme: str, name: str) -> None:
    supervisor = scene.supervisor
    url = (scene.safe if scheme == "https" else scene.sites).local("/frames")
    open_page(supervisor, url)
    frame_id = frame_named(supervisor, name)

    dialog = blocked_by(supervisor, f"window.answer = prompt('in {name}', 'preset')", frame_id)
    assert (dialog.frame_id, dialog.message, dialog.default_prompt) == (frame_id, f"in {name}", "preset")
    supervisor.respond_to_dialog("accept", f"to {name}", dialog.id)

    assert supervisor.evaluate("window.answer", frame_id).value == f"to {name}"
    assert (scene.proxy.answered, scene.left_the_browser) == (0, [])


@pytest.mark.parametrize("name", ["mute", "mutelocal"])
def test_what_a_sandbox_keeps_from_being_shown_is_not_shown(scene: Scene, name: str) -> None:
    open_page(scene.supervisor, scene.sites.local("/frames"))
    before = scene.supervisor.snapshot()

    answer = scene.supervisor.evaluate(
        "[alert('a'), confirm('b'), prompt('c', 'd')]", frame_named(scene.supervisor, name)
    )

    assert answer.value == [None, False, None]
    after = scene.supervisor.snapshot()
    assert (after.recent_dialogs, after.bridge) == (before.recent_dialogs, before.bridge)
    assert scene.proxy.answered == 0


@pytest.mark.parametrize("path", ["/csp-none", "/no-sync-xhr", "/boxed"])
def test_where_it_cannot_work_the_page_calls_its_own_function_and_that_is_told(scene: Scene, path: str) -> None:
    supervisor = scene.supervisor
    open_page(supervisor, scene.sites.local(path))

    supervisor.evaluate(f"setTimeout(() => {{ window.answer = confirm('{path}') }}, 0)")
    now = supervisor.wait_for(lambda now: now.recent_dialogs[-1].message == path, timeout_s=20)

    record = now.recent_dialogs[-1]
    assert (record.bridged, record.closed_by, record.accepted) == (False, "remote", False)
    assert supervisor.evaluate("window.answer").value is False
    assert scene.proxy.answered == 1
    assert record.url == scene.sites.local(path)
    assert now.bridge.native
    told = [
        change.text
        for change in supervisor.changes_since(0).changes
        if (change.kind, change.subject) == ("bridge", "native")
    ]
    assert sorted(told) == sorted(set(told)) == sorted(now.bridge.native), "told more than once, or not at all"


def test_with_always_and_without_a_sites_policy_it_works_where_that_forbids_it(no_leaks: None) -> None:
    with launched(omnibox=False) as browser, Sites() as sites:
        sites.pages.update(pages(sites))
        always = CDPSupervisor(browser.ws_url, call_timeout_s=20, dialog_bridge="always", bridge_bypass_csp=True)
        with always as supervisor:
            assert (supervisor.snapshot().bridge.state, supervisor.snapshot().bridge.reason) == ("armed", ALWAYS)
            open_page(supervisor, sites.local("/csp-none"))
            blocked_by(supervisor, "window.answer = confirm('sure?')")
            assert supervisor.respond_to_dialog("accept").accepted
            assert supervisor.evaluate("window.answer").value is True

            # In a tab that is known: what a new one asks while it opens, Chromium may show before the bridge is there.
            with contextlib.suppress(BlockedByDialog):
                supervisor.send(page.Navigate(url=sites.local("/early")))
            now = supervisor.wait_for(lambda now: bool(now.pending_dialogs), timeout_s=20)
            assert [(dialog.message, dialog.bridged) for dialog in now.pending_dialogs] == [("early?", True)]
            supervisor.respond_to_dialog("dismiss")
            assert [record.bridged for record in supervisor.snapshot().recent_dialogs] == [True, True]


def test_a_flight_recording_tells_of_the_dialogs_and_not_of_what_was_typed(scene: Scene, tmp_path: Path) -> None:
    file = tmp_path / "flight.jsonl"
    supervisor = CDPSupervisor(
        scene.proxy.url, scope="own", call_timeout_s=20, dialog_bridge="always", record_to=str(file)
    )
    with supervisor:
        open_page(supervisor, scene.sites.local("/"))
        with pytest.raises(BlockedByDialog):
            supervisor.evaluate("window.answer = prompt('who?')")
        supervisor.respond_to_dialog("accept", CANARY)
        assert supervisor.evaluate("window.answer").value == CANARY

    *_, last = replay(file)
    assert [(record.message, record.bridged, record.closed_by) for record in snapshot(last).recent_dialogs] == [
        ("who?", True, "agent")
    ]
    recorded = file.read_text()
    assert "Fetch.fulfillRequest" in recorded
    bodies = re.findall(r'"body": "([^"]+)"', recorded)
    assert set(bodies) == {REDACTED}


def test_without_a_supervisor_pages_call_their_own_functions_whatever_a_server_answers(no_leaks: None) -> None:
    with launched(omnibox=False) as browser, Sites({"/": EMPTY}) as sites:
        with CuttingProxy(int(browser.ws_url.split(":")[2].partition("/")[0])) as proxy:
            supervisor = CDPSupervisor(proxy.url(browser.ws_url), dialog_bridge="always", reconnect_attempts=0).start()
            open_page(supervisor, sites.local("/"))
            tab = supervisor.snapshot().pages[0].target_id
            blocked_by(supervisor, "alert('shows the address')")
            supervisor.respond_to_dialog("accept")
            address = supervisor.evaluate("performance.getEntriesByType('resource').at(-1).name").value
            sites.pages[address.removeprefix(sites.local(""))] = '["made up", "answer", true, ""]'
            proxy.cut()
            supervisor.wait_for(lambda now: now.state == "lost", timeout_s=20)

            with connect_sync(browser.ws_url) as other:
                session = other.attach(target.TargetID(tab))
                session.send(page.Enable())
                for _ in range(2):
                    with session.expect(page.JavascriptDialogOpening, timeout=20):
                        answer = session.send_nowait(runtime.Evaluate(expression="confirm('really?')"))
                    session.send(page.HandleJavaScriptDialog(accept=False))
                    assert answer.result(20).result.value is False
            supervisor.stop()
        assert len([request for request in sites.requests if request.method == "POST"]) == 1, (
            "asked again, although nobody was there"
        )


def test_two_dialogs_that_a_mock_answers_at_once_arm_the_bridge(no_leaks: None) -> None:
    impatient = ThreadedMockServer(personality=PERSONALITIES["proxy_answers_dialogs"])
    with impatient as server, CDPSupervisor(server.url, call_timeout_s=20) as supervisor:
        armed = arm(supervisor)
        assert {record.closed_by for record in armed.recent_dialogs} == {"remote"}
