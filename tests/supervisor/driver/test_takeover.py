"""A takeover: who waits, for how long, and who does not."""

from __future__ import annotations

import asyncio

import pytest

from cdp_typed.mock import ThreadedMockServer
from supervisor import AsyncSupervisor, CDPSupervisor, ControlledByPerson, Takeover
from supervisor.driver.takeover import allowed


async def test_without_a_person_nobody_waits() -> None:
    assert await Takeover().wait_until_allowed("a click", 3.0) == 3.0


async def test_who_waits_goes_on_with_what_is_left_of_the_deadline() -> None:
    takeover = Takeover()
    takeover.begin()
    since = takeover.since
    takeover.begin()
    waiting = [asyncio.create_task(takeover.wait_until_allowed(what, 60.0)) for what in ("one", "two")]
    await asyncio.sleep(0)
    await asyncio.sleep(0)

    assert [call.what for call in takeover.waiting] == ["one", "two"]
    assert takeover.since == since
    takeover.end()
    takeover.end()

    assert all(0 < left < 60 for left in await asyncio.gather(*waiting))
    assert (takeover.since, takeover.waiting) == (None, ())


async def test_a_deadline_ends_the_wait_with_one_sentence() -> None:
    takeover = Takeover()
    takeover.begin()

    with pytest.raises(ControlledByPerson) as told:
        await takeover.wait_until_allowed("browser_click", 0.01)

    assert str(told.value) == (
        "the browser is controlled by a person, who did not give it back within 0.01 s: browser_click was not carried "
        "out; try again later"
    )
    assert takeover.waiting == ()


async def test_one_who_is_cancelled_waits_no_more() -> None:
    takeover = Takeover()
    takeover.begin()
    call = asyncio.create_task(takeover.wait_until_allowed("a click", 60.0))
    await asyncio.sleep(0)
    await asyncio.sleep(0)

    call.cancel()

    with pytest.raises(asyncio.CancelledError):
        await call
    takeover.end()
    assert takeover.waiting == ()


async def test_what_was_allowed_as_a_whole_goes_on() -> None:
    takeover = Takeover()
    takeover.begin()

    with allowed():
        assert await takeover.wait_until_allowed("the release of a mouse button", 1.0) == 1.0
    with pytest.raises(ControlledByPerson):
        await takeover.wait_until_allowed("the next click", 0.01)


async def test_every_call_that_acts_waits_and_looking_does_not() -> None:
    with ThreadedMockServer() as mock:
        async with AsyncSupervisor(mock.url, call_timeout_s=0.01) as supervisor:
            page = supervisor.snapshot().pages[0]
            supervisor.takeover.begin()

            for act in (
                supervisor.evaluate("1"),
                supervisor.navigate("http://x.test/"),
                supervisor.reload_page(),
                supervisor.close_page(),
                supervisor.open_page(),
                supervisor.select_page(page.target_id),
                supervisor.respond_to_dialog("accept"),
                supervisor.cancel_download(),
            ):
                with pytest.raises(ControlledByPerson):
                    await act

            assert supervisor.snapshot().pages[0] == page
            assert supervisor.frames()


def test_the_blocking_supervisor_waits_too() -> None:
    with ThreadedMockServer() as mock, CDPSupervisor(mock.url).start() as supervisor:
        supervisor.takeover.begin()

        with pytest.raises(ControlledByPerson):
            supervisor.evaluate("1", timeout_s=0.01)

        supervisor.takeover.end()
        assert supervisor.evaluate("1 + 1").value == 2
