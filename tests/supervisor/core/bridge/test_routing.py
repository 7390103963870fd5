"""Routes of callers, in the core: which request they take, and what the browser gets for it."""

from __future__ import annotations

import time
from typing import Any

import pytest
from msgspec.structs import replace

from cdp_typed.errors import CommandError
from cdp_typed.helpers.shared.har.har_answers import HarAnswer
from cdp_typed.protocol import fetch
from supervisor import UrlRules
from supervisor.core.vocabulary import inputs
from supervisor.core.vocabulary.command_tags import RequestAnswered
from supervisor.core.vocabulary.effects import Arm, CommandResult, CompleteCall, Send
from supervisor.core.vocabulary.errors import UnknownRoute
from supervisor.core.vocabulary.requests import Route, RouteAdded, RoutesRemoved
from supervisor.core.vocabulary.timers import RouteDelay
from tests.support.core.bridge import paused
from tests.support.core.play import PAGE, Core, with_page

REQUEST = fetch.RequestId("r-1")
LET_GO = fetch.ContinueRequest(request_id=REQUEST)
ABORTED = fetch.FailRequest(request_id=REQUEST, error_reason="Failed")
ANSWERED = RequestAnswered(PAGE, REQUEST)
URL = "http://a.test/api/users?page=1"


def add(core: Core, pattern: str = "*", **fields: object) -> object:
    """Add a route that aborts, and return the outcome of the call."""
    route = replace(Route(pattern=pattern, action="abort"), **fields)
    (outcome,) = [e.outcome for e in core.play(RouteAdded(call_id="c-1", route=route)) if isinstance(e, CompleteCall)]
    return outcome


def answers(core: Core, url: str = URL, *, type: str = "Fetch", method: str = "GET") -> list[object]:
    """The commands of the Fetch domain that follow a held request."""
    effects = core.play(paused(url, type=type, method=method))
    return [e.command for e in effects if isinstance(e, Send) and e.command.METHOD.startswith("Fetch.")]


@pytest.mark.parametrize(
    "fields",
    [
        {"action": "answer", "status": 99},
        {"action": "change", "headers": (fetch.HeaderEntry(name="a\n", value="b"),)},
        {"action": "replay", "answers": (HarAnswer(method="GET", url=URL, status=99),)},
        {"action": "answer", "delay_s": 1.0},
    ],
)
def test_a_request_fails_whose_answer_the_browser_refuses(fields: dict[str, Any]) -> None:
    core = with_page()
    add(core, **fields)
    effects = core.play(paused(URL, type="Fetch"))
    effects += core.play(inputs.TimerFired(RouteDelay(PAGE, REQUEST))) if "delay_s" in fields else []
    (sent,) = [e for e in effects if isinstance(e, Send) and e.tag is not None]
    assert sent.tag is not None
    refusal = CommandError(-32602, "Invalid header", method=sent.command.METHOD, session=PAGE)

    effects = core.play(inputs.CommandFailed(sent.tag, refusal))

    assert [(e.command, e.session_id) for e in effects if isinstance(e, Send)] == [(ABORTED, PAGE)]


def test_a_route_of_some_types_takes_no_others_and_the_browser_holds_no_others() -> None:
    core = with_page()
    effects = core.play(RouteAdded(call_id="c-1", route=Route(pattern="*", action="abort", types=("Image", "Font"))))

    (enabling,) = [e.command for e in effects if isinstance(e, Send) and isinstance(e.command, fetch.Enable)]
    assert [pattern.resource_type for pattern in enabling.patterns or ()] == ["Image", "Font"]
    assert answers(core, type="Font") == [ABORTED]
    assert answers(core, type="XHR") == [LET_GO]


@pytest.mark.parametrize(
    ("pattern", "matches"),
    [
        ("*", True),
        ("http://a.test/api/users?page=1", True),
        ("*/users?page=*", True),
        ("*/users?page=1*", True),
        ("*api*page*1", True),
        ("*/user?page=1", False),
        ("*/users", False),
        ("/api/*", False),
        ("*users?*users*", False),
        ("*.test/api/users.page=1", False),
    ],
)
def test_a_pattern_means_the_whole_url(pattern: str, matches: bool) -> None:
    core = with_page()
    add(core, pattern)

    assert answers(core) == [ABORTED if matches else LET_GO]


def test_a_pattern_with_many_stars_is_matched_in_time() -> None:
    core = with_page()
    add(core, "*a" * 50 + "*b")
    begun = time.process_time()

    answers(core, "http://a.test/" + "a" * 5_000)

    assert time.process_time() - begun < 1


def test_the_browser_holds_the_patterns_of_routes_and_nothing_after_them() -> None:
    core = with_page()
    effects = core.play(RouteAdded(call_id="c-1", route=Route(pattern="*/x", action="abort", times=1)))
    enable = fetch.Enable(patterns=[fetch.RequestPattern(url_pattern="*/x")])
    assert [e for e in effects if isinstance(e, Send | CompleteCall)] == [
        Send(command=enable, session_id=PAGE, tag=effects[0].tag),  # type: ignore[union-attr]
        CompleteCall("c-1", CommandResult("route-1")),
    ]

    assert answers(core, "http://a.test/x") == [ABORTED, fetch.Disable()]
    assert answers(core, "http://a.test/x") == [LET_GO]


