"""Images and pictures of pages, on real Chromium."""

from __future__ import annotations

import json
from typing import Literal

import pytest

from cdp_typed.protocol import emulation, page
from supervisor import BlockedByDialog, Config, SupervisorRegistry
from supervisor.tools import CATALOGUE, Image, Toolbox
from supervisor.tools.browser.page import describing
from supervisor.tools.page.element_errors import NotShown
from supervisor.tools.page.images import Images, ImagesArguments, ImageView, UnreadFrame, images
from supervisor.tools.page.page_frames import top_frame
from supervisor.tools.page.screenshots import MAX_SIDE, QuestionArguments, VisionArguments, take
from tests.support.stages.layout import give_layout
from tests.support.stages.playground import Playground
from tests.support.stages.stages import Stage

SVG = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='8' height='4'/>"
STRIPES = "".join(f"<div style='height:1000px; background:rgb({red},0,0)'></div>" for red in (50, 100, 150))


async def pixels(ground: Playground, image: Image, *places: tuple[int, int]) -> list[object]:
    """Width and height of a picture, and its red at these places."""
    script = f"""(async () => {{
        const picture = new Image();
        picture.src = 'data:{image.mime_type};base64,{image.data}';
        await picture.decode();
        const canvas = new OffscreenCanvas(picture.width, picture.height), on = canvas.getContext('2d');
        on.drawImage(picture, 0, 0);
        const red = (x, y) => on.getImageData(x, y, 1, 1).data[0];
        return [picture.width, picture.height, ...{[list(place) for place in places]}.map(at => red(...at))];
    }})()"""
    values: list[object] = await ground.value(script)
    return values


async def test_images_of_all_frames_with_address_text_and_size(ground: Playground) -> None:
    ground.sites.pages["/pictures"] = f"""<!doctype html><img alt="Inner" src="{SVG}" width=20 height=10>"""
    await ground.open(
        f"""<img alt="A cat" src="{SVG}"><img src="{SVG}" style="display:none"><div id=host></div><iframe name=inner
        src="{ground.sites.remote("/pictures")}"></iframe><script>host.attachShadow({{mode: 'open'}}).innerHTML =
        `<img alt="Shadow" src="{SVG}" width=16>`</script>""",
        frames=2,
    )

    def view(alt: str, width: int, height: int, frame_id: str = "") -> ImageView:
        own: dict[str, int] = {} if width == 8 else {"natural_width": 8, "natural_height": 4}
        return ImageView(src=SVG[:64], alt=alt, width=width, height=height, frame_id=frame_id, **own)

    listed = await images(ground.supervisor, ImagesArguments())

    cat, shadow = view("A cat", 8, 4), view("Shadow", 16, 8)
    inner = view("Inner", 20, 10, ground.frame("inner").frame_id)
    assert listed == Images(images=[cat, shadow, inner])
    assert (await images(ground.supervisor, ImagesArguments(limit=1))) == Images(images=[cat], total=3)
    assert (await images(ground.supervisor, ImagesArguments(min_size=10))).images == [inner]
    assert (await images(ground.supervisor, ImagesArguments(min_size=0, limit=3))).total == 4


async def test_a_frame_that_cannot_be_asked_for_images_is_named(ground: Playground) -> None:
    await ground.open_nested()
    middle = ground.frame("middle").frame_id
    await ground.value("setTimeout(() => alert(1), 0)", middle)
    now = await ground.supervisor.wait_for(lambda now: bool(now.pending_dialogs), timeout_s=20)

    listed = await images(ground.supervisor, ImagesArguments())

    assert listed.unread == [UnreadFrame(frame_id=middle, why=f"blocked by dialog {now.pending_dialogs[0].id}")]


async def test_a_picture_is_one_of_where_the_page_is_scrolled_to_or_of_the_whole_page(ground: Playground) -> None:
    await ground.open(f"<body style='margin:0'>{STRIPES}")
    await ground.value("scrollTo(0, 1000)")

    seen = await take(ground.supervisor, VisionArguments())
    whole = await take(ground.supervisor, VisionArguments(full_page=True, format="jpeg", quality=90))

    assert (seen.image.mime_type, seen.is_cut, seen.description) == ("image/webp", False, None)
    assert await pixels(ground, seen.image, (5, 5)) == [seen.width, seen.height, pytest.approx(100, abs=3)]
    assert seen.height == await ground.value("document.documentElement.clientHeight")
    assert (whole.image.mime_type, whole.height, whole.is_cut) == ("image/jpeg", 3000, False)
    width, height, *reds = await pixels(ground, whole.image, (5, 5), (5, 1500), (5, 2995))
    assert (width, height) == (whole.width, 3000)
    assert reds == [pytest.approx(red, abs=3) for red in (50, 100, 150)]


