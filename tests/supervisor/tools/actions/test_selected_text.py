"""A text selected in an element by what it says, as a person selects it, on real Chromium."""

from __future__ import annotations

import pytest

from supervisor.tools.actions.mouse import ClickArguments, Clicked
from supervisor.tools.actions.text_fields import select_text
from supervisor.tools.page.element_errors import WrongValue
from supervisor.tools.page.locators import with_refs
from tests.support.stages.playground import Playground

EDITOR = """<div contenteditable role=textbox aria-label=F style="width: 9em">Dear Nora Lind, we met <b>Nora</b>
Lind again.<p>Yours</p></div>"""
FIELD = "<textarea aria-label=F>one two three two</textarea>"
DRAWN = """<div aria-label=F role=textbox tabindex=0 style="user-select: none">
<p>Total 12</p><textarea id=keys></textarea></div><script>
document.querySelector('p').onmousedown = () => setTimeout(() => {
    keys.value = 'Total 12';
    keys.focus();
    keys.select();
}, 60);</script>"""


async def select(ground: Playground, text: str) -> Clicked:
    given = await with_refs(ground.supervisor, ClickArguments(ref="label=F", select=text))
    return await select_text(ground.supervisor, given)


@pytest.mark.parametrize(
    ("html", "text", "before"),
    [
        (EDITOR, "Nora Lind", "Dear "),
        (EDITOR, "nora  lind >> nth=1", "we met "),
        (EDITOR, "Yours", "Lind again."),
        (FIELD, "two", "one "),
        (FIELD, "two >> nth=1", "one two three "),
        ("<p role=textbox aria-label=F>Words on <i>two lines</i> of a page</p>", "on two", "Words "),
        (DRAWN, "Total 12", ""),
    ],
)
async def test_a_text_is_selected(ground: Playground, html: str, text: str, before: str) -> None:
    await ground.open(html)

    await select(ground, text)

    selected, ahead = await ground.value(
        """(field => {
            if (field.value) return [field.value.slice(field.selectionStart, field.selectionEnd),
                field.value.slice(0, field.selectionStart)];
            const range = getSelection().getRangeAt(0), before = document.createRange();
            before.setStart(document.body, 0);
            before.setEnd(range.startContainer, range.startOffset);
            return [String(range), String(before)];
        })(document.activeElement)"""
    )
    assert " ".join(selected.split()).casefold() == " ".join(text.partition(" >>")[0].split()).casefold()
    assert " ".join(ahead.split()).endswith(before.strip())


@pytest.mark.parametrize(
    ("html", "text", "problem"),
    [
        (EDITOR, "Nora >> nth=2", "not in it"),
        (FIELD, "four", "not in it"),
        (FIELD, "", "not in it"),
        ("<p role=textbox aria-label=F style='user-select: none'>Fixed words</p>", "words", "did not let"),
    ],
)
async def test_a_text_that_is_not_selected_is_refused(ground: Playground, html: str, text: str, problem: str) -> None:
    await ground.open(html)

    with pytest.raises(WrongValue, match=problem):
        await select(ground, text)
