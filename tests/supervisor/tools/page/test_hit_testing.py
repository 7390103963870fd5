"""What covers an element, what does not, and what is disabled, on real Chromium."""

from __future__ import annotations

import re

import pytest

from supervisor.tools.actions.drag import DragArguments, drag
from supervisor.tools.actions.mouse import HoverArguments, hover
from supervisor.tools.page.element_errors import Covered, Disabled, NotShown
from tests.supervisor.tools.acts import clicked
from tests.support.stages.playground import Playground

COMPONENT = """<my-button>It</my-button><script>
customElements.define('my-button', class extends HTMLElement {
    connectedCallback() {
        const root = this.attachShadow({mode: '%s'});
        root.innerHTML = '<button part=base><span><slot></slot></span></button>';
        root.querySelector('button').onclick = event => { window.hit = event.isTrusted; };
    }
});</script>"""


ICON = "#it::%s { content: ''; position: absolute; inset: 0 } #it { position: relative } "
PARTS = (
    f"<style>{ICON % 'before'}</style><button id=it aria-label=It>Delete</button>",
    f"<style>{ICON % 'after'}</style><a id=it href=#it aria-label=It><i>icon</i></a>",
    "<style>i::before { content: 'xxx'; font-size: 40px }</style><button id=it aria-label=It><i></i></button>",
    "<style>li::marker { content: 'marker' } li { list-style-position: inside }</style>"
    "<ul><li id=it role=button aria-label=It></ul>",
    "<style>input::placeholder { color: red; font-size: 40px }</style><input id=it aria-label=It placeholder=Place>",
    "<input type=file id=it aria-label=It>",
)


@pytest.mark.parametrize("html", PARTS)
async def test_what_a_style_draws_in_an_element_is_no_cover(ground: Playground, html: str) -> None:
    await ground.open(
        f"{html}<p draggable=true aria-label=Other ondragstart='0'>Other</p><script>seen = [];"
        "for (const type of ['mouseover', 'click']) it.addEventListener(type, () => seen.push(type));"
        "it.addEventListener('click', event => event.preventDefault());</script>"
    )
    ref = await ground.ref('"It')

    await hover(ground.supervisor, HoverArguments(ref=ref))
    done = await clicked(ground, ref)
    await drag(ground.supervisor, DragArguments(ref=ref, to_ref=await ground.ref('"Other')))

    assert (await ground.value("seen"))[:2] == ["mouseover", "click"]
    assert done.hint == ""


LIST = """<label for=it>It</label><div id=box style="position: relative; width: 200px; height: 24px"><input id=it
aria-haspopup=listbox role=combobox style="position: absolute; inset: 0; z-index: -1; {style}" {more}>
<div style="position: absolute; inset: 0">{inner}</div></div><script>box.onmousedown = () => window.hit = 'open';
for (const part of box.querySelectorAll('b')) part.onmousedown = event => event.stopPropagation();</script>"""


async def check_click(ground: Playground, ref: str, *, is_open: bool) -> None:
    """Click, and check that the page heard of it, or that the click was refused and the page heard nothing."""
    if is_open:
        assert (await clicked(ground, ref)).hint == ""
    else:
        with pytest.raises(Covered):
            await clicked(ground, ref)

    assert await ground.value("window.hit ?? ''") == ("open" if is_open else "")


@pytest.mark.parametrize(
    ("style", "more", "inner", "is_open"),
    [
        ("opacity: 0", "", "", True),
        ("opacity: 0", "", "<i>Basil</i>", True),
        ("", "readonly", "<i>Basil</i>", True),
        ("", "", "<i>Basil</i>", False),
        ("opacity: 0", "", "<b role=button style='position: absolute; inset: 0'>Remove Basil</b>", False),
    ],
)
async def test_what_a_page_draws_in_the_place_of_a_list_is_pressed_for_it(
    ground: Playground, style: str, more: str, inner: str, is_open: bool
) -> None:
    await ground.open(LIST.format(style=style, more=more, inner=inner))
    await check_click(ground, await ground.ref('combobox "It"'), is_open=is_open)


