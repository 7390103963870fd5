"""Whether an error says that something was sent to the page, on real Chromium."""

from __future__ import annotations

import pytest

from supervisor.tools.actions.form import FieldValue, FormArguments, fill_form
from supervisor.tools.page.element_errors import ElementError
from tests.supervisor.tools.acts import typed
from tests.support.stages.playground import Playground

REACTIONS = {
    "takes the keys itself": "<input aria-label=F onbeforeinput='event.preventDefault(); sent.push(event.data)'>",
    "is an editor that takes them": "<div contenteditable aria-label=F role=textbox "
    "onbeforeinput='event.preventDefault(); sent.push(event.data)'>a</div>",
    "empties itself": "<input aria-label=F oninput='sent.push(this.value); this.value = ``'>",
    "is a slider that stays": "<i role=slider aria-label=F tabindex=0 aria-valuenow=3 onkeydown='sent.push(1)'>A</i>",
    "is a box that stays": "<input type=checkbox aria-label=F onclick='sent.push(1); return false'>",
}


@pytest.mark.parametrize("what", REACTIONS)
async def test_a_field_that_was_sent_something_is_told_as_such(ground: Playground, what: str) -> None:
    await ground.open(f"<script>sent = []</script>{REACTIONS[what]}")
    value = "true" if "box" in what else "5"
    fields = (FieldValue(ref=await ground.ref(' "F"'), value=value),)

    with pytest.raises(ElementError) as told:
        await fill_form(ground.supervisor, FormArguments(fields=fields))

    assert await ground.value("sent.length > 0")
    assert (told.value.maybe_executed, "nothing was filled" in str(told.value)) == (True, False)


@pytest.mark.parametrize(
    "html",
    ["<input disabled aria-label=F>", "<select aria-label=F><option>A</select>", "<input type=date aria-label=F>"],
)
async def test_a_field_that_was_sent_nothing_is_told_so_after_another_action(ground: Playground, html: str) -> None:
    await ground.open(f"<label>First <input></label>{html}")
    first, second = await ground.ref('"First"'), await ground.ref(' "F"')
    await typed(ground, first, "a")

    with pytest.raises(ElementError) as told:
        await fill_form(ground.supervisor, FormArguments(fields=(FieldValue(ref=second, value="5"),)))

    assert (told.value.maybe_executed, "nothing was filled" in str(told.value)) == (False, True)
