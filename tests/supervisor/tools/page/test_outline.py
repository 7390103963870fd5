"""The page as text, on real Chromium: each frame in its place, and what is shown of one that cannot answer."""

from __future__ import annotations

import asyncio
import re

import pytest

from cdp_typed.protocol import page, target
from supervisor import CDPSupervisor, NoPage
from supervisor.tools.actions.keyboard import PressArguments, press
from supervisor.tools.page.element_errors import UnknownCursor
from supervisor.tools.page.images import ImagesArguments, images
from supervisor.tools.page.locators import refs_for
from supervisor.tools.page.outline import outline
from supervisor.tools.page.outline_parts import OutlineOptions
from tests.supervisor.tools.acts import clicked
from tests.support.stages.playground import Playground, meddle, numbered
from tests.support.stages.stages import Stage

RICH = r"""<title>Rich</title><body><nav aria-label=Main><a href=/a>Home</a> <a href=/b>About "us"</a></nav>
<main><h1>Rich <em>page</em></h1><p>Some text with a <a href=/c>link</a> in it.<br>Second <b>line</b>.</p>
<form aria-label=Order><label>Name <input value="Ann" required></label>
<label>Password <input type=password value=secret></label>
<input type=checkbox aria-label=Agree><input type=checkbox checked aria-label=News>
<select aria-label=Colour><option>Red<option selected>Blue</select>
<textarea aria-label=Notes>a
b</textarea><button disabled>Send</button><input type=range value=30 aria-label=Volume></form>
<ul><li>First<li>Second <button aria-pressed=true aria-haspopup=menu aria-expanded=false>More</button></ul>
<table><caption>Prices</caption><tr><th>What<th>Cost<tr><td>Tea<td>2</table>
<img src=data:, alt="A cat"><div tabindex=0>Clickable</div><div contenteditable>Edit <b>me</b></div>
<div aria-hidden=true hidden>not this</div><div style="display:none">nor this</div>
<button aria-description="It hurts">e&#x202e;vil
line "quote" \ [ref=x99]</button><div role=alert>Careful</div>
<div id=host></div><script>host.attachShadow({mode: 'closed'}).innerHTML = '<button>In the shadow</button>'</script>
</main></body>"""

GOLDEN = r"""
navigation "Main"
 link "Home" [ref=e1] /a
 link "About \"us\"" [ref=e2] /b
main
 heading "Rich page" [level=1]
 "Some text with a"
 link "link" [ref=e3] /c
 "in it. Second line."
 form "Order"
  textbox "Name" [ref=e4] [required] value="Ann"
  textbox "Password" [ref=e5] value="••••••"
  checkbox "Agree" [ref=e6] [checked=false]
  checkbox "News" [ref=e7] [checked]
  combobox "Colour" [ref=e8] [popup=menu] [expanded=false] value="Blue" (2 options)
  textbox "Notes" [ref=e9] value="a\nb"
  button "Send" [ref=e10] [disabled]
  slider "Volume" [ref=e11] value="30"
 list
  "First"
  "Second" button "More" [ref=e12] [popup=menu] [pressed] [expanded=false]
 table "Prices"
  caption: "Prices"
  columnheader "What" columnheader "Cost"
  "Tea" "2"
 image "A cat" [ref=e13]
 generic [ref=e14]: "Clickable"
 generic [ref=e15]: "Edit me"
 button "e\u202evil line \"quote\" \\ [ref=x99]" [ref=e16] description="It hurts"
 alert: "Careful"
 button "In the shadow" [ref=e17]
"""

NESTED = """
heading "Heading" [level=1]
button "Top button" [ref=e1]
iframe [ref=e2] http://localhost/local
 link "Local link" [ref=e3] /plain
iframe [ref=e4] http://127.0.0.1/middle
 button "Middle button" [ref=e5]
 iframe "Inmost" [ref=e6] http://localhost/inner
  "Inner text"
  button "Deep button" [ref=e7]
  button "Alerting" [ref=e8]
  textbox "Field" [ref=e9] value="old"
"""


