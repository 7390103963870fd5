"""How many pictures a browser sends of a page, and how old they are."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import pytest

from cdp_typed.mock import MockServer
from cdp_typed.protocol import input as cdp_input
from cdp_typed.protocol import page
from supervisor import Config
from supervisor.addons.live.screencast import Screencasts, Size, TabPicture
from tests.supervisor.addons.live.conftest import PATIENCE_S, soon
from tests.support.wires.clocks import clock_from

NEVER_S = 1000.0
PRESS = cdp_input.DispatchMouseEvent(type="mousePressed", x=1, y=1, button="left")


@pytest.fixture(autouse=True)
async def young_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """The event loop's clock, on a machine that has just started."""
    monkeypatch.setattr(asyncio.get_running_loop(), "time", clock_from(0))


class Tab:
    """A tab of a mock browser, whose pictures the test sends."""

    def __init__(self, mock: MockServer, config: Config, casts: Screencasts, shown: list[bytes]) -> None:
        self.target_id: str = mock.browser.pages[0].id
        self.config = config
        self.casts = casts
        self.shown = shown
        self._mock = mock
        self._session = next(call.session for call in mock.browser.calls if call.method == "Page.startScreencast")

    def send_picture(self, number: int, *, taken_s: float) -> None:
        """Send a picture, as Chromium does, to a session that has not enabled the domain Page."""
        place = dict.fromkeys(("offsetTop", "scrollOffsetX", "scrollOffsetY"), 0)
        metadata = {**place, "pageScaleFactor": 1, "deviceWidth": 800, "deviceHeight": 600, "timestamp": taken_s}
        data = base64.b64encode(b"picture %d" % number).decode()
        params = {"data": data, "metadata": metadata, "sessionId": number}
        event = {"method": "Page.screencastFrame", "params": params, "sessionId": self._session}
        self._mock.browser.send_raw(json.dumps(event))

    async def show(self, *numbers: int) -> None:
        """Send pictures, and wait until they are shown."""
        for number in numbers:
            self.send_picture(number, taken_s=number)
        await soon(lambda: self.shown == [b"picture %d" % number for number in numbers])

    @property
    def started(self) -> tuple[page.StartScreencast, ...]:
        """What was asked of the screencast."""
        return self._mock.browser.received(page.StartScreencast)

    @property
    def acknowledged(self) -> list[int]:
        """The numbers of the pictures that the browser got an acknowledgment of."""
        return [each.session_id for each in self._mock.browser.received(page.ScreencastFrameAck)]

    @property
    def methods(self) -> list[str]:
        """The commands since the screencast began."""
        names = [call.method for call in self._mock.browser.calls]
        return names[names.index("Page.startScreencast") + 1 :]


@asynccontextmanager
async def tab(period_s: float) -> AsyncGenerator[Tab]:
    shown: list[bytes] = []

    def show(picture: TabPicture) -> None:
        shown.append(picture.jpeg)

    async with MockServer(samples=True) as mock:
        casts = Screencasts(show)
        config, size = Config(cdp_url=mock.url), Size(800, 600, 70, period_s)
        await casts.want(config, {mock.browser.pages[0].id: size})
        try:
            await soon(lambda: bool(mock.browser.received(page.StartScreencast)))
            yield Tab(mock, config, casts, shown)
        finally:
            await casts.close()


async def test_each_picture_is_shown_at_once_and_one_in_a_period_is_acknowledged() -> None:
    async with tab(NEVER_S) as seen:
        await seen.show(1, 2, 3)

        await soon(lambda: bool(seen.acknowledged))
        assert seen.acknowledged == [1]


async def test_an_urgent_input_makes_room_for_the_pictures_of_its_effect_before_it_is_sent() -> None:
    async with tab(NEVER_S) as seen:
        await seen.show(1, 2, 3)

        seen.casts.send(seen.target_id, PRESS)
        await soon(lambda: "Input.dispatchMouseEvent" in seen.methods)
        assert seen.acknowledged == [1]
        seen.casts.send(seen.target_id, PRESS, is_urgent=True)
        await soon(lambda: seen.methods.count("Input.dispatchMouseEvent") == 2)

        assert seen.acknowledged == [1, 2, 3]
        assert seen.methods[-1] == "Input.dispatchMouseEvent"


async def test_an_input_at_the_moment_when_a_picture_is_overdue_is_sent_and_the_pictures_go_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with tab(0.01) as seen:
        loop, sent = asyncio.get_running_loop(), asyncio.Event()

        def send() -> None:
            seen.casts.send(seen.target_id, PRESS)
            sent.set()

        loop.call_later(NEVER_S, send)  # after the time for a picture is over
        monkeypatch.setattr(loop, "time", clock_from(2 * NEVER_S))  # both are due at once, in this order
        await asyncio.wait_for(sent.wait(), PATIENCE_S)

        await soon(lambda: {"Input.dispatchMouseEvent", "Page.stopScreencast"} <= {*seen.methods})
        await seen.show(1)


async def test_an_input_is_sent_at_the_moment_when_the_pictures_change_their_size_and_pace() -> None:
    """As they do when a person takes over: a click right after it was lost."""
    async with tab(NEVER_S) as seen:
        await seen.show(1, 2)

        await seen.casts.want(seen.config, {seen.target_id: Size(400, 300, 50, 0.01)})
        sent = seen.casts.send(seen.target_id, PRESS)

        assert sent is not None
        await sent
        await soon(lambda: seen.methods.count("Page.startScreencast") == 1)
        assert seen.acknowledged == [1, 2]
        assert seen.started[-1] == page.StartScreencast(format="jpeg", quality=50, max_width=400, max_height=300)


async def test_after_a_pause_the_acknowledgments_go_on() -> None:
    async with tab(0.01) as seen:
        for first in (1, 4):
            for number in range(first, first + 3):
                seen.send_picture(number, taken_s=number)
            await soon(_acknowledged(seen, first + 2))

        assert seen.acknowledged == [1, 2, 3, 4, 5, 6]


async def test_a_picture_that_was_overtaken_is_not_shown_and_a_clock_that_was_put_back_stops_none() -> None:
    async with tab(0.01) as seen:
        for number, taken_s in enumerate((100.0, 100.2, 100.1, 100.3, 50.0, 50.1), start=1):
            seen.send_picture(number, taken_s=taken_s)
        await soon(_acknowledged(seen, 6))

        assert seen.shown == [b"picture %d" % number for number in (1, 2, 4, 5, 6)]


def _acknowledged(seen: Tab, number: int) -> Callable[[], bool]:
    return lambda: number in seen.acknowledged
