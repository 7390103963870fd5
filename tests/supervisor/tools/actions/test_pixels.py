"""The mouse at points of the page, on real Chromium."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from typing import Any

import pytest

from supervisor import BlockedByDialog
from supervisor.tools.actions.keyboard import PressArguments, press
from supervisor.tools.actions.pixels import MouseArguments, Used, use_mouse
from supervisor.tools.framework.tool_errors import InvalidArgument, OpenedDialog
from tests.supervisor.tools.acts import clicked
from tests.support.stages.playground import Playground

PAGE = """<body style='margin:0; height:3000px'><script>
window.seen = [];
for (const type of ['mousemove', 'mousedown', 'mouseup', 'click', 'dblclick', 'contextmenu']) {
    document.addEventListener(type, event => {
        seen.push([type, event.clientX, event.clientY, event.buttons, event.ctrlKey].join(' '));
    });
}
</script>"""


async def use(ground: Playground, action: Any, **given: Any) -> Used:
    return await use_mouse(ground.supervisor, MouseArguments(action=action, **given))


async def seen_after(ground: Playground, *steps: dict[str, Any]) -> list[str]:
    await ground.open(PAGE)
    for step in steps:
        await use(ground, **step)
    seen: list[str] = await ground.value("seen")
    return seen


async def test_a_double_click_at_a_point_with_a_key_held(ground: Playground) -> None:
    seen = await seen_after(ground, {"action": "click", "x": 30, "y": 40, "count": 2, "modifiers": "Control"})

    one = ["mousedown 30 40 1 true", "mouseup 30 40 0 true", "click 30 40 0 true"]
    assert seen == ["mousemove 30 40 0 true", *one, *one, "dblclick 30 40 0 true"]


async def test_a_button_is_held_while_the_mouse_moves(ground: Playground) -> None:
    seen = await seen_after(
        ground,
        {"action": "down", "x": 10, "y": 10},
        {"action": "move", "x": 50, "y": 60, "button": "left"},
        {"action": "up", "x": 50, "y": 60},
    )

    moved = [line for line in seen if not line.startswith("click")]
    assert moved == ["mousedown 10 10 1 false", "mousemove 50 60 1 false", "mouseup 50 60 0 false"]


SCROLLED = "new Promise(go => { onscrollend = () => go(scrollY); if (scrollY >= %s) go(scrollY) })"


async def test_the_wheel_scrolls_what_is_at_the_point(ground: Playground) -> None:
    await ground.open(PAGE)

    await use(ground, "wheel", x=10, y=10, delta_y=200)

    assert await ground.value(SCROLLED % 200) == 200


async def test_a_finger_taps_and_swipes(ground: Playground) -> None:
    await ground.open("""<body style='margin:0;height:3000px'><script>
        seen = []; for (const type of ['touchstart', 'touchend', 'click'])
            document.addEventListener(type, event => seen.push([type, event.pointerType].join(' ')));</script>""")
    await use(ground, "tap", x=30, y=40)
    touched = "new Promise(go => { if (seen.length == 3) go(seen); onclick = () => go(seen) })"
    assert await ground.value(touched) == ["touchstart ", "touchend ", "click touch"]

    await use(ground, "swipe", x=30, y=400, delta_y=-200)

    assert await ground.value(SCROLLED % 100) >= 100
    with pytest.raises(InvalidArgument, match="a swipe needs"):
        await use(ground, "swipe", x=30, y=40)


async def test_a_finger_stays_as_long_as_asked_for(ground: Playground) -> None:
    await ground.open(
        "<body style='height:100vh' ontouchstart='t = performance.now()' ontouchend='held = performance.now() - t'>"
    )

    await use(ground, "tap", x=30, y=40, duration_s=0.3)

    assert await ground.value("held") >= 290


async def test_a_dialog_that_the_click_opens_is_its_effect_and_blocks_the_next(ground: Playground) -> None:
    await ground.open("<body onmousedown='alert(1)' style='height:100vh'>")

    with pytest.raises(OpenedDialog):
        await use(ground, "click", x=10, y=10)
    with pytest.raises(BlockedByDialog) as refused:
        await use(ground, "click", x=10, y=10)

    assert not isinstance(refused.value, OpenedDialog)


async def moves_after(ground: Playground, *steps: dict[str, Any]) -> list[tuple[int, int]]:
    """The points over which the page saw the mouse go."""
    lines = [line.split() for line in await seen_after(ground, *steps) if line.startswith("mousemove")]
    return [(int(line[1]), int(line[2])) for line in lines]


START = {"action": "move", "x": 100, "y": 100}


async def test_the_mouse_goes_in_as_many_steps_as_asked_for(ground: Playground) -> None:
    moves = await moves_after(ground, START, {"action": "move", "x": 200, "y": 300, "count": 4})

    assert moves == [(100, 100), (125, 150), (150, 200), (175, 250), (200, 300)]


async def test_a_glide_takes_its_time_on_a_curve_that_is_the_same_each_time(ground: Playground) -> None:
    steps = (START, {"action": "glide", "x": 400, "y": 100, "duration_s": 0.4})
    moves = await moves_after(ground, *steps)

    assert moves[-1] == (400, 100)
    assert len(moves) > 10
    assert all(left[0] <= right[0] for left, right in pairwise(moves))
    assert max(y for _, y in moves) in range(120, 150)
    assert await moves_after(ground, *steps) == moves
    began = asyncio.get_running_loop().time()
    await use(ground, "move", x=1, y=1, count=2, duration_s=0.4)
    assert asyncio.get_running_loop().time() - began >= 0.4


async def test_a_glide_to_an_element_ends_over_it_and_a_click_presses_as_long_as_asked_for(ground: Playground) -> None:
    await ground.open(
        "<body style='height:3000px'><button style='margin-top:2000px' onmousedown='t = performance.now()'"
        "onmouseup='held = performance.now() - t' onmousemove='moved = event.isTrusted'>Far</button>"
    )
    ref = await ground.ref("Far")

    await use(ground, "glide", ref=ref)
    assert await ground.value("moved") is True
    await use(ground, "click", ref=ref, duration_s=0.3)

    assert await ground.value("held") >= 290


KEYS = """<body style='margin:0; height:100vh'><input id=field><button>B</button><script>
window.seen = [];
for (const type of ['keydown', 'keyup', 'mousedown'])
    document.addEventListener(type, event => {
        seen.push([type, event.key ?? '', event.repeat ?? '', event.shiftKey, event.ctrlKey].join(' '));
    });
