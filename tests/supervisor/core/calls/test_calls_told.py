"""What is told of calls that have not ended."""

from __future__ import annotations

from cdp_typed.protocol import system_info
from supervisor.core.snapshot import calls
from supervisor.core.vocabulary import inputs, requests
from supervisor.core.vocabulary.values import CallInfo
from tests.support.core.navigations import CLOSE, NAVIGATE, RELOAD, URL
from tests.support.core.play import PAGE, TOP, Core, evaluate, opening, with_page


def told_of(core: Core) -> list[tuple[str, str, str]]:
    return [(call.what, call.text, call.waits_for) for call in calls(core.state)]


def test_an_expression_waits_for_the_page() -> None:
    core = with_page()
    core.play(evaluate("6*7"))

    (told,) = calls(core.state)

    assert told == CallInfo(
        id="call", what="Runtime.evaluate", text="6*7", frame_id=TOP, since=core.now, waits_for="an answer of the page"
    )


def test_what_is_long_is_cut() -> None:
    core = with_page()
    core.play(evaluate("x" * 1000))

    assert len(calls(core.state)[0].text) == 200


def test_a_command_of_the_browser_shows_no_parameters() -> None:
    core = with_page()
    core.play(requests.CallRequested(call_id="call", work=system_info.GetInfo(), frame_id=None, timeout_s=5))

    assert told_of(core) == [("SystemInfo.getInfo", "", "an answer of the browser")]


def test_a_page_that_is_left_is_told_by_what_it_waits_for() -> None:
    assert [told_of(playing(request)) for request in (NAVIGATE, RELOAD, CLOSE)] == [
        [("Page.navigate", URL, "the new document")],
        [("Page.reload", "", "the new document")],
        [("Target.closeTarget", "", "the end of the page")],
    ]


def test_a_dialog_of_the_page_is_told() -> None:
    core = with_page()
    core.play(opening(PAGE, "alert"), NAVIGATE)

    assert told_of(core) == [("Page.navigate", URL, "the page, which shows d-1")]


def test_a_lost_connection_is_told() -> None:
    core = with_page()
    core.play(inputs.Disconnected("gone"), evaluate("1"))

    assert told_of(core) == [("Runtime.evaluate", "1", "the connection to the browser")]


def playing(request: requests.Request) -> Core:
    core = with_page()
    core.play(request)
    return core
