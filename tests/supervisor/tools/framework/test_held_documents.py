"""Documents that are asked for before the requests of their page are held: real Chromium, and a server that counts.

The scope is the whole browser, each tool's own as `mcp --launch` has it, unless a test says otherwise.
"""

from __future__ import annotations

import logging
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from cdp_typed import connect_sync
from cdp_typed.mock import Refusal, ThreadedMockServer
from cdp_typed.protocol import fetch, runtime, target
from supervisor import CDPSupervisor, Config, SupervisorRegistry
from supervisor.core.vocabulary.chromium import LACKS
from supervisor.tools import Policy, Toolbox
from tests.supervisor.tools.conftest import Call, calls, running_in
from tests.supervisor.tools.framework.test_navigation_guard import METADATA, PATIENCE_S, SHOP, Ground, raised

TRIES = 8
"""Without the browser's own session, half of them got out (Chromium 150 and 156)."""
SANDBOXED = f"<iframe sandbox=allow-scripts srcdoc=\"<script>location = '{METADATA}'</script>\"></iframe>"


@pytest.fixture(scope="module")
def ground() -> Iterator[Ground]:
    with raised({"/plain": "plain", "/sandboxed": SANDBOXED}) as ground:
        yield ground


@contextmanager
def tools(cdp_url: str, **settings: Any) -> Generator[tuple[Call, CDPSupervisor]]:
    """The tools, and the supervisor behind them."""
    registry = SupervisorRegistry()
    config = Config(cdp_url=cdp_url, call_timeout_s=PATIENCE_S, **settings)
    call = calls(Toolbox(config, registry=registry, toolsets="all", policy=Policy(deny_private=True)))
    try:
        call("browser_snapshot")
        supervisor = running_in(registry)
        yield call, supervisor
    finally:
        registry.stop_all()


def refusals(supervisor: CDPSupervisor, since: int, count: int) -> None:
    """Wait for so many changes of the kind `navigation_refused`."""
    for _ in range(count):
        since = supervisor.wait_for_change("navigation_refused", since=since, timeout_s=PATIENCE_S).seq


def test_a_sandboxed_srcdoc_iframe_gets_nothing(ground: Ground) -> None:
    with tools(ground.browser.ws_url) as (call, supervisor):
        for _ in range(TRIES):
            cursor = supervisor.snapshot().cursor
            assert call("browser_navigate", url=f"{SHOP}/sandboxed")["success"]
            refusals(supervisor, cursor, 1)

        assert ground.metadata.requests == []
        assert supervisor.snapshot().lacks == ()


def test_a_popup_that_is_closed_at_once_gets_nothing(ground: Ground) -> None:
    with tools(ground.browser.ws_url) as (call, supervisor):
        call("browser_navigate", url=f"{SHOP}/plain")
        for _ in range(TRIES):
            popup = f"const opened = open('{METADATA}'); opened.close(); 1"
            supervisor.send(runtime.Evaluate(expression=f"{{ {popup} }}", user_gesture=True))
            call("browser_navigate", url=f"{SHOP}/plain")

    assert ground.metadata.requests == []


def test_a_page_that_another_client_opens_with_an_address_gets_nothing(ground: Ground) -> None:
    with tools(ground.browser.ws_url) as (_, supervisor):
        with connect_sync(ground.browser.ws_url) as other:
            opened = other.send(target.CreateTarget(url=METADATA)).target_id
        # Its request is refused, or the page is sent away before that: whichever comes first.
        supervisor.wait_for(
            lambda now: (opened, "about:blank") in [(page.target_id, page.url) for page in now.pages],
            timeout_s=PATIENCE_S,
        )

    assert ground.metadata.requests == []


def test_where_a_request_gets_out_its_frame_is_sent_away(ground: Ground, caplog: pytest.LogCaptureFixture) -> None:
    """With pages of others in the browser, only the own ones are held; then the iframe may be a moment too early."""
    with tools(ground.browser.ws_url, scope="own", own_context=True) as (call, supervisor):
        for _ in range(TRIES):
            assert call("browser_navigate", url=f"{SHOP}/sandboxed")["success"]
            supervisor.wait_for(
                lambda now: (
                    [frame.url for frame in now.frame_tree.children]
                    in (["about:blank"], ["chrome-error://chromewebdata/"])
                ),
                timeout_s=PATIENCE_S,
            )
    got_out = len(ground.metadata.requests)
    ground.metadata.requests.clear()

    told = [record.getMessage() for record in caplog.records if record.name == "supervisor.tools.guard"]
    assert len(told) <= got_out
    assert set(told) <= {
        "a frame that no request told of is sent away: http://169.254.169.254 is refused by the policy: "
        "it is a private address, and deny_private is on (mcp --allow-private allows it)"
    }


def test_a_browser_that_cannot_hold_requests_is_reported(caplog: pytest.LogCaptureFixture) -> None:
    with ThreadedMockServer() as mock:
        mock.browser.on(fetch.Enable, Refusal(-32601, "'Fetch.enable' wasn't found"))
        with caplog.at_level(logging.WARNING), tools(mock.url) as (call, supervisor):
            call("browser_navigate", url="about:blank#1")
            lacks = supervisor.snapshot().lacks

    gaps = (LACKS["hold_requests"], LACKS["hold_all_requests"])
    assert lacks == gaps
    assert [record.getMessage() for record in caplog.records if record.name == "supervisor.tools.guard"] == [
        f"the policy has gaps on this browser: {'; '.join(gaps)}"
    ]
