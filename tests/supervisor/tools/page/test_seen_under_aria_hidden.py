"""What a person sees and `aria-hidden` hides from screen readers has lines, and can be used. On real Chromium."""

from __future__ import annotations

import pytest

from tests.supervisor.tools.acts import clicked, filled_all
from tests.support.secrets import CANARY
from tests.support.stages.playground import Playground

OFFER = """<main><p>Before</p><div aria-hidden=true><h2>Offer</h2><p>Only <b>12</b> EUR</p>
<button onclick="window.hit = 'Buy'">Buy</button><input id=code placeholder=Code><input type=checkbox aria-label=Gift>
<span onclick="window.hit = 'icon'" style="cursor: pointer"><i class="fa fa-filter">f</i></span></div>
<p>After</p></main>"""
LINES = {
    "an offer": (
        OFFER,
        ["main", '"Before"', "aria-hidden", 'heading "Offer"', '"Only 12 EUR"', 'button "Buy"', 'textbox "Code"',
         'checkbox "Gift"', 'generic "f"', '"After"'],
    ),
    "hours of a calendar": (
        "<table><tr><td aria-hidden=true>8 am<td>Dentist<tr><td aria-hidden=true>9 am<td>Lunch</table>",
        ["table", 'aria-hidden: "8 am" "Dentist"', 'aria-hidden: "9 am" "Lunch"'],
    ),
    "a price told twice": (
        "<p><span aria-hidden=true>$12</span><span>12 dollars</span></p>",
        ['aria-hidden: "$12"', '"12 dollars"'],
    ),
    "one in another": ("<div aria-hidden=true>Out <i aria-hidden=true>In</i></div>", ['aria-hidden: "Out In"']),
    "a part of a control": ("<button>Cart <b aria-hidden=true>3</b></button>", ['button "Cart"']),
    "decoration": ("<p>Home <i aria-hidden=true>/</i> Shop</p>", ['"Home Shop"']),
    "an icon": ("<p>Menu <i class=material-icons aria-hidden=true>menu</i></p>", ['"Menu"']),
    "nothing drawn": (
        "<p>Yes</p><p aria-hidden=true style='display: none'>No</p><p aria-hidden=true hidden>No</p>",
        ['"Yes"'],
    ),
    "the page behind a dialog": (
        "<div aria-hidden=true><button>Behind</button></div>"
        "<div role=dialog aria-label=Sure><button>Yes</button></div>",
        ['dialog "Sure"', 'button "Yes"'],
    ),
    "the page behind a menu, with listeners": (
        "<div aria-hidden=true><button>Behind</button><div style='cursor: pointer'>Card</div><i class='fa fa-filter'>"
        "</i></div><div role=menu aria-label=More><div role=menuitem tabindex=0>Copy</div></div>"
        "<script>for (const node of document.querySelectorAll('div *')) node.onclick = () => 1</script>",
        ['menu "More"', 'menuitem "Copy"'],
    ),
    "an attribute without a value": (
        "<div aria-hidden=true><input title='' class=''><b title=''>12</b></div><p>Last</p>",
        ["aria-hidden", "textbox", '"12"', '"Last"'],
    ),
    "what a browser fills in on a single pixel": (
        "<div aria-hidden=true style='position: absolute; width: 1px; height: 1px; overflow: hidden'><label>Tree"
        "<select><option>Oak</select></label></div><p>Seen</p>",
        ['"Seen"'],
    ),
    "places for messages": (
        "<div role=log></div><div role=status><span></span></div><div role=alert><div><i></i></div></div>"
        "<div role=alert><i>Saved</i></div><p>Text</p>",
        ['alert: "Saved"', '"Text"'],
    ),
    "a helper of a field": (
        "<p>Size</p><select aria-hidden=true><option>Big</select><input aria-hidden=true value=x>",
        ['"Size"'],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LINES)
async def test_what_is_drawn_has_lines_and_the_border_is_marked_once(ground: Playground, name: str) -> None:
    html, lines = LINES[name]
    await ground.open(html)

    seen = [line.strip() for line in (await ground.text()).splitlines()]

    assert [line.partition(" [")[0] for line in seen if not line.startswith("image icon")] == lines


async def test_what_is_hidden_is_clicked_and_filled(ground: Playground) -> None:
    await ground.open(OFFER)

    done = await clicked(ground, 'button "Buy"')
    await filled_all(ground, {'textbox "Code"': "A1", 'checkbox "Gift"': "true"})
    seen = await ground.text()

    assert (done.hint, await ground.value("[window.hit, code.value]")) == ("", ["Buy", "A1"])
    assert 'value="A1"' in seen
    assert "[checked]" in seen


async def test_a_password_that_is_hidden_stays_secret(ground: Playground) -> None:
    await ground.open(f"<div aria-hidden=true><input type=password aria-label=Key value={CANARY}></div>")

    seen = await ground.text()

    assert "\u2022" in seen
    assert CANARY not in seen
