"""Boxes and file fields that a page hides, and whose labels it draws: the label is the control. On real Chromium."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from supervisor.tools.actions.files import upload
from supervisor.tools.actions.form import FieldValue, FormArguments, fill_form, settled_form
from supervisor.tools.page.element_errors import Covered
from tests.supervisor.tools.acts import clicked, filled
from tests.support.stages.playground import Playground

HIDDEN = {
    "none": "display: none",
    "hidden": "visibility: hidden",
    "nothing": "position: absolute; width: 0; height: 0; opacity: 0",
    "clipped": "position: absolute; clip: rect(0 0 0 0); width: 1px; height: 1px; margin: -1px",
    "away": "position: absolute; left: -9999px",
}
SHAPES = {
    "around": "<label><input type={0} id=it{2} style='{1}'><i>{3}</i></label>",
    "beside": "<input type={0} id=it{2} style='{1}'><label for=it{2}>{3}</label>",
    "drawn box": "<label><input type={0} id=it{2} style='{1}'><span style='display: inline-block; width: 20px;"
    " height: 20px; border: 1px solid'></span> {3}</label>",
}
NAMES = [f"{hidden} {shape}" for hidden in HIDDEN for shape in SHAPES]


def boxes(kind: str) -> str:
    """Every shape, hidden in every way, each named by both."""
    shapes = [(shape, style) for style in HIDDEN.values() for shape in SHAPES.values()]
    return "".join(f"<p>{shape.format(kind, style, at, NAMES[at])}" for at, (shape, style) in enumerate(shapes))


@pytest.mark.parametrize("kind", ["checkbox", "radio"])
async def test_the_label_of_a_hidden_box_is_the_box(ground: Playground, kind: str) -> None:
    await ground.open(boxes(kind))
    before = await ground.text()

    done = [await clicked(ground, f'{kind} "{name}"') for name in NAMES]

    states = [re.sub(r" \[ref=e\d+\]| \[focused\]", "", each) for each in (before, await ground.text())]
    for state, text in zip((" [checked=false]", " [checked]"), states, strict=True):
        assert [name for name in NAMES if f'{kind} "{name}"{state}' not in text] == [], text
    assert {each.hint for each in done} == {""}
    assert await ground.value(f"document.querySelectorAll('[type={kind}]:checked').length") == len(NAMES)


async def test_a_hidden_box_is_filled_by_its_label(ground: Playground) -> None:
    await ground.open(boxes("checkbox"))
    fields = tuple([FieldValue(ref=await ground.ref(f'checkbox "{name}"'), value="true") for name in NAMES])

    filled = await fill_form(ground.supervisor, FormArguments(fields=fields))

    assert {field.value for field in (await settled_form(ground.supervisor, filled)).filled} == {"true"}
    assert await ground.value("document.querySelectorAll(':checked').length") == len(NAMES)


@pytest.mark.parametrize("hidden", ["none", "hidden"])
@pytest.mark.parametrize("shape", ["around", "beside"])
async def test_a_hidden_field_takes_files_by_its_label(
    ground: Playground, hidden: str, shape: str, tmp_path: Path
) -> None:
    path = tmp_path / "photo.txt"
    path.write_text("blue")
    await ground.open(SHAPES[shape].format("file", HIDDEN[hidden], "", "Blue"))

    await upload(ground.supervisor, await ground.ref('button "Blue"'), (str(path),))

    assert await ground.value("it.files[0].name") == "photo.txt"


async def test_the_label_of_a_box_that_is_drawn_has_no_line_of_its_own(ground: Playground) -> None:
    await ground.open("<label>Blue <input type=checkbox></label>")

    assert (await ground.text()).splitlines() == [
        f'checkbox "Blue" [ref={await ground.ref("checkbox")}] [checked=false]'
    ]


OVER = "<input type=checkbox id=box style='position: absolute; inset: 0; width: 100%; height: 100%; opacity: 0'>"
UNDER = {
    "a text, as in a toggle of PrimeReact": f"<div id=around>{OVER}<div class=b><span id=it>Off air</span></div></div>",
    "a box of a line": f"<span id=around>{OVER}<b style='padding: 4px'><i id=it>Off air</i></b></span>",
    "a picture": f"<div id=around>{OVER}<svg id=it width=9 height=9><title>Off air</title><path d='M0 0h9v9'/></svg>",
}


@pytest.mark.parametrize("what", UNDER)
async def test_what_lies_under_the_unseen_box_that_it_is_drawn_for_is_clicked(ground: Playground, what: str) -> None:
    style = "#around { position: relative; width: 90px } #it { cursor: pointer }"
    await ground.open(f"<style>{style}</style>{UNDER[what]}")

    await clicked(ground, "Off air")

    assert await ground.value("box.checked")


async def test_what_lies_under_the_unseen_field_of_another_control_is_not_clicked(ground: Playground) -> None:
    await ground.open(f"""<div style="position: relative"><button style="width: 90px">Send</button>
        <div style="position: absolute; inset: 0">{OVER}</div></div>""")

    with pytest.raises(Covered):
        await clicked(ground, 'button "Send"')

    assert not await ground.value("box.checked")


SWITCH = """<label for=box>Notify</label> <div id=around style="width: 40px; height: 20px; background: gray"
onclick="change(event)">
<input type=checkbox role=switch id=box aria-label=Notify style="position: absolute; width: 0; height: 0; margin: 0">
</div><script>
const change = event => {
    event.preventDefault();
    const now = !box.checked;
    Promise.resolve().then(() => { box.checked = now; box.ariaChecked = now });
};
</script>"""
"""As Element Plus's Switch: a click that comes through the label, or from a script, leaves the box as it was."""


@pytest.mark.parametrize("is_filled", [True, False])
async def test_what_is_drawn_around_a_hidden_box_and_takes_clicks_is_pressed(
    ground: Playground, is_filled: bool
) -> None:
    await ground.open(SWITCH)

    await (filled(ground, 'switch "Notify"', "true") if is_filled else clicked(ground, 'switch "Notify"'))

    assert await ground.value("box.checked")


AROUND = {
    "its label, too": "<div id=around onclick=0 style='width: 300px'><input {}><label for=box>Blue</label></div>",
    "another control, too": "<div id=around onclick=0 style='height: 20px'><input {}><button>B</button></div>",
    "all of the page": "<input {}><p>Text",
}


@pytest.mark.parametrize("what", AROUND)
async def test_what_is_around_a_hidden_box_and_more_is_not_pressed(ground: Playground, what: str) -> None:
    box = "type=checkbox id=box style='position: absolute; width: 0; height: 0' aria-label=Blue"
    listen = "<script>document.body.onclick = ({target}) => { window.pressed = target.id || target.localName }</script>"
    await ground.open(AROUND[what].format(box) + listen)

    await filled(ground, 'checkbox "Blue"', "true")

    assert await ground.value("[box.checked, pressed]") == [True, "box"]
