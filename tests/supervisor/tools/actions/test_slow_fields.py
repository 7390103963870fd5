"""Fields that look at keys, and boxes and sliders that change some time after the input, on real Chromium."""

from __future__ import annotations

import pytest

from supervisor.tools.actions.form import FormUnfinished
from supervisor.tools.actions.text_fields import TypeArguments, type_text
from tests.supervisor.tools.acts import filled, typed
from tests.support.stages.playground import Playground

WRITES_BACK = """<input aria-label=Starts id=starts><input aria-label=Title id=other><script>
    let model = 'old'; starts.onkeyup = () => { model = starts.value };
    other.onfocus = () => { starts.value = model }</script>"""
"""As the date range picker of an admin application: it takes its value when a key comes up."""


@pytest.mark.parametrize("more", [{}, {"paste": True}, {"keystrokes": True}])
async def test_a_field_that_looks_at_its_text_on_keyup_keeps_it(ground: Playground, more: dict[str, bool]) -> None:
    await ground.open(WRITES_BACK)
    done = await typed(ground, '"Starts"', "2026-05-17 08:30", **more)
    await ground.value("other.focus()")

    assert done.value == await ground.value("starts.value") == "2026-05-17 08:30"


async def test_the_key_of_the_last_character_comes_up_and_nothing_is_typed_twice(ground: Playground) -> None:
    await ground.open(
        "<textarea aria-label=Note id=note></textarea><script>window.keys = []; "
        "note.onkeydown = note.onkeyup = event => keys.push(event.type + event.key)</script>"
    )
    for text, keys in [("é👩\u200d🚀", ["keyup🚀"]), ("a\n", []), ("x", ["keyupx"])]:
        await typed(ground, '"Note"', text)

        assert await ground.value("[note.value, keys.splice(0)]") == [text, keys]


async def test_typing_into_the_focus_tells_what_the_field_then_holds(ground: Playground) -> None:
    await ground.open("<input id=name value=old><input id=secret type=password><div id=pane tabindex=0>x</div>")
    await ground.value("document.getElementById('name').focus()")

    assert (await type_text(ground.supervisor, TypeArguments(text="new"))).value in ("oldnew", "newold")
    for other in ("secret", "pane"):
        await ground.value(f"document.getElementById('{other}').focus()")
        assert (await type_text(ground.supervisor, TypeArguments(text="new"))).value is None


@pytest.mark.parametrize("role", ["radio", "checkbox", "switch"])
async def test_a_box_that_is_checked_some_time_after_the_click_is_filled(ground: Playground, role: str) -> None:
    await ground.open(
        f"<div role={role} tabindex=0 aria-checked=false aria-label=Box "
        "onclick=\"setTimeout(() => this.setAttribute('aria-checked', 'true'), 400)\">o</div>"
    )

    assert await filled(ground, '"Box"', "true") == "true"


async def test_a_box_that_stays_as_it_was_was_clicked_all_the_same(ground: Playground) -> None:
    await ground.open("<input aria-label=Name><div role=checkbox tabindex=0 aria-checked=false aria-label=Box>o</div>")

    with pytest.raises(FormUnfinished, match=r"it was clicked, and has the state that it had$") as told:
        await filled(ground, '"Box"', "true")
    assert told.value.maybe_executed is True


SLIDER = """<div id=slider role=slider {0} aria-label=Volume aria-valuenow=3 aria-valuemin=0 aria-valuemax=10
    style="width: 90px; height: 20px">{1}</div><script>let value = 3;
    slider.onkeydown = event => {{ value += (event.key === 'ArrowUp') - (event.key === 'ArrowDown');
    setTimeout(() => slider.setAttribute('aria-valuenow', value), {2}) }}</script>"""


@pytest.mark.parametrize("delay", [0, 150])
@pytest.mark.parametrize("where", [("tabindex=0", ""), ("", "<div tabindex=0>o</div>")])
async def test_a_slider_that_moves_late_gets_its_value(ground: Playground, where: tuple[str, str], delay: int) -> None:
    await ground.open(SLIDER.format(*where, delay))

    assert await filled(ground, '"Volume"', "7") == "7"
    assert await ground.value("value") == 7


async def test_a_slider_that_keys_do_not_move_is_told_so(ground: Playground) -> None:
    await ground.open(SLIDER.format("tabindex=0", "", 0).replace("value +=", "value += 0 *"))

    with pytest.raises(FormUnfinished, match="arrow keys did not move it"):
        await filled(ground, '"Volume"', "7")
