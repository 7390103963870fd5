"""The tools that touch the page as an agent calls them: arguments in, JSON out, on real Chromium."""

from __future__ import annotations

import re
import time

import pytest

from supervisor import SupervisorRegistry
from supervisor.tools.framework.base_toolbox import BaseToolbox
from tests.supervisor.tools.conftest import MakeBox, calls
from tests.support.browsers import launched
from tests.support.servers.sites import Sites, iframe
from tests.support.stages.stages import Stage


@pytest.fixture
def box(endpoint: str, sites: Sites, make_box: MakeBox) -> BaseToolbox:
    """A toolbox for the worker's Chromium."""
    return make_box(Stage("chromium", endpoint, sites.local(""), sites.remote("")))


FORM = """<!doctype html><title>Form</title><link rel=icon href=data:,><input aria-label=Name>
<button onclick="if (confirm('Send ' + document.querySelector('input').value + '?')) document.title = 'Sent'">Send
</button>"""


def test_an_agent_fills_in_a_form_in_an_iframe_and_meets_its_dialog(box: BaseToolbox, sites: Sites) -> None:
    sites.pages.update(
        {"/form": FORM, "/top": f"<!doctype html><link rel=icon href=data:,>{iframe(sites.remote('/form'))}"}
    )
    call = calls(box)
    call("browser_navigate", url=sites.local("/top"))
    call("browser_wait", until="load")
    seen = call("browser_snapshot", interactive_only=True)
    refs = dict(re.findall(r'(textbox|button) "\w+" \[ref=(e\d+)\]', seen["page"]))

    typed = call("browser_type", ref=refs["textbox"], text="Ann")
    clicked = call("browser_click", ref=refs["button"])
    below = call("browser_click", ref=refs["button"])
    answered = call("browser_dialog", action="accept")
    after = call("browser_click", ref="e0")

    assert "page" in seen["untrusted"]
    assert (typed["success"], typed["value"], typed["untrusted"]) == (True, "Ann", ["value"])
    (dialog,) = clicked["pending_dialogs"]
    assert (clicked["success"], clicked["opened_dialog"], dialog["message"]) == (True, dialog["id"], "Send Ann?")
    assert clicked["hint"] == "A dialog opened: answer it with browser_dialog; do not repeat the click."
    assert (below["error_type"], below["maybe_executed"]) == ("BlockedByDialog", False)
    assert answered["success"] is True
    assert (after["error_type"], after["maybe_executed"]) == ("UnknownRef", False)


def test_what_a_model_reads_is_short(box: BaseToolbox, sites: Sites) -> None:
    """A page with one button, a click of which nothing comes, and one that opens a dialog."""
    sites.pages["/one"] = (
        "<!doctype html><link rel=icon href=data:,><title>One</title><button>Press</button><button onclick=alert(1)>Ask"
    )

    def read(name: str, **arguments: object) -> str:
        return box.as_text(name, box.dispatch(name, arguments))

    texts = [read("browser_navigate", url=sites.local("/one")), read("browser_snapshot")]
    press, ask = re.findall(r"ref=(e\d+)", texts[1])
    texts += [read("browser_click", ref=press), read("browser_click", ref=ask), read("browser_dialog", action="accept")]

    here = f'"One" {sites.local("/one")}'
    assert texts == [
        here,
        f'{here}\nbutton "Press" [ref={press}]\nbutton "Ask" [ref={ask}]',
        "ok",
        'A dialog opened: answer it with browser_dialog; do not repeat the click.\ndialog d-1 alert "1"',
        "d-1 accepted",
    ]


def test_a_call_shows_the_page_that_came_of_it(box: BaseToolbox, sites: Sites) -> None:
    icon = "<!doctype html><link rel=icon href=data:,>"
    sites.pages["/list"] = (
        f"{icon}<title>List</title><ul id=list><li>Tea</ul>"
        "<button onclick=\"list.innerHTML += '<li>Cake'\">More</button><a href=/next>Next</a>"
    )
    sites.pages["/next"] = f"{icon}<title>Next</title><h1>There</h1>"
    call = calls(box)
    first = call("browser_navigate", url=sites.local("/list"), snapshot=True)
    refs = dict(re.findall(r'"(\w+)" \[ref=(e\d+)\]', first["page"]))
    more = call("browser_click", ref=refs["More"], snapshot=True)
    nothing = call("browser_press", key="Shift", snapshot=True)
    followed = call("browser_click", ref=refs["Next"], snapshot=True)

    assert first["page"].startswith('list\n "Tea"\nbutton "More"')
    assert ('"Cake"' in more["page"], '"Tea"' in more["page"]) == (True, False)
    assert nothing["page"] == "nothing changed"
    assert (followed["title"], followed["url"]) == ("Next", sites.local("/next"))
    assert (followed["page"], followed.get("loading")) == ('heading "There" [level=1]', None)


SHOP = """<!doctype html><title>Shop</title><link rel=icon href=data:,><style>
#sub { display: none; position: absolute; right: 0 } nav:hover #sub { display: block }
div { width: 90px; border: 1px solid; padding: 9px; margin: 9px }</style>
<nav><button>Menu</button><p id=sub>Lamps</p></nav><input aria-label=Name oninput="say('Hello ' + value)">
<p id=hello></p><div id=milk draggable=true role=img aria-label=Milk></div><div id=cart role=img aria-label=Cart></div>
<button onclick="if (confirm('Sure?')) { say('Sold'); setTimeout(() => say('Sold out'), 300) }">Buy</button>
<script>const say = text => { hello.textContent = text };
milk.ondragstart = event => event.dataTransfer.setData('text/plain', 'milk');
cart.ondragover = event => event.preventDefault(); cart.ondrop = () => say('Dropped');</script>"""