BLOCKED = """
heading "Heading" [level=1]
button "Top button" [ref=e1]
iframe [ref=e2] http://localhost/local
 link "Local link" [ref=e3] /plain
iframe [ref=e4] http://127.0.0.1/middle (not read: blocked by dialog d-1)
 iframe http://localhost/inner
  "Inner text"
  button "Deep button" [ref=e5]
  button "Alerting" [ref=e6]
  textbox "Field" [ref=e7] value="old"
"""

TOP_BLOCKED = """
(not read: blocked by dialog d-1)
iframe http://localhost/local (not read: blocked by dialog d-1)
iframe http://127.0.0.1/middle
 button "Middle button" [ref=e1]
 iframe "Inmost" [ref=e2] http://localhost/inner (not read: blocked by dialog d-1)
"""


SCRIPTED = """<title>Scripted</title><div style=display:flex><span>Qty</span><span>3</span><span>Price</span></div>
<ul><li id=one>Pick me<li style='cursor:pointer'><i>Hand</i> over</ul>
<div id=root><div class=card><h3>Title</h3></div><button>Inside</button></div>
<div onmousedown='1'><img src=data:, alt=pic></div><label style='cursor:pointer'>Upload<input type=file hidden></label>
<a href='https://other.test/path?x=1'><h3>News</h3><img alt=News src=data:,></a><a href='javascript:void 0'>Script</a>
<label for=zip>Zip</label><input id=zip><table><tr onclick='1'><td>Tea<td>2</table>
<script>root.addEventListener('click', () => 0); one.addEventListener('click', () => 0)</script>"""

SCRIPTED_GOLDEN = """
"Qty 3 Price"
list
 listitem "Pick me" [ref=e1]
 listitem "Hand over" [ref=e2]
heading "Title" [level=3]
button "Inside" [ref=e3]
generic [ref=e4]
 image "pic" [ref=e5]
button "Upload" [ref=e6]
link "News" [ref=e7] https://other.test/path?x=1
link "Script" [ref=e8]
textbox "Zip" [ref=e9]
table
 row "Tea 2" [ref=e10]
"""


FAR = """<title>Far</title><nav><div><ul><li><a id=name href=/sort>Name</a><li><button>Saved</button></ul></div></nav>
<p>Kept</p><div>Saved</div><p>Text</p>
<form><fieldset><div><label for=name>Name</label><input id=name></div></fieldset></form>
<div><div><div><label for=far>Far</label></div></div></div><div><div><div><p>1<p>2<input id=far></div></div></div>
<div><span>Dark</span><button role=switch aria-label=Dark></button></div>"""
"""Texts by which only a control elsewhere is called. The label `Name` belongs to the link: both have the same id, as
rows that are edited in their place often do."""


FAR_GOLDEN = """
navigation: list
 link "Name" [ref=e1] /sort
 button "Saved" [ref=e2]
"Kept"
"Saved"
"Text"
form: group
 "Name"
 textbox [ref=e3]
"1"
"2"
textbox "Far" [ref=e4]
switch "Dark" [ref=e5] [checked=false]
"""


SHOWN = {
    "rich": (RICH, GOLDEN),
    "scripted": (SCRIPTED, SCRIPTED_GOLDEN),
    "texts that name what is elsewhere": (FAR, FAR_GOLDEN),
}


@pytest.mark.parametrize(("html", "lines"), SHOWN.values(), ids=SHOWN)
async def test_a_page_is_shown_with_roles_names_states_and_refs(ground: Playground, html: str, lines: str) -> None:
    await ground.open(html)

    assert numbered(await ground.text()) == lines


async def test_a_value_is_shown_exactly_and_a_long_one_whole_when_it_is_asked_for(ground: Playground) -> None:
    await ground.open("<textarea aria-label=Notes></textarea><input aria-label=Path>")
    await ground.value(r"document.querySelector('textarea').value = ' a  b\n\t\\n\"c\u200b\" ' + 'x'.repeat(500)")
    await ground.value(r"document.querySelector('input').value = 'C:\\  d'")
    start = r'" a  b\n\t\\n\"c\u200b\" '

    seen = await ground.text()
    whole = await ground.text(ref=await ground.ref("Notes"))

    assert r'value="C:\\  d"' in seen
    assert f'value={start}{"x" * 186}" (200 of 514 characters)' in seen
    assert f'value={start}{"x" * 500}"' in whole


