"""Real clicks and wheels at the right place, on real Chromium, through nested iframes of other processes."""

from __future__ import annotations

import asyncio

import pytest

from cdp_typed.protocol import target
from supervisor import BlockedByDialog
from supervisor.tools.actions.scroll import ScrollArguments, Scrolled, scroll
from supervisor.tools.page.element_errors import Covered, NotShown, StaleRef, StillMoving, UnknownRef
from supervisor.tools.page.refs import Node, refs_of
from tests.supervisor.tools.acts import clicked
from tests.support.stages.playground import Playground, meddle


async def test_a_click_reaches_a_button_two_processes_deep_and_the_wheel_what_is_around_it(ground: Playground) -> None:
    await ground.open_nested()
    ref, inner = await ground.ref('button "Deep button"'), ground.frame("inner").frame_id

    done = await clicked(ground, ref)
    scrolled = await scroll(ground.supervisor, ScrollArguments(ref=ref, direction="up", amount=200))

    assert (done.ref, done.frame_id) == (ref, inner)
    assert await ground.value("document.title", inner) == "clicked true"
    assert scrolled.moved is True
    assert await ground.value("scrollY", inner) == scrolled.y


async def test_an_iframe_that_is_scaled_turned_and_scrolled_is_hit_as_it_is_seen(ground: Playground) -> None:
    ground.sites.pages["/cell"] = (
        "<!doctype html><body style='margin:0; height:2000px'><div style='height:700px'></div>"
        "<button style='position:absolute; left:150px; width:20px; height:20px' onclick='window.hit = 1'>X</button>"
    )
    await ground.open(
        "<body style='height:3000px'><div style='height:1000px'></div>"
        f"<iframe name=cell src='{ground.sites.remote('/cell')}' style='width:300px; height:200px; border:9px solid; "
        "padding:4px; transform: scale(.5) rotate(30deg)'></iframe>",
        frames=2,
    )

    await clicked(ground, 'button "X"')

    assert await ground.value("window.hit", ground.frame("cell").frame_id) == 1


async def test_what_covers_an_element_is_named_and_gets_no_click(ground: Playground) -> None:
    await ground.open(
        "<button onclick='window.hit = 1'>Below</button>"
        "<div role=dialog style='position:fixed; inset:0' onclick='window.above = 1'>Cookies?</div>"
    )
    ref = await ground.ref('button "Below"')

    with pytest.raises(Covered) as caught:
        await clicked(ground, ref)

    assert await ground.value("[window.hit, window.above]") == [None, None]
    assert str(caught.value).startswith(f"element {ref!r}: element {caught.value.cover!r} (dialog) covers it")
    await clicked(ground, caught.value.cover)
    await clicked(ground, ref, force=True)
    assert await ground.value("[window.hit, window.above]") == [None, 1]


async def test_what_covers_the_iframe_around_an_element_covers_the_element(ground: Playground) -> None:
    await ground.open_nested()
    await ground.value(
        "document.body.append(Object.assign(document.createElement('div'), "
        "{style: 'position:fixed; inset:0; z-index:9'}))"
    )

    with pytest.raises(Covered):
        await clicked(ground, 'button "Deep button"')

    assert await ground.value("document.title", ground.frame("inner").frame_id) == "Inner"


async def test_a_label_over_its_checkbox_covers_nothing(ground: Playground) -> None:
    await ground.open(
        "<label style='position:relative'>Agree <input id=box type=checkbox>"
        "<span style='position:absolute; inset:-5px'></span></label>"
    )

    await clicked(ground, 'checkbox "Agree"')

    assert await ground.value("box.checked") is True


async def test_a_double_click_and_the_other_buttons(ground: Playground) -> None:
    await ground.open(
        "<button ondblclick='window.log=[\"double\"]' onauxclick='log.push(event.button)' "
        "oncontextmenu='event.preventDefault()'>B</button>"
    )

    for more in ({"count": 2}, {"button": "middle"}, {"button": "right"}):
        await clicked(ground, 'button "B"', **more)

    assert await ground.value("window.log") == ["double", 1, 2]


async def test_a_click_waits_for_the_picture_that_an_icon_shows_under_the_mouse(ground: Playground) -> None:
    """As icons with `:hover { content: url(...) }`, which have no size until that picture is loaded (MiniWoB++)."""
    await ground.open(
        """<style>button { width: 40px; padding: 0; border: 0; float: left }</style>
        <button onclick="window.hit = 'Like'" onmouseenter="
            this.onmouseenter = null; this.style.width = 0; setTimeout(() => { this.style.width = '' }, 300)
        ">Like</button>
        <button onclick="window.hit = 'Share'">Share</button>"""
    )

    done = await clicked(ground, 'button "Like"')

    assert await ground.value("window.hit") == "Like"
    assert done.hint == ""


