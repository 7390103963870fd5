"""The mouse at points of the page, on real Chromium."""

from __future__ import annotations

import pytest

from supervisor import BlockedByDialog
from supervisor.tools.actions.pixels import MouseArguments, use_mouse
from supervisor.tools.framework.tool_errors import InvalidArgument, OpenedDialog
from tests.support.stages.playground import Playground

PAGE = """<body style='margin:0; height:3000px'><script>
window.seen = [];
for (const type of ['mousemove', 'mousedown', 'mouseup', 'click', 'dblclick', 'contextmenu']) {
    document.addEventListener(type, event => {
        seen.push([type, event.clientX, event.clientY, event.buttons, event.ctrlKey].join(' '));
    });
}
</script>"""


async def seen_after(ground: Playground, *steps: MouseArguments) -> list[str]:
    await ground.open(PAGE)
    for step in steps:
        await use_mouse(ground.supervisor, step)
    seen: list[str] = await ground.value("seen")
    return seen


async def test_a_double_click_at_a_point_with_a_key_held(ground: Playground) -> None:
    seen = await seen_after(ground, MouseArguments(action="click", x=30, y=40, count=2, modifiers="Control"))

    at = "30 40"
    one = [f"mousedown {at} 1 true", f"mouseup {at} 0 true", f"click {at} 0 true"]
    assert seen == [f"mousemove {at} 0 true", *one, *one, f"dblclick {at} 0 true"]


async def test_a_button_is_held_while_the_mouse_moves(ground: Playground) -> None:
    seen = await seen_after(
        ground,
        MouseArguments(action="down", x=10, y=10),
        MouseArguments(action="move", x=50, y=60, button="left"),
        MouseArguments(action="up", x=50, y=60),
    )

    assert [line for line in seen if not line.startswith("click")] == [
        "mousedown 10 10 1 false",
        "mousemove 50 60 1 false",
        "mouseup 50 60 0 false",
    ]


async def test_the_wheel_scrolls_what_is_at_the_point(ground: Playground) -> None:
    await ground.open(PAGE)
    scrolled = "new Promise(go => { onscrollend = () => go(scrollY); if (scrollY >= 200) go(scrollY) })"

    await use_mouse(ground.supervisor, MouseArguments(action="wheel", x=10, y=10, delta_y=200))

    assert await ground.value(scrolled) == 200


async def test_a_finger_taps_and_swipes(ground: Playground) -> None:
    touched = """<body style='margin:0;height:3000px'><script>
        seen = []; for (const type of ['touchstart', 'touchend', 'click'])
            document.addEventListener(type, event => seen.push([type, event.pointerType].join(' ')));</script>"""
    await ground.open(touched)
    await use_mouse(ground.supervisor, MouseArguments(action="tap", x=30, y=40))
    clicked = "new Promise(go => { if (seen.length == 3) go(seen); onclick = () => go(seen) })"
    assert await ground.value(clicked) == ["touchstart ", "touchend ", "click touch"]
    scrolled = "new Promise(go => { onscrollend = () => go(scrollY); if (scrollY >= 100) go(scrollY) })"

    await use_mouse(ground.supervisor, MouseArguments(action="swipe", x=30, y=400, delta_y=-200))

    assert await ground.value(scrolled) >= 100
    with pytest.raises(InvalidArgument, match="a swipe needs"):
        await use_mouse(ground.supervisor, MouseArguments(action="swipe", x=30, y=40))


async def test_a_point_outside_of_the_viewport_is_refused(ground: Playground) -> None:
    with pytest.raises(InvalidArgument, match="'y'"):
        await seen_after(ground, MouseArguments(action="click", x=10, y=2500))

    assert await ground.value("seen") == []


async def test_a_dialog_that_the_click_opens_is_its_effect_and_blocks_the_next(ground: Playground) -> None:
    await ground.open("<body onmousedown='alert(1)' style='height:100vh'>")

    with pytest.raises(OpenedDialog):
        await use_mouse(ground.supervisor, MouseArguments(action="click", x=10, y=10))
    with pytest.raises(BlockedByDialog) as refused:
        await use_mouse(ground.supervisor, MouseArguments(action="click", x=10, y=10))

    assert not isinstance(refused.value, OpenedDialog)
