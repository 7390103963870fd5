"""What a person in control does besides clicking and typing: fingers, input methods, clipboard, lists, files, tabs."""

from __future__ import annotations

import asyncio
import tempfile
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from cdp_typed import CDPError, Session
from cdp_typed.helpers import click, js, press
from cdp_typed.protocol import browser, dom, emulation, page, runtime
from cdp_typed.protocol import input as cdp_input
from supervisor.addons.live import person
from supervisor.addons.live.screencast import Screencasts
from tests.supervisor.addons.live.conftest import PATIENCE_S, Live, LiveOn, soon, until
from tests.supervisor.addons.live.test_live_takeover import click_in_picture, give_back, point_at, take_over
from tests.support.servers.sites import Request, Response, Sites

FIELD = "<input id=name autofocus style='position: absolute; left: 20px; top: 20px; width: 300px; height: 40px'>"


NOTING = """window.sent = []; const send = WebSocket.prototype.send;
WebSocket.prototype.send = function(text) { sent.push(text); send.call(this, text) }; null"""


async def value_of(shown: Live, expression: str, wanted: Any) -> None:
    """Wait until an expression has a value in the supervised page."""
    now: Any = None
    for _ in range(int(PATIENCE_S / 0.05)):
        now = (await shown.supervisor.evaluate(expression)).value
        if now == wanted:
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"{expression} is {now!r}, not {wanted!r}")


@asynccontextmanager
async def in_control(live: LiveOn, html: str) -> AsyncGenerator[tuple[Live, Session]]:
    """A viewer that controls a page."""
    async with live(html) as shown, shown.viewer() as viewer:
        await take_over(viewer)
        yield shown, viewer


async def test_an_input_method_composes_in_the_page_and_an_emoji_arrives(live: LiveOn) -> None:
    html = f"""{FIELD}<script>window.composed = [];
        addEventListener('compositionupdate', event => composed.push(event.data))</script>"""
    async with in_control(live, html) as (shown, viewer):
        await click_in_picture(viewer, 100, 40)
        for text in ("k", "か"):
            await viewer.send(cdp_input.ImeSetComposition(text=text, selection_start=1, selection_end=1))
        await viewer.send(cdp_input.InsertText(text="漢"))
        await viewer.send(cdp_input.InsertText(text="👩‍🚀"))
        await press(viewer, "!")
        await give_back(viewer)

        await value_of(shown, "document.getElementById('name').value", "漢👩‍🚀!")
        await value_of(shown, "composed.slice(0, 2)", ["k", "か"])


async def test_a_finger_scrolls_and_taps_and_two_fingers_zoom(live: LiveOn) -> None:
    html = """<body style="margin: 0; height: 3000px"><script>window.seen = [];
        for (const kind of ['touchstart', 'click']) addEventListener(kind, () => seen.push(kind));
        addEventListener('click', () => { document.body.style.background = 'lime' })</script>"""
    is_lime = "(([red, green]) => red < 40 && green > 220)(picture.getContext('2d').getImageData(9, 9, 1, 1).data)"
    async with in_control(live, html) as (shown, viewer):
        await viewer.send(emulation.SetTouchEmulationEnabled(enabled=True))

        async def of(kind: Any, *points: tuple[float, float]) -> cdp_input.DispatchTouchEvent:
            places = [await point_at(viewer, *point) for point in points]
            fingers = [cdp_input.TouchPoint(x=x, y=y, id=number) for number, (x, y) in enumerate(places)]
            return cdp_input.DispatchTouchEvent(type=kind, touch_points=fingers)

        async def touch(kind: Any, *points: tuple[float, float]) -> None:
            await viewer.send(await of(kind, *points))

        # Together: a finger that stays for long is no tap.
        await viewer.send_many((await of("touchStart", (100, 300)), await of("touchEnd")))
        await until(viewer, is_lime)  # a page that can be zoomed has its click only when no second tap came
        await touch("touchStart", (100, 300))
        for y in range(280, 90, -20):
            await js(viewer, "new Promise(done => setTimeout(done, 50))")
            await touch("touchMove", (100, y))
        await touch("touchEnd")
        await touch("touchStart", (100, 200), (140, 200))
        for apart in range(10, 100, 10):
            await js(viewer, "new Promise(done => setTimeout(done, 50))")
            await touch("touchMove", (100 - apart / 2, 200), (140 + apart, 200))
        await touch("touchEnd")
        await give_back(viewer)

        await value_of(shown, "seen.slice(0, 2)", ["touchstart", "click"])
        await value_of(shown, "scrollY > 50", True)
        await value_of(shown, "visualViewport.scale > 1.2", True)


