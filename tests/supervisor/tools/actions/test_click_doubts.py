"""When a click doubts that its element was pressed, and presses that bring no click, on real Chromium."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from cdp_typed.protocol.input import DispatchMouseEventType
from supervisor.tools.actions.mouse import LOST, NO_CLICK, ClickArguments, HoverArguments, Mouse, click, hover
from supervisor.tools.page.geometry import Point
from tests.supervisor.tools.acts import clicked, typed
from tests.support.stages.playground import Playground


@pytest.mark.parametrize(("times", "hint"), [(2, ""), (1000, LOST)], ids=["late", "never"])
async def test_an_iframe_of_another_process_that_the_browser_does_not_deliver_to(
    ground: Playground, monkeypatch: pytest.MonkeyPatch, times: int, hint: str
) -> None:
    """Chromium does so with an iframe that has just appeared or scrolled, in 1 of 20 clicks on a busy machine."""
    await ground.open_nested()
    ref, inner = await ground.ref('button "Deep button"'), ground.frame("inner").frame_id
    send, elsewhere = Mouse.send, [Point(1, 1)] * times

    async def send_elsewhere(mouse: Mouse, kind: DispatchMouseEventType, **given: Any) -> None:
        await send(replace(mouse, point=elsewhere.pop()) if elsewhere else mouse, kind, **given)

    monkeypatch.setattr(Mouse, "send", send_elsewhere)
    done = await clicked(ground, ref)

    assert done.hint == hint
    assert await ground.value("document.title", inner) == ("Inner" if hint else "clicked true")


async def test_a_press_that_the_page_never_saw_is_told(ground: Playground, monkeypatch: pytest.MonkeyPatch) -> None:
    await ground.open("<button onclick='window.hit = 1'>B</button>")
    ref, send = await ground.ref('button "B"'), Mouse.send

    async def lose_presses(mouse: Mouse, kind: DispatchMouseEventType, **given: Any) -> None:
        if kind != "mousePressed":
            await send(mouse, kind, **given)

    monkeypatch.setattr(Mouse, "send", lose_presses)
    done = await clicked(ground, ref)

    assert (done.hint, await ground.value("window.hit")) == (LOST, None)


@pytest.mark.parametrize("is_remote", [False, True])
async def test_a_click_on_an_iframe_goes_to_its_document_without_doubt(ground: Playground, is_remote: bool) -> None:
    ground.sites.pages["/inner"] = "<!doctype html><body style='height:100px' onclick='window.hit = 1'>Inner"
    address = ground.sites.remote("/inner") if is_remote else "/inner"
    await ground.open(
        f"<div aria-label=Editor role=group tabindex=0><iframe name=inner title=Text src='{address}'></iframe></div>",
        frames=2,
    )

    inner = ground.frame("inner").frame_id
    # Chromium delivers nothing to an iframe of another process before that is drawn.
    await ground.value("new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))", inner)
    refs = [await ground.ref(name) for name in ('iframe "Text"', 'group "Editor"')]
    done = [await clicked(ground, ref) for ref in refs]

    assert [each.hint for each in done] == ["", ""]
    assert await ground.value("window.hit", inner) == 1


@pytest.mark.parametrize(
    ("html", "is_beside"),
    [
        ("<button onmouseover=\"this.style = 'position:absolute; left:300px; top:300px'\">B</button>", True),
        ("<button onmouseover=\"document.querySelector('dialog').showModal()\">B</button><dialog>Over</dialog>", True),
        ("<button onmouseover='this.outerHTML = this.outerHTML'>B</button>", False),
        ("<label>Name <input type=checkbox aria-label=B></label>", False),
        ("<button><b>B</b></button>", False),
    ],
    ids=["moves away", "is covered", "is replaced", "in a label", "has a child"],
)
async def test_a_click_that_another_element_got_says_so(ground: Playground, html: str, is_beside: bool) -> None:
    await ground.open(html)

    done = await clicked(ground, ' "B"')

    assert ("another element got the click" in done.hint) is is_beside


@pytest.mark.parametrize(
    "html",
    [
        "<button>B</button>",
        "<label for=c>Agree to <button>B</button></label><input id=c type=checkbox>",
        "<button><span style='pointer-events:none'>B</span></button>",
        "<dialog open><form><label>A <input aria-label=B></label><label for=c>C</label><input id=c></form></dialog>",
        "<button onmouseover='event.stopPropagation()' onmousemove='event.stopImmediatePropagation()'>B</button>",
    ],
    ids=["button", "in another's label", "lets the mouse through", "beside a label", "stops its events"],
)
@pytest.mark.parametrize("act", [click, hover])
async def test_the_mouse_arrives_in_another_process_at_once(
    ground: Playground, monkeypatch: pytest.MonkeyPatch, html: str, act: Any
) -> None:
    """Where Chromium did not deliver it, it is moved again once or twice; in vain it was some twenty times."""
    ground.sites.pages["/inner"] = f"<!doctype html><link rel=icon href=data:,>{html}"
    await ground.open(f"<iframe name=inner src='{ground.sites.remote('/inner')}'></iframe>", frames=2)
    ref, send, moves = await ground.ref(' "B"'), Mouse.send, list[str]()

    async def count(mouse: Mouse, kind: DispatchMouseEventType, **given: Any) -> None:
        moves.extend([kind] * (kind == "mouseMoved"))
        await send(mouse, kind, **given)

    monkeypatch.setattr(Mouse, "send", count)
    for _ in range(2):
        await act(ground.supervisor, (ClickArguments if act is click else HoverArguments)(ref=ref))

    assert len(moves) <= 5


# -- the page moves or replaces what was pressed -----------------------------------------------------------------

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
    await typed(ground, 'textbox "Code"', "1")

    done = await clicked(ground, ' "Save"')

    assert (done.hint, await ground.value("log", frame_id)) == ("", ["click"])


@pytest.mark.parametrize("after_ms", [0, 10, 30])
async def test_a_page_that_is_busy_after_the_press_is_asked_all_the_same(ground: Playground, after_ms: int) -> None:
    busy = "const end = performance.now() + 900; while (performance.now() < end);"
    await ground.open(PAGE % (f"{MESSAGE}; setTimeout(() => {{ {busy} }}, {after_ms})", BOX))
    await typed(ground, 'textbox "Code"', "1")

    done = await clicked(ground, ' "Save"')

    assert (done.hint, await ground.value("log")) == ("", ["click"])


@pytest.mark.parametrize(
    "button",
    [
        BUTTON % f'onpointerdown="note(event); {ANEW}"',
        BUTTON % 'onmousedown="note(event); bar.style.marginTop = `300px`"',
        "<p id=bar onmouseup='note(event)'>" + (BUTTON % f'onfocus="{ANEW}"').partition(">")[2],
    ],
    ids=["made anew on pointerdown", "moved on mousedown", "made anew below a listener"],
)
async def test_what_a_second_press_might_do_twice_is_not_pressed_again(ground: Playground, button: str) -> None:
    await ground.open(PAGE % ("", button))

    done = await clicked(ground, 'button "Save"')

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

    done = await clicked(ground, ' "B"')

    assert (done.hint, len(await ground.value("log"))) == ("", 1)