async def test_a_ref_is_stale_once_its_document_was_reloaded(ground: Playground) -> None:
    await ground.open("<button>Old</button>")
    ref = await ground.ref('button "Old"')

    await ground.reload()

    with pytest.raises(StaleRef, match="its document was replaced; take a new snapshot"):
        await clicked(ground, ref)
    assert await ground.ref('button "Old"') != ref
    with pytest.raises(UnknownRef, match="element 'e0': no such ref"):
        await clicked(ground, "e0")


async def test_a_ref_is_stale_once_its_element_or_its_frame_is_gone(ground: Playground) -> None:
    await ground.open_nested()
    deep, top = await ground.ref('button "Deep button"'), await ground.ref('button "Top button"')

    await ground.value("document.querySelector('[name=middle]').remove(), document.querySelector('button').remove()")
    await ground.settled(2)

    with pytest.raises(StaleRef, match="its frame is gone"):
        await clicked(ground, deep)
    with pytest.raises(StaleRef, match="it was removed from its document"):
        await clicked(ground, top)


async def test_a_document_replaced_meanwhile_gets_no_click(ground: Playground, monkeypatch: pytest.MonkeyPatch) -> None:
    await ground.open("<button onclick='window.hit = 1'>Old</button>")
    ref = await ground.ref('button "Old"')

    meddle(monkeypatch, ground.supervisor, "DOM.getContentQuads", ground.reload)
    with pytest.raises(StaleRef):
        await clicked(ground, ref)
    assert await ground.value("window.hit") is None


async def test_a_frame_removed_meanwhile_gets_no_click(ground: Playground, monkeypatch: pytest.MonkeyPatch) -> None:
    await ground.open_nested()
    ref = await ground.ref('button "Deep button"')

    async def remove() -> None:
        await ground.value("document.querySelector('[name=middle]').remove()")
        await ground.settled(2)

    meddle(monkeypatch, ground.supervisor, "DOM.getContentQuads", remove)
    with pytest.raises(StaleRef, match="its frame is gone"):
        await clicked(ground, ref)


async def test_an_element_that_the_browser_does_not_know_any_more(ground: Playground) -> None:
    now = await ground.open("")
    top = now.frame_tree.top
    assert top is not None
    ref = refs_of(ground.supervisor).name(Node(top.frame_id, top.loader_id, 999_999))

    with pytest.raises(StaleRef, match="it was removed from its document"):
        await clicked(ground, ref)


async def test_frames_of_one_process_cover_each_other(ground: Playground) -> None:
    """In either direction; and what is in an iframe is a part of it."""
    ground.sites.pages["/own"] = (
        "<!doctype html><body style='height:100vh' onclick='window.hit = 1'><button>Inside</button>"
    )
    await ground.open(
        "<button>Below</button><iframe name=own src=/own style='position:absolute; left:0; top:0'></iframe>"
        "<div id=lid style='position:fixed; inset:0; display:none'></div>",
        frames=2,
    )
    below, inside, own = [await ground.ref(label) for label in ('button "Below"', 'button "Inside"', "iframe")]

    with pytest.raises(Covered):
        await clicked(ground, below)
    await clicked(ground, own)
    await ground.value("lid.style.display = 'block'")
    with pytest.raises(Covered):
        await clicked(ground, inside)

    assert await ground.value("window.hit", ground.frame("own").frame_id) == 1


async def test_a_tab_in_the_background_is_brought_to_the_front(ground: Playground) -> None:
    """The dialog of another tab does not stop it."""
    await ground.open("<button onclick='window.hit = 1'>Here</button>")
    ref, here = await ground.ref('button "Here"'), ground.supervisor.snapshot().frame_tree.top
    assert here is not None
    other = await ground.supervisor.open_page("about:blank", background=False)
    try:
        await ground.supervisor.evaluate("setTimeout(() => alert(1), 0)")
        await ground.supervisor.wait_for(lambda now: bool(now.pending_dialogs), timeout_s=20)
        await ground.supervisor.select_page(here.frame_id)

        await clicked(ground, ref)

        assert await ground.value("[window.hit, document.visibilityState]", here.frame_id) == [1, "visible"]
    finally:
        for dialog in ground.supervisor.snapshot().pending_dialogs:
            await ground.supervisor.respond_to_dialog("accept", dialog_id=dialog.id)
        await ground.supervisor.send(target.CloseTarget(target_id=target.TargetID(other.target_id)))
        await ground.supervisor.select_page(here.frame_id)