def test_a_request_that_was_held_for_a_removed_route_goes_on() -> None:
    core = with_page()
    core.play(inputs.UrlRulesAdded(UrlRules(deny_origins=("evil.test",))))  # without rules, `Fetch.disable` releases it
    add(core)
    core.play(RoutesRemoved(call_id="c-2", route_id=None))

    assert answers(core) == [LET_GO]


def test_a_removal_names_what_it_removed() -> None:
    core = with_page()
    add(core)
    add(core)

    def removed(route_id: str | None) -> object:
        return core.play(RoutesRemoved(call_id="c-2", route_id=route_id))[-1]

    assert removed("route-1") == CompleteCall("c-2", CommandResult(("route-1",)))
    unknown = removed("route-1")
    assert isinstance(unknown, CompleteCall)
    assert isinstance(unknown.outcome, UnknownRoute)
    assert removed(None) == CompleteCall("c-2", CommandResult(("route-2",)))


def test_a_delayed_request_waits_for_its_timer() -> None:
    core = with_page()
    add(core, delay_s=2.0)
    effects = core.play(paused(URL, type="Fetch", method="GET"))
    timer = RouteDelay(PAGE, REQUEST)
    assert effects == [Arm(timer, 2.0)]

    assert core.play(inputs.TimerFired(timer)) == [Send(command=ABORTED, session_id=PAGE, tag=ANSWERED)]
    assert core.play(inputs.TimerFired(timer)) == []


def test_url_rules_refuse_a_document_before_a_route_answers_it() -> None:
    core = with_page().after(inputs.UrlRulesAdded(UrlRules(deny_origins=("evil.test",))))
    add(core, action="answer")

    refused = fetch.FailRequest(request_id=REQUEST, error_reason="BlockedByClient")
    assert answers(core, "http://evil.test/", type="Document") == [refused]
    (answer,) = answers(core, "http://a.test/", type="Document")
    assert isinstance(answer, fetch.FulfillRequest)


def response(**changes: object) -> inputs.EventReceived:
    held = paused(URL, type="Fetch", method="GET")
    assert isinstance(held.event, fetch.RequestPaused)
    headers = (fetch.HeaderEntry(name="Content-Encoding", value="gzip"), fetch.HeaderEntry(name="X-Old", value="1"))
    return replace(held, event=replace(held.event, response_status_code=404, response_headers=headers, **changes))


def test_a_response_is_held_by_its_own_pattern_and_changed_without_its_request() -> None:
    core = with_page()
    route = Route(pattern="*", action="change_response", headers=(fetch.HeaderEntry(name="x-old", value=""),))
    enabling, _ = core.play(RouteAdded(call_id="c-1", route=route))
    assert isinstance(enabling, Send)
    pattern = fetch.RequestPattern(url_pattern="*", request_stage="Response")
    assert enabling.command == fetch.Enable(patterns=[pattern])

    assert answers(core) == [LET_GO]
    (changed,) = core.play(response())
    encoding = fetch.HeaderEntry(name="Content-Encoding", value="gzip")
    assert changed == Send(
        command=fetch.ContinueResponse(request_id=REQUEST, response_code=404, response_headers=[encoding]),
        session_id=PAGE,
        tag=ANSWERED,
    )


OLD = fetch.HeaderEntry(name="X-Old", value="1")
REPLACED = fetch.FulfillRequest(request_id=REQUEST, response_code=200, response_headers=[OLD], body="dGVh")


@pytest.mark.parametrize(
    ("fields", "held", "command"),
    [({"body_base64": "dGVh"}, response(), REPLACED), ({}, response(response_error_reason="Failed"), LET_GO)],
    ids=["another body comes without the headers of its transfer", "one that failed is left to fail"],
)
def test_a_route_of_responses_changes_them(
    fields: dict[str, str], held: inputs.EventReceived, command: fetch.FulfillRequest | fetch.ContinueRequest
) -> None:
    core = with_page()
    add(core, action="change_response", status=200, **fields)

    assert core.play(held) == [Send(command=command, session_id=PAGE, tag=ANSWERED)]


def test_a_replay_answers_from_the_file_and_fails_the_rest() -> None:
    core = with_page()
    tea = HarAnswer(method="GET", url=URL, status=200, body_base64="dGVh")
    add(core, action="replay", answers=(tea,))

    assert answers(core) == [tea.command(REQUEST)]
    assert answers(core, method="POST") == answers(core, "http://a.test/other") == [ABORTED]


def test_a_method_limits_a_route() -> None:
    core = with_page()
    add(core, method="POST")

    assert (answers(core), answers(core, method="POST")) == ([LET_GO], [ABORTED])


def test_a_route_that_is_used_up_gives_way_to_an_older_one() -> None:
    core = with_page()
    add(core, action="answer")
    add(core, times=1)

    assert answers(core) == [ABORTED]
    (answer,) = answers(core)
    assert isinstance(answer, fetch.FulfillRequest)
