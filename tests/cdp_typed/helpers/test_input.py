"""`click`, `type_text`, `press` and the clipboard are like a person's; what cannot be done is refused in a sentence."""

from __future__ import annotations

import pytest

from cdp_typed import Connection, ElementError, JavaScriptError, Session, connect_sync
from cdp_typed.helpers import blocking, click, goto, js, new_context, press, read_clipboard, type_text, write_clipboard
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.protocol import browser as browser_domain
from cdp_typed.protocol import target
from tests.cdp_typed.helpers.conftest import Helpers
from tests.support.servers.sites import Sites, iframe

pytestmark = pytest.mark.thorough

PAGE = """<!doctype html><title>form</title>
<div style="height: 3000px">far</div>
<form onsubmit="event.preventDefault(); document.title = 'sent ' + field.value">
<input id=field><textarea id=area></textarea>
<button id=send onclick="trusted = event.isTrusted; times = event.detail">Send</button>
<button id=disabled disabled>No</button></form>
<button id=hidden style="display: none">Hidden</button>
<div style="position: relative"><button id=under>Under</button>
<div id=cover style="position: absolute; inset: 0">over</div></div>
<p id=text>text</p>"""


@pytest.fixture
async def form(no_leaks: None, sites: Sites, tab: Session) -> Session:
    sites.pages["/"] = PAGE
    await goto(tab, sites.local("/"))
    return tab


async def test_a_form_is_filled_in_and_sent(form: Session, page_helpers: Helpers) -> None:
    await page_helpers.call("type_text", "#field", "Ada, 37 %! \u00e9\u4e2d\U0001f600")
    await page_helpers.call("click", "#send")

    sent = await page_helpers.call("js", "[document.title, trusted, times, scrollY > 1000]")
    assert sent == ["sent Ada, 37 %! \u00e9\u4e2d\U0001f600", True, 1, True]


async def test_keys_are_pressed_with_their_modifiers(form: Session, page_helpers: Helpers) -> None:
    await page_helpers.call("type_text", "#area", "one\ntwo\tthree")
    assert await js(form, "area.value") == "one\ntwo"  # the Tab went on to the next field
    await page_helpers.call("type_text", "#area", "old")
    await page_helpers.call("press", "Control+a")
    await page_helpers.call("type_text", "#area", "New")
    await page_helpers.call("press", "Backspace")

    assert await js(form, "area.value") == "Ne"
    await page_helpers.call("type_text", "#field", "by Enter")
    await page_helpers.call("press", "Enter")
    assert await js(form, "document.title") == "sent by Enter"


async def test_an_oopif_takes_input_by_its_session(form: Session, browser: Connection, sites: Sites) -> None:
    sites.pages["/outer"] = f"<div style='height: 3000px'></div>{iframe(sites.remote('/'))}"
    async with form.auto_attach() as attaching, browser.new_page():  # this one is in front
        await goto(form, sites.local("/outer"))
        (frame,) = attaching.sessions

        await type_text(frame, "#field", "Ada")
        await press(frame, "Backspace")
        await click(frame, "#send")

        assert await js(frame, "[document.title, trusted, scrollY > 1000]") == ["sent Ad", True, True]


async def test_an_iframe_in_the_process_of_its_page_is_not_searched(form: Session, sites: Sites) -> None:
    sites.pages["/outer"] = iframe("/")
    await goto(form, sites.local("/outer"))

    with pytest.raises(ElementError, match="no element matches"):
        await click(form, "#send")
    await js(form, "frames[0].document.querySelector('#send').click()")
    assert await js(form, "frames[0].document.title") == "sent"


async def test_what_else_keeps_an_element_from_being_found_is_told(form: Session) -> None:
    await js(form, "document.querySelector = () => { throw new Error('not today') }, 0")

    with pytest.raises(JavaScriptError, match="not today"):
        await click(form, "#text")


async def test_a_double_click_is_one(form: Session) -> None:
    await js(form, "addEventListener('dblclick', event => { document.title = event.target.id })")

    await click(form, "#text", clicks=2)

    assert await js(form, "document.title") == "text"


@pytest.mark.parametrize(
    ("selector", "problem"),
    [
        ("#absent", "no element matches"),
        ("a[", "this is no CSS selector"),
        ("#hidden", "the element has no box, so it cannot be seen"),
        ("#disabled", "the element is disabled"),
        ("#under", 'the element is covered by <div id="cover">'),
    ],
)
async def test_what_cannot_be_clicked_is_refused(form: Session, selector: str, problem: str) -> None:
    with pytest.raises(ElementError) as refused:
        await click(form, selector)

    assert str(refused.value) == f'"{selector}": {problem}'
    assert refused.value.selector == selector


@pytest.mark.parametrize(
    ("selector", "problem"),
    [
        ("#absent", "no element matches"),
        ("#text", "the element cannot have the focus"),
        ("#disabled", "the element cannot have the focus"),
    ],
)
async def test_where_nothing_can_be_typed_it_is_refused(form: Session, selector: str, problem: str) -> None:
    with pytest.raises(ElementError, match=f'^"{selector}": {problem}$'):
        await type_text(form, selector, "text")


async def test_a_field_that_gives_the_focus_away_and_a_key_that_is_none_are_refused(form: Session) -> None:
    await js(form, "field.onfocus = () => area.focus()")

    with pytest.raises(ElementError, match="the element does not keep the focus"):
        await type_text(form, "#field", "text")
    with pytest.raises(ValueError, match="there is no key 'Hyper'; a key is one character or one of Backspace, Tab"):
        await press(form, "Hyper")


async def test_a_tab_in_the_background_is_typed_in_too(form: Session, browser: Connection) -> None:
    async with browser.new_page():
        await type_text(form, "#field", "text")

    assert await js(form, "field.value") == "text"


async def test_a_page_reads_what_was_written_and_the_other_way(browser: Connection, tab: Session, sites: Sites) -> None:
    sites.pages["/"] = "<title>p</title>"
    await goto(tab, sites.local())
    for name in ("clipboard-read", "clipboard-write"):
        asked = browser_domain.PermissionDescriptor(name=name)
        await browser.send(browser_domain.SetPermission(permission=asked, setting="granted"))

    assert await write_clipboard(browser, "a\nb") == "a\nb"

    assert await js(tab, "navigator.clipboard.readText()") == "a\nb"
    await js(tab, "navigator.clipboard.writeText('c')")
    assert await read_clipboard(browser) == "c"
    tabs = [info for info in (await browser.send(target.GetTargets())).target_infos if info.type == "page"]
    assert tab.target_id in [info.target_id for info in tabs]


async def test_contexts_share_the_clipboard(browser: Connection) -> None:
    async with new_context(browser) as context, context.new_page():
        await write_clipboard(browser, "shared")

        assert await read_clipboard(browser) == "shared"


def test_a_program_without_async_has_the_same_clipboard(no_leaks: None, chromium: LaunchedBrowser) -> None:
    with connect_sync(chromium.ws_url) as connection:
        assert blocking.write_clipboard(connection, "blocking") == "blocking"
        assert blocking.read_clipboard(connection) == "blocking"
