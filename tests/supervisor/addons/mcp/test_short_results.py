"""No result over MCP is so long that a host would cut it, and each says how much is missing and how to get it."""

from __future__ import annotations

import re
from typing import Any, cast

import pytest
from mcp import Client
from msgspec import inspect

from supervisor.addons.mcp import make_server
from supervisor.addons.mcp.agent import Agent
from supervisor.config import Config
from supervisor.registry import SupervisorRegistry
from supervisor.tools import CATALOGUE, Tool, Toolbox
from supervisor.tools.framework.result_text import without_pictures
from supervisor.tools.framework.untrusted_text import shown
from tests.support.browsers import launched

FEWEST = 10_000
"""The characters from which on some hosts cut a result."""
IN_PARTS = {"cursor", "part"}
"""Arguments of tools whose results come in parts."""
WHOLE = [tool for tool in CATALOGUE if IN_PARTS.isdisjoint(tool.arguments.__struct_fields__)]
WAY = "Ask for less, for a part (in a script: slice), or, where the tool can, for a file."


def huge(info: Any, rows: int, above: tuple[type, ...] = ()) -> Any:
    """A result of this type with long texts everywhere, and lists of so many rows."""
    match info:
        case inspect.Metadata(type=inner):
            marks: dict[str, Any] = getattr(info, "extra", None) or {}
            limit = None if marks.get("lines") else marks.get("untrusted")
            return huge(inner, rows, above) if limit is None else '"text"\n' * (limit // 7)
        case inspect.StructType(cls=cls, fields=fields):
            if {field.name for field in fields} == {"mime_type", "data"}:
                return {"mime_type": "image/png", "data": "x" * 50_000}
            return {
                field.encode_name: huge(field.type, rows, (*above, cls))
                for field in fields
                if not (isinstance(field.type, inspect.StructType) and field.type.cls in above)
            }
        case inspect.DictType(value_type=inner):
            return {f"key {number}": huge(inner, rows, above) for number in range(rows)}
        case inspect.CollectionType(item_type=inner) | inspect.VarTupleType(item_type=inner):
            is_circle = isinstance(inner, inspect.StructType) and inner.cls in above
            return [] if is_circle else [huge(inner, rows, above)] * rows
        case inspect.UnionType(types=types):
            first = next(kind for kind in types if not isinstance(kind, inspect.NoneType | inspect.CustomType))
            return huge(first, rows, above)
        case inspect.StrType():
            return "our words"
        case inspect.LiteralType(values=values):
            return values[0]
        case inspect.BoolType():
            return True
        case _:
            return 12345.6789


@pytest.fixture
def toolbox() -> Toolbox:
    return Toolbox(Config(cdp_url="http://127.0.0.1:9"), registry=SupervisorRegistry(), toolsets="all")


@pytest.mark.parametrize("tool", WHOLE, ids=[tool.name for tool in WHOLE])
def test_no_host_cuts_the_result_of_a_tool_that_has_no_parts(toolbox: Toolbox, tool: Tool) -> None:
    rows = 0 if "limit" in tool.arguments.__struct_fields__ else 500
    result = {**cast("dict[str, Any]", huge(inspect.type_info(tool.result), rows)), "success": True}

    short = toolbox.shortened(tool.name, result)

    assert len(toolbox.as_text(tool.name, short)) < FEWEST
    assert without_pictures(short)[1] == without_pictures(result)[1]
    assert short is result or short["cut"][-1] == WAY


def test_a_text_that_was_cut_before_counts_all_that_is_left_out_and_one_with_room_stays(toolbox: Toolbox) -> None:
    long, short = shown("x" * 150_000, 100_000), shown("x" * 5_000, 2_000)
    fits: dict[str, Any] = {"success": True, "value": None, "description": short}

    cut = toolbox.shortened("browser_evaluate", {"success": True, "value": long})["value"]

    left = re.fullmatch(r"x+\.\.\. \((\d+) more characters\)", cut)
    assert left is not None
    assert int(left[1]) + cut.count("x") == 150_000
    assert toolbox.shortened("browser_evaluate", fits) == fits


def test_a_page_cannot_forge_how_much_is_left_out(toolbox: Toolbox) -> None:
    forged = f"{'x' * 9_000}... (777777 more characters)"

    cut = toolbox.shortened("browser_evaluate", {"success": True, "value": forged})["value"]

    assert cut.endswith(f"... ({len(forged) - cut.count('x')} more characters)")
    assert shown(forged, 5_000).endswith(f"... ({len(forged) - 5_000} more characters)")


@pytest.mark.thorough
@pytest.mark.chromium
async def test_a_long_value_is_cut_over_mcp_alone_and_its_rest_can_be_had() -> None:
    with launched(omnibox=False) as browser:
        config, registry = Config(cdp_url=browser.ws_url), SupervisorRegistry()
        box = Toolbox(config, registry=registry, toolsets="all")
        whole = '[..."x".repeat(3000)].map((_, n) => `"${n}" is a number`)'
        text = f"{whole}.join(', ')"
        async with make_server(agent := Agent(box, config, registry)).running() as server, Client(server) as client:
            by_value = {"expression": text, "returnByValue": True}
            calls: list[tuple[str, dict[str, Any]]] = [
                ("browser_evaluate", {"expression": text}),
                ("browser_evaluate", {"expression": whole}),
                ("browser_cdp", {"method": "Schema.getDomains"}),
                ("browser_cdp", {"method": "Runtime.evaluate", "params": by_value}),
                ("browser_evaluate", {"expression": f"({whole}).slice(-2)"}),
            ]
            told = [getattr((await client.call_tool(*call)).content[0], "text", "") for call in calls]
            kept = await box.adispatch("browser_evaluate", {"expression": text}, "mcp")
            await agent.stop()

    assert [len(each) < FEWEST for each in told] == [True] * 5
    for at in (0, 1, 3):
        assert WAY in told[at]
        assert len(told[at]) > 6_000
    assert "more characters)" in told[0]
    assert "value: " in told[1]
    assert "cut=" not in told[2]
    assert "2999" in told[4]
    assert len(kept) > 60_000
