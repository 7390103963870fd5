"""Clicks and drags at places of elements, with keys held, on real Chromium."""

from __future__ import annotations

import pytest

from cdp_typed.protocol import page
from supervisor.tools.actions.drag import DragArguments, drag
from supervisor.tools.actions.keyboard import PressArguments, Pressed, press
from supervisor.tools.actions.mouse import HoverArguments, hover
from supervisor.tools.actions.positions import distance, modifiers, position_at
from supervisor.tools.framework.tool_errors import InvalidArgument, OpenedDialog
from supervisor.tools.page.element_errors import NotShown, UnknownKey
from supervisor.tools.page.geometry import Box, Point
from supervisor.tools.page.page_frames import top_frame
from tests.supervisor.tools.acts import clicked, dragged
from tests.support.stages.playground import Playground

BOX = Box(100, 200, 300, 260)


@pytest.mark.parametrize(
    ("text", "point"),
    [
        ("10,20", Point(110, 220)),
        (" 0 , 5.5 ", Point(100, 205.5)),
        ("right bottom", Point(298, 258)),
        ("top", Point(200, 202)),
        ("Left middle", Point(102, 230)),
    ],
)
def test_a_place_is_named_by_pixels_or_sides(text: str, point: Point) -> None:
    place = position_at("at", text)

    assert place is not None
    assert BOX.point_at(place) == point


def test_what_names_no_place_distance_or_modifier_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="argument 'at': expected pixels"):
        position_at("at", "corner")
    with pytest.raises(InvalidArgument, match="argument 'by': expected pixels"):
        distance("right")
    with pytest.raises(InvalidArgument, match="argument 'modifiers'"):
        modifiers("Control+a")
    with pytest.raises(UnknownKey):
        modifiers("Hyper")


PAD = """<canvas id=pad role=img aria-label=Pad width=400 height=300></canvas><script>
window.log = [];
const note = event => log.push(
    [event.type, event.offsetX, event.offsetY, event.ctrlKey, event.shiftKey, event.altKey]);
for (const type of ['click', 'mousedown', 'mouseup']) pad.addEventListener(type, note);
pad.onmousemove = event => { window.over = [event.offsetX, event.offsetY] };
</script>"""


async def test_the_mouse_goes_to_points_of_a_canvas_with_keys_held_and_draws_a_line(ground: Playground) -> None:
    await ground.open(PAD)
    ref = await ground.ref('"Pad"')

    await hover(ground.supervisor, HoverArguments(ref=ref, at="33,44"))
    assert await ground.value("over") == [33, 44]
    await clicked(ground, ref, at="10,20", modifiers="Control+Shift")
    await clicked(ground, ref, at="right bottom", modifiers="Alt")

    clicks = await ground.value("log.filter(entry => entry[0] === 'click')")
    assert clicks == [["click", 10, 20, True, True, False], ["click", 398, 298, False, False, True]]
    await ground.value("log.length = 0")
    await drag(ground.supervisor, DragArguments(ref=ref, at="10,10", by="200,100"))

    drawn = await ground.value("log.map(entry => entry.slice(0, 3))")
    assert drawn == [["mousedown", 10, 10], ["mouseup", 210, 110], ["click", 210, 110]]


async def test_a_place_of_an_element_larger_than_the_window_is_brought_into_view(ground: Playground) -> None:
    await ground.open(PAD.replace("height=300", "height=5000"))
    ref = await ground.ref('"Pad"')

    await clicked(ground, ref, at="7,4800")
    with pytest.raises(NotShown):
        await clicked(ground, ref, at="7,9999")

    assert await ground.value("log.at(-1).slice(0, 3)") == ["click", 7, 4800]


LIST = """<ul id=list style='padding:0'><li draggable=true aria-label=A role=button tabindex=0>A
<li role=button aria-label=B tabindex=0>B<li role=button aria-label=C tabindex=0>C</ul><script>
for (const item of document.querySelectorAll('li')) {
    item.style.height = '40px';
    item.ondragover = event => event.preventDefault();
    item.ondrop = event => { window.share = [item.textContent, event.offsetY > 20]; };
}
document.querySelector('li').ondragstart = event => event.dataTransfer.setData('text/plain', 'a');
</script>"""


@pytest.mark.parametrize(("where", "is_below"), [("before", False), ("after", True)])
async def test_an_item_is_dropped_before_or_after_another(ground: Playground, where: str, *, is_below: bool) -> None:
    await ground.open(LIST)

    await dragged(ground, 'button "A"', 'button "C"', to_at=where)

    assert await ground.value("share.map(entry => typeof entry === 'string' ? entry.trim() : entry)") == ["C", is_below]


async def test_text_is_selected_from_here_to_there_and_by_a_triple_click(ground: Playground) -> None:
    await ground.open(
        "<p tabindex=0 role=note aria-label=One>First line</p><p tabindex=0 role=note aria-label=Two>Second line</p>"
    )

    await dragged(ground, 'note "One"', 'note "Two"', at="left", to_at="right")
    assert (await ground.value("getSelection().toString()")).split() == ["First", "line", "Second", "line"]

    await clicked(ground, 'note "One"', at="left", count=3)
    assert (await ground.value("getSelection().toString()")).strip() == "First line"


async def test_the_clicks_of_a_double_click_do_not_wait_for_a_busy_page(ground: Playground) -> None:
    await ground.open("""<button>Go</button><script>
        window.times = []; let done = 0;
        document.querySelector('button').onclick = event => {
            times.push(event.timeStamp < done);
            for (const end = performance.now() + 700; performance.now() < end;);
            done = performance.now();
        };
    </script>""")

    await clicked(ground, 'button "Go"', count=2)

    assert await ground.value("times") == [False, True]


@pytest.mark.parametrize(("to_ref", "by"), [(None, None), ("e1", "1,1")])
async def test_a_drag_goes_to_an_element_or_a_distance(ground: Playground, to_ref: str | None, by: str | None) -> None:
    with pytest.raises(InvalidArgument, match="give to_ref or by"):
        await drag(ground.supervisor, DragArguments(ref="e1", to_ref=to_ref, by=by))


async def test_several_keys_are_pressed_in_turn_and_counted(ground: Playground) -> None:
    await ground.open("<input aria-label=F onkeydown='window.keys = (window.keys || \"\") + event.key[0]'>")
    ref = await ground.ref('"F"')

    done = await press(ground.supervisor, PressArguments(key=("a", "Tab", "Shift+Tab"), ref=ref, count=1))
    await press(ground.supervisor, PressArguments(key="b", count=3, ref=ref))

    assert done == Pressed(key="Tab")
    assert (await ground.value("keys"))[-3:] == "bbb"
    with pytest.raises(InvalidArgument, match="at least one key"):
        await press(ground.supervisor, PressArguments(key=()))


async def test_a_key_that_opens_a_dialog_says_how_many_are_left(ground: Playground) -> None:
    await ground.open("<body onkeydown='if (event.key === \"b\") alert(1)'>")

    with pytest.raises(OpenedDialog) as caught:
        await press(ground.supervisor, PressArguments(key=("a", "b"), count=2))

    assert caught.value.left == "2 of 4 keys were not pressed"
    await ground.supervisor.respond_to_dialog("accept")
    await ground.supervisor.send(page.BringToFront(), top_frame(ground.supervisor).frame_id)