async def test_three_levels_of_frames_each_in_its_place(ground: Playground) -> None:
    await ground.open_nested()

    assert numbered(await ground.text()) == NESTED
    interactive = [line for line in NESTED.splitlines() if "[ref=" in line]
    assert numbered(await ground.text(interactive_only=True)).splitlines()[1:] == interactive


async def open_dialog(ground: Playground, frame_id: str | None = None) -> None:
    await ground.supervisor.evaluate("setTimeout(() => alert('stop'), 0)", frame_id)
    await ground.supervisor.wait_for(lambda now: bool(now.pending_dialogs), timeout_s=20)


async def test_a_frame_that_a_dialog_blocks_is_shown_as_such_among_the_others(ground: Playground) -> None:
    await ground.open_nested()
    await open_dialog(ground, ground.frame("middle").frame_id)

    assert numbered(await ground.text()) == BLOCKED


async def test_a_page_that_a_dialog_blocks_shows_the_frames_of_other_processes(ground: Playground) -> None:
    """The inmost frame is of the page's own site, and shares its process."""
    await ground.open_nested()
    await open_dialog(ground)

    assert numbered(await ground.text()) == TOP_BLOCKED


async def test_after_a_dialog_only_what_changed_is_a_change(ground: Playground) -> None:
    """A snapshot under the dialog shows nothing of the page, and is nothing to compare the next one with."""
    await ground.open("<button>First</button><p>Old</p>")
    await ground.text()
    await open_dialog(ground)
    await ground.text()
    await ground.supervisor.respond_to_dialog("accept")
    await ground.value("document.querySelector('p').textContent = 'New'")

    assert await ground.text(changed_only=True) == '"New"\ngone: "Old"'


async def test_an_element_keeps_its_ref_while_its_document_lives(ground: Playground) -> None:
    await ground.open("<button>First</button>")
    before = await ground.ref('button "First"')

    await ground.value("document.body.prepend(Object.assign(document.createElement('button'), {textContent: 'New'}))")

    assert await ground.ref('button "First"') == before
    assert await ground.ref('button "New"') != before


async def test_a_long_page_is_continued_from_the_same_snapshot(ground: Playground) -> None:
    await ground.open("".join(f"<button>Number {number}</button>" for number in range(200)))

    first = await outline(ground.supervisor, OutlineOptions(max_chars=1000))
    await ground.value("document.body.replaceChildren()")
    parts = [first]
    while (cursor := parts[-1].cursor) is not None:
        parts.append(await outline(ground.supervisor, OutlineOptions(max_chars=1000, cursor=cursor)))

    assert all(len(part.page) <= 1000 for part in parts)
    lines = [line for part in parts for line in part.page.splitlines()]
    assert [re.findall(r"Number (\d+)", line) for line in lines] == [[str(number)] for number in range(200)]
    assert first.lines_left == len(lines) - len(first.page.splitlines())
    assert parts[-1].lines_left == 0


async def test_a_line_that_is_longer_than_the_budget_is_shown_all_the_same(ground: Playground) -> None:
    await ground.open(f"<h1>Words</h1><p>{'word ' * 400}</p>")

    first = await outline(ground.supervisor, OutlineOptions(max_chars=500))
    second = await outline(ground.supervisor, OutlineOptions(max_chars=500, cursor=first.cursor))

    assert first.lines_left == 1
    assert second.page.endswith('... (999 more characters)"')
    assert second.cursor is None


@pytest.mark.parametrize("cursor", ["", "1", "1.x", "0.3", "no.1"])
async def test_a_cursor_of_another_snapshot_is_refused(ground: Playground, cursor: str) -> None:
    await outline(ground.supervisor, OutlineOptions())

    with pytest.raises(UnknownCursor, match="that snapshot is not held any more; take a new one"):
        await outline(ground.supervisor, OutlineOptions(cursor=cursor))