</script>"""


async def test_a_held_key_repeats_and_modifies_clicks_and_keys_until_it_is_let_go(ground: Playground) -> None:
    await ground.open(KEYS)
    held = [(await use(ground, "key_down", text=key)).held_keys for key in ("w", "w", "Shift")]
    await clicked(ground, "B")
    await press(ground.supervisor, PressArguments(key="a"))
    left = await use(ground, "key_up", text="Shift")
    await press(ground.supervisor, PressArguments(key="a"))
    await use(ground, "key_up", text="w")

    assert held == [("w",), ("w",), ("w", "Shift")]
    assert left.held_keys == ("w",)
    assert await ground.value("seen") == [
        "keydown w false false false", "keydown w true false false", "keydown Shift false true false",
        "mousedown   true false",
        "keydown A false true false", "keyup A false true false", "keyup Shift false false false",
        "keydown a false false false", "keyup a false false false", "keyup w false false false",
    ]  # fmt: skip


async def test_a_held_control_types_no_text_and_selects_all(ground: Playground) -> None:
    await ground.open(KEYS)

    await use(ground, "type", ref=await ground.ref("textbox"), text="abc")
    await use(ground, "key_down", text="Control")
    await press(ground.supervisor, PressArguments(key="a"))
    await use(ground, "key_up", text="Control")

    assert await ground.value("field.value.slice(field.selectionStart, field.selectionEnd)") == "abc"


async def test_text_is_typed_over_its_time_and_a_password_is_a_secret_from_then_on(ground: Playground) -> None:
    await ground.open(
        "<input id=field aria-label=Field oninput='(window.times ||= []).push(performance.now())'>"
        "<input id=word type=password aria-label=Word>"
    )

    used = await use(ground, "type", ref=await ground.ref("Field"), text="slow", duration_s=0.4)
    await use(ground, "type", ref=await ground.ref("Word"), text="open-sesame")

    assert used.value == "slow"
    assert all(later - earlier >= 90 for earlier, later in pairwise(await ground.value("times")))
    assert await ground.value("word.value") == "open-sesame"
    assert "open-sesame" not in ground.supervisor.redaction.text("typed open-sesame")


@pytest.mark.parametrize(
    ("arguments", "argument"),
    [
        ({"action": "click"}, "ref"),
        ({"action": "click", "x": 1}, "ref"),
        ({"action": "click", "x": 1, "y": 1, "ref": "e1"}, "ref"),
        ({"action": "click", "x": 1, "y": 1, "count": 4}, "count"),
        ({"action": "click", "x": 1, "y": 1, "count": 2, "duration_s": 1}, "duration_s"),
        ({"action": "click", "x": 1, "y": 1, "text": "a"}, "text"),
        ({"action": "wheel", "x": 1, "y": 1, "duration_s": 1}, "duration_s"),
        ({"action": "key_down"}, "text"),
        ({"action": "key_down", "text": "a", "x": 1, "y": 1}, "x"),
        ({"action": "key_down", "text": "Control+a"}, "text"),
        ({"action": "key_down", "text": "Shift+a"}, "text"),
        ({"action": "key_up", "text": "a"}, "text"),
        ({"action": "click", "x": 10, "y": 2500}, "y"),
    ],
)
async def test_arguments_that_do_not_fit_are_refused(
    ground: Playground, arguments: dict[str, Any], argument: str
) -> None:
    with pytest.raises(InvalidArgument) as refused:
        await seen_after(ground, arguments)

    assert refused.value.argument == argument
    assert await ground.value("seen") == []


async def test_an_element_is_dragged_on_a_curve(ground: Playground) -> None:
    await ground.open(
        "<style>div {width: 50px; height: 50px}</style>"
        "<div draggable=true role=button ondragstart='event.dataTransfer.setData(`text/plain`, `A`)'>Item</div>"
        "<div role=button style='margin:100px' ondragover='event.preventDefault()'"
        "ondrop='dropped = event.dataTransfer.getData(`text/plain`)'>Box</div>"
    )
    item, box = await ground.ref("Item"), await ground.ref("Box")

    await use(ground, "glide", ref=item)
    await use(ground, "down", ref=item)
    await use(ground, "glide", ref=box, button="left")
    await use(ground, "up", ref=box)

    assert await ground.value("dropped") == "A"
