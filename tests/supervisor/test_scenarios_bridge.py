"""The dialog bridge on real Chromium, behind a proxy that answers every dialog before anybody can."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from cdp_typed import connect_sync
from cdp_typed.mock import PERSONALITIES, ThreadedMockServer
from cdp_typed.protocol import page, runtime, target
from cdp_typed.recording import REDACTED
from supervisor import (
    BlockedByDialog,
    CDPSupervisor,
    DialogAction,
    DialogAlreadyClosed,
    DialogRecord,
    DialogRule,
    PendingDialog,
    SupervisorSnapshot,
)
from supervisor.core.bridge import ALWAYS
from supervisor.core.view import snapshot
from supervisor.journal import replay
from tests.support.browsers import launched
from tests.support.cutting import CuttingProxy
from tests.support.dismissing import DismissingProxy
from tests.support.gateways import server_tls
from tests.support.secrets import CANARY
from tests.support.sites import Page, Request, Response, Sites, iframe
from tests.support.stages import is_loaded, open_page

EMPTY = "<!doctype html><link rel=icon href=data:,>"
BRIDGE = "/.well-known/"
LEAVING = """
  const kinds = {beforeunload: window, pagehide: window, visibilitychange: document, unload: window};
  for (const [kind, where] of Object.entries(kinds)) where.addEventListener(kind, () => {
    sessionStorage[kind] = JSON.stringify([alert(kind), confirm(kind), prompt(kind, "preset")]);
  });
"""
HIDING = "onpagehide = () => { sessionStorage.hidden = confirm('bye?') }"


@dataclass(frozen=True)
class Scene:
    """A browser behind such a proxy, a supervisor whose bridge is armed, and pages over http and https."""

    proxy: DismissingProxy
    browser_url: str
    supervisor: CDPSupervisor
    sites: Sites
    safe: Sites

    @property
    def left_the_browser(self) -> list[Request]:
        """The bridge's requests that came to a server."""
        return [one for one in (*self.sites.requests, *self.safe.requests) if BRIDGE in one.path]


@pytest.fixture(scope="module")
def shared() -> Iterator[Scene]:
    """One for all tests that leave it as it was."""
    with ExitStack() as stack:
        sites, safe = stack.enter_context(Sites()), stack.enter_context(Sites(tls=server_tls()))
        sites.pages.update(pages(sites))
        safe.pages.update(pages(safe))
        browser = stack.enter_context(launched(args=("--ignore-certificate-errors",)))
        proxy = stack.enter_context(DismissingProxy(browser.ws_url))
        quick = CDPSupervisor(proxy.url, call_timeout_s=20, dialog_storm_limit=1000)  # so many tests are no storm
        supervisor = stack.enter_context(quick)
        arm(supervisor)
        yield Scene(proxy, browser.ws_url, supervisor, sites, safe)


@pytest.fixture
def scene(shared: Scene) -> Scene:
    """The shared one, with nothing counted."""
    for sites in (shared.sites, shared.safe):
        sites.requests.clear()
    shared.proxy.answered = 0
    return shared


def pages(sites: Sites) -> dict[str, Page]:
    frames = (
        iframe(sites.remote("/"), "oopif"),
        iframe("/", "local"),
        '<iframe name=srcdoc srcdoc="<p>inside"></iframe>',
        '<iframe name=data src="data:text/html,inside"></iframe>',
        '<iframe name=box sandbox="allow-scripts allow-modals" src=/></iframe>',
        '<iframe name=boxdoc sandbox="allow-scripts allow-modals" srcdoc="<p>inside"></iframe>',
        '<iframe name=mute sandbox="allow-scripts" src=/></iframe>',
        '<iframe name=mutelocal sandbox="allow-scripts allow-same-origin" src=/></iframe>',
    )
    return {
        "/": EMPTY,
        "/csp": Response(EMPTY, headers={"Content-Security-Policy": "default-src 'self'"}),
        "/csp-none": Response(EMPTY, headers={"Content-Security-Policy": "connect-src 'none'"}),
        "/no-sync-xhr": Response(EMPTY, headers={"Permissions-Policy": "sync-xhr=()"}),
        "/boxed": Response(EMPTY, headers={"Content-Security-Policy": "sandbox allow-scripts allow-modals"}),
        "/frames": EMPTY + "".join(frames),
        "/early": EMPTY + "<script>window.early = confirm('early?')</script>",
        "/leaving": EMPTY + f"<script>{LEAVING}</script>",
        "/hiding": EMPTY + f"<script>{HIDING}</script>",
    }


