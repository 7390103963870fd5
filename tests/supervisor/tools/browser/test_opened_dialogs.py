"""An input that opened a dialog has succeeded, is not repeated, and says what is left; on real Chromium."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from supervisor import Config, SupervisorRegistry
from supervisor.tools import Toolbox
from tests.supervisor.tools.conftest import calls
from tests.supervisor.tools.desk import Desk
from tests.support.browsers import launched

HINT = "A dialog opened: answer it with browser_dialog; do not repeat the {}."


@pytest.fixture(autouse=True)
def answered(desk: Desk) -> Iterator[None]:
    """Each test leaves a page without a dialog."""
    yield
    while desk.call("browser_dialog", action="dismiss")["success"]:
        pass


def assert_opened(told: dict[str, Any], what: str, message: str) -> None:
    """It succeeded, and tells its dialog once."""
    (dialog,) = told["pending_dialogs"]
    assert (told["success"], told["opened_dialog"], told["hint"]) == (True, dialog["id"], HINT.format(what))
    assert dialog["message"] == message
    assert json.dumps(told).count(message) == 1


@pytest.mark.parametrize("event", ["onmousedown", "onmouseup", "onclick"])
def test_a_click_that_opens_a_dialog_succeeds_and_happens_once(desk: Desk, event: str) -> None:
    refs = desk.refs(f"<button {event}=\"log.push('order'); confirm('sure?')\">Order</button>"
                     "<button onclick=\"log.push('other')\">Other</button>")  # fmt: skip

    told = desk.call("browser_click", ref=refs["Order"])
    desk.accept()
    after = desk.call("browser_click", ref=refs["Other"])

    assert_opened(told, "click", "sure?")
    assert after == {"success": True}
    assert desk.log() == ["order", "other"]


def test_a_click_below_a_dialog_that_was_open_is_refused(desk: Desk) -> None:
    refs = desk.refs("<button onclick=\"log.push(1)\">Order</button>")  # fmt: skip
    desk.call("browser_evaluate", expression="setTimeout(() => alert('before'))")
    desk.call("browser_wait", until="dialog")

    told = desk.call("browser_click", ref=refs["Order"])
    desk.accept()

    assert (told["success"], told["error_type"], told["maybe_executed"]) == (False, "BlockedByDialog", False)
    assert told["blocked_by_dialog"] == told["pending_dialogs"][0]["id"]
    assert desk.log() == []


def test_a_dialog_that_opens_before_the_button_goes_down_is_no_click(desk: Desk) -> None:
    refs = desk.refs(
        '<button onmouseover="this.onmouseover = null; alert(\'over\')" onclick="log.push(1)">Order</button>'
    )

    told = desk.call("browser_click", ref=refs["Order"])
    desk.accept()
    again = desk.call("browser_click", ref=refs["Order"])

    assert (told["success"], told["error_type"], told["maybe_executed"]) == (False, "BlockedByDialog", False)
    assert (again, desk.log()) == ({"success": True}, [1])


def test_a_key_that_opens_a_dialog_succeeds(desk: Desk) -> None:
    desk.refs("<body onkeydown=\"log.push(event.key); alert(`key ${event.key}`)\">")  # fmt: skip

    told = desk.call("browser_press", key="k")
    below = desk.call("browser_press", key="j")
    desk.accept()

    assert_opened(told, "key", "key k")
    assert (below["success"], below["maybe_executed"]) == (False, False)
    assert desk.log() == ["k"]


def test_a_text_whose_input_opens_a_dialog_is_typed(desk: Desk) -> None:
    refs = desk.refs("<input aria-label=Name oninput=\"log.push(value); alert('typed in')\">")  # fmt: skip

    told = desk.call("browser_type", ref=refs["Name"], text="Ann")
    desk.accept()

    assert_opened(told, "text", "typed in")
    assert "value" not in told
    assert desk.log() == ["Ann"]


def test_a_dialog_that_the_focus_opens_is_before_the_text(desk: Desk) -> None:
    refs = desk.refs("<input aria-label=Name onfocus=\"this.onfocus = null; alert('focus')\">")  # fmt: skip

    told = desk.call("browser_type", ref=refs["Name"], text="Ann")
    desk.accept()
    again = desk.call("browser_type", ref=refs["Name"], text="Ann")

    assert (told["success"], told["maybe_executed"]) == (False, False)
    assert (again["success"], again["value"]) == (True, "Ann")


TALL = "<body style='height:9000px'><button style='position:absolute; top:5000px'>Low</button>"


def act(desk: Desk, html: str, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Show a page and call a tool, with refs in the place of `$name`."""
    refs = desk.refs(html)
    given = json.loads(re.sub(r"\$(\w+)", lambda name: refs[name[1]], json.dumps(arguments)))
    return desk.call(f"browser_{tool}", **given)


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
        (
            f'<form onsubmit="event.preventDefault(); {DONE}"><input aria-label=Name></form>',
            "type",
            {"ref": "$Name", "text": "Ann", "submit": True},
            "text",
        ),
    ],
)
def test_whatever_is_done_and_opens_a_dialog_succeeds(
    desk: Desk, html: str, tool: str, arguments: dict[str, Any], what: str
) -> None:
    told = act(desk, html, tool, arguments)
    desk.accept()

    assert_opened(told, what, "now")
    assert desk.log() == ["done"]