@pytest.mark.parametrize(
    ("around", "field", "more", "is_open"),
    [
        ("position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0 0 0 0)", "", "", True),
        ("", "position: absolute; width: 1px; height: 1px; padding: 0; border: 0; clip-path: inset(50%)", "", True),
        ("position: absolute; width: 1px; height: 1px; overflow: hidden", "", "<input aria-label=Other>", False),
    ],
    ids=["around", "itself", "another field"],
)
async def test_what_is_drawn_around_a_clipped_field_is_pressed_for_it(
    ground: Playground, around: str, field: str, more: str, is_open: bool
) -> None:
    await ground.open(
        f"<div id=box style='position: relative; width: 200px; height: 40px'><div style='{around}'>"
        f"<input aria-label=City readonly style='{field}'></div><span>Choose a city</span>{more}</div>"
        "<script>box.onmousedown = () => window.hit = 'open'</script>"
    )
    await check_click(ground, await ground.ref('textbox "City"'), is_open=is_open)


@pytest.mark.parametrize("cell", ["<p role=checkbox>Rome</p>", "<a href='#x'>Rome</a>", "<p><button>Rome</button></p>"])
async def test_a_text_for_a_canvas_names_the_canvas(ground: Playground, cell: str) -> None:
    await ground.open(f"<canvas tabindex=0 aria-label=Cities width=300 height=60>{cell}</canvas>")

    with pytest.raises(NotShown) as caught:
        await clicked(ground, '"Rome"')

    assert caught.value.canvas == await ground.ref('"Cities"')
    assert "click the canvas at a place" in str(caught.value)


DIALOGS = {
    "a backdrop": "<dialog id=d aria-label=Cookies><button>Yes</button></dialog><style>"
    "dialog::backdrop { background: red }</style><script>d.showModal()</script>",
    "a box": "<div role=dialog aria-label=Cookies style='position:fixed; inset:0'><p><i>Yes?</i></p>"
    "<button onclick='this.parentNode.remove()'>Close</button></div>",
}


@pytest.mark.parametrize("html", DIALOGS.values(), ids=DIALOGS)
async def test_a_dialog_that_covers_an_element_is_named_as_the_snapshot_shows_it(ground: Playground, html: str) -> None:
    await ground.open("<button>Below</button><p id=over></p>")
    ref = await ground.ref('button "Below"')
    await ground.value(f"over.append(document.createRange().createContextualFragment({html!r}))")

    with pytest.raises(Covered) as caught:
        await clicked(ground, ref)

    assert caught.value.role == "dialog"
    assert f'dialog "Cookies" [ref={caught.value.cover}]' in await ground.text()


CAROUSEL = """<style>
#it { overflow: auto; width: 300px; display: flex; scroll-marker-group: after } #it > div { flex: none; width: 280px }
#it::scroll-button(right) { content: '>' / 'Next' }
#it > div::scroll-marker { content: 'o' / 'Go'; width: 20px; height: 20px } #it::scroll-marker-group { display: flex }
</style><div id=it><div>One</div><div>Two</div><div>Three</div></div>"""


@pytest.mark.parametrize("label", ['button "Next"', '"Go"'])
async def test_the_buttons_that_a_style_makes_scroll(ground: Playground, label: str) -> None:
    await ground.open(CAROUSEL)
    if not await ground.value("CSS.supports('scroll-marker-group', 'after')"):
        pytest.skip("a browser that draws no such buttons")
    await ground.value("it.scrollLeft = 20")

    done = await clicked(ground, label)
    await ground.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")

    assert done.hint == ""
    assert await ground.value("it.scrollLeft") != 20


async def test_the_parts_of_a_native_control_can_be_clicked(ground: Playground) -> None:
    await ground.open("<input type=date aria-label=Day><video controls width=300 height=150></video>")

    await clicked(ground, 'spinbutton "Month')
    await ground.supervisor.evaluate("window.part = document.activeElement.type")
    await clicked(ground, "Video")

    assert await ground.value("window.part") == "date"


