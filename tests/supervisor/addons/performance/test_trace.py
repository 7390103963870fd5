"""`browser_trace`, on Chromium."""

from __future__ import annotations

import gzip
import json
import stat
import threading
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from cdp_typed import connect_sync
from cdp_typed.helpers import blocking
from cdp_typed.helpers.shared.performance.trace_events import event_of
from cdp_typed.protocol import target
from cdp_typed.redaction import Redaction
from supervisor import SupervisorRegistry
from supervisor.addons.performance import trace
from supervisor.addons.performance.trace_cleaning import TraceCleaning
from supervisor.tools import Policy
from tests.supervisor.tools.conftest import Tools, running_in
from tests.support.secrets import CANARY
from tests.support.servers.sites import Request, Response, Sites

from .conftest import Show

PAGE = """<!doctype html><link rel=icon href=data:,><link rel=stylesheet href=/style.css><h1>A page</h1>
<button id=slow>slow</button>
<script>document.getElementById('slow').onclick = function onSlow() {
    const end = performance.now() + 120; while (performance.now() < end) document.body.offsetHeight;
}</script>"""

PRESENTED = "new Promise(done => new PerformanceObserver(() => done(1)).observe({type: 'event', buffered: true}))"


@pytest.fixture
def page(sites: Sites) -> str:
    sites.pages["/style.css"] = Response("h1 {margin: 0}", headers={"Content-Type": "text/css"})
    return PAGE


def events_of(path: str) -> list[dict[str, Any]]:
    with gzip.open(path) as file:
        events: list[dict[str, Any]] = json.load(file)["traceEvents"]
    return events


def test_a_trace_has_a_summary_and_a_file_with_this_page_alone(
    show: Show, page: str, sites: Sites, registry: SupervisorRegistry
) -> None:
    call = show(page)
    sites.pages["/other-task"] = "<h1>other</h1>"
    running = running_in(registry)

    assert call("browser_trace", action="start")["recording"]
    call("browser_navigate", url=sites.local("/page"))
    with connect_sync(running.config.cdp_url) as connection:
        context = connection.send(target.CreateBrowserContext()).browser_context_id
        with connection.new_page(browser_context_id=context) as tab:
            blocking.goto(tab, sites.local("/other-task"))
    call("browser_click", ref="css=#slow")
    call("browser_evaluate", expression=PRESENTED)
    result = call("browser_trace", action="stop")

    summary, path = result["summary"], Path(result["file"])
    (slow,) = (script for script in summary["scripts"] if script.get("function") == "onSlow")
    assert slow["duration_ms"] >= 120
    assert slow["url"] == sites.local("/page")
    assert "summary.scripts[].function" in result["untrusted"]
    assert (stat.S_IMODE(path.stat().st_mode), path.stat().st_size) == (0o600, result["size"])
    text = json.dumps(events_of(result["file"]))
    assert "/page" in text
    assert "other-task" not in text
    assert "user-data-dir" not in text


def test_a_reload_is_traced_and_the_trace_ends_by_itself(
    show: Show, page: str, sites: Sites, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trace, "AFTERWARDS_S", 0.5)
    call = show(page)
    before = call("browser_evaluate", expression="performance.timeOrigin")["value"]

    result = call("browser_trace", action="reload")

    assert "firstContentfulPaint" in {each["name"] for each in events_of(result["file"])}
    assert call("browser_evaluate", expression="performance.timeOrigin")["value"] > before
    assert Path(result["file"]).stat().st_size == result["size"]
    assert call("browser_trace", action="stop")["error_type"] == "MeasurementState"


