"""A page, for those who speak CDP to it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any

from cdp_typed import Connection, Event, Session
from cdp_typed.client.channel import Channel
from cdp_typed.protocol import input as input_
from cdp_typed.protocol import page, runtime
from evals.beside.clients.programs import Scenarios

__all__ = ["SCENARIOS", "Tab", "noting", "until"]


@dataclass(frozen=True)
class Tab:
    """A session with Page and Runtime enabled, and the connection that it belongs to."""

    browser: Connection
    session: Session

    async def go(self, url: str) -> page.NavigateResult:
        async with self.session.expect(page.LoadEventFired, timeout=10):
            return await self.session.send(page.Navigate(url=url))

    async def evaluate(self, expression: str, *, session: Session | None = None) -> Any:
        evaluate = runtime.Evaluate(expression=expression, return_by_value=True, await_promise=True, user_gesture=True)
        result = await (session or self.session).send(evaluate)
        if result.exception_details is not None:
            return result.exception_details.text
        return result.result.value

    async def click(self, selector: str) -> None:
        box = f"(({{x, y}}) => [x + 3, y + 3])(document.querySelector('{selector}').getBoundingClientRect())"
        x, y = await self.evaluate(box)
        for kind in ("mousePressed", "mouseReleased"):
            press = input_.DispatchMouseEvent(type=kind, x=x, y=y, button="left", click_count=1)
            await self.session.send(press)

    @asynccontextmanager
    async def answering(
        self, choose: Callable[[page.JavascriptDialogOpening], page.HandleJavaScriptDialog], *, pause_s: float = 0
    ) -> AsyncGenerator[list[str]]:
        """Answer every dialog of the page, and list them."""
        said: list[str] = []

        async def answer(_: str | None, dialog: page.JavascriptDialogOpening) -> None:
            said.append(f"{dialog.type} {dialog.message}".strip())
            await asyncio.sleep(pause_s)
            await self.session.send(choose(dialog))

        listening = self.session.listen(answer, page.JavascriptDialogOpening)
        try:
            yield said
        finally:
            listening.close()


@contextmanager
def noting(channel: Channel, *kinds: type[Event]) -> Generator[list[Event]]:
    """Every event of these kinds during the block."""
    events: list[Event] = []
    listening = channel.listen(lambda _, event: events.append(event), *kinds)
    try:
        yield events
    finally:
        listening.close()


async def until(happened: Callable[[], bool]) -> None:
    """Wait for what events bring about, as long as a scenario may take, and then for what may still come."""
    while not happened():  # noqa: ASYNC110  whichever event it is
        await asyncio.sleep(0.02)
    await asyncio.sleep(0.2)


SCENARIOS = Scenarios[Tab]()
