"""The tools of a page (WebMCP) on a Chromium that has them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from cdp_typed.launch import LaunchedBrowser
from supervisor import SupervisorRegistry
from supervisor.addons.extras.offered_tools import started_tools
from supervisor.tools import Policy
from tests.support.browsers import launched
from tests.support.servers.sites import Sites, iframe

from .conftest import Bench

PAGE = """<title>shop</title><script>
const number = {type: 'number'};
document.modelContext.registerTool({name: 'add', description: 'Adds two numbers',
    inputSchema: {type: 'object', properties: {a: number, b: number}},
    execute: given => ({content: [{type: 'text', text: 'sum ' + (given.a + given.b)}]})});
document.modelContext.registerTool({name: 'ask', description: 'Asks', execute: () => String(confirm('sure?'))});
document.modelContext.registerTool({name: 'fail', description: 'Fails', execute: () => { throw new Error('no') }});
document.modelContext.registerTool({name: 'twice', description: 'Here', execute: () => 'above'});
document.modelContext.registerTool({name: 'slow', description: 'Waits', execute: (given, client) => {
    client?.signal?.addEventListener('abort', () => document.title = 'aborted');
    return new Promise(done => document.onclick = () => done('late'));
}});
document.modelContext.registerTool({name: 'later', description: 'Takes a while', execute: () =>
    new Promise(done => setTimeout(() => done('late'), 2000))});
