"""Drag and drop on real Chromium, of what listens to the pointer and of what the browser drags."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_typed.protocol.input import DispatchMouseEventType
from supervisor.tools.actions.drag import UNSEEN, DragUnfinished, settled_drag
from supervisor.tools.actions.mouse import Mouse
from supervisor.tools.framework.tool_errors import OpenedDialog
from tests.supervisor.tools.acts import clicked, dragged
from tests.support.stages.playground import Playground

BY_POINTER = """<button id=box style='position:absolute; left:10px; top:10px; width:60px; height:40px'>Box</button>
<button style='position:absolute; left:300px; top:200px; width:90px; height:90px'>Goal</button><script>
let from = null;
box.onpointerdown = event => { from = event; };
onpointermove = event => {
    if (from && event.buttons === 1) box.style.transform = `translate(${event.x - from.x}px, ${event.y - from.y}px)`;
};
onpointerup = event => { from = null; window.let_go = [event.x, event.y]; };
</script>"""

BY_BROWSER = """<div id=card draggable=true tabindex=0 aria-label=Card role=button>Card</div>
<div id=goal tabindex=0 role=button aria-label=Goal style='margin-top:100px; height:80px'>Goal</div><script>
card.ondragstart = event => {
    event.dataTransfer.setData('text/plain', 'c1');
    event.dataTransfer.setData('app/own', 'x');
    event.dataTransfer.effectAllowed = 'move';
};
card.ondragend = () => { window.ended = true; };
goal.ondragover = event => { event.preventDefault(); };
goal.ondrop = event => {
    event.preventDefault();
    window.dropped = [event.dataTransfer.getData('text/plain'), event.dataTransfer.getData('app/own'), event.isTrusted];
};
</script>"""


async def test_what_follows_the_pointer_is_moved(ground: Playground) -> None:
    await ground.open(BY_POINTER)

    await dragged(ground, 'button "Box"', 'button "Goal"')

    assert await ground.value("window.let_go") == [346, 246]
    assert await ground.value("box.getBoundingClientRect().x") > 250


SORTED_BY_HALVES = """<style>#list div { height: 40px }</style>
<div id=list><div role=button>A</div><div role=button>B</div><div role=button>C</div></div><script>
let held = null, y = 0;
onmousedown = event => { held = event.target; y = event.clientY; };
onmouseup = () => { held = null; };
onmousemove = event => {
    const [up, over] = [event.clientY < y, event.target];
    if (event.clientY !== y && held && over !== held && over.parentNode === list) {
        const box = over.getBoundingClientRect(), isLower = event.clientY >= box.top + box.height / 2;
        if (up && !isLower) over.before(held);
        if (!up && isLower) over.after(held);
    }
    y = event.clientY;
};
</script>"""
"""A list that moves an item while the pointer goes on across the middle of another one, as jQuery UI does."""


SORTED_AT_ONCE = """<style>#list div { height: 40px }</style>
<div id=list><div draggable=true role=button>A</div><div draggable=true role=button>B</div><div draggable=true
  role=button>C</div></div><script>