def arm(supervisor: CDPSupervisor) -> SupervisorSnapshot:
    """Open native dialogs until it is armed: two, unless the machine is so busy that their end is seen late."""
    now = supervisor.snapshot()
    while now.bridge.state == "off":
        before = now.recent_dialogs[-1:]
        supervisor.evaluate("setTimeout(() => alert('native'), 0)")
        now = supervisor.wait_for(_other_than(before), timeout_s=20)
    return now


def _other_than(last: tuple[DialogRecord, ...]) -> Callable[[SupervisorSnapshot], bool]:
    return lambda now: now.recent_dialogs[-1:] != last


def blocked_by(supervisor: CDPSupervisor, expression: str, frame_id: str | None = None) -> PendingDialog:
    with pytest.raises(BlockedByDialog) as caught:
        supervisor.evaluate(expression, frame_id)
    return caught.value.dialog


def frame_named(supervisor: CDPSupervisor, name: str) -> str:
    def found(now: SupervisorSnapshot) -> list[str]:
        return [one.frame_id for one in now.frame_tree.children if one.name == name and not one.is_loading]

    return found(supervisor.wait_for(lambda now: bool(found(now)), timeout_s=20))[0]


@pytest.mark.parametrize("is_left_open", [True, False])
def test_two_dialogs_that_somebody_else_answers_at_once_arm_the_bridge_until_the_end(
    no_leaks: None, is_left_open: bool
) -> None:
    with launched() as browser, DismissingProxy(browser.ws_url) as proxy, Sites({"/": EMPTY}) as sites:
        with CDPSupervisor(proxy.url, call_timeout_s=20) as supervisor:
            open_page(supervisor, sites.local("/"))
            native = supervisor.evaluate("String(alert) + Object.keys(window).indexOf('alert')").value
            assert supervisor.snapshot().bridge.state == "off"
            armed = arm(supervisor)

            shown = [(one.message, one.closed_by, one.bridged) for one in armed.recent_dialogs[-2:]]
            assert shown == [("native", "remote", False)] * 2
            answered = proxy.answered
            assert "answered by somebody else" in armed.bridge.reason
            told = [one for one in supervisor.changes_since(0).changes if one.kind == "bridge"]
            assert [(one.subject, one.text) for one in told] == [("armed", armed.bridge.reason)]
            assert supervisor.evaluate("String(alert) + Object.keys(window).indexOf('alert')").value == native
            if is_left_open:
                blocked_by(supervisor, "confirm('left open')")
            assert proxy.answered == answered

        # The page that waited was handed over to its own function, and every page has its own functions back.
        with connect_sync(browser.ws_url) as other:
            tab = next(one for one in other.send(target.GetTargets()).target_infos if one.type == "page")
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
        assert [one for one in sites.requests if BRIDGE in one.path] == []


@pytest.mark.parametrize(
    ("opens", "action", "text", "value"),
    [
        ("(alert('hello'), 'went on')", "accept", None, "went on"),
        ("confirm('sure?')", "accept", None, True),
        ("confirm('sure?')", "dismiss", None, False),
        ("prompt('name?', 'nobody')", "accept", "Ada \u2603", "Ada \u2603"),
        ("prompt('name?', 'nobody')", "accept", "", ""),
        ("prompt('name?', 'nobody')", "accept", None, "nobody"),
        ("prompt('name?', 'nobody')", "dismiss", None, None),
    ],
)
def test_the_page_gets_back_what_was_answered(
    scene: Scene, opens: str, action: DialogAction, text: str | None, value: object
) -> None:
    url = scene.sites.local("/")
    open_page(scene.supervisor, url)

    dialog = blocked_by(scene.supervisor, f"window.answer = {opens}")
    assert (dialog.bridged, dialog.answerable, dialog.url) == (True, True, url)
    receipt = scene.supervisor.respond_to_dialog(action, text, dialog.id)

    assert (receipt.closed_by, receipt.accepted) == ("agent", action == "accept")
    assert scene.supervisor.evaluate("window.answer").value == value
    assert scene.supervisor.snapshot().recent_dialogs[-1].bridged
    assert (scene.proxy.answered, scene.left_the_browser) == (0, []), "a native dialog, or a request that left"


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
        assert [(one.message, one.bridged) for one in now.pending_dialogs] == [(message, True)]
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
    told = [one.text for one in supervisor.changes_since(0).changes if (one.kind, one.subject) == ("bridge", "native")]
    assert sorted(told) == sorted(set(told)) == sorted(now.bridge.native), "told more than once, or not at all"


def test_a_dialog_of_the_first_script_is_bridged(scene: Scene) -> None:
    supervisor = scene.supervisor
    supervisor.send(page.Navigate(url=scene.sites.local("/early")))
    now = supervisor.wait_for(lambda now: bool(now.pending_dialogs), timeout_s=20)

    assert [(one.message, one.bridged) for one in now.pending_dialogs] == [("early?", True)]
    supervisor.respond_to_dialog("accept")

    supervisor.wait_for(is_loaded, timeout_s=20)
    assert supervisor.evaluate("window.early").value is True


