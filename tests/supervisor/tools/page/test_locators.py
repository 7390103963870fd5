"""Elements named by a locator in place of a ref, on real Chromium, in every tool that takes a ref."""

from __future__ import annotations

import re
from typing import Any

import pytest

from supervisor.core.vocabulary.errors import BlockedByDialog
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.page.element_errors import AmbiguousLocator, NotLocated, UnknownRef
from supervisor.tools.page.locators import refs_for
from tests.supervisor.tools.acts import clicked_by
from tests.supervisor.tools.conftest import MakeBox, calls
from tests.support.stages.playground import Playground
from tests.support.stages.stages import Stage

SHOP = """<title>Shop</title>
<h1>Login</h1><button onclick="window.hit = 'login'">Login</button>
<ul><li>Tea <button onclick="window.hit = 'tea'">Buy</button><li>Cake <button>Buy</button></ul>
<label>E-mail <input id=mail></label><button>E-mail</button>
<button onclick="window.hit = 'long'">Save as a draft</button>
<p><span style="cursor: pointer" onclick="window.hit = 'span'">Say "hello"</span></p><p>Plain words</p>
<input aria-label="" id=nameless>
<div class=host></div><i class=hidden hidden></i><i class=hidden onclick="window.hit = 'css'">x</i>
<script>document.querySelector('.host').attachShadow({mode: 'open'}).innerHTML = '<b id=inner>Shadow</b>'</script>"""


async def hit(ground: Playground, locator: str) -> Any:
    await ground.value("window.hit = ''")
    await clicked_by(ground, locator)
    return await ground.value("window.hit")


async def meant(ground: Playground, locator: str, *, of_fields: bool = False) -> str:
    (ref,) = await refs_for(ground.supervisor, [locator], of_fields=of_fields)
    seen = [line for line in (await ground.text()).splitlines() if f"[ref={ref}]" in line]
    return seen[0].strip().replace(f" [ref={ref}]", "") if seen else ref


@pytest.mark.parametrize(
    ("locator", "told"),
    [
        ('button "Login"', "login"),
        ('BUTTON "login"', "login"),
        ("login", "login"),
        ("Save as", "long"),
        ('button "draft"', "long"),
        ('Say "hello"', "span"),
        (r'generic "Say \"hello\""', "span"),
        ("css=.hidden", "css"),
    ],
)
async def test_an_element_is_clicked_by_what_a_snapshot_shows(ground: Playground, locator: str, told: str) -> None:
    await ground.open(SHOP)

    assert await hit(ground, locator) == told


@pytest.mark.parametrize(
    ("locator", "line"),
    [
        ('textbox "E-mail"', 'textbox "E-mail"'),
        ("label=e-mail", 'textbox "E-mail"'),
        ('textbox ""', "textbox"),
        ('heading "Login"', 'heading "Login" [level=1]'),
    ],
)
async def test_a_locator_means_a_field_by_label_or_by_role(ground: Playground, locator: str, line: str) -> None:
    await ground.open(SHOP)

    assert await meant(ground, locator) == line


LISTENING = """<label id=l for=soil>Soil</label><input id=soil role=combobox aria-label=Soil><table><tr>
<th id=h>Town<td>Oslo</table><input aria-label=Town><span id=s>Tree</span>
<button aria-haspopup=listbox aria-label="Pick a Tree">None</button><div role=listbox><div role=option>Red</div></div>
<input aria-label="Red wine"><button>Upload</button><script>
for (const node of [l, h, s]) node.onclick = () => 1</script>"""


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("Soil", 'combobox "Soil" [popup=listbox]'),
        ("Town", 'textbox "Town"'),
        ("Tree", 'button "Pick a Tree" [popup=listbox]'),
        ("Red", 'option "Red"'),
        ("Upload", 'button "Upload"'),
    ],
)
async def test_a_text_means_a_field_where_a_value_is_given(ground: Playground, text: str, field: str) -> None:
    await ground.open(LISTENING)

    assert await meant(ground, text, of_fields=True) == field


