"""The plugin's leak check for runs with pytest-asyncio: it runs inside the test's event loop and sees its tasks."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest_asyncio


@pytest_asyncio.fixture
async def cdp_no_leaks() -> AsyncIterator[None]:
    """Fail if the test leaves a task, a thread, a child process, a socket or a launched browser's profile behind.

    Name it before other fixtures, so that they are torn down before it checks.
    """
    from cdp_typed.testing.leaks import Traces, assert_no_leaks

    before = Traces.now()
    yield
    await assert_no_leaks(before)