@pytest.mark.parametrize(
    ("key", "kept", "copy_s", "input_s"), [("c", True, 0, 0.5), ("x", False, 0, 0), ("x", False, 1.5, 0)]
)
async def test_what_is_copied_or_cut_in_the_page_is_in_the_clipboard_of_the_viewer(
    live: LiveOn, monkeypatch: pytest.MonkeyPatch, key: str, kept: bool, copy_s: float, input_s: float
) -> None:
    """A copy waits for what selects its text, and a cut for the copy, however busy the machine is."""
    selected_text, send = person.selected_text, Screencasts.send

    async def late_text(*given: Any) -> str:
        await asyncio.sleep(copy_s)
        return await selected_text(*given)

    def late_input(*given: Any, **more: Any) -> asyncio.Future[None]:
        async def sent() -> None:
            await asyncio.sleep(input_s)
            reply = send(*given, **more)
            if reply is not None:
                await reply

        return asyncio.ensure_future(sent())

    monkeypatch.setattr(person, "selected_text", late_text)
    monkeypatch.setattr(Screencasts, "send", late_input)
    text = f"  {key}  {copy_s}\t\u202e"
    async with in_control(live, FIELD.replace("<input", f"<input value='{text}'")) as (shown, viewer):
        for name in ("clipboard-write", "clipboard-read"):
            permission = browser.PermissionDescriptor(name=name)
            await shown.viewers.send(browser.SetPermission(permission=permission, setting="granted"))
        await viewer.send(emulation.SetFocusEmulationEnabled(enabled=True))  # the clipboard is a focused window's alone
        await click_in_picture(viewer, 100, 40)
        await press(viewer, "Control+a")
        await press(viewer, f"Control+{key}")

        await until(
            viewer, f"navigator.clipboard.readText().then(text => {{ window.read = text }}) && read === {text!r}"
        )
        await give_back(viewer)
        await value_of(shown, "document.getElementById('name').value", text if kept else "")


async def test_a_password_is_not_copied(live: LiveOn) -> None:
    html = FIELD.replace("<input", "<input type=password value=secret")
    async with in_control(live, html) as (_, viewer):
        await js(viewer, "navigator.clipboard.writeText = text => { window.copied = text }")
        await js(viewer, NOTING)
        await click_in_picture(viewer, 100, 40)
        await press(viewer, "Control+a")
        await press(viewer, "Control+c")
        await press(viewer, "End")
        await until(viewer, """sent.some(text => text.includes('"End"'))""")  # keys wait for the copy before them
        assert await js(viewer, "window.copied ?? null") is None


async def test_double_and_triple_clicks_and_held_keys_arrive_as_such(live: LiveOn) -> None:
    html = """<body style="margin: 0; font: 30px monospace"><p style="margin: 20px">first second third</p>
        <script>window.told = [];
        onclick = event => told.push([event.detail, event.ctrlKey, String(getSelection()).trim()])</script>"""
    async with in_control(live, html) as (shown, viewer):
        left, top = await point_at(viewer, 150, 35)
        for count, held in ((1, 2), (1, 0), (2, 0), (3, 0)):
            for kind in ("mousePressed", "mouseReleased"):
                event = cdp_input.DispatchMouseEvent(
                    type=kind, x=left, y=top, button="left", buttons=1, click_count=count, modifiers=held
                )
                await viewer.send(event)
        await give_back(viewer)

        clicks = [[1, True, ""], [1, False, ""], [2, False, "second"], [3, False, "first second third"]]
        await value_of(shown, "told", clicks)


