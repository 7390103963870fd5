"""Two tasks in one Chromium: no raw command leads from one to the other, however it is tried."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from cdp_typed import connect_sync
from cdp_typed.errors import CDPError
from cdp_typed.mock import ThreadedMockServer
from cdp_typed.protocol import target
from supervisor import Config, SupervisorRegistry
from supervisor.tools import Policy, Toolbox
from tests.attacks.other_tasks import WAYS, Other, Params, Way, play
from tests.attacks.two_tasks import PLACE, SECRET, Ground, Judge, ground_of, judged
from tests.supervisor.tools.conftest import Call, calls, running_in
from tests.support.browsers import launched

ENDS_THE_BROWSER = {"Browser.close", "Browser.crash"}
SETTINGS: dict[str, dict[str, Any]] = {
    "a task of a fleet": {"scope": "own", "own_context": True},
    "a task of a fleet with a policy": {"scope": "own", "own_context": True},
    "beside a person": {"scope": "own"},
    "beside a person, in a context": {"scope": "own", "own_context": True},
    "the whole browser with a policy": {},
}
MOST_SHARED = "beside a person"
"""The setting in which tasks share most, and nothing but the limits of raw commands keeps them apart."""


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ground]:
    with ExitStack() as stack:
        browser = stack.enter_context(launched(omnibox=False))
        yield ground_of(stack, browser, tmp_path_factory.mktemp("machine"))


def tools(ground: Ground, registry: SupervisorRegistry, policy: Policy | None = None, **settings: Any) -> Call:
    config = Config(cdp_url=ground.browser.ws_url, call_timeout_s=20, **settings)
    return calls(Toolbox(config, registry=registry, toolsets="all", policy=policy))


def page_of_another(ground: Ground, *, alone: bool) -> str:
    """Open the page with the secrets, in a browser context of its own or in that of the browser's person."""
    with connect_sync(ground.browser.ws_url) as connection:
        context = None
        if alone:
            context = connection.send(target.CreateBrowserContext(dispose_on_detach=False)).browser_context_id
        opened = connection.send(target.CreateTarget(url=ground.theirs, browser_context_id=context))
        return str(opened.target_id)


def sending(call: Call) -> Callable[[str, Params, Params], dict[str, Any]]:
    def send(method: str, params: Params, named: Params) -> dict[str, Any]:
        return call("browser_cdp", method=method, params=dict(params), timeout=10, **named)

    return send


def came_of(way: Way, judge: Judge, send: Callable[[str, Params, Params], dict[str, Any]], before: str) -> str:
    """What a way has achieved, in a word; nothing when it has not worked."""
    answers = [*play(way, judge.other, send)]
    if all(answer.get("error_type") == "Refused" for answer in answers):
        return ""
    told = json.dumps(answers)
    if SECRET in told or PLACE in told:
        return "told"
    try:
        return "" if judge.state() == before else "changed"
    except CDPError:
        return "gone"


@pytest.mark.parametrize(
    "case", [case if case == MOST_SHARED else pytest.param(case, marks=pytest.mark.thorough) for case in SETTINGS]
)
def test_no_way_leads_to_the_other_task(ground: Ground, registry: SupervisorRegistry, case: str) -> None:
    their_target = page_of_another(ground, alone="person" not in case)
    policy = Policy(deny_origins=(ground.theirs_origin,)) if "policy" in case else None
    call = tools(ground, registry, policy, **SETTINGS[case])
    assert call("browser_tabs", action="open", url=ground.ours)["success"]

    with judged(ground, our_target(registry), their_target) as judge:
        before = judge.state()
        assert SECRET in before
        worked = {way.name: came_of(way, judge, sending(call), before) for way in WAYS}
        after = judge.state()

    assert {name: how for name, how in worked.items() if how} == {}
    assert after == before
    assert call("browser_evaluate", expression="location.href")["value"] == ground.ours


def our_target(registry: SupervisorRegistry) -> str:
    running = running_in(registry)
    return next(page.target_id for page in running.snapshot().pages if page.is_current)


def test_the_same_ways_work_where_nothing_is_shared(ground: Ground, registry: SupervisorRegistry) -> None:
    """With the whole browser and without a policy, the ways are no more than raw commands, and lead there."""
    their_target = page_of_another(ground, alone=True)
    call = tools(ground, registry)
    call("browser_tabs", action="open", url=ground.ours)
    ways = {way.name: way for way in WAYS}

    with judged(ground, our_target(registry), their_target) as judge:
        names = (
            "Target.getTargets",
            "Target.getTargetInfo",
            "a session of the other page",
            "the tool's target",
            "a redirect to the other page",
            "a file of the machine",
        )
        came = {name: came_of(ways[name], judge, sending(call), judge.state()) for name in names}
        closed = call("browser_cdp", method="Target.closeTarget", params={"targetId": their_target})

    assert came == dict.fromkeys(names, "told") | {"a session of the other page": "changed", "the tool's target": ""}
    assert closed["success"]


def test_without_a_policy_and_other_tasks_every_command_is_sent(registry: SupervisorRegistry) -> None:
    other = Other(
        target="T", context="C", url="http://b.test/", origin="http://b.test", storage_key="http://b.test/", node=1,
        window=1, redirect="http://a.test/", own_target="T", own_frame="T", file="/a", folder="/",
    )  # fmt: skip
    with ThreadedMockServer() as mock:
        call = calls(Toolbox(Config(cdp_url=mock.url, call_timeout_s=10), registry=registry, toolsets="all"))
        answers = {
            way.name: [answer.get("error_type") for answer in play(way, other, sending(call))]
            for way in WAYS
            if way.name not in ENDS_THE_BROWSER
        }
        registry.stop_all()

    assert {name: said for name, said in answers.items() if "Refused" in said} == {}
    assert len(WAYS) >= 60
