"""Stubs of a test: replies, silence, faults, events, ends of connections."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cdp_typed.mock import (
    Binary,
    Changed,
    Cut,
    Delay,
    Detach,
    Drop,
    Duplicate,
    Ends,
    Fault,
    Hangup,
    InvalidUtf8,
    Malformed,
    Missing,
    MockBrowser,
    NonConforming,
    NoSuchThing,
    NotEnabled,
    Overtaken,
    Padded,
    Preceded,
    Refusal,
    WireFrame,
    WithoutId,
)
from cdp_typed.mock.control.faults import EndConnection as WireEnd
from cdp_typed.mock.control.faults import ReadSlowly
from cdp_typed.protocol import inspector, network, runtime, target
from cdp_typed.protocol import page as pages
from tests.cdp_typed.mock.raw_client import LOCAL, Client

_NO_TARGETS = '{"id":1,"method":"Target.getTargets","params":{"filter":[{"type":"worker"}]}}'
_EMPTY_LIST = '{"id":1,"result":{"targetInfos":[]}}'


def test_a_command_is_answered_as_scripted(browser: MockBrowser, client: Client) -> None:
    browser.on(target.CreateTarget, target.CreateTargetResult(target_id=target.TargetID("T-1")))

    assert client.result("Target.createTarget", {"url": "about:blank"}) == {"targetId": "T-1"}
    assert len(browser.pages) == 1


def test_methods_may_be_given_by_their_names(browser: MockBrowser, client: Client, page: str) -> None:
    browser.on("Target.createTarget", {"targetId": "T-1"})
    browser.hang("Page.reload")
    browser.fault("Page.loadEventFired", Drop())

    assert client.result("Target.createTarget", {"url": "about:blank"}) == {"targetId": "T-1"}
    assert client.lines("Page.reload", {}, page) == []
    assert browser.received("Page.reload") == (pages.Reload(),)
    browser.forget("Page.reload")
    assert "Page.loadEventFired" not in " ".join(client.lines("Page.reload", {}, page))


def test_what_is_not_modelled_is_refused_until_samples_are_wanted(
    browser: MockBrowser, client: Client, page: str
) -> None:
    assert client.error("DOM.getDocument", {}, page)["code"] == -32000

    browser.samples = True
    assert browser.samples
    assert client.result("DOM.getDocument", {}, page)["root"]["nodeName"] == "text"


def test_a_crash_by_a_command_ends_the_connection_without_a_reply(browser: MockBrowser, client: Client) -> None:
    client.post("Browser.crash")

    assert browser.sent == [Hangup(client.connection)]


def test_a_reply_may_depend_on_the_call(browser: MockBrowser, client: Client) -> None:
    browser.on(target.CreateTarget, lambda params: {"targetId": params["url"]})

    assert client.result("Target.createTarget", {"url": "about:blank"}) == {"targetId": "about:blank"}


def test_only_the_nth_call_is_scripted(browser: MockBrowser, client: Client, page: str) -> None:
    browser.on(runtime.Evaluate, Refusal(-32000, "not now"), nth=2)

    answers = [client.evaluate(page, "1") for _ in range(3)]

    assert answers == [
        ["page reply to Runtime.evaluate = 1"],
        ["page refusal of Runtime.evaluate: not now"],
        ["page reply to Runtime.evaluate = 1"],
    ]


def test_the_newest_rule_wins_until_it_is_taken_back(browser: MockBrowser, client: Client) -> None:
    browser.on(target.CreateTarget, {"targetId": "old"})
    browser.on(target.CreateTarget, {"targetId": "new"})

    assert client.result("Target.createTarget", {"url": "about:blank"}) == {"targetId": "new"}
    browser.forget(target.CreateTarget)
    assert client.result("Target.createTarget", {"url": "about:blank"}) == {"targetId": browser.pages[1].id}


def test_a_scripted_result_that_does_not_conform_raises_where_it_is_scripted(browser: MockBrowser) -> None:
    with pytest.raises(NonConforming, match=r"Target\.createTarget: result\.targetId: required, and missing"):
        browser.on(target.CreateTarget, {})


def test_a_reply_that_is_made_wrongly_raises_when_the_call_arrives(browser: MockBrowser, client: Client) -> None:
    browser.on(target.CreateTarget, lambda params: {"targetId": 5})

    with pytest.raises(NonConforming, match=r"result\.targetId: string value expected"):
        client.post("Target.createTarget", {"url": "about:blank"})


def test_a_command_that_hangs_is_not_done(browser: MockBrowser, client: Client, page: str) -> None:
    browser.hang(pages.Navigate)

    assert client.lines("Page.navigate", {"url": f"{LOCAL}/"}, page) == []
    assert browser.pages[0].url == "about:blank"


@pytest.mark.parametrize(
    ("fault", "sent"),
    [
        (Drop(), []),
        (Duplicate(), [_EMPTY_LIST] * 2),
        (Malformed(), ['{"id":1,"result":{']),
        (Binary(), [_EMPTY_LIST.encode()]),
        (InvalidUtf8(), [WireFrame(1, b'{"id":1,"result":{"targetInfos":[]},"broken":"\xff"}', text=True)]),
        (Padded(40), ['{"id":1,"result":{"targetInfos":[]}}    ']),
        (Preceded("[1]"), ["[1]", _EMPTY_LIST]),
        (Preceded({"id": 5}), ['{"id":5}', _EMPTY_LIST]),
        (Missing("result.targetInfos"), ['{"id":1,"result":{}}']),
        (Changed("result.targetInfos", None), ['{"id":1,"result":{"targetInfos":null}}']),
        (WithoutId(), ['{"error":{"code":-32600,"message":"Message must have integer \'id\' property"}}']),
        (Delay(0.25), [WireFrame(1, _EMPTY_LIST, 0.25)]),
        (Cut("reset"), [WireFrame(1, _EMPTY_LIST, half=True), WireEnd(1, "reset")]),
        (Ends("goodbye", 1001), [WireEnd(1, "goodbye", 1001)]),
        (Overtaken(), [WireFrame(1, _EMPTY_LIST, overtaken=True)]),
    ],
)
def test_a_fault_breaks_the_reply_or_leaves_that_to_the_wire(
    fault: Fault, sent: list[str | bytes | WireFrame | WireEnd]
) -> None:
    browser = MockBrowser()
    browser.fault(target.GetTargets, fault)

    browser.receive(browser.connect(), _NO_TARGETS)

    assert browser.sent == [WireFrame(1, item) if isinstance(item, str | bytes) else item for item in sent]


def test_a_field_deep_inside_is_changed(browser: MockBrowser, client: Client) -> None:
    browser.fault(target.GetTargets, Changed("result.targetInfos.0.type", "hologram"))

    assert client.result("Target.getTargets")["targetInfos"][0]["type"] == "hologram"


@pytest.mark.parametrize("path", ["nothing", "result.nothing.deep", "result.targetInfos.9", "result.targetInfos.x", ""])
def test_a_field_that_is_not_there_is_named(browser: MockBrowser, client: Client, path: str) -> None:
    browser.fault(target.GetTargets, Missing(path))

    with pytest.raises(NoSuchThing, match=rf'^no field {path} in {{"id":1,"result":{{"targetInfos":'):
        client.post("Target.getTargets")


def test_an_event_may_be_spoiled_too(browser: MockBrowser, client: Client, page: str) -> None:
    browser.fault(pages.LoadEventFired, Changed("params.timestamp", "noon"), nth=2)

    for timestamp in (1.0, 2.0):
        browser.emit(pages.LoadEventFired(timestamp=network.MonotonicTime(timestamp)))
    browser.forget(pages.LoadEventFired)

    assert [message["params"]["timestamp"] for message in client.take()] == [1.0, "noon"]


def test_a_connection_is_broken_or_read_slowly_by_hand(browser: MockBrowser, client: Client) -> None:
    browser.read_slowly(100)
    browser.end("reset", connection=1)

    assert browser.sent == [ReadSlowly(1, 100), WireEnd(1, "reset")]


def test_a_session_ends_with_the_call_in_flight(browser: MockBrowser, client: Client, page: str) -> None:
    browser.fault(runtime.Evaluate, Detach())

    lines = client.evaluate(page, "1")

    assert lines == ["- Target.detachedFromTarget"]
    assert [call.method for call in browser.pending] == ["Runtime.evaluate"]


def test_the_connections_own_session_cannot_end(browser: MockBrowser, client: Client) -> None:
    browser.fault(target.GetTargets, Detach())

    with pytest.raises(NoSuchThing, match="ends with the connection"):
        client.post("Target.getTargets")


def test_a_fault_keeps_to_the_reply_and_spares_the_events(browser: MockBrowser, client: Client, page: str) -> None:
    browser.fault(pages.Navigate, Drop())

    lines = client.lines("Page.navigate", {"url": f"{LOCAL}/"}, page)

    assert "page Page.frameNavigated top Navigation" in lines
    assert "page reply to Page.navigate" not in lines


def test_an_event_goes_to_everybody_who_enabled_it_or_to_the_session_that_is_named(
    browser: MockBrowser, client: Client, page: str
) -> None:
    other = client.attach(browser.pages[0].id, "other")
    client.enable(other, "Page")

    browser.emit(pages.LoadEventFired(timestamp=1.0))
    assert client.taken() == ["page Page.loadEventFired", "other Page.loadEventFired"]
    browser.emit(pages.LoadEventFired(timestamp=1.0), session=other)
    assert client.taken() == ["other Page.loadEventFired"]


def test_only_what_chrome_sends_unasked_needs_no_enabling(browser: MockBrowser, client: Client) -> None:
    session = client.attach(browser.pages[0].id)

    with pytest.raises(NotEnabled, match=rf"Page\.loadEventFired: session {session} has not enabled Page"):
        browser.emit(pages.LoadEventFired(timestamp=1.0), session=session)
    browser.emit(inspector.TargetCrashed(), session=session)

    assert client.taken() == ["page Inspector.targetCrashed"]


WRONG_CALLS: list[tuple[Callable[[MockBrowser], object], str]] = [
    (lambda browser: browser.emit(pages.LoadEventFired(timestamp=1.0), session="S"), "no session S"),
    (lambda browser: browser.crash("T"), "no target T"),
    (lambda browser: browser.detach("S"), "no session S"),
    (lambda browser: browser.touch("T"), "no target T"),
    (lambda browser: browser.connect("T"), "no target T"),
    (lambda browser: browser.remove_frame("F"), "no iframe F"),
    (lambda browser: browser.frame_named("F"), "no frame is named 'F'"),
    (lambda browser: browser.run("nope", "1"), "no frame nope"),
    (lambda browser: browser.fault(pages.LoadEventFired, Detach()), "Detach is for commands"),
    (lambda browser: browser.on("Page.navigat", None), "no command Page.navigat; did you mean 'Page.navigate'"),
    (lambda browser: browser.hang("page.reload"), "no command page.reload; did you mean 'Page.reload'"),
    (lambda browser: browser.received("Page.closed"), "no command Page.closed; did you mean 'Page.close'"),
    (lambda browser: browser.on("Nothing.like_this", None), r"no command Nothing\.like_this$"),
    (lambda browser: browser.fault("Page.loadEventFire", Drop()), "did you mean 'Page.loadEventFired'"),
    (lambda browser: browser.forget("Page.loadEventFire"), "no command or event Page.loadEventFire; did you mean"),
    (lambda browser: browser.on("Page.loadEventFired", None), "Page.loadEventFired is an event: a test sends it"),
]


@pytest.mark.parametrize(("call", "words"), WRONG_CALLS)
def test_a_wrong_call_is_told_why(browser: MockBrowser, call: Callable[[MockBrowser], object], words: str) -> None:
    with pytest.raises(NoSuchThing, match=words):
        call(browser)


def test_a_frame_is_sent_as_it_is(browser: MockBrowser, client: Client) -> None:
    browser.send_raw("{nonsense")
    browser.send_raw(b"\x00", connection=client.connection)

    assert browser.sent == [WireFrame(1, "{nonsense"), WireFrame(1, b"\x00")]


def test_connections_are_closed_one_or_all(browser: MockBrowser, client: Client) -> None:
    Client(browser)

    browser.close(1001, connection=2)
    browser.close()

    assert browser.sent == [Hangup(2, 1001), Hangup(1, 1000), Hangup(2, 1000)]


def test_a_lone_surrogate_travels_as_its_escape(browser: MockBrowser, client: Client, page: str) -> None:
    client.post("Runtime.evaluate", {"expression": "console.log('\\ud800')"}, page)

    data = [item.data for item in browser.sent if isinstance(item, WireFrame)]
    assert '"value":"\\ud800"' in str(data[0])
