"""An input that opened a dialog has succeeded, is not repeated, and says what is left; on real Chromium."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from supervisor import Config, SupervisorRegistry
from supervisor.tools import Toolbox
from tests.supervisor.tools.conftest import Call, calls
from tests.support.browsers import launched
from tests.support.servers.sites import Sites

pytestmark = pytest.mark.chromium

HINT = "A dialog opened: answer it with browser_dialog; do not repeat the {}."


@pytest.fixture(scope="module")
def site() -> Iterator[Sites]:
    """The pages."""
    with Sites() as sites:
        yield sites


@pytest.fixture(scope="module")
def shared_call() -> Iterator[Call]:
    """Calls of all tools, in one browser."""
    registry = SupervisorRegistry()
    with launched(omnibox=False) as browser:
        config = Config(cdp_url=browser.ws_url, call_timeout_s=20, dialog_storm_limit=1_000)
        yield calls(Toolbox(config, registry=registry, toolsets="all"))
        registry.stop_all()


class Desk:
    """A page, and the tools."""

    def __init__(self, call: Call, site: Sites) -> None:
        self.call = call
        self._site = site

    def open(self, html: str) -> dict[str, str]:
        """Show a page and return the refs of its elements by their names."""
        self._site.pages["/page"] = f"<!doctype html><link rel=icon href=data:,><script>log = []</script>{html}"
        assert self.call("browser_navigate", url=self._site.local("/page"))["success"]
        return dict(re.findall(r'"([^"]+)" \[ref=(e\d+)\]', self.call("browser_snapshot")["page"]))

    def answer(self) -> None:
        """Accept the dialog."""
        assert self.call("browser_dialog", action="accept")["success"]

    def log(self) -> Any:
        """What the page has noted."""
        return self.call("browser_evaluate", expression="log")["value"]


@pytest.fixture
def desk(shared_call: Call, site: Sites) -> Iterator[Desk]:
    """A desk whose dialogs are answered when the test ends."""
    yield Desk(shared_call, site)
    while shared_call("browser_dialog", action="dismiss")["success"]:
        pass


def assert_opened(told: dict[str, Any], what: str, message: str) -> None:
    """It succeeded, and tells its dialog once."""
    (dialog,) = told["pending_dialogs"]
    assert (told["success"], told["opened_dialog"], told["hint"]) == (True, dialog["id"], HINT.format(what))
    assert dialog["message"] == message
    assert json.dumps(told).count(message) == 1


@pytest.mark.parametrize("event", ["onmousedown", "onmouseup", "onclick"])
def test_a_click_that_opens_a_dialog_succeeds_and_happens_once(desk: Desk, event: str) -> None:
    refs = desk.open(f"<button {event}=\"log.push('order'); confirm('sure?')\">Order</button>"
                     "<button onclick=\"log.push('other')\">Other</button>")  # fmt: skip

    told = desk.call("browser_click", ref=refs["Order"])
    desk.answer()
    after = desk.call("browser_click", ref=refs["Other"])

    assert_opened(told, "click", "sure?")
    assert after == {"success": True}
    assert desk.log() == ["order", "other"]


def test_a_click_below_a_dialog_that_was_open_is_refused(desk: Desk) -> None:
    refs = desk.open("<button onclick=\"log.push(1)\">Order</button>")  # fmt: skip
    desk.call("browser_evaluate", expression="setTimeout(() => alert('before'))")
    desk.call("browser_wait", until="dialog")

    told = desk.call("browser_click", ref=refs["Order"])
    desk.answer()

    assert (told["success"], told["error_type"], told["maybe_executed"]) == (False, "BlockedByDialog", False)
    assert told["blocked_by_dialog"] == told["pending_dialogs"][0]["id"]
    assert desk.log() == []


def test_a_dialog_that_opens_before_the_button_goes_down_is_no_click(desk: Desk) -> None:
    refs = desk.open(
        '<button onmouseover="this.onmouseover = null; alert(\'over\')" onclick="log.push(1)">Order</button>'
    )

    told = desk.call("browser_click", ref=refs["Order"])
    desk.answer()
    again = desk.call("browser_click", ref=refs["Order"])

    assert (told["success"], told["error_type"], told["maybe_executed"]) == (False, "BlockedByDialog", False)
    assert (again, desk.log()) == ({"success": True}, [1])


def test_a_key_that_opens_a_dialog_succeeds(desk: Desk) -> None:
    desk.open("<body onkeydown=\"log.push(event.key); alert(`key ${event.key}`)\">")  # fmt: skip

    told = desk.call("browser_press", key="k")
    below = desk.call("browser_press", key="j")
    desk.answer()

    assert_opened(told, "key", "key k")
    assert (below["success"], below["maybe_executed"]) == (False, False)
    assert desk.log() == ["k"]


def test_a_text_whose_input_opens_a_dialog_is_typed(desk: Desk) -> None:
    refs = desk.open("<input aria-label=Name oninput=\"log.push(value); alert('typed in')\">")  # fmt: skip

    told = desk.call("browser_type", ref=refs["Name"], text="Ann")
    desk.answer()

    assert_opened(told, "text", "typed in")
    assert "value" not in told
    assert desk.log() == ["Ann"]


def test_enter_that_opens_a_dialog_succeeds_and_tells_the_value(desk: Desk) -> None:
    refs = desk.open(
        "<form onsubmit=\"event.preventDefault(); log.push(confirm('send?'))\"><input aria-label=Name></form>"
    )

    told = desk.call("browser_type", ref=refs["Name"], text="Ann", submit=True)
    desk.answer()

    assert_opened(told, "text", "send?")
    assert desk.log() == [True]


@pytest.mark.parametrize(
    ("options", "left"),
    [
        ({"submit": True}, "Enter was not pressed"),
        ({"keystrokes": True}, "2 of 3 characters were not typed"),
        ({"keystrokes": True, "submit": True}, "2 of 3 characters were not typed, Enter was not pressed"),
    ],
)
def test_what_a_dialog_left_undone_is_told(desk: Desk, options: dict[str, Any], left: str) -> None:
    refs = desk.open("<input aria-label=Name oninput=\"this.oninput = null; alert('typed in')\">")  # fmt: skip

    told = desk.call("browser_type", ref=refs["Name"], text="Ann", **options)

    assert (told["success"], told["error_type"], told["maybe_executed"]) == (False, "BlockedByDialog", True)
    dialog = told["pending_dialogs"][0]["id"]
    assert told["error"] == (
        f"It opened a dialog (alert, {dialog}) before it was done: {left}. "
        "Answer it with browser_dialog, then do the rest."
    )


def test_a_dialog_that_the_focus_opens_is_before_the_text(desk: Desk) -> None:
    refs = desk.open("<input aria-label=Name onfocus=\"this.onfocus = null; alert('focus')\">")  # fmt: skip

    told = desk.call("browser_type", ref=refs["Name"], text="Ann")
    desk.answer()
    again = desk.call("browser_type", ref=refs["Name"], text="Ann")

    assert (told["success"], told["maybe_executed"]) == (False, False)
    assert (again["success"], again["value"]) == (True, "Ann")


TALL = "<body style='height:9000px'><button style='position:absolute; top:5000px'>Low</button>"
BOXES = """<button id=a style='position:absolute; left:10px; top:10px'>Near</button>
<button id=b style='position:absolute; left:300px; top:200px'>Far</button>"""
CARDS = """<div id=a role=button draggable=true ondragstart="event.dataTransfer.setData('text/plain', 'x')">Near</div>
<button id=b ondragover="event.preventDefault()" style='position:absolute; left:300px; top:200px'>Far</button>"""
DONE = "log.push('done'); alert('now')"


@pytest.mark.parametrize(
    ("html", "tool", "arguments", "what"),
    [
        (f"{TALL}<script>onwheel = () => {{ onwheel = null; {DONE} }}</script>", "scroll", {}, "scrolling"),
        (f"{TALL}<script>onscroll = () => {{ onscroll = null; {DONE} }}</script>", "scroll", {}, "scrolling"),
        (
            f"{TALL}<script>onscroll = () => {{ onscroll = null; {DONE} }}</script>",
            "scroll",
            {"ref": "$Low", "direction": "into_view"},
            "scrolling",
        ),
        (f'<button onmouseover="{DONE}">Menu</button>', "hover", {"ref": "$Menu"}, "movement"),
        (
            f"{BOXES}<script>b.onpointerup = () => {{ {DONE} }}</script>",
            "drag",
            {"ref": "$Near", "to_ref": "$Far"},
            "drag",
        ),
        (f"{CARDS}<script>b.ondrop = () => {{ {DONE} }}</script>", "drag", {"ref": "$Near", "to_ref": "$Far"}, "drag"),
        (
            f'<input type=file aria-label=File onchange="{DONE}">',
            "file",
            {"ref": "$File", "paths": [__file__]},
            "upload",
        ),
        (
            f'<input type=checkbox aria-label=Tick onchange="{DONE}">',
            "fill_form",
            {"fields": [{"ref": "$Tick", "value": "true"}]},
            "values",
        ),
        (
            f'<select aria-label=Pick onchange="{DONE}"><option>A<option>B</select>',
            "fill_form",
            {"fields": [{"ref": "$Pick", "value": "B"}]},
            "values",
        ),
        (
            f'<input type=date aria-label=When onchange="{DONE}">',
            "fill_form",
            {"fields": [{"ref": "$When", "value": "2027-01-31"}]},
            "values",
        ),
        (f'<input aria-label=Name onpaste="{DONE}">', "type", {"ref": "$Name", "text": "Ann", "paste": True}, "text"),
    ],
)
def test_whatever_is_done_and_opens_a_dialog_succeeds(
    desk: Desk, html: str, tool: str, arguments: dict[str, Any], what: str
) -> None:
    refs = desk.open(html)

    told = desk.call(
        f"browser_{tool}", **json.loads(re.sub(r"\$(\w+)", lambda name: refs[name[1]], json.dumps(arguments)))
    )
    desk.answer()

    assert_opened(told, what, "now")
    assert desk.log() == ["done"]


def test_a_drag_that_a_dialog_cuts_short_says_so(desk: Desk) -> None:
    refs = desk.open(f"{BOXES}<script>a.onpointerdown = () => {{ log.push('down'); alert('now') }}</script>")

    told = desk.call("browser_drag", ref=refs["Near"], to_ref=refs["Far"])

    dialog = told["pending_dialogs"][0]["id"]
    assert (told["success"], told["maybe_executed"]) == (False, True)
    assert told["error"] == (
        f"It opened a dialog (alert, {dialog}) before it was done: nothing was dropped. "
        "Answer it with browser_dialog, then do the rest."
    )


def test_without_the_tool_that_answers_it_is_not_named(site: Sites) -> None:
    registry = SupervisorRegistry()
    with launched(omnibox=False) as browser:
        box = Toolbox(Config(cdp_url=browser.ws_url), registry=registry, disabled=["browser_dialog"])
        told = Desk(calls(box), site).open("<button onclick=alert(1)>Ask</button>")
        clicked = calls(box)("browser_click", ref=told["Ask"])
        registry.stop_all()

    assert clicked["hint"] == "A dialog opened: do not repeat the click."


def test_the_next_dialog_is_in_the_result_of_the_answer_to_the_one_before(desk: Desk) -> None:
    refs = desk.open("<button onclick='alert(1); alert(2); log.push(3)'>Twice</button>")
    first = desk.call("browser_click", ref=refs["Twice"])

    second = desk.call("browser_dialog", action="accept")
    last = desk.call("browser_dialog", action="accept")

    assert [dialog["message"] for dialog in first["pending_dialogs"]] == ["1"]
    assert [dialog["message"] for dialog in second["pending_dialogs"]] == ["2"]
    assert second["opened_dialog"] == second["pending_dialogs"][0]["id"]
    assert "pending_dialogs" not in last
    assert desk.log() == [3]


def test_what_an_answer_sets_off_is_in_its_result(desk: Desk) -> None:
    refs = desk.open("<button onclick=\"if (confirm('Leave?')) location = '/page?2'\">Go</button>")
    desk.call("browser_click", ref=refs["Go"])

    assert desk.call("browser_dialog", action="accept")["loading"] is True