async def test_a_picture_of_one_element_in_an_iframe_of_another_process(ground: Playground) -> None:
    ground.sites.pages["/box"] = (
        "<!doctype html><body style='margin:0; height:2000px'><div style='height:800px'></div>"
        "<div role=button tabindex=0 aria-label=Box style='width:40px; height:30px; background:rgb(200,0,0)'></div>"
    )
    await ground.open(
        f"<p style='height:1500px'></p><iframe src='{ground.sites.remote('/box')}' style='border:5px solid'></iframe>",
        frames=2,
    )

    seen = await take(ground.supervisor, VisionArguments(ref=await ground.ref('button "Box"'), format="png"))

    assert (seen.width, seen.height, seen.is_cut) == (40, 30, False)
    assert await pixels(ground, seen.image, (2, 2), (20, 15), (37, 27)) == [40, 30, 200, 200, 200]


async def test_a_page_or_an_element_that_is_too_long_is_cut_and_that_is_said(ground: Playground) -> None:
    await ground.open("<body style='margin:0'><div role=button tabindex=0 aria-label=Big style='height:9000px'></div>")
    ref = await ground.ref('button "Big"')

    seen = await take(ground.supervisor, VisionArguments(full_page=True))
    assert (seen.height, seen.is_cut) == (MAX_SIDE, True)
    assert (await take(ground.supervisor, VisionArguments(ref=ref))).is_cut is True

    await ground.value("document.querySelector('div').style.display = 'none'")
    with pytest.raises(NotShown):
        await take(ground.supervisor, VisionArguments(ref=ref))


async def test_no_picture_of_a_page_that_a_dialog_freezes(ground: Playground) -> None:
    await ground.open("")
    await ground.value("setTimeout(() => alert(1), 0)")
    await ground.supervisor.wait_for(lambda now: bool(now.pending_dialogs), timeout_s=20)

    with pytest.raises(BlockedByDialog):
        await take(ground.supervisor, VisionArguments())


FRONT = "document.visibilityState + ' ' + events.join()"
SURFACE_IS_GONE = "new Promise(go => setTimeout(go, 2500))"
"""Chromium drops the drawn picture of a hidden tab after a time, without an event."""
NOTE = "window.events = []; onblur = onfocus = onresize = document.onvisibilitychange = it => events.push(it.type); 1"


async def test_a_picture_of_a_tab_behind_others_leaves_both_tabs_as_they_were(ground: Playground) -> None:
    await ground.open("<body style='margin:0; background:rgb(70,0,0)'>")
    top = top_frame(ground.supervisor)
    behind = top.frame_id
    front = (await ground.supervisor.open_page(select=False)).target_id
    try:
        await ground.supervisor.send(page.BringToFront(), front)
        await ground.value(SURFACE_IS_GONE, behind)  # by then the tab in front has got its size, too
        for frame in (behind, front):
            await ground.value(NOTE, frame)

        for _ in range(2):
            seen = await take(ground.supervisor, VisionArguments())
            assert await pixels(ground, seen.image, (5, 5)) == [seen.width, seen.height, 70]
            await ground.value(SURFACE_IS_GONE, behind)

        assert [await ground.value(FRONT, frame) for frame in (behind, front)] == ["visible ", "visible "]
    finally:
        await ground.supervisor.close_page(front)


async def test_a_picture_described_in_words(ground: Playground) -> None:
    await ground.open("")

    def tell(image: Image, question: str | None) -> str:
        return f"{image.mime_type}: {question}"

    async def tell_later(image: Image, question: str | None) -> str:
        return tell(image, question)

    for describe in (tell, tell_later):
        seen = await take(ground.supervisor, QuestionArguments(question="What?"), describe)
        assert seen.description == "image/webp: What?"


