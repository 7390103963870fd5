"""A person takes the browser over in the live view; the agent waits, or is told."""

from __future__ import annotations

import asyncio
import json
import time

import pytest

from cdp_typed import Session
from cdp_typed.helpers import click, js, press
from cdp_typed.protocol import input as cdp_input
from cdp_typed.protocol import page
from supervisor import Config, ControlledByPerson, SupervisorRegistry, http_server
from supervisor.tools import Toolbox
from tests.supervisor.addons.live.conftest import LiveOn, soon, until
from tests.support.secrets import CANARY
from tests.support.servers.unread_socket import unread_websocket

FORM = """<input id=name style="position: absolute; left: 300px; top: 200px; width: 120px; height: 40px; margin: 0">
    <script>window.clicks = [];
    addEventListener('click', event => clicks.push([event.clientX, event.clientY]))</script>"""
NOISE = """<body style="margin: 0"><canvas width=1280 height=720 style="width: 100%; height: 100vh"></canvas><script>
    const canvas = document.querySelector('canvas').getContext('2d'), noise = canvas.createImageData(1280, 720);
    const cells = new Uint32Array(noise.data.buffer);
    setInterval(() => { cells.forEach((_, at) => cells[at] = Math.random() * 2 ** 32 | 0xff000000);
    canvas.putImageData(noise, 0, 0) }, 100)</script>"""
"""A picture that no JPEG makes small, another one all the time."""
TAKEN = "picture.classList.contains('controlled')"


async def take_over(viewer: Session) -> None:
    await click(viewer, "#take")
    await until(viewer, TAKEN)


async def give_back(viewer: Session) -> None:
    await click(viewer, "#take")
    await until(viewer, f"!{TAKEN}")


async def point_at(viewer: Session, x: float, y: float) -> tuple[float, float]:
    """The place in the window of a viewer at which it shows a point of the page."""
    where = await js(
        viewer,
        """(x, y) => { const box = picture.getBoundingClientRect();
        const scale = Math.min(box.width / picture.width, box.height / picture.height);
        return [box.left + (box.width - picture.width * scale) / 2 + x * scale, box.top + y * scale] }""",
        x,
        y,
    )
    return where[0], where[1]


async def click_in_picture(viewer: Session, x: float, y: float) -> None:
    left, top = await point_at(viewer, x, y)
    for kind in ("mousePressed", "mouseReleased"):
        await viewer.send(
            cdp_input.DispatchMouseEvent(type=kind, x=left, y=top, button="left", buttons=1, click_count=1)
        )


async def test_a_click_and_what_is_typed_arrive_in_the_page_while_the_agent_is_told(live: LiveOn) -> None:
    async with live(FORM) as shown, shown.viewer() as viewer:
        await take_over(viewer)

        with pytest.raises(ControlledByPerson) as told:
            await shown.supervisor.evaluate("window.agent = 1", timeout_s=0.2)
        await click_in_picture(viewer, 360, 220)
        for key in ("Shift+H", "i", "!", "Backspace", "?"):
            await press(viewer, key)
        await give_back(viewer)

        await shown.supervisor.evaluate(
            "new Promise(done => { const id = setInterval(() => { if (document.getElementById('name').value === 'Hi?') "
            "{ clearInterval(id); done() } }, 20) })"
        )
        assert (await shown.supervisor.evaluate("typeof agent")).value == "undefined"
        (x, y), *_ = (await shown.supervisor.evaluate("clicks")).value
        assert (abs(x - 360) <= 2, abs(y - 220) <= 2) == (True, True)
        assert told.value.maybe_executed is False
        assert "controlled by a person" in str(told.value)


@pytest.mark.parametrize("goes", [False, True])
async def test_a_call_that_waits_is_carried_out_when_the_browser_is_given_back_or_the_viewer_goes_away(
    live: LiveOn, goes: bool
) -> None:
    async with live(FORM) as shown:
        async with shown.viewer() as viewer:
            await take_over(viewer)
            call = asyncio.create_task(shown.supervisor.evaluate("6 * 7"))
            await until(viewer, "/evaluate.*waits for the person/.test(calls.textContent)")
            if not goes:
                await click(viewer, "#take")
                assert (await call).value == 42
                await until(viewer, "calls.textContent === 'none'")

        assert (await call).value == 42
        await soon(lambda: not shown.view.viewers and not shown.view.screencasts.is_open)