def test_two_frames_ask_at_once_and_each_gets_its_own_answer(scene: Scene) -> None:
    supervisor = scene.supervisor
    open_page(supervisor, scene.sites.local("/frames"))
    inner = frame_named(supervisor, "oopif")

    first = blocked_by(supervisor, "window.answer = prompt('outer')")
    second = blocked_by(supervisor, "window.answer = prompt('inner')", inner)
    assert [(one.id, one.answerable) for one in supervisor.snapshot().pending_dialogs] == [
        (first.id, True),
        (second.id, True),
    ]
    supervisor.respond_to_dialog("accept", "two", second.id)
    supervisor.respond_to_dialog("accept", "one", first.id)

    assert supervisor.evaluate("window.answer").value == "one"
    assert supervisor.evaluate("window.answer", inner).value == "two"


def test_rules_answer_bridged_dialogs_as_well(scene: Scene) -> None:
    open_page(scene.supervisor, scene.sites.local("/"))
    rule = scene.supervisor.arm_dialog(DialogRule(action="accept", type="confirm", count=1))

    assert scene.supervisor.evaluate("confirm('ruled')").value is True
    record = scene.supervisor.snapshot().recent_dialogs[-1]
    assert (record.message, record.bridged, record.closed_by, record.rule_id) == ("ruled", True, "auto_policy", rule)


def test_a_page_that_is_left_takes_its_dialog_along(scene: Scene) -> None:
    supervisor = scene.supervisor
    open_page(supervisor, scene.sites.local("/"))
    dialog = blocked_by(supervisor, "confirm('left')")

    supervisor.send(page.Navigate(url=scene.sites.remote("/")))
    supervisor.wait_for(lambda now: not now.pending_dialogs, timeout_s=20)

    with pytest.raises(DialogAlreadyClosed) as caught:
        supervisor.respond_to_dialog("accept", dialog_id=dialog.id)
    assert caught.value.record.closed_by == "remote"
    assert "went on without an answer" in caught.value.record.note


def test_a_page_that_is_being_left_calls_its_own_functions_which_ask_nobody(scene: Scene) -> None:
    """Neither the bridge nor Chromium shows a dialog then; what the page gets is Chromium's answer, not ours."""
    supervisor = scene.supervisor
    open_page(supervisor, scene.sites.local("/leaving"))
    supervisor.evaluate("sessionStorage.clear()")
    before = supervisor.snapshot().recent_dialogs

    supervisor.navigate(scene.sites.local("/"))

    kinds = ("beforeunload", "pagehide", "unload", "visibilitychange")
    got = supervisor.evaluate("Object.entries(sessionStorage)").value
    assert sorted(got) == [[kind, "[null,false,null]"] for kind in kinds]
    now = supervisor.snapshot()
    assert (now.recent_dialogs, now.pending_dialogs) == (before, ())
    assert (scene.proxy.answered, scene.left_the_browser) == (0, [])


def test_a_page_that_goes_into_the_cache_may_still_ask_and_gets_the_agents_answer(scene: Scene) -> None:
    """There Chromium shows a dialog that takes no answer; through the bridge it takes one."""
    supervisor = scene.supervisor
    open_page(supervisor, scene.sites.local("/hiding"))

    supervisor.send(page.Navigate(url=scene.sites.local("/")))

    (dialog,) = supervisor.wait_for(lambda now: bool(now.pending_dialogs), timeout_s=20).pending_dialogs
    assert (dialog.message, dialog.bridged) == ("bye?", True)
    assert supervisor.respond_to_dialog("accept").accepted
    supervisor.wait_for(lambda now: is_loaded(now) and now.pages[0].url == scene.sites.local("/"), timeout_s=20)
    assert supervisor.evaluate("sessionStorage.hidden").value == "true"


def test_what_a_page_itself_asks_of_the_bridge_fails(scene: Scene) -> None:
    supervisor = scene.supervisor
    open_page(supervisor, scene.sites.local("/"))
    blocked_by(supervisor, "alert('shows the address')")
    supervisor.respond_to_dialog("accept")
    before = supervisor.snapshot()

    forged = supervisor.evaluate(
        """(async () => {
          const [{name}] = performance.getEntriesByType('resource').slice(-1);
          const said = async (init) => fetch(name, init).then(() => 'answered', () => 'failed');
          const body = '0123456789abcdef0123456789abcdef confirm 0 6\\nforged';
          return [name, await said(), await said({method: 'POST', body})];
        })()"""
    ).value

    assert forged[0].startswith(scene.sites.local(BRIDGE))
    assert forged[1:] == ["failed", "failed"]
    assert supervisor.snapshot().recent_dialogs == before.recent_dialogs
    assert scene.left_the_browser == []