</script><form toolname=search tooldescription=Searches><input name=q><button>Go</button></form>"""
INNER = """<script>
document.modelContext.registerTool({name: 'twice', description: 'There', execute: () => 'below ' + origin});
</script>"""


@pytest.fixture(scope="module")
def with_page_tools() -> Iterator[LaunchedBrowser]:
    with launched(args=["--enable-features=WebMCP"], isolate_sites=True, omnibox=False) as running:
        yield running


@pytest.fixture
def shop(with_page_tools: LaunchedBrowser, registry: SupervisorRegistry, sites: Sites) -> Bench:
    frame = iframe(sites.remote("/inner")).replace("<iframe", "<iframe allow=tools")
    sites.pages |= {"/inner": INNER, "/shop": PAGE + frame}
    bench = Bench(with_page_tools.ws_url, registry, sites)
    bench.open(sites.local("/shop"))
    return bench


def test_the_tools_of_a_page_and_its_iframes_are_listed_as_text_of_the_page(shop: Bench) -> None:
    result = shop.call("browser_page", action="tools")

    frames = {(tool["name"], tool.get("frame_id", "")) for tool in result["tools"]}
    inner = shop.inner_frame
    assert frames == {(name, "") for name in ("add", "ask", "fail", "later", "search", "slow", "twice")} | {
        ("twice", inner)
    }
    (add,) = [tool for tool in result["tools"] if tool["name"] == "add"]
    assert (add["description"], add["input"]["properties"]["a"]) == ("Adds two numbers", {"type": "number"})
    assert {"tools[].name", "tools[].description"} <= set(result["untrusted"])


def test_an_iframe_of_the_same_site_has_its_tools_once(shop: Bench, sites: Sites) -> None:
    shop.show(iframe(sites.local("/inner")))

    (only,) = shop.call("browser_page", action="tools")["tools"]

    assert (only["name"], only["frame_id"]) == ("twice", shop.inner_frame)


def test_a_tool_is_called_in_the_frame_that_is_meant(shop: Bench, sites: Sites) -> None:
    done = shop.call("browser_page", action="call_tool", name="add", text='{"a": 1, "b": 2}')
    twice = shop.call("browser_page", action="call_tool", name="twice")
    below = shop.call("browser_page", action="call_tool", name="twice", ref=shop.inner_frame)

    assert json.loads(done["output"]["text"])["content"] == [{"type": "text", "text": "sum 3"}]
    assert done["untrusted"] == ["output.text"]
    assert (twice["error_type"], shop.inner_frame in twice["error"]) == ("InvalidArgument", True)
    assert below["output"]["text"] == f"below {sites.remote('').rstrip('/')}"


def test_a_tool_that_opens_a_dialog_ends_the_call_at_once(shop: Bench) -> None:
    result = shop.call("browser_page", action="call_tool", name="ask")

    assert (result["error_type"], result["pending_dialogs"][0]["message"]) == ("BlockedByDialog", "sure?")
    shop.call("browser_dialog", action="accept")


def test_a_tool_that_fails_and_one_that_does_not_exist_are_errors(shop: Bench) -> None:
    failed = shop.call("browser_page", action="call_tool", name="fail")
    missing = shop.call("browser_page", action="call_tool", name="none")
    no_object = shop.call("browser_page", action="call_tool", name="add", text="[1]")

    assert (failed["error_type"], "invocation failed" in failed["page_error"]) == ("EvaluationFailed", True)
    assert (missing["error_type"], missing["argument"]) == ("InvalidArgument", "name")
    assert (no_object["error_type"], no_object["argument"]) == ("InvalidArgument", "text")


def test_a_form_that_is_filled_in_waits_to_be_submitted(shop: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(started_tools, "WAIT_S", 1)
    done = shop.call("browser_page", action="call_tool", name="search", text='{"q": "tea"}')

    assert done["output"].keys() == {"unfinished", "id"}
    assert shop.value("document.querySelector('input').value") == "tea"


@pytest.mark.parametrize(("action", "denied"), [("tools", "WebMCP.*"), ("call_tool", "WebMCP.invokeTool")])
def test_a_policy_denies_the_tools_of_pages(shop: Bench, action: str, denied: str) -> None:
    held = shop.under(Policy(deny_methods=(denied,)))

    assert held("browser_page", action=action, name="add")["error_type"] == "Refused"


def test_a_browser_without_them_is_refused_in_a_sentence(bench: Bench) -> None:
    bench.show("<title>p</title>")

    result = bench.call("browser_page", action="tools")

    assert result["error_type"] == "UnsupportedByBrowser"
    assert "--enable-features=WebMCP" in result["error"]


def test_the_result_of_a_tool_that_was_started_comes_later(shop: Bench) -> None:
    started = shop.call("browser_page", action="start_tool", name="slow")["output"]
    still = shop.call("browser_page", action="tool_result", name=started["id"], timeout=0.1)["output"]
    shop.value("void document.onclick()")
    late = shop.call("browser_page", action="tool_result", name=started["id"])
    again = shop.call("browser_page", action="tool_result", name=started["id"])

    assert started == still == {"unfinished": True, "id": started["id"]}
    assert (late["output"], late["untrusted"]) == ({"text": "late"}, ["output.text"])
    assert (again["error_type"], again["argument"]) == ("InvalidArgument", "name")


def test_a_call_waits_for_the_tool_as_long_as_the_caller_says(shop: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    short = shop.call("browser_page", action="call_tool", name="later", timeout=0.1)["output"]
    monkeypatch.setattr(started_tools, "WAIT_S", 0.1)
    long = shop.call("browser_page", action="call_tool", name="later", timeout=30)["output"]

    assert short == {"unfinished": True, "id": short["id"]}
    assert long == {"text": "late"}


def test_a_call_is_cancelled_and_the_tool_is_told(shop: Bench) -> None:
    started = shop.call("browser_page", action="start_tool", name="slow")["output"]

    cancelled = shop.call("browser_page", action="cancel_tool", name=started["id"])

    assert cancelled["output"] == {"cancelled": True}
    version = int(shop.value("navigator.userAgentData.brands.find(each => each.brand === 'Chromium').version"))
    assert shop.value("document.title") == ("aborted" if version >= 156 else "shop")
    gone = shop.call("browser_page", action="cancel_tool", name=started["id"])
    assert (gone["error_type"], "unfinished: none" in gone["error"]) == ("InvalidArgument", True)


def test_a_call_ends_with_its_document(shop: Bench, sites: Sites) -> None:
    started = shop.call("browser_page", action="start_tool", name="slow")["output"]
    shop.open(sites.local("/shop"))

    gone = shop.call("browser_page", action="tool_result", name=started["id"])

    assert (gone["error_type"], "its document" in gone["error"]) == ("InvalidArgument", True)


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("() => { throw {get message() { throw 1 }, toString() { throw 2 }} }", "EvaluationFailed"),
        ("() => ({get content() { throw new Error('g') }})", "EvaluationFailed"),
        ("() => { let a = []; for (let i = 0; i < 100_000; i++) a = [a]; return a }", "EvaluationFailed"),
        ("() => 'x'.repeat(50_000_000)", None),
        ("() => ({toJSON() { return {success: false, error: 'of the page'} }})", None),
        ("() => { JSON.stringify = () => '{}'; Promise.prototype.then = () => 0; return {a: 1} }", None),
        ("() => { document.open(); document.write('<p>gone'); document.close(); return 'x' }", None),
        ("() => { location.href = '/inner'; return new Promise(() => 0) }", "InvalidArgument|NavigationInterrupted"),
    ],
    ids=["throws", "getter", "deep", "long", "forged", "clobbered", "written_over", "left"],
)
def test_a_tool_that_misbehaves_gets_a_bounded_answer(shop: Bench, sites: Sites, code: str, error: str | None) -> None:
    sites.pages["/bad"] = (
        f"<script>document.modelContext.registerTool({{name: 'bad', description: 'd', execute: {code}}})</script>"
    )
    shop.open(sites.local("/bad"))

    result = shop.call("browser_page", action="call_tool", name="bad")

    assert re.fullmatch(str(error), str(result.get("error_type")))
    assert len(json.dumps(result)) < 250_000
    assert shop.call("browser_snapshot")["success"]
