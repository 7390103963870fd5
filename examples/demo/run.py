"""Sets the demo's stage - a browser or the mock, the pages, a supervisor - and tells the story on it."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Generator
from typing import Unpack

from cdp_typed.launch import NoSandboxWarning, launch
from supervisor import CDPSupervisor, Settings, SupervisorSnapshot

from .mock import mock_stage
from .narrator import Narrator
from .site import serve
from .story import Story


def demo(narrator: Narrator, *, mock: bool, **settings: Unpack[Settings]) -> SupervisorSnapshot:
    """Play the whole demo, to a supervisor with these settings; returns the last snapshot.

    Raises `LaunchError` when there is no browser, `DemoFailed` when the demo saw something unexpected.
    """
    stage = mock_stage() if mock else _chromium_stage(narrator)
    with stage as (cdp_url, page_url), CDPSupervisor(cdp_url, **settings) as supervisor:
        return Story(supervisor, narrator, page_url).tell()


@contextlib.contextmanager
def _chromium_stage(narrator: Narrator) -> Generator[tuple[str, str]]:
    with contextlib.ExitStack() as stack:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", NoSandboxWarning)
            browser = stack.enter_context(launch(isolate_sites=True))
        narrator.chapter("A browser")
        narrator.fact(f"{browser.executable} runs, process {browser.pid}, {browser.http_url}")
        for warning in caught:
            narrator.fact("note:", str(warning.message))
        yield browser.ws_url, stack.enter_context(serve())