async def test_the_list_of_a_select_is_shown_goes_with_escape_and_an_option_is_chosen(
    live: LiveOn, sites: Sites
) -> None:
    sites.pages[
        "/inner"
    ] = """<select id=size style="position: absolute; left: 20px; top: 20px; width: 200px; height: 40px">
        <option>small<option disabled>never<optgroup label=more><option>large<option>huge</optgroup></select>
        <script>window.told = []; size.onchange = event => told.push([event.isTrusted, size.value])</script>"""
    html = f"<body style='margin: 0'><iframe src='{sites.remote('/inner')}' width=400 height=300 frameborder=0>"
    async with in_control(live, html) as (shown, viewer):
        await click_in_picture(viewer, 60, 50)
        await until(viewer, "!document.getElementById('list').hidden")
        await press(viewer, "Escape")
        await until(viewer, "document.getElementById('list').hidden")
        await click_in_picture(viewer, 60, 50)
        await until(viewer, "!document.getElementById('list').hidden")

        rows = await js(viewer, "Array.from(document.getElementById('list').children, row => row.textContent)")
        assert rows == ["small", "never", "more", "large", "huge"]
        await click(viewer, "#list li:nth-child(2)")  # disabled: nothing
        await click(viewer, "#list li:nth-child(5)")
        await until(viewer, "document.getElementById('list').hidden")
        await give_back(viewer)

        inner = next(frame for frame in shown.supervisor.frames() if frame.url.endswith("/inner"))
        assert (await shown.supervisor.evaluate("told", inner.frame_id)).value == [[True, "huge"]]