async def test_a_text_means_the_element_around_it(ground: Playground) -> None:
    await ground.open(SHOP)

    assert await refs_for(ground.supervisor, ["plain words", "css=p + p"]) == [
        await meant(ground, "Plain"),
        await meant(ground, "css=p + p"),
    ]
    assert await meant(ground, "css=#inner") == await meant(ground, "Shadow")


async def test_several_elements_are_listed_with_refs_and_none_is_clicked(ground: Playground) -> None:
    await ground.open(SHOP)

    with pytest.raises(AmbiguousLocator, match="2 elements") as caught:
        await hit(ground, "Buy")

    with pytest.raises(AmbiguousLocator) as by_selector:
        await refs_for(ground.supervisor, ["css=button"])
    with pytest.raises(InvalidArgument, match="not a valid CSS selector"):
        await refs_for(ground.supervisor, ["css=p:::"])

    assert by_selector.value.count == 5
    assert 'button "Login" [ref=e' in by_selector.value.page_text
    listed = re.findall(r'^button "Buy" \[ref=(e\d+)\].* in "(\w+)"$', caught.value.page_text, re.MULTILINE)
    assert [place for _, place in listed] == ["Tea", "Cake"]
    assert await ground.value("window.hit") == ""
    assert await hit(ground, listed[0][0]) == "tea"


async def test_what_is_not_there_is_refused_with_what_comes_near(ground: Playground) -> None:
    await ground.open(SHOP)

    with pytest.raises(NotLocated) as caught:
        await hit(ground, "Save everything")
    with pytest.raises(UnknownRef):
        await hit(ground, "e999999")

    assert caught.value.page_text.startswith('button "Save as a draft" [ref=e')
    assert "Save as" not in str(caught.value)


@pytest.mark.parametrize("locator", ['button "Deep button"', "css=#deep"])
async def test_an_element_is_found_in_an_iframe_of_another_site(ground: Playground, locator: str) -> None:
    await ground.open_nested()

    await clicked_by(ground, locator)
    inner = ground.frame("inner")

    assert inner.is_oopif
    assert await ground.value("document.title", inner.frame_id) == "clicked true"


async def test_a_page_under_a_dialog_says_so(ground: Playground) -> None:
    await ground.open(SHOP)
    await ground.value("setTimeout(() => alert('Wait'))")
    await ground.supervisor.wait_for(lambda now: bool(now.pending_dialogs), timeout_s=10)

    with pytest.raises(BlockedByDialog):
        await hit(ground, "Login")


FORM = """<title>Form</title><label>Name <input></label><label>Mail <input></label><input type=file aria-label=File>
<div style="height: 3000px"></div><button onclick="this.textContent = 'Sent'">Send</button>"""


FIELDS = """<title>Fields</title><label>Month <input type=month></label><label>Due <input type=datetime-local></label>
<label>Week <input type=week></label><label>Resume <input type=file></label><button>Resume</button>
<button value=v>Month</button>"""


async def test_a_label_means_a_file_field_and_a_whole_date_and_no_part_of_it(ground: Playground) -> None:
    await ground.open(FIELDS)

    for label, kind in (("Month", "month"), ("Due", "datetime-local"), ("week", "week"), ("Resume", "file")):
        field = await refs_for(ground.supervisor, [f"css=input[type={kind}]"])
        assert await refs_for(ground.supervisor, [f"label={label}"]) == field
    with pytest.raises(NotLocated):
        await refs_for(ground.supervisor, ["label=Year"])
    assert (await meant(ground, 'button "Month"')).startswith('button "Month"')


