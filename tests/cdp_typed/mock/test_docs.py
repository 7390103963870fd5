"""The examples of `docs/mock.md` are true."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from cdp_typed import CommandError, connect_sync
from cdp_typed.mock import FileInput, Frame, Link, Page, Resource, ThreadedMockServer
from cdp_typed.mock.personality import PERSONALITIES
from cdp_typed.mock.scenario import parse_scenario
from cdp_typed.protocol import dom

ROOT = Path(__file__).parents[3]
DOCS = (ROOT / "docs" / "mock.md").read_text()
FOREIGN = ROOT / "examples" / "foreign_clients"


def test_every_personality_is_in_the_docs() -> None:
    table = DOCS.partition("## Personalities")[2].partition("\n\nEach is")[0]

    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(PERSONALITIES)


def test_the_refusal_in_the_docs_is_what_a_client_is_told() -> None:
    (shown,) = re.findall(r"```\n(DOM\.querySelector.*?)```", DOCS, re.DOTALL)

    with (
        ThreadedMockServer() as mock,
        connect_sync(mock.url) as browser,
        browser.new_page() as tab,
        pytest.raises(CommandError) as refused,
    ):
        tab.send(dom.QuerySelector(node_id=dom.NodeId(1), selector="#absent"))

    assert str(refused.value).startswith(" ".join(shown.split()))


def test_the_scenario_in_the_docs_is_read() -> None:
    (scenario,) = re.findall(r"```json\n(.*?)```", DOCS, re.DOTALL)

    assert [rule.method for rule in parse_scenario(scenario.encode()).rules][:2] == [
        "Page.captureScreenshot",
        "Page.reload",
    ]


def test_the_test_in_javascript_is_the_one_that_is_run_with_the_foreign_clients() -> None:
    (shown,) = re.findall(r"```js\n(.*?)```", DOCS, re.DOTALL)

    assert shown == (FOREIGN / "shop.test.mjs").read_text()
    assert list(parse_scenario((FOREIGN / "shop.json").read_bytes()).expressions) == ["cart.total()"]


def test_the_browser_without_a_socket_in_the_docs_answers() -> None:
    program = re.findall(r"```python\n(.*?)```", DOCS, re.DOTALL)[1]
    names: dict[str, Any] = {}
    exec(program, names)

    (answer,) = names["answers"]
    assert json.loads(answer)["result"]["protocolVersion"] == "1.3"


async def test_the_program_in_the_docs_runs() -> None:
    program = re.findall(r"```python\n(.*?)```", DOCS, re.DOTALL)[0]
    body = "".join(f"    {line}\n" for line in program.splitlines())
    names: dict[str, Any] = {}
    exec(f"async def shown():\n{body}    return total", names)

    total = await names["shown"]()
    assert total.result.value == 42


@pytest.mark.parametrize("kind", [Page, Frame, Link, FileInput, Resource])
def test_every_field_of_a_site_is_where_tests_are_explained(kind: type[Struct]) -> None:
    table = (
        (ROOT / "docs" / "testing-with-the-mock.md")
        .read_text()
        .partition("| field of `Page` |")[2]
        .partition("\n\n")[0]
    )

    missing = [name for name in kind.__struct_fields__ if not re.search(rf"\b{name}\b", table)]

    assert missing == []
