"""Scenario files: their fields, and the errors for typing mistakes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cdp_typed.mock import Frame, MockBrowser, NeverUpgrades, Page, Refused
from cdp_typed.mock.errors import ScenarioError
from cdp_typed.mock.scenario import load_scenario, parse_scenario
from tests.cdp_typed.mock.raw_client import Client


def browser_of(**fields: Any) -> MockBrowser:
    return parse_scenario(json.dumps(fields).encode()).browser()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"pages": {}\n "rules": []}', r"^s\.json:2: JSON is malformed"),
        ('{"pages":\n{"http://x/":\n{"titel": "X"}}}', r"^s\.json:3: Object contains unknown field `titel`.*pages"),
        ('{"pagse": {}}', r"^s\.json:1: Object contains unknown field `pagse`"),
        (
            '{"pages": {"http://x/": {"frames": [{"url": "http://y/"},\n{"name": "f"}]}}}',
            r"^s\.json:2: pages: http://x/: frames\[1\]: an iframe has a url or a srcdoc",
        ),
        (
            '{"pages": {"http://y/": {"title": "Y"},\n"http://x/":\n{"title": "X",\n"on_load": "}"}}}',
            r"^s\.json:4: pages: http://x/: on_load: unexpected",
        ),
        ('{"pages": {"x": {}}}', r"^s\.json:1: pages: x: the address of a page is absolute"),
        ('{"pages": {"http://x/": {"script": "for(;;)"}}}', r"^s\.json:1: pages: http://x/: script: "),
        ('{"rules": [{"do": "dorp", "method": "Page.navigate"}]}', r"Invalid value 'dorp'.*rules\[0\]\.do"),
        (
            '{"rules": [{"do": "drop", "method": "Page.navigat"}]}',
            r"rules\[0\]: the schema has no command or event Page.navigat; did you mean 'Page.navigate'",
        ),
        ('{"rules": [{"do": "drop"}]}', r"missing required field `method` - at `\$\.rules\[0\]`"),
        ('{"rules": [{"do": "drop", "method": "Page.navigate", "nht": 1}]}', r"unknown field `nht`.*rules\[0\]"),
        (
            '{"rules": [{"do": "cut", "method": "Page.navigate", "how": "x"}]}',
            r"Invalid enum value 'x'.*rules\[0\]\.how",
        ),
        ('{"rules": [{"do": "hang", "method": "Page.loadEventFired"}]}', r"rules\[0\]: Hang is for commands"),
        ('{"dials": [{"do": "refused"}]}', r"missing required field `status` - at `\$\.dials\[0\]`"),
        ('{"rules": [{"do": "answer", "method": "No.no"}]}', r"rules\[0\]: the schema has no command No.no"),
        (
            '{"rules": [{"do": "answer", "method": "Page.captureScreenshot", "result": {"dat": ""}}]}',
            r"rules\[0\]: Page\.captureScreenshot: result\.data: required, and missing",
        ),
        ('{"personality": "nice"}', r"^s\.json:1: personality: nice; there are local, "),
        (b"\xff", r"^s\.json:1: "),
        (b'{"pages":\n{"\xff": {}}}', r"^s\.json:2: "),
        (
            '{"rules": [\n{"do": "drop",\n"method": "Page.reload", "nth": "x"}]}',
            r"^s\.json:3: Expected `int \| null`, got `str`",
        ),
        ('{"rules": [\n\n{"do": "drop", "method": "Page.reloda"}]}', r"^s\.json:3: rules\[0\]: the schema has no"),
        ('{"dials": [],\n"personality":\n5}', r"^s\.json:3: Expected `str`, got `int`"),
    ],
)
def test_a_typo_is_told_with_its_place(tmp_path: Path, text: str | bytes, message: str) -> None:
    path = tmp_path / "s.json"
    path.write_bytes(text.encode() if isinstance(text, str) else text)

    with pytest.raises(ScenarioError, match=message):
        load_scenario(path)


@pytest.mark.parametrize("wanted", [True, False])
def test_a_scenario_may_ask_for_samples(wanted: bool) -> None:
    scenario = parse_scenario(json.dumps({"samples": wanted}).encode())

    assert scenario.samples == scenario.browser().samples == wanted


def test_a_scenario_has_pages_and_expressions() -> None:
    browser = browser_of(
        pages={"http://x/": {"title": "X", "frames": [{"url": "http://y/", "name": "f"}], "beforeunload": True}},
        expressions={"cart.total()": 42},
    )
    client = Client(browser)
    session = client.attach(browser.pages[0].id)

    assert browser.state.site.pages == {
        "http://x/": Page(title="X", frames=[Frame("http://y/", "f")], beforeunload=True)
    }
    assert client.result("Runtime.evaluate", {"expression": "cart.total()"}, session)["result"]["value"] == 42


def test_rules_answer_and_refuse(tmp_path: Path) -> None:
    browser = browser_of(
        rules=[
            {"do": "refuse", "method": "Browser.getVersion", "nth": 2, "code": -32000, "message": "no", "data": "why"},
            {"do": "answer", "method": "Page.captureScreenshot", "result": {"data": "AAAA"}},
            {"do": "answer", "method": "Page.captureScreenshot", "result": {"data": "BBBB"}},
        ]
    )
    client = Client(browser)
    session = client.attach(browser.pages[0].id)

    assert client.result("Browser.getVersion")["protocolVersion"] == "1.3"
    assert client.error("Browser.getVersion") == {"code": -32000, "message": "no", "data": "why"}
    assert client.result("Page.captureScreenshot", {}, session) == {"data": "AAAA"}


@pytest.mark.parametrize(
    ("rule", "replies"),
    [
        ({"do": "hang"}, 0),
        ({"do": "drop"}, 0),
        ({"do": "delay", "seconds": 0.5}, 1),
        ({"do": "duplicate"}, 2),
        ({"do": "malformed"}, 1),
        ({"do": "binary"}, 1),
        ({"do": "without_id"}, 1),
        ({"do": "overtaken"}, 1),
        ({"do": "invalid_utf8"}, 1),
        ({"do": "padded", "size": 100}, 1),
        ({"do": "preceded", "by": "{oops"}, 2),
        ({"do": "preceded", "by": {"id": 4711, "result": {}}}, 2),
        ({"do": "missing", "path": "result.product"}, 1),
        ({"do": "changed", "path": "result.product", "value": None}, 1),
        ({"do": "cut", "how": "reset"}, 2),
        ({"do": "ends", "how": "silence"}, 1),
    ],
)
def test_each_fault_is_one_line(rule: dict[str, Any], replies: int) -> None:
    browser = browser_of(rules=[{**rule, "method": "Browser.getVersion"}])
    browser.receive(browser.connect(), '{"id":1,"method":"Browser.getVersion"}')

    assert len(browser.sent) == replies


def test_dials_are_refused_as_the_file_says() -> None:
    scenario = parse_scenario(
        b'{"dials": [{"do": "refused", "status": 503, "retry_after": 1}, {"do": "never_upgrades"}]}'
    )

    assert scenario.dials == (Refused(503, 1), NeverUpgrades())