ONCE = "<input aria-label=Name oninput=\"this.oninput = null; alert('typed in')\">"
HELD = f"{BOXES}<script>a.onpointerdown = () => {{ log.push('down'); alert('now') }}</script>"
UNTYPED, NO_ENTER = "2 of 3 characters were not typed", "Enter was not pressed"
ANN = {"ref": "$Name", "text": "Ann"}


@pytest.mark.parametrize(
    ("html", "tool", "arguments", "left"),
    [
        (ONCE, "type", {**ANN, "submit": True}, NO_ENTER),
        (ONCE, "type", {**ANN, "keystrokes": True}, UNTYPED),
        (ONCE, "type", {**ANN, "keystrokes": True, "submit": True}, f"{UNTYPED}, {NO_ENTER}"),
        (HELD, "drag", {"ref": "$Near", "to_ref": "$Far"}, "nothing was dropped"),
    ],
)
def test_what_a_dialog_left_undone_is_told(
    desk: Desk, html: str, tool: str, arguments: dict[str, Any], left: str
) -> None:
    told = act(desk, html, tool, arguments)

    assert (told["success"], told["error_type"], told["maybe_executed"]) == (False, "BlockedByDialog", True)
    assert told["error"] == (
        f"It opened a dialog (alert, {told['pending_dialogs'][0]['id']}) before it was done: {left}. "
        "Answer it with browser_dialog, then do the rest."
    )


def test_without_the_tool_that_answers_it_is_not_named() -> None:
    registry = SupervisorRegistry()
    with launched(omnibox=False) as browser:
        call = calls(Toolbox(Config(cdp_url=browser.ws_url), registry=registry, disabled=["browser_dialog"]))
        call("browser_navigate", url="data:text/html,<button onclick=alert(1)>Ask</button>")
        clicked = call("browser_click", ref="Ask")
        registry.stop_all()

    assert clicked["hint"] == "A dialog opened: do not repeat the click."


def test_the_next_dialog_is_in_the_result_of_the_answer_to_the_one_before(desk: Desk) -> None:
    refs = desk.refs("<button onclick='alert(1); alert(2); log.push(3)'>Twice</button>")
    first = desk.call("browser_click", ref=refs["Twice"])

    second = desk.call("browser_dialog", action="accept")
    last = desk.call("browser_dialog", action="accept")

    assert [dialog["message"] for dialog in first["pending_dialogs"]] == ["1"]
    assert [dialog["message"] for dialog in second["pending_dialogs"]] == ["2"]
    assert second["opened_dialog"] == second["pending_dialogs"][0]["id"]
    assert "pending_dialogs" not in last
    assert desk.log() == [3]


def test_what_an_answer_sets_off_is_in_its_result(desk: Desk) -> None:
    refs = desk.refs("<button onclick=\"if (confirm('Leave?')) location = '/page?2'\">Go</button>")
    desk.call("browser_click", ref=refs["Go"])

    assert desk.call("browser_dialog", action="accept")["loading"] is True