def test_a_trace_of_a_reload_has_the_first_paint_of_a_page_that_is_drawn_late(
    show: Show, sites: Sites, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(_: Request) -> Response:
        threading.Event().wait(8)  # longer than a navigation waits for what a page loads besides
        return Response("h1 {margin: 0}", headers={"Content-Type": "text/css"})

    monkeypatch.setattr(trace, "AFTERWARDS_S", 0.01)
    sites.pages["/style.css"] = ""
    call = show("<!doctype html><link rel=icon href=data:,><link rel=stylesheet href=/style.css><h1>A page</h1>")
    sites.pages["/style.css"] = late

    result = call("browser_trace", action="reload")

    assert result["success"], result
    assert result["navigated"]["loaded"] is False
    at = {each["name"]: each["ts"] for each in events_of(result["file"])}
    assert at["firstContentfulPaint"] - at["navigationStart"] >= 8e6


@pytest.mark.parametrize("opens", ["alert('x')", "void (onbeforeunload = event => event.preventDefault())"])
def test_a_reload_with_a_dialog_leaves_no_trace(show: Show, sites: Sites, tmp_path: Path, opens: str) -> None:
    call = show("<button>x</button>")
    call("browser_click", ref="css=button")  # a page that nobody used asks nothing when it is left
    if opens.startswith("alert"):
        url: str = call("browser_tabs")["tabs"][0]["url"]
        sites.pages[urlsplit(url).path] = f"<script>{opens}</script>"
    else:
        call("browser_evaluate", expression=opens)

    result = call("browser_trace", action="reload")

    assert result["navigated"]["opened_dialog"] == result["pending_dialogs"][0]["id"]
    assert ("summary" in result, "file" in result, list(tmp_path.iterdir())) == (False, False, [])


def test_a_page_that_crashes_leaves_its_trace_and_is_traced_while_it_is_loaded_again(show: Show) -> None:
    call = show("<h1>x</h1>")
    call("browser_trace", action="start")
    call("browser_cdp", method="Page.crash")

    stopped, reloaded = (call("browser_trace", action=action) for action in ("stop", "reload"))

    assert stopped["summary"]["events"], stopped
    assert reloaded["summary"]["events"], reloaded


def test_one_trace_runs_at_a_time_and_goes_on_after_a_dialog(show: Show) -> None:
    call = show("<h1>x</h1>")

    assert "start one first" in call("browser_trace", action="stop")["error"]
    assert call("browser_trace", action="start")["success"]
    assert "stop it first" in call("browser_trace", action="start")["error"]
    call("browser_evaluate", expression="setTimeout(() => confirm('sure?'))")
    call("browser_wait", until="dialog")
    assert call("browser_trace", action="stop")["blocked_by_dialog"]
    call("browser_dialog", action="accept")
    assert call("browser_trace", action="stop")["summary"]["events"]
    assert call("browser_trace", action="stop")["error_type"] == "MeasurementState"


@pytest.mark.parametrize("denied", ["Tracing.*", "Profiler.start"])
def test_a_policy_that_denies_traces_or_profiles_denies_it(tools: Tools, denied: str) -> None:
    assert tools(Policy(deny_methods=(denied,)))("browser_trace", action="start")["error_type"] == "Refused"


def test_beside_a_person_it_is_refused(tools: Tools) -> None:
    call = tools(scope="own")
    call("browser_tabs", action="open", url="about:blank")

    assert "reaches other pages" in call("browser_trace", action="start")["error"]


def test_the_trace_ends_with_the_supervisor(show: Show, registry: SupervisorRegistry, tmp_path: Path) -> None:
    call = show("<h1>x</h1>")
    call("browser_trace", action="start")
    assert list(tmp_path.iterdir())

    registry.stop_all()

    deadline = time.monotonic() + 30
    while list(tmp_path.iterdir()) and time.monotonic() < deadline:
        time.sleep(0.05)  # a file has no event
    assert list(tmp_path.iterdir()) == []


def kept(cleaning: TraceCleaning, **event: Any) -> dict[str, Any] | None:
    line = json.dumps({"ph": "I", "pid": 7, "args": {}, **event}).encode()
    read = event_of(line)
    assert read is not None
    clean = cleaning(line, read)
    return None if clean is None else dict(json.loads(clean))


def test_a_file_has_no_secret_and_nothing_of_the_browsers_process() -> None:
    redaction = Redaction()
    redaction.hide(CANARY)
    cleaning = TraceCleaning(redaction)
    headers = [{"name": "X-Own", "value": CANARY}, {"name": "Age", "value": "3"}]

    assert kept(cleaning, name="Layout") is None  # its process is not known to be the page's
    assert kept(cleaning, name="process_name", ph="M", args={"name": "Renderer (pid 7)"})
    assert kept(cleaning, name="process_name", ph="M", pid=1, args={"name": "Browser"})
    assert kept(cleaning, name="NavigationRequest", pid=1, args={"url": "http://elsewhere.test/"}) is None
    assert kept(cleaning, name="FrameCommittedInBrowser", pid=1)
    assert kept(cleaning, name="Layout")
    response = kept(cleaning, name="ResourceReceiveResponse", args={"data": {"headers": headers}})
    assert response is not None
    assert response["args"]["data"]["headers"] == [{"name": "X-Own", "value": "<redacted>"}, headers[1]]
    mark = kept(cleaning, name="mark", args={"url": f"http://a.test/?q={CANARY}"})
    assert mark is not None
    assert mark["args"]["url"] == "http://a.test/?q=<redacted>"
