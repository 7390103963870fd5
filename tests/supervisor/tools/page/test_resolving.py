"""A ref means what was read of its element: one that has become another is refused, on real Chromium."""

from __future__ import annotations

import re

import pytest

from supervisor.tools.page.element_errors import ElementChanged, StaleRef
from tests.supervisor.tools.acts import clicked
from tests.support.stages.playground import Playground

FILES = """<div id=list><div class=row><span>old-data.csv</span> <span>2 minutes ago</span> <button onclick="hit =
this.parentNode.textContent">Delete</button></div></div><script>
const row = list.firstElementChild;
for (const name of ['arena.ipynb', 'notes.md']) {
    const copy = row.cloneNode(true);
    copy.firstElementChild.textContent = name;
    list.append(copy);
}
const recycle = () => [...document.querySelectorAll('.row span:first-child')].forEach((span, number) => {
    span.firstChild.data = ['arena.ipynb', 'notes.md', 'new.txt'][number];
});</script>"""


async def test_a_button_in_a_row_that_became_another_row_is_not_clicked(ground: Playground) -> None:
    await ground.open(FILES)
    ref = await ground.ref('button "Delete"')
    await ground.value("recycle()")

    with pytest.raises(ElementChanged, match="it has changed since it was read") as caught:
        await clicked(ground, ref)

    assert await ground.value("window.hit") is None
    assert caught.value.page_text == 'button "Delete" in "arena.ipynb"'
    assert "arena" not in str(caught.value)
    await clicked(ground, ref)
    assert "arena.ipynb" in await ground.value("window.hit")


async def test_a_ref_is_refused_when_the_changes_after_another_call_show_another_row_there(ground: Playground) -> None:
    """Who chains two commands uses the second ref without having read the changes."""
    await ground.open(FILES)
    ref = await ground.ref('button "Delete"')
    await ground.value("recycle()")
    changes = await ground.text(changed_only=True)

    with pytest.raises(StaleRef, match="its row shows something else since it was read"):
        await clicked(ground, ref)

    assert await ground.value("window.hit") is None
    assert f"[ref={ref}]" not in changes
    (first, *_) = re.findall(r"\[ref=(e\d+)\]", changes)
    await clicked(ground, first)
    assert "arena.ipynb" in await ground.value("window.hit")


async def test_a_row_of_a_list_whose_time_passes_is_the_same(ground: Playground) -> None:
    await ground.open(FILES)
    ref = await ground.ref('button "Delete"')
    await ground.value("document.querySelector('span + span').textContent = 'an hour ago'")

    await clicked(ground, ref)

    assert "old-data.csv" in await ground.value("window.hit")


@pytest.mark.parametrize(
    ("html", "label", "change", "now"),
    [
        ("<button>Save</button>", '"Save"', "textContent = 'Discard'", 'button "Discard"'),
        ("<button aria-label=Play>x</button>", '"Play"', "ariaLabel = 'Pause'", 'button "Pause"'),
        ("<a href=#>Go</a>", '"Go"', "role = 'button'; this.textContent = 'Stay'", 'button "Stay"'),
        ("<ul><li tabindex=0>Tea<li tabindex=0>Cake</ul>", '"Tea"', "textContent = 'Coffee'", '"Coffee"'),
        ("<button>Row 1</button><button>Row 2</button>", '"Row 1"', "textContent = 'Row 57'", 'button "Row 57"'),
    ],
)
async def test_another_name_is_refused_once(ground: Playground, html: str, label: str, change: str, now: str) -> None:
    await ground.open(f"<script>addEventListener('click', () => hit = 1)</script>{html}")
    text = await ground.text()
    ref = re.search(rf"\[ref=(e\d+)\]: {label}|{label} \[ref=(e\d+)\]", text)
    assert ref is not None, text
    await ground.value(f"(function() {{ this.{change} }}).call(document.querySelector('button, a, li'))")

    with pytest.raises(ElementChanged) as caught:
        await clicked(ground, ref[1] or ref[2])

    assert now in caught.value.page_text
    assert await ground.value("window.hit") is None
    await clicked(ground, ref[1] or ref[2])
    assert await ground.value("window.hit") == 1


SAME = (
    ("<button>Cart (3)</button>", '"Cart (3)"', "textContent = 'Cart (4)'"),
    ("<input aria-label=Name value=old>", '"Name"', "value = 'new'"),
    ("<button style='text-transform: uppercase'>Save</button>", '"S', "title = 'Saves'"),
    ("<button><span style='display:none'>2</span><b>Buy</b></button>", '"Buy"', "firstChild.textContent = '3'"),
    ("<ul><li>Tea: 1 <button>+</button><li>Cake: 2</ul>", '"+"', "previousSibling.data = 'Tea: 2'"),
    ("<p>Clicked 3 times <button>Again</button></p><p>b<p>c", '"Again"', "previousSibling.data = '4'"),
)


@pytest.mark.parametrize(("html", "label", "change"), SAME)
async def test_an_element_in_another_state_is_the_same(ground: Playground, html: str, label: str, change: str) -> None:
    await ground.open(f"{html}<script>it = document.querySelector('button, input')</script>")
    ref = await ground.ref(label)
    await ground.value(f"it.{change}; it.onclick = () => hit = 1")

    await clicked(ground, ref)

    assert await ground.value("window.hit") == 1


async def test_what_a_search_did_not_show_counts_as_it_was_read_before(ground: Playground) -> None:
    await ground.open("<button>Save</button><button>Other</button>")
    ref = await ground.ref('"Save"')
    await ground.value("document.querySelector('button').textContent = 'Discard'")
    await ground.text(find="Other")

    with pytest.raises(ElementChanged):
        await clicked(ground, ref)

    await ground.text(find="Discard")
    await clicked(ground, ref)


async def test_an_element_that_was_hidden_behind_a_popup_is_the_same_afterwards(ground: Playground) -> None:
    await ground.open("<div><label><input type=radio onclick='window.hit = 1'> Large</label></div><p>Other")
    ref = await ground.ref('"Large"')
    await ground.value("document.querySelector('div').ariaHidden = 'true'")
    await ground.text(changed_only=True)
    await ground.value("document.querySelector('div').ariaHidden = null")

    await clicked(ground, ref)

    assert await ground.value("window.hit") == 1