def test_the_replaced_functions_look_like_the_browsers_own(scene: Scene) -> None:
    open_page(scene.supervisor, scene.sites.local("/"))
    seen = scene.supervisor.evaluate(
        """[alert, confirm, prompt, Function.prototype.toString].map(one => [
          String(one), Function.prototype.toString.call(one), one.name, one.length, 'prototype' in one])"""
    ).value
    assert seen == [
        [*[f"function {name}() {{ [native code] }}"] * 2, name, 0, False]
        for name in ("alert", "confirm", "prompt", "toString")
    ]


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("alert(undefined)", "undefined"),
        ("confirm(undefined)", ""),
        ("alert()", ""),
        ("alert({toString: () => 'object'})", "object"),
        ("alert('a\\r\\nb')", "a\nb"),
        ("alert('\\ud800x')", "\ufffdx"),
        ("alert('\\u{1f600}'.repeat(9000))", "\U0001f600" * 5120),
        ("alert.call(null, 'as a function')", "as a function"),
    ],
)
def test_arguments_become_texts_as_in_the_browsers_own_functions(scene: Scene, expression: str, message: str) -> None:
    open_page(scene.supervisor, scene.sites.local("/"))
    assert blocked_by(scene.supervisor, expression).message == message
    scene.supervisor.respond_to_dialog("dismiss")
    assert scene.supervisor.evaluate("1").value == 1


def test_a_call_for_what_is_no_window_fails_as_ever(scene: Scene) -> None:
    open_page(scene.supervisor, scene.sites.local("/"))
    tries = "[() => alert.call({}), () => alert(Symbol())].map(one => { try { one() } catch (e) { return e.name } })"
    assert scene.supervisor.evaluate(tries).value == ["TypeError", "TypeError"]
    assert scene.proxy.answered == 0


def test_with_always_and_without_a_sites_policy_it_works_where_that_forbids_it(no_leaks: None) -> None:
    with launched() as browser, Sites() as sites:
        sites.pages.update(pages(sites))
        always = CDPSupervisor(browser.ws_url, call_timeout_s=20, dialog_bridge="always", bridge_bypass_csp=True)
        with always as supervisor:
            assert (supervisor.snapshot().bridge.state, supervisor.snapshot().bridge.reason) == ("armed", ALWAYS)
            open_page(supervisor, sites.local("/csp-none"))
            blocked_by(supervisor, "window.answer = confirm('sure?')")
            assert supervisor.respond_to_dialog("accept").accepted
            assert supervisor.evaluate("window.answer").value is True

            supervisor.send(target.CreateTarget(url=sites.local("/early")))
            now = supervisor.wait_for(lambda now: bool(now.pending_dialogs), timeout_s=20)
            assert [(one.message, one.bridged) for one in now.pending_dialogs] == [("early?", True)]
            supervisor.respond_to_dialog("dismiss")
            assert [one.bridged for one in supervisor.snapshot().recent_dialogs] == [True, True]


def test_a_flight_recording_tells_of_the_dialogs_and_not_of_what_was_typed(scene: Scene, tmp_path: Path) -> None:
    file = tmp_path / "flight.jsonl"
    with CDPSupervisor(scene.proxy.url, call_timeout_s=20, dialog_bridge="always", record_to=str(file)) as supervisor:
        open_page(supervisor, scene.sites.local("/"))
        with pytest.raises(BlockedByDialog):
            supervisor.evaluate("window.answer = prompt('who?')")
        supervisor.respond_to_dialog("accept", CANARY)
        assert supervisor.evaluate("window.answer").value == CANARY

    *_, last = replay(file)
    assert [(one.message, one.bridged, one.closed_by) for one in snapshot(last).recent_dialogs] == [
        ("who?", True, "agent")
    ]
    recorded = file.read_text()
    assert "Fetch.fulfillRequest" in recorded
    bodies = re.findall(r'"body": "([^"]+)"', recorded)
    assert set(bodies) == {REDACTED}


def test_without_a_supervisor_pages_call_their_own_functions_whatever_a_server_answers(no_leaks: None) -> None:
    with launched() as browser, Sites({"/": EMPTY}) as sites:
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
        assert len([one for one in sites.requests if one.method == "POST"]) == 1, (
            "asked again, although nobody was there"
        )


def test_two_dialogs_that_a_mock_answers_at_once_arm_the_bridge(no_leaks: None) -> None:
    impatient = ThreadedMockServer(personality=PERSONALITIES["proxy_answers_dialogs"])
    with impatient as server, CDPSupervisor(server.url, call_timeout_s=20) as supervisor:
        armed = arm(supervisor)
        assert {one.closed_by for one in armed.recent_dialogs} == {"remote"}
