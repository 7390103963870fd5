"""The bridge in the core: when it is armed, what its script's requests become, how it is taken down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from cdp_typed.errors import CommandTimeout, InvalidParams
from cdp_typed.protocol import dom, fetch, page
from supervisor import BridgeInfo, DialogReceipt, PendingDialog
from supervisor.core.bridge.bridge import SHOWN
from supervisor.core.vocabulary import bridge_protocol, command_tags, inputs, timers
from supervisor.core.vocabulary.effects import Arm, Disarm
from supervisor.core.vocabulary.values import BridgeMode, DialogPolicy
from tests.support.core.bridge import SECRET, armed, asked, asking, bridged, commands, owned, paused, ready, replied
from tests.support.core.play import (
    INNER,
    OOPIF,
    PAGE,
    TOP,
    answer,
    attached,
    closed,
    confirmed,
    context,
    detached,
    opening,
    sent,
    told,
    with_oopif,
    with_page,
)

INSTALL = (page.AddScriptToEvaluateOnNewDocument, page.SetBypassCSP, fetch.Enable, fetch.Disable)
NO_SUCH = InvalidParams(-32602, "Invalid InterceptionId.", method="m", session=None)
TIMED_OUT = CommandTimeout("m", session=None, timeout=1.0)


def late(dialog_id: str) -> inputs.CommandFailed:
    return inputs.CommandFailed(command_tags.DialogAnswer(dialog_id), NO_SUCH)


QUICK, LEAVING = (opening(), closed(False)), (opening(kind="beforeunload"), closed(False))
OURS = [one for number in range(1, 4) for one in (*QUICK, confirmed(f"d-{number}"))]
GOING = (opening(), detached(PAGE), attached("again", TOP), opening(session="again"), detached("again"))
SEEN: dict[str, tuple[DialogPolicy, BridgeMode, Sequence[inputs.Input], bool]] = {
    "one that somebody else answers at once": ("must_respond", "auto", QUICK, False),
    "two in a row": ("must_respond", "auto", QUICK * 2, True),
    "four, with `never`": ("must_respond", "never", QUICK * 4, False),
    "what we answer ourselves": ("auto_dismiss", "auto", OURS, False),
    "that, with `never`": ("auto_dismiss", "never", OURS, False),
    "answers of ours that come too late": ("auto_accept", "auto", [*QUICK, late("d-1"), *QUICK, late("d-2")], True),
    "questions whether to leave": ("must_respond", "auto", LEAVING * 3, False),
    "those, and a page that goes": ("must_respond", "auto", [*LEAVING * 3, *GOING], False),
}


@pytest.mark.parametrize(("policy", "mode", "received", "arms"), SEEN.values(), ids=SEEN)
def test_which_dialogs_arm_it(
    policy: DialogPolicy, mode: BridgeMode, received: Sequence[inputs.Input], arms: bool
) -> None:
    core = bridged(with_page(policy), mode)

    installs = commands(sent(core.play(*received)), *INSTALL)

    assert (core.seen.bridge.state, bool(installs)) == (("armed", True) if arms else ("off", False))


def test_a_dialog_that_stays_open_for_a_person_in_between_starts_the_count_anew() -> None:
    core = bridged(with_page(), "auto").after(*QUICK, opening())
    core.now += 3.0
    core.play(closed(False), *QUICK)
    assert core.seen.bridge == BridgeInfo()
    core.play(*QUICK)
    assert core.seen.bridge.state == "armed"


def test_it_is_armed_for_all_sessions_and_that_is_told() -> None:
    core, effects = armed(with_oopif())

    assert commands(sent(effects), *INSTALL) == [
        (PAGE, "Page.addScriptToEvaluateOnNewDocument"),
        (OOPIF, "Page.addScriptToEvaluateOnNewDocument"),
        (PAGE, "Fetch.enable"),
        (OOPIF, "Fetch.enable"),
    ]
    assert core.seen.bridge == BridgeInfo(state="armed", reason=SHOWN)
    changes = [change for change in core.state.world.change_log.changes if change.kind == "bridge"]
    assert [(change.subject, change.text) for change in changes] == [("armed", SHOWN)]


@pytest.mark.parametrize("bypasses_csp", [True, False])
def test_with_always_a_session_has_it_before_its_first_script(bypasses_csp: bool) -> None:
    core = bridged(with_page(), bypasses_csp=bypasses_csp)
    sends = sent(core.play(attached("s", "t", opener=TOP, waiting=True)))
    methods = [send.command.METHOD for send in sends if send.session_id == "s"]

    wanted = ["Page.addScriptToEvaluateOnNewDocument", "Fetch.enable", "Runtime.runIfWaitingForDebugger"]
    assert [method for method in methods if method in wanted] == wanted
    assert ("Page.setBypassCSP" in methods) is bypasses_csp


def test_a_request_of_the_script_is_a_dialog_like_any_other() -> None:
    core = ready()
    effects = core.play(asking("name?\r\n\U0001f600", "prompt", "nobody"))

    assert asked(core) == [
        PendingDialog(
            id="d-3",
            type="prompt",
            message="name?\n\U0001f600",
            default_prompt="nobody",
            url="http://a.test/",
            frame_id=TOP,
            target_id=TOP,
            session_id=PAGE,
            opened_at=1000.0,
            bridged=True,
        )
    ]
    assert Arm(timers.DialogWatchdog("d-3"), 300.0) in effects
    assert Arm(timers.BridgeProbe("d-3"), 1.0) in effects


@pytest.mark.parametrize(
    ("kind", "action", "text", "said", "user_input"),
    [
        ("alert", "accept", None, [True, ""], ""),
        ("confirm", "dismiss", None, [False, ""], ""),
        ("prompt", "accept", None, [True, "preset"], "preset"),
        ("prompt", "accept", "", [True, ""], ""),
        ("prompt", "accept", "text", [True, "text"], "text"),
    ],
)
def test_the_answer_goes_back_to_the_script(
    kind: str, action: Any, text: str | None, said: list[Any], user_input: str
) -> None:
    core = ready().after(asking("?", kind, "preset"))

    effects = core.play(answer(action, text))
    assert replied(sent(effects)) == [(PAGE, "r-1", ["answer", *said])]

    effects = core.play(confirmed("d-3"))
    receipt = DialogReceipt(dialog_id="d-3", accepted=said[0], closed_by="agent", user_input=user_input)
    assert told(effects) == {"answer": receipt}
    assert Disarm(timers.BridgeProbe("d-3")) in effects
    assert core.seen.recent_dialogs[-1].bridged


OWN = bridge_protocol.session_keys(SECRET, PAGE)
URL = f"http://a.test{OWN.path}"
PROVEN = f"{OWN.nonce} alert 0 0\n"


@pytest.mark.parametrize(
    "request_of_the_page",
    [
        paused(URL, body="00 alert 0 1\nx"),
        paused(URL, body=""),
        paused(URL, body=f"{OWN.nonce} print 0 0\n"),
        paused(URL, body=f"{OWN.nonce} alert 0 -1\n"),
        paused(URL, body=f"{bridge_protocol.session_keys(SECRET, OOPIF).nonce} alert 0 0\n"),
        paused(f"http://a.test/elsewhere?{OWN.path}", body=PROVEN),
        paused(f"http://u@a.test{OWN.path}", body=PROVEN),
        paused(URL, body=PROVEN, method="PUT"),
        paused(URL, body=PROVEN, type="Image"),
        paused(URL, body=PROVEN, fragment="#x"),
    ],
)
def test_a_request_that_the_script_did_not_make_fails(request_of_the_page: inputs.EventReceived) -> None:
    core = ready()
    (send,) = sent(core.play(request_of_the_page))
    assert send.command == fetch.FailRequest(request_id=fetch.RequestId("r-1"), error_reason="BlockedByClient")
    assert (asked(core), core.state.world.bridge.refused) == ([], 1)


def test_what_a_caller_has_the_browser_hold_is_left_to_the_caller() -> None:
    assert ready().play(paused("http://a.test/other")) == []
    assert bridged(with_page(), "auto").play(asking()) == []


@pytest.mark.parametrize("attributes", [(), ("sandbox", "allow-scripts ALLOW-MODALS"), ("src", "sandbox")])
def test_an_iframe_that_may_show_dialogs_asks_like_a_page(attributes: tuple[str, ...]) -> None:
    core, _ = armed(with_oopif())
    assert core.play(asking(session=OOPIF, frame_id=INNER)) == []  # it is not known yet whether it may
    core.play(*owned(OOPIF, *attributes))
    assert [(dialog.frame_id, dialog.session_id, dialog.target_id) for dialog in asked(core)] == [(INNER, OOPIF, TOP)]


def test_in_a_sandbox_without_dialogs_the_page_calls_its_own_function_and_nobody_is_told() -> None:
    core, _ = armed(with_oopif())
    effects = core.after(asking(session=OOPIF, frame_id=INNER)).play(*owned(OOPIF, "sandbox", "allow-scripts"))
    assert replied(sent(effects)) == [(OOPIF, "r-1", ["native"])]
    assert (asked(core), core.seen.bridge.native) == ([], ())


def test_where_nobody_says_whether_it_may_the_page_calls_its_own_function_and_that_is_told_once() -> None:
    core, _ = armed(with_oopif())
    for number in range(2):
        effects = core.play(asking(session=OOPIF, frame_id=INNER, request_id=f"r-{number}"))
        assert commands(sent(effects), dom.GetFrameOwner) == ([(PAGE, "DOM.getFrameOwner")] if number else [])
        effects = core.play(inputs.CommandFailed(command_tags.BridgeOwner(OOPIF), TIMED_OUT))
        assert replied(sent(effects)) == [(OOPIF, f"r-{number}", ["native"])]
    assert core.seen.bridge.native == ("http://b.test",)
    native = [change.text for change in core.state.world.change_log.changes if change.subject == "native"]
    assert native == ["http://b.test"]


def test_a_sandbox_around_a_whole_page_is_left_to_the_browser() -> None:
    core = ready()

    assert replied(sent(core.play(asking(sandboxed=True)))) == [(PAGE, "r-1", ["native"])]
    assert core.seen.bridge.native == ("http://a.test",)


@pytest.mark.parametrize(
    ("of_scripts", "told"), [("://", "null"), ("http://c.test", "http://c.test"), ("", "http://a.test")]
)
def test_the_origin_that_is_told_is_that_of_the_scripts(of_scripts: str, told: str) -> None:
    for events in ((asking(sandboxed=True),), (opening(),)):
        core = ready()
        core.play(context(PAGE, TOP, "another", of_scripts, number=9), *events)
        assert core.seen.bridge.native == (told,)


def test_a_native_dialog_all_the_same_is_told_once_for_each_origin() -> None:
    core = ready().after(*QUICK, *QUICK, opening(kind="beforeunload"))
    assert core.seen.bridge.native == ("http://a.test",)


def test_dialogs_of_two_frames_of_a_tab_are_both_answerable() -> None:
    inner = asking("inner", session=OOPIF, frame_id=INNER, request_id="r-2")
    core = ready().after(asking("outer"), inner, opening("native"))
    shown = [(dialog.message, dialog.answerable) for dialog in core.seen.pending_dialogs]
    assert shown == [("outer", True), ("inner", True), ("native", True)]
    core.play(closed(False))
    assert [dialog.message for dialog in core.seen.pending_dialogs] == ["outer", "inner"]
