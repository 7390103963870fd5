"""The dialog bridge as pages see it, on real Chromium behind a proxy that answers every dialog."""

from __future__ import annotations

import pytest

from cdp_typed.protocol import page
from supervisor import DialogAction, DialogAlreadyClosed, DialogRule
from tests.support.stages.bridged_scene import BRIDGE, Scene, blocked_by, frame_named
from tests.support.stages.stages import is_loaded, open_page


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


def test_a_dialog_of_the_first_script_is_bridged(scene: Scene) -> None:
    supervisor = scene.supervisor
    supervisor.send(page.Navigate(url=scene.sites.local("/early")))
    now = supervisor.wait_for(lambda now: bool(now.pending_dialogs), timeout_s=20)

    assert [(dialog.message, dialog.bridged) for dialog in now.pending_dialogs] == [("early?", True)]
    supervisor.respond_to_dialog("accept")

    supervisor.wait_for(is_loaded, timeout_s=20)
    assert supervisor.evaluate("window.early").value is True


def test_two_frames_ask_at_once_and_each_gets_its_own_answer(scene: Scene) -> None:
    supervisor = scene.supervisor
    open_page(supervisor, scene.sites.local("/frames"))
    inner = frame_named(supervisor, "oopif")

    first = blocked_by(supervisor, "window.answer = prompt('outer')")
    second = blocked_by(supervisor, "window.answer = prompt('inner')", inner)
    assert [(dialog.id, dialog.answerable) for dialog in supervisor.snapshot().pending_dialogs] == [
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


def test_the_default_of_a_prompt_is_not_cut(scene: Scene) -> None:
    """Chromium cuts the message of a native one, and hands its default back whole."""
    open_page(scene.supervisor, scene.sites.local("/"))
    blocked_by(scene.supervisor, "window.answer = prompt('m'.repeat(20000), 'd'.repeat(30000))")

    (dialog,) = scene.supervisor.snapshot().pending_dialogs
    scene.supervisor.respond_to_dialog("accept")

    assert (len(dialog.message), len(dialog.default_prompt)) == (10240, 30000)
    assert scene.supervisor.evaluate("answer.length").value == 30000


def test_a_call_for_what_is_no_window_fails_as_ever(scene: Scene) -> None:
    open_page(scene.supervisor, scene.sites.local("/"))
    tries = "[() => alert.call({}), () => alert(Symbol())].map(one => { try { one() } catch (e) { return e.name } })"
    assert scene.supervisor.evaluate(tries).value == ["TypeError", "TypeError"]
    assert scene.proxy.answered == 0