@pytest.mark.parametrize("edge", ["top", "bottom"])
async def test_an_element_comes_out_from_under_a_sticky_bar(ground: Playground, edge: str) -> None:
    await ground.open(
        "<body style='margin:0'><div style='height:3000px'></div><button onclick='window.hit = 1'>Far</button>"
        "<div style='height:3000px'></div>"
        f"<div style='position:fixed; {edge}:0; left:0; right:0; height:200px; background:red'>Bar</div>"
    )
    await ground.value(
        "scrollTo(0, %s)"
        % ("2990" if edge == "top" else "document.querySelector('button').offsetTop - innerHeight + 50")
    )

    await clicked(ground, 'button "Far"')

    assert await ground.value("window.hit") == 1


DISABLED = (
    "<button disabled>No</button>",
    "<fieldset disabled><button>No</button></fieldset>",
    "<button aria-disabled=true>No</button>",
    "<div role=toolbar aria-disabled=true><button>No</button></div>",
)


@pytest.mark.parametrize("html", DISABLED)
async def test_what_is_disabled_is_not_clicked(ground: Playground, html: str) -> None:
    await ground.open(f"<body onclick='window.hit = 1'>{html}")

    with pytest.raises(Disabled, match="it is disabled"):
        await clicked(ground, 'button "No"')

    assert await ground.value("window.hit") is None


async def test_a_button_that_slides_in_is_clicked_where_it_comes_to_rest(ground: Playground) -> None:
    """At the end of its animation it is back where it was: who clicked before that would hit nothing."""
    await ground.open(
        "<style>@keyframes slide { from { transform: none } to { transform: translateX(300px) } }"
        "button { animation: slide .6s ease-out }</style><button onclick='window.hit = 1'>Slide</button>"
    )

    done = await clicked(ground, 'button "Slide"')

    assert await ground.value("window.hit") == 1
    assert done.x < 100


OVER = (
    "<button id=it><span style='pointer-events: none'>Text</span></button>",
    "<a href=#x id=it><b style='pointer-events: none'><i>Text</i></b></a>",
    "<main>Head<div style='position: relative; width: 200px; height: 100px'><canvas id=it aria-label=Text width=200"
    " height=100></canvas><div id=over style='position: absolute; inset: 0; overflow: auto'><div></div></div></div>",
)


@pytest.mark.parametrize("html", OVER)
async def test_what_lets_the_mouse_through_or_is_empty_is_no_cover(ground: Playground, html: str) -> None:
    await ground.open(f"{html}<script>addEventListener('click', event => hit = event.target.id)</script>")
    refs = re.findall(r'"Text" \[ref=(e\d+)', await ground.text(find="Text"))

    done = await clicked(ground, refs[-1])

    assert await ground.value("hit") in ("it", "over")
    assert done.hint == ""


@pytest.mark.parametrize("style", ["background: red", "position: fixed"])
async def test_what_is_around_an_element_is_not_named_as_its_cover(ground: Playground, style: str) -> None:
    await ground.open(
        "<main>Head<div style='width: 200px; height: 100px'><canvas aria-label=Chart></canvas>"
        f"<div style='position: absolute; inset: 0; {style}'></div></div></main>"
    )

    with pytest.raises(Covered) as caught:
        await clicked(ground, '"Chart"')

    assert caught.value.role == "element"
    assert f"main [ref={caught.value.cover}]" not in await ground.text()


async def test_an_element_that_lets_the_mouse_through_cannot_be_clicked(ground: Playground) -> None:
    await ground.open(
        "<div tabindex=0 onclick='window.hit = 1'><button style='pointer-events: none'>Off</button></div>"
    )

    with pytest.raises(Covered):
        await clicked(ground, 'button "Off"')

    assert await ground.value("window.hit") is None