def test_every_tool_that_changes_the_page_shows_it_in_the_same_call(box: BaseToolbox, sites: Sites) -> None:
    sites.pages["/shop"] = SHOP
    sites.pages["/next"] = "<!doctype html><link rel=icon href=data:,><title>Next</title><h1>There</h1>"
    call = calls(box)
    page = call("browser_navigate", url=sites.local("/shop"), snapshot=True)["page"]
    refs = dict(re.findall(r'"(\w+)" \[ref=(e\d+)\]', page))
    (shop,) = call("browser_tabs")["tabs"]
    hovered = call("browser_hover", ref=refs["Menu"], snapshot=True)
    filled = call("browser_fill_form", fields=[{"ref": refs["Name"], "value": "Ann"}], snapshot=True)
    dragged = call("browser_drag", ref=refs["Milk"], to_ref=refs["Cart"], snapshot=True)
    call("browser_click", ref=refs["Buy"])
    answered = call("browser_dialog", action="accept", snapshot=True)
    waited = call("browser_wait", until="text", value="Sold out", snapshot=True)
    opened = call("browser_tabs", action="open", url=sites.local("/next"), snapshot=True)
    selected = call("browser_tabs", action="select", target_id=shop["target_id"], snapshot=True)
    call("browser_navigate", url=sites.local("/next"))
    back = call("browser_back", snapshot=True)

    changed = [hovered, filled, dragged, answered]
    for result, text in zip(changed, ("Lamps", "Hello Ann", "Dropped", "Sold out"), strict=True):
        assert f'"{text}"' in result["page"]
        assert '"Cart"' not in result["page"]
    assert opened["page"] == 'heading "There" [level=1]'
    assert waited["page"] == "nothing changed"  # the answer to the dialog has told it
    for result in (selected, back):
        assert f'button "Buy" [ref={refs["Buy"]}]' in result["page"] or result is back
        assert 'button "Menu"' in result["page"]
    assert '"Sold out"' in selected["page"]


@pytest.mark.parametrize("shared_stage", ["chromium"], indirect=True)
def test_scrolling_shows_what_the_page_added(stage: Stage, make_box: MakeBox) -> None:
    """A list that grows when it is scrolled."""
    call = calls(make_box(stage))
    script = "addEventListener('scroll', () => document.body.append('More rows'), { once: true })"
    call("browser_navigate", url=f"data:text/html,<p>First<div style='height:3000px'></div><script>{script}</script>")
    call("browser_snapshot")
    scrolled = call("browser_scroll", snapshot=True)

    assert (scrolled["moved"], scrolled["page"]) == (True, '"More rows"')


BUSY = """<!doctype html><link rel=icon href=data:,><title>Busy</title><button onclick='while (true);'>Go</button>
<a onkeydown='while (true);' tabindex=0>Key</a>"""


@pytest.mark.parametrize(
    ("tool", "arguments"), [("browser_click", {"ref": "Go"}), ("browser_press", {"key": "a", "ref": "Key"})]
)
def test_an_input_whose_handler_never_ends_returns_in_time_and_the_page_can_be_left(
    registry: SupervisorRegistry,
    sites: Sites,
    make_box: MakeBox,
    monkeypatch: pytest.MonkeyPatch,
    tool: str,
    arguments: dict[str, str],
) -> None:
    monkeypatch.setattr("supervisor.tools.actions.input_effects.INPUT_S", 5.0)
    sites.pages.update({"/busy": BUSY, "/next": "<!doctype html><link rel=icon href=data:,><title>Next</title>"})
    with launched(omnibox=False) as browser:
        call = calls(make_box(Stage("chromium", browser.ws_url, sites.local(""), sites.remote(""))))
        call("browser_navigate", url=sites.local("/busy"))
        began = time.monotonic()
        done = call(tool, **arguments)
        taken_s = time.monotonic() - began
        left = call("browser_navigate", url=sites.local("/next"))
        left_s = time.monotonic() - began - taken_s
        registry.stop_all()

    assert (done["error_type"], done["maybe_executed"]) == ("CallTimeout", True)
    assert taken_s < 25, "as long as the deadline of any call"
    assert left_s < 25, "the script that never ends holds the next document up"
    assert (left["success"], left["title"]) == (True, "Next")


GOES = "<!doctype html><link rel=icon href=data:,><label>Name <input {}='top.done += 1; frameElement.remove()'></label>"


@pytest.mark.parametrize(
    ("tool", "event"),
    [
        ("browser_type", "oninput"),
        ("browser_type", "onkeydown"),
        ("browser_type", "onkeyup"),
        ("browser_fill_form", "oninput"),
        ("browser_fill_form", "onkeyup"),
    ],
)
def test_a_field_whose_frame_goes_may_have_got_it(box: BaseToolbox, sites: Sites, tool: str, event: str) -> None:
    sites.pages["/goes"] = GOES.format(event)
    sites.pages["/around"] = f"<!doctype html><link rel=icon href=data:,><script>done = 0</script>{iframe('/goes')}"
    call = calls(box)
    call("browser_navigate", url=sites.local("/around"))
    call("browser_wait", until="load")
    field = {"ref": 'textbox "Name"', "value": "Ann"}
    given = {"ref": field["ref"], "text": "Ann", "keystrokes": True} if tool == "browser_type" else {"fields": [field]}
    told = call(tool, **given)
    done = call("browser_evaluate", expression="done")["value"]

    assert (done, told["success"] or told["maybe_executed"]) == (1, True), told
    assert "nothing was" not in told.get("error", "")
