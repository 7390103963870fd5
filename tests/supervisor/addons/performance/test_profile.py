"""`browser_profile`, on Chromium."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from supervisor.tools import Policy
from tests.supervisor.tools.conftest import Call, Tools
from tests.support.servers.sites import Response, Sites

from .conftest import Show

SCRIPT = """function busy() { const end = performance.now() + 150; while (performance.now() < end); }
function unused() { return 'never called' }
"""
STYLE = "h1 { margin: 0 }\n.nowhere { color: red; padding: 3px }\n"


@pytest.fixture
def call(show: Show, sites: Sites) -> Call:
    sites.pages["/a.js"] = Response(SCRIPT, headers={"Content-Type": "text/javascript"})
    sites.pages["/a.css"] = Response(STYLE, headers={"Content-Type": "text/css"})
    return show("<link rel=stylesheet href=/a.css><h1>x</h1><script src=/a.js></script><script>busy()</script>")


def test_a_profile_has_the_functions_that_ran_longest(call: Call, sites: Sites) -> None:
    assert call("browser_profile", action="start")["recording"]
    call("browser_navigate", url=sites.local("/page"))
    result = call("browser_profile", action="stop")

    (busy,) = (each for each in result["cpu"]["functions"] if each.get("function") == "busy")
    assert (busy["url"], busy["line"], busy["self_ms"] > 0) == (sites.local("/a.js"), 1, True)
    assert "cpu.functions[].url" in result["untrusted"]
    recorded = json.loads(Path(result["file"]).read_text())
    assert {"nodes", "startTime", "endTime", "samples", "timeDeltas"} <= recorded.keys()


def test_a_profile_leaves_out_the_scripts_of_tools_and_says_how_long_they_took(call: Call, sites: Sites) -> None:
    sites.pages["/page"] = "<script src=/a.js></script>" + "<p><button onclick=busy()>Go</button>" * 300
    call("browser_navigate", url=sites.local("/page"))
    call("browser_profile", action="start")
    call("browser_click", ref='button "Go" >> nth=0', snapshot=True)
    call("browser_read")
    cpu = call("browser_profile", action="stop")["cpu"]

    assert cpu["own_ms"] > 0
    assert {each["url"] for each in cpu["functions"] if each.get("url")} <= {sites.local("/a.js"), sites.local("/page")}
    assert {"look", "isShown", "children"}.isdisjoint(each.get("function") for each in cpu["functions"])


def test_coverage_has_the_unused_part_of_each_file(call: Call, sites: Sites) -> None:
    call("browser_profile", action="start", what="coverage")
    call("browser_navigate", url=sites.local("/page"))
    coverage = call("browser_profile", action="stop")["coverage"]

    files = {(each["kind"], each["url"]): each for each in coverage["files"]}
    script, style = files["js", sites.local("/a.js")], files["css", sites.local("/a.css")]
    unused = SCRIPT.splitlines()[1]
    assert (script["size"], script["unused"]) == (len(SCRIPT), len(unused))
    assert (style["size"], style["unused"]) == (len(STYLE), len(STYLE) - len(STYLE.splitlines()[0]))


def test_a_profile_and_a_trace_run_beside_each_other(call: Call) -> None:
    for tool in ("browser_profile", "browser_trace"):
        assert call(tool, action="start")["recording"]
    assert "stop it first" in call("browser_profile", action="start")["error"]

    assert call("browser_profile", action="stop")["cpu"]
    assert call("browser_trace", action="stop")["summary"]


@pytest.mark.parametrize(("what", "denied"), [("cpu", "Profiler.start"), ("coverage", "CSS.*")])
def test_a_policy_that_denies_its_commands_denies_it(tools: Tools, what: str, denied: str) -> None:
    call = tools(Policy(deny_methods=(denied,)))

    assert call("browser_profile", action="start", what=what)["error_type"] == "Refused"


def test_a_crash_ends_it_with_an_error(call: Call) -> None:
    call("browser_profile", action="start")
    call("browser_cdp", method="Page.crash")

    assert call("browser_profile", action="stop")["error_type"] == "TargetCrashed"
    assert call("browser_profile", action="start")["error_type"] == "TargetCrashed"
