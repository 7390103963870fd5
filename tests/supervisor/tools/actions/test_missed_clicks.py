"""Presses that bring no click: the page moves or replaces what was pressed, on real Chromium."""

from __future__ import annotations

import pytest

from supervisor.tools.actions.mouse import NO_CLICK, ClickArguments, click
from supervisor.tools.actions.text_fields import TypeArguments, type_text
from tests.support.stages.playground import Playground

PAGE = """<!doctype html><link rel=icon href=data:,>
<script>log = []; note = event => log.push(event.type);
const anew = node => { node.outerHTML = node.outerHTML; };</script>
<label>Code <input onblur="%s"></label><div id=told></div>%s"""

MESSAGE = "told.innerHTML = '<p>A code has six digits.</p><p>It is in the letter.</p>'"
BUTTON = "<p id=bar><button onclick='note(event)' %s>Save</button></p>"
BOX = "<p id=bar><input type=checkbox aria-label=Save onclick='note(event)'></p>"

ANEW = "anew(bar.firstElementChild)"

MISSED = {
    "moved by a message on blur": (MESSAGE, BUTTON % ""),
    "made anew on blur": (ANEW, BUTTON % ""),
    "moved and made anew on blur": (f"{MESSAGE}; {ANEW}", BUTTON % ""),
    "a box that is moved": (MESSAGE, BOX),
    "a link whose text is covered by the message": (
        "told.innerHTML = '<p style=&quot;position:absolute; left:0; width:400px; height:200px&quot;>Six digits.'",
        "<p id=bar style='position:relative; top:20px; z-index:-1'><a href='javascript:note({type:`click`})'>Save</a>",
    ),
}


@pytest.mark.parametrize("is_remote", [False, True], ids=["in the page", "in an iframe of another site"])
@pytest.mark.parametrize("what", list(MISSED)[:4])
async def test_what_moved_or_was_replaced_under_the_press_is_clicked_once(
    ground: Playground, what: str, is_remote: bool
) -> None:
    """In a real page nothing but the blur of the field did it: it does not happen a second time."""
    ground.sites.pages["/inner"] = PAGE % MISSED[what]
    if is_remote:
        await ground.open(f"<iframe name=inner src='{ground.sites.remote('/inner')}' height=300>", frames=2)
    else:
        await ground.open(PAGE % MISSED[what])
    frame_id = ground.frame("inner").frame_id if is_remote else None
    await type_text(ground.supervisor, TypeArguments(ref=await ground.ref('textbox "Code"'), text="1"))

    done = await click(ground.supervisor, ClickArguments(ref=await ground.ref(' "Save"')))

    assert (done.hint, await ground.value("log", frame_id)) == ("", ["click"])


@pytest.mark.parametrize(
    "button",
    [
        BUTTON % f'onpointerdown="note(event); {ANEW}"',
        BUTTON % 'onmousedown="note(event); bar.style.marginTop = `300px`"',
        "<p id=bar onmouseup='note(event)'>" + (BUTTON % f'onfocus="{ANEW}"').partition(">")[2],
    ],
    ids=["made anew on pointerdown", "moved on mousedown", "made anew below a listener"],
)
async def test_what_a_second_press_might_do_twice_is_told_and_not_pressed_again(
    ground: Playground, button: str
) -> None:
    await ground.open(PAGE % ("", button))

    done = await click(ground.supervisor, ClickArguments(ref=await ground.ref('button "Save"')))

    assert (done.hint, len(await ground.value("log"))) == (NO_CLICK, 1)


@pytest.mark.parametrize(
    "html",
    [
        "<button onmousedown='note(event); event.preventDefault(); this.after(this.cloneNode(true)); this.remove()'>B",
        "<button onpointerdown='note(event); event.preventDefault(); this.style.marginTop = `200px`'>B</button>",
        "<div role=listbox><div role=option onmousedown='note(event); this.parentNode.remove()'>B</div></div>",
        "<div role=listbox><div role=option onmousedown='note(event); this.parentNode.hidden = true'>B</div></div>",
        "<button onmousedown='note(event); this.disabled = true'>B</button>",
        "<div onpointerdown='note(event); this.setPointerCapture(event.pointerId)'><button>B</button></div>",
        "<label for=c>Agree <button onclick='note(event)'>B</button></label><input id=c type=checkbox>",
        "<select aria-label=B onclick='note(event)'><option>One<option>Two</select>",
        "<select size=3 aria-label=C onclick='note(event)'><option>B<option>Two</select>",
        "<input type=range aria-label=B onclick='note(event)'>",
        "<input type=date aria-label=B onclick='note(event)'>",
        "<details onclick='note(event)'><summary>B</summary>Text</details>",
        "<textarea aria-label=B onclick='note(event)'></textarea>",
        "<svg width=90 height=90 onclick='note(event)'><circle role=button aria-label=B r=40 cx=40 cy=40 /></svg>",
        "<a href='#there' draggable=true onclick='note(event)'><img alt=B width=30 height=30></a>",
        "<button onclick='note(event); this.remove()'>B</button>",
        "<button onclick='note(event); this.outerHTML = this.outerHTML'>B</button>",
    ],
)
async def test_a_page_that_got_what_it_needs_leaves_no_doubt(ground: Playground, html: str) -> None:
    await ground.open(f"<script>log = []; note = event => log.push(event.type)</script>{html}")

    done = await click(ground.supervisor, ClickArguments(ref=await ground.ref(' "B"')))

    assert (done.hint, len(await ground.value("log"))) == ("", 1)
