"""Boxes and file fields that a page hides, and whose labels it draws: the label is the control. On real Chromium."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from supervisor.tools.actions.files import upload
from supervisor.tools.actions.form import FieldValue, FormArguments, fill_form, settled_form
from supervisor.tools.actions.mouse import ClickArguments, click
from tests.support.stages.playground import Playground

HIDDEN = {
    "none": "display: none",
    "hidden": "visibility: hidden",
    "nothing": "position: absolute; width: 0; height: 0; opacity: 0",
    "clipped": "position: absolute; clip: rect(0 0 0 0); width: 1px; height: 1px; margin: -1px",
    "away": "position: absolute; left: -9999px",
}
SHAPES = {
    "around": "<label><input type={0} id=it style='{1}'><i>Blue</i></label>",
    "beside": "<input type={0} id=it style='{1}'><label for=it>Blue</label>",
    "drawn box": "<label><input type={0} id=it style='{1}'><span style='display: inline-block; width: 20px;"
    " height: 20px; border: 1px solid'></span> Blue</label>",
}


@pytest.mark.parametrize("kind", ["checkbox", "radio"])
@pytest.mark.parametrize("hidden", HIDDEN)
@pytest.mark.parametrize("shape", SHAPES)
async def test_the_label_of_a_hidden_box_is_the_box(ground: Playground, kind: str, hidden: str, shape: str) -> None:
    await ground.open(f"<p>Colour</p>{SHAPES[shape].format(kind, HIDDEN[hidden])}")
    before = await ground.text()
    ref = await ground.ref(f'{kind} "Blue"')

    clicked = await click(ground.supervisor, ClickArguments(ref=ref))

    states = [re.sub(r" \[ref=e\d+\]| \[focused\]", "", each) for each in (before, await ground.text())]
    assert [f'{kind} "Blue" [checked=false]' in states[0], f'{kind} "Blue" [checked]' in states[1]] == [True, True], (
        states
    )
    assert (clicked.hint, await ground.value("it.checked")) == ("", True)


@pytest.mark.parametrize("hidden", HIDDEN)
@pytest.mark.parametrize("shape", SHAPES)
async def test_a_hidden_box_is_filled_by_its_label(ground: Playground, hidden: str, shape: str) -> None:
    await ground.open(SHAPES[shape].format("checkbox", HIDDEN[hidden]))
    fields = (FieldValue(ref=await ground.ref('checkbox "Blue"'), value="true"),)

    filled = await fill_form(ground.supervisor, FormArguments(fields=fields))

    assert [field.value for field in (await settled_form(ground.supervisor, filled)).filled] == ["true"]
    assert await ground.value("it.checked") is True


@pytest.mark.parametrize("hidden", ["none", "hidden"])
@pytest.mark.parametrize("shape", ["around", "beside"])
async def test_a_hidden_file_field_takes_files_by_its_label(
    ground: Playground, hidden: str, shape: str, tmp_path: Path
) -> None:
    path = tmp_path / "photo.txt"
    path.write_text("blue")
    await ground.open(SHAPES[shape].format("file", HIDDEN[hidden]))

    await upload(ground.supervisor, await ground.ref('button "Blue"'), (str(path),))

    assert await ground.value("it.files[0].name") == "photo.txt"


async def test_the_label_of_a_box_that_is_drawn_has_no_line_of_its_own(ground: Playground) -> None:
    await ground.open("<label>Blue <input type=checkbox></label>")

    assert (await ground.text()).splitlines() == [
        f'checkbox "Blue" [ref={await ground.ref("checkbox")}] [checked=false]'
    ]
