"""A navigation ends when the page can be used, and says what is not there yet; on real Chromium."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from supervisor import Config, SupervisorRegistry
from supervisor.tools import Toolbox
from tests.supervisor.tools.conftest import Call, calls
from tests.support.browsers import launched
from tests.support.servers.sites import Request, Sites

pytestmark = pytest.mark.chromium


@pytest.fixture(scope="module")
def call() -> Iterator[Call]:
    """Calls of all tools, in one browser."""
    registry = SupervisorRegistry()
    with launched(omnibox=False) as browser:
        yield calls(Toolbox(Config(cdp_url=browser.ws_url), registry=registry, toolsets="all"))
        registry.stop_all()


def test_a_picture_that_never_comes_does_not_keep_the_page_from_being_used(call: Call) -> None:
    is_over = threading.Event()

    def never(request: Request) -> str:
        is_over.wait(60)
        return ""

    with Sites({"/page": "<title>Slow</title><button>Buy</button><img src=/never>", "/never": never}) as sites:
        began = time.monotonic()
        told = call("browser_navigate", url=sites.local("/page"))
        took = time.monotonic() - began
        seen = call("browser_snapshot")["page"]
        is_over.set()

    assert (told["success"], told["title"], told["loaded"]) == (True, "Slow", False)
    assert took < 30  # the time that the call has
    assert 'button "Buy"' in seen


def test_a_page_that_crashes_while_it_loads_is_told_by_the_call(call: Call) -> None:
    with Sites({"/page": "<title>Fine</title>"}) as sites:
        call("browser_navigate", url=sites.local("/page"))
        told = call("browser_navigate", url="chrome://crash")
        after = call("browser_navigate", url=sites.local("/page"))

    assert (told["success"], told["error_type"]) == (False, "TargetCrashed")
    assert (after["success"], after["title"]) == (True, "Fine")
