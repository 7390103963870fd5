"""`tools`: definitions in each form."""

from __future__ import annotations

import json

import pytest

from tests.supervisor.cli.conftest import Run


@pytest.mark.parametrize(
    ("form", "key"),
    [
        ("openai", "function"),
        ("openai-responses", "strict"),
        ("anthropic", "input_schema"),
        ("gemini", "name"),
        ("mcp", "inputSchema"),
    ],
)
def test_the_definitions_are_printed_in_the_form_that_is_asked_for(run: Run, form: str, key: str) -> None:
    done = run("tools", "--form", form)

    assert (done.code, done.err) == (0, "")
    assert all(key in tool for tool in json.loads(done.out))


def test_toolsets_choose_the_tools_and_one_that_is_none_is_told(run: Run) -> None:
    names = [tool["function"]["name"] for tool in json.loads(run("tools", "--toolsets", "browser_dialog").out)]
    wrong = run("tools", "--toolsets", "brwser")

    assert names == ["browser_dialog"]
    assert (wrong.code, wrong.out, wrong.err.count("\n")) == (2, "", 1)
    assert "browser" in wrong.err