async def test_a_file_of_the_viewers_machine_is_uploaded_and_removed_with_the_view(
    live: LiveOn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, temporary = tmp_path / "our résumé #1.txt", tmp_path / "temporary"
    own.write_bytes(b"hello" * 100_000)
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    html = "<input type=file style='position: fixed; inset: 0; width: 100%; height: 100%'>"
    async with in_control(live, html) as (shown, viewer):
        await click_in_picture(viewer, 200, 200)
        await until(viewer, "document.querySelector('.card input[type=file]') !== null")
        await viewer.send(dom.Enable())
        found = await viewer.send(runtime.Evaluate(expression="document.querySelector('.card input[type=file]')"))
        await viewer.send(dom.SetFileInputFiles(files=[str(own)], object_id=found.result.object_id))
        await until(viewer, "document.querySelector('.card') === null")
        await give_back(viewer)

        field = "document.querySelector('input').files[0]"
        await value_of(shown, f"[{field}.name, {field}.size]", [own.name, 500_000])
        assert [path.name for path in temporary.glob("cdp-live-*/*/*")] == [own.name]
    assert list(temporary.iterdir()) == []


async def test_back_forward_new_tab_and_close_act_on_the_tab(live: LiveOn, sites: Sites) -> None:
    sites.pages["/second"] = "<title>second</title>"
    async with live("<title>first</title>") as shown, shown.viewer() as viewer:
        buttons = "Array.from(address.querySelectorAll('button'))"
        ways = f"{buttons}.filter(button => !button.hidden && !button.disabled).map(button => button.id)"
        assert await js(viewer, ways) == []  # without control
        await take_over(viewer)
        second = sites.local("/second")
        await js(viewer, "url.value = arguments[0]; address.requestSubmit()".replace("arguments[0]", repr(second)))

        def is_at(path: str) -> Any:
            return lambda: [tab for tab in shown.supervisor.snapshot().pages if tab.url.endswith(path)] != []

        await soon(is_at("/second"))
        await click(viewer, "#back")
        await soon(lambda: not is_at("/second")())
        await click(viewer, "#forward")
        await soon(is_at("/second"))
        await click(viewer, "#new-tab")
        await until(viewer, "document.querySelectorAll('.tab').length === 2")
        await until(viewer, "document.querySelector('.tab[aria-selected=true] .url').textContent === 'about:blank'")
        current = next(tab for tab in shown.supervisor.snapshot().pages if tab.is_current)
        assert current.url.endswith("/second")  # the agent works where it did

        await click(viewer, "#close")
        await until(viewer, "document.querySelectorAll('.tab').length === 1")
        assert shown.supervisor.snapshot().pages[0].url.endswith("/second")


@pytest.mark.parametrize("goes", [False, True])
async def test_the_window_is_as_large_as_the_viewers_until_the_browser_is_given_back_or_the_viewer_goes(
    live: LiveOn, goes: bool
) -> None:
    async with live("<p>hello") as shown:
        await shown.supervisor.send(page.BringToFront())  # the browser lays out no tab behind another
        before = (await shown.supervisor.evaluate("[innerWidth, innerHeight]")).value
        async with shown.viewer() as viewer:
            await take_over(viewer)
            await until(viewer, "Math.abs(picture.width - document.getElementById('stage').clientWidth) <= 1")
            assert await js(viewer, "[stage.clientWidth, stage.clientHeight]") != before
            if not goes:
                await give_back(viewer)
                await value_of(shown, "[innerWidth, innerHeight]", before)
        await value_of(shown, "[innerWidth, innerHeight]", before)


async def test_a_crashed_tab_is_loaded_anew_from_its_card(live: LiveOn, sites: Sites) -> None:
    async with live("<p>hello") as shown, shown.viewer() as viewer:
        tab = shown.supervisor.snapshot().pages[0]
        with pytest.raises(CDPError):
            await shown.supervisor.navigate("chrome://crash", tab.target_id)
        await until(viewer, "document.querySelector('.card button.primary')?.textContent === 'Reload'")
        await click(viewer, ".card button.primary")
        await soon(lambda: shown.supervisor.snapshot().pages[0].status == "ok")


async def test_a_failed_navigation_is_told_once_and_tried_again_by_its_button(live: LiveOn, sites: Sites) -> None:
    sites.pages["/late"] = Response(status=302, headers={"Location": "http://127.0.0.1:1/"})  # a port no browser opens
    told = (
        "Array.from(document.querySelectorAll('.notice'), notice => Array.from(notice.children, at => at.textContent))"
    )
    async with in_control(live, "<title>first</title>") as (shown, viewer):
        for _ in range(2):
            await js(viewer, f"url.value = '{sites.local('/late')}'; address.requestSubmit()")
            await until(viewer, "document.querySelector('.notice:last-child:not(.seen)') !== null")
            await js(viewer, "document.querySelector('.notice:last-child').classList.add('seen')")
        await click(viewer, "#new-tab")
        await until(viewer, "document.querySelector('.tab[aria-selected=true] .url').textContent === 'about:blank'")
        assert await js(viewer, told) == [["navigation failed: net::ERR_UNSAFE_PORT", "Try again", "Close"]]

        sites.pages["/late"] = "<title>late</title>"
        await click(viewer, ".notice button.primary")
        await until(viewer, "document.querySelector('.tab[aria-selected=true] .title').textContent === 'late'")

        assert await js(viewer, told) == []
        assert len(shown.supervisor.snapshot().pages) == 2


async def test_stop_ends_the_loading_of_a_page_that_never_ends(live: LiveOn, sites: Sites) -> None:
    end = threading.Event()

    def never(request: Request) -> str:
        end.wait(PATIENCE_S)
        return ""

    sites.pages["/never"] = never
    try:
        async with in_control(live, "<p>hello") as (shown, viewer):
            frames = shown.supervisor.frames
            sites.pages["/"] = "<img src=/never>"
            await click(viewer, "#reload")
            await soon(lambda: any(request.path == "/never" for request in sites.requests))
            await soon(lambda: frames()[0].is_loading)
            await click(viewer, "#stop")
            await soon(lambda: not frames()[0].is_loading)
    finally:
        end.set()


async def test_what_a_hostile_page_says_of_its_list_ends_no_viewer(live: LiveOn) -> None:
    html = "<select style='position: absolute; left: 20px; top: 20px; width: 200px; height: 40px'><option>a</select>"
    async with in_control(live, f"{html}<script>Array.from = () => ({{map: () => 'evil'}})</script>") as (_, viewer):
        await js(viewer, NOTING)
        await click_in_picture(viewer, 60, 50)
        await press(viewer, "Escape")
        await press(viewer, "Control+c")
        await press(viewer, "End")
        await until(viewer, """sent.some(text => text.includes('"End"'))""")
        assert await js(viewer, "document.getElementById('list').hidden")
