"""Real keys and text in the right field, on real Chromium, through nested iframes of other processes."""

from __future__ import annotations

import pytest

from supervisor import BlockedByDialog
from supervisor.tools.actions.keyboard import PressArguments, Pressed, press
from supervisor.tools.actions.text_fields import TOOK_KEYS, Typed
from supervisor.tools.page.element_errors import NotEditable, StaleRef, UnknownKey
from tests.supervisor.tools.acts import typed
from tests.support.stages.playground import Playground


async def test_typing_replaces_what_is_in_a_field_two_processes_deep(ground: Playground) -> None:
    await ground.open_nested()
    ref, inner = await ground.ref('textbox "Field"'), ground.frame("inner").frame_id

    done = await typed(ground, ref, "new ümläut")
    more = await typed(ground, ref, "!b", clear=False, keystrokes=True)

    assert done == Typed(ref=ref, frame_id=inner, value="new ümläut")
    assert more.value == "new ümläut!b"
    assert await ground.value("[field.value, keys]", inner) == ["new ümläut!b", "!b"]


async def test_fields_of_every_kind(ground: Playground) -> None:
    await ground.open(
        "<form onsubmit='event.preventDefault(); window.sent = 1'><input aria-label=Mail type=email value=a@b.c>"
        "<input aria-label=Number type=number value=12><textarea aria-label=Area>one</textarea>"
        "<div role=textbox aria-label=Rich contenteditable>bold</div><input aria-label=Secret type=password>"
        "<button>Send</button></form>"
    )

    async def write(label: str, text: str, **more: bool) -> str | None:
        ref = await ground.ref(f' "{label}"')
        return (await typed(ground, ref, text, **more)).value

    assert await write("Mail", "om", clear=False) == "a@b.com"
    assert await write("Number", "3", clear=False) == "123"
    assert await write("Number", "") == ""
    assert await write("Area", "\ntwo", clear=False, keystrokes=True) == "one\ntwo"
    assert await write("Rich", "er", clear=False) == "bolder"
    assert await write("Rich", "new") == "new"
    assert await write("Rich", "") in ("", "\n")
    assert await write("Secret", "s3cret", submit=True) is None
    assert await ground.value("[document.querySelector('[type=password]').value, window.sent]") == ["s3cret", 1]


@pytest.mark.parametrize(
    ("html", "why"),
    [
        ("<input aria-label=F disabled>", "it is disabled"),
        ("<input aria-label=F readonly>", "it is read-only"),
        ("<button aria-label=F>", "it is no text field"),
        ("<input aria-label=F onfocus='this.blur()'>", "it does not keep the focus"),
        ("<input aria-label=F onfocus='this.disabled = true'>", "it does not keep the focus"),
        ("<select aria-label=F><option>Small</select>", "use browser_fill_form"),
        ("<input type=checkbox aria-label=F>", "use browser_fill_form"),
        ("<input type=file aria-label=F>", "use browser_file"),
    ],
)
async def test_what_takes_no_text_says_why(ground: Playground, html: str, why: str) -> None:
    await ground.open(html)

    with pytest.raises(NotEditable, match=why):
        await typed(ground, ' "F"', "x")


async def test_a_field_whose_calendar_takes_the_focus_as_it_opens_takes_text(ground: Playground) -> None:
    await ground.open(
        "<input aria-label=Born onfocus='if (panel.hidden) { panel.hidden = false; setTimeout(() => panel.focus()) }'>"
        "<div id=panel tabindex=-1 hidden>January</div>"
    )

    done = await typed(ground, '"Born"', "2027-01-31")

    assert done.value == "2027-01-31"


async def test_what_cannot_have_the_focus_or_is_gone_gets_no_key(ground: Playground) -> None:
    await ground.open("<a id=a href=#>A</a><img alt=I src=data:,>")
    link, image = await ground.ref('link "A"'), await ground.ref('image "I"')
    await ground.value("window.kept = document.querySelector('a'), kept.remove()")

    with pytest.raises(NotEditable, match="it cannot have the focus"):
        await press(ground.supervisor, PressArguments(key="Enter", ref=image))
    with pytest.raises(StaleRef, match="it was removed from its document"):
        await press(ground.supervisor, PressArguments(key="Enter", ref=link))