async def test_a_dialog_is_answered_by_the_person_in_control(live: LiveOn) -> None:
    html = "<button style='position: fixed; inset: 0; width: 100%; height: 100%' onclick='window.got = confirm(1)'>"
    async with live(html) as shown, shown.viewer() as viewer:
        await take_over(viewer)

        await click_in_picture(viewer, 100, 100)
        await until(viewer, "document.querySelector('.card.dialog') !== null")
        await click(viewer, ".card .primary")
        await until(viewer, "document.querySelector('.card.dialog') === null")
        await click(viewer, "#take")

        assert (await shown.supervisor.evaluate("got")).value is True


async def test_of_two_viewers_one_controls_and_the_other_is_told(live: LiveOn) -> None:
    async with live(FORM) as shown, shown.viewer() as first:
        async with shown.viewer() as second:
            await click(second, "#take")

            await until(first, "control.textContent.includes('Another person controls')")

            assert await js(first, "take.hidden")
            await click_in_picture(first, 360, 220)
            await js(first, "document.getElementById('address').requestSubmit()")
            await until(
                first, "document.querySelector('.notice').textContent === 'Take the browser over first.Take overClose'"
            )
            await until(first, "viewers.textContent === '2 viewers'")
        await until(first, "viewers.textContent === '1 viewer'")

        assert shown.supervisor.takeover.since is None
        assert (await shown.supervisor.evaluate("clicks.length")).value == 0
        assert await js(first, "!take.hidden")


async def test_a_person_who_vanishes_while_the_picture_moves_gives_the_browser_back(
    live: LiveOn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_server, "PING_INTERVAL_S", 4.0)  # until then the buffers are full
    monkeypatch.setattr(http_server, "PING_TIMEOUT_S", 1.0)
    async with live(NOISE) as shown:
        url = shown.address.partition("/#")[0]
        page_id = shown.supervisor.snapshot().pages[0].target_id
        async with unread_websocket(url, "/feed", ["cdp-live", "token." + CANARY.encode().hex()]) as socket:
            socket.send(json.dumps({"do": "look", "targetId": page_id}))
            socket.send('{"do": "take"}')
            await soon(lambda: shown.supervisor.takeover.since is not None)

            assert (await shown.supervisor.evaluate("6 * 7", timeout_s=20)).value == 42
        await soon(lambda: not shown.view.viewers and not shown.view.screencasts.is_open)


async def test_while_nobody_looks_no_picture_is_made(live: LiveOn) -> None:
    changing = "const id = setInterval(() => { document.body.prepend(++n); n < 60 || done(clearInterval(id)) }, 10)"
    html = f"<script>function change() {{ return new Promise(done => {{ let n = 0; {changing} }}) }}</script><body>"
    async with live(html) as shown, shown.viewer() as viewer:
        seen = await js(viewer, "Number(picture.dataset.pictures)")
        await shown.supervisor.evaluate("change()")
        await until(viewer, f"Number(picture.dataset.pictures) > {seen + 1}")

        async with shown.tab_in_front():
            await soon(lambda: not shown.view.screencasts.is_open)
            before, used = shown.view.screencasts.frames, time.thread_time()
            await shown.supervisor.evaluate("change()")
            used = time.thread_time() - used

            assert shown.view.screencasts.frames == before
            assert not shown.view.screencasts.is_open
            assert used < 0.2
            seen = await js(viewer, "Number(picture.dataset.pictures)")
        await viewer.send(page.BringToFront())
        await until(viewer, f"Number(picture.dataset.pictures) > {seen}")


async def test_an_agents_tools_look_on_and_act_no_more(live: LiveOn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("supervisor.tools.framework.toolbox.PERSON_S", 0.2)
    async with live(FORM) as shown:
        registry = SupervisorRegistry()
        config = Config(cdp_url=shown.supervisor.config.cdp_url, scope="own")
        with Toolbox(config, registry=registry) as toolbox:
            opened = json.loads(await toolbox.adispatch("browser_snapshot", {}))
            supervisor = registry.get("default")
            assert supervisor is not None
            supervisor.takeover.begin()

            acting = json.loads(await toolbox.adispatch("browser_press", {"key": "a"}))
            looking = json.loads(await toolbox.adispatch("browser_snapshot", {}))
            supervisor.takeover.end()
            after = json.loads(await toolbox.adispatch("browser_press", {"key": "a"}))

    assert (acting["success"], acting["error_type"]) == (False, "ControlledByPerson")
    assert acting["error"].startswith("A person controls the browser")
    assert (looking["success"], looking["controlled_by_person"]) == (True, True)
    assert (after["success"], "controlled_by_person" in {**opened, **after}) == (True, False)
