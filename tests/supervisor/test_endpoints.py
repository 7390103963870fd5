"""A supervisor that is pointed at the wrong thing says so, in time, and leaves nothing behind."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

import pytest

from cdp_typed import EndpointError, NotABrowser
from supervisor import CDPSupervisor
from tests.support.runs.deadlines import LATE_S
from tests.support.servers.inspector import inspector
from tests.support.stages.stages import Stage


def refusal(cdp_url: str) -> EndpointError:
    """It must not wait for its deadline: that is later than the test's."""
    with pytest.raises(EndpointError) as caught:
        CDPSupervisor(cdp_url).start(timeout_s=LATE_S)
    return caught.value


def test_a_browser_that_never_comes_is_an_error_after_a_while(no_leaks: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("supervisor.driver.reconnecting_connection.STARTING_S", 0.3)
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        assert refusal(f"127.0.0.1:{closed.getsockname()[1]}").retryable


def test_a_single_pages_websocket_is_told_as_that(stage: Stage) -> None:
    with CDPSupervisor(stage.cdp_url) as supervisor:
        target_id = supervisor.snapshot().pages[0].target_id

        error = refusal(f"ws://{urlsplit(stage.cdp_url).netloc}/devtools/page/{target_id}")

    assert isinstance(error, NotABrowser)
    assert "the websocket of a single page; give the address of its browser" in str(error)


def test_an_inspector_of_javascript_is_told_as_that(no_leaks: None) -> None:
    """Both of its addresses are refused: that of its port, which says so, and that of its script, which does not."""
    with inspector() as node:
        for address in (node.http_url, node.ws_url()):
            error = refusal(address)

            assert isinstance(error, NotABrowser)
            assert "an inspector of JavaScript, such as Node's or Deno's, where there are no pages" in str(error)