@pytest.mark.parametrize("shared_stage", ["chromium"], indirect=True)
def test_every_tool_that_takes_a_ref_takes_a_locator(stage: Stage, make_box: MakeBox) -> None:
    call = calls(make_box(stage))
    call("browser_navigate", url=f"data:text/html,{FORM}")

    typed = call("browser_type", ref='textbox "Name"', text="Ann")
    filled = call("browser_fill_form", fields=[{"ref": "Name", "value": "Bo"}, {"ref": "label=Mail", "value": "b@c"}])
    results = [
        call("browser_wait", until='value:textbox "Name"=Bo', timeout=5),
        call("browser_press", key="End", ref="Mail"),
        call("browser_hover", ref='button "Send"'),
        call("browser_scroll", direction="into_view", ref="css=button"),
        call("browser_vision", ref='button "Send"'),
        call("browser_drag", ref="Send", to_ref="Name"),
        call("browser_wait", until="ref_gone:button Nothing", timeout=5),
        call("browser_click", ref="Send"),
        call("browser_wait", until="ref:Sent", timeout=5),
    ]
    seen = call("browser_snapshot", ref='button "Sent"')
    missing = call("browser_click", ref='button "Sen"')
    wrong = call("browser_file", paths=[__file__], ref="Mail")

    assert typed["value"] == "Ann"
    assert [field["value"] for field in filled["filled"]] == ["Bo", "b@c"]
    assert [result for result in results if not result["success"]] == []
    assert seen["page"].startswith('button "Sent"')
    assert (missing["error_type"], 'button "Sent"' in str(missing)) == ("NotLocated", True)
    assert wrong["error_type"] == "WrongField"


async def test_a_position_counts_beyond_what_is_meant_exactly(ground: Playground) -> None:
    await ground.open("<title>Names</title><button>Save all</button><button>Save</button><button>Auto-save</button>")

    for locator, found in [
        ("Save >> nth=0", "Save"),
        ("Save >> nth=1", "Save all"),
        ('button "save" >> nth=2', "Auto-save"),
    ]:
        assert f'"{found}"' in await meant(ground, locator)


@pytest.mark.parametrize(
    ("locator", "name", "is_meant"),
    [
        ('button "Delete Task 31"', "Delete Task 3123", False),
        ('button "Task 312"', "Delete Task 3123", False),
        ("Delete", "Deleted items", False),
        ("label=Name", "Username", False),
        ("lösch", "Löschen", False),
        ("Task 31", "Delete Task 31, or 3123", True),
        ("Delete", "Deleted? Delete for good", True),
        ("Version 2", "Version 2b", True),
        ("保存", "保存する", True),
        ("(3", "Inbox (3)", True),
    ],
)
async def test_a_part_of_a_name_is_whole_words(ground: Playground, locator: str, name: str, is_meant: bool) -> None:
    await ground.open(f"<meta charset=utf-8><button>{name}</button><input aria-label='{name}'>")

    if is_meant:
        assert await refs_for(ground.supervisor, [f"{locator} >> nth=0"])
    else:
        with pytest.raises(NotLocated) as caught:
            await refs_for(ground.supervisor, [locator])
        assert "nothing on the page is called so" in str(caught.value)
        assert name in caught.value.page_text


@pytest.mark.parametrize(
    ("others", "unread", "problem", "page_text"),
    [
        ("", [], "nothing on the page is called so; the page shows none that can be used", ""),
        ("button", [], "nothing on the page is called so; page_error lists others, with refs", "button"),
        ("button", ["a"], "nothing that could be read is called so; page_error lists what was not read (1)",
         "a\nbutton"),
    ],
)  # fmt: skip
def test_an_element_that_is_not_there_says_what_is(
    others: str, unread: list[str], problem: str, page_text: str
) -> None:
    error = NotLocated("In", others, unread)

    assert (error.problem, error.page_text) == (problem, page_text)


@pytest.mark.parametrize("is_inner", [False, True], ids=["the page", "an iframe of another site"])
async def test_a_page_that_could_not_be_read_is_not_called_empty(ground: Playground, is_inner: bool) -> None:
    ground.sites.pages["/inner"] = "<!doctype html><button>In</button>"
    inner = f"<iframe name=inner src='{ground.sites.remote('/inner')}'></iframe>" if is_inner else ""
    await ground.open(f"<button>Out</button>{inner}", frames=1 + is_inner)
    busy = ground.frame("inner").frame_id if is_inner else None
    await ground.value("void setTimeout(() => { const end = Date.now() + 6000; while (Date.now() < end); })", busy)

    with pytest.raises(NotLocated) as caught:
        await refs_for(ground.supervisor, ["In"])

    assert "nothing that could be read" in str(caught.value)
    assert "/inner (not read: " in caught.value.page_text if is_inner else "/page (not read: " in caught.value.page_text
    await ground.value("1", busy)
