"""An element that our own action gave another name is used again; one that became another is not. On real Chromium."""

from __future__ import annotations

import re

import pytest

from tests.supervisor.tools.desk import HEAD, Desk
from tests.support.servers.sites import iframe


def opened(desk: Desk, html: str) -> list[str]:
    """Show a page, and return the refs of its elements."""
    return re.findall(r"\[ref=(e\d+)\]", desk.show(html))


ADD = "log.push(this.textContent); this.textContent = `Added`"
TOGGLES = {
    "at once": "<button onclick='log.push(this.textContent); this.textContent = `Following`'>Follow</button>",
    "by another word": "<button onclick='log.push(this.textContent); this.textContent = `n1`'>In</button>",
    "a moment later": "<button onclick='setTimeout(() => { log.push(1); this.textContent = `Following` }, 80)'>"
    "Follow</button>",
    "an icon's": "<button aria-label=Play onclick='log.push(1); this.ariaLabel = `Pause`'>x</button>",
    "in its row": f"<ul><li>Tea <button onclick='{ADD}'>Add</button><li>Cake <button onclick='{ADD}'>Add</button></ul>",
    "and role": "<a href='#' onclick='log.push(1); this.role = `button`; this.textContent = `Stop`'>Start</a>",
}


@pytest.mark.parametrize("more", [{}, {"snapshot": True}], ids=["unseen", "seen"])
@pytest.mark.parametrize("what", TOGGLES)
def test_what_our_own_click_renamed_is_clicked_again(desk: Desk, what: str, more: dict[str, bool]) -> None:
    ref = next(ref for ref in opened(desk, TOGGLES[what]) if "list" not in ref)
    ref = desk.call("browser_snapshot", find="Add")["page"].split("ref=")[-1].split("]")[0] if "row" in what else ref

    done = [desk.call("browser_click", ref=ref, **more)["success"] for _ in range(2)]

    assert (done, len(desk.log())) == ([True, True], 2)


def test_what_our_own_key_renamed_in_an_iframe_of_another_site_is_clicked(desk: Desk) -> None:
    desk.sites.pages["/it"] = HEAD + TOGGLES["at once"]
    desk.show(iframe(desk.sites.remote("/it")))
    assert desk.call("browser_wait", until='ref:button "Follow"')["success"]

    assert desk.call("browser_press", key="Enter", ref="Follow")["success"]
    assert desk.call("browser_click", ref='button "Following"')["success"]


ROWS = """<ul id=list><li>{} <button onclick='recycle()'>{}</button><li>Cake <button>{}</button></ul><script>
const recycle = () => {{
    log.push(1);
    const [text, button] = list.firstElementChild.childNodes;
    [text.data, button.textContent] = ['Cake ', 'Remove'];
}};</script>"""
OTHERS = {
    "a row that is another row": ROWS.format("Tea", "Remove all", "Remove"),
    "an item of a list": "<div role=listbox><div role=option tabindex=0 onclick='log.push(1); "
    "this.textContent = `Cake`'>Tea</div><div role=option tabindex=0>Milk</div></div>",
    "one of a numbered set": "<button onclick='log.push(1); this.textContent = `Page 5`'>Page 3</button>"
    "<button>Page 4</button>",
    "changed by the page, later": "<button onclick='log.push(1); setTimeout(() => "
    "{ this.textContent = `Delete all` }, 1500)'>Archive</button>",
}


@pytest.mark.parametrize("what", OTHERS)
def test_what_became_another_element_is_refused(desk: Desk, what: str) -> None:
    refs = opened(desk, OTHERS[what])
    ref = next(ref for ref in refs if desk.call("browser_click", ref=ref)["success"] and desk.log())
    if "later" in what:
        assert desk.call("browser_wait", until="text:Delete all")["success"]

    refused = desk.call("browser_click", ref=ref)

    assert (refused["success"], refused["error_type"], len(desk.log())) == (False, "ElementChanged", 1)


def test_a_name_that_changed_between_two_actions_is_refused(desk: Desk) -> None:
    archive, other = opened(desk, "<button onclick='log.push(1)'>Archive</button><button>Other</button>")
    covered = desk.call("browser_click", ref=archive)
    desk.call("browser_evaluate", expression="document.querySelector('button').textContent = 'Delete all'")
    desk.call("browser_click", ref=other)

    refused = desk.call("browser_click", ref=archive)

    assert (covered["success"], refused.get("error_type"), len(desk.log())) == (True, "ElementChanged", 1)
