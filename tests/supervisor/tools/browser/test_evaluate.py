"""`browser_evaluate` with functions, elements, files and workers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from supervisor.tools import Policy
from tests.supervisor.tools.conftest import Call, Tools
from tests.support.runs.deadlines import LATE_S
from tests.support.servers.sites import Response, Sites, iframe

SCRIPT = {"Content-Type": "text/javascript"}
PAGE = """<title>p</title><p id=first class=a>One</p><p id=second>Two</p>
<iframe id=inner srcdoc="<p id=inside>Inside"></iframe>"""


@pytest.fixture
def call(tools: Tools, sites: Sites) -> Call:
    sites.pages["/"] = PAGE
    call = tools()
    call("browser_navigate", url=sites.local("/"))
    return call


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("() => document.title", "p"),
        ("async () => { await null; return 2 };", 2),
        ("function () { return 3 }", 3),
        ("(x => x + 1)(3)", 4),
        ("function later() { return 5 }; later()", 5),
        ("(() => { window.runs = (window.runs ?? 0) + 1; return window.runs })", 1),
        ("async () => { throw new Error('no') }", None),
        ("x => y => x", None),
    ],
)
def test_a_function_is_called_and_everything_runs_once(call: Call, expression: str, value: object) -> None:
    done = call("browser_evaluate", expression=expression)

    assert done.get("value") == value, done
    if "throw" in expression:
        assert (done["error_type"], done["page_error"].splitlines()[0]) == ("EvaluationFailed", "Error: no")
    if "y =>" in expression:
        assert done["type"] == "function"


def test_scripts_run_one_after_the_other_as_in_a_console(call: Call) -> None:
    scripts = {
        "const one = 1; one": 1,
        "const one = 2; one": 2,
        "class Kind {}; let two = one + 1; two": 3,
        "class Kind {}; let two = await Promise.resolve(4); two": 4,
        "for await (const part of [5]) globalThis.part = part; part": 5,
        "Promise.resolve({a: 6})": {"a": 6},
        "(async () => [two, one])()": [4, 2],
    }

    assert [call("browser_evaluate", expression=script).get("value") for script in scripts] == [*scripts.values()]


@pytest.mark.parametrize(
    ("expression", "has_run"),
    [
        ("document.title = 'x'; x =", False),
        ("document.title = 'x'; return 1", False),
        ("const location = 'x'; document.title = 'x'", False),
        ("() => { document.title = 'x'; }}", False),
        ("document.title = 'x'; JSON.parse('{')", True),
        ("document.title = 'x'; const late = new SyntaxError('no'); late.stack = 'SyntaxError: no'; throw late", True),
        ("document.title = 'x'; await fetch('data:,{').then(answer => answer.json())", True),
        ("document.title = 'x'; eval('x x')", True),
    ],
)
def test_a_script_that_does_not_compile_has_done_nothing(call: Call, expression: str, has_run: bool) -> None:
    refused = call("browser_evaluate", expression=expression)

    assert (refused["error_type"], refused.get("maybe_executed", False)) == ("EvaluationFailed", has_run), refused
    assert refused["page_error"].startswith("SyntaxError: ")
    assert call("browser_evaluate", expression="document.title")["value"] == ("x" if has_run else "p")


def test_a_function_gets_elements_in_the_order_of_their_refs(call: Call) -> None:
    names = "(one, two) => [one.id, two.id, one.nextElementSibling === two, one === document.querySelector('.a')]"

    done = call("browser_evaluate", expression=names, refs=["One", "css=#second"])
    inner = call("browser_evaluate", expression="async e => e.ownerDocument.URL", refs=["css=#inside"])
    lone = call("browser_evaluate", expression="e => Symbol(e.id)", refs=["One"])
    opened = call("browser_evaluate", expression="e => confirm(e.id)", refs=["One"])

    assert done["value"] == ["first", "second", True, True]
    assert inner["value"] == "about:srcdoc"
    assert (lone["value"], lone["type"], lone["description"]) == (None, "symbol", "Symbol(first)")
    assert (opened["error_type"], opened["pending_dialogs"][0]["message"]) == ("BlockedByDialog", "first")
    call("browser_dialog", action="accept")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"expression": "document.title", "refs": ["One"]}, "expression"),
        ({"expression": "e => e.id", "refs": ["One", "css=#inside"]}, "refs"),
        ({"expression": "e => e.id", "refs": ["One"], "frame_id": "css=#inner"}, "frame_id"),
        ({"expression": "e => e.id", "refs": ["Three"]}, "NotLocated"),
        ({"expression": "e => {", "refs": ["One"]}, "EvaluationFailed"),
    ],
    ids=str,
)
def test_a_wrong_use_of_elements_is_refused(call: Call, arguments: dict[str, Any], error: str) -> None:
    refused = call("browser_evaluate", **arguments)

    assert error in (refused["error_type"], refused.get("argument")), refused


def test_an_element_that_was_removed_is_refused(call: Call) -> None:
    ref = call("browser_snapshot", find="One")["page"].partition("[ref=")[2].partition("]")[0]
    call("browser_evaluate", expression="e => e.remove()", refs=[ref])
    gc = call("browser_cdp", method="HeapProfiler.collectGarbage")

    again = call("browser_evaluate", expression="e => e.isConnected", refs=[ref])

    assert gc["success"]
    assert again.get("value") is False or again["error_type"] == "StaleRef"


def test_a_script_comes_from_a_file_that_the_policy_allows(call: Call, tools: Tools, tmp_path: Path) -> None:
    script = tmp_path / "my script.js"
    script.write_text("// of a file\n() => [document.title, '\u00e9']", encoding="utf-8")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    held = tools(Policy(allow_files=("/nowhere/*",)))

    assert call("browser_evaluate", expression=script.as_uri())["type"] == "function"
    script.write_text("() => [document.title, '\u00e9']", encoding="utf-8")
    assert call("browser_evaluate", expression=script.as_uri())["value"] == ["p", "\u00e9"]
    assert held("browser_evaluate", expression=script.as_uri())["error_type"] == "Refused"
    for name, reason in (("absent.js", "No such file"), ("binary", "it is not UTF-8 text"), (".", "directory")):
        refused = call("browser_evaluate", expression=(tmp_path / name).as_uri())
        assert (refused["argument"], reason in refused["error"]) == ("expression", True), refused
    ruled = tools(Policy(deny_private=True, allow_files=("*",)))  # from here on there are URL rules
    assert ruled("browser_evaluate", expression=script.as_uri())["error_type"] == "Refused"
    assert call("browser_evaluate", expression=script.as_uri())["error_type"] == "Refused"


def test_a_script_runs_in_the_worker_that_is_meant_unless_a_dialog_blocks_the_page(call: Call, sites: Sites) -> None:
    open_workers(call, sites)

    for name in ("dedicated", "nested", "shared", "service", "remote"):
        done = call(
            "browser_evaluate", expression="async () => [name, self.window === undefined]", frame_id=f"worker={name}.js"
        )
        assert done.get("value") == [name, True], (name, done)
    thrown = call("browser_evaluate", expression="missing()", frame_id="worker=service.js")
    several = call("browser_evaluate", expression="name", frame_id="worker=.js")
    none = call("browser_evaluate", expression="name", frame_id="worker=absent")
    busy = call("browser_evaluate", expression="for (;;) {}", frame_id="worker=dedicated", timeout=0.5)

    first_line = thrown["page_error"].splitlines()[0]
    assert (thrown["error_type"], first_line) == ("EvaluationFailed", "ReferenceError: missing is not defined")
    assert (several["error_type"], "5 workers have" in several["error"]) == ("NoWorker", True)
    assert (none["error_type"], len(none["page_error"].splitlines())) == ("NoWorker", 5)
    assert (busy["error_type"], busy["maybe_executed"]) == ("CallTimeout", True)
    assert call("browser_evaluate", expression="document.title")["value"] == "top"  # the page goes on
    call("browser_evaluate", expression="alert(1)")
    blocked = call("browser_evaluate", expression="name", frame_id="worker=service", timeout=LATE_S)
    assert blocked["error_type"] == "BlockedByDialog"
    call("browser_dialog", action="accept")


def test_workers_of_other_sites_are_reached_if_the_whole_browser_is_the_agents(
    call: Call, tools: Tools, sites: Sites
) -> None:
    open_workers(call, sites)
    call("browser_navigate", url=sites.remote("/plain"))

    allowed = call("browser_evaluate", expression="name", frame_id="worker=service")
    held = tools(Policy(deny_origins=("*://example.com",)))  # from here on there are URL rules
    refused = held("browser_evaluate", expression="name", frame_id="worker=service")

    assert allowed.get("value") == "service"
    assert (refused["error_type"], refused.get("page_error")) == ("NoWorker", None)


@pytest.mark.parametrize("own_context", [False, True])
def test_workers_that_other_tasks_may_use_are_not_reached(tools: Tools, sites: Sites, own_context: bool) -> None:
    alone = tools(scope="own", own_context=own_context)
    open_workers(alone, sites)

    dedicated = alone("browser_evaluate", expression="name", frame_id="worker=dedicated")
    service = alone("browser_evaluate", expression="name", frame_id="worker=service")

    assert dedicated.get("value") == "dedicated"
    assert service.get("value", service.get("error_type")) == ("service" if own_context else "NoWorker")


def test_the_console_of_a_worker_has_what_it_said_before(call: Call, sites: Sites) -> None:
    open_workers(call, sites)

    said = call("browser_page", action="console", ref="worker=service")["messages"]
    part = call("browser_page", action="console", ref="worker=service", text="hello")["messages"]
    refused = call("browser_page", action="console", ref="e1")
    frame = call("browser_console", frame_id="worker=service")

    told = [(message["level"], message["text"].splitlines()[0]) for message in said]
    assert told == [("log", "hello service Object"), ("exception", "Error: boom")]
    assert said[0]["stack"][0].startswith(f"(anonymous) {sites.local('/service.js')}:")
    assert [message["level"] for message in part] == ["log"]
    assert (refused["error_type"], refused["argument"]) == ("InvalidArgument", "ref")
    assert (frame["error_type"], frame["argument"]) == ("InvalidArgument", "frame_id")


def open_workers(call: Call, sites: Sites) -> None:
    """Load a page with a dedicated worker, one in that, a shared and a service worker, and one in an iframe from
    another site."""

    def script(name: str, more: str = "") -> Response:
        return Response(f"var name = '{name}'; {more}", headers=SCRIPT)

    sites.pages |= {
        "/top": "<title>top</title>" + iframe(sites.remote("/other")) + """<script>
            var dedicated = new Worker('/dedicated.js'), shared = new SharedWorker('/shared.js');
            var told = new Promise(done => { dedicated.onmessage = done });
            var ready = navigator.serviceWorker.register('/service.js').then(() => navigator.serviceWorker.ready);
        </script>""",
        "/other": "<script>var remote = new Worker('/remote.js')</script>",
        "/plain": "<title>plain</title>",
        "/dedicated.js": script("dedicated", "new Worker('/nested.js').onmessage = () => postMessage(1)"),
        "/nested.js": script("nested", "postMessage(1)"),
        "/remote.js": script("remote"),
        "/shared.js": script("shared"),
        "/service.js": script("service", "console.log('hello service', {}); setTimeout(() => { throw Error('boom') })"),
    }  # fmt: skip
    call("browser_navigate", url=sites.local("/top"))
    assert call("browser_evaluate", expression="Promise.all([told, ready]).then(() => 1)")["value"] == 1
