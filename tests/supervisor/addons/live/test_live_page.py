"""What people see of a supervisor in the live view, and what they answer there."""

from __future__ import annotations

import asyncio
import base64
import json
from pathlib import Path

import pytest

from cdp_typed.helpers import click, js, press, type_text
from cdp_typed.protocol import accessibility, page, runtime
from supervisor.core.vocabulary.errors import LoginRequired
from tests.supervisor.addons.live.conftest import LiveOn, until
from tests.support.servers.sites import Request, Response, Sites

CARD_INPUT = ".card input"
ASKS = "window.answer = 'none'; setTimeout(() => { window.answer = %s }); 1"


async def test_a_dialog_is_answered_by_a_click(live: LiveOn) -> None:
    async with live("<h1>Shop</h1>") as shown, shown.viewer() as viewer:
        await shown.supervisor.evaluate(ASKS % "confirm('Buy it?')")
        await until(viewer, "document.querySelector('.card.dialog .message').textContent === 'Buy it?'")

        await click(viewer, ".card.dialog .primary")

        now = await shown.supervisor.wait_for(lambda now: bool(now.recent_dialogs))
        assert (now.recent_dialogs[-1].accepted, now.recent_dialogs[-1].closed_by) == (True, "person")
        assert (await shown.supervisor.evaluate("window.answer")).value is True
        await until(viewer, "document.querySelector('.card') === null")
        assert "accepted by person" in await until(viewer, "document.getElementById('recent').textContent")


@pytest.mark.parametrize(
    ("default", "shown_default", "typed", "answer"),
    [
        ("Ada", "Ada", "Gr\u00e4fin \u2603", "Gr\u00e4fin \u2603"),
        ("a\u202eb", "a\\u202eb", "", "a\u202eb"),  # nobody touched it: as the page wrote it
    ],
)
async def test_a_prompt_gets_the_text_that_was_typed_or_its_default(
    live: LiveOn, default: str, shown_default: str, typed: str, answer: str
) -> None:
    async with live("<h1>Shop</h1>") as shown, shown.viewer() as viewer:
        await shown.supervisor.evaluate(ASKS % f"prompt('Name?', {json.dumps(default)})")
        await until(viewer, f"document.querySelector('.card input').value === {json.dumps(shown_default)}")
        if typed:
            await click(viewer, CARD_INPUT, clicks=3)
            await type_text(viewer, CARD_INPUT, typed)
            await press(viewer, "Enter")
        else:
            await click(viewer, ".card .primary")

        await shown.supervisor.wait_for(lambda now: bool(now.recent_dialogs))
        assert (await shown.supervisor.evaluate("window.answer")).value == answer


async def test_a_call_in_flight_says_what_it_waits_for(live: LiveOn) -> None:
    async with live("<h1>Shop</h1>") as shown, shown.viewer() as viewer:
        await shown.supervisor.evaluate("window.held = new Promise(done => { window.release = done }); 1")
        call = asyncio.create_task(shown.supervisor.evaluate("window.held"))

        told = await until(viewer, "/window.held/.test(calls.textContent) && calls.textContent")

        assert "Runtime.evaluate" in told
        assert "waits for an answer of the page" in told
        await shown.supervisor.evaluate("window.release(7)")
        assert (await call).value == 7
        assert await until(viewer, "calls.textContent === 'none'")


async def test_the_last_picture_is_the_page_as_it_stays(live: LiveOn) -> None:
    """The browser drops pictures while an acknowledgment is awaited, the last one too."""
    red = "n++; document.body.style.background = n % 2 ? 'red' : 'blue'"
    html = f"""<body><script>let n = 0; function go() {{ {red};
        if (n < 90) requestAnimationFrame(go); else document.body.style.background = 'lime' }}</script>"""
    middle = "picture.getContext('2d').getImageData(picture.width / 2, picture.height / 2, 1, 1).data"

    async with live(html) as shown, shown.viewer() as viewer:
        await shown.supervisor.evaluate("go(); 1")

        assert await until(viewer, f"(([r, g, b]) => r < 40 && g > 220 && b < 40)({middle})")


