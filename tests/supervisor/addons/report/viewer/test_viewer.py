"""What a person does with a report, in a real Chromium: look, step, search, follow links, all of it with keys too."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest

from cdp_typed.helpers import click, type_text
from cdp_typed.protocol import accessibility
from cdp_typed.protocol.input import DispatchMouseEvent
from supervisor.addons.report.viewer import SCRIPTS, script, template
from tests.supervisor.addons.report.viewer.conftest import Viewed
from tests.supervisor.addons.report.viewer.flights import PAY, SHOP, long_flight, short_flight
from tests.support.hostile_texts import MARK, TEXTS

pytestmark = pytest.mark.thorough

FIRST_PAINT_S = 30.0
"""For a file of 100,000 inputs, on a machine that does other things too; alone it takes two to three seconds."""

SCRUB_MS = 250.0
"""For one step in it, drawn; alone it takes a few milliseconds."""

STATE = "#state .row"


async def rows(viewed: Viewed) -> list[str]:
    """The names of the sections of the state, and of what is in those that are open."""
    return await viewed.texts(f"{STATE} .name")


async def test_the_lanes_are_there_and_the_summary_says_what_went_wrong(viewed: Viewed) -> None:
    await viewed.open(short_flight()[1])

    assert await viewed.texts(".lane-name") == [
        "Connection", "Tools", "Calls", "Dialogs", "Tab 1 shop.test/cart", "Frames", "Tab 2 pay.test/receipt",
        "Console",
        "Network failures",
    ]  # fmt: skip
    assert await viewed.texts("#findings .badge") == ["failed", "waited", "connection", "crash"]
    assert "waited for an answer of the agent" in (await viewed.texts("#findings .finding-text"))[1]
    drawn = await viewed.js(
        "(() => { const c = document.getElementById('timeline'); const d = c.getContext('2d')"
        ".getImageData(0, 0, c.width, c.height).data; return new Set(new Uint32Array(d.buffer)).size })()"
    )
    assert drawn > 20  # colours


async def test_each_step_shows_the_state_of_that_input(viewed: Viewed) -> None:
    flight, report = short_flight()
    await viewed.open(report)
    await viewed.press("Home")

    for index, state in enumerate(flight.states):
        before = flight.states[index - 1] if index else None
        assert f"input {index} of {flight.count}" in (await viewed.texts("#moment"))[0]
        shown = await rows(viewed)
        assert ("Open dialogs" in shown) == bool(state["pending_dialogs"] or (before and before["pending_dialogs"]))
        assert ("Tabs" in shown) == bool(state["pages"])
        connection = (await viewed.texts(f"{STATE} .note"))[0]
        assert connection == ": ".join(filter(None, (state["state"], state["reason"])))
        assert (await viewed.texts("#changed"))[0].startswith("Nothing") == (before == state)
        await viewed.press("ArrowRight")
    await viewed.press("End", "ArrowLeft", "ArrowLeft")
    assert f"input {flight.count - 3} of" in (await viewed.texts("#moment"))[0]


async def test_what_an_input_changed_is_marked(viewed: Viewed) -> None:
    await viewed.open(short_flight()[1], "#t=0.62&input=11")

    assert await viewed.texts(f"{STATE}.is-added .name") == ["d-1 confirm"]
    await viewed.press("ArrowRight", "ArrowRight", "ArrowRight")
    assert await viewed.texts(f"{STATE}.is-removed .name") == ["d-1 confirm"]
    await viewed.press("c")
    assert await rows(viewed) == ["Open dialogs", "d-1 confirm", "Closed dialogs", "d-1 confirm"]


async def test_a_click_in_the_timeline_goes_to_that_moment(viewed: Viewed) -> None:
    flight, report = short_flight()
    await viewed.open(report)

    await click(viewed.tab, "#timeline")  # its middle, between the dialog and the reconnect

    await viewed.until("location.hash.startsWith('#t=2.')")
    ((at, index),) = re.findall("#t=([^&]+)&input=([^&]+)", await viewed.js("location.hash"))
    times = report.inputs.time
    assert times[int(index)] <= 1000 * float(at) < times[int(index) + 1]
    assert flight.states[int(index)]["state"] == "ready"


async def test_the_mouse_over_the_film_strip_shows_the_picture_of_that_moment(viewed: Viewed) -> None:
    _, report = short_flight()
    await viewed.open(report)
    left, top, width = await viewed.js(
        "(() => { const { left, top, width } = document.getElementById('film').getBoundingClientRect();"
        " return [left, top, width] })()"
    )

    for share, picture in ((0.2, 0), (0.6, 1), (0.95, 2)):
        await viewed.tab.send(DispatchMouseEvent(type="mouseMoved", x=left + share * width, y=top + 20))
        source = await viewed.js("document.getElementById('film-image').src")
        assert source.endswith(report.pictures[picture].data)
    assert await viewed.js("document.getElementById('film-preview').getBoundingClientRect().right <= innerWidth")
    await viewed.tab.send(DispatchMouseEvent(type="mouseMoved", x=5, y=5))
    await viewed.until("document.getElementById('film-preview').hidden")


async def test_a_link_leads_to_its_moment_and_event(viewed: Viewed) -> None:
    await viewed.open(short_flight()[1], "#t=3.2")
    assert "input 15 of" in (await viewed.texts("#moment"))[0]

    await viewed.press("n")
    await viewed.until("location.hash.includes('event=')")
    link: str = await viewed.js("location.hash")
    await viewed.press("Home")
    await viewed.until("location.hash === '#t=0&input=0'")
    await viewed.js("(link) => { location.hash = link }", link)
    await viewed.until("document.querySelector('#rows [aria-selected=true]')")

    assert "input 16 of" in (await viewed.texts("#moment"))[0]


async def test_a_search_finds_and_filters_filter(viewed: Viewed) -> None:
    await viewed.open(short_flight()[1])
    await viewed.press("/")
    await type_text(viewed.tab, "#search", "tax.json")
    await viewed.press("Enter")

    assert await viewed.texts("#rows .label") == ["GET https://shop.test/tax.json", "Failed to load resource: tax.json"]
    assert "input 8 of" in (await viewed.texts("#moment"))[0]
    await viewed.press("i")
    assert await viewed.texts("#rows .label") == ["500 tax.json", "error tax.json"]
    await click(viewed.tab, "#clear-filters")
    await viewed.press("v")

    async def choose(which: str, value: str) -> list[str]:
        await viewed.js(
            "(id, value) => { const one = document.getElementById(id); one.value = value;"
            " one.dispatchEvent(new Event('change')) }",
            which,
            value,
        )
        return await viewed.texts("#rows .label")

    assert await choose("page-filter", PAY) == ["Tab 2", "Tab 2 crashed"]
    assert await viewed.texts(".lane-name") == ["Tab 2 pay.test/receipt"]
    await choose("page-filter", SHOP)
    assert await choose("kind-filter", "dialog") == ['confirm d-1 "Really delete the cart?"']
    await choose("page-filter", "")
    await choose("kind-filter", "")
    assert await choose("severity-filter", "error") == [
        "GET https://shop.test/tax.json", "Failed to load resource: tax.json", "evaluate removeAll()", "Tab 2 crashed",
    ]  # fmt: skip


async def test_everything_works_with_keys_and_has_a_name(viewed: Viewed) -> None:
    await viewed.open(short_flight()[1], "#t=0.9&input=12")
    await viewed.js("document.querySelector('#state .scroller').focus()")
    await viewed.press("Home", "ArrowRight", "ArrowDown", "ArrowDown")
    assert await viewed.js("document.querySelector('#state [aria-expanded=true]').textContent.includes('Connection')")
    assert await viewed.js("document.querySelector('#state [aria-selected=true] .name').textContent") == "reason"
    await viewed.press("?")
    assert await viewed.js("document.querySelector('#help').open")
    await viewed.press("Escape")

    nodes = (await viewed.tab.send(accessibility.GetFullAXTree())).nodes
    roles = {"button", "slider", "listbox", "tree", "tab", "combobox", "searchbox", "checkbox", "option", "treeitem"}
    seen = [(node.role.value, node.name.value if node.name else "") for node in nodes if node.role and not node.ignored]
    named: list[tuple[Any, Any]] = [(role, name) for role, name in seen if role in roles]
    assert roles <= {role for role, _ in named}
    assert [role for role, name in named if not name] == []
    assert ("slider", "Timeline") in named


@pytest.mark.parametrize(("width", "height"), [(390, 844), (640, 400)])
async def test_a_narrow_window_and_one_at_200_percent_are_usable(viewed: Viewed, width: int, height: int) -> None:
    await viewed.open(short_flight()[1], width=width, height=height)

    assert await viewed.js("document.documentElement.scrollWidth <= innerWidth")
    await click(viewed.tab, "#forward")
    await click(viewed.tab, "#tab-details")
    await click(viewed.tab, "#rows .row")
    assert await viewed.js("document.querySelector('#details h3').getClientRects()[0].width > 0")


async def test_texts_of_a_page_are_shown_and_never_run(viewed: Viewed) -> None:
    hostile = "\n".join(TEXTS).replace("\udfff\ud83d", "").encode("utf-8", "replace").decode()
    attack = f"</script><script>document.title = '{MARK}'</script><img src=x onerror=\"document.title='{MARK}'\">\u202e"
    _, report = short_flight(attack, f"{attack}{hostile}{'x' * 10_000_000}end")
    await viewed.open(report, "#t=0.62&input=11")

    assert (await viewed.texts("#title"))[0] == attack.replace("\u202e", "\\u202e")
    note = (await viewed.texts(f"{STATE}.is-added .note"))[0]
    assert "<script>" in note
    assert "\u202e" not in note
    await viewed.js("(document.querySelector('#state .is-added').click(), 0)")
    await viewed.until("document.querySelector('#state .more')")
    await click(viewed.tab, "#state .more")
    assert await viewed.js("document.querySelector('#whole').open")
    await viewed.press("End")
    assert (await viewed.texts("#whole-text .row"))[-1].endswith("end")
    foreign = "img:not([src^='data:']):not([alt]), body script:not([id])"
    assert await viewed.js("(selector) => document.querySelectorAll(selector).length", foreign) == 1
    assert MARK not in (await viewed.js("document.title")).split("'")[0]


async def test_a_flight_of_10_000_inputs_is_quick(viewed: Viewed) -> None:
    flight, report = long_flight(10_000)
    began = time.monotonic()
    await viewed.open(report)
    assert time.monotonic() - began < FIRST_PAINT_S

    assert await viewed.js("document.querySelectorAll('.row').length") < 300
    await viewed.press("c")
    for index in (5_000, 400, 9_996):
        await viewed.js("(index) => { location.hash = `#t=${index * 0.007}&input=${index}` }", index)
        await viewed.until(f"document.getElementById('moment').textContent.includes('input {index:,} of')")
        newest = flight.states[index]["console"][-1]
        assert await viewed.texts(f"{STATE}.is-added .name") == [f"{newest['seq']} {newest['level']}"]
    took: float = await viewed.js(
        """(async () => {
          const taken = [];
          for (let step = 0; step < 60; step++) {
            const began = performance.now();
            document.getElementById(step % 3 ? 'back' : 'forward').click();
            await new Promise(requestAnimationFrame);
            taken.push(performance.now() - began);
          }
          return taken.sort((one, two) => one - two)[30];
        })()"""
    )
    assert took < SCRUB_MS


def test_the_script_cannot_end_its_own_element() -> None:
    assert "</script" not in script()
    assert "innerHTML" not in script()
    assert len(SCRIPTS) == len(set(SCRIPTS))
    assert all(template().count(f"{{{{{name}}}}}") == 1 for name in ("csp", "title", "style", "data", "script"))