let held = null;
ondragstart = event => { held = event.target; event.dataTransfer.setData('text/plain', 'x'); };
list.ondragenter = event => {
    const over = event.target.closest('[draggable]');
    if (over === null || over === held) return;
    const rows = [...list.children];
    if (rows.indexOf(held) < rows.indexOf(over)) over.after(held); else over.before(held);
};
list.ondragover = event => { event.preventDefault(); };
</script>"""
"""A list that moves an item as soon as the mouse is over another one, as SortableJS does: each time it makes room."""


SHIFTED = """<style>#list div { height: 40px }</style>
<div id=list><div role=button>A</div><div role=button>B</div><div role=button>C</div></div><script>
let held = null;
const place = event => Math.max(0, Math.min(2, Math.floor((event.clientY - list.getBoundingClientRect().top) / 40)));
onpointerdown = event => { held = event.target };
onpointermove = event => {
    const from = [...list.children].indexOf(held), to = place(event);
    for (const [at, item] of held ? [...list.children].entries() : []) if (item !== held) {
        const shift = from < at && at <= to ? -40 : to <= at && at < from ? 40 : 0;
        item.style.transform = `translateY(${shift}px)`;
    }
};
onpointerup = event => {
    for (const item of list.children) item.style.transform = '';
    const others = [...list.children].filter(item => item !== held), to = place(event);
    list.replaceChildren(...others.slice(0, to), held, ...others.slice(to));
};
</script>"""
"""A list that only draws its items elsewhere while one is dragged, as dnd-kit does."""

MOVED = [
    ("A", "C", "after", "BCA"),
    ("C", "A", "before", "CAB"),
    ("A", "B", "after", "BAC"),
    ("A", "C", "before", "BAC"),
    ("C", "A", "after", "ACB"),
    ("A", "B", "before", "ABC"),
    ("B", "C", "before", "ABC"),
]
BESIDE = [
    *((html, *moved) for html in (SORTED_AT_ONCE, SORTED_BY_HALVES) for moved in MOVED),
    *((SHIFTED, *moved) for moved in MOVED[:3]),
]
IN_PLACE = [
    *((html, *ends) for html in (SORTED_AT_ONCE, SORTED_BY_HALVES) for ends in (("C", "A", "CAB"), ("A", "C", "BCA"))),
    (SORTED_AT_ONCE, "A", "B", "BAC"),
]


@pytest.mark.parametrize(("html", "of", "to", "side", "order"), BESIDE)
async def test_an_item_goes_to_the_side_of_another_in_a_list_that_makes_room(
    ground: Playground, html: str, of: str, to: str, side: str, order: str
) -> None:
    await ground.open(html)
    goal = await ground.ref(f'button "{to}"')

    done = await dragged(ground, f'button "{of}"', goal, to_at=side)

    assert await ground.value("list.textContent") == order
    assert (await settled_drag(ground.supervisor, done)).lies == f"{side} {goal}"


@pytest.mark.parametrize(("html", "of", "to", "order"), IN_PLACE)
async def test_an_item_takes_the_place_of_another(ground: Playground, html: str, of: str, to: str, order: str) -> None:
    await ground.open(html)

    await dragged(ground, f'button "{of}"', f'button "{to}"')

    assert await ground.value("list.textContent") == order


SHRINKING = """<style>div { height: 40px }</style><div id=above><div draggable=true role=button>A</div></div>
<div id=goal role=button>Goal</div><script>
ondragstart = event => { event.dataTransfer.setData('text/plain', 'x'); };
ondragover = event => { if (event.clientY > 30) above.style.height = '0px'; event.preventDefault(); };
goal.ondrop = () => { window.dropped = true; };
</script>"""


async def test_a_destination_that_moves_before_the_mouse_is_there_is_followed(ground: Playground) -> None:
    await ground.open(SHRINKING)

    await dragged(ground, 'button "A"', 'button "Goal"')

    assert await ground.value("window.dropped") is True


async def test_what_the_browser_drags_is_dropped_with_its_data(ground: Playground) -> None:
    await ground.open(BY_BROWSER)

    await dragged(ground, 'button "Card"', 'button "Goal"')

    assert await ground.value("window.dropped") == ["c1", "x", True]
    assert await ground.value("window.ended") is True


async def test_a_card_is_dropped_into_an_iframe_of_another_process(ground: Playground) -> None:
    ground.sites.pages["/goal"] = "<!doctype html>" + BY_BROWSER.replace("id=card draggable=true", "id=card")
    near = BY_BROWSER.replace("aria-label=Goal", "aria-label=Near")
    await ground.open(f"{near}<iframe name=other src='{ground.sites.remote('/goal')}'></iframe>", frames=2)

    await dragged(ground, 'button "Card"', 'button "Goal"')

    assert await ground.value("window.dropped", ground.frame("other").frame_id) == ["c1", "x", True]


async def test_a_drag_that_comes_nowhere_says_so(ground: Playground, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chrome 131 does so on the page after a drop into an iframe of another process."""
    await ground.open(BY_POINTER)
    box, goal = await ground.ref('button "Box"'), await ground.ref('button "Goal"')

    async def send_nowhere(mouse: Mouse, kind: DispatchMouseEventType, **given: Any) -> None:
        pass

    monkeypatch.setattr(Mouse, "send", send_nowhere)

    assert (await dragged(ground, box, goal)).hint == UNSEEN


AFTER = """<button onclick='log.push("click")' style='position:absolute; top:400px'>After</button><script>
log = []; onpointerup = () => log.push("up");
[...document.querySelectorAll("[aria-label=Card], #box")][0].addEventListener("%s", () => { %s }, {once: true});
const gone = () => [...document.querySelectorAll("[aria-label=Goal], #box ~ button")][0].remove();
</script>"""
"""What happens to the page as soon as the drag has begun."""


@pytest.mark.parametrize(
    ("html", "labels", "event"),
    [(BY_BROWSER, ("Card", "Goal"), "dragstart"), (BY_POINTER, ("Box", "Goal"), "pointerdown")],
    ids=["browser", "pointer"],
)
async def test_what_cannot_be_dropped_is_let_go_and_the_next_click_works(
    ground: Playground, html: str, labels: tuple[str, str], event: str
) -> None:
    await ground.open(html + AFTER % (event, "gone()"))
    source, goal, after = [await ground.ref(f'button "{label}"') for label in (*labels, "After")]

    with pytest.raises(DragUnfinished, match="the drag had begun, and was ended without a drop") as caught:
        await dragged(ground, source, goal)
    log = await ground.value("log.splice(0)")
    await clicked(ground, after)

    assert (caught.value.ref, caught.value.maybe_executed) == (goal, True)
    assert (log, await ground.value("log")) == (["up"], ["up", "click"])


ASKS = """<script>
card.addEventListener("%s", () => alert(1), {once: true});
goal.addEventListener("%s", () => alert(1), {once: true});
</script>"""


@pytest.mark.parametrize("of", ["dragstart", "dragover", "drop"])
async def test_a_drag_that_opens_a_dialog_is_over_when_that_is_answered(ground: Playground, of: str) -> None:
    await ground.open(BY_BROWSER + AFTER % (of, "") + ASKS % (of, of))
    card, goal, after = [await ground.ref(f'button "{label}"') for label in ("Card", "Goal", "After")]

    with pytest.raises(OpenedDialog) as caught:
        await dragged(ground, card, goal)
    await ground.supervisor.respond_to_dialog("accept")
    await clicked(ground, after)

    assert caught.value.left == ("" if of == "drop" else "nothing was dropped")
    assert await ground.value("log") == ["up", "up", "click"]