async def test_what_pages_write_is_shown_as_text_and_runs_nothing(live: LiveOn) -> None:
    evil = "<img src=x onerror=window.pwned=1>\u202e"
    html = (
        f"""<title>{evil}</title><iframe name="{evil}" src="/{evil}"></iframe><script>console.log({evil!r})</script>"""
    )
    async with live(html) as shown, shown.viewer() as viewer:
        await shown.supervisor.evaluate(ASKS % "prompt('<img src=x onerror=window.pwned=1>', '<b>x</b>')")
        await until(viewer, "document.querySelector('.card .message')?.textContent.includes('<img src=x onerror')")
        await until(viewer, "document.getElementById('console').textContent.includes('<img src=x onerror')")
        await until(viewer, "document.getElementById('frames').textContent.includes('<img src=x')")

        found = await js(
            viewer, "[window.pwned ?? 0, document.querySelectorAll('img, iframe, script:not([src])').length]"
        )

        assert found == [0, 0]
        assert "\\u202e" in await js(viewer, "document.getElementById('console').textContent")
        await click(viewer, ".card .buttons button:last-child")


async def test_the_page_of_the_view_lets_no_script_in(live: LiveOn) -> None:
    async with live("<h1>Shop</h1>") as shown, shown.viewer() as viewer:
        tries = """[
            () => { document.body.innerHTML = '<b>x</b>' },
            () => { document.body.append(Object.assign(document.createElement('script'), {textContent: 'x'})) },
            () => { document.body.setAttribute('onclick', 'x') },
            ].map(run => { try { return run() ?? 'done' } catch (error) { return error.name } })"""

        names = await js(viewer, tries)
        headers = await js(viewer, "fetch('/').then(got => [...got.headers].map(String).join(' '))")

        assert names == ["TypeError"] * 3
        assert all(part in headers for part in ("script-src 'self'", "frame-ancestors 'none'", "nosniff", "no-store"))
        assert await js(viewer, "location.hash") == ""


async def test_a_file_chooser_gets_the_path_that_was_typed(live: LiveOn, tmp_path: Path) -> None:
    (tmp_path / "cv.txt").write_text("me")
    html = "<input type=file style='position: fixed; inset: 0; width: 100%; height: 100%'>"
    async with live(html) as shown, shown.viewer() as viewer:
        await click(viewer, "#take")
        await until(viewer, "picture.classList.contains('controlled')")
        await click(viewer, "#picture")
        await until(viewer, "document.querySelector('.card.blocker input') !== null")
        await click(viewer, ".card.blocker input")
        await type_text(viewer, CARD_INPUT, str(tmp_path / "cv.txt"))

        await press(viewer, "Enter")

        await shown.supervisor.wait_for(lambda now: not now.blockers)
        await click(viewer, "#take")
        names = await shown.supervisor.evaluate("document.querySelector('input').files[0].name")
        assert names.value == "cv.txt"


async def test_a_login_gets_the_name_and_the_password_that_were_typed(live: LiveOn, sites: Sites) -> None:
    def secret(request: Request) -> Response:
        is_known = request.authorization == "Basic " + base64.b64encode(b"ada:lovelace").decode()
        return Response("<h1>in</h1>") if is_known else Response("no", 401, {"WWW-Authenticate": "Basic realm=x"})

    sites.pages["/secret"] = secret
    async with live("<h1>Shop</h1>", watch_http_auth=True) as shown, shown.viewer() as viewer:
        going = asyncio.create_task(shown.supervisor.navigate(sites.local("/secret")))
        await until(viewer, "document.querySelectorAll('.card.blocker input').length === 2")
        await type_text(viewer, CARD_INPUT, "ada")
        await type_text(viewer, ".card input[type=password]", "lovelace")

        await press(viewer, "Enter")

        with pytest.raises(LoginRequired):  # it ended when the server asked
            await going
        await until(viewer, "document.querySelector('.card') === null")
        await shown.supervisor.wait_for(
            lambda now: any(info.url.endswith("/secret") for info in now.pages), timeout_s=20
        )
        loaded = "new Promise(done => document.readyState === 'complete' ? done() : addEventListener('load', done))"
        await shown.supervisor.evaluate(f"{loaded}.then(() => 0)")
        assert (await shown.supervisor.evaluate("document.body.innerText")).value == "in"