async def test_a_frame_that_is_not_displayed_is_named_and_not_shown(ground: Playground) -> None:
    ground.sites.pages["/plain"] = "<!doctype html><button>Hidden</button>"
    await ground.open(f"<iframe src='{ground.sites.remote('/plain')}' style='display:none'></iframe>", frames=2)

    assert numbered(await ground.text()).splitlines()[1:] == ["iframe http://127.0.0.1/plain [hidden]"]
    assert "iframe" not in await ground.text(interactive_only=True)


async def test_a_frame_that_does_not_answer_in_time_is_shown_as_such(ground: Playground) -> None:
    """The page around it is read at once; its script is not awaited longer than the deadline."""
    await ground.open_nested()
    middle = ground.frame("middle").frame_id
    await ground.value("setTimeout(() => { while (true); }, 0)", middle)

    seen = await outline(ground.supervisor, OutlineOptions(), frame_timeout_s=0.5)

    assert re.search(r"/middle \(not read: no answer within 0.5 s, (slow|unresponsive)\)", seen.page)
    assert 'button "Top button"' in seen.page
    assert 'button "Deep button"' in seen.page
    await ground.supervisor.terminate(middle)


@pytest.mark.parametrize(
    ("times", "seen"),
    [(3, r"\(not read: its document was replaced while it was read\)"), (1, r'button "Old" \[ref=e\d+\]')],
)
async def test_a_page_is_read_again_if_it_was_replaced_and_not_for_ever(
    ground: Playground, monkeypatch: pytest.MonkeyPatch, times: int, seen: str
) -> None:
    """The numbers of the old document may be those of other elements by now."""
    await ground.open("<button>Old</button>")

    meddle(monkeypatch, ground.supervisor, "Accessibility.getFullAXTree", ground.reload, times=times)

    assert re.fullmatch(seen, await ground.text())


async def test_a_document_with_too_much_is_not_listed(ground: Playground, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page of 5 MB held Chromium and its own scripts up for a minute at each look."""
    monkeypatch.setattr("supervisor.tools.page.outline.MOST_ELEMENTS", 1_000)
    many = "<script>document.write('<p>a'.repeat(1_001))</script>"
    await ground.open(f"<title>Long</title><form name=getElementsByTagName></form>{many}<button>Last</button>")
    shown = await outline(ground.supervisor, OutlineOptions())
    (ref,) = await refs_for(ground.supervisor, ["css=button"])
    done = await clicked(ground, ref)

    assert shown.title == "Long"
    assert re.fullmatch(r"\(not read: it has 10\d\d elements, too many to list: .*\)", shown.page)
    assert done.hint == ""


async def test_how_many_frames_are_not_shown_is_said(ground: Playground) -> None:
    await ground.open(
        "<script>for (let n = 0; n < 40; n++) document.write('<iframe src=about:blank></iframe>')</script>", frames=41
    )

    assert (await ground.text()).splitlines()[-1] == "10 more frames are not shown"


def test_without_a_page_there_is_nothing_to_read_or_touch(mock_stage: Stage) -> None:
    with CDPSupervisor(mock_stage.cdp_url) as supervisor:
        for page in supervisor.snapshot().pages:
            supervisor.send(target.CloseTarget(target_id=target.TargetID(page.target_id)))
        supervisor.wait_for(lambda now: not now.pages, timeout_s=20)

        for work in (
            outline(supervisor.aio, OutlineOptions()),
            images(supervisor.aio, ImagesArguments()),
            press(supervisor.aio, PressArguments(key="a")),
        ):
            with pytest.raises(NoPage):
                asyncio.run(work)


async def test_a_frame_that_crashed_is_shown_as_such(ground: Playground) -> None:
    await ground.open_nested()
    middle = ground.frame("middle").frame_id

    with pytest.raises(Exception, match="crashed"):
        await ground.supervisor.send(page.Crash(), middle)

    assert "/middle (not read: it crashed)" in await ground.text()