def test_a_toolbox_whose_pictures_are_described(mock_stage: Stage, registry: SupervisorRegistry) -> None:
    """The other tools are as they are."""
    give_layout(mock_stage)
    catalogue = describing(lambda image, question: f"a picture, {question}")
    box = Toolbox(Config(cdp_url=mock_stage.cdp_url), registry=registry, catalogue=catalogue)

    payload = json.loads(box.dispatch("browser_vision", {"question": "what?"}))

    assert payload["description"] == "a picture, what?"
    assert "description" in payload["untrusted"]
    assert [tool.name for tool in catalogue] == [tool.name for tool in CATALOGUE]
    assert catalogue.get("browser_click") == CATALOGUE.get("browser_click")


WATCHED = """<body style='margin:0'><button style='position:absolute; left:100px; top:50px; width:80px; height:40px'
onclick='hit = 1'>Go</button><a href=/x style='position:absolute; top:5000px'>Below</a><script>
window.seen = []; new MutationObserver(all => seen.push(...all.map(it => it.type))).observe(document,
    {subtree: true, childList: true, attributes: true, characterData: true});
performance.clearResourceTimings();
new PerformanceObserver(all => seen.push(...all.getEntries().map(it => it.name)))
    .observe({entryTypes: ['resource']});
</script>"""


async def test_refs_are_written_on_the_picture_and_the_page_is_not_changed(ground: Playground) -> None:
    csp = "<meta http-equiv=content-security-policy content=\"default-src 'unsafe-inline'; img-src data:\">"
    await ground.open(csp + WATCHED)
    await ground.value(
        "new Promise(go => requestAnimationFrame(() => requestAnimationFrame(() => { seen = []; go() })))"
    )
    ref = await ground.ref('button "Go"')

    seen = await take(ground.supervisor, VisionArguments(refs=True, format="png"))

    (mark,) = seen.marks
    assert (mark.ref, mark.x, mark.y, seen.left, seen.top, seen.scale) == (ref, 140, 70, 0, 0, 1)
    assert await pixels(ground, seen.image, (102, 38)) == [seen.width, seen.height, int(mark.colour[1:3], 16)]
    assert await ground.value("[seen, performance.getEntriesByType('resource').length]") == [[], 0]


@pytest.mark.parametrize("format_", ["png", "jpeg", "webp"])
async def test_the_scale_makes_points_of_the_page(ground: Playground, format_: Literal["png", "jpeg", "webp"]) -> None:
    await ground.open(WATCHED)
    top = top_frame(ground.supervisor)
    dense = emulation.SetDeviceMetricsOverride(width=0, height=0, device_scale_factor=2, mobile=False)
    await ground.supervisor.send(dense, top.frame_id)
    try:
        seen = await take(
            ground.supervisor, VisionArguments(ref=await ground.ref('button "Go"'), refs=True, format=format_)
        )
        size = await pixels(ground, seen.image)
    finally:
        await ground.supervisor.send(emulation.ClearDeviceMetricsOverride(), top.frame_id)

    assert (size, seen.scale, seen.left, seen.top) == ([160, 80], 2, 100, 50)
    assert [(mark.x, mark.y) for mark in seen.marks] == [(140, 70)]


async def test_on_a_picture_of_the_whole_page_all_of_it_has_refs(ground: Playground) -> None:
    ground.sites.pages["/framed"] = "<!doctype html><button>Framed</button>"
    await ground.open(
        "<body style='margin:0; height:3000px'><button style='position:absolute; top:10px'>Above</button>"
        "<button style='position:absolute; top:2500px; height:20px'>Below</button>"
        f"<iframe src='{ground.sites.remote('/framed')}' style='position:absolute; top:2600px'></iframe>",
        frames=2,
    )
    await ground.value("scrollTo(0, 300)")
    refs = [await ground.ref(name) for name in ('"Above"', '"Below"', '"Framed"')]

    seen = await take(ground.supervisor, VisionArguments(full_page=True, refs=True))
    in_view = await take(ground.supervisor, VisionArguments(refs=True))

    places = {mark.ref: mark.y + 300 for mark in seen.marks}
    assert set(refs) <= places.keys()
    assert (places[refs[1]], places[refs[2]] > 2600) == (2510, True)
    assert in_view.marks == []
