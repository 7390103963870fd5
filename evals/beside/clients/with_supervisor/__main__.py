"""A second supervisor plays scenarios; see `programs.main`."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from cdp_typed import CDPError
from evals.beside.clients.programs import main
from evals.beside.clients.with_supervisor.scenarios import SCENARIOS
from supervisor import AsyncSupervisor


@asynccontextmanager
async def connected(
    address: str, shared_url: str | None
) -> AsyncGenerator[Callable[[], AbstractAsyncContextManager[AsyncSupervisor]]]:
    async with AsyncSupervisor(address, call_timeout_s=10) as supervisor:

        @asynccontextmanager
        async def page() -> AsyncGenerator[AsyncSupervisor]:
            if shared_url is None:
                opened = await supervisor.open_page()
                yield supervisor
                await supervisor.close_page(opened.target_id)
            else:
                shared = next(info for info in supervisor.snapshot().pages if info.url == shared_url)
                await supervisor.select_page(shared.target_id)
                yield supervisor
                for url in ("about:blank", shared_url):  # the former helps where a script waits for something
                    with contextlib.suppress(CDPError):
                        await supervisor.navigate(url)

        yield page


main(SCENARIOS, connected)