async def test_keys_reach_the_focus_with_their_modifiers(ground: Playground) -> None:
    await ground.open(
        "<input aria-label=F value=text><script>window.log = []; addEventListener('keydown', event => "
        "log.push([event.key, event.code, event.ctrlKey, event.shiftKey]))</script>"
    )
    ref = await ground.ref('textbox "F"')

    assert await press(ground.supervisor, PressArguments(key="Control+a", ref=ref)) == Pressed(key="a")
    await press(ground.supervisor, PressArguments(key="A"))
    await press(ground.supervisor, PressArguments(key="Shift+Tab"))

    assert await ground.value("document.querySelector('input').value") == "A"
    assert await ground.value("window.log") == [
        ["a", "KeyA", True, False],
        ["A", "KeyA", False, True],
        ["Tab", "Tab", False, True],
    ]


async def test_a_key_that_opens_a_dialog_ends_at_once_and_none_is_pressed_below_it(ground: Playground) -> None:
    await ground.open("<body onkeydown='alert(event.key)'>")

    with pytest.raises(BlockedByDialog) as caught:
        await press(ground.supervisor, PressArguments(key="k"))

    assert (caught.value.dialog.message, caught.value.maybe_executed) == ("k", True)
    with pytest.raises(BlockedByDialog):
        await press(ground.supervisor, PressArguments(key="j"))
    with pytest.raises(UnknownKey):
        await press(ground.supervisor, PressArguments(key="Hyper"))


TERMINAL = """<pre id=screen>$ </pre><div style='width:0; height:0; overflow:hidden; position:absolute'>
<textarea aria-label=Terminal style='opacity:0'></textarea></div><script>
const field = document.querySelector('textarea');
field.onkeydown = event => { if (event.key.length === 1) { screen_.push(event.key); event.preventDefault(); } };
field.oninput = () => { field.value = ''; };
window.screen_ = [];
</script>"""
"""A terminal, as xterm.js makes it: an unseen field whose keys the page handles itself."""


async def test_a_text_for_a_page_that_handles_keys_itself_comes_as_keys_and_says_so(ground: Playground) -> None:
    await ground.open(TERMINAL)

    done = await typed(ground, '"Terminal"', "ls")

    assert (done.value, "typed as keys" in done.hint) == (None, True)
    assert await ground.value("screen_.join('')") == "ls"


@pytest.mark.parametrize("takes_keys", [True, False])
async def test_a_text_that_a_field_refuses_is_tried_with_keys(ground: Playground, *, takes_keys: bool) -> None:
    """A page with a controlled field, which listens to keys or to nothing."""
    keys = "field.onkeydown = event => { kept += event.key; field.value = kept; }" if takes_keys else ""
    await ground.open(
        "<input aria-label=Field><script>const field = document.querySelector('input'); let kept = '';"
        f"field.oninput = () => {{ field.value = kept; }}; {keys}</script>"
    )

    done = await typed(ground, '"Field"', "ls")

    assert (done.value, bool(done.hint)) == (("ls", False) if takes_keys else (None, True))


@pytest.mark.parametrize("attributes", ["tabindex=0 role=textbox", "tabindex=-1", "tabindex=0 role=application"])
async def test_keystrokes_reach_an_element_that_handles_keys_itself(ground: Playground, attributes: str) -> None:
    await ground.open(
        f"<div {attributes} id=it aria-label=It onkeydown='window.keys = (window.keys || []) + event.key'>$"
    )
    ref = await ground.ref('"It"')

    with pytest.raises(NotEditable, match="keystrokes"):
        await typed(ground, ref, "ls")
    done = await typed(ground, ref, "ls", keystrokes=True)

    assert await ground.value("window.keys") == "ls"
    assert (done.value, done.hint) == (None, TOOK_KEYS)


async def test_keystrokes_do_not_press_a_button(ground: Playground) -> None:
    await ground.open("<button tabindex=0 aria-label=It onclick='window.hit = 1'>")

    with pytest.raises(NotEditable, match="no text field"):
        await typed(ground, 'button "It"', "a b", keystrokes=True)

    assert await ground.value("window.hit") is None