async def test_what_has_no_place_cannot_be_clicked(ground: Playground) -> None:
    ground.sites.pages["/far"] = "<!doctype html><button>Far</button>"
    await ground.open(
        "<button id=b>B</button><button style='position:fixed; left:-500px'>C</button>"
        f"<iframe src='{ground.sites.remote('/far')}' style='position:fixed; left:-800px'></iframe>",
        frames=2,
    )
    refs = [await ground.ref(f'button "{label}"') for label in ("B", "C", "Far")]
    await ground.value("b.style.display = 'none'")

    for ref in refs:
        with pytest.raises(NotShown):
            await clicked(ground, ref)


async def test_what_never_comes_to_rest_is_not_clicked(ground: Playground, monkeypatch: pytest.MonkeyPatch) -> None:
    await ground.open("<button id=fly style='position:absolute; left:0' onclick='window.hit = 1'>Fly</button>")
    ref = await ground.ref('button "Fly"')

    async def fly() -> None:
        await ground.value("fly.style.left = (parseInt(fly.style.left) + 70) % 400 + 'px'")

    monkeypatch.setattr("supervisor.tools.page.hit_testing.LOOKS", 4)
    meddle(monkeypatch, ground.supervisor, "DOM.getContentQuads", fly, times=4)
    with pytest.raises(StillMoving):
        await clicked(ground, ref)

    assert await ground.value("window.hit") is None


async def test_a_click_that_opens_a_dialog_in_the_page_ends_at_once(ground: Playground) -> None:
    await ground.open("<button onclick='alert(\"Hello\")'>Alert</button>")
    ref = await ground.ref('button "Alert"')

    for message, maybe_executed in [("Hello", True), ("Hello", False)]:  # nothing that is below a dialog is clicked
        with pytest.raises(BlockedByDialog) as caught:
            await clicked(ground, ref)
        assert (caught.value.dialog.message, caught.value.maybe_executed) == (message, maybe_executed)


async def test_a_click_that_opens_a_dialog_in_a_nested_iframe_ends_at_once(ground: Playground) -> None:
    """The page's own session never answers such a click: its process is not the one that stands still."""
    await ground.open_nested()
    ref, top = await ground.ref('button "Alerting"'), await ground.ref('button "Top button"')

    with pytest.raises(BlockedByDialog) as caught:
        await clicked(ground, ref)

    inner = ground.frame("inner").frame_id
    assert (caught.value.dialog.message, caught.value.dialog.frame_id) == ("Sure?", inner)
    with pytest.raises(BlockedByDialog):
        await clicked(ground, top)
    await ground.supervisor.respond_to_dialog("accept")
    assert await ground.value("window.answer", inner) is True


async def test_the_wheel_scrolls_the_page_and_says_how_far(ground: Playground) -> None:
    await ground.open("<body style='margin:0'><div style='height:3000px'></div>")

    down = await scroll(ground.supervisor, ScrollArguments(amount=300))
    up = await scroll(ground.supervisor, ScrollArguments(direction="up", amount=9000))
    further = await scroll(ground.supervisor, ScrollArguments(direction="up"))

    assert (down.moved, down.y, await ground.value("scrollY")) == (True, 300, 0)
    assert (up.moved, up.y, further.moved) == (True, 0, False)


async def test_over_an_iframe_only_the_iframe_knows(ground: Playground) -> None:
    ground.sites.pages["/long"] = "<!doctype html><body style='height:3000px'>"
    await ground.open(
        f"<body style='margin:0'><iframe name=long src='{ground.sites.remote('/long')}' "
        "style='width:100vw; height:100vh'></iframe>",
        frames=2,
    )

    done = await scroll(ground.supervisor, ScrollArguments(amount=100))

    assert done == Scrolled(moved=None, x=None, y=None, max_x=None, max_y=None)


async def test_a_click_that_waits_for_another_one_takes_the_element_as_it_is_then(ground: Playground) -> None:
    await ground.open(
        "<button onclick='next.disabled = false'>Agree</button><button id=next disabled "
        "onclick='document.title = 1'>Continue</button>"
    )
    refs = [await ground.ref(f'button "{label}"') for label in ("Agree", "Continue")]

    await asyncio.gather(*(clicked(ground, ref) for ref in refs))

    assert await ground.value("document.title") == "1"
