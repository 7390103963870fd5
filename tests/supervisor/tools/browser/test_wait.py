"""`browser_wait` waits for any of several things and says which came; on real Chromium."""

from __future__ import annotations

import pytest

from tests.supervisor.tools.conftest import Call, running_in
from tests.supervisor.tools.desk import Desk
from tests.support.servers.sites import Response

HTML = """<input aria-label=Name><p id=here tabindex=0 role=button>Here</p>
<script>const name_ = document.querySelector('input');</script>"""


@pytest.fixture
def page(desk: Desk) -> Desk:
    """A page that is new, on a site with a file to download."""
    report = Response(b"a,b", headers={"Content-Type": "text/csv", "Content-Disposition": "attachment; filename=r.csv"})
    desk.sites.pages |= {"/save": "ok", "/report": report}
    desk.show(HTML)
    return desk


@pytest.fixture
def call(page: Desk) -> Call:
    return page.call


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
def test_the_first_of_several_is_named_and_the_changes_shown(
    page: Desk, call: Call, script: str, came: str, changes: str
) -> None:
    known = page.refs(HTML)
    several = ["text:Saved", "text:Failed", "value:{Name}=Ann", "ref_gone:{Here}", "request:/save", "url:#end",
               "download", "dialog"]  # fmt: skip
    call("browser_evaluate", expression=f"void setTimeout(() => {{ {script} }}, 50)")

    told = call("browser_wait", until=[name.format(**known) for name in several])

    assert (told["success"], told["came"]) == (True, came.format(**known))
    assert told.get("page", "") == changes.format(**known)
    call("browser_dialog", action="accept")


def test_a_download_before_the_wait_counts_unless_a_result_has_shown_it(page: Desk, call: Call) -> None:
    supervisor = running_in(page.registry)
    before = {download.id for download in supervisor.snapshot().recent_downloads}
    call("browser_evaluate", expression="void setTimeout(() => { location = '/report' }, 300)")
    supervisor.wait_for(lambda now: any(each.id not in before for each in now.recent_downloads), timeout_s=20)

    told = call("browser_wait", until="download", timeout=10)
    again = call("browser_wait", until="download", timeout=0.3)

    assert (told["success"], [each["name"] for each in told["downloads"]]) == (True, ["r.csv"])
    assert (again["success"], again["error_type"]) == (False, "NotYet")


def test_a_wait_ends_at_once_with_the_download_of_the_action_before(page: Desk, call: Call) -> None:
    supervisor = running_in(page.registry)
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


def test_an_element_is_waited_for_until_it_is_shown(page: Desk, call: Call) -> None:
    known = page.refs(HTML)
    call("browser_evaluate", expression="here.hidden = true; void setTimeout(() => { here.hidden = false }, 50)")

    assert call("browser_wait", until="ref", value=known["Here"])["success"]
    assert call("browser_wait", until="ref:e9999")["error_type"] == "UnknownRef"


@pytest.mark.parametrize(
    ("until", "argument"),
    [(["soon"], "until"), ([], "until"), (["text"], "value"), ("value:e1", "value"), (["time:soon"], "value")],
)
def test_what_is_no_condition_is_refused(call: Call, until: object, argument: str) -> None:
    assert call("browser_wait", until=until)["argument"] == argument
