"""`browser_page` on Chromium: conditions, addresses without a document, and drops, judged by the page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from supervisor.addons.extras import page_actions
from supervisor.tools import Policy
from tests.support.servers.sites import Sites, iframe

from .conftest import Bench

ZONE = """<title>zone</title><div role=button style='width:99px;height:99px'>Zone</div><script>
const zone = document.querySelector('div');
zone.ondragover = event => event.preventDefault();
zone.ondrop = async event => {
    event.preventDefault();
    const {dataTransfer: data} = event;
    const kinds = [...data.items].filter(each => each.kind == 'string').map(each => each.type);
    const texts = kinds.map(kind => [kind, data.getData(kind)]);
    const files = await Promise.all([...data.files].map(async file => [file.name, await file.text()]));
    dropped = JSON.stringify([event.isTrusted, texts, files]);
};
</script>"""


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wait ends after two seconds."""
    monkeypatch.setattr(page_actions, "TIMEOUT_S", 2.0)


@pytest.mark.parametrize(
    "expression", ["globalThis.ready;", "() => globalThis.ready", "Promise.resolve(globalThis.ready)", "top.ready.at"]
)
def test_a_condition_is_waited_for_across_documents(bench: Bench, sites: Sites, expression: str) -> None:
    sites.pages |= {
        "/one": "<script>setTimeout(() => location = '/two', 300)</script>",
        "/two": "<script>setTimeout(() => { ready = {at: 7} }, 300)</script>",
    }
    bench.open(sites.local("/one"))

    done = bench.call("browser_page", action="wait_js", text=expression)

    assert done["value"] == ("7" if expression.endswith("at") else '{"at":7}')
    assert "value" in done["untrusted"]
    assert bench.value("location.pathname") == "/two"


def test_a_condition_of_an_iframe_from_another_site(bench: Bench, sites: Sites) -> None:
    sites.pages |= {
        "/inner": "<script>setTimeout(() => { ready = document }, 200)</script>",
        "/page": iframe(sites.remote("/inner")),
    }
    bench.open(sites.local("/page"))

    assert bench.call("browser_page", action="wait_js", text="ready", ref="css=iframe")["success"]


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize(
    ("expression", "last"),
    [("0", "0"), ("document.missing.part", "TypeError"), ("new Promise(() => {})", ""), ("void 0", "undefined")],
)
def test_a_condition_that_does_not_come_is_told(bench: Bench, expression: str, last: str) -> None:
    bench.show("<title>p</title>")

    result = bench.call("browser_page", action="wait_js", text=expression)

    assert (result["success"], result["error_type"]) == (False, "NotTrue")
    assert "within 2 s" in result["error"]
    assert last in result["page_error"]


def test_a_condition_that_cannot_be_asked_is_refused(bench: Bench) -> None:
    bench.show("<title>p</title>")
    held = bench.under(Policy(deny_methods=("Runtime.evaluate",)))

    for text in ("ready ready", ""):
        result = bench.call("browser_page", action="wait_js", text=text)
        assert (result["error_type"], result["argument"]) == ("InvalidArgument", "text")
    assert held("browser_page", action="wait_js", text="1")["error_type"] == "Refused"
    bench.call("browser_evaluate", expression="setTimeout(alert, 300)")
    assert bench.call("browser_page", action="wait_js", text="false")["error_type"] == "BlockedByDialog"


def test_an_address_of_the_same_origin_is_pushed_without_a_document(bench: Bench, sites: Sites) -> None:
    bench.show("<script>mark = 1; onpopstate = () => { document.title = location.pathname }</script>")

    for url in (sites.remote("/page"), "", "javascript:1", "//other.test/"):
        refused = bench.call("browser_page", action="push_state", text=url)
        assert (refused["error_type"], refused["argument"]) == ("InvalidArgument", "text")
    assert bench.value("location.href") == sites.local("/page")
    done = bench.call("browser_page", action="push_state", text="/cart?x=1#y")

    assert done["navigated"] == {"url": sites.local("/cart?x=1#y"), "title": "/cart"}
    assert bench.value("[location.href, mark]") == [sites.local("/cart?x=1#y"), 1]
    assert bench.call("browser_back")["url"] == sites.local("/page")
    assert "/cart?x=1" not in [request.path for request in sites.requests]


def test_the_router_of_next_is_told(bench: Bench, sites: Sites) -> None:
    bench.show("<script>next = {router: {push: async url => { document.title = url }}}</script>")

    done = bench.call("browser_page", action="push_state", text="/cart")

    assert done["navigated"] == {"url": sites.local("/page"), "title": sites.local("/cart")}


def test_data_and_files_are_dropped_that_no_element_carries(bench: Bench, tmp_path: Path) -> None:
    bench.show(ZONE)
    note = tmp_path / "note.txt"
    note.write_text("in the file")
    data = {"text/plain": "hello", "text/uri-list": "https://shop.test/", "application/x-mine": "{}"}

    done = bench.call(
        "browser_page", action="drop", ref='button "Zone"', text=json.dumps({**data, "files": [str(note)]})
    )

    assert done["dropped_on"]
    assert bench.call("browser_page", action="wait_js", text="globalThis.dropped")["success"]
    is_trusted, texts, files = json.loads(bench.value("dropped"))
    assert (is_trusted, dict(texts), files) == (True, data, [["note.txt", "in the file"]])


def test_data_is_dropped_in_an_iframe_from_another_site(bench: Bench, sites: Sites) -> None:
    sites.pages |= {"/inner": ZONE, "/page": iframe(sites.remote("/inner"))}
    bench.open(sites.local("/page"))

    assert bench.call("browser_page", action="drop", ref='button "Zone"', text='{"text/plain": "x"}')["success"]
    seen = bench.call("browser_page", action="wait_js", text="globalThis.dropped", ref="css=iframe")["value"]
    assert json.loads(json.loads(seen)) == [True, [["text/plain", "x"]], []]


def test_a_drop_that_the_page_does_not_take_is_no_success(bench: Bench, tmp_path: Path) -> None:
    bench.show("<button>Plain</button>")

    plain = bench.call("browser_page", action="drop", ref='button "Plain"', text='{"text/plain": "x"}')
    assert plain["error_type"] == "NotDropped"
    assert bench.call("browser_click", ref='button "Plain"')["success"]
    for text in ("", "[]", "{}", '{"text": "x"}', '{"text/plain": 1}', '{"files": ["note.txt"]}', '{"files": "/x"}'):
        result = bench.call("browser_page", action="drop", ref='button "Plain"', text=text)
        assert (result["error_type"], result["argument"]) == ("InvalidArgument", "text")
    assert bench.call("browser_page", action="drop", text='{"text/plain": "x"}')["argument"] == "ref"
    held = bench.under(Policy(allow_files=("/srv/*",)))
    text = json.dumps({"files": [str(tmp_path / "x")]})
    assert held("browser_page", action="drop", ref='button "Plain"', text=text)["error_type"] == "Refused"
