"""Tools on pages whose fields, images and forms have the names of all members of the DOM, on real Chromium."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_typed.wire.json_text import is_array, is_object
from tests.supervisor.tools.conftest import Call, Tools
from tests.support.servers.sites import Sites

MEMBERS = """(() => {
    const above = kind => kind && kind !== Object.prototype
        ? [...Object.getOwnPropertyNames(kind), ...above(Object.getPrototypeOf(kind))] : [];
    return [...new Set([...above(HTMLFormElement.prototype), ...above(HTMLDocument.prototype)])];
})()"""
OURS = (
    "settling",
    "witness",
    "watchedField",
    "used",
    "listsBefore",
    "option",
    "textRange",
    "dragged",
    "aimedAt",
    "listed",
)

FORM = """<title>Order</title><form id=form aria-label=Order style="width: 300px">
<input aria-label=Name><input type=checkbox aria-label=Gift><input type=range aria-label=Many min=0 max=9>
<select aria-label=Size><option>S<option>L</select><input role=combobox aria-label=Town value=Ulm>
<ul><li>Tea<li>Cake</ul>
<button type=button onclick="pressed = this.innerText">Send</button><div role=textbox contenteditable>Note</div>
%s</form>
<img alt=Map width=40 height=30 src=data:,>%s"""


def page(members: list[str], kind: str) -> str:
    """The form with elements that have these names, and none that has a place on the page."""
    element = {
        "field": "<input type=hidden name=%s>",
        "img": "<img hidden name=%s>",
        "form": "<form name=%s></form>",
        "object": "<object hidden id=%s></object>",
        "id": "<i id=%s></i>",
    }[kind]
    named = "".join(element % name for name in members)
    return FORM % ((named, "") if kind == "field" else ("", named))


def used(call: Call, url: str) -> list[Any]:
    """What tools say that use each script of ours on the form or in it."""
    call("browser_navigate", url=url)
    said = [
        call("browser_type", ref="label=Name", text="Ada"),
        call("browser_fill_form", fields=[{"ref": "label=Gift", "value": "true"}, {"ref": "label=Many", "value": "7"}]),
        call("browser_fill_form", fields=[{"ref": "label=Size", "value": "L"}]),
        call("browser_click", ref='button "Send"'),
        call("browser_type", ref="css=[contenteditable]", text="Soon"),
        call("browser_click", ref="label=Name"),
        call("browser_press", key="End"),
        call("browser_scroll", direction="into_view", ref="css=#form"),
        call("browser_scroll", direction="down", amount=100),
        call("browser_click", ref="css=#form"),
        call("browser_drag", ref="css=#form", to_ref='button "Send"'),
        call("browser_wait", until="text", value="Cake"),
        call("browser_get_images", min_size=20),
        call("browser_verify", check="text", expected="Cake"),
        call("browser_verify", check="list", ref="css=#form", expected=["Tea", "Cake"]),
        call("browser_verify", check="visible", ref="css=#form"),
        call("browser_verify", check="value", ref="label=Name", expected="Ada"),
        call("browser_read"),
        call("browser_vision", ref="css=#form", full_page=True),
        call("browser_evaluate", expression="pressed"),
    ]
    return [without_place(each) for each in said]


def without_place(said: Any) -> Any:
    """The same without refs, places and pictures, which what is added to a page changes."""
    if is_array(said):
        return [without_place(each) for each in said]
    if not is_object(said):
        return said
    changed = ("ref", "url", "x", "y", "max_y", "data")
    return {name: without_place(value) for name, value in said.items() if name not in changed}


@pytest.fixture
def call(tools: Tools) -> Call:
    return tools()


@pytest.mark.parametrize("kind", ["field", "img", "form", "object", "id"])
def test_no_element_takes_the_place_of_a_member_that_we_read(call: Call, sites: Sites, kind: str) -> None:
    sites.pages["/plain"] = page([], kind)
    plain = used(call, sites.local("/plain"))
    assert [each for each in plain if not each["success"]] == []
    members = call("browser_evaluate", expression=MEMBERS)["value"]
    sites.pages["/named"] = page([*members, *OURS], kind)

    assert used(call, sites.local("/named")) == plain