BANNER = "position: fixed; left: 0; right: 0; height: 60%; background: gold"
LONG = "<div style='height: 3000px'></div>"
IT = "<button id=it onclick='window.hit = true'>It</button>"
BEHIND = {
    "a banner at the top": f"<div style='{BANNER}; top: 0'>Cookies</div>{LONG}{IT}{LONG}",
    "a banner at the bottom": f"<div style='{BANNER}; bottom: 0'>Cookies</div>{LONG}{IT}{LONG}",
    "a sticky head in a small box": f"""<div style="height: 70px; overflow: auto"><p style="position: sticky; top: 0;
        height: 45px; margin: 0; background: gold">Head</p>{LONG}{IT}{LONG}</div>""",
    "a sticky foot in a small box": f"""<div style="height: 70px; overflow: auto">{LONG}{IT}{LONG}
        <p style="height: 45px; position: sticky; bottom: 0; margin: 0; background: gold">Foot</p></div>""",
    "a sticky column": f"""<div style="width: 300px; overflow: auto; white-space: nowrap"><p style="position: sticky;
        left: 0; width: 200px; display: inline-block; background: gold">Name</p><span style="margin: 0 900px">{IT}
        </span></div>""",
    "a banner and a sticky head": f"""<div style='{BANNER}; bottom: 0'>Cookies</div>{LONG}<div style="height: 70px;
        overflow: auto"><p style="position: sticky; top: 0; height: 45px; margin: 0; background: gold">Head</p>{LONG}
        {IT}{LONG}</div>{LONG}""",
}


NO_COVERS = {
    "the text in an open slot": COMPONENT % "open",
    "the text in a closed slot": COMPONENT % "closed",
    "a spinner that goes away": f"{IT}<div id=spinner style='position:fixed; inset:0'></div><script>"
    "addEventListener('mousemove', () => 0); setTimeout(() => spinner.remove(), 400)</script>",
}


@pytest.mark.parametrize("html", [*BEHIND.values(), *NO_COVERS.values()], ids=[*BEHIND, *NO_COVERS])
async def test_a_cover_in_one_place_or_for_a_moment_is_avoided(ground: Playground, html: str) -> None:
    await ground.open(html)

    done = await clicked(ground, 'button "It"')

    assert (done.hint, await ground.value("window.hit")) == ("", True)


@pytest.mark.parametrize("side", ["top", "bottom"])
@pytest.mark.parametrize(
    ("inner", "frames"),
    [
        ("src='{remote}/inner'", 2),
        ("src='{local}/inner'", 2),
        ("src='{local}/inner' sandbox='allow-scripts'", 2),
        ("src='{local}/between'", 3),
        ("src='{local}/between-sites'", 3),
    ],
    ids=["another site", "the same site", "a sandbox", "two of the same site", "another site in the same site"],
)
async def test_an_iframe_is_scrolled_away_from_a_banner(ground: Playground, inner: str, frames: int, side: str) -> None:
    sites = {"remote": ground.sites.remote(""), "local": ground.sites.local("")}
    ground.sites.pages |= {
        "/inner": f"<!doctype html>{IT}",
        "/between": "<!doctype html><p>Between</p><iframe src=/inner></iframe>",
        "/between-sites": f"<!doctype html><p>Between</p><iframe src='{sites['remote']}/inner'></iframe>",
    }
    frame = f"<iframe {inner.format_map(sites)} style='height: 120px'></iframe>"
    await ground.open(f"<div style='{BANNER}; {side}: 0'>Cookies</div>{LONG}{frame}{LONG}", frames=frames)

    done = await clicked(ground, 'button "It"')

    assert done.hint == ""


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("around", ["", "{remote}/between"], ids=["one process above", "two processes above"])
async def test_an_iframe_is_scrolled_into_the_box_that_clips_it(ground: Playground, around: str, force: bool) -> None:
    ground.sites.pages["/inner"] = f"<!doctype html>{IT}"
    clipped = (
        "<div style='height: 90px; overflow: auto; border: 1px solid'><p style='height: 150px'>Above</p>"
        "<iframe src='{site}/inner'></iframe></div>"
    )
    ground.sites.pages["/between"] = "<!doctype html>" + clipped.format(site=ground.sites.local(""))
    outer = f"<iframe src='{ground.sites.remote('/between')}' height=500></iframe>"
    await ground.open(outer if around else clipped.format(site=ground.sites.remote("")), frames=3 if around else 2)

    await clicked(ground, 'button "It"', force=force)

    inner = next(frame for frame in ground.supervisor.frames() if frame.url.endswith("/inner"))
    assert await ground.value("window.hit", inner.frame_id) is True


async def test_what_is_covered_everywhere_is_refused(ground: Playground) -> None:
    await ground.open(f"<div style='{BANNER}; top: 0; height: 100%'>All</div>{LONG}{IT}{LONG}")

    with pytest.raises(Covered):
        await clicked(ground, 'button "It"')
