"""Elements that have nothing where their middle is, or no box of their own, on real Chromium."""

from __future__ import annotations

import pytest

from supervisor.tools.actions.keyboard import PressArguments, press
from supervisor.tools.page.element_errors import Covered, NotShown
from tests.supervisor.tools.acts import clicked, clicked_by, typed
from tests.support.stages.playground import Playground

PICTURE = (
    "<img usemap='#m' width=200 height=100 alt=Map style='padding: 9px' src=\"data:image/svg+xml,%3Csvg "
    "xmlns='http://www.w3.org/2000/svg'/%3E\"><map name=m>{}</map>"
)
LINKS = {
    "an area": PICTURE.format("<area id=it shape=rect coords='10,10,60,60' href=#it alt=It>"),
    "a round area": PICTURE.format("<area id=it shape=circle coords='150,50,30' href=#it alt=It>"),
    "a polygon": PICTURE.format("<area id=it shape=poly coords='99,5,190,90,10,90' href=#it alt=It>"),
    "a ring": "<svg width=99 height=99><a id=it href=#it><title>It</title><circle cx=50 cy=50 r=40 fill=none stroke=red"
    " stroke-width=9 /></a></svg>",
    "corners": "<svg width=300 height=99><a id=it href=#it><title>It</title><rect x=9 y=9 width=20 height=20 />"
    "<rect x=260 y=70 width=20 height=20 /></a></svg>",
    "what floats": "<a id=it href=#it aria-label=It style='display: block; width: 200px'><i style='float: left'>I</i>"
    "<i style='float: right'>t</i></a>",
    "what hangs out": "<a id=it href=#it aria-label=It style='display: block; height: 0'><b style='position: absolute;"
    " left: 90px; top: 90px'>It</b></a>",
    "two lines": "<p style='width: 190px; font: 10px monospace'>The address: <a id=it href=#it aria-label=It>3571"
    " Baldwin Square</a></p>",
    "both ends": "<a id=it href=#it style='display: inline-block; width: 400px; pointer-events: none' aria-label=It>"
    "<i style='pointer-events: auto'>It</i></a>",
}


@pytest.mark.parametrize("name", LINKS)
async def test_a_link_is_clicked_where_it_is(ground: Playground, name: str) -> None:
    await ground.open(LINKS[name])
    await ground.value("it.onclick = () => { window.hit = true }")

    done = await clicked(ground, "It")

    assert (done.hint, await ground.value("window.hit")) == ("", True)


@pytest.mark.parametrize(
    ("html", "error"),
    [
        ("<a id=it href=#it aria-label=It style='display: block'><i></i></a>", NotShown),
        (LINKS["a ring"] + "<div style='position: fixed; inset: 0; background: gold'></div>", Covered),
        (LINKS["an area"] + "<div style='position: fixed; inset: 0; background: gold'></div>", Covered),
        ("<map name=m><area id=it coords='1,1,9,9' href=#it alt=It></map>", NotShown),
    ],
)
async def test_what_is_nowhere_is_refused(ground: Playground, html: str, error: type[Exception]) -> None:
    await ground.open(html)

    with pytest.raises(error):
        await clicked_by(ground, "css=#it")


EDITOR = "<div contenteditable><p>First</p><ul><li id=it role=button aria-label=It>Second <b>bold</b></ul></div>"


CASES = [("New", True, "New"), (" more", False, "Second bold more"), ("", True, "")]


@pytest.mark.parametrize(("text", "clear", "held"), CASES)
async def test_a_part_of_an_editor_takes_text(ground: Playground, text: str, clear: bool, held: str) -> None:
    await ground.open(EDITOR)

    await typed(ground, "It", text, clear=clear)

    assert (await ground.value("[document.querySelector('p').innerText, it.innerText.trim()]")) == ["First", held]


async def test_a_key_is_pressed_at_the_end_of_a_part_of_an_editor(ground: Playground) -> None:
    await ground.open(EDITOR)

    await press(ground.supervisor, PressArguments(key="X", ref=await ground.ref("It")))

    assert await ground.value("it.innerText") == "Second boldX"
