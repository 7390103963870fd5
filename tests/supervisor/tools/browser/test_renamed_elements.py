"""An element that our own action gave another name is used again; one that became another is not. On real Chromium."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from supervisor import Config, SupervisorRegistry
from supervisor.tools import Toolbox
from tests.supervisor.tools.conftest import Call, calls
from tests.support.servers.sites import Sites, iframe
from tests.support.stages.shared_browser import SharedBrowser


class Desk:
    """A page, and the tools."""

    def __init__(self, call: Call, sites: Sites) -> None:
        self.call, self.sites = call, sites

    def open(self, html: str, *, is_remote: bool = False) -> list[str]:
        """Show a page, and return the refs of its elements."""
        self.sites.pages["/it"] = f"<!doctype html><link rel=icon href=data:,><script>log = []</script>{html}"
        self.sites.pages["/around"] = f"<!doctype html><link rel=icon href=data:,>{iframe(self.sites.remote('/it'))}"
        address = self.sites.local("/around" if is_remote else "/it")
        assert self.call("browser_navigate", url=address)["success"]
        self.call("browser_wait", until="loaded")
        return re.findall(r"\[ref=(e\d+)\]", self.call("browser_snapshot")["page"])

    def log(self) -> Any:
        return self.call("browser_evaluate", expression="log")["value"]


@pytest.fixture(scope="module")
def desk(shared_chromium: SharedBrowser) -> Iterator[Desk]:
    registry = SupervisorRegistry()
    with Sites() as sites:
        yield Desk(
            calls(Toolbox(Config(cdp_url=shared_chromium.empty().ws_url), registry=registry, toolsets="all")), sites
        )
        registry.stop_all()


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
    ref = next(ref for ref in desk.open(TOGGLES[what]) if "list" not in ref)
    ref = desk.call("browser_snapshot", find="Add")["page"].split("ref=")[-1].split("]")[0] if "row" in what else ref

    done = [desk.call("browser_click", ref=ref, **more)["success"] for _ in range(2)]

    assert (done, len(desk.log())) == ([True, True], 2)


def test_what_our_own_key_renamed_in_an_iframe_of_another_site_is_clicked(desk: Desk) -> None:
    ref = desk.open(TOGGLES["at once"], is_remote=True)[-1]

    assert desk.call("browser_press", key="Enter", ref=ref)["success"]
    assert desk.call("browser_click", ref=ref)["success"]


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
    refs = desk.open(OTHERS[what])
    ref = next(ref for ref in refs if desk.call("browser_click", ref=ref)["success"] and desk.log())
    if "later" in what:
        assert desk.call("browser_wait", until="text:Delete all")["success"]

    refused = desk.call("browser_click", ref=ref)

    assert (refused["success"], refused["error_type"], len(desk.log())) == (False, "ElementChanged", 1)


def test_a_name_that_changed_between_two_actions_is_refused(desk: Desk) -> None:
    archive, other = desk.open("<button onclick='log.push(1)'>Archive</button><button>Other</button>")
    covered = desk.call("browser_click", ref=archive)
    desk.call("browser_evaluate", expression="document.querySelector('button').textContent = 'Delete all'")
    desk.call("browser_click", ref=other)

    refused = desk.call("browser_click", ref=archive)

    assert (covered["success"], refused.get("error_type"), len(desk.log())) == (True, "ElementChanged", 1)