async def test_who_comes_while_a_dialog_is_open_answers_it_and_sees_the_page_then(live: LiveOn) -> None:
    async with live("<body style='background: lime'>") as shown:
        await shown.supervisor.evaluate(ASKS % "alert('hello')")
        await shown.supervisor.wait_for(lambda now: bool(now.pending_dialogs))

        async with shown.viewer(is_pictured=False) as viewer:
            await until(viewer, "document.querySelector('.card .message').textContent === 'hello'")
            await click(viewer, ".card .primary")
            await until(viewer, "Number(picture.dataset.pictures) > 0")


async def test_the_browser_survives_an_iframe_that_is_removed_under_its_dialog_while_it_is_looked_at(
    live: LiveOn, sites: Sites
) -> None:
    """Anybody with `Page.enable` there would make Chromium 156 end."""
    sites.pages["/asks"] = "<script>setTimeout(() => confirm('Stay?'), 50)</script>"
    async with live("<h1>Shop</h1>") as shown, shown.viewer() as viewer:
        await shown.supervisor.evaluate(
            "const frame = document.body.appendChild(document.createElement('iframe'));"
            f"frame.src = {sites.remote('/asks')!r}; window.drop = () => frame.remove(); 1"
        )
        await until(viewer, "document.querySelector('.card.dialog') !== null")

        await shown.supervisor.evaluate("drop()")

        await shown.supervisor.wait_for(lambda now: not now.pending_dialogs and now.pages[0].status == "ok")
        assert (await shown.supervisor.evaluate("6 * 7")).value == 42
        await until(viewer, "document.querySelector('.card') === null")


async def test_a_storm_of_dialogs_is_shown(live: LiveOn) -> None:
    settings = {"dialog_storm_limit": 2, "dialog_policy": "auto_dismiss"}
    async with live("<h1>Shop</h1>", **settings) as shown, shown.viewer() as viewer:
        await shown.supervisor.evaluate("setTimeout(() => { for (let i = 0; i < 5; i++) alert(i) }); 1")

        told = await until(viewer, "document.querySelector('.card.blocker')?.textContent")

        assert "opens one dialog after the other" in told


async def test_everything_that_can_be_used_has_a_name(live: LiveOn) -> None:
    async with live("<h1>Shop</h1>") as shown, shown.viewer() as viewer:
        await shown.supervisor.evaluate(ASKS % "prompt('Name?')")
        await until(viewer, "document.querySelector('.card input') !== null")

        nodes = (await viewer.send(accessibility.GetFullAXTree())).nodes

        roles = {"button", "textbox", "option", "listbox", "img", "link", "navigation", "log", "image"}
        named = [(str(node.role.value), str(node.name.value) if node.name else "") for node in nodes if node.role]
        used = [(role, name) for role, name in named if role in roles]
        assert {role for role, _ in used} >= {"button", "textbox", "option", "listbox"}
        assert [role for role, name in used if not name.strip()] == []
        await click(viewer, ".card .buttons button:last-child")


async def test_the_page_logs_nothing_and_fails_at_nothing(live: LiveOn) -> None:
    async with live("<h1>Shop</h1>") as shown, shown.viewer() as viewer:
        said = list[object]()
        viewer.listen(lambda _, event: said.append(event), runtime.ConsoleAPICalled, runtime.ExceptionThrown)
        await viewer.send(runtime.Enable())

        await viewer.send(page.Reload())
        await until(viewer, "Number(document.getElementById('picture').dataset.pictures) > 0")

        assert said == []
