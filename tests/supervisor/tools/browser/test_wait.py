"""`browser_wait` waits for any of several things and says which came; on real Chromium."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from supervisor import Config, SupervisorRegistry
from supervisor.tools import Toolbox
from tests.supervisor.tools.conftest import Call, calls, running_in
from tests.support.browsers import launched
from tests.support.servers.sites import Response, Sites

pytestmark = pytest.mark.chromium

HTML = """<!doctype html><link rel=icon href=data:,><input aria-label=Name><p id=here tabindex=0 role=button>Here</p>
<script>const name_ = document.querySelector('input');</script>"""


@pytest.fixture(scope="module")
def site() -> Iterator[Sites]:
    """The pages."""
    report = Response(b"a,b", headers={"Content-Type": "text/csv", "Content-Disposition": "attachment; filename=r.csv"})
    with Sites({"/page": HTML, "/save": "ok", "/report": report}) as sites:
        yield sites


@pytest.fixture(scope="module")
def registry() -> SupervisorRegistry:
    """The supervisor behind the calls."""
    return SupervisorRegistry()


@pytest.fixture(scope="module")
def shared_call(registry: SupervisorRegistry) -> Iterator[Call]:
    """Calls of all tools, in one browser."""
    with launched(omnibox=False) as browser:
        yield calls(Toolbox(Config(cdp_url=browser.ws_url, call_timeout_s=20), registry=registry, toolsets="all"))
        registry.stop_all()


@pytest.fixture
def call(shared_call: Call, site: Sites) -> Call:
    """Calls on a page that is new."""
    assert shared_call("browser_navigate", url=site.local("/page"))["success"]
    return shared_call


def refs(call: Call) -> dict[str, str]:
    """The refs of the page's elements by their names."""
    return dict(re.findall(r'"([^"]+)" \[ref=(e\d+)\]', call("browser_snapshot")["page"]))


@pytest.mark.parametrize(
    ("script", "came", "changes"),
    [
        ("document.body.append('Saved')", "text:Saved", '"Saved"'),
        ("name_.value = 'Failed'", "text:Failed", 'textbox "Name" [ref={Name}] value="Failed"'),
        ("name_.value = 'Ann'", "value:{Name}=Ann", 'textbox "Name" [ref={Name}] value="Ann"'),
        ("here.hidden = true", "ref_gone:{Here}", 'gone: button "Here" [ref={Here}]'),
        ("fetch('/save?x=1').then(answer => answer.text())", "request:/save", "nothing changed"),
        ("location.hash = 'end'", "url:#end", "nothing that this page's text shows"),
        ("location = '/report'", "download", "nothing changed"),
        ("alert('Done')", "dialog", ""),
    ],
)
def test_the_first_of_several_is_named_and_the_changes_shown(call: Call, script: str, came: str, changes: str) -> None:
    known = refs(call)
    several = ["text:Saved", "text:Failed", "value:{Name}=Ann", "ref_gone:{Here}", "request:/save", "url:#end",
               "download", "dialog"]  # fmt: skip
    call("browser_evaluate", expression=f"void setTimeout(() => {{ {script} }}, 50)")

    told = call("browser_wait", until=[name.format(**known) for name in several])

    assert (told["success"], told["came"]) == (True, came.format(**known))
    assert told.get("page", "") == changes.format(**known)
    call("browser_dialog", action="accept")


def test_a_download_before_the_wait_counts_unless_a_result_has_shown_it(
    call: Call, registry: SupervisorRegistry
) -> None:
    supervisor = running_in(registry)
    before = {download.id for download in supervisor.snapshot().recent_downloads}
    call("browser_evaluate", expression="void setTimeout(() => { location = '/report' }, 300)")
    supervisor.wait_for(lambda now: any(each.id not in before for each in now.recent_downloads), timeout_s=20)

    told = call("browser_wait", until="download", timeout=10)
    again = call("browser_wait", until="download", timeout=0.3)

    assert (told["success"], [each["name"] for each in told["downloads"]]) == (True, ["r.csv"])
    assert (again["success"], again["error_type"]) == (False, "NotYet")


def test_a_wait_ends_at_once_with_the_download_of_the_action_before(call: Call, registry: SupervisorRegistry) -> None:
    supervisor = running_in(registry)
    call("browser_evaluate", expression="document.body.innerHTML = '<a href=/report>Report</a>'")
    count = len(supervisor.snapshot().recent_downloads)
    click = {"tool": "click", "arguments": {"ref": "Report"}}
    wait = {"tool": "wait", "arguments": {"until": "download", "timeout": 10}}

    clicked = call("browser_click", ref="Report")
    supervisor.wait_for(lambda now: len(now.recent_downloads) > count, timeout_s=20)
    looked = call("browser_snapshot")
    told, again = (call("browser_wait", until="download", timeout=0.3) for _ in range(2))
    batch = call("browser_batch", steps=[click, wait])
    after = call("browser_wait", until="download", timeout=0.3)

    assert [result for result in (clicked, looked) if "downloads" in result] != []
    assert (told["success"], again["success"]) == (True, False)
    assert (batch["done"], after["success"]) == (2, False), batch


def test_a_dialog_ends_a_wait_for_other_things(call: Call) -> None:
    call("browser_evaluate", expression="void setTimeout(() => alert(1), 50)")

    told = call("browser_wait", until=["text:Saved", "url:/end"])
    call("browser_dialog", action="accept")

    assert (told["success"], told["error_type"]) == (False, "BlockedByDialog")


def test_an_element_is_waited_for_until_it_is_shown(call: Call) -> None:
    known = refs(call)
    call("browser_evaluate", expression="here.hidden = true; void setTimeout(() => { here.hidden = false }, 50)")

    assert call("browser_wait", until="ref", value=known["Here"])["success"]
    assert call("browser_wait", until="ref:e9999")["error_type"] == "UnknownRef"


@pytest.mark.parametrize(
    ("until", "argument"),
    [(["soon"], "until"), ([], "until"), (["text"], "value"), ("value:e1", "value"), (["time:soon"], "value")],
)
def test_what_is_no_condition_is_refused(call: Call, until: object, argument: str) -> None:
    assert call("browser_wait", until=until)["argument"] == argument
